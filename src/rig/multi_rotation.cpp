#include <sinew/rig/multi_rotation.hpp>

#include "sources.hpp"

namespace sinew::rig {

void MultiRotation::fields(FieldVisitor& v) {
  v.node("driven", driven, NodeUse::kDriven);
  v.sources("sources", sources, NodeUse::kRead, 0, 1);
  v.flag("maintain", maintain);
  v.axes("axes", axes);
  v.vector("offset", offset, -3600, 3600);
}

void MultiRotation::bind(BindContext& b) {
  offsets_.clear();
  for (const WeightedNode& s : sources) {
    offsets_.push_back(maintain ? conjugate(b.model(s.node).rotation) * b.model(driven).rotation
                                : Quat{});
  }
}

RigStatus MultiRotation::evaluate(RigEval& e) const {
  const SourceWeights weights = source_weights(e, sources);
  if (weights.sum < kLeastWeight) return RigStatus::kIdle;
  RotationSum sum;
  float total = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const float w = weights.weight[i];
    if (w == 0.0f) continue;
    sum.add(e.rotation(sources[i].node) * offsets_[i], w);
    total += w;
  }
  Quat turn = sum.normalized();
  if (total < 1.0f) turn = qlerp(e.rotation(driven), turn, total);
  const Quat local = e.local(driven).rotation;
  turn = mask_rotation(local, conjugate(e.parent_model(driven).rotation) * turn, axes);
  const Vec3 degrees = e.value(offset);
  if (degrees != Vec3{}) turn = turn * from_euler_zxy(degrees * kDegToRad);
  e.set_local_rotation(driven, qlerp(local, turn, e.weight()));
  return RigStatus::kSatisfied;
}

}  // namespace sinew::rig
