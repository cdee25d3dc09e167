// Layers, weights, order, inputs and state of the whole stack.
#include <gtest/gtest.h>

#include <sinew/rig/blend.hpp>
#include <sinew/rig/constraints.hpp>

#include "rig_fixture.hpp"

namespace sinew::rig {
namespace {

// Moves a joint by a fixed step: what order and weights do shows in the sums.
struct Shift {
  static constexpr const char* kName = "test_shift";
  static constexpr const char* kSummary = "Moves a joint";
  NodeRef driven;
  Value x{0}, scale{1};
  void fields(FieldVisitor& v) {
    v.node("driven", driven, NodeUse::kDriven);
    v.value("x", x, -10, 10);
    v.value("scale", scale, -10, 10);
  }
  RigStatus evaluate(RigEval& e) const {
    const Vec3 at = e.local(driven).translation;
    e.set_local_position(driven,
                         at + (at * (e.value(scale) - 1.0f) + Vec3{e.value(x), 0, 0}) * e.weight());
    return RigStatus::kSatisfied;
  }
};

Shift shift(const char* joint, float x, float scale = 1) {
  Shift s;
  s.driven = joint;
  s.x = x;
  s.scale = scale;
  return s;
}

Skeleton one_joint() { return make_skeleton({{"j", nullptr, {1, 0, 0}}}); }

TEST(RigStack, RunsLayersAndConstraintsInOrder) {
  RigSource source;
  source.add_layer("first").add("double", shift("j", 0, 2));
  source.add_layer("second").add("add", shift("j", 3));
  source.layers.back().add("halve", shift("j", 0, 0.5f));
  RigRun run(source, one_joint());
  run.evaluate();
  EXPECT_EQ(run.model("j").translation.x, 2.5f);  // (1 x 2 + 3) / 2
  std::swap(source.layers[0], source.layers[1]);
  RigRun other(source, one_joint());
  other.evaluate();
  EXPECT_EQ(other.model("j").translation.x, 4.0f);  // (1 + 3) / 2 x 2
}

TEST(RigStack, WeightsMultiplyAndLayersOfHalfWeightCompound) {
  RigSource source;
  source.add_layer("a").add("one", shift("j", 4), 0.5f);
  source.add_layer("b").add("zero", shift("j", 0, 0));
  source.layers[0].weight = 0.5f;
  source.layers[1].weight = 0.5f;
  RigRun run(source, one_joint());
  run.evaluate();
  EXPECT_EQ(run.model("j").translation.x, 1.0f);  // (1 + 4 x 0.25) halved
  EXPECT_EQ(run.status("one"), RigStatus::kSatisfied);
  run.set("a.active", 0);
  run.evaluate();
  EXPECT_EQ(run.model("j").translation.x, 0.5f);
  EXPECT_EQ(run.status("one"), RigStatus::kIdle);
  run.set("a.active", 1);
  run.set("b.weight", 0);
  run.set("a.weight", 7);  // clamped to 1
  run.evaluate();
  EXPECT_EQ(run.model("j").translation.x, 3.0f);
}

TEST(RigStack, HostValuesStayAndKeysLastOneEvaluation) {
  RigSource source;
  source.add_layer("l").add("s", shift("j", 1));
  RigRun run(source, one_joint());
  EXPECT_TRUE(run.set("s.x", 2));
  EXPECT_TRUE(run.key("s.x", 5));
  run.evaluate();
  EXPECT_EQ(run.model("j").translation.x, 6);
  run.evaluate();
  EXPECT_EQ(run.model("j").translation.x, 3);
  // What is not a number is refused and the old value stays.
  EXPECT_FALSE(run.set("s.x", NAN));
  EXPECT_FALSE(run.key("s.x", INFINITY));
  EXPECT_TRUE(run.key("s.x", 99));  // clamped to the range
  run.evaluate();
  EXPECT_EQ(run.model("j").translation.x, 11);
  run.evaluate();
  EXPECT_EQ(run.model("j").translation.x, 3);
}

TEST(RigStack, ParametersDriveChannels) {
  RigSource source;
  source.add_layer("l").add("s", shift("j", 1));
  source.drives.push_back({"speed", "s.x", 2, 0.5f});
  source.drives.push_back({"other", "l.weight", 1, 0});
  source.drives.push_back({"speed", "s.scale", 0, 1});
  RigRun run(source, one_joint());
  ASSERT_EQ(run.def.parameters().size(), 2u);
  EXPECT_EQ(run.def.parameters()[0], "speed");
  EXPECT_TRUE(run.def.set_parameter(run.state, 0, 3));
  EXPECT_FALSE(run.def.set_parameter(run.state, 0, NAN));
  run.evaluate();
  EXPECT_EQ(run.model("j").translation.x, 7.5f);
}

TEST(RigStack, ClipCurvesKeyChannelsByName) {
  RigSource source;
  source.add_node("t", {{0, 0, 0}, {}, {1, 1, 1}});
  source.add_layer("l").add("s", shift("j", 1));
  RigRun run(source, one_joint());
  std::vector<FloatCurve> curves(3);
  curves[0].name = "morph/smile";
  curves[1].name = "s.weight";
  curves[1].keys.times = {0, 1};
  curves[1].keys.values = {0, 1};
  curves[2].name = "rig/t.position.y";
  curves[2].default_value = 4;
  const RigCurveMap map(run.def, curves);
  map.key(run.def, run.state, curves, 0.25f);
  run.evaluate();
  EXPECT_EQ(run.model("j").translation.x, 1.25f);
  EXPECT_EQ(run.node("t").translation.y, 4);
  const float values[3] = {9, 0.5f, 2};
  map.key(run.def, run.state, values);
  run.evaluate();
  EXPECT_EQ(run.model("j").translation.x, 1.5f);
  EXPECT_EQ(run.node("t").translation.y, 2);
  run.evaluate();  // without keys the host's values hold again
  EXPECT_EQ(run.model("j").translation.x, 2.0f);
  EXPECT_EQ(run.node("t").translation.y, 0);
}

TEST(RigStack, StateIsPlainBytes) {
  RigSource source;
  source.add_layer("l").add("s", shift("j", 1));
  RigRun run(source, one_joint());
  run.set("s.x", 2);
  const RigState saved = run.state;
  run.set("s.x", 7);
  run.evaluate();
  run.state = saved;
  run.evaluate();
  EXPECT_EQ(run.model("j").translation.x, 3);
  EXPECT_TRUE(run.def.owns(saved));
  RigSource other;
  other.add_layer("l").add("s2", shift("j", 1));
  EXPECT_FALSE(RigRun(other, one_joint()).def.owns(saved));
}

TEST(RigStack, ReadsAndWritesPastTheCharacterRoot) {
  // A world target keeps its place while the character moves; a model target moves along.
  RigSource source;
  source.add_node("world", {{0, 0, 5}, {}, {1, 1, 1}});
  source.add_node("model", {{0, 0, 5}, {}, {1, 1, 1}}).space = RigNodeSource::Space::kModel;
  source.add_node("on_joint", {{0, 1, 0}, {}, {1, 1, 1}}, "j");
  source.add_layer("l").add("s", shift("j", 1));
  RigRun run(source, one_joint());
  run.root = {{10, 0, 0}, yaw(90), {1, 1, 1}};
  run.evaluate();
  EXPECT_TRUE(close(run.node("model").translation, {0, 0, 5}, 1e-5f));
  EXPECT_TRUE(close(transform_point(run.root, run.node("world").translation), {0, 0, 5}, 1e-5f));
  EXPECT_TRUE(close(run.node("on_joint").translation, {2, 1, 0}, 1e-5f));
}

// The hand target follows the animated hand, is limited, and the arm follows it: nodes of the rig
// are read and driven like joints.
TEST(RigStack, ATargetOfTheRigFollowsTheHandAndIsLimited) {
  RigSource source;
  source.add_node("target");
  RigLayerSource& layer = source.add_layer("arm");
  MultiPosition follow;
  follow.driven = "target";
  follow.sources = {{"hand.L"}};
  layer.add("follow", follow);
  Shift up;
  up.driven = "target";
  up.x = -0.1f;
  layer.add("limit", up);
  TwoBoneIk arm;
  arm.root = "upper.L";
  arm.mid = "lower.L";
  arm.tip = "hand.L";
  arm.target = "target";
  arm.rotation_weight = 0;
  layer.add("arm_ik", arm);
  RigRun run(source, body_skeleton());
  const Vec3 rest = run.model("hand.L").translation;
  run.evaluate();
  EXPECT_TRUE(close(run.model("hand.L").translation, rest - kAxisX * 0.1f, 1e-5f));
  EXPECT_TRUE(close(run.node("target").translation, rest - kAxisX * 0.1f, 1e-5f));
  // What a constraint does to a node lasts one evaluation; the host's value stays.
  EXPECT_EQ(run.def.get_node(run.state, *run.def.node("target")).translation, Vec3{});
}

TEST(RigStack, BadInputNeitherCrashesNorSpreads) {
  RigSource source;
  source.add_node("t");
  RigLayerSource& layer = source.add_layer("l");
  Blend blend;
  blend.driven = "j";
  blend.a = blend.b = "t";
  layer.add("b", blend);
  RigRun run(source, one_joint());
  EXPECT_FALSE(run.move("t", {NAN, 0, 0}));
  run.root.translation.x = NAN;
  run.evaluate(NAN);
  run.evaluate(-1);
  run.evaluate(INFINITY);
  EXPECT_TRUE(is_finite(run.model("j")));
  // Even where the pose itself is broken, only the broken joint is.
  run.root = {};
  run.pose = Pose(run.skeleton());
  run.set_local("j", {{NAN, NAN, NAN}, {NAN, 0, 0, 1}, {1, 1, 1}});
  run.evaluate_here();
  EXPECT_EQ(run.status("b"), RigStatus::kDegenerate);
}

}  // namespace
}  // namespace sinew::rig
