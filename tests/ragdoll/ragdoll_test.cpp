#include <limits>

#include <sinew/physics/null_world.hpp>
#include <sinew/physics_bullet/bullet_world.hpp>
#include <sinew/pose/model_pose.hpp>
#include <sinew/ragdoll/ragdoll.hpp>
#include <sinew/ragdoll/settle.hpp>

#include "figure.hpp"

namespace sinew::testing {

namespace {

// A figure in a world, standing at a place.
struct Stage {
  Model model;
  RagdollDef def;
  BulletWorld world;
  Ragdoll ragdoll;
  Pose pose;
  std::vector<Mat3x4> matrices;
  std::vector<BodyPlace> places;
  std::vector<BodyState> states;
  Transform at;

  explicit Stage(float scale = 1, float top = 1) : model(make_figure(top)) {
    AutoRagdollOptions options;
    options.scale = scale;
    def = RagdollDef::build(auto_ragdoll(model, options).value(), model.skeleton, scale).value();
    const Shape floor = Shape::plane();
    BodyDef ground;
    ground.shapes = std::span(&floor, 1);
    EXPECT_TRUE(world.add_body(ground).ok());
    ragdoll = Ragdoll::create(world, def, {.order = 100}).value();
    pose = Pose(model.skeleton);
    matrices.resize(static_cast<std::size_t>(model.skeleton.joint_count()));
    places.resize(def.bodies().size());
    states.resize(places.size());
    at.scale = {scale, scale, scale};
  }
  void put() {
    local_to_model(model.skeleton, std::as_const(pose).span(), matrices);
    body_places(def, matrices, at, places);
  }
  // Two poses, so that it moves.
  std::vector<BodyState> moving(Vec3 velocity, float spin = 0) {
    put();
    const std::vector<BodyPlace> before = places;
    at.translation += velocity / 60;
    at.rotation = from_yaw(spin / 60) * at.rotation;
    put();
    std::vector<BodyState> out(places.size());
    body_velocities(before, places, 1 / 60.f, out);
    return out;
  }
  void run(float seconds) {
    for (int i = 0; i < static_cast<int>(seconds * 60 + 0.5f); ++i) world.step(1 / 60.f);
    ragdoll.read(world, states);
  }
  int body(const char* joint) const { return def.body_of_joint(*model.skeleton.find(joint)); }
};

Vec3 momentum(const RagdollDef& def, std::span<const BodyState> states) {
  Vec3 sum;
  for (std::size_t i = 0; i < states.size(); ++i) {
    sum += states[i].linear_velocity * def.bodies()[i].mass;
  }
  return sum;
}

}  // namespace

TEST(RagdollPose, BodiesAndPoseAreInverse) {
  for (const float scale : {1.0f, 0.5f}) {
    for (const float top : {1.0f, 0.01f, 100.0f}) {
      Stage s(scale, top);
      s.at.translation = {3, 1, -2};
      s.at.rotation = from_axis_angle(normalize_or({1, 2, 3}, kAxisY), 0.8f);
      // Some pose, and another one to start from.
      int k = 0;
      for (const RagdollBody& b : s.def.bodies()) {
        set_rotation(s.model.skeleton, s.pose, b.joint,
                     from_axis_angle(normalize_or({1, 0.3f, -0.5f}, kAxisX),
                                     0.1f * static_cast<float>(k++)));
      }
      s.put();
      const std::vector<Mat3x4> wanted = s.matrices;
      std::vector<BodyState> states(s.places.size());
      for (std::size_t i = 0; i < states.size(); ++i) {
        states[i].position = s.places[i].position;
        states[i].rotation = s.places[i].rotation;
      }
      Pose other(s.model.skeleton);
      std::vector<Mat3x4> scratch(s.matrices.size());
      apply_bodies_to_pose(s.def, s.model.skeleton, states, s.def.all(), s.at, other, scratch);
      for (std::size_t j = 0; j < wanted.size(); ++j) {
        EXPECT_LT(distance(translation_of(scratch[j]), translation_of(wanted[j])), 2e-4f)
            << scale << " " << top << " " << s.model.skeleton.name(static_cast<int>(j));
      }
    }
  }
}

TEST(Ragdoll, MomentumGoesInAndOut) {
  Stage s;
  s.at.translation = {0, 1, 0};
  const std::vector<BodyState> start = s.moving({2, 0.5f, -1}, 1.5f);
  s.ragdoll.release(s.world, s.def.all(), start);
  s.ragdoll.read(s.world, s.states);
  const Vec3 expected = Vec3{2, 0.5f, -1} * s.def.total_mass();
  EXPECT_LT(distance(momentum(s.def, s.states), expected), 0.02f * length(expected));
  EXPECT_LT(distance(s.ragdoll.momentum(s.world), momentum(s.def, s.states)), 0.01f);
  s.run(1 / 60.f);
  const Vec3 after = expected + Vec3{0, -9.81f / 60, 0} * s.def.total_mass();
  EXPECT_LT(distance(momentum(s.def, s.states), after), 0.05f * length(expected));
}

TEST(Ragdoll, HitsAreCapped) {
  Stage s;
  s.at.translation = {0, 1, 0};
  s.ragdoll.release(s.world, s.def.all(), s.moving({}));
  const int hand = s.body("LeftHand");
  s.ragdoll.read(s.world, s.states);
  EXPECT_TRUE(s.ragdoll.hit(s.world, hand, {0, 0, 1e6f},
                            s.states[static_cast<std::size_t>(hand)].position));
  s.ragdoll.read(s.world, s.states);
  EXPECT_NEAR(length(s.states[static_cast<std::size_t>(hand)].linear_velocity),
              Ragdoll::kMostHitSpeed, 0.1f);
  EXPECT_FALSE(s.ragdoll.hit(s.world, 99, {1, 0, 0}, {}));
  EXPECT_FALSE(s.ragdoll.hit(s.world, hand, {std::numeric_limits<float>::quiet_NaN(), 0, 0}, {}));
}

TEST(Ragdoll, AnimatedLimbsAreHitShapes) {
  Stage s;
  s.at.translation = {5, 0, 0};
  s.put();
  s.ragdoll.follow(s.world, s.places);
  Hit hit;
  const RayCast shot{{5.1f, 0.6f, -3}, {0, 0, 1}, 10, {kLayerHitShape, {}, 0}};
  ASSERT_TRUE(s.world.cast(shot, hit));
  EXPECT_EQ(s.ragdoll.find(hit.body), s.body("LeftUpperLeg"));
  EXPECT_EQ(s.ragdoll.find({1234, 5}), -1);
  // They are not there for the simulation.
  s.run(0.5f);
  EXPECT_LT(distance(s.states[0].position, s.places[0].position), 1e-5f);
}

// Partial: what hangs on the shoulder swings, the rest stays with the animation.
TEST(Ragdoll, PartOfItFalls) {
  Stage s;
  s.at.translation = {0, 0, 0};
  s.put();
  s.ragdoll.follow(s.world, s.places);
  s.world.step(1 / 60.f);
  const int shoulder = s.body("LeftUpperArm");
  const std::uint64_t arm = s.def.subtree(shoulder);
  s.ragdoll.release(s.world, arm, s.moving({}));
  EXPECT_EQ(s.ragdoll.limp(), arm);
  for (int i = 0; i < 90; ++i) {
    s.ragdoll.follow(s.world, s.places);
    s.world.step(1 / 60.f);
  }
  s.ragdoll.read(s.world, s.states);
  const auto hand = static_cast<std::size_t>(s.body("LeftHand"));
  EXPECT_LT(s.states[hand].position.y, s.places[hand].position.y - 0.3f) << "the arm hangs";
  for (std::size_t i = 0; i < s.states.size(); ++i) {
    if ((arm >> i) & 1) continue;
    EXPECT_LT(distance(s.states[i].position, s.places[i].position), 1e-5f);
  }
  // In the pose only the arm differs.
  Pose out(s.model.skeleton);
  std::vector<Mat3x4> scratch(s.matrices.size());
  apply_bodies_to_pose(s.def, s.model.skeleton, s.states, arm, s.at, out, scratch);
  const Skeleton& skeleton = s.model.skeleton;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const bool moves = skeleton.is_ancestor(*skeleton.find("LeftUpperArm"), j);
    if (!moves) {
      EXPECT_EQ(get_joint(skeleton, std::as_const(out).span(), j),
                get_joint(skeleton, std::as_const(s.pose).span(), j));
    }
  }
  s.ragdoll.recover(s.world, s.def.all());
  EXPECT_FALSE(s.ragdoll.active());
  s.ragdoll.follow(s.world, s.places);
  s.ragdoll.read(s.world, s.states);
  EXPECT_LT(distance(s.states[hand].position, s.places[hand].position), 1e-5f);
}

TEST(Ragdoll, PoweredHoldsThePoseAndLimpFalls) {
  Stage s;
  s.at.translation = {0, 2, 0};
  s.ragdoll.release(s.world, s.def.all(), s.moving({}));
  const float full = 1, none = 0;
  for (int i = 0; i < 120; ++i) {
    s.ragdoll.drive(s.world, s.places, std::span(&full, 1), 1);
    s.world.step(1 / 60.f);
  }
  s.ragdoll.read(s.world, s.states);
  EXPECT_TRUE(s.ragdoll.powered());
  for (std::size_t i = 0; i < s.states.size(); ++i) {
    EXPECT_LT(distance(s.states[i].position, s.places[i].position), 0.02f) << i;
    EXPECT_LT(angle_between(s.states[i].rotation, s.places[i].rotation), 0.05f) << i;
  }
  // One strength per body: the left arm lets go, and only it.
  std::vector<float> strength(s.states.size(), 1.0f);
  const int shoulder = s.body("LeftUpperArm");
  for (std::size_t i = 0; i < strength.size(); ++i) {
    if ((s.def.subtree(shoulder) >> i) & 1) strength[i] = 0;
  }
  for (int i = 0; i < 120; ++i) {
    s.ragdoll.drive(s.world, s.places, strength, 1);
    s.world.step(1 / 60.f);
  }
  s.ragdoll.read(s.world, s.states);
  const auto left = static_cast<std::size_t>(s.body("LeftHand")),
             right = static_cast<std::size_t>(s.body("RightHand"));
  EXPECT_LT(s.states[left].position.y, s.places[left].position.y - 0.3f);
  EXPECT_LT(distance(s.states[right].position, s.places[right].position), 0.03f);
  s.ragdoll.drive(s.world, s.places, std::span(&none, 1), 0);
  s.run(1.5f);
  EXPECT_LT(s.states[0].position.y, 0.5f);
}

TEST(Ragdoll, FallsSettlesAndSleeps) {
  Stage s;
  s.at.translation = {0, 0.2f, 0};
  s.ragdoll.release(s.world, s.def.all(), s.moving({0.5f, 0, 0.4f}));
  SettleTest settle;
  const SettleDef def;
  float settled = -1;
  for (int i = 0; i < 600; ++i) {
    s.world.step(1 / 60.f);
    s.ragdoll.read(s.world, s.states);
    const bool held = s.world.supported(s.ragdoll.group(), def.support, def.up);
    if (settle.update(def, s.states, held, 1 / 60.f) && settled < 0) {
      settled = static_cast<float>(i + 1) / 60;
    }
  }
  EXPECT_GT(settled, 0.5f);
  EXPECT_LT(settled, 6);
  EXPECT_FALSE(settle.timed_out());
  EXPECT_TRUE(s.world.asleep(s.ragdoll.bodies()[0]));
  std::vector<JointReading> joints(s.ragdoll.joints().size());
  s.world.read_joints(s.ragdoll.joints(), joints);
  for (const JointReading& j : joints) EXPECT_LT(j.gap, 0.005f);
  // Still held up while asleep, and woken by a blow.
  EXPECT_TRUE(s.world.supported(s.ragdoll.group(), kLayerGround, 0.3f));
  s.ragdoll.hit(s.world, 0, {0, 300, 0}, s.states[0].position);
  EXPECT_FALSE(s.world.asleep(s.ragdoll.bodies()[0]));
}

TEST(SettleTest, NeverEarlyAndNeverWithoutGround) {
  SettleDef def;
  std::vector<BodyState> states(2);
  SettleTest test;
  // Slow sliding: 12 cm/s.
  for (int i = 0; i < 240; ++i) {
    states[0].position.x = 0.002f * static_cast<float>(i);
    EXPECT_FALSE(test.update(def, states, true, 1 / 60.f));
  }
  // Swinging back to the same place each 0.3 s is no rest.
  test.reset();
  for (int i = 0; i < 240; ++i) {
    states[0].position.x = 0.05f * sin(static_cast<float>(i) * kTwoPi / 18);
    EXPECT_FALSE(test.update(def, states, true, 1 / 60.f));
  }
  test.reset();
  int ticks = 0;
  for (int i = 0; i < 60; ++i) EXPECT_FALSE(test.update(def, states, false, 1 / 60.f));
  while (!test.update(def, states, true, 1 / 60.f) && ticks < 100) ++ticks;
  EXPECT_LT(ticks, 31) << "decided within 0.5 s";
  EXPECT_FALSE(test.timed_out());
  // Shaken for ever: at 10 s.
  test.reset();
  ticks = 0;
  for (bool done = false; !done && ticks < 1000; ++ticks) {
    states[0].position.x = ticks % 2 == 0 ? 0.0f : 0.2f;
    done = test.update(def, states, true, 1 / 60.f);
  }
  EXPECT_NEAR(ticks, 600, 1);
  EXPECT_TRUE(test.timed_out());
}

TEST(Ragdoll, WorksInAWorldWithoutForces) {
  const Model model = make_figure();
  const RagdollDef def = RagdollDef::build(auto_ragdoll(model).value(), model.skeleton).value();
  NullWorld world;
  Ragdoll ragdoll = Ragdoll::create(world, def).value();
  std::vector<BodyState> states(def.bodies().size());
  ragdoll.read(world, states);
  ragdoll.release(world, def.all(), states);
  world.step(1 / 60.f);
  EXPECT_TRUE(ragdoll.active());
  ragdoll.destroy(world);
  EXPECT_TRUE(world.bodies().empty());
  EXPECT_TRUE(ragdoll.empty());
}

TEST(Ragdoll, SurvivesExtremes) {
  for (const float scale : {0.01f, 100.0f}) {
    Stage s(scale);
    s.at.translation = {0, 0.3f * scale, 0};
    s.ragdoll.release(s.world, s.def.all(), s.moving({scale, 0, 0}));
    s.ragdoll.hit(s.world, 3, {1e9f, 1e9f, 1e9f}, {}, false);
    s.run(2);
    for (const BodyState& b : s.states) {
      EXPECT_TRUE(is_finite(b.position)) << scale;
      EXPECT_TRUE(is_finite(b.linear_velocity)) << scale;
    }
  }
}

}  // namespace sinew::testing
