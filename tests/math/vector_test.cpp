// The project's numeric vectors for smoothing and inertialization (tests/math/data/motion.json),
// made by two independent models in double.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/math/inertialize.hpp>
#include <sinew/math/smooth.hpp>

namespace sinew {
namespace {

using Json = nlohmann::json;

double number(const Json& c, const char* key) { return c.value(key, 0.0); }
float real(const Json& c, const char* key) { return static_cast<float>(number(c, key)); }

// The cases of one kind; `check` gets the case, the time (or distance) and its index.
template <class Check>
int for_each(const char* kind, const char* times, Check check) {
  std::ifstream in(SINEW_SOURCE_DIR "/tests/math/data/motion.json");
  const Json json = Json::parse(in);
  int count = 0;
  for (const Json& c : json.at("cases")) {
    if (c.at("kind").get<std::string>() != kind) continue;
    ++count;
    SCOPED_TRACE(c.at("name").get<std::string>());
    const auto& list = c.at("expect").at(times);
    for (std::size_t i = 0; i < list.size(); ++i) check(c, list[i].get<float>(), i);
  }
  return count;
}

double expected(const Json& c, const char* key, std::size_t i) {
  return c.at("expect").at(key).at(i).get<double>();
}

// 1e-5 of the largest input.
double tolerance(const Json& c, std::initializer_list<const char*> inputs) {
  double largest = 0;
  for (const char* key : inputs) largest = std::max(largest, std::abs(number(c, key)));
  return 1e-5 * std::max(largest, 1e-3);
}

TEST(Vectors, Inertialize) {
  const int count = for_each("inertialize", "t", [](const Json& c, float t, std::size_t i) {
    const auto curve = InertializeCurve::make(real(c, "x0"), real(c, "v0"), real(c, "t1"));
    EXPECT_NEAR(static_cast<double>(curve.value(t)), expected(c, "x", i),
                tolerance(c, {"x0", "v0"}))
        << "t = " << t;
  });
  EXPECT_EQ(count, 18);
}

TEST(Vectors, Spring) {
  const int count = for_each("spring", "t", [](const Json& c, float t, std::size_t i) {
    const Spring s = spring({real(c, "x"), real(c, "v")}, real(c, "goal"), real(c, "half_life"), t);
    EXPECT_NEAR(static_cast<double>(s.x), expected(c, "x", i), tolerance(c, {"x", "v", "goal"}));
    const double offset = number(c, "x") - number(c, "goal");
    EXPECT_NEAR(static_cast<double>(s.v), expected(c, "v", i),
                1e-5 * (std::abs(number(c, "v")) + std::abs(offset) / number(c, "half_life")));
    const SpringVec3 v = spring(SpringVec3{{0, real(c, "x"), 0}, {0, real(c, "v"), 0}},
                                {0, real(c, "goal"), 0}, real(c, "half_life"), t);
    EXPECT_FLOAT_EQ(v.x.y, s.x);
    EXPECT_FLOAT_EQ(v.v.y, s.v);
  });
  EXPECT_EQ(count, 12);
}

TEST(Vectors, DeadBlend) {
  const int count = for_each("dead_blend", "t", [](const Json& c, float t, std::size_t i) {
    const float x = dead_blend(real(c, "x"), real(c, "v"), real(c, "decay"), real(c, "blend_time"),
                               real(c, "target"), t);
    EXPECT_NEAR(static_cast<double>(x), expected(c, "x", i), tolerance(c, {"x", "v", "target"}));
  });
  EXPECT_EQ(count, 10);
}

TEST(Vectors, Exponential) {
  const int count = for_each("exponential", "t", [](const Json& c, float t, std::size_t i) {
    const float x = smooth(real(c, "x"), real(c, "goal"), real(c, "half_life"), t);
    EXPECT_NEAR(static_cast<double>(x), expected(c, "x", i), tolerance(c, {"x", "goal"}));
  });
  EXPECT_EQ(count, 5);
}

TEST(Vectors, SoftReach) {
  const int count = for_each("soft_ik", "d", [](const Json& c, float d, std::size_t i) {
    const float soft = soft_distance(d, real(c, "reach"), real(c, "soft_start"));
    EXPECT_NEAR(static_cast<double>(soft), expected(c, "d_soft", i), tolerance(c, {"reach"}));
  });
  EXPECT_EQ(count, 5);
}

}  // namespace
}  // namespace sinew
