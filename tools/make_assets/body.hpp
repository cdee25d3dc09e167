// The demo person: where the joints lie and what the parts of the body weigh.
#pragma once

#include <span>
#include <string>

#include <sinew/asset/skeleton.hpp>

namespace sinew::make_assets {

// Every joint, in the order of the skeleton (parents first). In the bind pose, which is also the
// rest pose, all local axes lie along the model's: +X left, +Y up, +Z forward.
enum class Bone : int {
  kRoot,  // on the ground; carries the travel of clips
  kHips,
  kSpine,
  kChest,
  kUpperChest,
  kNeck,
  kHead,
  kLeftEye,
  kLeftShoulder,
  kLeftUpperArm,
  kLeftLowerArm,
  kLeftHand,
  kLeftThumb,
  kLeftFingers,
  kLeftFingerTips,
  kLeftUpperLeg,
  kLeftLowerLeg,
  kLeftFoot,
  kLeftToes,
  kRightEye,
  kRightShoulder,
  kRightUpperArm,
  kRightLowerArm,
  kRightHand,
  kRightThumb,
  kRightFingers,
  kRightFingerTips,
  kRightUpperLeg,
  kRightLowerLeg,
  kRightFoot,
  kRightToes,
  kCount,
};
inline constexpr int kBoneCount = static_cast<int>(Bone::kCount);
constexpr int index(Bone bone) { return static_cast<int>(bone); }
// A bone of the left side, or its partner of the right side.
constexpr Bone on_side(bool left, Bone left_bone) {
  constexpr int kStep = static_cast<int>(Bone::kRightEye) - static_cast<int>(Bone::kLeftEye);
  return left ? left_bone : static_cast<Bone>(index(left_bone) + kStep);
}
// Reflects a point or direction of the left side to the right side.
constexpr Vec3 on_side(bool left, Vec3 v) { return left ? v : Vec3{-v.x, v.y, v.z}; }

struct BoneInfo {
  Bone bone = Bone::kRoot;
  Bone parent = Bone::kCount;  // kCount for the root
  std::string name;
  JointRole role = JointRole::kNone;
  Vec3 position;  // model space, metres
};
// One entry per bone, in order.
std::span<const BoneInfo> bones();
Vec3 bind_position(Bone bone);

inline constexpr float kStature = 1.75f;   // metres
inline constexpr float kBodyMass = 75.0f;  // kilograms

// Model-space points of the sole of a shoe in the bind pose, all at height 0.
struct SolePoints {
  Vec3 heel, ball, toe;
};
SolePoints sole_points(bool left);

// A rigid part with its mass, for the mass centre. Shares after de Leva (1996), "Adjustments to
// Zatsiorsky-Seluyanov's segment inertia parameters", mean of women and men.
struct MassPart {
  Bone bone;    // moves with it
  Vec3 centre;  // model space, bind pose
  float share;  // of kBodyMass
};
std::span<const MassPart> mass_parts();

Skeleton make_skeleton();
RoleMap make_roles();

}  // namespace sinew::make_assets
