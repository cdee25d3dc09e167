// Small vectors. Metres unless said; right-handed, +Y up, +Z forward, hence +X to the left.
#pragma once

#include <sinew/math/scalar.hpp>

namespace sinew {

struct Vec2 {
  float x = 0, y = 0;
  friend constexpr bool operator==(const Vec2&, const Vec2&) = default;
};
constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
constexpr Vec2 operator*(Vec2 a, float s) { return {a.x * s, a.y * s}; }
constexpr Vec2 operator*(float s, Vec2 a) { return a * s; }
constexpr float dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
// Positive where b lies counter-clockwise of a.
constexpr float cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
inline float length(Vec2 a) { return sqrt(dot(a, a)); }

struct Vec3 {
  float x = 0, y = 0, z = 0;
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
  constexpr float operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
  constexpr float& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
};

inline constexpr Vec3 kAxisX{1, 0, 0};
inline constexpr Vec3 kAxisY{0, 1, 0};
inline constexpr Vec3 kAxisZ{0, 0, 1};

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr Vec3 operator*(float s, Vec3 a) { return a * s; }
// Component by component.
constexpr Vec3 operator*(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
constexpr Vec3 operator/(Vec3 a, float s) { return {a.x / s, a.y / s, a.z / s}; }
constexpr Vec3& operator+=(Vec3& a, Vec3 b) { return a = a + b; }
constexpr Vec3& operator-=(Vec3& a, Vec3 b) { return a = a - b; }
constexpr Vec3& operator*=(Vec3& a, float s) { return a = a * s; }

constexpr float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr float length_squared(Vec3 a) { return dot(a, a); }
inline float length(Vec3 a) { return sqrt(dot(a, a)); }
inline float distance(Vec3 a, Vec3 b) { return length(a - b); }
constexpr Vec3 lerp(Vec3 a, Vec3 b, float t) { return a + (b - a) * t; }
// The unit vector along a, or `fallback` where |a| is below 1e-12 or not finite.
inline Vec3 normalize_or(Vec3 a, Vec3 fallback) {
  const float l = length(a);
  return l > 1e-12f && is_finite(l) ? a / l : fallback;
}
constexpr Vec3 min(Vec3 a, Vec3 b) { return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)}; }
constexpr Vec3 max(Vec3 a, Vec3 b) { return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)}; }
inline bool is_finite(Vec3 a) { return is_finite(a.x) && is_finite(a.y) && is_finite(a.z); }
// A unit vector at right angles to the unit vector a.
inline Vec3 any_perpendicular(Vec3 a) {
  const Vec3 axis = abs(a.x) <= abs(a.y) && abs(a.x) <= abs(a.z) ? kAxisX
                    : abs(a.y) <= abs(a.z)                       ? kAxisY
                                                                 : kAxisZ;
  return normalize_or(cross(a, axis), kAxisX);
}

struct Vec4 {
  float x = 0, y = 0, z = 0, w = 0;
  friend constexpr bool operator==(const Vec4&, const Vec4&) = default;
};
constexpr Vec4 operator+(Vec4 a, Vec4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
constexpr Vec4 operator*(Vec4 a, float s) { return {a.x * s, a.y * s, a.z * s, a.w * s}; }
constexpr float dot(Vec4 a, Vec4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

}  // namespace sinew
