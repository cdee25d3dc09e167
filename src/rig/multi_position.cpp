#include <sinew/rig/multi_position.hpp>

#include "sources.hpp"

namespace sinew::rig {

void MultiPosition::fields(FieldVisitor& v) {
  v.node("driven", driven, NodeUse::kDriven);
  v.sources("sources", sources, NodeUse::kRead, 0, 1);
  v.flag("maintain", maintain);
  v.axes("axes", axes);
  v.vector("offset", offset, -kUnbounded, kUnbounded);
}

void MultiPosition::bind(BindContext& b) {
  offsets_.clear();
  for (const WeightedNode& s : sources) {
    offsets_.push_back(maintain ? b.model(driven).translation - b.model(s.node).translation
                                : Vec3{});
  }
}

RigStatus MultiPosition::evaluate(RigEval& e) const {
  const SourceWeights weights = source_weights(e, sources);
  if (weights.sum < kLeastWeight) return RigStatus::kIdle;
  const Vec3 current = e.position(driven);
  Vec3 goal = current;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const float w = weights.weight[i];
    if (w == 0.0f) continue;
    goal += (e.position(sources[i].node) + offsets_[i] - current) * w;
  }
  const Transform parent = rigid(e.parent_model(driven));
  const Vec3 from = rotate(conjugate(parent.rotation), current - parent.translation);
  const Vec3 to = rotate(conjugate(parent.rotation), goal - parent.translation);
  const Vec3 local = mask_position(from, to, axes) + e.value(offset);
  goal = parent.translation + rotate(parent.rotation, local);
  e.set_position(driven, lerp(current, goal, e.weight()));
  return RigStatus::kSatisfied;
}

}  // namespace sinew::rig
