// Masks that every body has by its joint roles.
#pragma once

#include <optional>
#include <string_view>

#include <sinew/asset/mask.hpp>
#include <sinew/asset/roles.hpp>

namespace sinew {

// "upper_body", "lower_body", "head", "left_arm", "right_arm", "arms", "legs": from the roles'
// joints down. None where the name is another or the roles are not set.
std::optional<JointMask> standard_mask(const Skeleton& skeleton, const RoleMap& roles,
                                       std::string_view name);

}  // namespace sinew
