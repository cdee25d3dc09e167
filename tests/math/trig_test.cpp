// The references are the C library's functions in 80-bit (or wider) numbers: accurate far beyond
// float, and used here only to compare.
#include <cfloat>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include <sinew/base/hash.hpp>
#include <sinew/math/scalar.hpp>
#include <sinew/math/trig.hpp>

#include "generators.hpp"

namespace sinew {
namespace {

using testing::Random;

// Distance in units of the last place of the wanted value (subnormal steps below the smallest
// normal number).
double ulps(float got, long double want) {
  if (std::fabs(want) >= static_cast<long double>(FLT_MAX)) {
    return got == std::copysign(FLT_MAX, static_cast<float>(want)) ? 0 : 1e9;
  }
  int exponent = 0;
  std::frexp(want, &exponent);
  const int last = std::max(exponent - 24, -149);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - want) *
                             std::ldexp(1.0L, -last));
}

void expect_within_one_ulp(const char* name, const std::function<float(float)>& got,
                           const std::function<long double(long double)>& want, float low,
                           float high) {
  Random random(17);
  double worst = 0;
  float worst_at = 0;
  for (int i = 0; i < 200000; ++i) {
    const float x = random.real(low, high);
    const double error = ulps(got(x), want(static_cast<long double>(x)));
    if (!(error <= worst)) {
      worst = error;
      worst_at = x;
    }
  }
  EXPECT_LE(worst, 1.0) << name << " at " << worst_at;
}

TEST(Trig, SineCosineTangent) {
  for (float range : {1e-3f, 1.0f, 10.0f, 1000.0f, 1e6f}) {
    expect_within_one_ulp(
        "sin", [](float x) { return sinew::sin(x); }, [](long double x) { return std::sin(x); },
        -range, range);
    expect_within_one_ulp(
        "cos", [](float x) { return sinew::cos(x); }, [](long double x) { return std::cos(x); },
        -range, range);
  }
  expect_within_one_ulp(
      "tan", [](float x) { return sinew::tan(x); }, [](long double x) { return std::tan(x); }, -100,
      100);
}

TEST(Trig, Inverse) {
  for (float range : {1e-3f, 0.5f, 1.0f}) {
    expect_within_one_ulp(
        "asin", [](float x) { return sinew::asin(x); }, [](long double x) { return std::asin(x); },
        -range, range);
    expect_within_one_ulp(
        "acos", [](float x) { return sinew::acos(x); }, [](long double x) { return std::acos(x); },
        -range, range);
  }
  expect_within_one_ulp(
      "acos near 1", [](float x) { return sinew::acos(x); },
      [](long double x) { return std::acos(x); }, 0.9999f, 1.0f);
  for (float range : {1e-3f, 1.0f, 100.0f, 1e8f}) {
    expect_within_one_ulp(
        "atan", [](float x) { return sinew::atan(x); }, [](long double x) { return std::atan(x); },
        -range, range);
  }
}

TEST(Trig, Atan2) {
  Random random(3);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const float x = random.real(-2, 2), y = random.real(-2, 2) * (i % 2 ? 1.0f : 1e-6f);
    worst = std::max(worst, ulps(sinew::atan2(y, x), std::atan2(static_cast<long double>(y),
                                                                static_cast<long double>(x))));
  }
  EXPECT_LE(worst, 1.0);
}

TEST(Trig, ExponentialAndLogarithm) {
  for (float range : {1e-3f, 1.0f, 87.0f}) {
    expect_within_one_ulp(
        "exp", [](float x) { return sinew::exp(x); }, [](long double x) { return std::exp(x); },
        -range, range);
  }
  expect_within_one_ulp(
      "exp, subnormal", [](float x) { return sinew::exp(x); },
      [](long double x) { return std::exp(x); }, -110, -87);
  expect_within_one_ulp(
      "log", [](float x) { return sinew::log(x); }, [](long double x) { return std::log(x); },
      1e-30f, 2.0f);
  expect_within_one_ulp(
      "log", [](float x) { return sinew::log(x); }, [](long double x) { return std::log(x); }, 1.0f,
      1e30f);
  expect_within_one_ulp(
      "log near 1", [](float x) { return sinew::log(x); },
      [](long double x) { return std::log(x); }, 0.999f, 1.001f);
}

TEST(Trig, ExponentialInDouble) {
  Random random(5);
  for (int i = 0; i < 100000; ++i) {
    const double x = static_cast<double>(random.real(-700, 700));
    const long double want = std::exp(static_cast<long double>(x));
    EXPECT_LE(std::fabs((static_cast<long double>(sinew::exp(x)) - want) / want), 4e-16L) << x;
  }
}

TEST(Trig, Power) {
  Random random(9);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const float base = random.real(1e-3f, 50), exponent = random.real(-12, 12);
    worst = std::max(
        worst, ulps(sinew::pow(base, exponent),
                    std::pow(static_cast<long double>(base), static_cast<long double>(exponent))));
  }
  EXPECT_LE(worst, 1.0);
  EXPECT_EQ(sinew::pow(0.0f, 0.0f), 1.0f);
  EXPECT_EQ(sinew::pow(0.0f, 2.0f), 0.0f);
  EXPECT_EQ(sinew::pow(2.0f, 10.0f), 1024.0f);
}

TEST(Trig, PlacesThatMustBeExact) {
  EXPECT_EQ(sinew::sin(0.0f), 0.0f);
  EXPECT_EQ(sinew::cos(0.0f), 1.0f);
  EXPECT_EQ(sinew::exp(0.0f), 1.0f);
  EXPECT_EQ(sinew::log(1.0f), 0.0f);
  EXPECT_EQ(sinew::asin(1.0f), kHalfPi);
  EXPECT_EQ(sinew::acos(1.0f), 0.0f);
  EXPECT_EQ(sinew::acos(-1.0f), kPi);
  EXPECT_EQ(sinew::atan2(0.0f, -1.0f), kPi);
  EXPECT_EQ(sinew::atan2(1.0f, 0.0f), kHalfPi);
  EXPECT_EQ(sinew::atan2(0.0f, 0.0f), 0.0f);
}

TEST(Trig, InputsWithoutAnAnswerGiveNumbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const auto all = [](float x) {
    for (float value : {sinew::sin(x), sinew::cos(x), sinew::tan(x), sinew::asin(x), sinew::acos(x),
                        sinew::atan(x), sinew::exp(x), sinew::log(x)}) {
      EXPECT_TRUE(is_finite(value)) << "at " << x;
    }
    EXPECT_TRUE(is_finite(sinew::exp(static_cast<double>(x))));
    for (float y : {x, 0.0f, 1.0f, -2.0f}) {
      EXPECT_TRUE(is_finite(sinew::atan2(x, y))) << x << ", " << y;
      EXPECT_TRUE(is_finite(sinew::atan2(y, x))) << y << ", " << x;
      EXPECT_TRUE(is_finite(sinew::pow(x, y))) << x << ", " << y;
      EXPECT_TRUE(is_finite(sinew::pow(y, x))) << y << ", " << x;
    }
  };
  for (float x : {nan, inf, -inf, FLT_MAX, -FLT_MAX, FLT_MIN, 1e-45f, -1.0f, 2.0f, 1e13f}) all(x);
  EXPECT_EQ(sinew::asin(2.0f), kHalfPi);
  EXPECT_EQ(sinew::acos(-3.0f), kPi);
  EXPECT_EQ(sinew::acos(nan), kHalfPi);
  EXPECT_EQ(sinew::exp(1000.0f), FLT_MAX);
  EXPECT_EQ(sinew::exp(-1000.0f), 0.0f);
  EXPECT_FLOAT_EQ(sinew::atan2(inf, inf), 0.25f * kPi);
  EXPECT_FLOAT_EQ(sinew::atan2(1.0f, -inf), kPi);
}

// The same bits from every compiler and at every level of optimization.
TEST(Trig, GoldenHash) {
  Random random(1);
  Hasher hash;
  for (int i = 0; i < 100000; ++i) {
    const float x = random.real(-50, 50), u = random.real(-1, 1), p = random.real(1e-6f, 20);
    const SinCos sc = sincos(x);
    for (float value :
         {sc.sin, sc.cos, sinew::tan(u), sinew::asin(u), sinew::acos(u), sinew::atan(x),
          sinew::atan2(x, u), sinew::exp(x), sinew::log(p), sinew::pow(p, u)}) {
      hash.f32(value);
    }
  }
  EXPECT_EQ(hash.value(), 0x00935d473f30c548ull);
}

}  // namespace
}  // namespace sinew
