#include "font.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

namespace sinew::render {
namespace {

// Drawn by hand: 96 glyphs (ASCII 32 to 126, then the degree sign), 16 side by side in six bands.
// A glyph is 5 dots wide, with 7 rows above the base line and 2 below, then a gap of one dot.
constexpr int kGlyphsPerBand = 16;
constexpr int kBandWidth = kGlyphsPerBand * kCellWidth;
constexpr const char* kArt =
    "..... ..#.. .#.#. .#.#. ..#.. ##..# .##.. ..#.. ...#. .#... ..... ..... ..... ..... ..... "
    "....# "
    "..... ..#.. .#.#. .#.#. .#### ##..# #..#. ..#.. ..#.. ..#.. ..#.. ..#.. ..... ..... ..... "
    "....# "
    "..... ..#.. .#.#. ##### #.#.. ...#. #.#.. ..#.. .#... ...#. #.#.# ..#.. ..... ..... ..... "
    "...#. "
    "..... ..#.. ..... .#.#. .###. ..#.. .#... ..... .#... ...#. .###. ##### ..... ##### ..... "
    "..#.. "
    "..... ..#.. ..... ##### ..#.# .#... #.#.# ..... .#... ...#. #.#.# ..#.. ..... ..... ..... "
    ".#... "
    "..... ..... ..... .#.#. ####. #..## #..#. ..... ..#.. ..#.. ..#.. ..#.. ..##. ..... .##.. "
    "#.... "
    "..... ..#.. ..... .#.#. ..#.. #..## .##.# ..... ...#. .#... ..... ..... ..#.. ..... .##.. "
    "#.... "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .#... ..... ..... "
    "..... "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... "
    "..... "
    ".###. ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###. ..... ..... ...#. ..... .#... "
    ".###. "
    "#...# .##.. #...# ...#. ..##. #.... .#... ....# #...# #...# .##.. .##.. ..#.. ..... ..#.. "
    "#...# "
    "#..## ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...# .##.. .##.. .#... ##### ...#. "
    "....# "
    "#.#.# ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .#### ..... ..... #.... ..... ....# "
    "...#. "
    "##..# ..#.. ..#.. ....# ##### ....# #...# .#... #...# ....# .##.. .##.. .#... ##### ...#. "
    "..#.. "
    "#...# ..#.. .#... #...# ...#. #...# #...# .#... #...# ...#. .##.. .##.. ..#.. ..... ..#.. "
    "..... "
    ".###. .###. ##### .###. ...#. .###. .###. .#... .###. .##.. ..... ..#.. ...#. ..... .#... "
    "..#.. "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .#... ..... ..... ..... "
    "..... "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... "
    "..... "
    ".###. .###. ####. .###. ###.. ##### ##### .###. #...# .###. ..### #...# #.... #...# #...# "
    ".###. "
    "#...# #...# #...# #...# #..#. #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.## #...# "
    "#...# "
    "#.### #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.# ##..# "
    "#...# "
    "#.#.# ##### ####. #.... #...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.# #.#.# "
    "#...# "
    "#.##. #...# #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...# #..## "
    "#...# "
    "#.... #...# #...# #...# #..#. #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...# #...# "
    "#...# "
    ".###. #...# ####. .###. ###.. ##### #.... .#### #...# .###. .##.. #...# ##### #...# #...# "
    ".###. "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... "
    "..... "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... "
    "..... "
    "####. .###. ####. .#### ##### #...# #...# #...# #...# #...# ##### .###. #.... .###. ..#.. "
    "..... "
    "#...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....# .#... #.... ...#. .#.#. "
    "..... "
    "#...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#. .#... .#... ...#. #...# "
    "..... "
    "####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#.. .#... ..#.. ...#. ..... "
    "..... "
    "#.... #.#.# #.#.. ....# ..#.. #...# #...# #.#.# .#.#. ..#.. .#... .#... ...#. ...#. ..... "
    "..... "
    "#.... #..#. #..#. ....# ..#.. #...# .#.#. #.#.# #...# ..#.. #.... .#... ....# ...#. ..... "
    "..... "
    "#.... .##.# #...# ####. ..#.. .###. ..#.. .#.#. #...# ..#.. ##### .###. ....# .###. ..... "
    "..... "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... "
    "##### "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... "
    "..... "
    ".#... ..... #.... ..... ....# ..... ..##. ..... #.... ..#.. ...#. #.... .##.. ..... ..... "
    "..... "
    "..#.. ..... #.... ..... ....# ..... .#..# ..... #.... ..... ..... #.... ..#.. ..... ..... "
    "..... "
    "..... .###. ####. .###. .#### .###. .#... .#### ####. .##.. ..##. #..#. ..#.. ##.#. ####. "
    ".###. "
    "..... ....# #...# #...# #...# #...# ###.. #...# #...# ..#.. ...#. #.#.. ..#.. #.#.# #...# "
    "#...# "
    "..... .#### #...# #.... #...# ##### .#... #...# #...# ..#.. ...#. ##... ..#.. #.#.# #...# "
    "#...# "
    "..... #...# #...# #...# #...# #.... .#... #...# #...# ..#.. ...#. #.#.. ..#.. #.#.# #...# "
    "#...# "
    "..... .#### ####. .###. .#### .###. .#... .#### #...# .###. ...#. #..#. .###. #.#.# #...# "
    ".###. "
    "..... ..... ..... ..... ..... ..... ..... ....# ..... ..... #..#. ..... ..... ..... ..... "
    "..... "
    "..... ..... ..... ..... ..... ..... ..... .###. ..... ..... .##.. ..... ..... ..... ..... "
    "..... "
    "..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ...#. ..#.. .#... ..... "
    ".##.. "
    "..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ..#.. ..#.. ..#.. ..... "
    "#..#. "
    "####. .#### #.##. .#### ###.. #...# #...# #...# #...# #...# ##### ..#.. ..#.. ..#.. .#..# "
    "#..#. "
    "#...# #...# ##..# #.... .#... #...# #...# #...# .#.#. #...# ...#. .#... ..#.. ...#. #.#.# "
    ".##.. "
    "#...# #...# #.... .###. .#... #...# #...# #.#.# ..#.. #...# ..#.. ..#.. ..#.. ..#.. #..#. "
    "..... "
    "#...# #...# #.... ....# .#..# #..## .#.#. #.#.# .#.#. #...# .#... ..#.. ..#.. ..#.. ..... "
    "..... "
    "####. .#### #.... ####. ..##. .##.# ..#.. .#.#. #...# .#### ##### ...#. ..#.. .#... ..... "
    "..... "
    "#.... ....# ..... ..... ..... ..... ..... ..... ..... ....# ..... ..... ..... ..... ..... "
    "..... "
    "#.... ....# ..... ..... ..... ..... ..... ..... ..... .###. ..... ..... ..... ..... ..... "
    "..... ";

bool dot(int glyph, int x, int y) {
  if (x < 0 || y < 0 || x >= kCellWidth - 1 || y >= kCellHeight) return false;
  if (glyph < 0) return x == 0 || x == 4 ? y < 7 : y == 0 || y == 6;
  const int band = glyph / kGlyphsPerBand, column = glyph % kGlyphsPerBand;
  return kArt[(band * kCellHeight + y) * kBandWidth + column * kCellWidth + x] == '#';
}

// A picture of dots that is doubled in size while its diagonals are smoothed: each dot becomes
// four, and a corner takes its two neighbours' value where these agree against the rest (the rule
// known as Scale2x).
struct Dots {
  int width, height;
  std::vector<std::uint8_t> on;
  std::uint8_t at(int x, int y) const {
    if (x < 0 || y < 0 || x >= width || y >= height) return 0;
    return on[static_cast<std::size_t>(y * width + x)];
  }
};

Dots doubled(const Dots& from) {
  Dots to{from.width * 2, from.height * 2, {}};
  to.on.resize(static_cast<std::size_t>(to.width * to.height));
  for (int y = 0; y < from.height; ++y) {
    for (int x = 0; x < from.width; ++x) {
      const std::uint8_t up = from.at(x, y - 1), down = from.at(x, y + 1);
      const std::uint8_t left = from.at(x - 1, y), right = from.at(x + 1, y), own = from.at(x, y);
      const bool clear = up != down && left != right;
      const auto put = [&](int dx, int dy, std::uint8_t value) {
        to.on[static_cast<std::size_t>((2 * y + dy) * to.width + 2 * x + dx)] = value;
      };
      put(0, 0, clear && left == up ? left : own);
      put(1, 0, clear && up == right ? right : own);
      put(0, 1, clear && left == down ? left : own);
      put(1, 1, clear && down == right ? right : own);
    }
  }
  return to;
}

// Share of the box [x0, x1) x [y0, y1) that is on.
float coverage(const Dots& dots, float x0, float y0, float x1, float y1) {
  float sum = 0;
  for (int y = static_cast<int>(std::floor(y0)); static_cast<float>(y) < y1; ++y) {
    const float h = std::min(y1, static_cast<float>(y + 1)) - std::max(y0, static_cast<float>(y));
    for (int x = static_cast<int>(std::floor(x0)); static_cast<float>(x) < x1; ++x) {
      if (dots.at(x, y) == 0) continue;
      sum += h * (std::min(x1, static_cast<float>(x + 1)) - std::max(x0, static_cast<float>(x)));
    }
  }
  return sum / ((x1 - x0) * (y1 - y0));
}

Glyph make_glyph(int index, float size) {
  Dots dots{kCellWidth + 1, kCellHeight, {}};
  dots.on.resize(static_cast<std::size_t>(dots.width * dots.height));
  for (int y = 0; y < dots.height; ++y) {
    for (int x = 0; x < dots.width; ++x) {
      dots.on[static_cast<std::size_t>(y * dots.width + x)] = dot(index, x, y) ? 1 : 0;
    }
  }
  for (int i = 0; i < 3; ++i) dots = doubled(dots);
  const float step = 8.0f * kCellHeight / size;  // small dots per pixel
  Glyph glyph;
  glyph.width = static_cast<int>(std::ceil(static_cast<float>(dots.width) / step));
  glyph.height = static_cast<int>(std::ceil(size));
  glyph.coverage.resize(static_cast<std::size_t>(glyph.width * glyph.height));
  for (int y = 0; y < glyph.height; ++y) {
    for (int x = 0; x < glyph.width; ++x) {
      const float x0 = static_cast<float>(x) * step, y0 = static_cast<float>(y) * step;
      glyph.coverage[static_cast<std::size_t>(y * glyph.width + x)] =
          static_cast<std::uint8_t>(255.0f * coverage(dots, x0, y0, x0 + step, y0 + step) + 0.5f);
    }
  }
  return glyph;
}

}  // namespace

std::vector<int> glyph_indices(std::string_view line) {
  std::vector<int> glyphs;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    if (c >= 32 && c < 127) {
      glyphs.push_back(c - 32);
    } else if (c == 0xc2 && i + 1 < line.size() &&
               static_cast<unsigned char>(line[i + 1]) == 0xb0) {
      glyphs.push_back(95);
      ++i;
    } else if ((c & 0xc0) != 0x80) {  // one box per character, not per byte of UTF-8
      glyphs.push_back(-1);
    }
  }
  return glyphs;
}

const Glyph& glyph(int index, float size) {
  static std::mutex mutex;
  static std::map<std::pair<int, int>, Glyph> cache;
  // Quarter pixels: sizes that differ by less look the same, and the cache stays small.
  const int quarters = static_cast<int>(std::lround(size * 4.0f));
  const std::lock_guard lock(mutex);
  auto [it, fresh] = cache.try_emplace({index, quarters});
  if (fresh) it->second = make_glyph(index, static_cast<float>(quarters) / 4.0f);
  return it->second;
}

}  // namespace sinew::render
