// The constants and set-ups of the well-known package's own tests (rigging rules, section 17).
#include <gtest/gtest.h>

#include <sinew/rig/math.hpp>

#include "every_constraint.hpp"

namespace sinew::rig {
namespace {

constexpr float kDegree = kDegToRad;

RigSource with(ConstraintBox box, std::initializer_list<std::pair<const char*, Vec3>> nodes) {
  RigSource source;
  for (const auto& [name, at] : nodes) source.add_node(name, {at, {}, {1, 1, 1}});
  source.add_layer("layer").add("c", std::move(box));
  return source;
}

TEST(PackageTwoBone, FollowsTheTargetAndBlendsByWeight) {
  TwoBoneIk ik;
  ik.root = "upper.L";
  ik.mid = "lower.L";
  ik.tip = "hand.L";
  ik.target = "t";
  const Vec3 hand{0.77f, 1.5f, 0};
  RigRun run(with(ik, {{"t", hand}}), body_skeleton());
  for (int i = 0; i < 5; ++i) {
    run.move("t", hand + kAxisY * (0.1f * static_cast<float>(i)));
    run.evaluate();
    const Vec3 root = run.model("upper.L").translation;
    EXPECT_LT(
        angle_between(run.model("hand.L").translation - root, run.node("t").translation - root),
        0.05f);
  }
  const Vec3 goal{0.6f, 1.6f, 0.1f};
  run.move("t", goal);
  for (int i = 0; i <= 5; ++i) {
    const float w = 0.2f * static_cast<float>(i);
    run.set("c.weight", w);
    run.evaluate();
    EXPECT_TRUE(close(run.model("hand.L").translation, lerp(hand, goal, w), 1e-4f));
  }
}

TEST(PackageTwoBone, TheHintPullsTheElbowToItsSide) {
  TwoBoneIk ik;
  ik.root = "upper.L";
  ik.mid = "lower.L";
  ik.tip = "hand.L";
  ik.target = "t";
  ik.hint = "h";
  RigRun run(with(ik, {{"t", {0.6f, 1.5f, 0}}, {"h", {}}}), body_skeleton());
  for (const Vec3 side : {kAxisY, -kAxisY, kAxisZ, -kAxisZ}) {
    run.move("h", Vec3{0.4f, 1.5f, 0} + side);
    run.evaluate();
    const Vec3 elbow = run.model("lower.L").translation - Vec3{0, 1.5f, 0};
    EXPECT_GT(dot(elbow, side), 0.05f);
    EXPECT_NEAR(dot(elbow, cross(side, kAxisX)), 0, 0.05f);
  }
}

// Sources that begin at the driven joint; s0 goes +X and turns by -90, s1 -X and +90.
TEST(PackageMulti, ParentFollowsEachSourceExactly) {
  const Vec3 hips{0, 1, 0};
  MultiParent p;
  p.driven = "hips";
  p.sources = {{"s0", 1}, {"s1", 0}};
  p.maintain_position = p.maintain_rotation = true;
  RigRun run(with(p, {{"s0", hips}, {"s1", hips}}), body_skeleton());
  const Vec3 a = hips + kAxisX, b = hips - kAxisX;
  run.move("s0", a, yaw(-90));
  run.move("s1", b, yaw(90));
  run.evaluate();
  EXPECT_TRUE(close(run.model("hips").translation, a, 1e-5f));
  EXPECT_TRUE(close(run.model("hips").rotation, yaw(-90), 1e-4f));
  run.set("c.sources.0.weight", 0);
  run.set("c.sources.1.weight", 1);
  run.evaluate();
  EXPECT_TRUE(close(run.model("hips").translation, b, 1e-5f));
  EXPECT_TRUE(close(run.model("hips").rotation, yaw(90), 1e-4f));
  run.set("c.sources.0.weight", 1);
  run.set("c.sources.1.weight", 0);
  for (int i = 0; i <= 5; ++i) {
    const float w = 0.2f * static_cast<float>(i);
    run.set("c.weight", w);
    run.evaluate();
    EXPECT_TRUE(close(run.model("hips").translation, lerp(hips, a, w), 1e-5f));
    EXPECT_TRUE(close(run.model("hips").rotation, qlerp({}, yaw(-90), w), 1e-4f));
  }
}

TEST(PackageMulti, PositionAndRotation) {
  const Vec3 hips{0, 1, 0};
  MultiPosition p;
  p.driven = "hips";
  p.sources = {{"s0", 1}, {"s1", 1}};
  RigRun run(with(p, {{"s0", hips + kAxisX}, {"s1", hips - kAxisX}}), body_skeleton());
  run.evaluate();
  EXPECT_TRUE(close(run.model("hips").translation, hips, 1e-5f));
  run.set("c.sources.1.weight", 0);
  run.evaluate();
  EXPECT_TRUE(close(run.model("hips").translation, hips + kAxisX, 1e-5f));

  MultiRotation r;
  r.driven = "hips";
  r.sources = {{"s0", 1}, {"s1", 0}};
  RigRun turn(with(r, {{"s0", hips}, {"s1", hips}}), body_skeleton());
  turn.move("s0", hips, yaw(90));
  turn.move("s1", hips, yaw(-90));
  turn.evaluate();
  EXPECT_TRUE(close(turn.model("hips").rotation, yaw(90), 1e-4f));
  turn.set("c.sources.0.weight", 0);
  turn.set("c.sources.1.weight", 1);
  turn.evaluate();
  EXPECT_TRUE(close(turn.model("hips").rotation, yaw(-90), 1e-4f));
}

TEST(PackageAim, WeightsTurnAwayStepByStep) {
  MultiAim aim;
  aim.driven = "head";
  aim.sources = {{"s", 1}};
  const Skeleton body = body_skeleton();
  const Vec3 head{0, 1.65f, 0};
  RigRun run(with(aim, {{"s", head + Vec3{1, 0.3f, 1}}}), body_skeleton());
  run.evaluate();
  const Vec3 to = run.node("s").translation - head;
  EXPECT_LT(angle_between(rotate(run.model("head").rotation, kAxisZ), to), 1e-5f);
  float last = 10;
  for (int i = 0; i <= 5; ++i) {
    run.set("c.weight", 0.2f * static_cast<float>(i));
    run.evaluate();
    const float angle = angle_between(rotate(run.model("head").rotation, kAxisZ), to);
    EXPECT_LT(angle, last);
    last = angle;
  }
  run.set("c.sources.0.weight", 0);
  run.evaluate();
  EXPECT_EQ(run.local("head"), body.rest(*body.find("head")));
}

TEST(PackageReferential, ThreeObjectsFollowWhicheverDrives) {
  MultiReferential m;
  m.nodes = {"a", "b", "c2"};
  RigRun run(with(m, {{"a", {}}, {"b", {}}, {"c2", {}}}), body_skeleton());
  const char* names[] = {"a", "b", "c2"};
  for (int driver = 0; driver < 3; ++driver) {
    for (const char* n : names) run.move(n, {});
    run.move(names[driver], {0, 0, 1}, yaw(90));
    run.set("c.driver", static_cast<float>(driver));
    run.evaluate();
    for (const char* n : names) {
      EXPECT_TRUE(close(run.node(n).translation, {0, 0, 1}, 1e-6f));
      EXPECT_NEAR(abs(dot(run.node(n).rotation, yaw(90))), 1, 1e-6f);
    }
  }
  // Past the end: clamped; the package reads past its list, in compat nothing is done.
  run.set("c.driver", 7);
  run.evaluate();
  EXPECT_EQ(run.status("c"), RigStatus::kSatisfied);
  RigSource source = with(m, {{"a", {}}, {"b", {}}, {"c2", {}}});
  source.layers[0].constraints[0].compat = true;
  RigRun compat(source, body_skeleton());
  compat.set("c.driver", 7);
  compat.evaluate();
  EXPECT_EQ(compat.status("c"), RigStatus::kDegenerate);
}

TEST(PackageDamped, ScalarVectors) {
  DampedTransform d;
  d.driven = "d";
  d.source = "s";
  d.maintain_aim = false;
  const auto run_with = [&](float damp, float dt, std::initializer_list<float> want, float tol) {
    d.damp_position = damp;
    RigRun run(with(d, {{"d", {}}, {"s", {}}}), body_skeleton());
    run.move("s", {1, 0, 0});
    for (const float w : want) {
      run.evaluate(dt);
      EXPECT_NEAR(run.node("d").translation.x, w, tol);
    }
  };
  run_with(0.5f, 1.0f / 60, {.166667f, .305556f, .421296f, .517747f}, 2e-4f);
  run_with(0.5f, 1.0f / 30, {.305556f, .517747f, .665102f, .767432f}, 2e-4f);
  run_with(0, 1.0f / 60, {.666667f, .888889f, .962963f}, 2e-4f);
  run_with(0, 1, {1}, 1e-6f);
  // The exact form does not depend on the frame rate.
  d.exact = true;
  run_with(0.5f, 0.01667f, {.1667f, .305578f}, 1e-4f);
  run_with(0.5f, 0.03334f, {.305578f}, 1e-4f);
}

TEST(PackageDamped, PauseAndWeightZeroStartOver) {
  DampedTransform d;
  d.driven = "d";
  d.source = "s";
  RigRun run(with(d, {{"d", {}}, {"s", {0, 0, 1}}}), body_skeleton());
  run.move("s", {5, 0, 1});
  run.evaluate();
  EXPECT_GT(run.node("d").translation.x, 0.1f);
  run.set("c.weight", 0);
  run.evaluate();
  EXPECT_EQ(run.node("d").translation.x, 0);
  run.set("c.weight", 1);
  run.evaluate(0);
  EXPECT_EQ(run.node("d").translation.x, 0);
}

TEST(PackageOverride, SourceMotionInThreeSpaces) {
  using Space = OverrideTransform::Space;
  for (const Space space : {Space::kWorld, Space::kLocal, Space::kPivot}) {
    OverrideTransform o;
    o.driven = "hand.L";
    o.source = "s";
    o.space = space;
    RigRun run(with(o, {{"s", {}}}), body_skeleton());
    const Vec3 rest = run.model("hand.L").translation, parent = run.model("lower.L").translation;
    for (int i = 0; i < 5; ++i) {
      const Vec3 at = kAxisY * (0.1f * static_cast<float>(i));
      run.move("s", at);
      run.evaluate();
      const Vec3 want = space == Space::kWorld ? at : at + (space == Space::kLocal ? parent : rest);
      EXPECT_TRUE(close(run.model("hand.L").translation, want, 1e-5f));
    }
  }
}

TEST(PackageTwist, HandRotatedAboutX) {
  TwistCorrection t;
  t.source = "hand.L";
  t.axis = TwistCorrection::TwistAxis::kX;
  t.nodes = {{"lower.R", 0}, {"upper.R", 1}, {"hand.R", -1}};
  RigRun run(with(t, {}), body_skeleton());
  run.set_local("hand.L", {{0.27f, 0, 0.02f}, pitch(-90), {1, 1, 1}});
  run.evaluate_here();
  EXPECT_TRUE(close(run.local("lower.R").rotation, {}, 1e-4f));
  EXPECT_TRUE(close(run.local("upper.R").rotation, pitch(-90), 1e-4f));
  EXPECT_TRUE(close(run.local("hand.R").rotation, pitch(90), 1e-4f));
}

TEST(PackageTwistChain, TipAndRootFollowExactly) {
  TwistChain t;
  t.root = "hips";
  t.tip = "head";
  t.root_target = "r";
  t.tip_target = "e";
  RigRun run(with(t, {{"r", {}}, {"e", {}}}), body_skeleton());
  for (int i = 1; i <= 5; ++i) {
    run.move("e", {}, roll(10.0f * static_cast<float>(i)));
    run.move("r", {}, roll(-10.0f * static_cast<float>(i)));
    run.evaluate();
    EXPECT_TRUE(close(run.model("head").rotation, roll(10.0f * static_cast<float>(i)), 1e-4f));
    EXPECT_TRUE(close(run.model("hips").rotation, roll(-10.0f * static_cast<float>(i)), 1e-4f));
    const float middle = 2 * atan2(run.model("chest").rotation.z, run.model("chest").rotation.w);
    EXPECT_GT(middle, -10.0f * static_cast<float>(i) * kDegree);
    EXPECT_LT(middle, 10.0f * static_cast<float>(i) * kDegree);
  }
  // Half of the curve leaves the tip at the target, the others nearer to root.
  t.curve = {{0, 0}, {0.999f, 0}, {1, 1}};
  RigRun late(with(t, {{"r", {}}, {"e", {}}}), body_skeleton());
  late.move("e", {}, roll(40));
  late.evaluate();
  EXPECT_TRUE(close(late.model("neck").rotation, {}, 1e-4f));
  EXPECT_TRUE(close(late.model("head").rotation, roll(40), 1e-4f));
}

TEST(PackageBlend, WeightsAndFlags) {
  Blend b;
  b.driven = "hand.L";
  b.a = "a";
  b.b = "b";
  RigRun run(with(b, {{"a", {1, 0, 0}}, {"b", {0, 0, 1}}}), body_skeleton());
  run.move("b", {0, 0, 1}, yaw(60));
  for (const float w : {0.0f, 1.0f}) {
    run.set("c.position_weight", w);
    run.set("c.rotation_weight", w);
    run.evaluate();
    EXPECT_TRUE(close(run.model("hand.L").translation, {1 - w, 0, w}, 1e-5f));
    EXPECT_NEAR(abs(dot(run.model("hand.L").rotation, yaw(60 * w))), 1, 1e-5f);
  }
  b.blend_position = b.blend_rotation = false;
  RigRun off(with(b, {{"a", {1, 0, 0}}, {"b", {0, 0, 1}}}), body_skeleton());
  const Transform rest = off.local("hand.L");
  off.evaluate();
  EXPECT_EQ(off.local("hand.L"), rest);
}

TEST(PackageChain, SpecificationVectors) {
  ChainIk ik;
  ik.root = "a";
  ik.tip = "c";
  ik.target = "t";
  const Skeleton chain =
      make_skeleton({{"a", nullptr, {}}, {"b", "a", {1, 0, 0}}, {"c", "b", {1, 0, 0}}});
  RigSource source = with(ik, {{"t", {1, 1, 0}}});
  source.layers[0].constraints[0].name = "chain";
  source.layers[0].constraints[0].compat = true;
  RigRun run(source, chain);
  run.evaluate();
  EXPECT_TRUE(close(run.model("b").translation, {1, 0, 0}, 1e-5f));
  EXPECT_TRUE(close(run.model("c").translation, {1, 1, 0}, 1e-4f));
  run.move("t", {0, 5, 0});
  run.evaluate();
  EXPECT_TRUE(close(run.model("c").translation, {0, 2, 0}, 1e-5f));
  EXPECT_EQ(run.status("chain"), RigStatus::kOutOfReach);
  run.move("t", {1, 0, 0});  // on its own line: the package leaves it, the fix bends it
  run.evaluate();
  EXPECT_TRUE(close(run.model("c").translation, {2, 0, 0}, 1e-5f));
  source.layers[0].constraints[0].compat = false;
  RigRun fixed(source, chain);
  fixed.move("t", {1, 0, 0});
  fixed.evaluate();
  EXPECT_TRUE(close(fixed.model("c").translation, {1, 0, 0}, 1e-3f));
  EXPECT_EQ(fixed.status("chain"), RigStatus::kSatisfied);
}

}  // namespace
}  // namespace sinew::rig
