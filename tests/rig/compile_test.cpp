// Faults in a rig's source: each is found, with its place and the nearest right name.
#include <limits>

#include <gtest/gtest.h>

#include <sinew/rig/constraints.hpp>

#include "rig_fixture.hpp"

namespace sinew::rig {
namespace {

TwoBoneIk arm() {
  TwoBoneIk ik;
  ik.root = "upper.L";
  ik.mid = "lower.L";
  ik.tip = "hand.L";
  ik.target = "target";
  return ik;
}

std::string faults_of(const RigSource& source, const RigCompileOptions& options = {}) {
  const Skeleton skeleton = body_skeleton();
  Findings findings;
  const Result<RigDef> def = RigDef::compile(source, skeleton, options, findings);
  EXPECT_EQ(def.ok(), !has_errors(findings));
  std::string out;
  for (const Finding& f : findings) {
    out += f.place + " | " + f.message + "\n";
  }
  return out;
}

RigSource with(const ConstraintBox& box) {
  RigSource source;
  source.name = "r";
  source.add_node("target");
  source.add_layer("arms").add("left", box);
  return source;
}

TEST(RigCompile, AcceptsAGoodRig) { EXPECT_EQ(faults_of(with(arm())), ""); }

TEST(RigCompile, NamesUnknownJoints) {
  TwoBoneIk ik = arm();
  ik.mid = "lowr.L";
  ik.hint = "";
  ik.target = NodeRef();
  EXPECT_EQ(faults_of(with(ik)),
            "layer 'arms': constraint 'left': mid | there is no joint or rig node 'lowr.L'; did "
            "you mean 'lower.L'?\n"
            "layer 'arms': constraint 'left': target | a joint or rig node must be named here\n");
}

TEST(RigCompile, ChecksHierarchyAndRanges) {
  TwoBoneIk ik = arm();
  std::swap(ik.root, ik.tip);
  EXPECT_EQ(faults_of(with(ik)),
            "layer 'arms': constraint 'left' | 'lower.L' does not lie below 'hand.L'\n");
  ik = arm();
  ik.position_weight = 1.5f;
  ik.hint_weight = std::numeric_limits<float>::quiet_NaN();
  ik.soft_distance = -1;
  EXPECT_EQ(faults_of(with(ik)),
            "layer 'arms': constraint 'left': position_weight | 1.5 is not in [0, 1]\n"
            "layer 'arms': constraint 'left': hint_weight | nan is not in [0, 1]\n"
            "layer 'arms': constraint 'left': soft_distance | -1 is not in [0, 10]\n");
  ChainIk chain;
  chain.root = "upper.L";
  chain.tip = "lower.L";
  chain.target = "target";
  chain.iterations = 0;
  EXPECT_EQ(faults_of(with(chain)),
            "layer 'arms': constraint 'left': iterations | 0 is not in [1, 50]\n");
  chain.iterations = 5;
  EXPECT_EQ(faults_of(with(chain)),
            "layer 'arms': constraint 'left' | the chain has 2 joints; there must be 3 to 64\n");
  MultiPosition none;
  none.driven = "hand.L";
  EXPECT_EQ(faults_of(with(none)),
            "layer 'arms': constraint 'left': sources | 0 entries; there must be 1 to 8\n");
}

TEST(RigCompile, FindsDoubleNamesRingsAndBrokenNodes) {
  RigSource source = with(arm());
  source.add_node("target");
  source.add_node("a", {}, "b");
  source.add_node("b", {}, "a");
  source.add_node("head");
  source.add_node("broken", {{NAN, 0, 0}, {}, {1, 1, 1}});
  source.add_node("orphan", {}, "hed");
  source.layers[0].add("left", arm());
  source.add_layer("target");
  EXPECT_EQ(faults_of(source),
            "node 'target' | a joint or a node before is called 'target' as well\n"
            "node 'head' | a joint or a node before is called 'head' as well\n"
            "node 'broken' | the transform is not finite\n"
            "node 'orphan': parent | there is no joint or rig node 'hed'; did you mean 'head'?\n"
            "node 'a' | its parents form a ring\n"
            "layer 'arms': constraint 'left' | the name 'left' is taken: channels are called after "
            "layers, constraints and nodes\n"
            "layer 'target' | the name 'target' is taken: channels are called after layers, "
            "constraints and nodes\n");
}

TEST(RigCompile, FindsUnknownChannels) {
  RigSource source = with(arm());
  source.drives.push_back({"aim", "left.wieght", 1, 0});
  source.drives.push_back({"", "left.weight", INFINITY, 0});
  EXPECT_EQ(faults_of(source),
            "parameter 'aim' | the rig has no channel 'left.wieght'; did you mean 'left.weight'?\n"
            "parameter 1 | a parameter needs a name\n"
            "parameter '' | scale and offset must be finite\n");
}

TEST(RigCompile, ResolvesRoles) {
  TwoBoneIk ik = arm();
  ik.tip = "@left_hand";
  EXPECT_NE(faults_of(with(ik)).find("no joint with the role 'left_hand'"), std::string::npos);
  RoleMap roles;
  roles.set(JointRole::kLeftHand, *body_skeleton().find("hand.L"));
  RigCompileOptions options;
  options.roles = &roles;
  EXPECT_EQ(faults_of(with(ik), options), "");
  ik.tip = "@left_hnd";
  EXPECT_NE(faults_of(with(ik), options).find("did you mean 'left_hand'?"), std::string::npos);
}

TEST(RigCompile, LeavesOutInvalidConstraintsIfAsked) {
  RigSource source = with(arm());
  TwoBoneIk ik = arm();
  ik.mid = "nobody";
  source.layers[0].add("bad", ik);
  ik = arm();
  std::swap(ik.root, ik.tip);
  source.layers[0].add("worse", ik);
  RigCompileOptions options;
  options.skip_invalid = true;
  Findings findings;
  const Result<RigDef> def = RigDef::compile(source, body_skeleton(), options, findings);
  ASSERT_TRUE(def.ok());
  EXPECT_EQ(def->constraint_count(), 1);
  EXPECT_EQ(findings.size(), 2u);
  EXPECT_FALSE(has_errors(findings));
}

TEST(RigCompile, WarnsOfBonesWithoutLength) {
  RigSource source = with(arm());
  const Skeleton flat = make_skeleton({{"upper.L", nullptr, {0, 0, 0}},
                                       {"lower.L", "upper.L", {0, 0, 0}},
                                       {"hand.L", "lower.L", {1, 0, 0}}});
  Findings findings;
  EXPECT_TRUE(RigDef::compile(source, flat, {}, findings).ok());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "rig.zero_length");
}

TEST(RigCompile, RefusesABindPoseOfAnotherSkeleton) {
  const std::vector<Transform> bind(3);
  RigCompileOptions options;
  options.bind_pose = bind;
  Findings findings;
  EXPECT_FALSE(RigDef::compile(with(arm()), body_skeleton(), options, findings).ok());
}

// Every channel's name leads back to it.
TEST(RigCompile, ChannelsAreFoundByName) {
  RigRun run(with(arm()), body_skeleton());
  for (int i = 0; i < run.def.channel_count(); ++i) {
    const RigChannel channel{static_cast<std::int16_t>(i)};
    const Result<RigChannel> found = run.def.channel(run.def.channel_name(channel));
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->index, i);
  }
  EXPECT_NE(to_string(run.def.node("targt").error()).find("did you mean 'target'?"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::rig
