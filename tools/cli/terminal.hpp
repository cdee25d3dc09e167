// What people see: aligned tables, colours and a progress bar, both only on a terminal.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::cli {

enum class Style { kPlain, kBold, kDim, kRed, kYellow, kGreen, kCyan };

// Whether a stream takes colours: it is a terminal, NO_COLOR is not set, TERM is not "dumb".
bool colour_on(int file_descriptor);
// `text` in that style for the stream, or as it is where there are no colours.
std::string styled(std::string_view text, Style style, int file_descriptor);

// `text` with control characters as '?': names out of files must not steer the terminal.
std::string printable(std::string_view text);

// Columns that a terminal needs for UTF-8 text (one per code point).
std::size_t display_width(std::string_view text);

class Table {
 public:
  enum class Align { kLeft, kRight };
  void column(std::string title, Align align = Align::kLeft);
  // Missing cells are empty, further ones are ignored.
  void row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  // Title line and rows, each ended by a newline, `indent` blanks before each; columns two blanks
  // apart, none at the end of a line.
  std::string text(int indent = 0) const;

 private:
  struct Column {
    std::string title;
    Align align;
  };
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// One line on stderr that is drawn over; nothing at all where stderr is no terminal.
class Progress {
 public:
  Progress(std::string label, double total, bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Draws at most ten times a second.
  void at(double done);
  // Removes the line.
  void clear();

 private:
  std::string label_;
  double total_;
  bool on_, drawn_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

// "1.23 MB", "12 kB", "7 bytes".
std::string human_bytes(double bytes);
// "1.23 s", "4.5 ms", "12.0 us".
std::string human_seconds(double seconds);

}  // namespace sinew::cli
