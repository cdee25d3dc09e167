// Shares of the body's mass.
#include "auto_parts.hpp"

namespace sinew::auto_ragdoll_detail {

namespace {

using Role = JointRole;

// Source: Winter, "Biomechanics and Motor Control of Human Movement" (2009), table 4.1. `instead`:
// who bears the share where the role is not there.
struct RoleShare {
  Role role;
  float share;
  Role instead;
};
constexpr RoleShare kShares[] = {
    {Role::kHips, 0.142f, Role::kHips},
    {Role::kSpine, 0.139f, Role::kHips},
    {Role::kChest, 0.216f, Role::kSpine},
    {Role::kHead, 0.081f, Role::kChest},
    {Role::kLeftUpperArm, 0.028f, Role::kChest},
    {Role::kRightUpperArm, 0.028f, Role::kChest},
    {Role::kLeftLowerArm, 0.016f, Role::kLeftUpperArm},
    {Role::kRightLowerArm, 0.016f, Role::kRightUpperArm},
    {Role::kLeftHand, 0.006f, Role::kLeftLowerArm},
    {Role::kRightHand, 0.006f, Role::kRightLowerArm},
    {Role::kLeftUpperLeg, 0.100f, Role::kHips},
    {Role::kRightUpperLeg, 0.100f, Role::kHips},
    {Role::kLeftLowerLeg, 0.0465f, Role::kLeftUpperLeg},
    {Role::kRightLowerLeg, 0.0465f, Role::kRightUpperLeg},
    {Role::kLeftFoot, 0.0145f, Role::kLeftLowerLeg},
    {Role::kRightFoot, 0.0145f, Role::kRightLowerLeg},
};
constexpr float kDensity = 985;  // kg/m^3
// Capsules are rounder than limbs and overlap.
constexpr float kFill = 0.6f;
constexpr float kMostRatio = 4;

int part_for(const Body& body, Role role) {
  for (int guard = 0; guard < 8; ++guard) {
    const int joint = body.model->roles.joint(role);
    if (joint >= 0 && body.part_of[static_cast<std::size_t>(joint)] >= 0) {
      return body.part_of[static_cast<std::size_t>(joint)];
    }
    for (const RoleShare& one : kShares) {
      if (one.role == role) {
        role = one.instead;
        break;
      }
    }
  }
  return 0;
}

}  // namespace

void set_masses(Body& body) {
  float total = body.options.mass;
  const bool biped =
      body.model->roles.plan != BodyPlan::kQuadruped && body.model->roles.has(Role::kHips);
  if (biped) {
    for (const RoleShare& one : kShares) {
      body.parts[static_cast<std::size_t>(part_for(body, one.role))].mass += one.share;
    }
    if (!(total > 0)) total = 73 * body.world_unit * body.world_unit * body.world_unit;
  } else {
    float volume = 0;
    for (Part& part : body.parts) {
      part.mass = volume_of(part.shape);
      volume += part.mass;
    }
    const float scale = body.options.scale;
    if (!(total > 0)) total = kDensity * kFill * volume * scale * scale * scale;
  }
  float sum = 0;
  for (const Part& part : body.parts) sum += part.mass;
  for (Part& part : body.parts) {
    if (!(part.mass > 0)) part.mass = 0.002f * sum;
  }
  // Neighbours of very different mass make joints soft: the lighter one is raised.
  for (int pass = 0; pass < 8; ++pass) {
    for (Part& part : body.parts) {
      if (part.parent < 0) continue;
      Part& parent = body.parts[static_cast<std::size_t>(part.parent)];
      part.mass = max(part.mass, parent.mass / kMostRatio);
      parent.mass = max(parent.mass, part.mass / kMostRatio);
    }
  }
  sum = 0;
  for (const Part& part : body.parts) sum += part.mass;
  const float factor = clamp(total, 1e-4f, 1e5f) / sum;
  for (Part& part : body.parts) part.mass *= factor;
}

}  // namespace sinew::auto_ragdoll_detail
