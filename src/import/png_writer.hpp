// PNG without compression: enough to carry an image inside a GLB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// An 8-bit RGBA image, rows from the top; rgba holds 4 * width * height bytes, both above 0.
// Source: PNG specification (third edition), sections 5, 10; RFC 1950 and 1951 for stored blocks.
std::vector<std::byte> write_png(int width, int height, std::span<const std::uint8_t> rgba);

}  // namespace sinew
