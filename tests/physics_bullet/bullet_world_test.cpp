#include <sinew/physics_bullet/bullet_world.hpp>

#include "../physics/world_suite.hpp"

namespace sinew::testing {

INSTANTIATE_TEST_SUITE_P(Bullet, WorldSuite,
                         ::testing::Values([]() -> std::unique_ptr<PhysicsWorld> {
                           return std::make_unique<BulletWorld>();
                         }));

namespace {

BodyState state_of(const PhysicsWorld& world, BodyId id) {
  BodyState state;
  world.read_bodies(std::span(&id, 1), std::span(&state, 1));
  return state;
}

void run(PhysicsWorld& world, float seconds) {
  for (int i = 0; i < static_cast<int>(seconds * 60 + 0.5f); ++i) world.step(1 / 60.f);
}

BodyId ball(PhysicsWorld& world, Vec3 at, float mass = 1, float radius = 0.2f) {
  return add(world, Shape::sphere(radius), at, {}, kLayerProp, Motion::kDynamic, mass);
}

}  // namespace

TEST(BulletWorld, FallsByGravity) {
  BulletWorld world;
  const BodyId id = ball(world, {0, 100, 0});
  run(world, 1);
  const BodyState s = state_of(world, id);
  EXPECT_NEAR(s.position.y, 100 - 4.905f, 0.15f);
  EXPECT_NEAR(s.linear_velocity.y, -9.81f, 0.2f);
}

TEST(BulletWorld, RestsOnEveryKindOfGroundAndSleeps) {
  const auto flat = [](bool field) {
    if (field) {
      HeightFieldDef def;
      def.columns = def.rows = 9;
      def.origin = {-4, 0, -4};
      def.heights.assign(81, 0.0f);
      return Shape::terrain(HeightField::build(def).value());
    }
    TriangleMeshDef def;
    def.positions = {{-4, 0, -4}, {4, 0, -4}, {-4, 0, 4}, {4, 0, 4}};
    def.indices = {0, 2, 1, 1, 2, 3};
    return Shape::terrain(TriangleMesh::build(def).value());
  };
  const Shape grounds[] = {Shape::plane(), Shape::box({4, 1, 4}, {0, -1, 0}), flat(true),
                           flat(false)};
  for (const Shape& ground : grounds) {
    BulletWorld world;
    add(world, ground, {});
    std::vector<BodyId> ids;
    ids.push_back(add(world, Shape::box({0.2f, 0.3f, 0.4f}), {0.1f, 1, 0}, {}, kLayerProp,
                      Motion::kDynamic, 5));
    ids.push_back(add(world, Shape::capsule(0.2f, 0.3f), {2, 1, 0.3f},
                      from_axis_angle(kAxisZ, 1.2f), kLayerProp, Motion::kDynamic, 5));
    run(world, 6);
    const BodyState box = state_of(world, ids[0]), capsule = state_of(world, ids[1]);
    EXPECT_NEAR(box.position.y, 0.3f, 0.015f) << to_string(ground.kind);
    EXPECT_NEAR(capsule.position.y, 0.2f, 0.015f) << to_string(ground.kind);
    EXPECT_TRUE(world.asleep(ids[0])) << to_string(ground.kind);
    EXPECT_TRUE(world.asleep(ids[1])) << to_string(ground.kind);
  }
}

TEST(BulletWorld, SleepersWakeWhenStruckAndWhenTheirGroundGoes) {
  BulletWorld world;
  const BodyId floor = add(world, Shape::box({4, 1, 4}, {0, -1, 0}), {});
  const BodyId low = add(world, Shape::box({0.3f, 0.3f, 0.3f}), {0, 0.31f, 0}, {}, kLayerProp,
                         Motion::kDynamic, 10);
  run(world, 2);
  ASSERT_TRUE(world.asleep(low));
  const BodyId stone = ball(world, {0.1f, 3, 0}, 5);
  bool woke = false;
  for (int i = 0; i < 120; ++i) {
    world.step(1 / 60.f);
    woke = woke || !world.asleep(low);
  }
  EXPECT_TRUE(woke);
  run(world, 4);
  ASSERT_TRUE(world.asleep(low));
  world.remove_body(stone);
  world.remove_body(floor);
  run(world, 1);
  EXPECT_LT(state_of(world, low).position.y, -2);
}

TEST(BulletWorld, PlatformsCarryAndPush) {
  BulletWorld world;
  const BodyId lift =
      add(world, Shape::box({1, 0.1f, 1}), {}, {}, kLayerPlatform, Motion::kKinematic);
  const BodyId crate = add(world, Shape::box({0.2f, 0.2f, 0.2f}), {0, 0.31f, 0}, {}, kLayerProp,
                           Motion::kDynamic, 10);
  run(world, 2);
  ASSERT_TRUE(world.asleep(crate));
  for (int i = 1; i <= 180; ++i) {
    const Vec3 to{0.005f * static_cast<float>(i), 0.01f * static_cast<float>(i), 0};
    const Quat q;
    world.move_kinematic(std::span(&lift, 1), std::span(&to, 1), std::span(&q, 1));
    world.step(1 / 60.f);
  }
  EXPECT_NEAR(state_of(world, crate).position.y, 1.8f + 0.3f, 0.03f);
  EXPECT_NEAR(state_of(world, crate).position.x, 0.9f, 0.05f);
}

TEST(BulletWorld, FastThingsDoNotPassThroughThinWalls) {
  BulletWorld world;
  add(world, Shape::box({2, 2, 0.01f}), {0, 0, 5});
  const BodyId id = ball(world, {}, 1, 0.05f);
  EXPECT_TRUE(world.apply_impulse(id, {0, 0, 100}, {}));
  run(world, 0.5f);
  EXPECT_LT(state_of(world, id).position.z, 5);
}

TEST(BulletWorld, WhatLiesUnderAHeightFieldRises) {
  BulletWorld world;
  const auto field = hills();
  add(world, Shape::terrain(field), {});
  const BodyId id = add(world, Shape::capsule(0.1f, 0.2f), {0.4f, -1.5f, 0.3f}, {}, kLayerProp,
                        Motion::kDynamic, 3);
  float fastest = 0;
  for (int i = 0; i < 240; ++i) {
    world.step(1 / 60.f);
    fastest = max(fastest, length(state_of(world, id).linear_velocity));
  }
  const BodyState s = state_of(world, id);
  float height = 0;
  ASSERT_TRUE(field->height_at(s.position.x, s.position.z, height));
  EXPECT_GT(s.position.y, height);
  EXPECT_LT(fastest, 5);
}

TEST(BulletWorld, LayersAndGroupsDecideWhoMeets) {
  BulletWorld world;
  add(world, Shape::plane(), {});
  const Shape shape = Shape::sphere(0.2f);
  BodyDef def;
  def.shapes = std::span(&shape, 1);
  def.motion = Motion::kDynamic;
  def.mass = 1;
  def.group = world.new_group();
  def.state.position = {0, 0.2f, 0};
  def.index_in_group = 0;
  def.group_ignore = 1u << 1;
  const BodyId low = world.add_body(def).value();
  def.state.position = {0, 1, 0};
  def.index_in_group = 1;
  def.group_ignore = 1u << 0;
  const BodyId high = world.add_body(def).value();
  def.state.position = {3, 1, 0};
  def.index_in_group = 2;
  def.group_ignore = 0;
  def.layer = kLayerRagdoll;
  def.mask = kAllLayers & ~kLayerGround;
  const BodyId ghost = world.add_body(def).value();
  run(world, 2);
  EXPECT_NEAR(state_of(world, low).position.y, 0.2f, 0.01f);
  EXPECT_NEAR(state_of(world, high).position.y, 0.2f, 0.01f) << "through the other one";
  EXPECT_LT(state_of(world, ghost).position.y, -5) << "through the floor";
}

// ---- joints

namespace {

struct Pendulum {
  BulletWorld world;
  BodyId base, arm;
  JointId joint;
  BodyJointDef def;

  // The arm hangs from its upper end, its X axis along it.
  explicit Pendulum(Vec3 low, Vec3 high, float friction, Vec3 gravity = {0, -9.81f, 0})
      : world({.gravity = gravity}) {
    base = add(world, Shape::box({0.1f, 0.1f, 0.1f}), {0, 2, 0});
    arm = add(world, Shape::capsule(0.05f, 0.2f, {}, from_axis_angle(kAxisZ, kHalfPi)),
              {0, 1.7f, 0}, from_axis_angle(kAxisZ, -kHalfPi), kLayerRagdoll, Motion::kDynamic, 2);
    def.parent = base;
    def.child = arm;
    def.child_anchor = {-0.3f, 0, 0};
    def.parent_frame = from_axis_angle(kAxisZ, -kHalfPi);
    def.low = low;
    def.high = high;
    def.friction = friction;
    joint = world.add_joint(def).value();
  }
  JointReading read() {
    JointReading out;
    world.read_joints(std::span(&joint, 1), std::span(&out, 1));
    return out;
  }
};

}  // namespace

TEST(BulletJoints, LimitsHoldOnTheSideThatTheyAreGivenFor) {
  const Vec3 low{-0.2f, -0.3f, -0.4f}, high{0.9f, 0.8f, 0.7f};
  for (int axis = 0; axis < 3; ++axis) {
    for (const float sign : {-1.0f, 1.0f}) {
      Pendulum p(low, high, 0, {});
      Vec3 spin;
      spin[axis] = 4 * sign;
      // About the joint's axes, which are the arm's own at rest.
      BodyState s = state_of(p.world, p.arm);
      s.angular_velocity = rotate(s.rotation, spin);
      const Vec3 arm = s.position - Vec3{0, 2, 0};
      s.linear_velocity = cross(s.angular_velocity, arm);
      p.world.write_bodies(std::span(&p.arm, 1), std::span(&s, 1));
      float reached = 0;
      for (int i = 0; i < 90; ++i) {
        p.world.step(1 / 60.f);
        const JointReading r = p.read();
        reached = sign > 0 ? max(reached, r.angles[axis]) : min(reached, r.angles[axis]);
        EXPECT_LT(r.overshoot, 0.06f);
        EXPECT_LT(r.gap, 0.005f);
      }
      EXPECT_NEAR(reached, sign > 0 ? high[axis] : low[axis], 0.06f) << axis << " " << sign;
    }
  }
}

TEST(BulletJoints, DrivesReachTheirAngles) {
  const Vec3 wide{1.4f, 1.4f, 1.4f};
  Random random(3);
  for (int i = 0; i < 12; ++i) {
    Pendulum p(-wide, wide, 0);
    // Near 90 degrees of Y, X and Z turn about the same line, and drives agree slowly.
    MotorDrive drive{random.vec(1.2f) * Vec3{1, 0.75f, 1}, 200};
    p.world.drive_joints(std::span(&p.joint, 1), std::span(&drive, 1));
    run(p.world, 1);
    const JointReading r = p.read();
    EXPECT_LT(distance(r.angles, drive.target), 0.02f)
        << i << ": " << drive.target.x << " " << drive.target.y << " " << drive.target.z << " got "
        << r.angles.x << " " << r.angles.y << " " << r.angles.z;
    EXPECT_LT(r.gap, 0.003f);
    EXPECT_FALSE(p.world.asleep(p.arm)) << "what is driven stays awake";
  }
}

TEST(BulletJoints, DrivesFollowAMovingTargetSmoothly) {
  const Vec3 wide{1.4f, 1.4f, 1.4f};
  Pendulum p(-wide, wide, 0);
  float worst = 0;
  for (int i = 0; i < 240; ++i) {
    const float t = static_cast<float>(i + 1) / 60;
    const Vec3 target{0.4f * sin(3 * t), 0.5f * sin(2 * t), 0.9f * sin(4 * t)};
    MotorDrive drive{target, 200};
    p.world.drive_joints(std::span(&p.joint, 1), std::span(&drive, 1));
    p.world.step(1 / 60.f);
    if (i > 20) worst = max(worst, distance(p.read().angles, target));
  }
  EXPECT_LT(worst, 0.03f);
}

TEST(BulletJoints, LimpJointsOnlyRub) {
  const Vec3 wide{3, 1.4f, 3};
  Pendulum loose(-wide, wide, 0, {}), stiff(-wide, wide, 20, {});
  for (Pendulum* p : {&loose, &stiff}) {
    BodyState s = state_of(p->world, p->arm);
    s.angular_velocity = {0, 0, 5};
    s.linear_velocity = cross(s.angular_velocity, s.position - Vec3{0, 2, 0});
    p->world.write_bodies(std::span(&p->arm, 1), std::span(&s, 1));
    run(p->world, 0.2f);
  }
  EXPECT_GT(length(state_of(loose.world, loose.arm).angular_velocity), 1);
  EXPECT_LT(length(state_of(stiff.world, stiff.arm).angular_velocity), 0.1f);
}

TEST(BulletJoints, PinsHoldBodies) {
  BulletWorld world;
  const BodyId id = ball(world, {0, 1, 0}, 70);
  for (int i = 0; i < 120; ++i) {
    const Vec3 to{0.01f * static_cast<float>(i), 1, 0};
    world.pin_body(id, {to, from_yaw(0.01f * static_cast<float>(i)), 1});
    world.step(1 / 60.f);
  }
  const BodyState s = state_of(world, id);
  EXPECT_LT(distance(s.position, {1.19f, 1, 0}), 0.005f);
  EXPECT_LT(angle_between(s.rotation, from_yaw(1.19f)), 0.01f);
  world.pin_body(id, {});
  run(world, 1);
  EXPECT_LT(state_of(world, id).position.y, -2);
}

// ---- the same bits

namespace {

// A heap of bodies and joints that fall on one another.
struct Heap {
  BulletWorld world;
  std::vector<BodyId> ids;

  Heap() {
    add(world, Shape::plane(), {});
    add(world, Shape::terrain(hills()), {0, 0.2f, 0});
    Random random(17);
    for (int i = 0; i < 40; ++i) {
      const Shape shape = i % 3 == 0 ? Shape::sphere(random.in(0.1f, 0.3f))
                          : i % 3 == 1
                              ? Shape::capsule(0.12f, random.in(0.1f, 0.3f))
                              : Shape::box(random.direction() * 0.1f + Vec3{0.2f, 0.2f, 0.2f});
      BodyDef def;
      def.shapes = std::span(&shape, 1);
      def.state.position = {random.in(-1, 1), random.in(1, 5), random.in(-1, 1)};
      def.state.rotation = random.rotation();
      def.layer = kLayerProp;
      def.motion = Motion::kDynamic;
      def.mass = random.in(1, 10);
      def.order = static_cast<std::uint64_t>(100 + i);
      ids.push_back(world.add_body(def).value());
      if (i % 4 != 1) continue;
      BodyJointDef joint;
      joint.parent = ids[ids.size() - 2];
      joint.child = ids.back();
      const BodyState a = state_of(world, joint.parent), b = state_of(world, joint.child);
      joint.parent_anchor = rotate(conjugate(a.rotation), (b.position - a.position) * 0.5f);
      joint.child_anchor = rotate(conjugate(b.rotation), (a.position - b.position) * 0.5f);
      joint.parent_frame = conjugate(a.rotation);
      joint.child_frame = conjugate(b.rotation);
      joint.low = {-0.5f, -0.5f, -0.5f};
      joint.high = {0.5f, 0.5f, 0.5f};
      EXPECT_TRUE(world.add_joint(joint).ok());
    }
  }
  // Snapshots every 30 ticks, whether or not anyone saves.
  void tick(int i) {
    world.step(1 / 60.f);
    if (i % 30 == 29) world.flush_caches();
  }
};

}  // namespace

TEST(BulletWorld, RepeatsBitForBit) {
  Heap a, b;
  for (int i = 0; i < 300; ++i) {
    a.tick(i);
    b.tick(i);
    ASSERT_EQ(a.world.state_hash(), b.world.state_hash()) << i;
  }
}

TEST(BulletWorld, RestoredWorldsGoOnBitForBit) {
  for (const int at : {29, 59, 119}) {
    Heap a;
    std::vector<std::byte> bytes;
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 240; ++i) {
      a.tick(i);
      if (i == at) a.world.save(bytes);
      hashes.push_back(a.world.state_hash());
    }
    // Into a fresh world, and into one that has gone on.
    Heap b;
    ASSERT_TRUE(b.world.restore(bytes).ok());
    ASSERT_TRUE(a.world.restore(bytes).ok());
    for (int i = at + 1; i < 240; ++i) {
      a.tick(i);
      b.tick(i);
      ASSERT_EQ(b.world.state_hash(), hashes[static_cast<std::size_t>(i)]) << at << " " << i;
      ASSERT_EQ(a.world.state_hash(), hashes[static_cast<std::size_t>(i)]) << at << " " << i;
    }
  }
}

TEST(BulletWorld, FixedSubstepsUnderAnyFrameRate) {
  std::vector<Vec3> ends;
  for (const float rate : {30.0f, 60.0f, 144.0f}) {
    Heap heap;
    for (int i = 0; i < static_cast<int>(2 * rate); ++i) heap.world.step(1 / rate);
    ends.push_back(state_of(heap.world, heap.ids[7]).position);
  }
  EXPECT_LT(distance(ends[0], ends[1]), 0.05f);
  EXPECT_LT(distance(ends[2], ends[1]), 0.05f);
}

TEST(BulletWorld, ExtremesDoNotBreakIt) {
  BulletWorld world;
  add(world, Shape::plane(), {});
  const BodyId light = ball(world, {0, 1, 0}, 1e-4f);
  const BodyId heavy = ball(world, {0, 2, 0}, 1e6f);
  const BodyId buried = ball(world, {5, -0.1f, 0}, 1);
  world.apply_impulse(light, {1e9f, 1e9f, 0}, {0, 1.1f, 0});
  world.apply_impulse(heavy, {std::numeric_limits<float>::quiet_NaN(), 0, 0}, {});
  world.step(std::numeric_limits<float>::infinity());
  run(world, 3);
  world.step(1000);  // only so many substeps
  for (const BodyId id : {light, heavy, buried}) {
    EXPECT_TRUE(is_finite(state_of(world, id).position));
  }
  EXPECT_NEAR(state_of(world, buried).position.y, 0.2f, 0.05f);
  EXPECT_FALSE(world.pin_body(light, {{}, {}, std::numeric_limits<float>::quiet_NaN()}));
}

}  // namespace sinew::testing
