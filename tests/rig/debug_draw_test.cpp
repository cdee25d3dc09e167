// What constraints draw: something, and only numbers.
#include <gtest/gtest.h>

#include "every_constraint.hpp"

namespace sinew::rig {
namespace {

struct Recorder final : DebugDraw {
  void line(Vec3 a, Vec3 b, DebugColor) override {
    good = good && is_finite(a) && is_finite(b);
    ++calls;
  }
  void point(Vec3 at, float radius, DebugColor) override {
    good = good && is_finite(at) && radius > 0;
    ++calls;
  }
  void plane(Vec3 at, Vec3 normal, float size, DebugColor) override {
    good = good && is_finite(at) && abs(length(normal) - 1) < 1e-4f && size > 0;
    ++planes;
  }
  int calls = 0, planes = 0;
  bool good = true;
};

TEST(RigDebugDraw, DrawsActiveConstraintsOnly) {
  RigRun run(every_constraint(), body_skeleton());
  Recorder recorder;
  run.draw = &recorder;
  run.evaluate();
  EXPECT_TRUE(recorder.good);
  EXPECT_GT(recorder.calls, 20);
  EXPECT_EQ(recorder.planes, 1);  // the height limit's
  recorder = {};
  run.set("layer.active", 0);
  run.evaluate();
  EXPECT_EQ(recorder.calls + recorder.planes, 0);
}

// Drawing changes nothing.
TEST(RigDebugDraw, LeavesThePoseAlone) {
  RigRun with(every_constraint(), body_skeleton()), without(every_constraint(), body_skeleton());
  Recorder recorder;
  with.draw = &recorder;
  for (int i = 0; i < 5; ++i) {
    with.evaluate();
    without.evaluate();
    EXPECT_EQ(bytes_of(with.pose), bytes_of(without.pose));
  }
}

}  // namespace
}  // namespace sinew::rig
