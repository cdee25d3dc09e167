// Unit quaternions as rotations. `a * b` first turns by b, then by a.
#pragma once

#include <sinew/math/trig.hpp>
#include <sinew/math/vec.hpp>

namespace sinew {

struct Quat {
  float x = 0, y = 0, z = 0, w = 1;
  friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

constexpr Quat operator-(Quat q) { return {-q.x, -q.y, -q.z, -q.w}; }
constexpr Quat operator*(Quat q, float s) { return {q.x * s, q.y * s, q.z * s, q.w * s}; }
constexpr Quat operator+(Quat a, Quat b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
constexpr Quat operator*(Quat a, Quat b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
constexpr float dot(Quat a, Quat b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
// The inverse of a unit quaternion.
constexpr Quat conjugate(Quat q) { return {-q.x, -q.y, -q.z, q.w}; }
inline bool is_finite(Quat q) {
  return is_finite(q.x) && is_finite(q.y) && is_finite(q.z) && is_finite(q.w);
}

// Unit length; a quaternion without a direction (zero, not finite) gives the identity.
inline Quat normalize(Quat q) {
  const float l2 = dot(q, q);
  if (!(l2 > 1e-24f) || !is_finite(l2)) return {};
  return q * (1.0f / sqrt(l2));
}

// v turned by the unit quaternion q.
constexpr Vec3 rotate(Quat q, Vec3 v) {
  const Vec3 u{q.x, q.y, q.z};
  const Vec3 t = 2.0f * cross(u, v);
  return v + q.w * t + cross(u, t);
}

// By `angle` radians about the unit vector `axis`, counter-clockwise seen from its tip.
inline Quat from_axis_angle(Vec3 axis, float angle) {
  const SinCos h = sincos(0.5f * angle);
  return {axis.x * h.sin, axis.y * h.sin, axis.z * h.sin, h.cos};
}

// The sign of b for which a and b lie on the same half sphere.
constexpr Quat align(Quat a, Quat b) { return dot(a, b) < 0.0f ? -b : b; }

// Normalized linear blend along the shorter way: the blend of every run-time path.
inline Quat nlerp(Quat a, Quat b, float t) {
  const Quat c = align(a, b);
  return normalize(a * (1.0f - t) + c * t);
}

// Constant angular rate along the shorter way: what authored keys mean.
Quat slerp(Quat a, Quat b, float t);

// The shortest rotation that turns the unit vector `from` into the unit vector `to`. Opposite
// vectors turn by pi about a vector at right angles to `from`.
Quat rotation_between(Vec3 from, Vec3 to);

// axis * angle of q, angle in [0, pi]: the logarithm, times 2. Source: Grassia 1998.
Vec3 to_rotation_vector(Quat q);
Quat from_rotation_vector(Vec3 v);

// The part of q that turns about the unit vector `axis` (twist), and the rest: q = swing * twist.
// A half turn of swing leaves the twist undefined: identity then.
struct SwingTwist {
  Quat swing;
  Quat twist;
};
SwingTwist swing_twist(Quat q, Vec3 axis);

// Angle of the rotation, in [0, pi].
float angle_of(Quat q);
// Smallest angle between two rotations, in [0, pi].
inline float angle_between(Quat a, Quat b) { return angle_of(conjugate(a) * b); }

// The rotation whose Z axis is `forward` and whose Y axis is as near to `up` as it can be. Both
// need no unit length; where they are parallel or zero, the nearest sensible choice is taken.
Quat look_rotation(Vec3 forward, Vec3 up);

// Turn about +Y by `yaw` radians: 0 looks along +Z, positive turns toward +X.
inline Quat from_yaw(float yaw) { return from_axis_angle(kAxisY, yaw); }
// Heading of q: the yaw of the nearest rotation about +Y, in (-pi, pi].
float yaw_of(Quat q);

// Rotation about X, then Y, then Z of the fixed frame (order "XYZ" of intrinsic axes reversed):
// q = qz * qy * qx, radians.
Quat from_euler_xyz(Vec3 radians);

}  // namespace sinew
