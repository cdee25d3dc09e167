#include <vector>

#include <gtest/gtest.h>

#include <sinew/asset/mirror_map.hpp>
#include <sinew/base/text.hpp>

#include "bodies.hpp"
#include "generators.hpp"

namespace sinew {
namespace {

using testing::make_body;

void expect_partners(const testing::Body& body, const MirrorMap& map) {
  for (const auto& [role, joint] : body.joints) {
    const auto other = body.joints.find(mirrored(role));
    EXPECT_EQ(map.partner(joint), other->second) << to_string(role);
    EXPECT_EQ(map.partner(map.partner(joint)), joint);
  }
  for (int slot = 0; slot < body.skeleton.slot_count(); ++slot) {
    const int joint = body.skeleton.joint_of_slot()[static_cast<std::size_t>(slot)];
    EXPECT_EQ(map.partner_slots()[static_cast<std::size_t>(slot)],
              joint == kNoJoint ? slot : body.skeleton.slot(map.partner(joint)));
  }
}

TEST(MirrorMap, PartnersByRoles) {
  const auto body =
      make_body(testing::person_parts(), testing::role_names(testing::person_parts()));
  expect_partners(body, MirrorMap::build(body.skeleton, roles_of(body, BodyPlan::kBiped)));
}

TEST(MirrorMap, PartnersByNames) {
  for (const char* side : {"{Left|Right}%s", "%s_{l|r}", "%s.{L|R}", "{L|R}_%s", "%s-{L|R}",
                           "{l|r}%s", "%s{Left|Right}"}) {
    std::map<JointRole, std::string> names;
    for (const auto& part : testing::person_parts()) {
      const bool sided = side_of(part.role) != 0;
      // Words that no table of roles knows.
      const std::string name = format_text("Part%d", static_cast<int>(part.role));
      std::string pattern = sided ? side : "%s";
      pattern.replace(pattern.find("%s"), 2, name);
      names[part.role] = pattern;
    }
    // No symmetry of places to help.
    auto parts = testing::person_parts();
    const auto body = make_body(parts, names);
    auto defs = body.defs;
    testing::Random random(1);
    for (JointDef& def : defs) def.rest.translation += random.vec3(0.3f);
    testing::Body crooked = body;
    crooked.skeleton = Skeleton::build(defs).value();
    SCOPED_TRACE(side);
    expect_partners(crooked, MirrorMap::build(crooked.skeleton, RoleMap{}));
  }
}

TEST(MirrorMap, PartnersByPlace) {
  std::map<JointRole, std::string> names;
  for (const auto& part : testing::person_parts()) names[part.role] = "Bone";
  const auto body = make_body(testing::person_parts(), names);
  expect_partners(body, MirrorMap::build(body.skeleton, RoleMap{}));
}

TEST(MirrorMap, PairsWhoseParentsAreNoPairMirrorOntoThemselves) {
  // One hand hangs on an arm, the other on the root.
  std::vector<JointDef> joints = {{"root", kNoJoint, {}},
                                  {"arm_l", 0, {{1, 0, 0}, {}, {1, 1, 1}}},
                                  {"hand_l", 1, {{1, 0, 0}, {}, {1, 1, 1}}},
                                  {"hand_r", 0, {{-2, 0, 0}, {}, {1, 1, 1}}}};
  const Skeleton s = Skeleton::build(joints).value();
  const MirrorMap map = MirrorMap::build(s, RoleMap{});
  for (int j = 0; j < 4; ++j) EXPECT_EQ(map.partner(j), j);
}

TEST(MirrorMap, GivenPartnersAreChecked) {
  const std::vector<JointDef> joints = {
      {"root", kNoJoint, {}}, {"a", 0, {}}, {"b", 0, {}}, {"a1", 1, {}}, {"b1", 2, {}}};
  const Skeleton s = Skeleton::build(joints).value();
  const auto fault = [&](std::vector<int> partners) {
    const auto map = MirrorMap::build(s, partners);
    return map.ok() ? std::string("none") : to_string(map.error());
  };
  EXPECT_EQ(fault({0, 2, 1, 4, 3}), "none");
  EXPECT_EQ(fault({0, 1, 2, 3, 4}), "none");
  EXPECT_EQ(fault({0, 2, 1, 4}), "4 partners for 5 joints");
  EXPECT_EQ(fault({0, 2, 2, 4, 3}), "joint 1 'a': its partner 'b' has another partner");
  EXPECT_EQ(fault({0, 9, 1, 4, 3}), "joint 1 'a': partner 9 does not exist; there are 5 joints");
  EXPECT_EQ(fault({0, 2, 1, 3, 4}),
            "joint 3 'a1': its parent and the parent of its partner 'a1' are no pair");
  EXPECT_TRUE(MirrorMap::build(Skeleton(), std::vector<int>{}).ok());
}

}  // namespace
}  // namespace sinew
