#include <sinew/rig/joint_limit.hpp>
#include <sinew/rig/math.hpp>

namespace sinew::rig {

Quat clamp_swing_twist(Quat q, Vec3 axis, float swing, float twist_min, float twist_max) {
  const SwingTwist parts = swing_twist(normalize(q), axis);
  const Quat t = parts.twist.w < 0.0f ? -parts.twist : parts.twist;
  const float angle = 2.0f * atan2(dot(Vec3{t.x, t.y, t.z}, axis), t.w);
  const Quat twist = angle < twist_min   ? from_axis_angle(axis, twist_min)
                     : angle > twist_max ? from_axis_angle(axis, twist_max)
                                         : t;
  const Vec3 lean = to_rotation_vector(parts.swing);
  const float lean_angle = length(lean);
  const Quat kept = lean_angle > swing ? from_axis_angle(lean / lean_angle, swing) : parts.swing;
  return normalize(kept * twist);
}

}  // namespace sinew::rig
