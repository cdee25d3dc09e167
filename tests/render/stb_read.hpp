// Reading pictures back.
#pragma once

#include <filesystem>

#include <sinew/asset/model.hpp>

namespace sinew::render {

// Width 0 if it cannot be read.
Image read_image(const std::filesystem::path& file);

}  // namespace sinew::render
