// A plain skin for a skeleton that has none (motion capture): a capsule around each bone.
#pragma once

#include <sinew/asset/model.hpp>

namespace sinew {

// Adds a mesh, a skin and a material to the model. Thickness follows the joint's role, in
// proportion to the skeleton's height. Does nothing to a skeleton without joints.
void add_capsule_skin(Model& model);

}  // namespace sinew
