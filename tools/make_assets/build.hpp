// Other builds of the person: the same bones and names, other proportions.
#pragma once

#include <string>

#include <sinew/asset/model.hpp>

namespace sinew::make_assets {

// Factors on the person's lengths along its bones; girth is across them.
struct Build {
  std::string name;
  float legs = 1, trunk = 1, arms = 1, girth = 1;
};

Build tall_build();
Build stout_build();

// The model with its joints, skin and vertices moved; it still stands on the ground. Clips are left
// out: those of the person fit by the names of joints. `person`: as make_body() gives it; one
// without meshes will do.
Model make_build(const Model& person, const Build& build);

}  // namespace sinew::make_assets
