// The rotation arithmetic that the constraints share (rigging rules, section 0).
#pragma once

#include <sinew/math/transform.hpp>

namespace sinew::rig {

// Normalized linear blend along the shorter way, t clamped to [0, 1]. b needs no unit length.
inline Quat qlerp(Quat a, Quat b, float t) { return nlerp(a, b, clamp01(t)); }

// The shortest rotation from one direction to another; neither needs unit length. A direction
// without length gives the identity.
inline Quat from_to(Vec3 from, Vec3 to) {
  const Vec3 none{0, 0, 0};
  const Vec3 f = normalize_or(from, none), t = normalize_or(to, none);
  if (f == none || t == none) return {};
  return rotation_between(f, t);
}

// Weighted sum of rotations: each is added with the sign that fits the sum so far.
struct RotationSum {
  Quat sum{0, 0, 0, 0};

  void add(Quat q, float weight) { sum = sum + q * (dot(sum, q) < 0.0f ? -weight : weight); }
  // The identity where the sum has no direction (squared length at most 1e-10).
  Quat normalized() const { return dot(sum, sum) > 1e-10f ? normalize(sum) : Quat{}; }
};

// The rigid part of a transform: scale 1.
inline Transform rigid(const Transform& t) { return {t.translation, t.rotation, {1, 1, 1}}; }
// b seen from a, both rigid: a^-1 * b.
inline Transform relative(const Transform& a, const Transform& b) {
  const Quat inv = conjugate(a.rotation);
  return {rotate(inv, b.translation - a.translation), inv * b.rotation, {1, 1, 1}};
}
// a * b without scale.
inline Transform compose(const Transform& a, const Transform& b) {
  return {a.translation + rotate(a.rotation, b.translation), a.rotation * b.rotation, {1, 1, 1}};
}

// Angles about X, Y, Z (radians) of the order Z, then X, then Y: q = qy * qx * qz.
Vec3 to_euler_zxy(Quat q);
Quat from_euler_zxy(Vec3 radians);

// v without its part along the unit vector n.
constexpr Vec3 reject(Vec3 v, Vec3 n) { return v - n * dot(v, n); }

// Angle of b from a about the unit vector n (both at right angles to n), in (-pi, pi].
inline float signed_angle(Vec3 a, Vec3 b, Vec3 n) { return atan2(dot(n, cross(a, b)), dot(a, b)); }
// Unsigned angle between two vectors of any length, in [0, pi]; 0 where one has no length. By
// atan2: an arc cosine loses half the digits near 0 and pi.
inline float angle_between(Vec3 a, Vec3 b) { return atan2(length(cross(a, b)), dot(a, b)); }

// The axis of X, Y, Z that is least aligned with the unit vector v, made perpendicular to it.
inline Vec3 least_aligned_axis(Vec3 v) {
  const Vec3 axis = abs(v.x) <= abs(v.y) && abs(v.x) <= abs(v.z) ? kAxisX
                    : abs(v.y) <= abs(v.z)                       ? kAxisY
                                                                 : kAxisZ;
  return normalize_or(reject(axis, v), kAxisX);
}

}  // namespace sinew::rig
