// What a model must fulfil before it is written.
#pragma once

#include <sinew/asset/model.hpp>

namespace sinew {

// The first fault that write_glb() names in its contract, with its place.
Status check_writable(const Model& model);

}  // namespace sinew
