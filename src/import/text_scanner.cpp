#include "text_scanner.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <vector>

#include <sinew/base/text.hpp>
#include <sinew/math/scalar.hpp>

namespace sinew {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool is_line_end(char c) { return c == '\n' || c == '\r'; }
bool is_brace(char c) { return c == '{' || c == '}'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

TextScanner::TextScanner(std::string_view text) : text_(text) {
  if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
}

void TextScanner::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

bool TextScanner::at_end() {
  while (at_ < text_.size() && (is_blank(text_[at_]) || is_line_end(text_[at_]))) ++at_;
  return at_ == text_.size();
}

bool TextScanner::at_line_end() {
  skip_blanks();
  return at_ == text_.size() || is_line_end(text_[at_]);
}

void TextScanner::next_line() {
  while (at_ < text_.size() && !is_line_end(text_[at_])) ++at_;
  if (at_ == text_.size()) return;
  const bool carriage_return = text_[at_] == '\r';
  ++at_;
  if (carriage_return && at_ < text_.size() && text_[at_] == '\n') ++at_;
}

std::string_view TextScanner::word() {
  at_end();
  return word_on_line();
}

std::string_view TextScanner::peek_word() {
  const std::size_t at = at_, last = last_word_;
  const std::string_view next = word();
  at_ = at;
  last_word_ = last;
  return next;
}

std::string_view TextScanner::word_on_line() {
  skip_blanks();
  const std::size_t begin = at_;
  last_word_ = begin;
  if (at_ < text_.size() && is_brace(text_[at_])) {
    ++at_;
    return text_.substr(begin, 1);
  }
  while (at_ < text_.size() && !is_blank(text_[at_]) && !is_line_end(text_[at_]) &&
         !is_brace(text_[at_])) {
    ++at_;
  }
  return text_.substr(begin, at_ - begin);
}

std::string_view TextScanner::name_on_line() {
  skip_blanks();
  const std::size_t begin = at_;
  last_word_ = begin;
  while (at_ < text_.size() && !is_line_end(text_[at_]) && !is_brace(text_[at_])) ++at_;
  return trimmed(text_.substr(begin, at_ - begin));
}

std::string_view TextScanner::rest_of_line() {
  skip_blanks();
  const std::size_t begin = at_;
  last_word_ = begin;
  while (at_ < text_.size() && !is_line_end(text_[at_])) ++at_;
  return trimmed(text_.substr(begin, at_ - begin));
}

std::string TextScanner::place(std::size_t offset) const {
  std::size_t line = 1, line_begin = 0;
  offset = std::min(offset, text_.size());
  for (std::size_t i = 0; i < offset; ++i) {
    const bool ends =
        text_[i] == '\n' || (text_[i] == '\r' && (i + 1 >= text_.size() || text_[i + 1] != '\n'));
    if (!ends) continue;
    ++line;
    line_begin = i + 1;
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(offset - line_begin + 1);
}

Error TextScanner::error_at(std::size_t offset, std::string message) const {
  return make_error(ErrorCode::kMalformed, std::move(message), place(offset));
}

bool parse_number(std::string_view word, double& out) {
  const char* begin = word.data();
  const char* const end = begin + word.size();
  if (begin != end && *begin == '+') ++begin;
  // Only digits, or a point, may follow the sign: from_chars would take "nan" and "inf".
  const char* const first =
      begin != end && *begin == '-' && begin == word.data() ? begin + 1 : begin;
  if (first == end || !(is_digit(*first) || *first == '.')) return false;
  double value = 0;
  const std::from_chars_result read = std::from_chars(begin, end, value);
  if (read.ptr != end) return false;
  if (read.ec == std::errc::result_out_of_range) {
    // Either far too large or nearer to zero than a double can be; the exponent's sign tells.
    const std::size_t exponent = word.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos
                          ? word.find('-', exponent) != std::string_view::npos
                          : *first == '0' || *first == '.';
    if (!tiny) return false;
    out = 0;
    return true;
  }
  if (read.ec != std::errc() || !(value <= 1e15 && value >= -1e15)) return false;
  out = value;
  return true;
}

bool parse_count(std::string_view word, std::int64_t& out) {
  std::int64_t value = 0;
  if (word.empty() || !is_digit(word.front())) return false;
  const std::from_chars_result read =
      std::from_chars(word.data(), word.data() + word.size(), value);
  if (read.ec != std::errc() || read.ptr != word.data() + word.size()) return false;
  if (value > (std::int64_t{1} << 62)) return false;
  out = value;
  return true;
}

std::string number_fault(std::string_view word) {
  const std::string shown = quoted(word);
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(), lower);
  if (text.empty()) return "a number is missing";
  if (text.find("nan") != std::string::npos || text.find("inf") != std::string::npos ||
      text.find("#ind") != std::string::npos) {
    return shown + " is not a finite number";
  }
  if (text.find(',') != std::string::npos) {
    std::replace(text.begin(), text.end(), ',', '.');
    double value = 0;
    if (parse_number(text, value)) return shown + " has a comma where a decimal point must stand";
  }
  double value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ptr ==
      text.data() + text.size()) {
    return shown + " is too large";
  }
  return shown + " is not a number";
}

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

std::string quoted(std::string_view word) {
  constexpr std::size_t kLongest = 40;
  std::string out = "'";
  for (const char c : word.substr(0, kLongest)) {
    const unsigned char byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  if (word.size() > kLongest) out += "...";
  return out + "'";
}

std::string file_name_of(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string file_stem_of(std::string_view path) {
  std::string name = file_name_of(path);
  const std::size_t dot = name.find_last_of('.');
  if (dot != std::string::npos && dot > 0) name.resize(dot);
  return name;
}

namespace {

// The nearest file name of the same folder, as the end of a message.
std::string nearest_file(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  constexpr std::size_t kMost = 4096;
  std::error_code fault;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault)) {
    if (names.size() == kMost) break;
    names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  const std::vector<std::string_view> views(names.begin(), names.end());
  return did_you_mean(path.filename().string(), views);
}

}  // namespace

Result<std::string> read_text_file(const std::string& path, std::uint64_t max_bytes) {
  namespace fs = std::filesystem;
  std::error_code fault;
  const fs::file_status status = fs::status(path, fault);
  if (!fs::exists(status)) {
    return make_error(ErrorCode::kNotFound, "no such file" + nearest_file(path), path);
  }
  if (!fs::is_regular_file(status)) {
    return make_error(ErrorCode::kUnreadable, "not a regular file", path);
  }
  const std::uintmax_t size = fs::file_size(path, fault);
  if (fault) return make_error(ErrorCode::kUnreadable, "cannot be read", path);
  if (size > max_bytes) {
    return make_error(ErrorCode::kLimit,
                      format_text("%llu bytes are more than the limit of %llu",
                                  static_cast<unsigned long long>(size),
                                  static_cast<unsigned long long>(max_bytes)),
                      path);
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  if (!file.read(text.data(), static_cast<std::streamsize>(size))) {
    return make_error(ErrorCode::kUnreadable, "cannot be read", path);
  }
  return text;
}

}  // namespace sinew
