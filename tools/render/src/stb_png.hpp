// The one place that touches stb_image_write.
#pragma once

#include <cstdint>
#include <vector>

#include <sinew/asset/model.hpp>

namespace sinew::render {

// The bytes of a PNG file; empty if it fails. The image must be whole.
std::vector<std::uint8_t> encode_png(const Image& image);

}  // namespace sinew::render
