#include <cassert>

#include <sinew/math/trig.hpp>
#include <sinew/pose/dead_blend_pose.hpp>

namespace sinew {

float drift_time(float elapsed) {
  constexpr float kLn2 = 0.69314718f;
  constexpr float kRate = kLn2 / kDeadBlendHalfLife;
  return (1.0f - exp(-kRate * max(elapsed, 0.0f))) / kRate;
}

void start_dead_blend(const Skeleton& skeleton, ConstPoseSpan previous, ConstPoseSpan current,
                      float dt, std::span<JointDrift> drifts) {
  assert(static_cast<int>(drifts.size()) == skeleton.joint_count());
  const float rate = is_finite(dt) && dt > 0.0f ? 1.0f / dt : 0.0f;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const Transform before = get_joint(skeleton, previous, joint);
    const Transform now = get_joint(skeleton, current, joint);
    JointDrift& drift = drifts[static_cast<std::size_t>(joint)];
    drift.translation = now.translation;
    drift.rotation = normalize(now.rotation);
    drift.velocity = (now.translation - before.translation) * rate;
    drift.spin = to_rotation_vector(drift.rotation * conjugate(normalize(before.rotation))) * rate;
    if (!is_finite(drift.velocity)) drift.velocity = {};
    if (!is_finite(drift.spin)) drift.spin = {};
  }
}

void apply_dead_blend(const Skeleton& skeleton, float elapsed, float share,
                      std::span<const JointDrift> drifts, PoseSpan pose) {
  if (share >= 1.0f) return;
  assert(static_cast<int>(drifts.size()) == skeleton.joint_count());
  const float time = drift_time(elapsed);
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const JointDrift& drift = drifts[static_cast<std::size_t>(joint)];
    Transform local = get_joint(skeleton, pose, joint);
    const Vec3 old_place = drift.translation + drift.velocity * time;
    const Quat old_turn = from_rotation_vector(drift.spin * time) * drift.rotation;
    local.translation = lerp(old_place, local.translation, share);
    local.rotation = nlerp(old_turn, local.rotation, share);
    set_joint(skeleton, pose, joint, local);
  }
}

}  // namespace sinew
