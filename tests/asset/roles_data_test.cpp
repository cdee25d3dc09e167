// Roles of real characters, read from their files without an importer.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <sinew/asset/skeleton.hpp>

#include "file_joints.hpp"

namespace sinew {
namespace {

using enum JointRole;

struct Case {
  const char* file;
  BodyPlan plan;
  int count;  // roles found
  std::map<JointRole, const char*> some;
};

TEST(DataRoles, RealCharacters) {
  const std::string folder = SINEW_DATA_DIR;
  if (folder.empty()) GTEST_SKIP() << "SKIPPED: SINEW_DATA is not set";
  const std::vector<Case> table = {
      {"gltf_humanoid/gdquest/mannequiny-0.3.0.glb",
       BodyPlan::kBiped,
       45,
       {{kHips, "pelvis"}, {kLeftHand, "hand.l"}, {kRightToes, "ball.r"}, {kHead, "head"}}},
      {"gltf_humanoid/kaykit_adventurers/Barbarian.glb",
       BodyPlan::kBiped,
       18,
       {{kHips, "hips"}, {kChest, "chest"}, {kLeftHand, "wrist.l"}, {kLeftFoot, "foot.l"}}},
      {"gltf_humanoid/kaykit_rig_medium/Med_General.glb",
       BodyPlan::kBiped,
       18,
       {{kHips, "hips"}, {kRightLowerLeg, "lowerleg.r"}}},
      {"gltf_humanoid/quaternius/Character.glb",
       BodyPlan::kBiped,
       17,
       {{kHips, "Body"}, {kSpine, "Abdomen"}, {kLeftHand, "Fist.L"}, {kLeftFoot, nullptr}}},
      {"gltf_humanoid/quaternius/KnightCharacter.glb",
       BodyPlan::kBiped,
       17,
       {{kLeftHand, "Palm.L"}, {kLeftThumbProximal, nullptr}}},
      {"gltf_humanoid/raylib/robot.glb",
       BodyPlan::kBiped,
       15,
       {{kLeftLowerArm, "LowerArm.L"}, {kLeftHand, nullptr}}},
      {"gltf_khronos/CesiumMan.glb",
       BodyPlan::kBiped,
       19,
       {{kLeftUpperArm, "Skeleton_arm_joint_L__4_"}, {kRightFoot, "leg_joint_R_3"}}},
      {"gltf_khronos/RiggedFigure.glb", BodyPlan::kBiped, 19, {{kHead, "neck_joint_2"}}},
      {"gltf_khronos/Fox.glb",
       BodyPlan::kQuadruped,
       21,
       {{kHips, "b_Hip_01"}, {kFrontLeftFoot, "b_LeftHand_011"}, {kTailTip, "b_Tail03_014"}}},
      {"gltf_khronos/BoxAnimated.glb", BodyPlan::kUnknown, 0, {}},
      {"gltf_khronos/RiggedSimple.glb", BodyPlan::kUnknown, 0, {}},
      {"gltf_animals/mesh2motion/fox-animations.glb",
       BodyPlan::kQuadruped,
       28,
       {{kHips, "Hips"}, {kNeck, "Spine_3"}, {kHindRightAnkle, "Back_Leg_Ankle_R"}}},
      {"gltf_animals/mesh2motion/horse-animations.glb",
       BodyPlan::kQuadruped,
       28,
       {{kFrontLeftUpper, "front_leg_upper_l"}, {kFrontLeftGirdle, "front_scapula_l"}}},
      {"gltf_animals/quaternius/Horse.glb",
       BodyPlan::kQuadruped,
       21,
       {{kHips, "Back"},
        {kHindLeftUpper, "BackLeg.L"},
        {kHindLeftLower, "BackUpperLeg.L"},
        {kHindLeftAnkle, "BackLowerLeg.L"},
        {kHindLeftFoot, nullptr}}},
      {"gltf_animals/quaternius/Deer.glb", BodyPlan::kQuadruped, 21, {{kChest, "Torso2"}}},
      {"gltf_animals/quaternius/Wolf.glb", BodyPlan::kQuadruped, 21, {{kTailTip, "Tail8"}}},
      {"gltf_animals/quaternius/Husky.glb", BodyPlan::kQuadruped, 21, {{kNeck, "Neck1"}}},
      {"bvh/cmu_cgspeed/01_01.bvh",
       BodyPlan::kBiped,
       24,
       {{kSpine, "LowerBack"}, {kLeftUpperLeg, "LeftUpLeg"}, {kLeftShoulder, "LeftShoulder"}}},
      {"bvh/animated_drawings/jumping_jacks.bvh",
       BodyPlan::kBiped,
       24,
       {{kLeftUpperArm, "LeftShoulder"}, {kLeftHand, "LeftWrist"}, {kLeftUpperLeg, "LeftHip"}}},
      {"bvh/animated_drawings/dab.bvh", BodyPlan::kBiped, 24, {{kRightFoot, "RightFoot"}}},
      {"bvh/geno/Geno_stance.bvh",
       BodyPlan::kBiped,
       52,
       {{kLeftLittleDistal, "LeftHandPinky3"}, {kNeck, "Neck"}}},
      {"bvh/pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh", BodyPlan::kBiped, 21, {{kSpine, "Spine"}}},
      {"bvh/pybvh/bvh_test1.bvh", BodyPlan::kBiped, 22, {{kLeftToes, "LeftToeBase"}}},
      {"bvh/boxing/Boxing_Toes.bvh", BodyPlan::kBiped, 21, {{kSpine, "Ab"}}},
      {"derived_bvh/dm_walk.bvh",
       BodyPlan::kBiped,
       15,
       {{kHips, "root"}, {kLeftUpperArm, "left_shoulder"}, {kNeck, "neck"}}},
      {"derived_bvh/cmu_02_01_walk_60hz.bvh",
       BodyPlan::kBiped,
       24,
       {{kLeftHand, "lwrist"}, {kUpperChest, "thorax"}, {kRightUpperLeg, "rfemur"}}},
  };
  for (const Case& c : table) {
    SCOPED_TRACE(c.file);
    const std::string path = folder + "/" + c.file;
    const auto joints =
        path.ends_with(".bvh") ? testing::bvh_joints(path) : testing::gltf_joints(path);
    ASSERT_FALSE(joints.empty());
    const auto skeleton = Skeleton::build(joints);
    ASSERT_TRUE(skeleton.ok()) << to_string(skeleton.error());
    const RoleMap found = find_roles(*skeleton);
    EXPECT_EQ(found.plan, c.plan);
    EXPECT_EQ(found.count(), c.count);
    for (const auto& [role, name] : c.some) {
      const int joint = found.joint(role);
      EXPECT_EQ(joint < 0 ? "" : skeleton->name(joint), name ? name : "") << to_string(role);
    }
  }
}

}  // namespace
}  // namespace sinew
