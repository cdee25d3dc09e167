#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sinew/math/inertialize.hpp>
#include <sinew/math/smooth.hpp>

#include "generators.hpp"

namespace sinew {
namespace {

using testing::any_rotation;
using testing::real;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

RC_GTEST_PROP(Smooth, TwoHalfStepsAreOneStep, ()) {
  const float x = *real(-10, 10), goal = *real(-10, 10), half_life = *real(0.01f, 2);
  const float dt = *real(0, 1);
  const float once = smooth(x, goal, half_life, dt);
  const float twice = smooth(smooth(x, goal, half_life, dt / 2), goal, half_life, dt / 2);
  RC_ASSERT(abs(once - twice) < 1e-5f);
}

RC_GTEST_PROP(Smooth, SpringTwoHalfStepsAreOneStep, ()) {
  const Spring s{*real(-10, 10), *real(-10, 10)};
  const float goal = *real(-10, 10), half_life = *real(0.05f, 2), dt = *real(0, 1);
  const Spring once = spring(s, goal, half_life, dt);
  const Spring twice = spring(spring(s, goal, half_life, dt / 2), goal, half_life, dt / 2);
  RC_ASSERT(abs(once.x - twice.x) < 1e-4f);
  RC_ASSERT(abs(once.v - twice.v) < 1e-5f * (10 + 20 / half_life) * 2);
}

TEST(Smooth, HalfLifeHalves) {
  EXPECT_FLOAT_EQ(smooth(8.0f, 0.0f, 0.25f, 0.25f), 4.0f);
  EXPECT_FLOAT_EQ(smooth(8.0f, 0.0f, 0.25f, 0.75f), 1.0f);
  EXPECT_EQ(smooth(8.0f, 3.0f, 0.0f, 0.01f), 3.0f);
}

RC_GTEST_PROP(Smooth, RotationTwoHalfStepsAreOneStep, ()) {
  const Quat x = *any_rotation(), goal = *any_rotation();
  RC_PRE(abs(dot(x, goal)) > 0.05f);  // nearly opposite rotations have no shorter way
  const float half_life = *real(0.05f, 1), dt = *real(0, 1);
  const Quat once = smooth(x, goal, half_life, dt);
  const Quat twice = smooth(smooth(x, goal, half_life, dt / 2), goal, half_life, dt / 2);
  RC_ASSERT(testing::difference(once, twice) < 1e-4f);
}

RC_GTEST_PROP(Smooth, AnglesTakeTheShorterWay, ()) {
  const float x = *real(-20, 20), goal = *real(-20, 20);
  const float half = smooth_angle(x, goal, 1.0f, 1.0f);
  RC_ASSERT(half <= kPi && half > -kPi);
  const float before = abs(wrap_angle(x - goal)), after = abs(wrap_angle(half - goal));
  RC_PRE(before < 3.1f);
  RC_ASSERT(abs(after - before / 2) < 1e-5f);
}

TEST(Smooth, WrapAngle) {
  EXPECT_EQ(wrap_angle(0.0f), 0.0f);
  EXPECT_EQ(wrap_angle(kPi), kPi);
  EXPECT_NEAR(wrap_angle(-kPi), kPi, 1e-6f);
  EXPECT_EQ(wrap_angle(-3.0f), -3.0f);
  EXPECT_NEAR(wrap_angle(3 * kPi + 0.5f), -kPi + 0.5f, 1e-6f);
  EXPECT_EQ(wrap_angle(kNan), 0.0f);
  EXPECT_EQ(wrap_angle(kInfinity), 0.0f);
  EXPECT_EQ(wrap_angle(1e30f), 0.0f);
}

TEST(Smooth, StepsWithoutAMeasureArrive) {
  // Not finite times, and half-lives so short that their rate overflows.
  for (float dt : {kInfinity, kNan, 1e30f}) {
    const Spring s = spring({1, 1e6f}, 2, 0.5f, dt);
    EXPECT_EQ(s.x, 2.0f);
    EXPECT_EQ(s.v, 0.0f);
    const SpringVec3 v = spring(SpringVec3{{1, 2, 3}, {1e6f, 0, 0}}, {4, 5, 6}, 0.5f, dt);
    EXPECT_EQ(v.x, (Vec3{4, 5, 6}));
    EXPECT_EQ(v.v, Vec3{});
    EXPECT_EQ(smooth(1.0f, 2.0f, 0.5f, dt), 2.0f);
  }
  const Spring s = spring({1, 5}, 2, 1e-45f, 0.1f);
  EXPECT_EQ(s.x, 2.0f);
  EXPECT_EQ(s.v, 0.0f);
  EXPECT_EQ(spring({1, 5}, 2, -1.0f, 0.1f).x, 2.0f);
}

TEST(Smooth, StepIsClampedAndSymmetric) {
  EXPECT_EQ(smoothstep(-1.0f), 0.0f);
  EXPECT_EQ(smoothstep(2.0f), 1.0f);
  EXPECT_EQ(smoothstep(0.5f), 0.5f);
  EXPECT_EQ(smoothstep(kNan), 0.0f);
}

RC_GTEST_PROP(Inertialize, StartsAtTheOffsetEndsAtZeroAndNeverOvershoots, ()) {
  const float x0 = *real(-3, 3), v0 = *real(-20, 20), t1 = *real(0.02f, 1);
  RC_PRE(abs(x0) > 1e-3f);
  const auto curve = InertializeCurve::make(x0, v0, t1);
  RC_ASSERT(abs(curve.value(0) - x0) <= 1e-6f * abs(x0));
  const bool away = (v0 > 0) == (x0 > 0);
  RC_ASSERT(abs(curve.velocity(0) - (away ? 0.0f : v0)) <= 1e-4f * max(1, abs(v0)));
  RC_ASSERT(curve.t1 <= t1);
  RC_ASSERT(curve.value(curve.t1) == 0.0f);
  RC_ASSERT(curve.value(t1) == 0.0f);
  float before = abs(x0);
  for (int i = 1; i <= 50; ++i) {
    const float x = curve.value(curve.t1 * static_cast<float>(i) / 50) * (x0 < 0 ? -1.0f : 1.0f);
    RC_ASSERT(x >= -1e-5f * abs(x0));
    RC_ASSERT(x <= before + 1e-5f * abs(x0));
    before = x;
  }
}

TEST(Inertialize, NothingToDo) {
  EXPECT_EQ(InertializeCurve::make(0, 5, 0.3f).value(0), 0.0f);
  EXPECT_EQ(InertializeCurve::make(1, 0, 0).value(0), 0.0f);
  EXPECT_EQ(InertializeCurve::make(kNan, 0, 1).value(0.1f), 0.0f);
  EXPECT_EQ(InertializeCurve::make(1, kInfinity, 1).value(0.1f), 0.0f);
  EXPECT_EQ(InertializeCurve::make(1, 0, kNan).value(0.1f), 0.0f);
  EXPECT_EQ(InertializeCurve::make(1, 0, 1).value(kNan), 0.0f);
  EXPECT_EQ(InertializeCurve::make(1, 0, 1).velocity(2), 0.0f);
}

TEST(Inertialize, OffsetSpringKeepsItsVelocity) {
  OffsetSpring spring{{1, 0, 0}, {2, 0, 0}};
  spring.step(0.2f, 1e-4f);
  EXPECT_NEAR(spring.offset.x, 1.0f + 2e-4f, 1e-6f);
  for (int i = 0; i < 600; ++i) spring.step(0.2f, 1 / 60.0f);
  EXPECT_LT(length(spring.offset), 1e-6f);
}

RC_GTEST_PROP(Inertialize, SoftReachIsMonotoneAndBelowReach, ()) {
  const float reach = *real(0.2f, 2), start = reach * *real(0.5f, 0.99f);
  float before = 0;
  for (int i = 0; i <= 60; ++i) {
    const float d = reach * static_cast<float>(i) / 20;
    const float soft = soft_distance(d, reach, start);
    RC_ASSERT(soft <= min(d, reach));
    RC_ASSERT(soft >= before);
    if (d <= start) RC_ASSERT(soft == d);
    before = soft;
  }
}

}  // namespace
}  // namespace sinew
