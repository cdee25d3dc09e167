// The built-in bitmap font.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sinew::render {

// Dots of a cell, gap included.
inline constexpr int kCellWidth = 6;
inline constexpr int kCellHeight = 9;

struct Glyph {
  int width = 0, height = 0;
  std::vector<std::uint8_t> coverage;  // rows from the top, 0 to 255
};

// Glyphs of one line of UTF-8; -1 for characters that the font lacks.
std::vector<int> glyph_indices(std::string_view line);
// `size`: height of a line in pixels. Made on first use; the reference stays valid.
const Glyph& glyph(int index, float size);

}  // namespace sinew::render
