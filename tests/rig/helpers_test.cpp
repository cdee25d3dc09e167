// Look-at chain, recoil, foot roll, copy transform, parent switch.
#include <gtest/gtest.h>

#include <sinew/rig/math.hpp>

#include "every_constraint.hpp"

namespace sinew::rig {
namespace {

LookAtChain look() {
  LookAtChain l;
  for (const auto& [joint, share] :
       {std::pair{"spine", 0.1f}, {"chest", 0.2f}, {"neck", 0.3f}, {"head", 0.4f}}) {
    LookAtChain::Link link;
    link.joint = joint;
    link.share = share;
    l.joints.push_back(link);
  }
  l.target = "t";
  l.half_life = 0;
  return l;
}

RigSource with_node(ConstraintBox box, float weight = 1) {
  RigSource source;
  source.add_node("t", {{0, 1.65f, 2}, {}, {1, 1, 1}});
  source.add_layer("layer").add("c", std::move(box), weight);
  return source;
}

float off_target(const RigRun& run) {
  return angle_between(rotate(run.model("head").rotation, kAxisZ),
                       run.node("t").translation - run.model("head").translation);
}

TEST(LookAtChain, AimsTheHeadAndSharesTheTurn) {
  RigRun run(with_node(look()), body_skeleton());
  run.move("t", {1.5f, 2.2f, 2});
  run.evaluate();
  EXPECT_LT(off_target(run), 1e-3f);
  EXPECT_EQ(run.status("c"), RigStatus::kSatisfied);
  const float whole = angle_of(run.model("head").rotation);
  EXPECT_NEAR(angle_of(run.local("spine").rotation), 0.1f * whole, 0.02f);
  EXPECT_NEAR(angle_of(run.local("chest").rotation), 0.2f * whole, 0.02f);
  EXPECT_NEAR(angle_of(run.local("neck").rotation), 0.3f * whole, 0.03f);
  EXPECT_EQ(run.local("hips").rotation, Quat{});
}

TEST(LookAtChain, KeepsLimitsAndSaysSo) {
  LookAtChain l = look();
  for (LookAtChain::Link& link : l.joints) link.limit = 10;
  RigRun run(with_node(l), body_skeleton());
  run.move("t", {5, 1.65f, 0});
  run.evaluate();
  EXPECT_EQ(run.status("c"), RigStatus::kUnsatisfied);
  for (const LookAtChain::Link& link : l.joints) {
    EXPECT_LT(angle_of(run.local(link.joint.name.c_str()).rotation), 10.05f * kDegToRad);
  }
  l = look();
  l.max_yaw = 30;
  RigRun other(with_node(l), body_skeleton());
  other.move("t", {5, 1.65f, 0});
  other.evaluate();
  const Vec3 sees = rotate(other.model("head").rotation, kAxisZ);
  EXPECT_NEAR(atan2(sees.x, sees.z), 30 * kDegToRad, 0.05f);
}

// A target that runs around the character behind its back: the head turns through the front.
TEST(LookAtChain, FollowsThroughTheFront) {
  LookAtChain l = look();
  l.half_life = 0.1f;
  RigRun run(with_node(l), body_skeleton());
  Vec3 last = kAxisZ;
  for (int i = 0; i < 300; ++i) {
    const float a = 0.05f * static_cast<float>(i);
    run.move("t", {3 * sin(a), 1.65f, 3 * cos(a)});
    run.evaluate();
    const Vec3 sees = rotate(run.model("head").rotation, kAxisZ);
    EXPECT_GT(sees.z, -0.2f);
    if (i > 0) {
      // the spring's top speed for half a turn
      EXPECT_LT(angle_between(sees, last), 0.28f);
    }
    last = sees;
  }
}

TEST(LookAtChain, DegenerateTargets) {
  RigRun run(with_node(look()), body_skeleton());
  run.move("t", run.model("head").translation);
  run.evaluate();
  EXPECT_EQ(run.status("c"), RigStatus::kDegenerate);
  run.move("t", {0, 9, 0});  // straight above
  run.evaluate();
  EXPECT_TRUE(is_finite(run.model("head")));
  LookAtChain none = look();
  none.joints.clear();
  Findings findings;
  EXPECT_FALSE(RigDef::compile(with_node(none), body_skeleton(), {}, findings).ok());
}

TEST(Recoil, KicksPeaksAtItsValueAndReturns) {
  Recoil r;
  r.nodes = {{"hand.L"}};
  r.pitch = 10;
  r.back = 0.05f;
  r.half_life = 0.08f;
  RigRun run(with_node(r), body_skeleton());
  run.evaluate(0.001f);
  const Vec3 rest = run.model("hand.L").translation;
  EXPECT_EQ(run.status("c"), RigStatus::kIdle);
  run.set("c.shots", 1);
  float most = 0, furthest = 0;
  for (int i = 0; i < 1500; ++i) {
    run.evaluate(0.001f);
    most = max(most, angle_of(run.local("hand.L").rotation));
    furthest = max(furthest, rest.z - run.model("hand.L").translation.z);
  }
  EXPECT_NEAR(most, 10 * kDegToRad, 0.002f);
  EXPECT_NEAR(furthest, 0.05f, 0.001f);
  EXPECT_TRUE(close(run.model("hand.L").translation, rest, 1e-4f));
  // Muzzle up: +Z turns toward +Y.
  run.set("c.shots", 2);
  run.evaluate(0.05f);
  EXPECT_GT(rotate(run.model("hand.L").rotation, kAxisZ).y, 0.05f);
}

FootRoll roll_of(const char* ankle) {
  FootRoll f;
  f.control = "t";
  f.ankle = ankle;
  return f;
}

TEST(FootRoll, RollsOverHeelBallAndToe) {
  RigSource source;
  source.add_node("t");
  source.add_node("ankle", {{0, 0.1f, 0}, {}, {1, 1, 1}});
  FootRoll f = roll_of("ankle");
  f.toes = "toes";
  source.add_layer("layer").add("c", f);
  const Skeleton skeleton = make_skeleton({{"toes", nullptr, {0, 0, 0.12f}}});
  RigRun run(source, skeleton);
  const Vec3 ankle{0, 0.1f, 0};
  const auto about = [&](Vec3 pivot, float degrees) {
    return pivot + rotate(pitch(degrees), ankle - pivot);
  };
  run.evaluate();
  EXPECT_TRUE(close(run.node("ankle").translation, ankle, 1e-6f));
  run.set("c.roll", -20);
  run.evaluate();
  EXPECT_TRUE(close(run.node("ankle").translation, about(f.heel, -20), 1e-5f));
  run.set("c.roll", 30);
  run.evaluate();
  EXPECT_TRUE(close(run.node("ankle").translation, about(f.ball, 30), 1e-5f));
  EXPECT_TRUE(close(run.node("ankle").rotation, pitch(30), 1e-4f));
  EXPECT_TRUE(close(run.model("toes").rotation, pitch(-30), 1e-4f));
  run.set("c.roll", 60);  // 45 about the ball, 15 more about the tip of the toes
  run.evaluate();
  const Vec3 lifted = f.toe_tip + rotate(pitch(15), about(f.ball, 45) - f.toe_tip);
  EXPECT_TRUE(close(run.node("ankle").translation, lifted, 1e-5f));
  run.set("c.roll", 0);
  run.set("c.bank", 10);
  run.evaluate();
  EXPECT_GT(run.node("ankle").translation.x, 0.01f);
}

TEST(CopyTransform, ScalesAndCutsEachAxis) {
  CopyTransform c;
  c.driven = "hand.L";
  c.source = "hand.R";
  c.position_factor = Vec3{2, 0, 0};
  c.position_max = {0.15f, 10, 10};
  c.rotation_factor = Vec3{0, -1, 0};
  c.rotation_min = {-180, -20, -180};
  c.scale_factor = Vec3{1, 1, 1};
  RigRun run(with_node(c), body_skeleton());
  const Transform rest = run.local("hand.L");
  Transform moved = run.local("hand.R");
  moved.translation += Vec3{0.05f, 0.05f, 0};
  moved.rotation = yaw(15);
  moved.scale = {1.5f, 1, 1};
  run.set_local("hand.R", moved);
  run.evaluate_here();
  EXPECT_TRUE(close(run.local("hand.L").translation, rest.translation + kAxisX * 0.1f, 1e-6f));
  EXPECT_TRUE(close(run.local("hand.L").rotation, yaw(-15), 1e-4f));
  EXPECT_NEAR(run.local("hand.L").scale.x, 1.5f, 1e-6f);
  moved.translation.x += 1;
  moved.rotation = yaw(50);
  run.pose = Pose(run.skeleton());
  run.set_local("hand.R", moved);
  run.evaluate_here();
  EXPECT_TRUE(close(run.local("hand.L").translation, rest.translation + kAxisX * 0.15f, 1e-6f));
  EXPECT_TRUE(close(run.local("hand.L").rotation, yaw(-20), 1e-4f));
  c.scale_min = {2, 2, 2};
  c.scale_max = {1, 1, 1};
  Findings findings;
  EXPECT_FALSE(RigDef::compile(with_node(c), body_skeleton(), {}, findings).ok());
}

TEST(ParentSwitch, PassesOnWithoutAJump) {
  ParentSwitch p;
  p.driven = "sword";
  p.parents = {"hips", "hand.R"};
  p.half_life = 0.1f;
  RigSource source;
  source.add_node("sword", {{0.2f, 1, -0.1f}, {}, {1, 1, 1}});
  source.add_layer("layer").add("c", p);
  RigRun run(source, body_skeleton());
  run.evaluate();
  EXPECT_TRUE(close(run.node("sword").translation, {0.2f, 1, -0.1f}, 1e-5f));
  Vec3 last = run.node("sword").translation;
  for (int i = 0; i < 240; ++i) {
    if (i == 20) run.set("c.active", 1);
    if (i == 120) run.set("c.active", 0);
    run.pose = Pose(run.skeleton());
    run.set_local("upper.R", {{-0.2f, 0.1f, 0}, pitch(0.5f * static_cast<float>(i)), {1, 1, 1}});
    run.evaluate_here();
    const Vec3 now = run.node("sword").translation;
    EXPECT_LT(distance(now, last), 0.06f) << i;
    last = now;
    if (i == 119) {  // settled in the hand, where the bind pose has it
      const Transform hand = run.model("hand.R");
      const Vec3 in_hand = Vec3{0.2f, 1, -0.1f} - Vec3{-0.77f, 1.5f, 0};
      EXPECT_TRUE(close(now, transform_point(hand, in_hand), 2e-3f));
    }
  }
  EXPECT_TRUE(close(last, {0.2f, 1, -0.1f}, 2e-3f));
}

TEST(ParentSwitch, RefusesToBeCarriedByItsChild) {
  ParentSwitch p;
  p.driven = "upper.L";
  p.parents = {"hand.L"};
  Findings findings;
  EXPECT_FALSE(RigDef::compile(with_node(p), body_skeleton(), {}, findings).ok());
}

}  // namespace
}  // namespace sinew::rig
