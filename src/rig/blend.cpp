#include <sinew/rig/blend.hpp>
#include <sinew/rig/math.hpp>

namespace sinew::rig {

void Blend::fields(FieldVisitor& v) {
  v.node("driven", driven, NodeUse::kDriven);
  v.node("a", a, NodeUse::kRead);
  v.node("b", b, NodeUse::kRead);
  v.flag("blend_position", blend_position);
  v.flag("blend_rotation", blend_rotation);
  v.value("position_weight", position_weight, 0, 1);
  v.value("rotation_weight", rotation_weight, 0, 1);
  v.flag("maintain", maintain);
}

void Blend::bind(BindContext& context) {
  if (!maintain) return;
  const Transform own = context.model(driven), at_a = context.model(a), at_b = context.model(b);
  offset_a_ = own.translation - at_a.translation;
  offset_b_ = own.translation - at_b.translation;
  turn_a_ = conjugate(at_a.rotation) * own.rotation;
  turn_b_ = conjugate(at_b.rotation) * own.rotation;
}

RigStatus Blend::evaluate(RigEval& e) const {
  const Transform current = e.model(driven);
  const Transform from = e.model(a), to = e.model(b);
  if (blend_position) {
    const Vec3 goal =
        lerp(from.translation + offset_a_, to.translation + offset_b_, e.value(position_weight));
    e.set_position(driven, lerp(current.translation, goal, e.weight()));
  }
  if (blend_rotation) {
    const Quat goal =
        qlerp(from.rotation * turn_a_, to.rotation * turn_b_, e.value(rotation_weight));
    e.set_rotation(driven, qlerp(current.rotation, goal, e.weight()));
  }
  return RigStatus::kSatisfied;
}

}  // namespace sinew::rig
