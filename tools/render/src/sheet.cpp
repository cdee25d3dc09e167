#include <algorithm>
#include <cmath>

#include <sinew/base/text.hpp>
#include <sinew/render/sheet.hpp>

#include "font.hpp"

namespace sinew::render {
namespace {

constexpr float kCaptionSize = 18, kTitleSize = 27;
constexpr Color kNoBackground{0, 0, 0, 0};
constexpr int kCaptionHeight = 26, kTitleHeight = 42;

}  // namespace

std::string time_caption(double seconds) { return format_text("%.2f s", seconds); }

ContactSheet::ContactSheet(int tile_width, int tile_height, int count, SheetStyle style)
    : tile_width_(std::clamp(tile_width, 1, kMaxPictureSide)),
      tile_height_(std::clamp(tile_height, 1, kMaxPictureSide)),
      style_(std::move(style)) {
  style_.margin = std::clamp(style_.margin, 0, 200);
  columns_ = style_.columns;
  if (columns_ <= 0) {
    const double shape =
        1.6 * (tile_height_ + kCaptionHeight + style_.margin) / (tile_width_ + style_.margin);
    columns_ = static_cast<int>(std::lround(std::sqrt(std::max(count, 1) * shape)));
    columns_ = std::clamp(columns_, 1, std::max(count, 1));
    // Full rows where that costs no more rows.
    const int rows = (std::max(count, 1) + columns_ - 1) / columns_;
    columns_ = (std::max(count, 1) + rows - 1) / rows;
  }
  const int widest = (kMaxPictureSide - style_.margin) / (tile_width_ + style_.margin);
  columns_ = std::clamp(columns_, 1, std::max(widest, 1));
}

void ContactSheet::add(const Image& tile, std::string caption) {
  Image fitted = make_image(tile_width_, tile_height_, style_.background);
  blit(fitted, (tile_width_ - tile.width) / 2, (tile_height_ - tile.height) / 2, tile);
  tiles_.push_back(std::move(fitted));
  captions_.push_back(std::move(caption));
}

Image ContactSheet::compose() const {
  const int rows = std::max(1, (size() + columns_ - 1) / columns_);
  const int top = style_.margin + (style_.title.empty() ? 0 : kTitleHeight);
  const int step_x = tile_width_ + style_.margin;
  const int step_y = tile_height_ + kCaptionHeight + style_.margin;
  Image sheet =
      make_image(style_.margin + columns_ * step_x, top + rows * step_y, style_.background);
  draw_text(sheet, style_.margin, style_.margin, style_.title,
            {kTitleSize, style_.text, kNoBackground});

  // Captions are cut by characters, so that a long one never runs into its neighbour.
  const float letter = kCaptionSize * kCellWidth / kCellHeight;
  const auto letters = static_cast<std::size_t>(static_cast<float>(tile_width_) / letter);
  for (int i = 0; i < size(); ++i) {
    const int x = style_.margin + (i % columns_) * step_x, y = top + (i / columns_) * step_y;
    blit(sheet, x, y, tiles_[static_cast<std::size_t>(i)]);
    std::string caption = captions_[static_cast<std::size_t>(i)];
    std::replace(caption.begin(), caption.end(), '\n', ' ');
    if (caption.size() > letters) caption.resize(letters);
    draw_text(sheet, x + 2, y + tile_height_ + 6, caption,
              {kCaptionSize, style_.text, kNoBackground});
  }
  return sheet;
}

}  // namespace sinew::render
