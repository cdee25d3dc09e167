// What the VRM extensions tell of a humanoid.
#pragma once

#include <sinew/asset/roles.hpp>

#include "gltf/rig.hpp"

namespace sinew::gltf {

// The roles that VRM 1.0 ("VRMC_vrm") or 0.x ("VRM") gives to nodes; where the file has neither,
// those that find_roles() finds. Throws Failure.
RoleMap read_roles(Document& document, const Rig& rig);

}  // namespace sinew::gltf
