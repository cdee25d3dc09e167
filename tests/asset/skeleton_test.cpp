#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/asset/skeleton.hpp>
#include <sinew/base/text.hpp>

#include "generators.hpp"

namespace sinew {
namespace {

using testing::Random;

JointDef joint(std::string name, int parent, Vec3 offset = {0, 1, 0}) {
  return {std::move(name), parent, {offset, {}, {1, 1, 1}}};
}

// What every skeleton promises of its order and its slots.
void expect_sound(const Skeleton& s) {
  ASSERT_EQ(s.slot_count(), 4 * s.group_count());
  ASSERT_EQ(static_cast<int>(s.joint_of_slot().size()), s.slot_count());
  std::vector<int> seen(static_cast<std::size_t>(s.joint_count()), 0);
  for (int slot = 0; slot < s.slot_count(); ++slot) {
    const int j = s.joint_of_slot()[static_cast<std::size_t>(slot)];
    const SoaTransform& group = s.rest_groups()[static_cast<std::size_t>(slot / 4)];
    if (j == kNoJoint) {
      EXPECT_EQ(get_lane(group, slot % 4), Transform{});
      continue;
    }
    ++seen[static_cast<std::size_t>(j)];
    EXPECT_EQ(s.slot(j), slot);
    EXPECT_EQ(get_lane(group, slot % 4), s.rest(j));
    if (s.parent(j) != kNoJoint) {
      EXPECT_LT(s.parent(j), j);
      EXPECT_LT(s.slot(s.parent(j)) / 4, slot / 4) << "a group holds a joint with its parent";
    }
  }
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
}

TEST(Skeleton, WithoutJoints) {
  const auto s = Skeleton::build({});
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->joint_count(), 0);
  EXPECT_EQ(s->group_count(), 0);
  EXPECT_FALSE(s->find("a"));
  EXPECT_EQ(s->height(), 0.0f);
  expect_sound(*s);
}

TEST(Skeleton, OfOneJoint) {
  const auto s = Skeleton::build(std::vector{joint("root", kNoJoint, {1, 2, 3})});
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->joint_count(), 1);
  EXPECT_EQ(s->group_count(), 1);
  EXPECT_EQ(s->find("root"), 0);
  EXPECT_EQ(translation_of(s->rest_model()[0]), (Vec3{1, 2, 3}));
  expect_sound(*s);
}

TEST(Skeleton, KeepsAnOrderThatIsSorted) {
  const std::vector joints = {joint("root", kNoJoint), joint("a", 0), joint("b", 0),
                              joint("a1", 1)};
  const auto s = Skeleton::build(joints);
  ASSERT_TRUE(s.ok());
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(s->index_of_source(i), i);
    EXPECT_EQ(s->name(i), joints[static_cast<std::size_t>(i)].name);
  }
  expect_sound(*s);
}

TEST(Skeleton, SortsParentsBeforeChildren) {
  const std::vector joints = {joint("tip", 2), joint("root", kNoJoint), joint("mid", 1),
                              joint("other", 1)};
  const auto s = Skeleton::build(joints);
  ASSERT_TRUE(s.ok());
  const char* wanted[] = {"root", "mid", "tip", "other"};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(s->name(i), wanted[i]);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(s->name(s->index_of_source(i)), joints[static_cast<std::size_t>(i)].name);
  }
  EXPECT_NEAR(translation_of(s->rest_model()[2]).y, 3.0f, 1e-6f);
  expect_sound(*s);
}

TEST(Skeleton, SeveralRootsAndEqualNames) {
  const auto s = Skeleton::build(
      std::vector{joint("a", kNoJoint), joint("a", kNoJoint), joint("", 1), joint("", 0)});
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->find("a"), 0);
  EXPECT_EQ(s->parent(2), 1);
  expect_sound(*s);
}

TEST(Skeleton, FaultsNameTheJoint) {
  struct Case {
    std::vector<JointDef> joints;
    ErrorCode code;
    const char* text;
  };
  JointDef bad = joint("knee", 0);
  bad.rest.translation.x = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Case> table = {
      {{joint("root", kNoJoint), joint("knee", 7)}, ErrorCode::kMalformed, "joint 1 'knee'"},
      {{joint("root", -2)}, ErrorCode::kMalformed, "joint 0 'root'"},
      {{joint("root", kNoJoint), bad}, ErrorCode::kMalformed, "joint 1 'knee'"},
      {{joint("root", kNoJoint), joint("a", 2), joint("b", 1)}, ErrorCode::kMalformed, "cycle"},
      {{joint("self", 0)}, ErrorCode::kMalformed, "cycle"},
      {{joint("a", 1), joint("b", 0), joint("below", 0)}, ErrorCode::kMalformed, "cycle"},
      {std::vector<JointDef>(kMaxJoints + 1, joint("x", kNoJoint)), ErrorCode::kLimit, "8193"},
  };
  for (const Case& c : table) {
    const auto s = Skeleton::build(c.joints);
    ASSERT_FALSE(s.ok()) << c.text;
    EXPECT_EQ(s.error().code, c.code);
    EXPECT_NE(to_string(s.error()).find(c.text), std::string::npos) << to_string(s.error());
  }
}

TEST(Skeleton, DeepChain) {
  std::vector<JointDef> joints;
  for (int i = 0; i < 1500; ++i) joints.push_back(joint(format_text("j%d", i), i - 1));
  const auto sorted = Skeleton::build(joints);
  ASSERT_TRUE(sorted.ok());
  expect_sound(*sorted);
  EXPECT_EQ(sorted->group_count(), 1500);  // one joint a group: each waits for its parent
  EXPECT_NEAR(sorted->height(), 1499.0f, 1e-2f);
  // The same chain with its list upside down.
  std::vector<JointDef> reversed;
  for (int i = 0; i < 1500; ++i) {
    reversed.push_back(joint(format_text("j%d", 1499 - i), i == 1499 ? kNoJoint : i + 1));
  }
  const auto other = Skeleton::build(reversed);
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(other->hash(), sorted->hash());
  expect_sound(*other);
}

TEST(Skeleton, ManyJointsInAnyOrder) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const int n = seed == 0 ? kMaxJoints : 1 + random.below(300);
    std::vector<int> order(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = i;
    for (int i = n - 1; i > 0; --i) {
      std::swap(order[static_cast<std::size_t>(i)],
                order[static_cast<std::size_t>(random.below(i + 1))]);
    }
    // order[i] is the place in the list of the i-th joint of a sorted tree.
    std::vector<JointDef> joints(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      JointDef& def = joints[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
      const int parent = i == 0 || random.below(20) == 0 ? kNoJoint : random.below(i);
      def.parent = parent == kNoJoint ? kNoJoint : order[static_cast<std::size_t>(parent)];
      def.name = format_text("j%d", i);
      def.rest = random.transform(1, seed % 2 == 1);
    }
    const auto s = Skeleton::build(joints);
    ASSERT_TRUE(s.ok());
    expect_sound(*s);
    for (int i = 0; i < n; ++i) {
      const JointDef& def = joints[static_cast<std::size_t>(i)];
      const int j = s->index_of_source(i);
      EXPECT_EQ(s->name(j), def.name);
      EXPECT_EQ(s->parent(j), def.parent == kNoJoint ? kNoJoint : s->index_of_source(def.parent));
      const Mat3x4 above = s->parent(j) == kNoJoint
                               ? Mat3x4{}
                               : s->rest_model()[static_cast<std::size_t>(s->parent(j))];
      EXPECT_EQ(s->rest_model()[static_cast<std::size_t>(j)], above * to_matrix(s->rest(j)));
    }
  }
}

// Full groups where the tree allows it: the fewest that keep parents apart.
TEST(Skeleton, GroupsAreFilled) {
  std::vector<JointDef> joints = {joint("root", kNoJoint)};
  for (int limb = 0; limb < 4; ++limb) {
    for (int i = 0; i < 10; ++i) {
      joints.push_back(joint("l", i == 0 ? 0 : static_cast<int>(joints.size()) - 1));
    }
  }
  const auto s = Skeleton::build(joints);
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->group_count(), 11);
  expect_sound(*s);
}

TEST(Skeleton, Queries) {
  const auto s = Skeleton::build(std::vector{joint("hips", kNoJoint), joint("spine", 0),
                                             joint("head", 1), joint("leg", 0, {0, -1, 0})});
  ASSERT_TRUE(s.ok());
  EXPECT_TRUE(s->is_ancestor(0, 2));
  EXPECT_TRUE(s->is_ancestor(2, 2));
  EXPECT_FALSE(s->is_ancestor(2, 0));
  EXPECT_FALSE(s->is_ancestor(1, 3));
  EXPECT_FLOAT_EQ(s->height(), 3.0f);
  EXPECT_EQ(*s->require("head"), 2);
  const auto missing = s->require("haed");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_NE(missing.error().message.find("did you mean 'head'?"), std::string::npos);
}

TEST(Skeleton, RestIsNormalizedAndScaleIsSeen) {
  std::vector joints = {joint("a", kNoJoint)};
  joints[0].rest.rotation = {0, 0, 0, 3};
  auto s = Skeleton::build(joints);
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->rest(0).rotation, Quat{});
  EXPECT_FALSE(s->has_rest_scale());
  joints[0].rest.rotation = {0, 0, 0, 0};
  joints[0].rest.scale.y = 1.01f;
  s = Skeleton::build(joints);
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->rest(0).rotation, Quat{});
  EXPECT_TRUE(s->has_rest_scale());
}

// Normalizing a rotation again would change its last bits, and with them the hash.
TEST(Skeleton, RebuiltItIsTheSameBitForBit) {
  testing::Random random(11);
  std::vector<JointDef> defs;
  for (int i = 0; i < 200; ++i) {
    defs.push_back({"j" + std::to_string(i),
                    i == 0 ? kNoJoint : random.below(i),
                    {{1, 2, 3}, random.rotation() * 1.7f, {1, 1, 1}}});
  }
  const Skeleton s = Skeleton::build(defs).value();
  for (int i = 0; i < 200; ++i) defs[static_cast<std::size_t>(i)].rest = s.rest(i);
  const Result<Skeleton> again = Skeleton::rebuild(defs);
  ASSERT_TRUE(again.ok()) << to_string(again.error());
  EXPECT_EQ(again->hash(), s.hash());

  defs[3].rest.rotation.w += 0.1f;
  EXPECT_NE(to_string(Skeleton::rebuild(defs).error()).find("joint 3 'j3': the rest rotation"),
            std::string::npos);
  defs[3].parent = 3;
  EXPECT_FALSE(Skeleton::rebuild(defs).ok());
}

TEST(Skeleton, HashTellsNamesParentsAndRestApart) {
  const std::vector base = {joint("a", kNoJoint), joint("b", 0), joint("c", 1)};
  const auto hash = [](const std::vector<JointDef>& joints) {
    return Skeleton::build(joints).value().hash();
  };
  auto renamed = base, moved = base, hung = base;
  renamed[2].name = "d";
  moved[2].rest.translation.x = 1e-3f;
  hung[2].parent = 0;
  EXPECT_EQ(hash(base), hash(base));
  EXPECT_NE(hash(base), hash(renamed));
  EXPECT_NE(hash(base), hash(moved));
  EXPECT_NE(hash(base), hash(hung));
  // A constant that recordings rely on.
  EXPECT_EQ(hash(base), 0x96c2f28f9649d1c0ull);
}

}  // namespace
}  // namespace sinew
