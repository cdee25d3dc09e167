#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/asset/mask.hpp>
#include <sinew/asset/model.hpp>
#include <sinew/base/text.hpp>

namespace sinew {
namespace {

Skeleton small_tree() {
  std::vector<JointDef> joints;
  for (int parent : {-1, 0, 1, 1, 0, 4}) {
    joints.push_back({format_text("j%zu", joints.size()), parent, {}});
  }
  return Skeleton::build(joints).value();
}

void expect_groups_agree(const Skeleton& s, const JointMask& mask) {
  ASSERT_EQ(static_cast<int>(mask.groups().size()), s.group_count());
  for (int slot = 0; slot < s.slot_count(); ++slot) {
    const int j = s.joint_of_slot()[static_cast<std::size_t>(slot)];
    EXPECT_EQ(mask.groups()[static_cast<std::size_t>(slot / 4)][slot % 4],
              j == kNoJoint ? 0.0f : mask.weight(j));
  }
}

TEST(Mask, Subtree) {
  const Skeleton s = small_tree();
  const JointMask mask = JointMask::subtree(s, 1, 0.75f, 0.25f);
  const float wanted[] = {0.25f, 0.75f, 0.75f, 0.75f, 0.25f, 0.25f};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(mask.weight(i), wanted[i]);
  expect_groups_agree(s, mask);
  const JointMask none = JointMask::subtree(s, kNoJoint);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(none.weight(i), 0.0f);
}

TEST(Mask, WeightsAreClamped) {
  const Skeleton s = small_tree();
  const float weights[] = {-1, 0, 0.5f, 1, 7, std::numeric_limits<float>::quiet_NaN()};
  const float wanted[] = {0, 0, 0.5f, 1, 1, 0};
  const JointMask mask = JointMask::from_weights(s, weights);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(mask.weight(i), wanted[i]);
  expect_groups_agree(s, mask);
  expect_groups_agree(s, JointMask::uniform(s, 0.5f));
  EXPECT_TRUE(JointMask().empty());
  EXPECT_FALSE(mask.empty());
}

TEST(Model, FindClip) {
  Model model;
  model.name = "zombie.glb";
  auto none = model.find_clip("Walk");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(to_string(none.error()), "zombie.glb: there is no clip 'Walk'; the model has no clips");
  model.clips.resize(3);
  model.clips[0].name = "Idle";
  model.clips[1].name = "Walk";
  model.clips[2].name = "Walk";
  EXPECT_EQ(*model.find_clip("Walk"), 1);
  none = model.find_clip("wlak");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(to_string(none.error()), "zombie.glb: there is no clip 'wlak'; did you mean 'Walk'?");
}

// Exporters put the armature's name in front: "Armature|Walk".
TEST(Model, FindClipByTheEndOfItsName) {
  Model model;
  model.name = "hero.fbx";
  const auto with = [&](std::vector<std::string> names) {
    model.clips.assign(names.size(), {});
    for (std::size_t i = 0; i < names.size(); ++i) model.clips[i].name = names[i];
  };
  with({"Armature|Idle", "Armature|Walk", "Armature|Sidewalk", "Armature|Walk|Base"});
  EXPECT_EQ(*model.find_clip("Walk"), 1);
  EXPECT_EQ(*model.find_clip("Walk|Base"), 3);
  EXPECT_EQ(*model.find_clip("Armature|Walk"), 1);
  EXPECT_FALSE(model.find_clip("walk").ok());
  EXPECT_FALSE(model.find_clip("").ok());
  EXPECT_NE(model.find_clip("Wlak").error().message.find("did you mean 'Walk'?"),
            std::string::npos);

  with({"Man|Walk", "Walk", "Horse|Walk"});
  EXPECT_EQ(*model.find_clip("Walk"), 1) << "the exact name comes first";

  with({"Man|Walk", "Man|Idle", "Horse|Walk"});
  const auto either = model.find_clip("Walk");
  ASSERT_FALSE(either.ok());
  EXPECT_EQ(either.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(to_string(either.error()),
            "hero.fbx: 'Walk' may be 'Man|Walk' or 'Horse|Walk'; write the whole name");

  with({"Man|Walk", "Man|Walk"});
  EXPECT_EQ(*model.find_clip("Walk"), 0) << "two of one name: the first, as for exact names";
}

}  // namespace
}  // namespace sinew
