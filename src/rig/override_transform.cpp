#include <sinew/rig/math.hpp>
#include <sinew/rig/override_transform.hpp>

namespace sinew::rig {

void OverrideTransform::fields(FieldVisitor& v) {
  static constexpr const char* kSpaces[] = {"world", "local", "pivot"};
  v.node("driven", driven, NodeUse::kDriven);
  v.node("source", source, NodeUse::kReadOptional);
  v.choice_of("space", space, kSpaces, 3);
  v.vector("position", position, -kUnbounded, kUnbounded);
  v.vector("rotation", rotation, -3600, 3600);
  v.value("position_weight", position_weight, 0, 1);
  v.value("rotation_weight", rotation_weight, 0, 1);
}

void OverrideTransform::bind(BindContext& b) {
  if (!source.given()) return;
  source_bind_ = rigid(b.local(source));
  Quat to = Quat{};
  if (space == Space::kPivot || (space == Space::kLocal && b.parent(driven) < 0)) {
    to = b.model(driven).rotation;
  } else if (space == Space::kLocal) {
    to = b.parent_rotation(driven);
  }
  source_to_space_ = conjugate(b.model(source).rotation) * to;
}

Transform OverrideTransform::value(RigEval& e) const {
  if (!source.given()) {
    return {e.value(position), from_euler_zxy(e.value(rotation) * kDegToRad), {1, 1, 1}};
  }
  // The source's motion since bind, seen in the axes of the chosen space.
  const Transform moved = relative(source_bind_, e.local(source));
  const Quat c = source_to_space_;
  return {rotate(conjugate(c), moved.translation), conjugate(c) * moved.rotation * c, {1, 1, 1}};
}

RigStatus OverrideTransform::evaluate(RigEval& e) const {
  const float wp = e.value(position_weight) * e.weight();
  const float wr = e.value(rotation_weight) * e.weight();
  const Transform x = value(e);
  if (space == Space::kWorld) {
    const Transform current = e.model(driven);
    const Transform goal = e.to_model(x);
    if (wp > 0.0f) e.set_position(driven, lerp(current.translation, goal.translation, wp));
    if (wr > 0.0f) e.set_rotation(driven, qlerp(current.rotation, goal.rotation, wr));
    return RigStatus::kSatisfied;
  }
  const Transform local = e.local(driven);
  const Transform goal = space == Space::kLocal ? x : compose(local, x);
  if (wp > 0.0f) e.set_local_position(driven, lerp(local.translation, goal.translation, wp));
  if (wr > 0.0f) e.set_local_rotation(driven, qlerp(local.rotation, goal.rotation, wr));
  return RigStatus::kSatisfied;
}

}  // namespace sinew::rig
