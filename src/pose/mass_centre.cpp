#include <sinew/pose/mass_centre.hpp>

namespace sinew {
namespace {

using Role = JointRole;

// A part of the body between two joints; its mass lies `along` of the way from the first to the
// second (at the first where the second is missing).
struct Segment {
  Role from, to;
  float mass;
  float along;
};

constexpr float kTrunkAlong = 0.5f;

constexpr Segment kBiped[] = {
    {Role::kHead, Role::kNone, 0.081f, 0},
    {Role::kLeftUpperArm, Role::kLeftLowerArm, 0.028f, 0.436f},
    {Role::kRightUpperArm, Role::kRightLowerArm, 0.028f, 0.436f},
    {Role::kLeftLowerArm, Role::kLeftHand, 0.016f, 0.430f},
    {Role::kRightLowerArm, Role::kRightHand, 0.016f, 0.430f},
    {Role::kLeftHand, Role::kLeftMiddleProximal, 0.006f, 0.506f},
    {Role::kRightHand, Role::kRightMiddleProximal, 0.006f, 0.506f},
    {Role::kLeftUpperLeg, Role::kLeftLowerLeg, 0.100f, 0.433f},
    {Role::kRightUpperLeg, Role::kRightLowerLeg, 0.100f, 0.433f},
    {Role::kLeftLowerLeg, Role::kLeftFoot, 0.0465f, 0.433f},
    {Role::kRightLowerLeg, Role::kRightFoot, 0.0465f, 0.433f},
    {Role::kLeftFoot, Role::kLeftToes, 0.0145f, 0.5f},
    {Role::kRightFoot, Role::kRightToes, 0.0145f, 0.5f},
};

constexpr Segment kQuadruped[] = {
    {Role::kHead, Role::kNone, 0.06f, 0},
    {Role::kNeck, Role::kHead, 0.07f, 0.5f},
    {Role::kFrontLeftUpper, Role::kFrontLeftLower, 0.035f, 0.45f},
    {Role::kFrontRightUpper, Role::kFrontRightLower, 0.035f, 0.45f},
    {Role::kFrontLeftLower, Role::kFrontLeftFoot, 0.02f, 0.4f},
    {Role::kFrontRightLower, Role::kFrontRightFoot, 0.02f, 0.4f},
    {Role::kHindLeftUpper, Role::kHindLeftLower, 0.055f, 0.45f},
    {Role::kHindRightUpper, Role::kHindRightLower, 0.055f, 0.45f},
    {Role::kHindLeftLower, Role::kHindLeftFoot, 0.025f, 0.4f},
    {Role::kHindRightLower, Role::kHindRightFoot, 0.025f, 0.4f},
};

std::optional<Vec3> place(const RoleMap& roles, std::span<const Mat3x4> model, Role role) {
  const int joint = role == Role::kNone ? kNoJoint : roles.joint(role);
  if (joint < 0 || static_cast<std::size_t>(joint) >= model.size()) return std::nullopt;
  const Vec3 p = translation_of(model[static_cast<std::size_t>(joint)]);
  if (!is_finite(p)) return std::nullopt;
  return p;
}

}  // namespace

std::optional<Vec3> mass_centre(const RoleMap& roles, std::span<const Mat3x4> model) {
  const auto hips = place(roles, model, Role::kHips);
  if (!hips) return std::nullopt;
  Vec3 sum;
  float mass = 0;
  const bool quadruped = roles.plan == BodyPlan::kQuadruped;
  for (const Segment& s :
       quadruped ? std::span<const Segment>(kQuadruped) : std::span<const Segment>(kBiped)) {
    const auto a = place(roles, model, s.from);
    if (!a) continue;
    const auto b = place(roles, model, s.to);
    sum += (b ? lerp(*a, *b, s.along) : *a) * s.mass;
    mass += s.mass;
  }
  // The trunk reaches from the hips to the base of the neck.
  std::optional<Vec3> top;
  for (Role role : {Role::kNeck, Role::kUpperChest, Role::kChest, Role::kSpine}) {
    if (!top) top = place(roles, model, role);
  }
  const Vec3 trunk = top ? lerp(*hips, *top, kTrunkAlong) : *hips;
  return sum + trunk * (1.0f - mass);
}

std::optional<float> body_heading(const RoleMap& roles, std::span<const Mat3x4> model) {
  static constexpr Role kPairs[][2] = {
      {Role::kLeftUpperLeg, Role::kRightUpperLeg},
      {Role::kLeftUpperArm, Role::kRightUpperArm},
      {Role::kHindLeftUpper, Role::kHindRightUpper},
      {Role::kFrontLeftUpper, Role::kFrontRightUpper},
  };
  Vec3 to_left;
  for (const auto& pair : kPairs) {
    const auto left = place(roles, model, pair[0]), right = place(roles, model, pair[1]);
    if (left && right) to_left += normalize_or(*left - *right, {});
  }
  // Left is +X where forward is +Z: forward = left x up.
  const Vec3 forward = cross(to_left, kAxisY);
  if (!(length(forward) > 0.05f)) return std::nullopt;
  return atan2(forward.x, forward.z);
}

}  // namespace sinew
