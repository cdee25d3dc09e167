#include <sinew/math/transform.hpp>

namespace sinew {
namespace {

Quat quat_from_axes(Vec3 x, Vec3 y, Vec3 z) {
  // Source: Shepperd 1978: the largest of the four squares first, so that no small number divides.
  const float trace = x.x + y.y + z.z;
  if (trace > 0.0f) {
    const float s = sqrt(trace + 1.0f) * 2.0f;
    return normalize(Quat{(y.z - z.y) / s, (z.x - x.z) / s, (x.y - y.x) / s, 0.25f * s});
  }
  if (x.x > y.y && x.x > z.z) {
    const float s = sqrt(max(1.0f + x.x - y.y - z.z, 1e-20f)) * 2.0f;
    return normalize(Quat{0.25f * s, (y.x + x.y) / s, (z.x + x.z) / s, (y.z - z.y) / s});
  }
  if (y.y > z.z) {
    const float s = sqrt(max(1.0f + y.y - x.x - z.z, 1e-20f)) * 2.0f;
    return normalize(Quat{(y.x + x.y) / s, 0.25f * s, (z.y + y.z) / s, (z.x - x.z) / s});
  }
  const float s = sqrt(max(1.0f + z.z - x.x - y.y, 1e-20f)) * 2.0f;
  return normalize(Quat{(z.x + x.z) / s, (z.y + y.z) / s, 0.25f * s, (x.y - y.x) / s});
}

}  // namespace

Transform inverse(const Transform& t) {
  const Vec3 s{t.scale.x == 0.0f ? 1.0f : 1.0f / t.scale.x,
               t.scale.y == 0.0f ? 1.0f : 1.0f / t.scale.y,
               t.scale.z == 0.0f ? 1.0f : 1.0f / t.scale.z};
  const Quat r = conjugate(t.rotation);
  return {-(s * rotate(r, t.translation)), r, s};
}

Mat3x4 to_matrix(const Transform& t) {
  const Quat q = t.rotation;
  const float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  const Vec3 s = t.scale;
  Mat3x4 m;
  m.row[0] = {(1 - 2 * (yy + zz)) * s.x, 2 * (xy - wz) * s.y, 2 * (xz + wy) * s.z, t.translation.x};
  m.row[1] = {2 * (xy + wz) * s.x, (1 - 2 * (xx + zz)) * s.y, 2 * (yz - wx) * s.z, t.translation.y};
  m.row[2] = {2 * (xz - wy) * s.x, 2 * (yz + wx) * s.y, (1 - 2 * (xx + yy)) * s.z, t.translation.z};
  return m;
}

float determinant(const Mat3x4& m) {
  return dot(axis_of(m, 0), cross(axis_of(m, 1), axis_of(m, 2)));
}

Mat3x4 inverse(const Mat3x4& m) {
  const Vec3 x = axis_of(m, 0), y = axis_of(m, 1), z = axis_of(m, 2);
  const float det = determinant(m);
  Mat3x4 out;
  if (det != 0.0f && is_finite(1.0f / det)) {
    const float inv = 1.0f / det;
    const Vec3 a = cross(y, z) * inv, b = cross(z, x) * inv, c = cross(x, y) * inv;
    out.row[0] = {a.x, a.y, a.z, 0};
    out.row[1] = {b.x, b.y, b.z, 0};
    out.row[2] = {c.x, c.y, c.z, 0};
  }
  const Vec3 t = transform_vector(out, translation_of(m));
  out.row[0].w = -t.x;
  out.row[1].w = -t.y;
  out.row[2].w = -t.z;
  return out;
}

Transform decompose(const Mat3x4& m) {
  Vec3 x = axis_of(m, 0), y = axis_of(m, 1), z = axis_of(m, 2);
  Vec3 scale{length(x), length(y), length(z)};
  if (determinant(m) < 0.0f) scale.x = -scale.x;
  const auto unit = [](Vec3 axis, float s, Vec3 fallback) {
    return abs(s) > 1e-20f ? axis / s : fallback;
  };
  x = unit(x, scale.x, kAxisX);
  y = unit(y, scale.y, kAxisY);
  z = unit(z, scale.z, kAxisZ);
  // A vanished axis is rebuilt from the other two.
  if (abs(scale.x) <= 1e-20f) x = normalize_or(cross(y, z), kAxisX);
  if (abs(scale.y) <= 1e-20f) y = normalize_or(cross(z, x), kAxisY);
  if (abs(scale.z) <= 1e-20f) z = normalize_or(cross(x, y), kAxisZ);
  // Gram-Schmidt against shear.
  y = normalize_or(y - x * dot(x, y), any_perpendicular(x));
  z = cross(x, y);
  return {translation_of(m), quat_from_axes(x, y, z), scale};
}

}  // namespace sinew
