// Which joint is what part of a body. Masks, mirroring, mass centre, feet, ragdolls and retargeting
// all ask by role, so that they work on any rig.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sinew {

class Skeleton;

inline constexpr int kNoJoint = -1;

enum class JointRole : std::uint8_t {
  kNone,
  // Trunk and head; shared by people and animals.
  kHips,
  kSpine,
  kChest,
  kUpperChest,
  kNeck,
  kHead,
  kJaw,
  kLeftEye,
  kRightEye,
  // Humanoid limbs.
  kLeftShoulder,
  kLeftUpperArm,
  kLeftLowerArm,
  kLeftHand,
  kRightShoulder,
  kRightUpperArm,
  kRightLowerArm,
  kRightHand,
  kLeftUpperLeg,
  kLeftLowerLeg,
  kLeftFoot,
  kLeftToes,
  kRightUpperLeg,
  kRightLowerLeg,
  kRightFoot,
  kRightToes,
  // Fingers: thumb (metacarpal, proximal, distal), the others (proximal, intermediate, distal).
  kLeftThumbMetacarpal,
  kLeftThumbProximal,
  kLeftThumbDistal,
  kLeftIndexProximal,
  kLeftIndexIntermediate,
  kLeftIndexDistal,
  kLeftMiddleProximal,
  kLeftMiddleIntermediate,
  kLeftMiddleDistal,
  kLeftRingProximal,
  kLeftRingIntermediate,
  kLeftRingDistal,
  kLeftLittleProximal,
  kLeftLittleIntermediate,
  kLeftLittleDistal,
  kRightThumbMetacarpal,
  kRightThumbProximal,
  kRightThumbDistal,
  kRightIndexProximal,
  kRightIndexIntermediate,
  kRightIndexDistal,
  kRightMiddleProximal,
  kRightMiddleIntermediate,
  kRightMiddleDistal,
  kRightRingProximal,
  kRightRingIntermediate,
  kRightRingDistal,
  kRightLittleProximal,
  kRightLittleIntermediate,
  kRightLittleDistal,
  // Quadruped limbs: girdle (shoulder blade or hip bone), upper, lower, ankle (pastern), foot.
  kTail,
  kTailTip,
  kFrontLeftGirdle,
  kFrontLeftUpper,
  kFrontLeftLower,
  kFrontLeftAnkle,
  kFrontLeftFoot,
  kFrontRightGirdle,
  kFrontRightUpper,
  kFrontRightLower,
  kFrontRightAnkle,
  kFrontRightFoot,
  kHindLeftGirdle,
  kHindLeftUpper,
  kHindLeftLower,
  kHindLeftAnkle,
  kHindLeftFoot,
  kHindRightGirdle,
  kHindRightUpper,
  kHindRightLower,
  kHindRightAnkle,
  kHindRightFoot,
  kCount,
};

inline constexpr int kJointRoleCount = static_cast<int>(JointRole::kCount);

// Stable lower-case names with underscores ("left_upper_arm", "hind_left_foot").
std::string_view to_string(JointRole role);
std::optional<JointRole> joint_role_from_string(std::string_view name);
// The same part on the other side; the role itself where there is none.
JointRole mirrored(JointRole role);
// -1 left, +1 right, 0 neither.
int side_of(JointRole role);

enum class BodyPlan : std::uint8_t { kUnknown, kBiped, kQuadruped };

// Role -> joint. A joint has at most one role: set() takes it from the role that it had.
class RoleMap {
 public:
  RoleMap() { joints_.fill(-1); }
  int joint(JointRole role) const { return joints_[static_cast<std::size_t>(role)]; }
  bool has(JointRole role) const { return joint(role) >= 0; }
  // kNone for a joint without a role. Cost: O(roles).
  JointRole role(int joint) const;
  // kNoJoint unsets the role. Setting kNone does nothing.
  void set(JointRole role, int joint);
  // The number of roles that are set.
  int count() const;
  BodyPlan plan = BodyPlan::kUnknown;

 private:
  std::array<std::int16_t, static_cast<std::size_t>(kJointRoleCount)> joints_;
};

// The roles that masks, mirroring, feet and retargeting need on a body of that plan: trunk, head
// and limbs down to hands, feet and toes; no fingers, eyes or jaw. None for kUnknown.
std::span<const JointRole> expected_roles(BodyPlan plan);
std::string_view to_string(BodyPlan plan);  // "unknown", "biped", "quadruped"

// Finds roles by names (Unity, VRM, Mixamo, Bip01, CMU, Poser, Rigify, Quaternius, KayKit, ...
// styles), hierarchy and rest pose. A wrong guess is worse than a missing one: what is not clear
// stays unset. What holds of the result: a limb's joints lie below one another in their order (so
// that a foot which hangs beside its leg, as an IK control does, has no role); the joints of a pair
// of roles lie on opposite sides, all pairs the same way round (of a limb its top counts, so that
// legs may cross in a stride); hips lie above both legs, and no role of the trunk does beside them.
RoleMap find_roles(const Skeleton& skeleton);

}  // namespace sinew
