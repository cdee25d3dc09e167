// Reads text formats word by word and knows where it is, for messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <sinew/base/result.hpp>

namespace sinew {

// Words are separated by blanks and line ends; '{' and '}' are words of their own. Line ends are
// LF, CRLF and a lone CR. The text must outlive the scanner. A mark of UTF-8 at the start is
// skipped. Other bytes are taken as they are: names need no encoding.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text);

  std::size_t offset() const { return at_; }
  // Skips blanks and line ends; true if nothing follows.
  bool at_end();
  // Skips blanks; true at a line end or at the end of the text.
  bool at_line_end();
  // Goes behind the next line end.
  void next_line();

  // The next word, on any line; empty at the end of the text.
  std::string_view word();
  std::string_view peek_word();
  // The next word of this line; empty at its end.
  std::string_view word_on_line();
  // What is left of this line up to a brace, without blanks at its ends.
  std::string_view name_on_line();
  // What is left of this line, without blanks at its ends.
  std::string_view rest_of_line();

  // "line 12, column 5" of the byte at `offset`, both from 1. Costs a pass over the text.
  std::string place(std::size_t offset) const;
  // An error at the byte at `offset`, or at the last word read.
  Error error_at(std::size_t offset, std::string message) const;
  Error error(std::string message) const { return error_at(last_word_, std::move(message)); }
  // Where the last word began.
  std::size_t last_word() const { return last_word_; }

 private:
  void skip_blanks();

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t last_word_ = 0;
};

// A decimal number that fills the whole word, with an optional sign, fraction and exponent. False
// for anything else: "nan", "inf", "1.#QNAN", "0,5", "0x10", or beyond 1e15. Too small to hold: 0.
bool parse_number(std::string_view word, double& out);
// A whole number in [0, 2^62] that fills the word.
bool parse_count(std::string_view word, std::int64_t& out);
// Why parse_number() refused the word, for a message.
std::string number_fault(std::string_view word);

// ASCII letter case ignored.
bool same_word(std::string_view a, std::string_view b);
// The word in quotes, cut after 40 bytes, unprintable bytes replaced.
std::string quoted(std::string_view word);

// The whole of a regular file. Errors: not found (with the nearest name in that folder), no regular
// file, larger than max_bytes, unreadable.
Result<std::string> read_text_file(const std::string& path, std::uint64_t max_bytes);
// "a/b/walk.bvh" -> "walk.bvh", "walk".
std::string file_name_of(std::string_view path);
std::string file_stem_of(std::string_view path);

}  // namespace sinew
