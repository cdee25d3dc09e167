// The height limit: worked vectors, properties on random arms, branch memory.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sinew/rig/math.hpp>

#include "every_constraint.hpp"

namespace sinew::rig {
namespace {

using Side = HeightLimitedTwoBoneIk::Side;

HeightLimitedTwoBoneIk limited(Side side = Side::kLeft) {
  HeightLimitedTwoBoneIk ik;
  ik.root = "root";
  ik.mid = "mid";
  ik.tip = "tip";
  ik.target = "target";
  ik.side = side;
  return ik;
}

RigSource rig_of(const HeightLimitedTwoBoneIk& ik) {
  RigSource source;
  source.add_node("target");
  source.add_node("pole");
  source.add_node("desk");
  source.add_layer("layer").add("limit", ik);
  return source;
}

Skeleton arm(Vec3 root, Vec3 mid, Vec3 tip) {
  return make_skeleton(
      {{"root", nullptr, root}, {"mid", "root", mid - root}, {"tip", "mid", tip - mid}});
}

struct Worked {
  Vec3 mid;
  float limit;
  Side side;
  Vec3 want;
  RigStatus status;
};

TEST(HeightLimit, WorkedVectors) {
  const RigStatus good = RigStatus::kSatisfied, bad = RigStatus::kUnsatisfied;
  const Worked table[] = {
      {{.2f, .8f, 0}, .9f, Side::kRight, {.2f, .9f, .173205f}, good},
      {{.2f, .8f, 0}, .9f, Side::kLeft, {.2f, .9f, -.173205f}, good},
      {{.2f, .8f, .1f}, .9f, Side::kRight, {.2f, .9f, .2f}, good},
      {{.2f, .8f, .1f}, .9f, Side::kLeft, {.2f, .9f, -.2f}, good},
      {{.1f, .8f, .1f}, .9f, Side::kRight, {.1f, .9f, .2f}, good},
      {{.1f, .8f, .1f}, .9f, Side::kLeft, {.1f, .9f, -.2f}, good},
      {{.2f, .8f, .1f}, 1.5f, Side::kRight, {.2f, 1.223607f, 0}, bad},
      {{.2f, .8f, .1f}, 1.5f, Side::kLeft, {.2f, 1.223607f, 0}, bad},
      {{.2f, .95f, 0}, .9f, Side::kRight, {.2f, .95f, 0}, good},
  };
  for (const Worked& w : table) {
    HeightLimitedTwoBoneIk ik = limited(w.side);
    // The table is about the swivel alone: the hand is where it is.
    ik.position_weight = w.limit > 1 ? 1.0f : 0.0f;
    const Vec3 tip{.4f, 1, 0};
    SwivelProblem p{{0, 1, 0}, w.mid, tip, kAxisY, w.limit};
    const SwivelSolution s = solve_swivel(p);
    EXPECT_EQ(s.satisfied, w.status == good);
    if (w.limit > 1) {  // the goal would be raised too: check the point of the circle alone
      const Vec3 n = normalize_or(tip - p.root, kAxisX);
      const Vec3 at = p.root + rotate(from_axis_angle(n, s.low), w.mid - p.root);
      EXPECT_TRUE(close(at, w.want, 1e-5f));
      continue;
    }
    ik.limit = w.limit;
    RigRun run(rig_of(ik), arm({0, 1, 0}, w.mid, tip));
    run.evaluate();
    EXPECT_TRUE(close(run.model("mid").translation, w.want, 1e-5f));
    EXPECT_TRUE(close(run.model("tip").translation, tip, 1e-5f));
    EXPECT_EQ(run.status("limit"), w.status);
  }
}

TEST(HeightLimit, UprightArmIsNotTwisted) {
  HeightLimitedTwoBoneIk ik = limited();
  ik.position_weight = 0;
  ik.limit = 0.9f;
  const SwivelSolution s = solve_swivel({{0, 1, 0}, {.2f, .8f, 0}, {0, .6f, 0}, kAxisY, .9f});
  EXPECT_EQ(s.kind, SwivelSolution::Kind::kDegenerate);
  EXPECT_EQ(s.fade, 0);
  EXPECT_FALSE(s.satisfied);
}

TEST(HeightLimit, PropertiesOfRandomArms) {
  EXPECT_TRUE(rc::check([] {
    const auto uniform = [](float low, float high) {
      return low + (high - low) * static_cast<float>(*rc::gen::inRange(0, 100001)) / 100000.0f;
    };
    const auto in_box = [&](float size) {
      return Vec3{uniform(-size, size), uniform(-size, size), uniform(-size, size)};
    };
    HeightLimitedTwoBoneIk ik = limited(static_cast<Side>(*rc::gen::inRange(0, 3)));
    ik.plane_normal = {uniform(-0.5f, 0.5f), 1, uniform(-0.5f, 0.5f)};
    ik.limit = uniform(-0.5f, 0.3f);
    ik.radius = uniform(0, 0.1f);
    ik.rotation_weight = 0;
    if (*rc::gen::arbitrary<bool>()) ik.pole = "pole";
    RigRun run(rig_of(ik), arm({}, in_box(0.4f) + Vec3{0.1f, 0, 0}, in_box(0.6f)));
    run.move("target", in_box(0.7f));
    run.move("pole", in_box(1));
    const float upper = distance({}, run.model("mid").translation);
    const float lower = length(run.local("tip").translation);
    if (upper < 0.05f || lower < 0.05f) return;
    const Quat tip_before = run.model("tip").rotation;
    run.evaluate();
    const Vec3 mid = run.model("mid").translation, tip = run.model("tip").translation;
    RC_ASSERT(abs(length(mid) - upper) < 1e-5f);
    RC_ASSERT(abs(distance(mid, tip) - lower) < 1e-5f);
    RC_ASSERT(sinew::angle_between(run.model("tip").rotation, tip_before) < 1e-3f);
    const RigStatus status = run.status("limit");
    if (status == RigStatus::kSatisfied || status == RigStatus::kOutside) {
      const Vec3 m = normalize_or(ik.plane_normal, kAxisY);
      const float height = dot(m, mid) - ik.limit.initial - ik.radius.initial;
      RC_ASSERT(height >= -2e-6f * (upper + lower) - 1e-6f);
    }
  }));
}

// A hand that moves slowly, with the elbow hanging down: the limit takes hold and lets go again
// and again, the elbow never jumps, and while the limit is met it is never below.
TEST(HeightLimit, ASlowHandMakesNoJump) {
  for (const Side side : {Side::kNone, Side::kLeft, Side::kRight}) {
    HeightLimitedTwoBoneIk ik = limited(side);
    ik.limit = 0.9f;
    ik.hint = "pole";  // straight below
    RigRun run(rig_of(ik), arm({0, 1.05f, 0}, {.25f, 1.0f, -.05f}, {.45f, 1.1f, .05f}));
    run.move("pole", {.2f, -5, 0});
    Vec3 last;
    float fastest = 0;
    int held = 0, changes = 0;
    bool was_held = false;
    for (int i = 0; i < 4000; ++i) {
      const float t = static_cast<float>(i) * 0.002f;
      run.move("target",
               {0.3f + 0.1f * cos(2.1f * t), 1.1f + 0.15f * sin(3 * t), 0.1f * sin(1.7f * t)});
      run.evaluate(1.0f / 60);
      const Vec3 mid = run.model("mid").translation;
      if (i > 0) fastest = max(fastest, distance(mid, last));
      if (run.status("limit") == RigStatus::kSatisfied) {
        EXPECT_GE(mid.y, 0.9f - 1e-5f);
      }
      const bool is_held = mid.y < 0.9f + 1e-4f;
      held += is_held ? 1 : 0;
      changes += is_held != was_held ? 1 : 0;
      was_held = is_held;
      last = mid;
    }
    EXPECT_GT(held, 500);
    EXPECT_GT(changes, 4);
    // The hand makes at most 1.1 mm a tick; a change of side takes several ticks.
    EXPECT_LT(fastest, 0.03f) << static_cast<int>(side);
  }
}

TEST(HeightLimit, KeepsItsSideUntilTheLimitLetsGo) {
  HeightLimitedTwoBoneIk ik = limited(Side::kNone);
  ik.position_weight = 0;
  ik.limit = 0.9f;
  ik.ease = 0;
  RigRun run(rig_of(ik), arm({0, 1, 0}, {.2f, .8f, .02f}, {.4f, 1, 0}));
  const auto set_elbow = [&](float z) {
    run.pose = Pose(run.skeleton());
    run.set_local("mid", {{.2f, -.2f, z}, {}, {1, 1, 1}});
    run.set_local("tip", {{.2f, .2f, -z}, {}, {1, 1, 1}});
    run.evaluate_here();
    return run.model("mid").translation.z;
  };
  EXPECT_GT(set_elbow(.02f), 0);   // the nearer side
  EXPECT_GT(set_elbow(-.02f), 0);  // the other is nearer now, but the elbow stays
  run.pose = Pose(run.skeleton());
  run.set_local("mid", {{.2f, .2f, 0}, {}, {1, 1, 1}});
  run.set_local("tip", {{.2f, -.2f, 0}, {}, {1, 1, 1}});
  run.evaluate_here();  // above the limit: let go
  EXPECT_LT(set_elbow(-.02f), 0);
}

TEST(HeightLimit, ThePoleChooses) {
  HeightLimitedTwoBoneIk ik = limited(Side::kLeft);
  ik.position_weight = 0;
  ik.limit = 0.9f;
  ik.pole = "pole";
  for (const float z : {-1.0f, 1.0f}) {
    RigRun run(rig_of(ik), arm({0, 1, 0}, {.2f, .8f, 0}, {.4f, 1, 0}));
    run.move("pole", {.2f, 1, z});
    run.evaluate();
    EXPECT_TRUE(close(run.model("mid").translation, {.2f, .9f, .173205f * z}, 1e-5f));
  }
}

TEST(HeightLimit, ANodeGivesAMovingPlane) {
  HeightLimitedTwoBoneIk ik = limited();
  ik.plane = "desk";
  ik.limit = 0;
  ik.position_weight = 0;
  RigRun run(rig_of(ik), arm({0, 1, 0}, {.2f, .8f, 0}, {.4f, 1, 0}));
  run.move("desk", {5, 0.9f, 2});
  run.evaluate();
  EXPECT_NEAR(run.model("mid").translation.y, 0.9f, 1e-5f);
  run.root = {{0, 0.05f, 0}, {}, {1, 1, 1}};  // the character rises, the desk does not
  run.evaluate(10);
  EXPECT_NEAR(run.model("mid").translation.y, 0.85f, 1e-5f);
}

// Single precision far from the world's origin loses centimetres unless everything is relative.
TEST(HeightLimit, FarFromTheOrigin) {
  HeightLimitedTwoBoneIk ik = limited();
  ik.position_weight = 0;
  ik.limit = 0.9f;
  RigRun run(rig_of(ik), arm({0, 1, 0}, {.2f, .8f, 0}, {.4f, 1, 0}));
  run.root = {{16384, 0, -16384}, yaw(37), {1, 1, 1}};
  run.evaluate();
  EXPECT_TRUE(close(run.model("mid").translation, {.2f, .9f, -.173205f}, 1e-5f));
}

TEST(HeightLimit, RootOrTipBelowIsReported) {
  HeightLimitedTwoBoneIk ik = limited();
  ik.position_weight = 0;
  ik.limit = 1.1f;
  RigRun run(rig_of(ik), arm({0, 1, 0}, {.2f, 1.2f, 0}, {.4f, 1.2f, 0}));
  run.evaluate();
  EXPECT_EQ(run.status("limit"), RigStatus::kOutside);
}

TEST(HeightLimit, RefusesAPlaneWithoutDirection) {
  HeightLimitedTwoBoneIk ik = limited();
  ik.plane_normal = {};
  Findings findings;
  EXPECT_FALSE(RigDef::compile(rig_of(ik), arm({}, {1, 0, 0}, {1, 1, 0}), {}, findings).ok());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "rig.zero_length");
}

}  // namespace
}  // namespace sinew::rig
