#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sinew/math/quat.hpp>

#include "generators.hpp"

namespace sinew {
namespace {

using testing::any_direction;
using testing::any_rotation;
using testing::any_vec3;
using testing::difference;
using testing::real;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float norm(Quat q) { return sqrt(dot(q, q)); }

RC_GTEST_PROP(Quat, ProductIsAssociative, ()) {
  const Quat a = *any_rotation(), b = *any_rotation(), c = *any_rotation();
  RC_ASSERT(difference((a * b) * c, a * (b * c)) < 1e-6f);
}

RC_GTEST_PROP(Quat, ConjugateIsTheInverse, ()) {
  const Quat q = *any_rotation();
  RC_ASSERT(difference(q * conjugate(q), Quat{}) < 1e-6f);
  const Vec3 v = *any_vec3(5);
  RC_ASSERT(difference(rotate(conjugate(q), rotate(q, v)), v) < 1e-5f);
}

RC_GTEST_PROP(Quat, ProductTurnsByBThenA, ()) {
  const Quat a = *any_rotation(), b = *any_rotation();
  const Vec3 v = *any_vec3(5);
  RC_ASSERT(difference(rotate(a * b, v), rotate(a, rotate(b, v))) < 1e-5f);
}

RC_GTEST_PROP(Quat, RotationKeepsLengthsAndAngles, ()) {
  const Quat q = *any_rotation();
  const Vec3 u = *any_vec3(5), v = *any_vec3(5);
  RC_ASSERT(abs(length(rotate(q, v)) - length(v)) < 1e-5f);
  RC_ASSERT(abs(dot(rotate(q, u), rotate(q, v)) - dot(u, v)) < 1e-4f);
  RC_ASSERT(difference(cross(rotate(q, u), rotate(q, v)), rotate(q, cross(u, v))) < 1e-4f);
}

RC_GTEST_PROP(Quat, BlendsMeetTheirEnds, ()) {
  const Quat a = *any_rotation(), b = *any_rotation();
  for (auto* blend : {&nlerp, &slerp}) {
    RC_ASSERT(difference(blend(a, b, 0), a) < 1e-6f);
    RC_ASSERT(difference(blend(a, b, 1), b) < 1e-6f);
    RC_ASSERT(abs(norm(blend(a, b, 0.3f)) - 1) < 1e-6f);
  }
}

RC_GTEST_PROP(Quat, SlerpTurnsAtAConstantRate, ()) {
  const Quat a = *any_rotation(), b = *any_rotation();
  const float angle = angle_between(a, b);
  RC_PRE(angle < 3.1f);
  const float t = *real(0, 1);
  RC_ASSERT(abs(angle_between(a, slerp(a, b, t)) - t * angle) < 2e-4f);
  RC_ASSERT(abs(angle_between(slerp(a, b, t), b) - (1 - t) * angle) < 2e-4f);
}

RC_GTEST_PROP(Quat, BlendsIgnoreTheSignOfAQuaternion, ()) {
  const Quat a = *any_rotation(), b = *any_rotation();
  const float t = *real(0, 1);
  RC_PRE(abs(dot(a, b)) > 1e-3f);
  RC_ASSERT(difference(slerp(a, b, t), slerp(a, -b, t)) < 1e-6f);
  RC_ASSERT(difference(nlerp(a, b, t), nlerp(a, -b, t)) < 1e-6f);
}

RC_GTEST_PROP(Quat, RotationBetweenMeetsItsTarget, ()) {
  const Vec3 from = *any_direction();
  // Near the same and near the opposite direction as well.
  const Vec3 to = normalize_or(from * *real(-1, 1) + *any_direction() * *real(0, 0.01f), kAxisX);
  const Quat q = rotation_between(from, to);
  RC_ASSERT(abs(norm(q) - 1) < 1e-5f);
  RC_ASSERT(difference(rotate(q, from), to) < 5e-6f);
}

TEST(Quat, RotationBetweenOpposites) {
  for (Vec3 v : {kAxisX, kAxisY, kAxisZ, Vec3{0.6f, 0, 0.8f}}) {
    const Quat q = rotation_between(v, -v);
    EXPECT_LT(difference(rotate(q, v), -v), 1e-6f);
    EXPECT_NEAR(angle_of(q), kPi, 1e-6f);
    EXPECT_EQ(rotation_between(v, v), Quat{});
  }
}

RC_GTEST_PROP(Quat, RotationVectorsRoundTrip, ()) {
  const Quat q = *any_rotation();
  const Vec3 v = to_rotation_vector(q);
  RC_ASSERT(length(v) <= kPi + 1e-5f);
  RC_ASSERT(difference(from_rotation_vector(v), q) < 2e-6f);
  const Vec3 small = *any_vec3(1e-4f);
  RC_ASSERT(difference(to_rotation_vector(from_rotation_vector(small)), small) < 1e-9f);
}

RC_GTEST_PROP(Quat, SwingAndTwistRecompose, ()) {
  const Quat q = *any_rotation();
  const Vec3 axis = *any_direction();
  const SwingTwist st = swing_twist(q, axis);
  RC_ASSERT(difference(st.swing * st.twist, q) < 2e-6f);
  const Vec3 t{st.twist.x, st.twist.y, st.twist.z};
  RC_ASSERT(length(cross(t, axis)) < 1e-5f);
  // The swing has no part about the axis.
  RC_ASSERT(abs(dot(Vec3{st.swing.x, st.swing.y, st.swing.z}, axis)) < 1e-4f);
}

TEST(Quat, TwistOfAHalfTurnOfSwingIsTheIdentity) {
  const SwingTwist st = swing_twist({1, 0, 0, 0}, kAxisY);
  EXPECT_EQ(st.twist, Quat{});
  EXPECT_LT(difference(st.swing, Quat{1, 0, 0, 0}), 1e-7f);
}

RC_GTEST_PROP(Quat, LookRotationFacesForward, ()) {
  const Vec3 forward = *any_direction(), up = *any_direction();
  const Quat q = look_rotation(forward * *real(0.1f, 10), up * *real(0.1f, 10));
  RC_ASSERT(difference(rotate(q, kAxisZ), forward) < 5e-5f);
  const float apart = length(cross(forward, up));
  RC_PRE(apart > 1e-2f);
  RC_ASSERT(dot(rotate(q, kAxisY), up) > 0);
  RC_ASSERT(abs(dot(rotate(q, kAxisX), up)) < 1e-4f);
}

TEST(Quat, LookRotationWithoutAUniqueAnswer) {
  for (Vec3 up : {Vec3{0, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -2}, Vec3{kNan, 0, 0}}) {
    const Quat q = look_rotation({0, 0, 3}, up);
    EXPECT_LT(difference(rotate(q, kAxisZ), kAxisZ), 1e-6f);
    EXPECT_NEAR(norm(q), 1.0f, 1e-6f);
  }
  EXPECT_LT(difference(look_rotation({}, kAxisY), Quat{}), 1e-6f);
  EXPECT_TRUE(is_finite(look_rotation({kNan, 0, 0}, kAxisY)));
}

RC_GTEST_PROP(Quat, YawRoundTrips, ()) {
  const float yaw = *real(-3.14f, 3.14f);
  RC_ASSERT(abs(yaw_of(from_yaw(yaw)) - yaw) < 2e-6f);
  RC_ASSERT(abs(yaw_of(-from_yaw(yaw)) - yaw) < 2e-6f);
  const Vec3 forward = rotate(from_yaw(yaw), kAxisZ);
  RC_ASSERT(abs(atan2(forward.x, forward.z) - yaw) < 2e-6f);
}

TEST(Quat, EulerTurnsAboutFixedAxesXThenYThenZ) {
  const Quat q = from_euler_xyz({0.5f * kPi, 0.5f * kPi, 0});
  EXPECT_LT(difference(rotate(q, kAxisY), kAxisX), 1e-6f);
  EXPECT_LT(difference(rotate(from_euler_xyz({0, 0, 0.5f * kPi}), kAxisX), kAxisY), 1e-6f);
}

TEST(Quat, NormalizeWithoutADirectionIsTheIdentity) {
  EXPECT_EQ(normalize(Quat{0, 0, 0, 0}), Quat{});
  EXPECT_EQ(normalize(Quat{kNan, 0, 0, 1}), Quat{});
  EXPECT_EQ(normalize(Quat{kInfinity, 0, 0, 1}), Quat{});
  EXPECT_EQ(normalize(Quat{1e30f, 0, 0, 1}), Quat{});
  EXPECT_NEAR(norm(normalize(Quat{1e-10f, 0, 0, 1e-10f})), 1.0f, 1e-6f);
  EXPECT_EQ(slerp({0, 0, 0, 0}, {0, 0, 0, 0}, 0.5f), Quat{});
  EXPECT_EQ(nlerp({kNan, 0, 0, 1}, Quat{}, 0.5f), Quat{});
}

TEST(Quat, DegenerateRotationsStayFinite) {
  EXPECT_TRUE(is_finite(rotation_between({}, {})));
  EXPECT_TRUE(is_finite(rotation_between({kNan, 0, 0}, kAxisX)));
  EXPECT_EQ(to_rotation_vector(Quat{}), Vec3{});
  EXPECT_EQ(yaw_of({1, 0, 0, 0}), 0.0f);
  EXPECT_EQ(normalize_or({kNan, 0, 0}, kAxisY), kAxisY);
  EXPECT_EQ(normalize_or({}, kAxisY), kAxisY);
}

RC_GTEST_PROP(Vec3, PerpendicularIsUnitAndAtRightAngles, ()) {
  const Vec3 a = *any_direction();
  const Vec3 p = any_perpendicular(a);
  RC_ASSERT(abs(length(p) - 1) < 1e-6f);
  RC_ASSERT(abs(dot(a, p)) < 1e-6f);
}

}  // namespace
}  // namespace sinew
