// Contact sheets: many moments on one picture.
#pragma once

#include <string>
#include <vector>

#include <sinew/render/image.hpp>

namespace sinew::render {

struct SheetStyle {
  std::string title;  // above the tiles; may be empty
  int columns = 0;    // 0: as many as make the sheet about 16:10
  int margin = 14;    // pixels around and between tiles
  Color background = rgb(0xf3f4f6);
  Color text = rgb(0x22262b);
};

// "0.35 s": the usual caption.
std::string time_caption(double seconds);

// Tiles of equal size, left to right, then down, each with its caption beneath (one line, cut to
// the tile's width). Tiles are added one at a time, so that no more than the sheet is held in
// memory.
class ContactSheet {
 public:
  // `count`: how many tiles there will be, for the layout; more or fewer may come.
  ContactSheet(int tile_width, int tile_height, int count, SheetStyle style = {});

  // A picture of another size is centred and cut.
  void add(const Image& tile, std::string caption = {});
  int columns() const { return columns_; }
  int size() const { return static_cast<int>(captions_.size()); }
  // The sheet with the tiles so far. At least one row.
  Image compose() const;

 private:
  int tile_width_, tile_height_, columns_;
  SheetStyle style_;
  std::vector<Image> tiles_;
  std::vector<std::string> captions_;
};

}  // namespace sinew::render
