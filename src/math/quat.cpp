#include <sinew/math/quat.hpp>
#include <sinew/math/smooth.hpp>
#include <sinew/math/transform.hpp>

namespace sinew {

Quat slerp(Quat a, Quat b, float t) {
  Quat c = b;
  float d = dot(a, b);
  if (d < 0.0f) {
    c = -b;
    d = -d;
  }
  if (d > 0.9995f) return normalize(a * (1.0f - t) + c * t);
  // atan2 keeps its digits for small angles, acos would not.
  const Quat difference = c + a * -d;  // length sin(angle)
  const float s = sqrt(max(dot(difference, difference), 0.0f));
  const float angle = atan2(s, d);
  return normalize(a * (sin((1.0f - t) * angle) / s) + c * (sin(t * angle) / s));
}

Quat rotation_between(Vec3 from, Vec3 to) {
  const float d = dot(from, to);
  const Vec3 c = cross(from, to);
  if (d < 0.0f) {
    // Near opposite 1 + d loses its digits: the half vector by the sum does not exist, so the angle
    // is built from the cross product, and where that vanishes from any axis at right angles.
    const float s = length(c);
    if (s < 1e-6f) {
      const Vec3 axis = any_perpendicular(from);
      return {axis.x, axis.y, axis.z, 0.0f};
    }
    // Rounding tilts a short cross product out of the plane across `from`; a tilted axis would miss
    // `to` by as much, one that only turns in that plane hardly at all.
    const Vec3 unit = c / s;
    const Vec3 axis = normalize_or(unit - from * dot(unit, from), unit);
    return from_axis_angle(axis, atan2(s, d));
  }
  return normalize(Quat{c.x, c.y, c.z, 1.0f + d});
}

Vec3 to_rotation_vector(Quat q) {
  const Quat p = q.w < 0.0f ? -q : q;
  const Vec3 v{p.x, p.y, p.z};
  const float s = length(v);
  if (s < 1e-7f) return v * 2.0f;
  return v * (2.0f * atan2(s, p.w) / s);
}

Quat from_rotation_vector(Vec3 v) {
  const float angle = length(v);
  if (angle < 1e-7f) return normalize(Quat{0.5f * v.x, 0.5f * v.y, 0.5f * v.z, 1.0f});
  return from_axis_angle(v / angle, angle);
}

SwingTwist swing_twist(Quat q, Vec3 axis) {
  const float p = dot(Vec3{q.x, q.y, q.z}, axis);
  const Quat raw{axis.x * p, axis.y * p, axis.z * p, q.w};
  const Quat twist = normalize(raw);
  return {q * conjugate(twist), twist};
}

float angle_of(Quat q) { return 2.0f * atan2(length(Vec3{q.x, q.y, q.z}), abs(q.w)); }

Quat look_rotation(Vec3 forward, Vec3 up) {
  const Vec3 z = normalize_or(forward, kAxisZ);
  Vec3 x = cross(up, z);
  if (length_squared(x) < 1e-12f * max(length_squared(up), 1e-30f)) x = any_perpendicular(z);
  x = normalize_or(x, any_perpendicular(z));
  const Vec3 y = cross(z, x);
  Mat3x4 m;
  m.row[0] = {x.x, y.x, z.x, 0};
  m.row[1] = {x.y, y.y, z.y, 0};
  m.row[2] = {x.z, y.z, z.z, 0};
  return decompose(m).rotation;
}

float yaw_of(Quat q) {
  // The twist about +Y.
  if (q.y == 0.0f && q.w == 0.0f) return 0.0f;
  return wrap_angle(2.0f * atan2(q.y, q.w));
}

Quat from_euler_xyz(Vec3 radians) {
  return from_axis_angle(kAxisZ, radians.z) * from_axis_angle(kAxisY, radians.y) *
         from_axis_angle(kAxisX, radians.x);
}

}  // namespace sinew
