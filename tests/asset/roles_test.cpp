#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/asset/skeleton.hpp>
#include <sinew/base/text.hpp>

#include "bodies.hpp"
#include "generators.hpp"
#include "role_styles.hpp"

namespace sinew {
namespace {

using enum JointRole;
using testing::make_body;

TEST(Roles, NamesRoundTrip) {
  for (int i = 0; i < kJointRoleCount; ++i) {
    const auto role = static_cast<JointRole>(i);
    EXPECT_EQ(joint_role_from_string(to_string(role)), role);
    for (char c : to_string(role)) EXPECT_TRUE((c >= 'a' && c <= 'z') || c == '_');
  }
  EXPECT_EQ(to_string(kLeftUpperArm), "left_upper_arm");
  EXPECT_EQ(to_string(kHindLeftFoot), "hind_left_foot");
  EXPECT_EQ(to_string(kRightLittleDistal), "right_little_distal");
  EXPECT_FALSE(joint_role_from_string("left_wing"));
  EXPECT_EQ(to_string(kCount), "none");
}

TEST(Roles, ExpectedRolesComeInPairs) {
  EXPECT_TRUE(expected_roles(BodyPlan::kUnknown).empty());
  for (BodyPlan plan : {BodyPlan::kBiped, BodyPlan::kQuadruped}) {
    const auto roles = expected_roles(plan);
    EXPECT_EQ(roles.size(), plan == BodyPlan::kBiped ? 21u : 18u);
    for (JointRole role : roles) {
      EXPECT_NE(std::find(roles.begin(), roles.end(), mirrored(role)), roles.end())
          << to_string(plan) << ": " << to_string(role);
      EXPECT_EQ(std::count(roles.begin(), roles.end(), role), 1);
    }
  }
}

TEST(Roles, SidesMirror) {
  for (int i = 0; i < kJointRoleCount; ++i) {
    const auto role = static_cast<JointRole>(i);
    EXPECT_EQ(mirrored(mirrored(role)), role);
    EXPECT_EQ(side_of(mirrored(role)), -side_of(role));
    std::string name(to_string(role));
    const std::size_t left = name.find("left"), right = name.find("right");
    EXPECT_EQ(side_of(role), left != std::string::npos ? -1 : (right != std::string::npos ? 1 : 0));
    if (left != std::string::npos) {
      EXPECT_EQ(to_string(mirrored(role)), name.replace(left, 4, "right"));
    }
  }
}

TEST(RoleMap, AJointHasOneRole) {
  RoleMap map;
  EXPECT_EQ(map.count(), 0);
  map.set(kHips, 3);
  map.set(kSpine, 4);
  EXPECT_EQ(map.role(3), kHips);
  map.set(kSpine, 3);
  EXPECT_FALSE(map.has(kHips));
  EXPECT_EQ(map.joint(kSpine), 3);
  EXPECT_EQ(map.role(4), kNone);
  map.set(kSpine, kNoJoint);
  EXPECT_EQ(map.count(), 0);
  map.set(kNone, 1);
  EXPECT_EQ(map.count(), 0);
  EXPECT_EQ(map.role(kNoJoint), kNone);
}

void expect_roles(const testing::Body& body, const RoleMap& found, const char* style) {
  for (int i = 1; i < kJointRoleCount; ++i) {
    const auto role = static_cast<JointRole>(i);
    const auto wanted = body.joints.find(role);
    const int want = wanted == body.joints.end() ? kNoJoint : wanted->second;
    const int got = found.joint(role);
    EXPECT_EQ(got, want) << style << ": " << to_string(role) << " is "
                         << (got < 0 ? "-" : body.skeleton.name(got)) << ", not "
                         << (want < 0 ? "-" : body.skeleton.name(want));
  }
}

TEST(FindRoles, PeopleOfEveryStyle) {
  for (const Style& style : styles()) {
    // Whatever the local axes, and whichever way up the rest pose stands.
    for (Quat twist : {Quat{}, normalize(Quat{1, 2, 3, 4})}) {
      const auto body = make_body(testing::person_parts(), style.names, style.extra, twist);
      const RoleMap found = find_roles(body.skeleton);
      expect_roles(body, found, style.name);
      EXPECT_EQ(found.plan, BodyPlan::kBiped) << style.name;
    }
  }
}

TEST(FindRoles, PeopleThatLieOnTheirBacks) {
  for (const Style& style : styles()) {
    const auto body = make_body(testing::person_parts(), style.names, style.extra);
    std::vector<JointDef> defs = body.defs;
    const Quat fallen = from_axis_angle(kAxisX, -kHalfPi);
    for (JointDef& def : defs) {
      if (def.parent != kNoJoint) continue;
      def.rest.rotation = fallen * def.rest.rotation;
      def.rest.translation = rotate(fallen, def.rest.translation);
    }
    expect_roles(body, find_roles(Skeleton::build(defs).value()), style.name);
  }
}

const Names kHorse = {{kHips, "hips"},
                      {kSpine, "spine_1"},
                      {kChest, "spine_2"},
                      {kNeck, "spine_3"},
                      {kHead, "head"},
                      {kTail, "tail_1"},
                      {kTailTip, "tail_2"},
                      {kFrontLeftGirdle, "front_scapula_{l|r}"},
                      {kFrontLeftUpper, "front_leg_upper_{l|r}"},
                      {kFrontLeftLower, "front_leg_lower_{l|r}"},
                      {kFrontLeftAnkle, "front_leg_ankle_{l|r}"},
                      {kFrontLeftFoot, "front_leg_foot_{l|r}"},
                      {kHindLeftGirdle, "back_leg_pelvis_{l|r}"},
                      {kHindLeftUpper, "back_leg_upper_{l|r}"},
                      {kHindLeftLower, "back_leg_lower_{l|r}"},
                      {kHindLeftAnkle, "back_leg_ankle_{l|r}"},
                      {kHindLeftFoot, "back_leg_foot_{l|r}"}};
const Names kDeer = {{kHips, "Back"},
                     {kSpine, "Torso"},
                     {kChest, "Torso2"},
                     {kNeck, "Neck1"},
                     {kHead, "Head"},
                     {kTail, "Tail1"},
                     {kTailTip, "Tail2"},
                     {kFrontLeftGirdle, "FrontShoulder.{L|R}"},
                     {kFrontLeftUpper, "FrontUpperLeg.{L|R}"},
                     {kFrontLeftLower, "FrontLowerLeg.{L|R}"},
                     {kHindLeftGirdle, "BackShoulder.{L|R}"},
                     {kHindLeftUpper, "BackUpperLeg.{L|R}"},
                     {kHindLeftLower, "BackLowerLeg.{L|R}"}};
const Names kFox = {{kHips, "b_Hip_01"},
                    {kSpine, "b_Spine01_02"},
                    {kChest, "b_Spine02_03"},
                    {kNeck, "b_Neck_04"},
                    {kHead, "b_Head_05"},
                    {kTail, "b_Tail01_012"},
                    {kTailTip, "b_Tail02_013"},
                    {kFrontLeftUpper, "b_{Left|Right}UpperArm_06"},
                    {kFrontLeftLower, "b_{Left|Right}ForeArm_07"},
                    {kFrontLeftFoot, "b_{Left|Right}Hand_08"},
                    {kHindLeftUpper, "b_{Left|Right}Leg01_015"},
                    {kHindLeftLower, "b_{Left|Right}Leg02_016"},
                    {kHindLeftAnkle, "b_{Left|Right}Foot01_017"},
                    {kHindLeftFoot, "b_{Left|Right}Foot02_018"}};

TEST(FindRoles, Animals) {
  const std::vector<Style> table = {
      {"horse",
       kHorse,
       {{"front_leg_leaf_{l|r}", "front_leg_foot_{l|r}", {0, -0.05f, 0}},
        {"ribcage_middle", "spine_2", {0, -0.2f, 0}},
        {"tail_leaf", "tail_2", {0, 0, -0.1f}},
        {"back_leg_toe_{l|r}", "back_leg_foot_{l|r}", {0, -0.03f, 0}},
        {"ear_1_{l|r}", "head", {0.05f, 0.1f, 0}}}},
      {"deer",
       kDeer,
       {{"IKBackLeg.{L|R}", "", {0.15f, -0.9f, 0}},
        {"PoleTargetBack.{L|R}", "", {0.15f, 0, 2}},
        {"FrontLowerLeg.{L|R}_end", "FrontLowerLeg.{L|R}", {0, -0.4f, 0}}}},
      {"fox with the names of arms", kFox, {}},
  };
  for (const Style& style : table) {
    const auto body = make_body(testing::animal_parts(), style.names, style.extra);
    const RoleMap found = find_roles(body.skeleton);
    expect_roles(body, found, style.name);
    EXPECT_EQ(found.plan, BodyPlan::kQuadruped) << style.name;
  }
}

// A root on the floor that carries both legs is not the hips.
TEST(FindRoles, RootOnTheFloorIsNoHips) {
  Names names = {
      {kLeftUpperLeg, "Thigh.{L|R}"}, {kLeftLowerLeg, "Calf.{L|R}"}, {kLeftFoot, "Foot.{L|R}"}};
  const auto body = make_body(testing::person_parts(), names, {}, {}, true);
  const RoleMap found = find_roles(body.skeleton);
  EXPECT_FALSE(found.has(kHips));
  EXPECT_TRUE(found.has(kLeftUpperLeg));
  EXPECT_EQ(found.plan, BodyPlan::kBiped);
}

TEST(FindRoles, AFootBesideItsLegHasNoRole) {
  const Names names = {
      {kHips, "Body"}, {kLeftUpperLeg, "UpperLeg.{L|R}"}, {kLeftLowerLeg, "LowerLeg.{L|R}"}};
  const auto body =
      make_body(testing::person_parts(), names, {{"Foot.{L|R}", "", {0.1f, 0.08f, 0}}}, {}, true);
  const RoleMap found = find_roles(body.skeleton);
  EXPECT_TRUE(found.has(kLeftLowerLeg));
  EXPECT_FALSE(found.has(kLeftFoot));
}

// "Thumb.R" below the left hand: a fault of the rig, seen in a real pack.
TEST(FindRoles, AThumbOnTheWrongHandHasNoRole) {
  const Names names = {{kHips, "Hips"},
                       {kSpine, "Spine"},
                       {kHead, "Head"},
                       {kLeftUpperArm, "UpperArm.{L|R}"},
                       {kLeftLowerArm, "LowerArm.{L|R}"},
                       {kLeftHand, "Hand.{L|R}"},
                       {kLeftUpperLeg, "UpperLeg.{L|R}"},
                       {kLeftLowerLeg, "LowerLeg.{L|R}"}};
  const auto body =
      make_body(testing::person_parts(), names, {{"Thumb.{R|L}", "Hand.{L|R}", {0.05f, 0, 0.03f}}});
  const RoleMap found = find_roles(body.skeleton);
  EXPECT_TRUE(found.has(kLeftHand));
  EXPECT_FALSE(found.has(kLeftThumbProximal));
  EXPECT_FALSE(found.has(kRightThumbProximal));
}

// Several palms, none of them the hand.
TEST(FindRoles, AnAmbiguousHandHasNoRole) {
  const Names names = {{kHips, "Hips"},
                       {kLeftUpperArm, "UpperArm.{L|R}"},
                       {kLeftLowerArm, "LowerArm.{L|R}"},
                       {kLeftUpperLeg, "UpperLeg.{L|R}"},
                       {kLeftLowerLeg, "LowerLeg.{L|R}"}};
  const auto body = make_body(testing::person_parts(), names,
                              {{"Palm1.{L|R}", "LowerArm.{L|R}", {0.2f, 0, 0.03f}},
                               {"Palm2.{L|R}", "LowerArm.{L|R}", {0.2f, 0, -0.03f}}});
  const RoleMap found = find_roles(body.skeleton);
  EXPECT_TRUE(found.has(kLeftLowerArm));
  EXPECT_FALSE(found.has(kLeftHand));
}

TEST(FindRoles, OnePairOnTheWrongSidesIsDropped) {
  const auto names = testing::role_names(testing::person_parts());
  auto body = make_body(testing::person_parts(), names);
  auto defs = body.defs;
  // The eyes change sides.
  for (JointDef& def : defs) {
    if (def.name == "left_eye" || def.name == "right_eye") def.rest.translation.x *= -1;
  }
  const RoleMap found = find_roles(Skeleton::build(defs).value());
  EXPECT_FALSE(found.has(kLeftEye));
  EXPECT_FALSE(found.has(kRightEye));
  EXPECT_TRUE(found.has(kLeftHand));
}

// A rest pose that is a frame of a jog: one foot crosses to the other side.
TEST(FindRoles, FeetThatCrossStayFeet) {
  auto body = make_body(testing::person_parts(), testing::role_names(testing::person_parts()));
  auto defs = body.defs;
  for (JointDef& def : defs) {
    if (def.name == "left_foot") def.rest.translation.x -= 0.12f;
    if (def.name == "right_foot") def.rest.translation.x += 0.12f;
  }
  const RoleMap found = find_roles(Skeleton::build(defs).value());
  EXPECT_EQ(found.count(), static_cast<int>(body.joints.size()));
}

// 3ds Max's Biped hangs the thighs on the first joint of the spine: it moves all of the body, so
// that it is no spine.
TEST(FindRoles, AJointThatCarriesTheLegsIsNoSpine) {
  const auto names = testing::role_names(testing::person_parts());
  const auto body = make_body(testing::person_parts(), names);
  auto defs = body.defs;
  const auto index = [&](const char* name) {
    return static_cast<int>(
        std::find_if(defs.begin(), defs.end(), [&](const JointDef& d) { return d.name == name; }) -
        defs.begin());
  };
  for (JointDef& def : defs) {
    if (def.name == "left_upper_leg" || def.name == "right_upper_leg") def.parent = index("spine");
  }
  const RoleMap found = find_roles(Skeleton::build(defs).value());
  const Skeleton skeleton = Skeleton::build(defs).value();
  EXPECT_EQ(skeleton.name(found.joint(kHips)), "hips");
  EXPECT_EQ(skeleton.name(found.joint(kSpine)), "chest");
  EXPECT_EQ(skeleton.name(found.joint(kChest)), "upper_chest");
  EXPECT_FALSE(found.has(kUpperChest));
  EXPECT_TRUE(found.has(kLeftFoot));
}

// "BackLeg, BackUpperLeg, BackLowerLeg": thigh, shank and foot, unless the first is a stub.
TEST(FindRoles, ALegAboveTheUpperLegIsTheThigh) {
  for (const bool stub : {false, true}) {
    Names names = kDeer;
    names.erase(kHindLeftGirdle);
    names[kHindLeftUpper] = "BackLeg.{L|R}";
    names[kHindLeftLower] = "BackUpperLeg.{L|R}";
    names[kHindLeftAnkle] = "BackLowerLeg.{L|R}";
    const auto body = make_body(testing::animal_parts(), names);
    auto defs = body.defs;
    for (JointDef& def : defs) {
      if (stub && def.name.starts_with("BackUpperLeg")) def.rest.translation = {0, -0.05f, 0};
    }
    const Skeleton skeleton = Skeleton::build(defs).value();
    const RoleMap found = find_roles(skeleton);
    EXPECT_EQ(skeleton.name(found.joint(kHindLeftUpper)), stub ? "BackUpperLeg.L" : "BackLeg.L");
    EXPECT_EQ(skeleton.name(found.joint(kHindLeftLower)),
              stub ? "BackLowerLeg.L" : "BackUpperLeg.L");
    EXPECT_EQ(found.has(kHindLeftAnkle), !stub);
    EXPECT_EQ(found.plan, BodyPlan::kQuadruped);
  }
}

TEST(FindRoles, SidesThatTheToesContradictAreDropped) {
  const auto body =
      make_body(testing::person_parts(), testing::role_names(testing::person_parts()));
  auto defs = body.defs;
  for (JointDef& def : defs) def.rest.translation.x *= -1;  // left is now on the right
  const RoleMap found = find_roles(Skeleton::build(defs).value());
  EXPECT_FALSE(found.has(kLeftUpperLeg));
  EXPECT_FALSE(found.has(kRightHand));
  EXPECT_TRUE(found.has(kHips));
  EXPECT_TRUE(found.has(kHead));
  EXPECT_EQ(found.plan, BodyPlan::kUnknown);
}

TEST(FindRoles, NothingInThingsThatHaveNoBody) {
  EXPECT_EQ(find_roles(Skeleton()).count(), 0);
  const std::vector<std::vector<const char*>> table = {{"Cube"},
                                                       {"Bone", "Bone.001", "Bone.002", "Bone.003"},
                                                       {"Root", "Door", "Hinge"},
                                                       {"leg-left", "leg-right"},
                                                       {"", "", ""}};
  for (const auto& names : table) {
    std::vector<JointDef> joints;
    for (const char* name : names) {
      joints.push_back({name, static_cast<int>(joints.size()) - 1, {{0, 1, 0}, {}, {1, 1, 1}}});
    }
    EXPECT_EQ(find_roles(Skeleton::build(joints).value()).count(), 0) << names[0];
  }
}

// Whatever the names and the tree: the promises of find_roles() hold.
TEST(FindRoles, PromisesHoldForAnyTree) {
  static const char* kWords[] = {
      "Hips",  "Spine", "Chest", "Neck",  "Head",   "Shoulder", "Arm",  "ForeArm", "Hand",
      "UpLeg", "Leg",   "Foot",  "Toe",   "Thumb1", "Index2",   "Tail", "Jaw",     "Eye",
      "Twist", "Front", "Back",  "Upper", "Lower",  "xyz",      "IK",   "Finger0"};
  static const char* kSides[] = {"", "Left", "Right", "L_", "R_"};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    testing::Random random(seed);
    std::vector<JointDef> joints;
    const int n = 1 + random.below(60);
    for (int i = 0; i < n; ++i) {
      std::string name = kSides[random.below(5)];
      for (int words = random.below(3); words >= 0; --words) name += kWords[random.below(26)];
      joints.push_back({name,
                        i == 0 ? kNoJoint : std::max(0, i - 1 - random.below(4)),
                        {random.vec3(0.4f), random.rotation(), {1, 1, 1}}});
    }
    const Skeleton s = Skeleton::build(joints).value();
    const RoleMap found = find_roles(s);
    std::map<int, int> uses;
    for (int i = 1; i < kJointRoleCount; ++i) {
      const int joint = found.joint(static_cast<JointRole>(i));
      if (joint < 0) continue;
      ASSERT_LT(joint, s.joint_count());
      EXPECT_EQ(++uses[joint], 1);
    }
    const auto below = [&](JointRole upper, JointRole lower) {
      if (!found.has(upper) || !found.has(lower)) return;
      EXPECT_TRUE(s.is_ancestor(found.joint(upper), found.joint(lower)) &&
                  found.joint(upper) != found.joint(lower))
          << to_string(upper) << " / " << to_string(lower) << ", seed " << seed;
    };
    for (JointRole first : {kLeftShoulder, kRightShoulder, kLeftUpperLeg, kRightUpperLeg}) {
      for (int i = 0; i < 3; ++i) {
        below(static_cast<JointRole>(static_cast<int>(first) + i),
              static_cast<JointRole>(static_cast<int>(first) + i + 1));
      }
    }
    below(kLeftHand, kLeftThumbProximal);
    below(kHips, kHead);
    below(kHips, kLeftUpperLeg);
    below(kHips, kRightFoot);
  }
}

}  // namespace
}  // namespace sinew
