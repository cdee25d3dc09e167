// Double-precision rotations and affine maps, for the encoder.
#pragma once

#include <cmath>

#include <sinew/math/transform.hpp>

namespace sinew::codec {

struct Vec3d {
  double x = 0, y = 0, z = 0;
};
inline Vec3d to_double(Vec3 v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}
inline Vec3d operator+(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3d operator*(Vec3d a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3d cross(Vec3d a, Vec3d b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Vec3d a) { return std::sqrt(dot(a, a)); }

struct Quatd {
  double x = 0, y = 0, z = 0, w = 1;
};
inline Quatd to_double(Quat q) {
  return {static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z),
          static_cast<double>(q.w)};
}
inline Quatd conjugate(Quatd q) { return {-q.x, -q.y, -q.z, q.w}; }
inline Quatd operator*(Quatd a, Quatd b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
inline double dot(Quatd a, Quatd b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
inline Quatd normalize(Quatd q) {
  const double l2 = dot(q, q);
  if (!(l2 > 1e-24)) return {};
  const double s = 1.0 / std::sqrt(l2);
  return {q.x * s, q.y * s, q.z * s, q.w * s};
}
inline Vec3d rotate(Quatd q, Vec3d v) {
  const Vec3d u{q.x, q.y, q.z};
  const Vec3d t = cross(u, v) * 2.0;
  return v + t * q.w + cross(u, t);
}

// Columns and translation.
struct Affine {
  Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, t;
};
inline Vec3d linear(const Affine& m, Vec3d v) { return m.x * v.x + m.y * v.y + m.z * v.z; }
inline Affine make_affine(Vec3d t, Quatd q, Vec3d s) {
  return {rotate(q, {1, 0, 0}) * s.x, rotate(q, {0, 1, 0}) * s.y, rotate(q, {0, 0, 1}) * s.z, t};
}
inline Affine operator*(const Affine& a, const Affine& b) {
  return {linear(a, b.x), linear(a, b.y), linear(a, b.z), a.t + linear(a, b.t)};
}
// Solves m v = w for the linear part; a singular one gives w.
inline Vec3d solve(const Affine& m, Vec3d w) {
  const double det = dot(m.x, cross(m.y, m.z));
  if (det == 0.0) return w;
  return Vec3d{dot(w, cross(m.y, m.z)), dot(m.x, cross(w, m.z)), dot(m.x, cross(m.y, w))} *
         (1.0 / det);
}

}  // namespace sinew::codec
