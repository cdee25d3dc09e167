#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/pose/inertialize_pose.hpp>

#include "random_pose.hpp"

namespace sinew {
namespace {

using testing::Random;

constexpr float kDt = 1 / 60.0f;

// A pose with its joints `t` seconds along on steady moves of their own.
struct Mover {
  explicit Mover(std::uint64_t seed, const Skeleton& s) : skeleton(s) {
    Random random(seed);
    for (int j = 0; j < s.joint_count(); ++j) {
      start.push_back(random.transform(1, false));
      speed.push_back(random.vec3(0.5f));
      turn.push_back(random.vec3(1));
    }
  }
  Pose at(float t) const {
    Pose pose(skeleton);
    for (int j = 0; j < skeleton.joint_count(); ++j) {
      const auto i = static_cast<std::size_t>(j);
      set_joint(skeleton, pose, j,
                {start[i].translation + speed[i] * t,
                 from_rotation_vector(turn[i] * t) * start[i].rotation,
                 {1, 1, 1}});
    }
    return pose;
  }
  const Skeleton& skeleton;
  std::vector<Transform> start;
  std::vector<Vec3> speed, turn;
};

TEST(InertializePose, StartsWithWhatWasShownAndEndsWithTheTarget) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Skeleton s = testing::random_skeleton(random, 1 + random.below(20));
    const Mover from(seed * 2, s), to(seed * 2 + 1, s);
    PoseInertializer inertializer(s);
    EXPECT_FALSE(inertializer.active());
    inertializer.start(s, from.at(-kDt), from.at(0), kDt, to.at(0), 0.3f);
    EXPECT_TRUE(inertializer.active());
    Pose pose = to.at(0);
    inertializer.apply(s, 0, pose);
    EXPECT_LT(testing::difference(s, pose, from.at(0)), 3e-6f);
    for (int i = 1; i < 17; ++i) {
      pose = to.at(kDt * static_cast<float>(i));
      inertializer.apply(s, kDt, pose);
      EXPECT_TRUE(inertializer.active());
    }
    pose = to.at(0.5f);
    inertializer.apply(s, 0.1f, pose);
    EXPECT_FALSE(inertializer.active());
    EXPECT_TRUE(testing::equal(s, pose, to.at(0.5f))) << "bit for bit";
  }
}

// The shown motion has no jump: neither at the switch nor within.
TEST(InertializePose, NeverJumps) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    const Skeleton s = testing::random_skeleton(random, 10);
    const Mover from(seed + 100, s), to(seed + 200, s);
    PoseInertializer inertializer(s);
    Pose before = from.at(-kDt), now = from.at(0);
    inertializer.start(s, before, now, kDt, to.at(0), 0.5f);
    for (int i = 1; i <= 60; ++i) {
      Pose next = to.at(kDt * static_cast<float>(i));
      inertializer.apply(s, kDt, next);
      for (int j = 0; j < s.joint_count(); ++j) {
        const Transform a = get_joint(s, now, j), b = get_joint(s, next, j);
        // An offset of up to 3.5 m (a half turn) is gone after half a second: the quintic's fastest
        // frame is under 2.5 offsets a duration, and the motions add their own.
        EXPECT_LT(distance(a.translation, b.translation), (2.5f * 3.5f / 0.5f + 1) * kDt);
        EXPECT_LT(angle_between(a.rotation, b.rotation), (2.5f * kPi / 0.5f + 2) * kDt);
      }
      before = now;
      now = next;
    }
    EXPECT_FALSE(inertializer.active());
  }
}

// A velocity toward the target is kept through the switch.
TEST(InertializePose, KeepsTheVelocityTowardTheTarget) {
  const Skeleton s = Skeleton::build(std::vector<JointDef>{{"a", kNoJoint, {}}}).value();
  const float dt = 1e-3f;
  Pose previous(s), current(s);
  const Pose target(s);
  set_joint(s, previous, 0,
            {{1 + 0.5f * dt, 0, 0}, from_axis_angle(kAxisY, 0.8f + 2 * dt), {1, 1, 1}});
  set_joint(s, current, 0, {{1, 0, 0}, from_axis_angle(kAxisY, 0.8f), {1, 1, 1}});
  PoseInertializer inertializer(s);
  inertializer.start(s, previous, current, dt, target, 0.4f);
  Pose pose = target;
  inertializer.apply(s, dt, pose);
  const Transform t = get_joint(s, pose, 0);
  EXPECT_NEAR((t.translation.x - 1) / dt, -0.5f, 0.1f);
  EXPECT_NEAR((2 * atan2(t.rotation.y, t.rotation.w) - 0.8f) / dt, -2.0f, 0.2f);
}

TEST(InertializePose, ASwitchWithinASwitchGoesOn) {
  Random random(1);
  const Skeleton s = testing::random_skeleton(random, 12);
  const Mover a(1, s), b(2, s), c(3, s);
  PoseInertializer inertializer(s);
  inertializer.start(s, a.at(-kDt), a.at(0), kDt, b.at(0), 0.4f);
  Pose before(s), now(s);
  for (int i = 1; i <= 6; ++i) {
    before = now;
    now = b.at(kDt * static_cast<float>(i));
    inertializer.apply(s, kDt, now);
  }
  inertializer.start(s, before, now, kDt, c.at(1), 0.4f);
  Pose pose = c.at(1);
  inertializer.apply(s, 0, pose);
  EXPECT_LT(testing::difference(s, pose, now), 3e-6f);
}

TEST(InertializePose, StateIsPlainBytes) {
  static_assert(std::is_trivially_copyable_v<JointInertia>);
  static_assert(std::is_trivially_copyable_v<InertializationClock>);
  Random random(2);
  const Skeleton s = testing::random_skeleton(random, 5);
  const Mover from(5, s), to(6, s);
  std::vector<JointInertia> offsets(5);
  InertializationClock clock;
  start_inertialization(s, from.at(-kDt), from.at(0), kDt, to.at(0), 0.3f, offsets, clock);
  const auto saved = offsets;
  auto saved_clock = clock;
  Pose once = to.at(0.1f), again = to.at(0.1f);
  apply_inertialization(s, 0.1f, offsets, clock, once);
  apply_inertialization(s, 0.1f, saved, saved_clock, again);
  EXPECT_TRUE(testing::equal(s, once, again));
}

TEST(InertializePose, BadInputStaysFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Random random(3);
  const Skeleton s = testing::random_skeleton(random, 3);
  const Mover from(7, s), to(8, s);
  for (float dt : {0.0f, -1.0f, nan}) {
    PoseInertializer inertializer(s);
    inertializer.start(s, from.at(-kDt), from.at(0), dt, to.at(0), 0.3f);
    Pose pose = to.at(0);
    inertializer.apply(s, nan, pose);
    EXPECT_LT(testing::difference(s, pose, from.at(0)), 3e-6f) << "a step of no length";
  }
  for (float duration : {0.0f, -1.0f, nan}) {
    PoseInertializer inertializer(s);
    inertializer.start(s, from.at(-kDt), from.at(0), kDt, to.at(0), duration);
    EXPECT_FALSE(inertializer.active());
  }
  PoseInertializer inertializer(s);
  Pose bad = from.at(0);
  set_joint(s, bad, 1, {{nan, 0, 0}, {nan, 0, 0, 1}, {1, 1, 1}});
  set_joint(s, bad, 2, {{0, 0, 0}, {0, 0, 0, 0}, {1, 1, 1}});
  inertializer.start(s, bad, bad, kDt, to.at(0), 0.3f);
  Pose pose = to.at(0);
  inertializer.apply(s, kDt, pose);
  for (int j = 0; j < 3; ++j) EXPECT_TRUE(is_finite(get_joint(s, pose, j)));
}

}  // namespace
}  // namespace sinew
