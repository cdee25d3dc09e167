#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <sinew/math/inertialize.hpp>
#include <sinew/pose/two_bone.hpp>

#include "generators.hpp"

namespace sinew {
namespace {

using Json = nlohmann::json;
using testing::any_direction;
using testing::any_rotation;
using testing::any_vec3;
using testing::difference;
using testing::real;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// ---- the project's numeric vectors (tests/pose/data/two_bone.json) ------------------------------

struct Node {
  std::string name;
  int parent;
  Transform local, world;
};

std::vector<Node> read_nodes(const Json& nodes, const char* pose) {
  std::vector<Node> out;
  for (const Json& n : nodes) {
    const auto t = n.at(pose).at("t").get<std::vector<float>>();
    const auto r = n.at(pose).at("r").get<std::vector<float>>();
    Node node{n.at("name"), n.at("parent"), {}, {}};
    node.local = {{t[0], t[1], t[2]}, normalize(Quat{r[0], r[1], r[2], r[3]}), {1, 1, 1}};
    out.push_back(node);
  }
  return out;
}

void update_world(std::vector<Node>& nodes) {
  for (Node& n : nodes) {
    n.world = n.parent < 0 ? n.local : nodes[static_cast<std::size_t>(n.parent)].world * n.local;
  }
}

std::size_t index_of(const std::vector<Node>& nodes, const Json& data, const char* key) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].name == data.at(key).get<std::string>()) return i;
  }
  ADD_FAILURE() << "no node " << key;
  return 0;
}

// The constraint around the pure function: weights, offsets, and the hierarchy.
std::vector<Node> evaluate(const Json& c) {
  const Json& data = c.at("data");
  auto bind = read_nodes(c.at("nodes"), "bind"), nodes = read_nodes(c.at("nodes"), "eval");
  update_world(bind);
  update_world(nodes);
  const float weight = clamp01(c.value("weight", 0.0f)) * clamp01(c.value("rig_weight", 0.0f));
  if (weight <= 0) return nodes;
  const std::size_t root = index_of(nodes, data, "root"), mid = index_of(nodes, data, "mid"),
                    tip = index_of(nodes, data, "tip"), target = index_of(nodes, data, "target");
  const TwoBoneChain chain{nodes[root].world.translation, nodes[mid].world.translation,
                           nodes[tip].world.translation,  nodes[root].world.rotation,
                           nodes[mid].world.rotation,     nodes[tip].world.rotation};
  TwoBoneGoal goal;
  goal.target = nodes[target].world.translation;
  if (data.value("maintain_position", false)) {
    goal.target += bind[tip].world.translation - bind[target].world.translation;
  }
  goal.target_rotation = nodes[target].world.rotation;
  if (data.value("maintain_rotation", false)) {
    goal.target_rotation =
        goal.target_rotation * (conjugate(bind[target].world.rotation) * bind[tip].world.rotation);
  }
  goal.position_weight = data.value("position_weight", 0.0f) * weight;
  goal.rotation_weight = data.value("rotation_weight", 0.0f) * weight;
  if (data.contains("hint") && data.at("hint").is_string()) {
    goal.hint = nodes[index_of(nodes, data, "hint")].world.translation;
    goal.hint_weight = data.value("hint_weight", 0.0f) * weight;
  }
  const TwoBoneResult result = solve_two_bone(chain, goal);
  for (auto [i, rotation] :
       {std::pair{root, result.root_rotation}, std::pair{mid, result.mid_rotation},
        std::pair{tip, result.tip_rotation}}) {
    update_world(nodes);
    const int parent = nodes[i].parent;
    const Quat above = parent < 0 ? Quat{} : nodes[static_cast<std::size_t>(parent)].world.rotation;
    nodes[i].local.rotation = conjugate(above) * rotation;
  }
  update_world(nodes);
  return nodes;
}

TEST(TwoBone, Vectors) {
  std::ifstream in(SINEW_SOURCE_DIR "/tests/pose/data/two_bone.json");
  const Json json = Json::parse(in);
  int count = 0;
  for (const Json& c : json.at("cases")) {
    SCOPED_TRACE(c.at("name").get<std::string>());
    double tolerance = 1e-4;
    for (const Json& tag : c.at("tags")) {
      const auto name = tag.get<std::string>();
      if (name == "straight" || name == "collinear") tolerance = 1e-3;
    }
    const auto nodes = evaluate(c);
    for (const Node& node : nodes) {
      if (!c.at("expect").contains(node.name)) continue;
      const auto want = c.at("expect").at(node.name).get<std::vector<double>>();
      const Vec3 p = node.world.translation;
      const Quat want_rotation{static_cast<float>(want[3]), static_cast<float>(want[4]),
                               static_cast<float>(want[5]), static_cast<float>(want[6])};
      const Quat q = align(want_rotation, node.world.rotation);
      const float got[] = {p.x, p.y, p.z, q.x, q.y, q.z, q.w};
      for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_NEAR(static_cast<double>(got[i]), want[i],
                    tolerance * std::max(1.0, std::abs(want[i])))
            << node.name << " " << i;
      }
    }
    ++count;
  }
  EXPECT_EQ(count, 65);
}

// ---- properties ---------------------------------------------------------------------------------

// Where the joints are after the solve, from the change of the rotations alone.
struct Solved {
  Vec3 mid, tip;
  TwoBoneResult result;
};

Solved solve(const TwoBoneChain& chain, const TwoBoneGoal& goal) {
  Solved s;
  s.result = solve_two_bone(chain, goal);
  s.mid = chain.root +
          rotate(s.result.root_rotation * conjugate(chain.root_rotation), chain.mid - chain.root);
  s.tip =
      s.mid + rotate(s.result.mid_rotation * conjugate(chain.mid_rotation), chain.tip - chain.mid);
  return s;
}

TwoBoneChain any_chain() {
  TwoBoneChain c;
  c.root = *any_vec3(1);
  c.mid = c.root + *any_direction() * *real(0.1f, 0.6f);
  c.tip = c.mid + *any_direction() * *real(0.1f, 0.6f);
  c.root_rotation = *any_rotation();
  c.mid_rotation = *any_rotation();
  c.tip_rotation = *any_rotation();
  return c;
}

float reach_of(const TwoBoneChain& c) { return distance(c.root, c.mid) + distance(c.mid, c.tip); }
float inner_of(const TwoBoneChain& c) {
  return abs(distance(c.root, c.mid) - distance(c.mid, c.tip));
}

RC_GTEST_PROP(TwoBone, ReachesWhatIsWithinReach, ()) {
  const TwoBoneChain chain = any_chain();
  TwoBoneGoal goal;
  const float inner = inner_of(chain), reach = reach_of(chain);
  goal.target = chain.root + *any_direction() * lerp(inner, reach, *real(0.01f, 0.999f));
  goal.hint = chain.root + *any_vec3(2);
  goal.hint_weight = *real(0, 1);
  const Solved s = solve(chain, goal);
  RC_ASSERT(s.result.status == IkStatus::kReached);
  RC_ASSERT(difference(s.tip, goal.target) < 2e-5f);
  RC_ASSERT(difference(s.result.tip_rotation, chain.tip_rotation) < 1e-6f);
}

RC_GTEST_PROP(TwoBone, BoneLengthsAreKept, ()) {
  const TwoBoneChain chain = any_chain();
  TwoBoneGoal goal;
  goal.target = chain.root + *any_vec3(3);
  goal.hint = chain.root + *any_vec3(2);
  goal.hint_weight = *real(0, 1);
  goal.position_weight = *real(0, 1);
  goal.soft_distance = *real(0, 0.2f);
  const Solved s = solve(chain, goal);
  RC_ASSERT(abs(distance(chain.root, s.mid) - distance(chain.root, chain.mid)) < 2e-6f);
  RC_ASSERT(abs(distance(s.mid, s.tip) - distance(chain.mid, chain.tip)) < 2e-6f);
  for (Quat q : {s.result.root_rotation, s.result.mid_rotation, s.result.tip_rotation}) {
    RC_ASSERT(abs(dot(q, q) - 1) < 1e-6f);
  }
}

RC_GTEST_PROP(TwoBone, BeyondReachPointsAtTheTarget, ()) {
  const TwoBoneChain chain = any_chain();
  TwoBoneGoal goal;
  const Vec3 direction = *any_direction();
  goal.target = chain.root + direction * (reach_of(chain) * *real(1.01f, 5));
  const Solved s = solve(chain, goal);
  RC_ASSERT(s.result.status == IkStatus::kOutOfReach);
  RC_ASSERT(difference(s.tip, chain.root + direction * reach_of(chain)) < 1e-4f);
}

RC_GTEST_PROP(TwoBone, WeightsMoveTheGoal, ()) {
  const TwoBoneChain chain = any_chain();
  TwoBoneGoal goal;
  goal.target = chain.root + *any_direction() * lerp(inner_of(chain), reach_of(chain), 0.6f);
  goal.position_weight = *real(0, 1);
  goal.target_rotation = *any_rotation();
  goal.rotation_weight = *real(0, 1);
  const Vec3 wanted = lerp(chain.tip, goal.target, goal.position_weight);
  RC_PRE(distance(wanted, chain.root) > inner_of(chain) + 1e-2f);
  const Solved s = solve(chain, goal);
  RC_ASSERT(difference(s.tip, wanted) < 3e-5f);
  RC_ASSERT(difference(s.result.tip_rotation, nlerp(chain.tip_rotation, goal.target_rotation,
                                                    goal.rotation_weight)) < 1e-6f);
}

RC_GTEST_PROP(TwoBone, NoWeightChangesNothing, ()) {
  const TwoBoneChain chain = any_chain();
  TwoBoneGoal goal;
  goal.position_weight = 0;
  const Solved s = solve(chain, goal);
  RC_ASSERT(difference(s.tip, chain.tip) < 2e-6f);
  RC_ASSERT(difference(s.mid, chain.mid) < 2e-6f);
}

RC_GTEST_PROP(TwoBone, TheBendPointsToTheHint, ()) {
  const TwoBoneChain chain = any_chain();
  TwoBoneGoal goal;
  const Vec3 direction = *any_direction();
  goal.target = chain.root + direction * lerp(inner_of(chain), reach_of(chain), *real(0.2f, 0.7f));
  goal.hint = chain.root + *any_vec3(2);
  goal.hint_weight = 1;
  const auto across = [&](Vec3 v) { return v - direction * dot(v, direction); };
  const Vec3 to_hint = across(goal.hint - chain.root);
  RC_PRE(length(to_hint) > 0.05f);
  const Solved s = solve(chain, goal);
  const Vec3 bend = across(s.mid - chain.root);
  RC_PRE(length(bend) > 0.04f * reach_of(chain));
  RC_ASSERT(dot(normalize_or(bend, {}), normalize_or(to_hint, {})) > 0.9999f);
  RC_ASSERT(difference(s.tip, goal.target) < 3e-5f);
}

RC_GTEST_PROP(TwoBone, MovesWithItsSpace, ()) {
  // Turning chain and goal together turns the result.
  const TwoBoneChain chain = any_chain();
  TwoBoneGoal goal;
  goal.target = chain.root + *any_direction() * lerp(inner_of(chain), reach_of(chain), 0.5f);
  goal.hint = chain.root + *any_vec3(2);
  goal.hint_weight = 1;
  RC_PRE(length(cross(chain.mid - chain.root, chain.tip - chain.mid)) > 1e-3f);
  // Next to opposite directions the swing has a choice, which depends on the axes.
  RC_PRE(dot(normalize_or(goal.target - chain.root, {}), normalize_or(chain.tip - chain.root, {})) >
         -0.95f);
  const Transform space{*any_vec3(1), *any_rotation(), {1, 1, 1}};
  TwoBoneChain moved = chain;
  for (Vec3* p : {&moved.root, &moved.mid, &moved.tip}) *p = transform_point(space, *p);
  for (Quat* q : {&moved.root_rotation, &moved.mid_rotation, &moved.tip_rotation}) {
    *q = space.rotation * *q;
  }
  TwoBoneGoal moved_goal = goal;
  moved_goal.target = transform_point(space, goal.target);
  moved_goal.hint = transform_point(space, goal.hint);
  const Solved a = solve(chain, goal), b = solve(moved, moved_goal);
  RC_ASSERT(difference(transform_point(space, a.tip), b.tip) < 5e-5f);
  const Vec3 n = normalize_or(goal.target - chain.root, {});
  const Vec3 h = goal.hint - chain.root;
  RC_PRE(length(h - n * dot(h, n)) > 0.05f);
  RC_ASSERT(difference(transform_point(space, a.mid), b.mid) < 1e-3f);
}

// ---- single cases -------------------------------------------------------------------------------

TwoBoneChain bent() { return {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {}, {}, {}}; }
TwoBoneChain straight() { return {{0, 0, 0}, {0, -1, 0}, {0, -2, 0}, {}, {}, {}}; }

TEST(TwoBone, AStraightLimbBendsAboutTheGivenAxis) {
  TwoBoneGoal goal;
  goal.target = {0, -1.5f, 0};  // on its own line
  for (Vec3 axis : {kAxisX, -kAxisX, kAxisZ, normalize_or(Vec3{1, 3, 1}, {})}) {
    goal.fallback_axis = axis;
    const Solved s = solve(straight(), goal);
    EXPECT_LT(difference(s.tip, goal.target), 1e-5f);
    // The knee goes to the side from which a positive turn about the axis closes it.
    EXPECT_GT(dot(cross(s.mid, s.tip - s.mid), axis), 0.1f);
  }
  goal.fallback_axis = {};
  const Solved s = solve(straight(), goal);
  EXPECT_LT(difference(s.tip, goal.target), 1e-5f);
  EXPECT_GT(s.mid.z, 0.3f) << "a leg that hangs down bends its knee forward";
}

TEST(TwoBone, AStraightLimbBendsTowardTheHint) {
  TwoBoneGoal goal;
  goal.target = {0, -1.5f, 0};
  goal.hint_weight = 1;
  for (Vec3 hint : {Vec3{1, -1, 0}, Vec3{-1, 0, 0}, Vec3{0, -1, -2}}) {
    goal.hint = hint;
    const Solved s = solve(straight(), goal);
    EXPECT_LT(difference(s.tip, goal.target), 1e-5f);
    EXPECT_GT(dot(s.mid, Vec3{hint.x, 0, hint.z}), 0.3f);
  }
}

TEST(TwoBone, AHintExactlyOppositeTurnsByPi) {
  // Bend at +Y, hint at -Y.
  const TwoBoneChain chain{{0, 0, 0}, {0.8f, 0.6f, 0}, {1.6f, 0, 0}, {}, {}, {}};
  TwoBoneGoal goal;
  goal.target = chain.tip;
  goal.hint = {0.8f, -3, 0};
  for (float weight : {1.0f, 0.5f, 0.01f}) {
    goal.hint_weight = weight;
    const Solved s = solve(chain, goal);
    EXPECT_LT(difference(s.tip, goal.target), 1e-5f) << "the tip stays";
    EXPECT_LT(difference(s.mid, Vec3{0.8f, -0.6f, 0}), 1e-5f) << weight;
  }
}

TEST(TwoBone, FoldedOntoItsRoot) {
  TwoBoneGoal goal;
  goal.target = {0, 0, 0};
  Solved s = solve(bent(), goal);
  EXPECT_EQ(s.result.status, IkStatus::kReached) << "equal bones fold to nothing";
  EXPECT_LT(length(s.tip), 1e-3f);
  // Bones of 1 and 0.5 cannot come nearer than 0.5.
  const TwoBoneChain uneven{{0, 0, 0}, {1, 0, 0}, {1, 0.5f, 0}, {}, {}, {}};
  goal.target = {0.2f, 0, 0};
  s = solve(uneven, goal);
  EXPECT_EQ(s.result.status, IkStatus::kOutOfReach);
  EXPECT_LT(difference(s.tip, Vec3{0.5f, 0, 0}), 1e-4f);
}

TEST(TwoBone, SoftReachNeverSnapsStraight) {
  TwoBoneGoal goal;
  goal.soft_distance = 0.2f;
  float before = 0;
  for (int i = 0; i <= 100; ++i) {
    goal.target = {1.5f + 0.01f * static_cast<float>(i), 0, 0};
    const Solved s = solve(bent(), goal);
    const float got = length(s.tip);
    EXPECT_NEAR(got, soft_distance(goal.target.x, 2.0f, 1.8f), 1e-4f);
    EXPECT_GE(got, before - 1e-5f);
    EXPECT_LT(got, 2.0f);
    before = got;
  }
}

TEST(TwoBone, DegenerateInputChangesNothing) {
  TwoBoneGoal goal;
  goal.target = {0.5f, 0.5f, 0};
  const auto unchanged = [&](const TwoBoneChain& chain, const TwoBoneGoal& g) {
    const TwoBoneResult r = solve_two_bone(chain, g);
    EXPECT_EQ(r.status, IkStatus::kDegenerate);
    EXPECT_EQ(r.root_rotation, chain.root_rotation);
    EXPECT_EQ(r.mid_rotation, chain.mid_rotation);
    EXPECT_EQ(r.tip_rotation, chain.tip_rotation);
  };
  TwoBoneChain chain = bent();
  chain.mid = chain.root;
  unchanged(chain, goal);
  chain = bent();
  chain.tip = chain.mid;
  unchanged(chain, goal);
  for (float bad : {kNan, kInfinity}) {
    chain = bent();
    chain.tip.x = bad;
    EXPECT_EQ(solve_two_bone(chain, goal).status, IkStatus::kDegenerate);
    TwoBoneGoal g = goal;
    g.target.y = bad;
    unchanged(bent(), g);
    g.position_weight = 0;  // then nobody asks for it
    EXPECT_NE(solve_two_bone(bent(), g).status, IkStatus::kDegenerate);
    g = goal;
    g.target_rotation.w = bad;
    g.rotation_weight = 1;
    unchanged(bent(), g);
  }
  TwoBoneGoal far = goal;
  far.target = {3e38f, 3e38f, 0};
  unchanged(bent(), far);
}

TEST(TwoBone, BadHintsAndWeightsAreIgnored) {
  TwoBoneGoal goal;
  goal.target = {1.2f, 0.3f, 0};
  const Solved plain = solve(bent(), goal);
  TwoBoneGoal bad = goal;
  bad.hint = {kNan, 0, 0};
  bad.hint_weight = 1;
  EXPECT_LT(difference(solve(bent(), bad).mid, plain.mid), 1e-6f);
  bad = goal;
  bad.hint_weight = 1;
  bad.hint = goal.target * 2.0f;  // on the line root-target
  EXPECT_LT(difference(solve(bent(), bad).mid, plain.mid), 1e-5f);
  bad = goal;
  bad.rotation_weight = kNan;
  bad.hint_weight = kNan;
  EXPECT_LT(difference(solve(bent(), bad).tip, plain.tip), 1e-6f);
  bad.position_weight = 7;
  EXPECT_LT(difference(solve(bent(), bad).tip, goal.target), 1e-5f);
  bad = goal;
  bad.soft_distance = kNan;
  EXPECT_TRUE(is_finite(solve(bent(), bad).tip));
  bad.fallback_axis = {kNan, 0, 0};
  bad.target = {0, -1.5f, 0};
  EXPECT_LT(difference(solve(straight(), bad).tip, bad.target), 1e-5f);
}

}  // namespace
}  // namespace sinew
