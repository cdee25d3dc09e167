#include <algorithm>
#include <cmath>
#include <vector>

#include <sinew/import/output_file.hpp>
#include <sinew/render/image.hpp>

#include "font.hpp"
#include "stb_png.hpp"

namespace sinew::render {
namespace {

std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(clamp01(value) * 255.0f + 0.5f);
}

std::uint8_t* pixel(Image& image, int x, int y) {
  return image.rgba.data() + (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                              static_cast<std::size_t>(x)) *
                                 4;
}

void blend(std::uint8_t* to, const std::uint8_t (&color)[3], int alpha255) {
  for (int c = 0; c < 3; ++c) {
    to[c] = static_cast<std::uint8_t>((to[c] * (255 - alpha255) + color[c] * alpha255 + 127) / 255);
  }
  to[3] = static_cast<std::uint8_t>(std::max<int>(to[3], alpha255));
}

bool whole(const Image& image) {
  return image.width > 0 && image.height > 0 && image.width <= kMaxPictureSide &&
         image.height <= kMaxPictureSide &&
         image.rgba.size() ==
             static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4;
}

float line_size(const TextStyle& style) {
  return is_finite(style.size) ? clamp(style.size, 6.0f, 256.0f) : 18.0f;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t start = 0;;) {
    const std::size_t end = text.find('\n', start);
    lines.push_back(text.substr(start, end == std::string_view::npos ? end : end - start));
    if (end == std::string_view::npos) return lines;
    start = end + 1;
  }
}

void draw_glyph(Image& image, int x, int y, const Glyph& glyph, const Color& color) {
  const std::uint8_t rgb[3] = {to_byte(color.r), to_byte(color.g), to_byte(color.b)};
  const float opacity = clamp01(color.a);
  for (int row = std::max(0, -y); row < glyph.height && y + row < image.height; ++row) {
    for (int column = std::max(0, -x); column < glyph.width && x + column < image.width; ++column) {
      const std::uint8_t cover =
          glyph.coverage[static_cast<std::size_t>(row * glyph.width + column)];
      if (cover == 0) continue;
      blend(pixel(image, x + column, y + row), rgb,
            static_cast<int>(static_cast<float>(cover) * opacity + 0.5f));
    }
  }
}

}  // namespace

Image make_image(int width, int height, Color color) {
  Image image;
  image.width = std::clamp(width, 1, kMaxPictureSide);
  image.height = std::clamp(height, 1, kMaxPictureSide);
  const std::uint8_t rgba[4] = {to_byte(color.r), to_byte(color.g), to_byte(color.b),
                                to_byte(color.a)};
  const std::size_t count =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  image.rgba.resize(count * 4);
  for (std::size_t i = 0; i < count; ++i) std::copy_n(rgba, 4, image.rgba.data() + i * 4);
  return image;
}

void fill_rect(Image& image, int x, int y, int width, int height, Color color) {
  if (!whole(image)) return;
  const std::uint8_t rgb[3] = {to_byte(color.r), to_byte(color.g), to_byte(color.b)};
  const int alpha = to_byte(color.a);
  const int x1 = std::min(x + width, image.width), y1 = std::min(y + height, image.height);
  for (int row = std::max(y, 0); row < y1; ++row) {
    for (int column = std::max(x, 0); column < x1; ++column) {
      blend(pixel(image, column, row), rgb, alpha);
    }
  }
}

void blit(Image& image, int x, int y, const Image& from) {
  if (!whole(image) || !whole(from)) return;
  const int x0 = std::max(x, 0), x1 = std::min(x + from.width, image.width);
  if (x0 >= x1) return;
  for (int row = std::max(y, 0); row < std::min(y + from.height, image.height); ++row) {
    const std::size_t source =
        (static_cast<std::size_t>(row - y) * static_cast<std::size_t>(from.width) +
         static_cast<std::size_t>(x0 - x)) *
        4;
    std::copy_n(from.rgba.data() + source, static_cast<std::size_t>(x1 - x0) * 4,
                pixel(image, x0, row));
  }
}

TextSize measure_text(std::string_view text, const TextStyle& style) {
  const float size = line_size(style);
  std::size_t longest = 0;
  const auto lines = lines_of(text);
  for (std::string_view line : lines) longest = std::max(longest, glyph_indices(line).size());
  const float dot = size / kCellHeight;
  const float width = longest == 0 ? 0 : dot * static_cast<float>(longest * kCellWidth - 1);
  const float height = size * (1.0f + 1.2f * static_cast<float>(lines.size() - 1));
  return {static_cast<int>(std::ceil(width)), static_cast<int>(std::ceil(height))};
}

void draw_text(Image& image, int x, int y, std::string_view text, const TextStyle& style) {
  if (!whole(image)) return;
  const float size = line_size(style);
  if (style.background.a > 0) {
    const TextSize extent = measure_text(text, style);
    const int border = static_cast<int>(size / 3.0f + 0.5f);
    fill_rect(image, x - border, y - border, extent.width + 2 * border, extent.height + 2 * border,
              style.background);
  }
  float top = static_cast<float>(y);
  for (std::string_view line : lines_of(text)) {
    float left = static_cast<float>(x);
    for (int index : glyph_indices(line)) {
      draw_glyph(image, static_cast<int>(std::lround(left)), static_cast<int>(std::lround(top)),
                 glyph(index, size), style.color);
      left += size * kCellWidth / kCellHeight;
    }
    top += 1.2f * size;
  }
}

Status write_png(const Image& image, const std::filesystem::path& file) {
  if (!whole(image)) {
    return make_error(ErrorCode::kInvalidArgument,
                      "a picture of " + std::to_string(image.width) + " x " +
                          std::to_string(image.height) + " with " +
                          std::to_string(image.rgba.size()) + " bytes cannot be written",
                      file.string());
  }
  auto output = OutputFile::create(file);
  if (!output) return output.error();
  const std::vector<std::uint8_t> bytes = encode_png(image);
  if (bytes.empty()) return make_error(ErrorCode::kInternal, "PNG encoding failed", file.string());
  if (Status written = output->write(bytes); !written) return written;
  return output->commit();
}

}  // namespace sinew::render
