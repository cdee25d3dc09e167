// Rotations and affine maps in double, for importers that compose many before they round.
#pragma once

#include <cmath>

#include <sinew/math/transform.hpp>
#include <sinew/math/trig.hpp>

namespace sinew {

struct Double3 {
  double x = 0, y = 0, z = 0;
  double operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
  double& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
  friend constexpr bool operator==(const Double3&, const Double3&) = default;
};
constexpr Double3 operator+(const Double3& a, const Double3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr Double3 operator-(const Double3& a, const Double3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
constexpr Double3 operator*(const Double3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr double dot(const Double3& a, const Double3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline double length_of(const Double3& v) { return std::sqrt(dot(v, v)); }
inline Vec3 to_float(const Double3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
inline Double3 to_double(const Vec3& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

struct Quat64 {
  double x = 0, y = 0, z = 0, w = 1;
};
constexpr Quat64 operator*(const Quat64& a, const Quat64& b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
constexpr Quat64 conjugate(const Quat64& q) { return {-q.x, -q.y, -q.z, q.w}; }
inline Quat to_float(const Quat64& q) {
  return normalize(Quat{static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                        static_cast<float>(q.w)});
}
inline Quat64 to_double(const Quat& q) {
  return {static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z),
          static_cast<double>(q.w)};
}

inline Double3 rotate(const Quat64& q, const Double3& v) {
  const Quat64 r = q * Quat64{v.x, v.y, v.z, 0} * conjugate(q);
  return {r.x, r.y, r.z};
}

// By `degrees` about axis 0, 1 or 2. Whole turns are removed exactly before rounding: a half angle
// has a period of two turns, and fmod is exact.
inline Quat64 axis_rotation(int axis, double degrees) {
  const double half = std::fmod(degrees, 720.0) * (3.14159265358979323846 / 360.0);
  const SinCosDouble h = sincos(half);
  return {axis == 0 ? h.sin : 0.0, axis == 1 ? h.sin : 0.0, axis == 2 ? h.sin : 0.0, h.cos};
}

// p -> m * p + column 3, in three rows of four.
struct Affine64 {
  double m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
};

struct Transform64 {
  Double3 translation;
  Quat64 rotation;
  Double3 scale{1, 1, 1};
};

Affine64 operator*(const Affine64& a, const Affine64& b);
Affine64 to_affine(const Transform64& t);
Double3 transform_point(const Affine64& a, const Double3& p);
double determinant(const Affine64& a);
// False if the linear part is singular.
bool invert(const Affine64& a, Affine64& out);
// Scale from the columns' lengths (x negative where the map mirrors), the rest as rotation; shear
// is dropped. A column of no length leaves the rotation identity.
Transform64 decompose(const Affine64& a);
bool is_finite(const Affine64& a);
Mat3x4 to_float(const Affine64& a);

}  // namespace sinew
