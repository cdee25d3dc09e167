#include <sinew/rig/multi_parent.hpp>

#include "sources.hpp"

namespace sinew::rig {

void MultiParent::fields(FieldVisitor& v) {
  v.node("driven", driven, NodeUse::kDriven);
  v.sources("sources", sources, NodeUse::kRead, 0, 1);
  v.flag("maintain_position", maintain_position);
  v.flag("maintain_rotation", maintain_rotation);
  v.axes("position_axes", position_axes);
  v.axes("rotation_axes", rotation_axes);
}

void MultiParent::bind(BindContext& b) {
  offsets_.clear();
  for (const WeightedNode& s : sources) {
    Transform o = relative(b.model(s.node), b.model(driven));
    if (!maintain_position) o.translation = {};
    if (!maintain_rotation) o.rotation = {};
    offsets_.push_back(o);
  }
}

RigStatus MultiParent::evaluate(RigEval& e) const {
  const SourceWeights weights = source_weights(e, sources);
  if (weights.sum < kLeastWeight) return RigStatus::kIdle;
  const Transform current = rigid(e.model(driven));
  Vec3 position;
  RotationSum rotation;
  float sum = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const float w = weights.weight[i];
    if (w == 0.0f) continue;
    const Transform there = compose(e.model(sources[i].node), offsets_[i]);
    position += there.translation * w;
    rotation.add(there.rotation, w);
    sum += w;
  }
  position += current.translation * (1.0f - sum);
  Quat turn = rotation.normalized();
  if (sum < 1.0f) turn = qlerp(current.rotation, turn, sum);

  const Transform parent = rigid(e.parent_model(driven));
  if (!position_axes.all()) {
    const Vec3 from = rotate(conjugate(parent.rotation), current.translation - parent.translation);
    const Vec3 to = rotate(conjugate(parent.rotation), position - parent.translation);
    position = parent.translation + rotate(parent.rotation, mask_position(from, to, position_axes));
  }
  if (!rotation_axes.all()) {
    const Quat from = conjugate(parent.rotation) * current.rotation;
    const Quat to = conjugate(parent.rotation) * turn;
    turn = parent.rotation * mask_rotation(from, to, rotation_axes);
  }
  const float w = e.weight();
  e.set_model(driven, lerp(current.translation, position, w), qlerp(current.rotation, turn, w));
  return RigStatus::kSatisfied;
}

}  // namespace sinew::rig
