#include <cassert>

#include <sinew/pose/inertialize_pose.hpp>

namespace sinew {
namespace {

// Offset along a fixed axis, and its rate.
struct Offset {
  Vec3 axis;
  float x = 0;
  float v = 0;
};

Offset translation_offset(Vec3 previous, Vec3 current, Vec3 target, float dt) {
  const Vec3 now = current - target;
  Offset o;
  o.x = length(now);
  o.axis = normalize_or(now, {});
  if (dt > 0.0f) o.v = (o.x - dot(previous - target, o.axis)) / dt;
  return o;
}

Offset rotation_offset(Quat previous, Quat current, Quat target, float dt) {
  const Quat back = conjugate(normalize(target));
  const Vec3 now = to_rotation_vector(normalize(current) * back);
  Offset o;
  o.x = length(now);
  o.axis = normalize_or(now, {});
  if (dt > 0.0f) {
    // The twist of the earlier offset about the axis of the present one.
    const Quat before = normalize(previous) * back;
    const float angle = 2.0f * atan2(dot(Vec3{before.x, before.y, before.z}, o.axis), before.w);
    o.v = wrap_angle(o.x - angle) / dt;
  }
  return o;
}

}  // namespace

void start_inertialization(const Skeleton& skeleton, ConstPoseSpan previous, ConstPoseSpan current,
                           float dt, ConstPoseSpan target, float duration,
                           std::span<JointInertia> offsets, InertializationClock& clock) {
  assert(static_cast<int>(offsets.size()) == skeleton.joint_count());
  const float step = is_finite(dt) && dt > 0.0f ? dt : 0.0f;
  clock.elapsed = 0.0f;
  clock.duration = is_finite(duration) && duration > 0.0f ? duration : 0.0f;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const Transform p = get_joint(skeleton, previous, joint);
    const Transform c = get_joint(skeleton, current, joint);
    const Transform t = get_joint(skeleton, target, joint);
    const Offset move = translation_offset(p.translation, c.translation, t.translation, step);
    const Offset turn = rotation_offset(p.rotation, c.rotation, t.rotation, step);
    JointInertia& out = offsets[static_cast<std::size_t>(joint)];
    out.translation_axis = move.axis;
    out.rotation_axis = turn.axis;
    out.translation = InertializeCurve::make(move.x, move.v, clock.duration);
    out.rotation = InertializeCurve::make(turn.x, turn.v, clock.duration);
  }
}

void apply_inertialization(const Skeleton& skeleton, float dt,
                           std::span<const JointInertia> offsets, InertializationClock& clock,
                           PoseSpan pose) {
  if (!clock.active()) return;
  assert(static_cast<int>(offsets.size()) == skeleton.joint_count());
  if (is_finite(dt) && dt > 0.0f) clock.elapsed += dt;
  if (!clock.active()) return;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const JointInertia& offset = offsets[static_cast<std::size_t>(joint)];
    const float move = offset.translation.value(clock.elapsed);
    const float turn = offset.rotation.value(clock.elapsed);
    // Offsets may come out of saved bytes: what is not finite is none.
    if ((move == 0.0f && turn == 0.0f) || !is_finite(move) || !is_finite(turn)) continue;
    Transform local = get_joint(skeleton, pose, joint);
    local.translation += offset.translation_axis * move;
    local.rotation =
        normalize(from_axis_angle(offset.rotation_axis, turn) * normalize(local.rotation));
    set_joint(skeleton, pose, joint, local);
  }
}

PoseInertializer::PoseInertializer(const Skeleton& skeleton)
    : offsets_(static_cast<std::size_t>(skeleton.joint_count())) {}

void PoseInertializer::start(const Skeleton& skeleton, ConstPoseSpan previous,
                             ConstPoseSpan current, float dt, ConstPoseSpan target,
                             float duration) {
  start_inertialization(skeleton, previous, current, dt, target, duration, offsets_, clock_);
}

void PoseInertializer::apply(const Skeleton& skeleton, float dt, PoseSpan pose) {
  apply_inertialization(skeleton, dt, offsets_, clock_, pose);
}

}  // namespace sinew
