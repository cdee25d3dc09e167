#include "body.hpp"

#include <array>
#include <vector>

namespace sinew::make_assets {
namespace {

// The middle of the body, then one side with its names less "Left". The arms hang 45 degrees down,
// which keeps the shoulders well-formed both when they are lowered and when they are raised.
const std::vector<BoneInfo>& middle_bones() {
  using R = JointRole;
  static const std::vector<BoneInfo> list{
      {Bone::kRoot, Bone::kCount, "Root", R::kNone, {0, 0, 0}},
      {Bone::kHips, Bone::kRoot, "Hips", R::kHips, {0, 0.965f, 0}},
      {Bone::kSpine, Bone::kHips, "Spine", R::kSpine, {0, 1.060f, -0.005f}},
      {Bone::kChest, Bone::kSpine, "Chest", R::kChest, {0, 1.175f, -0.012f}},
      {Bone::kUpperChest, Bone::kChest, "UpperChest", R::kUpperChest, {0, 1.300f, -0.016f}},
      {Bone::kNeck, Bone::kUpperChest, "Neck", R::kNeck, {0, 1.452f, -0.012f}},
      {Bone::kHead, Bone::kNeck, "Head", R::kHead, {0, 1.532f, 0.004f}},
  };
  return list;
}

const std::vector<BoneInfo>& side_bones() {
  using R = JointRole;
  static const std::vector<BoneInfo> list{
      {Bone::kLeftEye, Bone::kHead, "Eye", R::kLeftEye, {0.0353f, 1.632f, 0.0820f}},
      {Bone::kLeftShoulder,
       Bone::kUpperChest,
       "Shoulder",
       R::kLeftShoulder,
       {0.030f, 1.405f, -0.008f}},
      {Bone::kLeftUpperArm,
       Bone::kLeftShoulder,
       "UpperArm",
       R::kLeftUpperArm,
       {0.164f, 1.386f, -0.018f}},
      {Bone::kLeftLowerArm,
       Bone::kLeftUpperArm,
       "LowerArm",
       R::kLeftLowerArm,
       {0.358f, 1.192f, -0.026f}},
      {Bone::kLeftHand, Bone::kLeftLowerArm, "Hand", R::kLeftHand, {0.534f, 1.016f, -0.012f}},
      {Bone::kLeftThumb,
       Bone::kLeftHand,
       "ThumbProximal",
       R::kLeftThumbProximal,
       {0.548f, 0.992f, 0.022f}},
      {Bone::kLeftFingers,
       Bone::kLeftHand,
       "MiddleProximal",
       R::kLeftMiddleProximal,
       {0.598f, 0.952f, -0.008f}},
      {Bone::kLeftFingerTips,
       Bone::kLeftFingers,
       "MiddleIntermediate",
       R::kLeftMiddleIntermediate,
       {0.631f, 0.919f, -0.006f}},
      {Bone::kLeftUpperLeg, Bone::kHips, "UpperLeg", R::kLeftUpperLeg, {0.092f, 0.925f, 0.000f}},
      {Bone::kLeftLowerLeg,
       Bone::kLeftUpperLeg,
       "LowerLeg",
       R::kLeftLowerLeg,
       {0.098f, 0.503f, 0.010f}},
      {Bone::kLeftFoot, Bone::kLeftLowerLeg, "Foot", R::kLeftFoot, {0.102f, 0.088f, -0.018f}},
      {Bone::kLeftToes, Bone::kLeftFoot, "Toes", R::kLeftToes, {0.108f, 0.026f, 0.112f}},
  };
  return list;
}

std::array<BoneInfo, kBoneCount> make_bones() {
  std::array<BoneInfo, kBoneCount> table;
  const auto put = [&](const BoneInfo& info) {
    table[static_cast<std::size_t>(index(info.bone))] = info;
  };
  for (const BoneInfo& info : middle_bones()) put(info);
  for (bool left : {true, false}) {
    for (BoneInfo info : side_bones()) {
      const bool parent_on_side = info.parent > Bone::kHead;
      info.bone = on_side(left, info.bone);
      if (parent_on_side) info.parent = on_side(left, info.parent);
      info.name = (left ? "Left" : "Right") + info.name;
      info.role = left ? info.role : mirrored(info.role);
      info.position = on_side(left, info.position);
      put(info);
    }
  }
  return table;
}

std::vector<MassPart> make_mass_parts() {
  std::vector<MassPart> parts{
      {Bone::kHead, {0, 1.625f, 0.008f}, 0.0682f},
      {Bone::kUpperChest, {0, 1.345f, -0.008f}, 0.157f},
      {Bone::kSpine, {0, 1.130f, 0.000f}, 0.155f},
      {Bone::kHips, {0, 0.975f, -0.006f}, 0.118f},
  };
  // `share` of the way from the bone to `end`.
  const auto limb = [&](bool left, Bone bone, Bone end, float along, float share) {
    const Vec3 a = bind_position(on_side(left, bone)), b = bind_position(on_side(left, end));
    parts.push_back({on_side(left, bone), lerp(a, b, along), share});
  };
  for (bool left : {true, false}) {
    limb(left, Bone::kLeftUpperArm, Bone::kLeftLowerArm, 0.576f, 0.0263f);
    limb(left, Bone::kLeftLowerArm, Bone::kLeftHand, 0.457f, 0.0150f);
    limb(left, Bone::kLeftHand, Bone::kLeftFingers, 0.8f, 0.0059f);
    limb(left, Bone::kLeftUpperLeg, Bone::kLeftLowerLeg, 0.385f, 0.1447f);
    limb(left, Bone::kLeftLowerLeg, Bone::kLeftFoot, 0.439f, 0.0457f);
    limb(left, Bone::kLeftFoot, Bone::kLeftToes, 0.45f, 0.0133f);
  }
  return parts;
}

}  // namespace

std::span<const BoneInfo> bones() {
  static const std::array<BoneInfo, kBoneCount> table = make_bones();
  return table;
}

Vec3 bind_position(Bone bone) { return bones()[static_cast<std::size_t>(index(bone))].position; }

SolePoints sole_points(bool left) {
  return {on_side(left, Vec3{0.100f, 0, -0.078f}), on_side(left, Vec3{0.108f, 0, 0.112f}),
          on_side(left, Vec3{0.106f, 0, 0.192f})};
}

std::span<const MassPart> mass_parts() {
  static const std::vector<MassPart> parts = make_mass_parts();
  return parts;
}

Skeleton make_skeleton() {
  std::vector<JointDef> joints;
  for (const BoneInfo& info : bones()) {
    JointDef joint;
    joint.name = info.name;
    joint.rest.translation = info.position;
    if (info.parent != Bone::kCount) {
      joint.parent = index(info.parent);
      joint.rest.translation -= bind_position(info.parent);
    }
    joints.push_back(std::move(joint));
  }
  return Skeleton::build(joints).value();
}

RoleMap make_roles() {
  RoleMap roles;
  for (const BoneInfo& info : bones()) {
    if (info.role != JointRole::kNone) roles.set(info.role, index(info.bone));
  }
  roles.plan = BodyPlan::kBiped;
  return roles;
}

}  // namespace sinew::make_assets
