// Meshes, skins and materials of an FBX scene.
#pragma once

#include <vector>

#include <sinew/asset/model.hpp>

#include "fbx_rig.hpp"

namespace sinew {

// Adds them to the model, whose skeleton is built of rig.joint_defs(). Skinned meshes stand in
// model space as they were bound; rigid ones in the space of the joint that carries them.
Status read_meshes(const FbxScene& scene, const std::vector<FbxModel>& models, const FbxRig& rig,
                   Model& out);

}  // namespace sinew
