#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sinew/render/sheet.hpp>

#include "scratch_folder.hpp"
#include "stb_read.hpp"

namespace sinew::render {
namespace {

int dark_pixels(const Image& image) {
  int count = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) count += image.rgba[i] < 100 ? 1 : 0;
  return count;
}

TEST(Image, RectanglesAndCopiesAreCutAtTheEdge) {
  Image image = make_image(8, 6, rgb(0xffffff));
  fill_rect(image, -3, -3, 5, 5, rgb(0x000000));
  EXPECT_EQ(dark_pixels(image), 4);
  fill_rect(image, 100, 0, 5, 5, rgb(0x000000));
  blit(image, 6, 5, make_image(4, 4, rgb(0x000000)));
  EXPECT_EQ(dark_pixels(image), 6);
  blit(image, -20, -20, make_image(4, 4, rgb(0x000000)));
  EXPECT_EQ(dark_pixels(image), 6);
}

TEST(Text, InkGrowsWithSizeAndStaysInItsBox) {
  int last = 0;
  for (float size : {9.0f, 18.0f, 31.5f}) {
    Image image = make_image(300, 80, rgb(0xffffff));
    const TextStyle style{size, rgb(0x000000), rgb(0, 0)};
    const TextSize extent = measure_text("Agq 0.35\xC2\xB0", style);
    draw_text(image, 10, 10, "Agq 0.35\xC2\xB0", style);
    const int inside = dark_pixels(image);
    EXPECT_GT(inside, last + 20);
    last = inside;
    fill_rect(image, 10, 10, extent.width + 1, extent.height + 1, rgb(0xffffff));
    EXPECT_EQ(dark_pixels(image), 0) << size;
  }
}

TEST(Text, EveryPrintableCharacterHasItsOwnShape) {
  std::vector<std::vector<std::uint8_t>> seen;
  for (char c = ' '; c <= '~'; ++c) {
    Image image = make_image(16, 20, rgb(0xffffff));
    draw_text(image, 2, 1, std::string(1, c), {18, rgb(0x000000), rgb(0, 0)});
    for (const auto& other : seen) EXPECT_NE(image.rgba, other) << c;
    seen.push_back(image.rgba);
  }
}

TEST(Text, OutsideThePictureDrawsNothing) {
  Image image = make_image(20, 20, rgb(0xffffff));
  for (int x : {-500, 500}) draw_text(image, x, x, "text", {});
  draw_text(image, 3, 3, "\n\n", {});
  EXPECT_EQ(dark_pixels(image), 0);
}

TEST(Png, RoundTrip) {
  ScratchFolder folder;
  Image image = make_image(37, 21, rgb(0x3366cc));
  fill_rect(image, 3, 4, 10, 5, rgb(0xff8800));
  image.rgba[7] = 200;
  const auto file = folder.path() / "picture.png";
  const Status written = write_png(image, file);
  ASSERT_TRUE(written.ok()) << to_string(written.error());
  const Image back = read_image(file);
  EXPECT_EQ(back.width, 37);
  EXPECT_EQ(back.height, 21);
  EXPECT_EQ(back.rgba, image.rgba);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"picture.png"});
  // Over an existing file.
  fill_rect(image, 0, 0, 37, 21, rgb(0x000000));
  ASSERT_TRUE(write_png(image, file).ok());
  EXPECT_EQ(read_image(file).rgba, image.rgba);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"picture.png"});
}

TEST(Png, ErrorsNameTheFileAndLeaveNothing) {
  ScratchFolder folder;
  const Image image = make_image(4, 4, rgb(0xffffff));
  // No folder can be made where a file is.
  ASSERT_TRUE(write_png(image, folder.path() / "none").ok());
  const Status missing = write_png(image, folder.path() / "none" / "a.png");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kUnwritable);
  EXPECT_NE(to_string(missing.error()).find("none/a.png"), std::string::npos);

  std::filesystem::create_directory(folder.path() / "is_a_folder.png");
  EXPECT_FALSE(write_png(image, folder.path() / "is_a_folder.png").ok());
  EXPECT_FALSE(write_png(image, folder.path() / "").ok());
  Image broken = image;
  broken.rgba.pop_back();
  EXPECT_FALSE(write_png(broken, folder.path() / "b.png").ok());
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"is_a_folder.png", "none"}));
}

TEST(ContactSheet, SizeCaptionsAndOrder) {
  ContactSheet sheet(100, 60, 5, {"walk.glb", 3, 10, rgb(0xffffff), rgb(0x000000)});
  for (int i = 0; i < 5; ++i) {
    sheet.add(make_image(100, 60, rgb(i == 4 ? 0x0000ff : 0xff0000)), time_caption(i * 0.25));
  }
  const Image image = sheet.compose();
  EXPECT_EQ(sheet.columns(), 3);
  EXPECT_EQ(image.width, 10 + 3 * 110);
  EXPECT_EQ(image.height, 10 + 42 + 2 * (60 + 26 + 10));
  const auto red_at = [&](int x, int y) {
    return image.rgba[static_cast<std::size_t>(y * image.width + x) * 4];
  };
  EXPECT_EQ(red_at(60, 80), 255);                       // first tile
  EXPECT_EQ(red_at(10 + 110 + 50, 52 + 96 + 30), 0);    // fifth: second row, second column, blue
  EXPECT_EQ(red_at(10 + 220 + 50, 52 + 96 + 30), 255);  // no sixth
  Image captions = make_image(100, 26, rgb(0xffffff));
  blit(captions, -10, -(52 + 60), image);
  EXPECT_GT(dark_pixels(captions), 30);
  EXPECT_EQ(time_caption(0.35), "0.35 s");
}

TEST(ContactSheet, ChoosesColumnsByShape) {
  EXPECT_EQ(ContactSheet(160, 90, 1).columns(), 1);
  const int wide = ContactSheet(320, 90, 12).columns();
  const int tall = ContactSheet(90, 160, 12).columns();
  EXPECT_LT(wide, tall);
  EXPECT_GE(ContactSheet(640, 360, 1000000).compose().width, 640);
  // No tiles, tiles of odd sizes and long captions are fine too.
  ContactSheet sheet(50, 50, 2);
  sheet.add(make_image(200, 10, rgb(0x00ff00)), std::string(500, 'x'));
  sheet.add(Image{}, "nothing");
  EXPECT_EQ(sheet.size(), 2);
  EXPECT_GT(sheet.compose().width, 50);
}

}  // namespace
}  // namespace sinew::render
