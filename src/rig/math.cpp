#include <sinew/rig/math.hpp>

namespace sinew::rig {

Vec3 to_euler_zxy(Quat q) {
  // Entries of the rotation matrix R = Ry Rx Rz.
  const float r12 = 2.0f * (q.y * q.z - q.w * q.x);
  const float r10 = 2.0f * (q.x * q.y + q.w * q.z);
  const float r11 = 1.0f - 2.0f * (q.x * q.x + q.z * q.z);
  const float r02 = 2.0f * (q.x * q.z + q.w * q.y);
  const float r22 = 1.0f - 2.0f * (q.x * q.x + q.y * q.y);
  const float cos_x = sqrt(r10 * r10 + r11 * r11);
  const float x = atan2(-r12, cos_x);
  if (cos_x < 1e-6f) {
    // Looking straight up or down: Y and Z turn about the same line. All of it counts as Y.
    const float r20 = 2.0f * (q.x * q.z - q.w * q.y);
    const float r00 = 1.0f - 2.0f * (q.y * q.y + q.z * q.z);
    return {x, atan2(-r20, r00), 0};
  }
  return {x, atan2(r02, r22), atan2(r10, r11)};
}

Quat from_euler_zxy(Vec3 radians) {
  return from_axis_angle(kAxisY, radians.y) * from_axis_angle(kAxisX, radians.x) *
         from_axis_angle(kAxisZ, radians.z);
}

}  // namespace sinew::rig
