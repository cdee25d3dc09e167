#include "terminal.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

namespace sinew::cli {

bool colour_on(int file_descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color && *no_color) return false;
  const char* term = std::getenv("TERM");
  if (!term || std::strcmp(term, "dumb") == 0) return false;
  return isatty(file_descriptor) != 0;
}

std::string styled(std::string_view text, Style style, int file_descriptor) {
  if (style == Style::kPlain || !colour_on(file_descriptor)) return std::string(text);
  const char* code = "0";
  switch (style) {
    case Style::kBold:
      code = "1";
      break;
    case Style::kDim:
      code = "2";
      break;
    case Style::kRed:
      code = "31;1";
      break;
    case Style::kYellow:
      code = "33";
      break;
    case Style::kGreen:
      code = "32";
      break;
    case Style::kCyan:
      code = "36";
      break;
    case Style::kPlain:
      break;
  }
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == 0x1b) {  // a colour sequence takes no room
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    if ((c & 0xc0) != 0x80) ++width;
  }
  return width;
}

void Table::column(std::string title, Align align) {
  columns_.push_back({std::move(title), align});
}

void Table::row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::text(int indent) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = display_width(columns_[c].title);
    for (const auto& row : rows_) width = std::max(width, display_width(row[c]));
    widths.push_back(width);
  }
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells, Style style) {
    std::string text(static_cast<std::size_t>(indent), ' ');
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string gap(widths[c] - std::min(widths[c], display_width(cells[c])), ' ');
      const std::string cell = style == Style::kPlain || cells[c].empty()
                                   ? cells[c]
                                   : styled(cells[c], style, STDOUT_FILENO);
      text += columns_[c].align == Align::kRight ? gap + cell : cell + gap;
      if (c + 1 < cells.size()) text += "  ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  std::vector<std::string> titles;
  bool any_title = false;
  for (const Column& column : columns_) {
    titles.push_back(column.title);
    any_title = any_title || !column.title.empty();
  }
  if (any_title) line(titles, Style::kDim);
  for (const auto& row : rows_) line(row, Style::kPlain);
  return out;
}

Progress::Progress(std::string label, double total, bool wanted)
    : label_(std::move(label)), total_(total), on_(wanted && isatty(STDERR_FILENO) != 0) {
  start_ = last_ = std::chrono::steady_clock::now();
}

Progress::~Progress() { clear(); }

void Progress::at(double done) {
  if (!on_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  const double share = total_ > 0 ? std::clamp(done / total_, 0.0, 1.0) : 0.0;
  const double passed = std::chrono::duration<double>(now - start_).count();
  const double left = share > 0.02 ? passed * (1 - share) / share : 0;
  constexpr int kWidth = 30;
  const int filled = static_cast<int>(share * kWidth);
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < filled ? "█" : "░";
  fmt::print(stderr, "\r\033[K{} {} {:3.0f} %{}", label_, styled(bar, Style::kCyan, STDERR_FILENO),
             100 * share, left >= 1 ? fmt::format("  {:.0f} s left", left) : "");
  std::fflush(stderr);
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

std::string human_bytes(double bytes) {
  if (bytes < 1000) return fmt::format("{:.0f} bytes", bytes);
  if (bytes < 1e6) return fmt::format("{:.1f} kB", bytes / 1e3);
  return fmt::format("{:.2f} MB", bytes / 1e6);
}

std::string human_seconds(double seconds) {
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.1f} us", seconds * 1e6);
}

}  // namespace sinew::cli
