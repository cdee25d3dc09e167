// Meshes, materials and images: what pictures need.
#pragma once

#include <string>
#include <vector>

#include <sinew/asset/model.hpp>

#include "gltf/rig.hpp"

namespace sinew::gltf {

// Which texture coordinates a material's base colour takes, and how they are moved
// (KHR_texture_transform).
struct UvUse {
  int set = 0;
  Vec2 offset;
  float rotation = 0;  // radians
  Vec2 scale{1, 1};
};

// Fills model.materials and model.images. One UvUse per material. Throws Failure.
std::vector<UvUse> read_materials(Document& document, Model& model);

// Fills model.meshes, one per primitive and node that shows it; `node_of_mesh` is parallel.
// Throws Failure.
void read_meshes(Document& document, const SceneDef& scene, const Rig& rig,
                 const std::vector<std::string>& keys, const std::vector<UvUse>& uv_uses,
                 Model& model, std::vector<int>& node_of_mesh);

}  // namespace sinew::gltf
