#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <sinew/math/scalar.hpp>
#include <sinew/math/trig.hpp>

namespace sinew {
namespace {

constexpr double kPi64 = 3.14159265358979323846;
constexpr double kHalfPi64 = 1.57079632679489661923;
// pi/2 in three parts whose leading ones have trailing zero bits, so that k * part is exact.
constexpr double kHalfPiHigh = 1.57079632673412561417e+00;
constexpr double kHalfPiMiddle = 6.07710050630396597660e-11;
constexpr double kHalfPiLow = 2.02226624879595063154e-21;

// Nearest integer, ties away from zero; |x| < 2^52.
double round_nearest(double x) {
  return static_cast<double>(static_cast<std::int64_t>(x < 0 ? x - 0.5 : x + 0.5));
}

// |x| <= pi/4. Taylor up to x^15 and x^16: the first term left out is below 1e-17.
double sin_kernel(double x) {
  const double z = x * x;
  double p = -1.0 / 1307674368000.0;
  p = p * z + 1.0 / 6227020800.0;
  p = p * z - 1.0 / 39916800.0;
  p = p * z + 1.0 / 362880.0;
  p = p * z - 1.0 / 5040.0;
  p = p * z + 1.0 / 120.0;
  p = p * z - 1.0 / 6.0;
  return x + x * z * p;
}

double cos_kernel(double x) {
  const double z = x * x;
  double p = 1.0 / 20922789888000.0;
  p = p * z - 1.0 / 87178291200.0;
  p = p * z + 1.0 / 479001600.0;
  p = p * z - 1.0 / 3628800.0;
  p = p * z + 1.0 / 40320.0;
  p = p * z - 1.0 / 720.0;
  p = p * z + 1.0 / 24.0;
  p = p * z - 0.5;
  return 1.0 + z * p;
}

struct SinCos64 {
  double sin, cos;
};

SinCos64 sincos64(double x) {
  // Beyond 2^40 a float's steps are far above pi, so that any answer is as good as another.
  if (x > 1.0e12 || x < -1.0e12) return {0.0, 1.0};
  const double k = round_nearest(x / kHalfPi64);
  const double r = ((x - k * kHalfPiHigh) - k * kHalfPiMiddle) - k * kHalfPiLow;
  const double s = sin_kernel(r), c = cos_kernel(r);
  switch (static_cast<std::uint64_t>(static_cast<std::int64_t>(k)) & 3u) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

// Arc tangent of t in [0, 1]: reduced by steps of 1/8 through the addition theorem, then Taylor on
// |u| <= 1/16 (the first term left out is below 1e-19).
double atan_unit(double t) {
  // atan(i / 8)
  static constexpr double kTable[9] = {0.0,
                                       0.12435499454676143503,
                                       0.24497866312686415417,
                                       0.35877067027057222040,
                                       0.46364760900080611621,
                                       0.55859931534356243598,
                                       0.64350110879328438680,
                                       0.71882999962162450542,
                                       0.78539816339744830962};
  const int i = static_cast<int>(t * 8.0 + 0.5);
  const double a = static_cast<double>(i) * 0.125;
  const double u = (t - a) / (1.0 + t * a);
  const double z = u * u;
  double p = 1.0 / 13.0;
  p = p * z - 1.0 / 11.0;
  p = p * z + 1.0 / 9.0;
  p = p * z - 1.0 / 7.0;
  p = p * z + 1.0 / 5.0;
  p = p * z - 1.0 / 3.0;
  return kTable[i] + (u + u * z * p);
}

double atan2_64(double y, double x) {
  if (x == 0.0 && y == 0.0) return 0.0;
  const double ax = x < 0 ? -x : x;
  const double ay = y < 0 ? -y : y;
  double angle = 0.0;
  if (ay <= ax) {
    angle = atan_unit(ay / ax);
  } else {
    angle = kHalfPi64 - atan_unit(ax / ay);
  }
  if (x < 0) angle = kPi64 - angle;
  return y < 0 ? -angle : angle;
}

double scale_by_power_of_two(double x, int exponent) {
  // Two steps, so that subnormal results round once and nothing overflows on the way.
  const auto power = [](int e) {
    const std::uint64_t bits = static_cast<std::uint64_t>(e + 1023) << 52;
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  };
  const int half = exponent / 2;
  return x * power(half) * power(exponent - half);
}

double log64(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  bits = (bits & 0x000fffffffffffffull) | 0x3ff0000000000000ull;
  double m = 0;
  std::memcpy(&m, &bits, sizeof m);  // [1, 2)
  if (m > 1.41421356237309504880) {
    m *= 0.5;
    ++exponent;
  }
  // log(m) = 2 atanh(u), |u| <= 0.1716.
  const double u = (m - 1.0) / (m + 1.0);
  const double z = u * u;
  double p = 1.0 / 21.0;
  p = p * z + 1.0 / 19.0;
  p = p * z + 1.0 / 17.0;
  p = p * z + 1.0 / 15.0;
  p = p * z + 1.0 / 13.0;
  p = p * z + 1.0 / 11.0;
  p = p * z + 1.0 / 9.0;
  p = p * z + 1.0 / 7.0;
  p = p * z + 1.0 / 5.0;
  p = p * z + 1.0 / 3.0;
  const double log_m = 2.0 * u + 2.0 * u * z * p;
  return static_cast<double>(exponent) * 0.69314718055994530942 + log_m;
}

bool finite64(double x) { return is_finite(x); }

}  // namespace

SinCos sincos(float x) {
  if (!is_finite(x)) return {0.0f, 1.0f};
  const SinCos64 r = sincos64(static_cast<double>(x));
  return {static_cast<float>(r.sin), static_cast<float>(r.cos)};
}

SinCosDouble sincos(double x) {
  if (!is_finite(x)) return {0.0, 1.0};
  const SinCos64 r = sincos64(x);
  return {r.sin, r.cos};
}

float sin(float x) { return sincos(x).sin; }
float cos(float x) { return sincos(x).cos; }

float tan(float x) {
  if (!is_finite(x)) return 0.0f;
  const SinCos64 r = sincos64(static_cast<double>(x));
  return static_cast<float>(r.sin / r.cos);
}

float atan(float x) { return atan2(x, 1.0f); }

float atan2(float y, float x) {
  if (y != y || x != x) return 0.0f;
  // Infinities: the directions that they stand for.
  const float largest = FLT_MAX;
  const bool x_infinite = !is_finite(x), y_infinite = !is_finite(y);
  if (x_infinite || y_infinite) {
    x = x_infinite ? (x > 0 ? 1.0f : -1.0f) : (y_infinite ? 0.0f : x / largest);
    y = y_infinite ? (y > 0 ? 1.0f : -1.0f) : 0.0f;
  }
  return static_cast<float>(atan2_64(static_cast<double>(y), static_cast<double>(x)));
}

float asin(float x) {
  if (x != x) return 0.0f;
  const double c = static_cast<double>(clamp(x, -1.0f, 1.0f));
  return static_cast<float>(atan2_64(c, std::sqrt((1.0 - c) * (1.0 + c))));
}

float acos(float x) {
  if (x != x) return kHalfPi;
  const double c = static_cast<double>(clamp(x, -1.0f, 1.0f));
  return static_cast<float>(atan2_64(std::sqrt((1.0 - c) * (1.0 + c)), c));
}

double exp(double x) {
  if (x != x) return 0.0;
  if (x > 709.0) return DBL_MAX;
  if (x < -745.0) return 0.0;
  // x = k ln 2 + r, |r| <= ln2 / 2; Taylor up to r^13 (the first term left out is below 5e-18).
  const double k = round_nearest(x * 1.44269504088896340736);
  const double r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  return scale_by_power_of_two(p, static_cast<int>(k));
}

float exp(float x) {
  if (x != x) return 0.0f;
  if (x > 88.7f) {
    const double e = exp(static_cast<double>(x < 100.0f ? x : 100.0f));
    return e > static_cast<double>(FLT_MAX) ? FLT_MAX : static_cast<float>(e);
  }
  return static_cast<float>(exp(static_cast<double>(x)));
}

float log(float x) {
  if (!(x > 0.0f)) return -FLT_MAX;
  if (!is_finite(x)) return FLT_MAX;
  return static_cast<float>(log64(static_cast<double>(x)));
}

float pow(float base, float exponent) {
  if (exponent == 0.0f) return 1.0f;
  if (!(base > 0.0f)) return 0.0f;
  if (!is_finite(base) || exponent != exponent) return 0.0f;
  const double e = exp(static_cast<double>(exponent) * log64(static_cast<double>(base)));
  if (!finite64(e) || e > static_cast<double>(FLT_MAX)) return FLT_MAX;
  return static_cast<float>(e);
}

}  // namespace sinew
