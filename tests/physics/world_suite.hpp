// One suite for every implementation of PhysicsWorld: what can be asked must be answered alike.
// Included by one file of each test program.
#pragma once

#include <limits>
#include <memory>

#include "zoo.hpp"

namespace sinew::testing {

using MakeWorld = std::unique_ptr<PhysicsWorld> (*)();

class WorldSuite : public ::testing::TestWithParam<MakeWorld> {
 protected:
  void SetUp() override { world = GetParam()(); }
  std::unique_ptr<PhysicsWorld> world;
};

TEST_P(WorldSuite, RayMeetsPlaneFieldMeshAndBoxesWithTheirSurfaces) {
  Shape floor = Shape::plane();
  floor.surface = 6;
  const BodyId plane = add(*world, floor, {0, -3, 0});
  const BodyId field = add(*world, Shape::terrain(hills()), {});
  Hit hit;
  ASSERT_TRUE(world->cast(RayCast{{30, 5, 0}, {0, -2, 0}, 20, {}}, hit));
  EXPECT_EQ(hit.body, plane);
  EXPECT_EQ(hit.surface, 6);
  EXPECT_NEAR(hit.distance, 8, 1e-5f);
  EXPECT_NEAR(hit.normal.y, 1, 1e-6f);
  ASSERT_TRUE(world->cast(RayCast{{0.1f, 5, 0.1f}, {0, -1, 0}, 20, {}}, hit));
  EXPECT_EQ(hit.body, field);
  float height = 0;
  ASSERT_TRUE(hills()->height_at(0.1f, 0.1f, height));
  EXPECT_NEAR(hit.point.y, height, 1e-5f);
}

// Acceptance of surfaces: a ray along -normal at each triangle's centroid finds this triangle.
TEST_P(WorldSuite, EveryTriangleGivesItsSurface) {
  const auto field = hills();
  const BodyId id = add(*world, Shape::terrain(field), {1, 2, 3}, from_yaw(0.7f));
  for (int i = 0; i < field->triangle_count(); ++i) {
    const Triangle t = field->triangle(i);
    const Quat q = from_yaw(0.7f);
    const Vec3 centre = Vec3{1, 2, 3} + rotate(q, (t.a + t.b + t.c) / 3);
    const Vec3 n = rotate(q, normalize_or(cross(t.b - t.a, t.c - t.a), kAxisY));
    Hit hit;
    ASSERT_TRUE(world->cast(RayCast{centre + n * 0.05f, -n, 0.1f, {}}, hit)) << i;
    EXPECT_EQ(hit.body, id);
    EXPECT_EQ(hit.triangle, i);
    const SurfaceId expected[] = {2, 5, kDefaultSurface};
    EXPECT_EQ(hit.surface, expected[(i / 2) % 3]) << i;
    EXPECT_LT(distance(hit.normal, n), 1e-4f);
  }
}

TEST_P(WorldSuite, FiltersLayersSelfAndGroup) {
  const Shape ball = Shape::sphere(0.5f);
  const BodyId near = add(*world, ball, {0, 0, 2}, {}, kLayerProp);
  const BodyId far = add(*world, ball, {0, 0, 5}, {}, kLayerRagdoll);
  RayCast ray{{}, {0, 0, 1}, 10, {}};
  Hit hit;
  ASSERT_TRUE(world->cast(ray, hit));
  EXPECT_EQ(hit.body, near);
  ray.filter.layers = kLayerRagdoll;
  ASSERT_TRUE(world->cast(ray, hit));
  EXPECT_EQ(hit.body, far);
  ray.filter.ignore_body = far;
  EXPECT_FALSE(world->cast(ray, hit));
  ray.filter = {kAllLayers, near, 0};
  ASSERT_TRUE(world->cast(ray, hit));
  EXPECT_EQ(hit.body, far);
  BodyDef limb;
  limb.shapes = std::span(&ball, 1);
  limb.state.position = {0, 0, 1.2f};
  limb.group = world->new_group();
  ASSERT_TRUE(world->add_body(limb).ok());
  ray.filter = {kAllLayers, {}, limb.group};
  ASSERT_TRUE(world->cast(ray, hit));
  EXPECT_EQ(hit.body, near);
}

TEST_P(WorldSuite, CastsThatBeginInside) {
  const BodyId box = add(*world, Shape::box({1, 1, 1}), {});
  Hit hit;
  EXPECT_FALSE(world->cast(RayCast{{0.2f, 0, 0}, {1, 0, 0}, 10, {}}, hit)) << "rays see it not";
  // Out of it: nothing; into it: at once, with the way out.
  EXPECT_FALSE(world->cast(SphereCast{{1.2f, 0, 0}, 0.5f, {1, 0, 0}, 1, {}}, hit));
  ASSERT_TRUE(world->cast(SphereCast{{1.2f, 0, 0}, 0.5f, {-1, 0, 0}, 1, {}}, hit));
  EXPECT_EQ(hit.body, box);
  EXPECT_EQ(hit.distance, 0);
  EXPECT_NEAR(hit.depth, 0.3f, 1e-5f);
  EXPECT_NEAR(hit.normal.x, 1, 1e-5f);
}

TEST_P(WorldSuite, NumbersThatAreNoneHitNothing) {
  add(*world, Shape::plane(), {});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  Hit hit;
  EXPECT_FALSE(world->cast(RayCast{{0, nan, 0}, {0, -1, 0}, 5, {}}, hit));
  EXPECT_FALSE(world->cast(RayCast{{0, 1, 0}, {0, 0, 0}, 5, {}}, hit));
  EXPECT_FALSE(world->cast(RayCast{{0, 1, 0}, {0, -inf, 0}, 5, {}}, hit));
  EXPECT_FALSE(world->cast(RayCast{{0, 1, 0}, {0, -1, 0}, inf, {}}, hit));
  EXPECT_FALSE(world->cast(SphereCast{{0, 1, 0}, nan, {0, -1, 0}, 5, {}}, hit));
  EXPECT_FALSE(world->cast(SphereCast{{0, 1, 0}, -1, {0, -1, 0}, 5, {}}, hit));
  Hit out[4];
  EXPECT_EQ(world->overlap({{0, nan, 0}, {}, 1, {}}, out), 0u);
}

TEST_P(WorldSuite, RefusesBadBodies) {
  const auto refused = [&](const BodyDef& def) { return !world->add_body(def).ok(); };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Shape ball = Shape::sphere(0.5f);
  BodyDef def;
  EXPECT_TRUE(refused(def)) << "no shape";
  def.shapes = std::span(&ball, 1);
  def.motion = Motion::kDynamic;
  for (const float mass : {0.0f, -1.0f, nan, 1e9f}) {
    def.mass = mass;
    EXPECT_TRUE(refused(def)) << mass;
  }
  def.mass = 1;
  def.state.rotation = {0, 0, 0, 0};
  EXPECT_TRUE(refused(def));
  def.state.rotation = {};
  def.state.position = {0, nan, 0};
  EXPECT_TRUE(refused(def));
  def.state.position = {};
  for (const float radius : {0.0f, -1.0f, nan, 1e9f}) {
    ball.radius = radius;
    EXPECT_TRUE(refused(def)) << radius;
  }
  ball = Shape::plane();
  EXPECT_TRUE(refused(def)) << "a plane that falls";
  ball = Shape::sphere(0.5f);
  // A rotation that is only not normalized is taken.
  def.state.rotation = {0, 3, 0, 4};
  const BodyId id = world->add_body(def).value();
  BodyState state;
  world->read_bodies(std::span(&id, 1), std::span(&state, 1));
  EXPECT_NEAR(dot(state.rotation, state.rotation), 1, 1e-6f);
}

TEST_P(WorldSuite, RefusesBadJoints) {
  const BodyId a = add(*world, Shape::sphere(0.2f), {}, {}, kLayerProp, Motion::kDynamic, 1);
  const BodyId b = add(*world, Shape::sphere(0.2f), {1, 0, 0}, {}, kLayerProp, Motion::kDynamic, 1);
  BodyJointDef def;
  def.parent = a;
  def.child = b;
  def.parent_anchor = {1, 0, 0};
  EXPECT_TRUE(world->add_joint(def).ok());
  const auto refused = [&](BodyJointDef bad) { return !world->add_joint(bad).ok(); };
  BodyJointDef bad = def;
  bad.child = a;
  EXPECT_TRUE(refused(bad));
  bad = def;
  bad.child = {77, 1};
  EXPECT_TRUE(refused(bad));
  bad = def;
  bad.low = {0.1f, 0, 0};
  EXPECT_TRUE(refused(bad));
  bad = def;
  bad.high = {0, 1.6f, 0};
  EXPECT_TRUE(refused(bad));
  bad = def;
  bad.child_frame = {0, 0, 0, 0};
  EXPECT_TRUE(refused(bad));
  bad = def;
  bad.friction = -1;
  EXPECT_TRUE(refused(bad));
}

TEST_P(WorldSuite, StaleIdsChangeNothing) {
  const BodyId id = add(*world, Shape::sphere(1), {});
  EXPECT_TRUE(world->remove_body(id));
  EXPECT_FALSE(world->remove_body(id));
  EXPECT_FALSE(world->alive(id));
  EXPECT_FALSE(world->set_motion(id, Motion::kStatic, Presence::kFull));
  EXPECT_FALSE(world->apply_impulse(id, {1, 0, 0}, {}));
  EXPECT_EQ(world->mass(id), 0);
  const BodyId next = add(*world, Shape::sphere(1), {});
  EXPECT_EQ(next.index, id.index);
  EXPECT_NE(next.generation, id.generation);
  Hit hit;
  ASSERT_TRUE(world->cast(RayCast{{0, 5, 0}, {0, -1, 0}, 10, {}}, hit));
  EXPECT_EQ(hit.body, next);
}

TEST_P(WorldSuite, PresenceSaysWhoIsSeen) {
  const BodyId id = add(*world, Shape::sphere(1), {}, {}, kLayerHitShape, Motion::kKinematic);
  const RayCast ray{{0, 5, 0}, {0, -1, 0}, 10, {}};
  Hit hit;
  EXPECT_TRUE(world->cast(ray, hit));
  EXPECT_TRUE(world->set_motion(id, Motion::kKinematic, Presence::kNone));
  EXPECT_FALSE(world->cast(ray, hit));
  EXPECT_TRUE(world->set_motion(id, Motion::kKinematic, Presence::kQueries));
  EXPECT_TRUE(world->cast(ray, hit));
}

TEST_P(WorldSuite, KinematicBodiesAreSeenAtOnceAndHaveAVelocity) {
  const BodyId id =
      add(*world, Shape::box({1, 0.1f, 1}), {}, {}, kLayerPlatform, Motion::kKinematic);
  world->step(1 / 60.f);
  const Vec3 to{0, 0.1f, 0};
  const Quat turned = from_yaw(0.02f);
  world->move_kinematic(std::span(&id, 1), std::span(&to, 1), std::span(&turned, 1));
  Hit hit;
  ASSERT_TRUE(world->cast(RayCast{{0, 5, 0}, {0, -1, 0}, 10, {}}, hit));
  EXPECT_NEAR(hit.point.y, 0.2f, 1e-5f);
  world->step(1 / 60.f);
  EXPECT_NEAR(world->point_velocity(id, {0, 0.1f, 0}).y, 6, 0.01f);
  EXPECT_NEAR(world->point_velocity(id, {0, 0.1f, 1}).x, 1.2f, 0.01f);
  BodyState state;
  world->read_bodies(std::span(&id, 1), std::span(&state, 1));
  EXPECT_LT(distance(state.position, to), 1e-6f);
  world->step(1 / 60.f);
  EXPECT_EQ(length(world->point_velocity(id, {})), 0) << "it stands again";
}

TEST_P(WorldSuite, SaveAndRestore) {
  Zoo zoo = make_zoo(*world, 3, 12);
  for (const BodyId id : zoo.ids) world->set_motion(id, Motion::kKinematic, Presence::kFull);
  std::vector<std::byte> bytes;
  world->flush_caches();
  world->save(bytes);
  const std::uint64_t hash = world->state_hash();
  for (const BodyId id : zoo.ids) {
    const Vec3 to{1, 1, 1};
    const Quat q;
    world->move_kinematic(std::span(&id, 1), std::span(&to, 1), std::span(&q, 1));
  }
  world->set_motion(zoo.ids[2], Motion::kStatic, Presence::kNone);
  world->step(1 / 60.f);
  EXPECT_NE(world->state_hash(), hash);
  ASSERT_TRUE(world->restore(bytes).ok());
  EXPECT_EQ(world->state_hash(), hash);
  // Damaged or foreign bytes change nothing.
  for (std::size_t cut = 0; cut < bytes.size(); cut += 13) {
    EXPECT_FALSE(world->restore(std::span(bytes).first(cut)).ok());
  }
  EXPECT_EQ(world->state_hash(), hash);
  world->remove_body(zoo.ids[0]);
  EXPECT_FALSE(world->restore(bytes).ok());
}

TEST_P(WorldSuite, AnswersDoNotDependOnHistory) {
  // The same bodies, but with many others that came, moved and went before.
  make_zoo(*world, 5, 60);
  const std::vector<BodyId> others(world->bodies().begin(), world->bodies().end());
  for (const BodyId id : others) world->remove_body(id);
  make_zoo(*world, 9, 40);
  std::unique_ptr<PhysicsWorld> fresh = GetParam()();
  make_zoo(*fresh, 9, 40);
  Random random(21);
  for (int i = 0; i < 500; ++i) {
    const Vec3 from = random.vec(8), dir = random.direction();
    Hit a, b;
    const bool hit_a = world->cast(SphereCast{from, 0.2f, dir, 12, {}}, a);
    const bool hit_b = fresh->cast(SphereCast{from, 0.2f, dir, 12, {}}, b);
    ASSERT_EQ(hit_a, hit_b);
    if (!hit_a) continue;
    EXPECT_EQ(a.distance, b.distance);
    EXPECT_EQ(a.point, b.point);
    EXPECT_EQ(a.user, b.user);
  }
}

}  // namespace sinew::testing
