// Four lanes give what the scalar functions give, bit for bit.
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include <sinew/math/simd.hpp>

#include "generators.hpp"

namespace sinew {
namespace {

using testing::Random;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same_bits(Vec3 a, Vec3 b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same_bits(Quat a, Quat b) { return std::memcmp(&a, &b, sizeof a) == 0; }

Quat lane_of(const SoaQuat& q, int lane) { return {q.x[lane], q.y[lane], q.z[lane], q.w[lane]}; }
Vec3 lane_of(const SoaVec3& v, int lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }

SoaTransform random_group(Random& random, bool unit) {
  SoaTransform g;
  for (int lane = 0; lane < 4; ++lane) {
    Transform t = random.transform(3, true);
    if (!unit) t.rotation = t.rotation * random.real(0.1f, 4);
    set_lane(g, lane, t);
  }
  return g;
}

TEST(Simd, LanesComeAndGo) {
  Float4 a(1, 2, 3, 4);
  a.set(2, -7);
  const float wanted[] = {1, 2, -7, 4};
  float stored[4];
  a.store(stored);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(a[i], wanted[i]);
    EXPECT_EQ(stored[i], wanted[i]);
    EXPECT_EQ(Float4::load(wanted)[i], wanted[i]);
    EXPECT_EQ(Float4(5.0f)[i], 5.0f);
  }
  SoaTransform g = SoaTransform::identity();
  for (int lane = 0; lane < 4; ++lane) EXPECT_EQ(get_lane(g, lane), Transform{});
  const Transform t{{1, 2, 3}, {0.5f, 0.5f, 0.5f, 0.5f}, {4, 5, 6}};
  set_lane(g, 2, t);
  EXPECT_EQ(get_lane(g, 2), t);
  EXPECT_EQ(get_lane(g, 1), Transform{});
}

TEST(Simd, ArithmeticOfLanes) {
  Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const Vec4 p{random.real(-9, 9), random.real(-9, 9), random.real(-9, 9), random.real(-9, 9)};
    const Vec4 q{random.real(-9, 9), random.real(-9, 9), random.real(-9, 9), random.real(-9, 9)};
    const Float4 a(p.x, p.y, p.z, p.w), b(q.x, q.y, q.z, q.w);
    for (int lane = 0; lane < 4; ++lane) {
      const float x = a[lane], y = b[lane];
      EXPECT_TRUE(same_bits((a + b)[lane], x + y));
      EXPECT_TRUE(same_bits((a - b)[lane], x - y));
      EXPECT_TRUE(same_bits((a * b)[lane], x * y));
      EXPECT_TRUE(same_bits((a / b)[lane], x / y));
      EXPECT_TRUE(same_bits((-a)[lane], -x));
      EXPECT_TRUE(same_bits(sqrt(a * a)[lane], std::sqrt(x * x)));
      EXPECT_TRUE(same_bits(lerp(a, b, Float4(0.3f))[lane], lerp(x, y, 0.3f)));
      EXPECT_TRUE(same_bits(select(a < b, a, b)[lane], x < y ? x : y));
      EXPECT_TRUE(same_bits(select(a > b, a, b)[lane], x > y ? x : y));
      EXPECT_TRUE(
          same_bits(select((a > b) & (a > Float4(0.0f)), a, b)[lane], x > y && x > 0 ? x : y));
      EXPECT_TRUE(same_bits(flip_sign(a, b)[lane], y < 0 ? -x : x));
    }
  }
  EXPECT_EQ(flip_sign(Float4(2.0f), Float4(-0.0f))[1], -2.0f);
}

TEST(Simd, ComparesWithNanAreFalse) {
  const Float4 nan(kNan), one(1.0f), yes(1.0f), no(0.0f);
  EXPECT_EQ(select(nan < one, yes, no)[0], 0.0f);
  EXPECT_EQ(select(nan > one, yes, no)[0], 0.0f);
  EXPECT_EQ(select(one < nan, yes, no)[3], 0.0f);
}

TEST(Simd, Transpose) {
  Float4 r[4];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) r[i].set(j, static_cast<float>(10 * i + j));
  }
  transpose(r[0], r[1], r[2], r[3]);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) EXPECT_EQ(r[i][j], static_cast<float>(10 * j + i));
  }
}

TEST(Simd, RotationsAndVectorsEqualTheScalarOnes) {
  Random random(4);
  for (int i = 0; i < 1000; ++i) {
    const SoaTransform a = random_group(random, false), b = random_group(random, true);
    const SoaQuat product = a.rotation * b.rotation, unit = normalize(a.rotation);
    const SoaQuat aligned = align(a.rotation, b.rotation);
    const SoaVec3 rotated = rotate(b.rotation, a.translation);
    const SoaVec3 crossed = cross(a.translation, b.translation);
    const SoaVec3 mixed = lerp(a.translation, b.translation, Float4(0.7f));
    for (int lane = 0; lane < 4; ++lane) {
      const Transform x = get_lane(a, lane), y = get_lane(b, lane);
      EXPECT_TRUE(same_bits(lane_of(product, lane), x.rotation * y.rotation));
      EXPECT_TRUE(same_bits(lane_of(unit, lane), normalize(x.rotation)));
      EXPECT_TRUE(same_bits(lane_of(aligned, lane), align(x.rotation, y.rotation)));
      EXPECT_TRUE(same_bits(dot(a.rotation, b.rotation)[lane], dot(x.rotation, y.rotation)));
      EXPECT_TRUE(same_bits(lane_of(rotated, lane), rotate(y.rotation, x.translation)));
      EXPECT_TRUE(same_bits(lane_of(crossed, lane), cross(x.translation, y.translation)));
      EXPECT_TRUE(same_bits(lane_of(mixed, lane), lerp(x.translation, y.translation, 0.7f)));
    }
  }
}

TEST(Simd, NormalizeWithoutADirectionIsTheIdentity) {
  const Float4 zero(0.0f);
  const SoaQuat q{Float4(0, kNan, kInfinity, 1e30f), zero, zero, Float4(0, 1, 1, 1)};
  for (int lane = 0; lane < 4; ++lane) EXPECT_EQ(lane_of(normalize(q), lane), Quat{}) << lane;
}

}  // namespace
}  // namespace sinew
