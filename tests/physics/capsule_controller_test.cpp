#include <sinew/physics/capsule_controller.hpp>
#include <sinew/physics/null_world.hpp>

#include "zoo.hpp"

namespace sinew::testing {

namespace {

struct Walker {
  NullWorld world;
  CapsuleControllerDef def;
  CapsuleControllerState state;
  CapsuleMoveResult last;

  void step(Vec3 velocity, float dt, float jump = 0) {
    last = move_capsule(world, def, {velocity, jump}, dt, state);
    Hit hits[16];
    CapsuleOverlap capsule{state.position + Vec3{0, def.radius, 0},
                           state.position + Vec3{0, def.height - def.radius, 0},
                           def.radius,
                           {}};
    const std::size_t count = world.overlap(capsule, hits);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_LT(hits[i].depth, 2e-3f)
          << "inside at " << state.position.x << " " << state.position.y << " " << state.position.z;
    }
  }
  void drop() {
    for (int i = 0; i < 240 && !state.grounded; ++i) step({}, 1 / 60.f);
    ASSERT_TRUE(state.grounded);
  }
};

// Steps up along +Z: `count` treads of 0.3 m, `rise` high each.
void add_stairs(PhysicsWorld& world, int count, float rise, float z) {
  for (int i = 0; i < count; ++i) {
    const float height = rise * static_cast<float>(i + 1);
    add(world, Shape::box({2, 0.5f * height, 0.15f}),
        {0, 0.5f * height, z + 0.3f * static_cast<float>(i) + 0.15f});
  }
}

// How far a series is from the nearest one that never falls.
float monotone_residual(const std::vector<float>& y) {
  float top = -1e9f, worst = 0;
  for (const float v : y) {
    top = max(top, v);
    worst = max(worst, 0.5f * (top - v));
  }
  return worst;
}

}  // namespace

TEST(CapsuleController, FallsAndLandsOnAPlane) {
  Walker w;
  add(w.world, Shape::plane(), {});
  w.state.position = {0, 5, 0};
  float time = 0;
  bool landed = false;
  while (!landed && time < 3) {
    w.step({}, 1 / 60.f);
    time += 1 / 60.f;
    landed = w.last.landed;
  }
  EXPECT_NEAR(w.last.landing_speed, sqrt(2 * 9.81f * 5), 0.05f);
  EXPECT_NEAR(w.state.position.y, 0, 1e-3f);
  EXPECT_TRUE(w.state.grounded);
  EXPECT_EQ(w.state.velocity, Vec3{});
}

// Acceptance: slope of 45 degrees, height within 2 mm of the ideal path.
TEST(CapsuleController, SlopeOf45DegreesKeepsItsHeight) {
  for (const float degrees : {10.0f, 30.0f, 45.0f}) {
    for (const float rate : {30.0f, 60.0f, 144.0f}) {
      Walker w;
      const float slope = degrees * kDegToRad;
      add(w.world, Shape::plane(), {}, from_axis_angle(kAxisX, -slope));
      w.state.position = {0, 0.5f, 0};
      w.drop();
      // The lowest point of a ball on a slope hangs above it by r (1 / cos - 1).
      const float hang = w.def.radius * (1 / cos(slope) - 1);
      for (int i = 0; i < static_cast<int>(2 * rate); ++i) {
        const bool down = i > static_cast<int>(rate);
        w.step({0.3f, 0, down ? -3.0f : 3.0f}, 1 / rate);
        const float ideal = w.state.position.z * tan(slope) + hang;
        ASSERT_NEAR(w.state.position.y, ideal, 0.002f) << degrees << " " << rate << " tick " << i;
        ASSERT_TRUE(w.state.grounded);
      }
      EXPECT_NEAR(w.state.position.x, 0.6f, 0.01f) << "speed seen from above is kept";
    }
  }
}

TEST(CapsuleController, TooSteepSlopeIsNotClimbedAndSlidesDown) {
  Walker w;
  add(w.world, Shape::plane(), {});
  add(w.world, Shape::plane(), {0, 0, 2}, from_axis_angle(kAxisX, -60 * kDegToRad));
  w.state.position = {0, 0, 0};
  w.drop();
  for (int i = 0; i < 180; ++i) w.step({0, 0, 3}, 1 / 60.f);
  EXPECT_LT(w.state.position.y, 0.02f);
  EXPECT_TRUE(w.last.hit_wall);
  w.state = {};
  w.state.position = {0, 6, 4};
  for (int i = 0; i < 240; ++i) w.step({}, 1 / 60.f);
  EXPECT_LT(w.state.position.y, 0.02f);
  EXPECT_TRUE(w.state.grounded);
}

// Acceptance: steps of 0.3 m, within 2 mm of a monotone ramp.
TEST(CapsuleController, ClimbsStairsWithoutJitter) {
  for (const float rate : {30.0f, 60.0f, 144.0f}) {
    for (const float radius : {0.2f, 0.3f, 0.4f}) {
      Walker w;
      w.def.radius = radius;
      add(w.world, Shape::plane(), {});
      add_stairs(w.world, 6, 0.3f, 1);
      add(w.world, Shape::box({2, 0.9f, 3}), {0, 0.9f, 5.8f});
      w.drop();
      std::vector<float> up, down;
      for (int i = 0; i < static_cast<int>(3 * rate); ++i) {
        w.step({0, 0, 1.4f}, 1 / rate);
        up.push_back(w.state.position.y);
      }
      EXPECT_NEAR(w.state.position.y, 1.8f, 0.002f) << rate << " " << radius;
      EXPECT_NEAR(w.state.position.z, 4.2f, 0.01f);
      EXPECT_LT(monotone_residual(up), 0.002f) << rate << " " << radius;
      for (int i = 0; i < static_cast<int>(3 * rate); ++i) {
        w.step({0, 0, -1.4f}, 1 / rate);
        down.push_back(-w.state.position.y);
        ASSERT_TRUE(w.state.grounded) << "stairs are followed downward, at " << w.state.position.y
                                      << " " << w.state.position.z << " " << radius;
      }
      EXPECT_NEAR(w.state.position.y, 0, 0.002f);
      EXPECT_LT(monotone_residual(down), 0.002f);
    }
  }
}

TEST(CapsuleController, WallAboveTheStepHeightStops) {
  for (const float rate : {30.0f, 144.0f}) {
    Walker w;
    add(w.world, Shape::plane(), {});
    add(w.world, Shape::box({3, 0.25f, 1}), {0, 0.25f, 2});
    w.drop();
    for (int i = 0; i < static_cast<int>(4 * rate); ++i) w.step({0, 0, 1.5f}, 1 / rate);
    EXPECT_NEAR(w.state.position.y, 0, 0.002f);
    EXPECT_NEAR(w.state.position.z, 0.7f, 0.01f);
    // Along the wall it slides on.
    for (int i = 0; i < static_cast<int>(rate); ++i) w.step({1, 0, 1}, 1 / rate);
    EXPECT_NEAR(w.state.position.x, 1, 0.02f);
  }
}

TEST(CapsuleController, StandsOnAMovingPlatform) {
  for (const float rate : {30.0f, 60.0f, 144.0f}) {
    Walker w;
    const BodyId lift =
        add(w.world, Shape::box({2, 0.1f, 2}), {0, 0, 0}, {}, kLayerPlatform, Motion::kKinematic);
    w.state.position = {0.5f, 0.15f, 0};
    w.drop();
    for (int i = 1; i <= static_cast<int>(6 * rate); ++i) {
      const float t = static_cast<float>(i) / rate;
      const Vec3 at{0.8f * sin(t), 1.5f * (1 - cos(1.5f * t)), 0.4f * sin(0.7f * t)};
      const Quat q = from_yaw(0.3f * t);
      w.world.move_kinematic(std::span(&lift, 1), std::span(&at, 1), std::span(&q, 1));
      w.step({}, 1 / rate);
      w.world.step(1 / rate);
      ASSERT_NEAR(w.state.position.y, at.y + 0.1f, 0.002f) << rate << " tick " << i;
      const Vec3 ideal = at + rotate(q, {0.5f, 0, 0});
      ASSERT_NEAR(w.state.position.x, ideal.x, 0.005f);
      ASSERT_NEAR(w.state.position.z, ideal.z, 0.005f);
      ASSERT_TRUE(w.state.grounded);
      EXPECT_NEAR(w.last.carried_yaw, 0.3f / rate, 1e-4f);
    }
  }
}

TEST(CapsuleController, CeilingEndsAJump) {
  Walker w;
  add(w.world, Shape::plane(), {});
  add(w.world, Shape::box({2, 0.1f, 2}), {0, 2.4f, 0});
  w.drop();
  w.step({}, 1 / 60.f, 6);
  EXPECT_TRUE(w.last.jumped);
  float top = 0;
  bool hit = false;
  for (int i = 0; i < 120 && !w.last.landed; ++i) {
    w.step({}, 1 / 60.f);
    top = max(top, w.state.position.y);
    hit = hit || w.last.hit_ceiling;
  }
  EXPECT_TRUE(hit);
  EXPECT_TRUE(w.state.grounded);
  EXPECT_NEAR(top, 0.5f, 0.005f);
}

TEST(CapsuleController, JumpIsBallistic) {
  for (const float rate : {30.0f, 60.0f, 144.0f}) {
    Walker w;
    add(w.world, Shape::plane(), {});
    w.drop();
    w.step({0, 0, 2}, 1 / rate, 5);
    for (int i = 2; i <= static_cast<int>(rate / 3); ++i) w.step({0, 0, 2}, 1 / rate);
    const float t = static_cast<float>(static_cast<int>(rate / 3)) / rate;
    EXPECT_NEAR(w.state.position.y, 5 * t - 4.905f * t * t, 0.002f);
    EXPECT_NEAR(w.state.position.z, 2 * t, 0.002f);
  }
}

namespace {

// A course with everything in it: stairs, slopes, walls, ledges, a lift, jumps.
struct Course {
  Walker w;
  BodyId lift;
  float rate;
  int jumps = 0;

  explicit Course(float ticks) : rate(ticks) {
    add(w.world, Shape::plane(), {});
    add_stairs(w.world, 5, 0.25f, 2);
    add(w.world, Shape::box({2, 0.625f, 1}), {0, 0.625f, 4.5f});           // a ledge of 1.25 m
    add(w.world, Shape::box({0.3f, 1, 3}), {1.6f, 1, 9}, from_yaw(0.4f));  // a slanted wall
    add(w.world, Shape::box({3, 0.1f, 3}), {0, 0.4f, 15}, from_axis_angle(kAxisX, -0.35f));
    lift = add(w.world, Shape::box({1.5f, 0.1f, 1.5f}), {0, -0.08f, 21}, {}, kLayerPlatform,
               Motion::kKinematic);
    w.drop();
  }
  void tick(int i) {
    const float t = static_cast<float>(i) / rate;
    const Vec3 at{0, -0.08f + (t > 12 ? 0.6f * (t - 12) : 0.0f), 21};
    const Quat q;
    w.world.move_kinematic(std::span(&lift, 1), std::span(&at, 1), std::span(&q, 1));
    // Speeds change at whole sixths of a second, which all rates meet.
    const bool jump = (i - 1) % static_cast<int>(2 * rate) == static_cast<int>(1.5f * rate);
    const Vec3 velocity{0, 0, i - 1 < static_cast<int>(12 * rate) ? 1.75f : 0.2f};
    w.step(velocity, 1 / rate, jump ? 4.0f : 0.0f);
    jumps += w.last.jumped;
    w.world.step(1 / rate);
  }
};

}  // namespace

// Acceptance: the same path within 1 cm at 30, 60 and 144 ticks a second.
TEST(CapsuleController, SamePathAtAnyTickRate) {
  std::vector<std::vector<Vec3>> paths;
  for (const float rate : {30.0f, 60.0f, 144.0f}) {
    Course course(rate);
    std::vector<Vec3> path;
    const int every = static_cast<int>(rate / 6);
    for (int i = 1; i <= static_cast<int>(16 * rate); ++i) {
      course.tick(i);
      if (i % every == 0) path.push_back(course.w.state.position);
    }
    paths.push_back(path);
    EXPECT_GE(course.jumps, 4);
  }
  EXPECT_GT(paths[0].back().z, 20);
  EXPECT_GT(paths[0].back().y, 2);
  for (std::size_t i = 0; i < paths[0].size(); ++i) {
    for (std::size_t k : {0u, 2u}) {
      EXPECT_LT(distance(paths[k][i], paths[1][i]), 0.01f)
          << "at " << static_cast<double>(i + 1) / 6 << " s, rate " << k << ": " << paths[k][i].y
          << " against " << paths[1][i].y << " z " << paths[1][i].z;
    }
  }
}

TEST(CapsuleController, WalksOverRoughGroundWithoutEnteringIt) {
  for (int seed = 0; seed < 20; ++seed) {
    Walker w;
    add(w.world, Shape::terrain(hills()), {});
    add(w.world, Shape::terrain(rubble()), {0, 1, 0});
    add(w.world, Shape::plane(), {0, -1, 0});
    Random random(static_cast<std::uint64_t>(seed));
    w.state.position = {random.in(-6, 6), 6, random.in(-5, 5)};
    for (int i = 0; i < 400; ++i) {
      const Vec3 v = random.direction() * 3;
      const float jump = random.below(60) == 0 ? 4.0f : 0.0f;
      for (int k = 0; k < 5; ++k) {
        w.last = move_capsule(w.world, w.def, {v, jump}, 1 / 60.f, w.state);
        ASSERT_TRUE(is_finite(w.state.position));
        ASSERT_GT(w.state.position.y, -1.01f) << "fell through, seed " << seed;
      }
    }
  }
}

TEST(CapsuleController, SpawnedInsideTheGroundComesOut) {
  Walker w;
  add(w.world, Shape::terrain(hills()), {});
  w.state.position = {0.3f, -0.9f, 0.2f};
  for (int i = 0; i < 60; ++i) move_capsule(w.world, w.def, {}, 1 / 60.f, w.state);
  float height = 0;
  ASSERT_TRUE(hills()->height_at(w.state.position.x, w.state.position.z, height));
  EXPECT_GT(w.state.position.y, height - 0.01f);
  EXPECT_TRUE(w.state.grounded);
}

TEST(CapsuleController, BadInputChangesNothing) {
  Walker w;
  add(w.world, Shape::plane(), {});
  w.drop();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Vec3 before = w.state.position;
  w.step({nan, 0, 1}, 1 / 60.f);
  w.step({0, 0, 1}, nan);
  w.step({0, 0, 1}, -1);
  w.step({0, 0, 0}, 1 / 60.f, nan);
  EXPECT_LT(distance(w.state.position, before), 1e-4f);
  CapsuleControllerDef def;
  def.height = 0.1f;
  EXPECT_FALSE(validate(def).ok());
  def = {};
  def.max_slope = 2;
  EXPECT_FALSE(validate(def).ok());
  EXPECT_TRUE(validate(CapsuleControllerDef{}).ok());
}

TEST(CapsuleController, RoomToStand) {
  NullWorld world;
  add(world, Shape::plane(), {});
  add(world, Shape::box({2, 0.1f, 2}), {0, 1.1f, 0});
  const CapsuleControllerDef def;
  EXPECT_FALSE(capsule_fits(world, def, {0, 0.01f, 0}));
  EXPECT_TRUE(capsule_fits(world, def, {5, 0.01f, 0}));
}

}  // namespace sinew::testing
