#include <sinew/asset/roles.hpp>

namespace sinew {
namespace {

// By JointRole.
constexpr std::array<std::string_view, static_cast<std::size_t>(kJointRoleCount)> kNames = {
    "none",
    "hips",
    "spine",
    "chest",
    "upper_chest",
    "neck",
    "head",
    "jaw",
    "left_eye",
    "right_eye",
    "left_shoulder",
    "left_upper_arm",
    "left_lower_arm",
    "left_hand",
    "right_shoulder",
    "right_upper_arm",
    "right_lower_arm",
    "right_hand",
    "left_upper_leg",
    "left_lower_leg",
    "left_foot",
    "left_toes",
    "right_upper_leg",
    "right_lower_leg",
    "right_foot",
    "right_toes",
    "left_thumb_metacarpal",
    "left_thumb_proximal",
    "left_thumb_distal",
    "left_index_proximal",
    "left_index_intermediate",
    "left_index_distal",
    "left_middle_proximal",
    "left_middle_intermediate",
    "left_middle_distal",
    "left_ring_proximal",
    "left_ring_intermediate",
    "left_ring_distal",
    "left_little_proximal",
    "left_little_intermediate",
    "left_little_distal",
    "right_thumb_metacarpal",
    "right_thumb_proximal",
    "right_thumb_distal",
    "right_index_proximal",
    "right_index_intermediate",
    "right_index_distal",
    "right_middle_proximal",
    "right_middle_intermediate",
    "right_middle_distal",
    "right_ring_proximal",
    "right_ring_intermediate",
    "right_ring_distal",
    "right_little_proximal",
    "right_little_intermediate",
    "right_little_distal",
    "tail",
    "tail_tip",
    "front_left_girdle",
    "front_left_upper",
    "front_left_lower",
    "front_left_ankle",
    "front_left_foot",
    "front_right_girdle",
    "front_right_upper",
    "front_right_lower",
    "front_right_ankle",
    "front_right_foot",
    "hind_left_girdle",
    "hind_left_upper",
    "hind_left_lower",
    "hind_left_ankle",
    "hind_left_foot",
    "hind_right_girdle",
    "hind_right_upper",
    "hind_right_lower",
    "hind_right_ankle",
    "hind_right_foot",
};

// First and last of a row of left roles, and the row of right ones that begins `shift` later.
struct SidedRange {
  JointRole first, last;
  int shift;
};

using enum JointRole;
constexpr SidedRange kSided[] = {
    {kLeftEye, kLeftEye, 1},
    {kLeftShoulder, kLeftHand, 4},
    {kLeftUpperLeg, kLeftToes, 4},
    {kLeftThumbMetacarpal, kLeftLittleDistal, 15},
    {kFrontLeftGirdle, kFrontLeftFoot, 5},
    {kHindLeftGirdle, kHindLeftFoot, 5},
};

static_assert(static_cast<int>(kLeftEye) + 1 == static_cast<int>(kRightEye));
static_assert(static_cast<int>(kLeftHand) + 4 == static_cast<int>(kRightHand));
static_assert(static_cast<int>(kLeftToes) + 4 == static_cast<int>(kRightToes));
static_assert(static_cast<int>(kLeftLittleDistal) + 15 == static_cast<int>(kRightLittleDistal));
static_assert(static_cast<int>(kFrontLeftFoot) + 5 == static_cast<int>(kFrontRightFoot));
static_assert(static_cast<int>(kHindLeftFoot) + 5 == static_cast<int>(kHindRightFoot));

constexpr JointRole kBipedRoles[] = {
    kHips,          kSpine,        kChest,        kNeck,          kHead,          kLeftShoulder,
    kLeftUpperArm,  kLeftLowerArm, kLeftHand,     kRightShoulder, kRightUpperArm, kRightLowerArm,
    kRightHand,     kLeftUpperLeg, kLeftLowerLeg, kLeftFoot,      kLeftToes,      kRightUpperLeg,
    kRightLowerLeg, kRightFoot,    kRightToes,
};
constexpr JointRole kQuadrupedRoles[] = {
    kHips,
    kSpine,
    kChest,
    kNeck,
    kHead,
    kTail,
    kFrontLeftUpper,
    kFrontLeftLower,
    kFrontLeftFoot,
    kFrontRightUpper,
    kFrontRightLower,
    kFrontRightFoot,
    kHindLeftUpper,
    kHindLeftLower,
    kHindLeftFoot,
    kHindRightUpper,
    kHindRightLower,
    kHindRightFoot,
};

// The way to the role of the other side, 0 for the middle line.
int to_other_side(JointRole role) {
  for (const SidedRange& range : kSided) {
    const int i = static_cast<int>(role) - static_cast<int>(range.first);
    const int length = static_cast<int>(range.last) - static_cast<int>(range.first) + 1;
    if (i >= 0 && i < length) return range.shift;
    if (i >= range.shift && i < range.shift + length) return -range.shift;
  }
  return 0;
}

}  // namespace

std::string_view to_string(JointRole role) {
  const auto i = static_cast<std::size_t>(role);
  return i < kNames.size() ? kNames[i] : kNames[0];
}

std::optional<JointRole> joint_role_from_string(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<JointRole>(i);
  }
  return std::nullopt;
}

JointRole mirrored(JointRole role) {
  return static_cast<JointRole>(static_cast<int>(role) + to_other_side(role));
}

int side_of(JointRole role) {
  const int shift = to_other_side(role);
  return shift > 0 ? -1 : (shift < 0 ? 1 : 0);
}

std::span<const JointRole> expected_roles(BodyPlan plan) {
  switch (plan) {
    case BodyPlan::kBiped:
      return kBipedRoles;
    case BodyPlan::kQuadruped:
      return kQuadrupedRoles;
    case BodyPlan::kUnknown:
      return {};
  }
  return {};
}

std::string_view to_string(BodyPlan plan) {
  switch (plan) {
    case BodyPlan::kBiped:
      return "biped";
    case BodyPlan::kQuadruped:
      return "quadruped";
    case BodyPlan::kUnknown:
      return "unknown";
  }
  return "unknown";
}

JointRole RoleMap::role(int joint) const {
  for (std::size_t i = 1; joint >= 0 && i < joints_.size(); ++i) {
    if (joints_[i] == joint) return static_cast<JointRole>(i);
  }
  return JointRole::kNone;
}

void RoleMap::set(JointRole role, int joint) {
  const auto i = static_cast<std::size_t>(role);
  if (i == 0 || i >= joints_.size()) return;
  if (joint >= 0) {
    for (std::int16_t& other : joints_) {
      if (other == joint) other = kNoJoint;
    }
  }
  joints_[i] = static_cast<std::int16_t>(joint < 0 ? kNoJoint : joint);
}

int RoleMap::count() const {
  int n = 0;
  for (std::size_t i = 1; i < joints_.size(); ++i) n += joints_[i] >= 0 ? 1 : 0;
  return n;
}

}  // namespace sinew
