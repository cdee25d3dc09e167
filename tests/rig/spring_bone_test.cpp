#include <gtest/gtest.h>

#include <sinew/rig/spring_bone.hpp>

#include "every_constraint.hpp"

namespace sinew::rig {
namespace {

Skeleton tail_skeleton() {
  return make_skeleton({{"base", nullptr, {0, 1, 0}},
                        {"a", "base", {0, 0, -0.1f}},
                        {"b", "a", {0, 0, -0.2f}},
                        {"c", "b", {0, 0, -0.2f}},
                        {"end", "c", {0, 0, -0.2f}}});
}

SpringBone spring_bone() {
  SpringBone s;
  s.root = "a";
  s.tip = "end";
  return s;
}

RigSource rig_of(const SpringBone& s) {
  RigSource source;
  source.add_node("floor").space = RigNodeSource::Space::kModel;
  source.add_layer("layer").add("tail", s);
  return source;
}

// The step of the specification, on one bone, written out in double.
TEST(SpringBone, FollowsTheSpecificationsFormula) {
  SpringBone s = spring_bone();
  s.tip = "b";
  s.stiffness = 2;
  s.drag = 0.3f;
  s.gravity = 1.5f;
  RigRun run(rig_of(s), tail_skeleton());
  run.evaluate(0);  // starts in the rest pose
  const double dt = 1.0 / 60, length = 0.2;
  double head[3] = {0, 1, -0.1}, now[3] = {0, 1, -0.3}, before[3] = {0, 1, -0.3};
  for (int i = 0; i < 40; ++i) {
    head[0] = 0.02 * i;  // the character walks to the side
    run.root.translation.x = static_cast<float>(head[0]);
    run.evaluate(1.0f / 60 + 1e-7f);
    double next[3], l2 = 0;
    const double wanted[3] = {0, 0, -1}, down[3] = {0, -1, 0};
    for (int c = 0; c < 3; ++c) {
      next[c] = now[c] + (now[c] - before[c]) * 0.7 + dt * 2 * wanted[c] + dt * 1.5 * down[c];
      l2 += (next[c] - head[c]) * (next[c] - head[c]);
    }
    for (int c = 0; c < 3; ++c) {
      before[c] = now[c];
      now[c] = head[c] + (next[c] - head[c]) * length / std::sqrt(l2);
    }
    // Shown is the step before (the fraction of the clock is near 0): compare with that, pulled
    // back onto the bone's sphere.
    double shown[3], d2 = 0;
    for (int c = 0; c < 3; ++c) d2 += (before[c] - head[c]) * (before[c] - head[c]);
    for (int c = 0; c < 3; ++c) shown[c] = head[c] + (before[c] - head[c]) * length / std::sqrt(d2);
    const Vec3 got = transform_point(run.root, run.model("b").translation);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(double(got[c]), shown[c], 2e-4) << i;
  }
}

TEST(SpringBone, KeepsLengthsAndComesToRest) {
  SpringBone s = spring_bone();
  s.gravity = 0.5f;
  RigRun run(rig_of(s), tail_skeleton());
  float lowest = 1;
  for (int i = 0; i < 600; ++i) {
    run.root = {{0.5f * sin(0.05f * static_cast<float>(i < 200 ? i : 200)), 0, 0}, {}, {1, 1, 1}};
    run.evaluate(1.0f / 50);
    for (const char* joint : {"b", "c", "end"}) {
      EXPECT_EQ(run.local(joint).translation,
                run.skeleton().rest(*run.skeleton().find(joint)).translation);
    }
    lowest = min(lowest, run.model("end").translation.y);
  }
  EXPECT_LT(lowest, 0.95f);  // gravity has drawn it down
  const Vec3 at = run.model("end").translation;
  run.evaluate(1.0f / 50);
  EXPECT_TRUE(close(run.model("end").translation, at, 1e-5f));
}

// The same wall-clock motion at 30, 60 and 144 Hz gives nearly the same tail.
TEST(SpringBone, FrameRatesAgree) {
  Vec3 ends[3];
  const int rates[3] = {30, 60, 144};
  for (int r = 0; r < 3; ++r) {
    RigRun run(rig_of(spring_bone()), tail_skeleton());
    run.evaluate(0);
    for (int i = 1; i <= rates[r] * 2; ++i) {
      const float t = static_cast<float>(i) / static_cast<float>(rates[r]);
      run.root.translation = {0.3f * sin(3 * t), 0, 0};
      run.evaluate(1.0f / static_cast<float>(rates[r]));
    }
    ends[r] = run.model("end").translation;
  }
  EXPECT_TRUE(close(ends[0], ends[1], 0.04f));
  EXPECT_TRUE(close(ends[2], ends[1], 0.04f));
}

TEST(SpringBone, CollidersKeepTailsOut) {
  SpringBone s = spring_bone();
  s.stiffness = 0.1f;
  s.gravity = 3;
  SpringCollider sphere;
  sphere.node = "base";
  sphere.offset = {0, -0.15f, -0.4f};
  sphere.radius = 0.12f;
  SpringCollider plane;
  plane.node = "floor";
  plane.shape = SpringCollider::Shape::kPlane;
  plane.offset = {0, 0.7f, 0};
  s.colliders = {plane, sphere};
  float nearest = 1;
  RigRun run(rig_of(s), tail_skeleton());
  for (int i = 0; i < 300; ++i) {
    run.evaluate();
    for (const char* joint : {"b", "c", "end"}) {
      const Vec3 at = run.model(joint).translation;
      EXPECT_GE(distance(at, {0, 0.85f, -0.4f}), 0.14f - 1e-4f) << joint;
      if (i == 299) nearest = min(nearest, distance(at, {0, 0.85f, -0.4f}));
    }
  }
  EXPECT_LT(nearest, 0.145f);  // the tail lies on the sphere

  s.colliders = {plane};
  RigRun other(rig_of(s), tail_skeleton());
  for (int i = 0; i < 300; ++i) {
    other.evaluate();
    EXPECT_GE(other.model("end").translation.y, 0.72f - 1e-4f);
  }
  EXPECT_NEAR(other.model("end").translation.y, 0.72f, 0.02f);
}

TEST(SpringBone, ACapsuleKeepsTailsOut) {
  SpringBone s = spring_bone();
  s.tip = "b";
  s.stiffness = 0;
  s.gravity = 3;
  SpringCollider capsule;
  capsule.node = "base";
  capsule.shape = SpringCollider::Shape::kCapsule;
  capsule.offset = {-1, -0.1f, -0.3f};
  capsule.tail = {1, -0.1f, -0.3f};
  capsule.radius = 0.05f;
  s.colliders = {capsule};
  RigRun run(rig_of(s), tail_skeleton());
  for (int i = 0; i < 300; ++i) {
    run.evaluate();
    const Vec3 at = run.model("b").translation;
    EXPECT_GE(distance({0, at.y, at.z}, {0, 0.9f, -0.3f}), 0.07f - 1e-3f);
  }
}

TEST(SpringBone, TheCentersMotionIsNotFelt) {
  SpringBone s = spring_bone();
  s.center = "base";
  RigRun run(rig_of(s), tail_skeleton());
  run.evaluate();
  run.root.translation = {3, 0, 0};
  run.evaluate();
  EXPECT_TRUE(close(run.model("end").translation, {0, 1, -0.7f}, 1e-4f));
  s.center = "";
  RigRun felt(rig_of(s), tail_skeleton());
  felt.evaluate();
  felt.root.translation = {3, 0, 0};
  felt.evaluate(1.0f / 30);
  EXPECT_LT(felt.model("end").translation.x, -0.3f);
  felt.def.reset_history(felt.state);  // a teleport
  felt.evaluate();
  EXPECT_TRUE(close(felt.model("end").translation, {0, 1, -0.7f}, 1e-4f));
}

}  // namespace
}  // namespace sinew::rig
