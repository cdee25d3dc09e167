#include <sinew/physics/null_world.hpp>

#include "world_suite.hpp"

namespace sinew::testing {

INSTANTIATE_TEST_SUITE_P(Null, WorldSuite, ::testing::Values([]() -> std::unique_ptr<PhysicsWorld> {
                           return std::make_unique<NullWorld>();
                         }));

TEST(NullWorld, DynamicBodiesStayWhereTheyArePut) {
  NullWorld world;
  const BodyId id = add(world, Shape::sphere(1), {0, 5, 0}, {}, kLayerProp, Motion::kDynamic, 1);
  for (int i = 0; i < 60; ++i) world.step(1 / 60.f);
  BodyState state;
  world.read_bodies(std::span(&id, 1), std::span(&state, 1));
  EXPECT_EQ(state.position, (Vec3{0, 5, 0}));
  EXPECT_FALSE(world.has_dynamics());
}

TEST(NullWorld, KeepsTheRestOfATick) {
  NullWorld world;
  for (int i = 0; i < 144; ++i) world.step(1 / 144.f);
  EXPECT_NEAR(world.remainder(), 0, 1e-5);
  world.step(1 / 1000.f);
  EXPECT_NEAR(world.remainder(), 0.001, 1e-5);
  world.step(-1);
  world.step(std::numeric_limits<float>::quiet_NaN());
  EXPECT_NEAR(world.remainder(), 0.001, 1e-5);
}

TEST(JointMeasure, AnglesAreThoseOfEulerXyz) {
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 angles{random.in(-3.1f, 3.1f), random.in(-1.5f, 1.5f), random.in(-3.1f, 3.1f)};
    const Vec3 back = to_euler_xyz(from_euler_xyz(angles));
    EXPECT_LT(angle_between(from_euler_xyz(back), from_euler_xyz(angles)), 2e-3f);
    EXPECT_LT(distance(back, angles), 2e-3f / cos(angles.y));
  }
  BodyJointDef def;
  def.parent_frame = random.rotation();
  def.child_frame = random.rotation();
  def.parent_anchor = {1, 2, 3};
  def.high = {0.1f, 0.2f, 0.3f};
  const BodyState parent{{1, 0, 0}, random.rotation(), {}, {}};
  BodyState child;
  child.rotation = parent.rotation * def.parent_frame * from_euler_xyz({0.4f, 0.1f, -0.2f}) *
                   conjugate(def.child_frame);
  child.position = parent.position + rotate(parent.rotation, def.parent_anchor) + Vec3{0, 0.25f, 0};
  const JointReading reading = measure_joint(def, parent, child);
  EXPECT_NEAR(reading.gap, 0.25f, 1e-5f);
  EXPECT_LT(distance(reading.angles, {0.4f, 0.1f, -0.2f}), 1e-4f);
  EXPECT_NEAR(reading.overshoot, 0.3f, 1e-4f);
}

}  // namespace sinew::testing
