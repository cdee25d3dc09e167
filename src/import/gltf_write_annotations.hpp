// The `extras` of a written glTF file; their shape is given in gltf_writer.hpp.
#pragma once

#include <nlohmann/json.hpp>

#include <sinew/asset/model.hpp>

namespace sinew {

const char* interpolation_name(Interpolation interpolation);  // as glTF spells it

nlohmann::ordered_json annotations_to_json(const RawClip& clip);
nlohmann::ordered_json model_extras_to_json(const Model& model);

}  // namespace sinew
