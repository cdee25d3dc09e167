// Mass centre and facing of a body, from joint roles.
#pragma once

#include <optional>
#include <span>

#include <sinew/asset/roles.hpp>
#include <sinew/math/transform.hpp>

namespace sinew {

// The mass centre of a pose, in the space of `model` (one matrix per joint). Segment masses are
// shares of the body, the trunk takes those of parts that have no role. Source: Winter,
// "Biomechanics and Motor Control of Human Movement" (2009), table 4.1; for quadrupeds round
// figures. Empty without hips, or where the hips are not finite. Cost: O(roles).
std::optional<Vec3> mass_centre(const RoleMap& roles, std::span<const Mat3x4> model);

// Heading of the body in radians about +Y (0: +Z, positive toward +X): at right angles to the mean
// of the lines from right to left upper limbs, at hips and shoulders; in the space of `model`.
// Empty if fewer than one pair of limbs is there or the line stands upright.
std::optional<float> body_heading(const RoleMap& roles, std::span<const Mat3x4> model);

}  // namespace sinew
