#include "xml_check.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace sinew {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == ':' || static_cast<unsigned char>(c) >= 0x80;
}

// Elements that hold numbers and nothing else.
constexpr std::string_view kNumbers[] = {"float_array", "int_array", "matrix", "translate",
                                         "rotate",      "scale",     "lookat", "skew",
                                         "p",           "v",         "vcount", "bind_shape_matrix"};

class Checker {
 public:
  explicit Checker(std::string_view text) : text_(text) {}

  std::optional<XmlFault> check() {
    while (!fault_ && at_ < text_.size()) {
      if (text_[at_] == '<') {
        read_markup();
      } else {
        read_text();
      }
    }
    if (!fault_ && !open_.empty())
      fail(open_.back().at, "<" + name_of(open_.back()) + "> is not closed");
    if (!fault_ && !root_seen_) fail(text_.size(), "there is no element");
    return std::move(fault_);
  }

 private:
  struct Element {
    std::string_view name;
    std::size_t at;
    long long count = -1;  // its attribute of that name
  };

  static std::string name_of(const Element& element) {
    return std::string(element.name.substr(0, 60));
  }

  void fail(std::size_t at, std::string message) {
    const std::string_view before = text_.substr(0, at);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n');
    const std::size_t column = start == std::string_view::npos ? at : at - start - 1;
    fault_ =
        XmlFault{"line " + std::to_string(lines + 1) + ", column " + std::to_string(column + 1),
                 std::move(message)};
  }

  // Behind `end`, which must come; `what` says what it ends.
  void skip_to(std::string_view end, const char* what) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) return fail(at_, std::string(what) + " does not end");
    at_ = found + end.size();
  }

  void read_markup() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) return skip_to("-->", "the comment");
    if (rest.starts_with("<![CDATA[")) return skip_to("]]>", "the character data");
    if (rest.starts_with("<?")) return skip_to("?>", "the instruction");
    if (rest.starts_with("<!")) return skip_to(">", "the declaration");
    if (rest.starts_with("</")) return read_end();
    read_start();
  }

  std::string_view read_name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  void read_end() {
    const std::size_t start = at_;
    at_ += 2;
    const std::string_view name = read_name();
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != '>')
      return fail(at_, "a closing tag must end with '>'");
    ++at_;
    if (open_.empty())
      return fail(start, "</" + std::string(name.substr(0, 60)) + "> closes nothing");
    if (open_.back().name != name) {
      return fail(start, "<" + name_of(open_.back()) + "> is closed by </" +
                             std::string(name.substr(0, 60)) + ">");
    }
    open_.pop_back();
  }

  void read_start() {
    Element element{{}, at_, -1};
    ++at_;
    element.name = read_name();
    if (element.name.empty()) return fail(at_ - 1, "'<' without the name of an element");
    if (open_.empty() && root_seen_) return fail(element.at, "a second element at the top");
    root_seen_ = true;
    while (!fault_) {
      skip_blanks();
      if (at_ >= text_.size()) return fail(element.at, "the tag does not end");
      if (text_[at_] == '>') break;
      if (text_.substr(at_, 2) == "/>") {
        at_ += 2;
        return;
      }
      read_attribute(element);
    }
    if (fault_) return;
    ++at_;
    open_.push_back(element);
  }

  void read_attribute(Element& element) {
    const std::size_t start = at_;
    const std::string_view name = read_name();
    if (name.empty()) return fail(at_, "an attribute must have a name");
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != '=')
      return fail(start, "an attribute must have a value");
    ++at_;
    skip_blanks();
    if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\''))
      return fail(at_, "the value of an attribute must stand in quotes");
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return fail(at_, "the quotes do not end");
    const std::string_view value = text_.substr(at_ + 1, end - at_ - 1);
    if (name == "count") std::from_chars(value.data(), value.data() + value.size(), element.count);
    at_ = end + 1;
  }

  void read_text() {
    const std::size_t start = at_;
    at_ = std::min(text_.find('<', at_), text_.size());
    const std::string_view text = text_.substr(start, at_ - start);
    if (open_.empty()) {
      const auto letter = std::find_if_not(text.begin(), text.end(), is_blank);
      const bool mark = start == 0 && text.starts_with("\xef\xbb\xbf");  // byte order
      if (letter != text.end() && !mark)
        fail(start + static_cast<std::size_t>(letter - text.begin()),
             "text outside of all elements");
      return;
    }
    const Element& element = open_.back();
    if (std::find(std::begin(kNumbers), std::end(kNumbers), element.name) != std::end(kNumbers))
      read_numbers(element, start, text);
  }

  void read_numbers(const Element& element, std::size_t start, std::string_view text) {
    long long numbers = 0;
    for (std::size_t i = 0; i < text.size();) {
      if (is_blank(text[i])) {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < text.size() && !is_blank(text[end])) ++end;
      const std::string_view word = text.substr(i, end - i);
      const char* first = word.data() + (word.front() == '+' ? 1 : 0);
      double value = 0;
      const auto [stop, error] = std::from_chars(first, word.data() + word.size(), value);
      const bool tiny = error == std::errc::result_out_of_range;  // 1e-400 counts as 0
      if ((error != std::errc() && !tiny) || stop != word.data() + word.size() ||
          !std::isfinite(value)) {
        return fail(start + i, "<" + name_of(element) + "> holds '" +
                                   std::string(word.substr(0, 40)) +
                                   "', which is no finite number");
      }
      ++numbers;
      i = end;
    }
    const bool list = element.name == "float_array" || element.name == "int_array";
    if (list && element.count >= 0 && numbers != element.count) {
      fail(element.at, "<" + name_of(element) + "> announces " + std::to_string(element.count) +
                           " numbers and holds " + std::to_string(numbers));
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool root_seen_ = false;
  std::vector<Element> open_;
  std::optional<XmlFault> fault_;
};

}  // namespace

std::optional<XmlFault> find_xml_fault(std::string_view text) { return Checker(text).check(); }

}  // namespace sinew
