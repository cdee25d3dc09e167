// Pictures in memory (sinew::Image: RGBA, sRGB, rows from the top), text on them, PNG files.
#pragma once

#include <filesystem>
#include <string_view>

#include <sinew/asset/model.hpp>
#include <sinew/base/result.hpp>

namespace sinew::render {

// A colour as shown: sRGB components and opacity, each in [0, 1].
struct Color {
  float r = 1, g = 1, b = 1, a = 1;
  friend constexpr bool operator==(const Color&, const Color&) = default;
};
// 0xRRGGBB, as in style sheets.
constexpr Color rgb(unsigned hex, float alpha = 1) {
  return {static_cast<float>((hex >> 16) & 255u) / 255.0f,
          static_cast<float>((hex >> 8) & 255u) / 255.0f, static_cast<float>(hex & 255u) / 255.0f,
          alpha};
}
constexpr Color with_alpha(Color c, float alpha) { return {c.r, c.g, c.b, alpha}; }

inline constexpr int kMaxPictureSide = 16384;

// A picture of one colour. Sides are clamped to [1, kMaxPictureSide].
Image make_image(int width, int height, Color color);

// Blends a filled rectangle over the picture; parts outside it are cut off.
void fill_rect(Image& image, int x, int y, int width, int height, Color color);
// Copies `from` to (x, y); parts outside are cut off.
void blit(Image& image, int x, int y, const Image& from);

// Text in the built-in bitmap font (5 x 7 in a cell of 6 x 9, ASCII and the degree sign; other
// characters show as a hollow box), scaled smoothly.
struct TextStyle {
  float size = 18;  // height of a line, pixels; a capital is 7/9 of it; [6, 256]
  Color color{0.12f, 0.13f, 0.15f, 1};
  // Opacity above 0: a rectangle behind the text, with a border of a third of the size.
  Color background{1, 1, 1, 0};
};
// Width of the longest line and height of all lines, pixels, without the background's border.
struct TextSize {
  int width = 0, height = 0;
};
TextSize measure_text(std::string_view text, const TextStyle& style);
// (x, y): upper left corner of the text. Lines are parted by '\n'.
void draw_text(Image& image, int x, int y, std::string_view text, const TextStyle& style);

// Writes a PNG file. The file appears whole or not at all: it is written beside and renamed.
// Errors: a picture whose size and bytes disagree, a folder that cannot be written.
Status write_png(const Image& image, const std::filesystem::path& file);

}  // namespace sinew::render
