#include "svg.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace sinew::authoring_detail {
namespace {

// Advance widths of DejaVu Sans in thousandths of the size, from the space to the tilde.
constexpr std::array<std::int16_t, 95> kPlain = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
constexpr std::array<std::int16_t, 95> kBold = {
    348,  456, 521, 838, 696, 1002, 872, 306,  457, 457, 523, 838, 380, 415,  380, 365,
    696,  696, 696, 696, 696, 696,  696, 696,  696, 696, 400, 400, 838, 838,  838, 580,
    1000, 774, 762, 734, 830, 683,  683, 821,  837, 372, 372, 775, 637, 995,  837, 850,
    733,  850, 770, 720, 682, 812,  774, 1103, 771, 724, 725, 457, 365, 457,  838, 500,
    500,  675, 716, 593, 716, 678,  435, 716,  712, 343, 343, 665, 343, 1042, 712, 687,
    716,  716, 493, 595, 478, 712,  652, 924,  645, 652, 582, 712, 365, 712,  838};

// Length in bytes of the UTF-8 letter that begins at `at`; 0 if there is none.
std::size_t letter_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what lies beyond the last plane.
  if (length == 3 && lead == 0xE0 && byte(at + 1) < 0xA0) return 0;
  if (length == 3 && lead == 0xED && byte(at + 1) >= 0xA0) return 0;
  if (length == 4 && lead == 0xF0 && byte(at + 1) < 0x90) return 0;
  if (length == 4 && lead == 0xF4 && byte(at + 1) >= 0x90) return 0;
  return length;
}

double letter_width(std::string_view text, std::size_t at, std::size_t length, bool bold) {
  const auto c = static_cast<unsigned char>(text[at]);
  if (length != 1 || c < 32 || c > 126) return length > 2 ? 1.0 : 0.8;
  return static_cast<double>((bold ? kBold : kPlain)[static_cast<std::size_t>(c - 32)]) / 1000;
}

void attribute(std::string& out, const char* name, const std::string& value) {
  out += ' ';
  out += name;
  out += "=\"";
  out += value;
  out += '"';
}

void attribute(std::string& out, const char* name, double value) {
  attribute(out, name, svg_number(value));
}

void painted(std::string& out, const Paint& paint) {
  attribute(out, "fill", paint.fill);
  if (!paint.stroke.empty()) {
    attribute(out, "stroke", paint.stroke);
    if (paint.width != 1) attribute(out, "stroke-width", paint.width);
    if (!paint.dash.empty()) attribute(out, "stroke-dasharray", paint.dash);
  }
  if (paint.opacity != 1) attribute(out, "opacity", paint.opacity);
}

}  // namespace

double text_width(std::string_view text, double size, bool bold) {
  double width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = letter_at(text, i);
    width += letter_width(text, i, length, bold);
    i += length == 0 ? 1 : length;
  }
  return width * size;
}

std::string elided(std::string_view text, double width, double size, bool bold) {
  if (text_width(text, size, bold) <= width) return std::string(text);
  double used = size;  // of the ellipsis
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t length = letter_at(text, end);
    used += letter_width(text, end, length, bold) * size;
    if (used > width) break;
    end += length == 0 ? 1 : length;
  }
  return std::string(text.substr(0, end)) + "\u2026";
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = letter_at(text, i);
    const char c = text[i];
    if (length == 0 || (length == 1 && static_cast<unsigned char>(c) < 32)) {
      out += "\uFFFD";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&#39;";
    } else {
      out += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return out;
}

std::string svg_number(double value) {
  const double rounded = std::round(value * 100) / 100;
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, rounded == 0 ? 0.0 : rounded,
                                 std::chars_format::fixed, 2);
  std::string text(buffer, end.ptr);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

void Svg::rectangle(double x, double y, double width, double height, double radius,
                    const Paint& paint) {
  body_ += "<rect";
  attribute(body_, "x", x);
  attribute(body_, "y", y);
  attribute(body_, "width", width);
  attribute(body_, "height", height);
  if (radius > 0) attribute(body_, "rx", radius);
  painted(body_, paint);
  body_ += "/>\n";
}

void Svg::circle(Point centre, double radius, const Paint& paint) {
  body_ += "<circle";
  attribute(body_, "cx", centre.x);
  attribute(body_, "cy", centre.y);
  attribute(body_, "r", radius);
  painted(body_, paint);
  body_ += "/>\n";
}

void Svg::line(Point from, Point to, const Paint& paint) {
  body_ += "<line";
  attribute(body_, "x1", from.x);
  attribute(body_, "y1", from.y);
  attribute(body_, "x2", to.x);
  attribute(body_, "y2", to.y);
  painted(body_, paint);
  body_ += "/>\n";
}

void Svg::polygon(const std::vector<Point>& points, const Paint& paint) {
  std::string list;
  for (const Point& p : points) {
    if (!list.empty()) list += ' ';
    list += svg_number(p.x) + "," + svg_number(p.y);
  }
  body_ += "<polygon";
  attribute(body_, "points", list);
  painted(body_, paint);
  body_ += "/>\n";
}

void Svg::path(const std::string& data, const Paint& paint) {
  body_ += "<path";
  attribute(body_, "d", data);
  painted(body_, paint);
  body_ += "/>\n";
}

void Svg::text(Point at, std::string_view text, const Font& font) {
  body_ += "<text";
  attribute(body_, "x", at.x);
  attribute(body_, "y", at.y);
  attribute(body_, "font-size", font.size);
  attribute(body_, "fill", font.fill);
  if (font.bold) attribute(body_, "font-weight", std::string("bold"));
  if (font.anchor == Anchor::kMiddle) attribute(body_, "text-anchor", std::string("middle"));
  if (font.anchor == Anchor::kEnd) attribute(body_, "text-anchor", std::string("end"));
  body_ += ">" + xml_text(text) + "</text>\n";
}

void Svg::open_group(std::string_view title) {
  body_ += "<g>";
  if (!title.empty()) body_ += "<title>" + xml_text(title) + "</title>";
  body_ += "\n";
}

void Svg::close_group() { body_ += "</g>\n"; }

void Svg::append_below(const Svg& other, double y) {
  body_ += "<g transform=\"translate(0 " + svg_number(y) + ")\">\n" + other.body_ + "</g>\n";
}

std::string Svg::document(double width, double height, std::string_view title) const {
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\"";
  attribute(out, "width", std::ceil(width));
  attribute(out, "height", std::ceil(height));
  attribute(out, "viewBox",
            "0 0 " + svg_number(std::ceil(width)) + " " + svg_number(std::ceil(height)));
  attribute(out, "font-family", std::string("DejaVu Sans, Verdana, Arial, sans-serif"));
  out += ">\n<title>" + xml_text(title) + "</title>\n";
  out += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  return out + body_ + "</svg>\n";
}

}  // namespace sinew::authoring_detail
