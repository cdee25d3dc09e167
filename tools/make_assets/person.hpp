// The demo person as a model: skeleton, skin, meshes by part, clips.
#pragma once

#include <sinew/asset/model.hpp>

namespace sinew::make_assets {

// Everything but the clips. Always the same, on every machine.
Model make_body();
// With all its clips.
Model make_person();

}  // namespace sinew::make_assets
