// SVG text, the same bytes on every machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew::authoring_detail {

struct Point {
  double x = 0, y = 0;
};

// Pixels, in the letters of DejaVu Sans, which pictures ask for first; other common sans-serif
// fonts are narrower. Letters beyond ASCII count as wide.
double text_width(std::string_view text, double size, bool bold = false);
// The text, or its beginning and an ellipsis, so that it is no wider than `width`.
std::string elided(std::string_view text, double width, double size, bool bold = false);
// With the five characters escaped that mean something in XML; control characters and bytes that
// are no UTF-8 are replaced.
std::string xml_text(std::string_view text);
// At most two digits behind the point.
std::string svg_number(double value);

struct Paint {
  std::string fill = "none";
  std::string stroke{};
  double width = 1;
  std::string dash{};
  double opacity = 1;
};

enum class Anchor { kStart, kMiddle, kEnd };

struct Font {
  double size = 11;
  bool bold = false;
  std::string fill = "#222222";
  Anchor anchor = Anchor::kStart;
};

class Svg {
 public:
  void rectangle(double x, double y, double width, double height, double radius,
                 const Paint& paint);
  void circle(Point centre, double radius, const Paint& paint);
  void line(Point from, Point to, const Paint& paint);
  void polygon(const std::vector<Point>& points, const Paint& paint);
  // `data` in SVG's path language.
  void path(const std::string& data, const Paint& paint);
  // `at`: on the base line.
  void text(Point at, std::string_view text, const Font& font);
  // Shown when the pointer rests on what is drawn until close_group().
  void open_group(std::string_view title);
  void close_group();
  // What the other one drew, farther down.
  void append_below(const Svg& other, double y);

  // The whole document, white behind it.
  std::string document(double width, double height, std::string_view title) const;

 private:
  std::string body_;
};

}  // namespace sinew::authoring_detail
