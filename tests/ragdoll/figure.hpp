// A person of 23 joints in a T-pose, with a capsule skin.
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include <sinew/asset/model.hpp>
#include <sinew/ragdoll/auto_ragdoll.hpp>
#include <sinew/ragdoll/capsule_skin.hpp>
#include <sinew/ragdoll/ragdoll_def.hpp>

namespace sinew::testing {

// `top`: scale of the joint above the hips; what lies below is made smaller by it, as exporters
// that change units do, so that the figure has the same size in the world.
inline Model make_figure(float top = 1, float size = 1) {
  struct J {
    const char* name;
    int parent;
    Vec3 place;  // model space
  };
  const J joints[] = {
      {"Armature", -1, {0, 0, 0}},
      {"Hips", 0, {0, 0.95f, 0}},
      {"Spine", 1, {0, 1.08f, 0}},
      {"Chest", 2, {0, 1.25f, 0}},
      {"Neck", 3, {0, 1.48f, 0}},
      {"Head", 4, {0, 1.57f, 0.02f}},
      {"LeftShoulder", 3, {0.04f, 1.42f, 0}},
      {"LeftUpperArm", 6, {0.17f, 1.42f, 0}},
      {"LeftLowerArm", 7, {0.45f, 1.42f, 0}},
      {"LeftHand", 8, {0.70f, 1.42f, 0}},
      {"LeftMiddle1", 9, {0.80f, 1.42f, 0}},
      {"RightShoulder", 3, {-0.04f, 1.42f, 0}},
      {"RightUpperArm", 11, {-0.17f, 1.42f, 0}},
      {"RightLowerArm", 12, {-0.45f, 1.42f, 0}},
      {"RightHand", 13, {-0.70f, 1.42f, 0}},
      {"RightMiddle1", 14, {-0.80f, 1.42f, 0}},
      {"LeftUpperLeg", 1, {0.10f, 0.91f, 0}},
      {"LeftLowerLeg", 16, {0.10f, 0.50f, 0.01f}},
      {"LeftFoot", 17, {0.10f, 0.09f, 0}},
      {"LeftToes", 18, {0.10f, 0.02f, 0.15f}},
      {"RightUpperLeg", 1, {-0.10f, 0.91f, 0}},
      {"RightLowerLeg", 20, {-0.10f, 0.50f, 0.01f}},
      {"RightFoot", 21, {-0.10f, 0.09f, 0}},
      {"RightToes", 22, {-0.10f, 0.02f, 0.15f}},
  };
  std::vector<JointDef> defs;
  for (const J& j : joints) {
    JointDef def;
    def.name = j.name;
    def.parent = j.parent;
    if (j.parent < 0) {
      def.rest.scale = {top, top, top};
    } else {
      def.rest.translation = (j.place - joints[j.parent].place) * (size / top);
    }
    defs.push_back(def);
  }
  Model model;
  model.name = "figure";
  model.skeleton = Skeleton::build(defs).value();
  const auto set = [&](JointRole role, const char* name) {
    model.roles.set(role, model.skeleton.find(name).value());
  };
  model.roles.plan = BodyPlan::kBiped;
  set(JointRole::kHips, "Hips");
  set(JointRole::kSpine, "Spine");
  set(JointRole::kChest, "Chest");
  set(JointRole::kNeck, "Neck");
  set(JointRole::kHead, "Head");
  set(JointRole::kLeftUpperArm, "LeftUpperArm");
  set(JointRole::kLeftLowerArm, "LeftLowerArm");
  set(JointRole::kLeftHand, "LeftHand");
  set(JointRole::kRightUpperArm, "RightUpperArm");
  set(JointRole::kRightLowerArm, "RightLowerArm");
  set(JointRole::kRightHand, "RightHand");
  set(JointRole::kLeftUpperLeg, "LeftUpperLeg");
  set(JointRole::kLeftLowerLeg, "LeftLowerLeg");
  set(JointRole::kLeftFoot, "LeftFoot");
  set(JointRole::kLeftToes, "LeftToes");
  set(JointRole::kRightUpperLeg, "RightUpperLeg");
  set(JointRole::kRightLowerLeg, "RightLowerLeg");
  set(JointRole::kRightFoot, "RightFoot");
  set(JointRole::kRightToes, "RightToes");
  add_capsule_skin(model);
  return model;
}

}  // namespace sinew::testing
