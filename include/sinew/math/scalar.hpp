// Scalars: constants and small functions that every module uses.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace sinew {

inline constexpr float kPi = 3.14159265358979323846f;
inline constexpr float kTwoPi = 6.28318530717958647693f;
inline constexpr float kHalfPi = 1.57079632679489661923f;
inline constexpr float kDegToRad = 0.01745329251994329577f;
inline constexpr float kRadToDeg = 57.2957795130823208768f;

constexpr float min(float a, float b) { return a < b ? a : b; }
constexpr float max(float a, float b) { return a > b ? a : b; }
constexpr float clamp(float x, float low, float high) {
  return x < low ? low : (x > high ? high : x);
}
// NaN gives 0.
constexpr float clamp01(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
constexpr float abs(float x) { return x < 0.0f ? -x : x; }
constexpr float lerp(float a, float b, float t) { return a + (b - a) * t; }
constexpr float square(float x) { return x * x; }

// Square root, correctly rounded (IEEE 754), hence the same on every machine. x >= 0.
inline float sqrt(float x) { return std::sqrt(x); }
inline double sqrt(double x) { return std::sqrt(x); }

// True for numbers, false for infinity and NaN. By bits, so that no compiler flag removes it.
inline bool is_finite(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return (bits & 0x7f800000u) != 0x7f800000u;
}
inline bool is_finite(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return (bits & 0x7ff0000000000000ull) != 0x7ff0000000000000ull;
}

}  // namespace sinew
