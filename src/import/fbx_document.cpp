#include "fbx_document.hpp"

#include <bit>
#include <cstring>
#include <utility>

#include <sinew/base/text.hpp>
#include <sinew/math/scalar.hpp>

#include "fbx_values.hpp"
#include "text_scanner.hpp"

namespace sinew {
namespace {

constexpr std::size_t kMaxNodes = 4'000'000;
constexpr std::size_t kMaxDepth = 64;
constexpr std::string_view kMagic("Kaydara FBX Binary  \0\x1a\0", 23);

template <class T, class Element>
void append_elements(const std::string& bytes, std::vector<T>& out) {
  const std::size_t count = bytes.size() / sizeof(Element);
  for (std::size_t i = 0; i < count; ++i) {
    Element v{};
    std::memcpy(&v, bytes.data() + i * sizeof(Element), sizeof(Element));
    if constexpr (std::is_floating_point_v<Element> && !std::is_floating_point_v<T>) {
      const double d = static_cast<double>(v);
      out.push_back(d >= -9e18 && d <= 9e18 ? static_cast<T>(d) : T{0});
    } else {
      out.push_back(static_cast<T>(v));
    }
  }
}

}  // namespace

std::string fbx_object_name(std::string_view text) {
  using namespace std::string_view_literals;
  if (const std::size_t mark = text.find("\0\x01"sv); mark != std::string_view::npos) {
    return std::string(text.substr(0, mark));
  }
  const std::size_t colons = text.find("::");
  return std::string(colons == std::string_view::npos ? text : text.substr(colons + 2));
}

// ---------------------------------------------------------------------------------- binary files

class FbxDocument::BinaryParser {
 public:
  BinaryParser(std::string_view file, FbxDocument& out)
      : file_(file), out_(out), wide_(out.version_ >= 7500) {}

  // Reads the records of [at, end) as children of `parent`.
  Status children(std::size_t at, std::size_t end, int parent, std::size_t depth);

 private:
  struct Header {
    std::size_t end = 0, count = 0, values = 0, name = 0;
  };
  bool header(std::size_t& at, std::size_t limit, Header& out) const;
  Error fault(std::size_t at, std::string message) const {
    return make_error(ErrorCode::kMalformed, std::move(message), format_text("byte %zu", at));
  }

  std::string_view file_;
  FbxDocument& out_;
  bool wide_;
};

bool FbxDocument::BinaryParser::header(std::size_t& at, std::size_t limit, Header& out) const {
  std::string_view bytes = file_.substr(at, limit - at);
  const std::size_t before = bytes.size();
  std::uint8_t name = 0;
  if (wide_) {
    std::uint64_t end = 0, count = 0, values = 0;
    if (!read_bytes(bytes, end) || !read_bytes(bytes, count) || !read_bytes(bytes, values))
      return false;
    out.end = end;
    out.count = count;
    out.values = values;
  } else {
    std::uint32_t end = 0, count = 0, values = 0;
    if (!read_bytes(bytes, end) || !read_bytes(bytes, count) || !read_bytes(bytes, values))
      return false;
    out.end = end;
    out.count = count;
    out.values = values;
  }
  if (!read_bytes(bytes, name)) return false;
  out.name = name;
  at += before - bytes.size();
  return true;
}

Status FbxDocument::BinaryParser::children(std::size_t at, std::size_t end, int parent,
                                           std::size_t depth) {
  if (depth > kMaxDepth) {
    return make_error(ErrorCode::kLimit, "nodes are more than 64 levels deep",
                      format_text("byte %zu", at));
  }
  int last = kNone;
  while (at < end) {
    const std::size_t begin = at;
    Header h;
    if (!header(at, end, h)) return fault(begin, "the file ends inside a node");
    if (h.end == 0) return {};  // the mark behind the last child
    const std::size_t space = h.end > at && h.end <= end ? h.end - at : 0;
    if (space == 0 || h.name > space || h.values > space - h.name || h.count > h.values) {
      return fault(begin, "a node's sizes reach beyond it");
    }
    if (out_.nodes_.size() >= kMaxNodes) {
      return make_error(ErrorCode::kLimit, "more than 4000000 nodes",
                        format_text("byte %zu", begin));
    }
    Node node;
    node.name = file_.substr(at, h.name);
    node.bytes = file_.substr(at + h.name, h.values);
    node.value_count = h.count;
    const int index = static_cast<int>(out_.nodes_.size());
    out_.nodes_.push_back(node);
    (last == kNone ? out_.nodes_[static_cast<std::size_t>(parent)].first_child
                   : out_.nodes_[static_cast<std::size_t>(last)].next) = index;
    last = index;
    const Status status = children(at + h.name + h.values, h.end, index, depth + 1);
    if (!status) return status;
    at = h.end;
  }
  return {};
}

// ----------------------------------------------------------------------------------- ASCII files

class FbxDocument::AsciiParser {
 public:
  AsciiParser(std::string_view file, FbxDocument& out) : file_(file), out_(out) {}
  Status parse();

 private:
  // The part of a line that matters: what follows from `at_` without blanks and comments.
  void skip();
  bool node_name(std::string_view& name);
  void values(Node& node);
  Error fault(std::string message) const {
    return TextScanner(file_).error_at(at_, std::move(message));
  }

  std::string_view file_;
  FbxDocument& out_;
  std::size_t at_ = 0;
};

void FbxDocument::AsciiParser::skip() {
  while (at_ < file_.size()) {
    if (file_[at_] == ';') {
      at_ = file_.find('\n', at_);
      if (at_ == std::string_view::npos) at_ = file_.size();
    } else if (is_separator(file_[at_]) && file_[at_] != ',') {
      ++at_;
    } else {
      return;
    }
  }
}

bool FbxDocument::AsciiParser::node_name(std::string_view& name) {
  std::size_t end = at_;
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '|';
  };
  while (end < file_.size() && is_name(file_[end])) ++end;
  if (end == at_ || end == file_.size() || file_[end] != ':') return false;
  name = file_.substr(at_, end - at_);
  at_ = end + 1;
  return true;
}

// The values go to the end of the line, and on behind a comma at its end (or at the beginning of
// the next), or to a brace.
void FbxDocument::AsciiParser::values(Node& node) {
  const std::size_t begin = at_;
  bool comma = false, in_value = false;
  std::size_t end = at_;
  while (at_ < file_.size()) {
    const char c = file_[at_];
    if (c == '{' || c == '}') break;
    if (c == '\n' || c == '\r') {
      in_value = false;
      std::size_t peek = at_;
      while (peek < file_.size() && is_separator(file_[peek]) && file_[peek] != ',') ++peek;
      const bool goes_on = comma || (peek < file_.size() && file_[peek] == ',');
      if (!goes_on) break;
      at_ = peek;
      continue;
    }
    if (c == ';') {
      const std::size_t line_end = file_.find('\n', at_);
      at_ = line_end == std::string_view::npos ? file_.size() : line_end;
      continue;
    }
    if (c == '"') {
      const std::size_t close = file_.find('"', at_ + 1);
      at_ = close == std::string_view::npos ? file_.size() : close + 1;
      ++node.value_count;
      in_value = comma = false;
      end = at_;
      continue;
    }
    if (is_separator(c)) {
      comma = comma || c == ',';
      in_value = false;
    } else {
      node.value_count += in_value ? 0 : 1;
      in_value = true;
      comma = false;
      end = at_ + 1;
    }
    ++at_;
  }
  node.bytes = file_.substr(begin, end - begin);
}

Status FbxDocument::AsciiParser::parse() {
  struct Open {
    int node;
    int last;
  };
  std::vector<Open> open = {{0, kNone}};
  while (true) {
    skip();
    if (at_ >= file_.size()) break;
    if (file_[at_] == '}') {
      if (open.size() == 1) return fault("there is one '}' too many");
      open.pop_back();
      ++at_;
      continue;
    }
    Node node;
    if (!node_name(node.name)) return fault("expected a node such as 'Objects:'");
    if (out_.nodes_.size() >= kMaxNodes) {
      return make_error(ErrorCode::kLimit, "more than 4000000 nodes",
                        TextScanner(file_).place(at_));
    }
    values(node);
    const int index = static_cast<int>(out_.nodes_.size());
    out_.nodes_.push_back(node);
    Open& parent = open.back();
    (parent.last == kNone ? out_.nodes_[static_cast<std::size_t>(parent.node)].first_child
                          : out_.nodes_[static_cast<std::size_t>(parent.last)].next) = index;
    parent.last = index;
    skip();
    if (at_ < file_.size() && file_[at_] == '{') {
      if (open.size() > kMaxDepth) {
        return make_error(ErrorCode::kLimit, "nodes are more than 64 levels deep",
                          TextScanner(file_).place(at_));
      }
      ++at_;
      open.push_back({index, kNone});
    }
  }
  if (open.size() > 1) return fault("a '}' is missing at the end");
  return {};
}

// ------------------------------------------------------------------------------------- document

Result<FbxDocument> FbxDocument::parse(std::string_view bytes) {
  FbxDocument out;
  out.file_ = bytes;
  out.nodes_.emplace_back();
  if (bytes.starts_with(kMagic)) {
    std::string_view rest = bytes.substr(kMagic.size());
    std::uint32_t version = 0;
    if (!read_bytes(rest, version) || version > 99999) {
      return make_error(ErrorCode::kMalformed, "the file has no version", "byte 23");
    }
    out.binary_ = true;
    out.version_ = static_cast<int>(version);
    const Status status = BinaryParser(bytes, out).children(kMagic.size() + 4, bytes.size(), 0, 0);
    if (!status) return status.error();
  } else {
    // Binary rubbish would otherwise be searched for a node's name byte by byte.
    if (bytes.find('\0') != std::string_view::npos) {
      return make_error(ErrorCode::kMalformed, "neither a binary nor an ASCII FBX file", "byte 0");
    }
    if (const Status status = AsciiParser(bytes, out).parse(); !status) return status.error();
    const int header = out.child(0, "FBXHeaderExtension");
    const double version = out.number(out.child(header, "FBXVersion"), 0, 0);
    out.version_ = version >= 0 && version <= 99999 ? static_cast<int>(version) : 0;
  }
  if (out.child(0, "Objects") == kNone) {
    return make_error(ErrorCode::kMalformed, "the file has no 'Objects'", "end");
  }
  return out;
}

int FbxDocument::child(int node, std::string_view name) const {
  if (node < 0) return kNone;
  int i = at(node).first_child;
  while (i != kNone && at(i).name != name) i = at(i).next;
  return i;
}

FbxValue FbxDocument::take(std::string_view& bytes) const {
  return binary_ ? take_binary(bytes) : take_ascii(bytes);
}

FbxValue FbxDocument::value(int node, std::size_t position) const {
  if (node < 0 || position >= at(node).value_count) return {};
  std::string_view bytes = at(node).bytes;
  for (std::size_t i = 0; i < position; ++i) {
    if (take(bytes).kind == FbxValue::Kind::kNone) return {};
  }
  return take(bytes);
}

double FbxDocument::number(int node, std::size_t position, double otherwise) const {
  const FbxValue v = value(node, position);
  const bool is_number = v.kind == FbxValue::Kind::kInteger || v.kind == FbxValue::Kind::kReal;
  return is_number && is_finite(v.real) ? v.real : otherwise;
}

std::int64_t FbxDocument::integer(int node, std::size_t position, std::int64_t otherwise) const {
  const FbxValue v = value(node, position);
  return v.kind == FbxValue::Kind::kInteger || v.kind == FbxValue::Kind::kReal ? v.integer
                                                                               : otherwise;
}

std::string_view FbxDocument::text(int node, std::size_t position) const {
  const FbxValue v = value(node, position);
  return v.kind == FbxValue::Kind::kText ? v.text : std::string_view();
}

std::vector<FbxValue> FbxDocument::values(int node) const {
  std::vector<FbxValue> out;
  if (node < 0) return out;
  std::string_view bytes = at(node).bytes;
  for (std::size_t i = 0; i < at(node).value_count; ++i) {
    out.push_back(take(bytes));
    if (out.back().kind == FbxValue::Kind::kNone) {
      out.pop_back();
      break;
    }
  }
  return out;
}

template <class T>
Result<std::vector<T>> FbxDocument::list(int node) const {
  std::vector<T> out;
  if (node < 0) return out;
  // ASCII files of version 7 keep arrays in a child: "Vertices: *24 { a: ... }".
  if (const int inner = child(node, "a"); !binary_ && inner != kNone) node = inner;
  std::string_view bytes = at(node).bytes;
  for (std::size_t i = 0; i < at(node).value_count; ++i) {
    const FbxValue v = take(bytes);
    if (v.kind == FbxValue::Kind::kArray) {
      std::string raw;
      if (v.count > kMaxFbxArray || !unpack(v, raw)) {
        return make_error(ErrorCode::kMalformed, "an array cannot be unpacked", place(node));
      }
      out.reserve(out.size() + v.count);
      switch (v.element) {
        case 'f':
          append_elements<T, float>(raw, out);
          break;
        case 'd':
          append_elements<T, double>(raw, out);
          break;
        case 'l':
          append_elements<T, std::int64_t>(raw, out);
          break;
        case 'i':
          append_elements<T, std::int32_t>(raw, out);
          break;
        default:
          append_elements<T, std::uint8_t>(raw, out);
          break;
      }
    } else if (v.kind == FbxValue::Kind::kInteger || v.kind == FbxValue::Kind::kReal) {
      if constexpr (std::is_floating_point_v<T>) {
        out.push_back(v.real);
      } else {
        out.push_back(v.integer);
      }
    } else if (!(v.kind == FbxValue::Kind::kText && v.text.starts_with('*'))) {
      return make_error(ErrorCode::kMalformed, "a value is no number: " + number_fault(v.text),
                        place(node));
    }
  }
  if constexpr (std::is_floating_point_v<T>) {
    for (const T v : out) {
      if (!is_finite(v))
        return make_error(ErrorCode::kMalformed, "a number is not finite", place(node));
    }
  }
  return out;
}

Result<std::vector<double>> FbxDocument::doubles(int node) const { return list<double>(node); }
Result<std::vector<std::int64_t>> FbxDocument::integers(int node) const {
  return list<std::int64_t>(node);
}

Result<std::vector<FbxDocument::Attribute>> FbxDocument::attributes(int node) const {
  std::vector<Attribute> out;
  const auto add = [&](float v) {
    Attribute a;
    std::memcpy(&a.bits, &v, sizeof v);
    a.number = is_finite(v) ? static_cast<double>(v) : 0;
    out.push_back(a);
  };
  if (node < 0) return out;
  const FbxValue first = value(node, 0);
  if (first.kind == FbxValue::Kind::kArray && first.element == 'f') {
    std::string raw;
    if (first.count > kMaxFbxArray || !unpack(first, raw)) {
      return make_error(ErrorCode::kMalformed, "an array cannot be unpacked", place(node));
    }
    for (std::size_t i = 0; i < first.count; ++i) {
      float v = 0;
      std::memcpy(&v, raw.data() + i * sizeof v, sizeof v);
      add(v);
    }
    return out;
  }
  // ASCII files write the bits of each as a whole number, or the number itself with a point.
  int list = node;
  if (const int inner = child(node, "a"); inner != kNone) list = inner;
  std::string_view bytes = at(list).bytes;
  for (std::size_t i = 0; i < at(list).value_count; ++i) {
    const FbxValue v = take(bytes);
    if (v.kind == FbxValue::Kind::kReal) {
      add(static_cast<float>(v.real));
    } else if (v.kind == FbxValue::Kind::kInteger) {
      const std::uint32_t bits = static_cast<std::uint32_t>(v.integer & 0xffffffff);
      add(std::bit_cast<float>(bits));
    } else {
      add(0.0f);
    }
  }
  return out;
}

std::string FbxDocument::place(int node) const {
  if (node < 0) return "file";
  const std::size_t offset =
      at(node).name.empty() ? 0 : static_cast<std::size_t>(at(node).name.data() - file_.data());
  return quoted(at(node).name) + ", " +
         (binary_ ? format_text("byte %zu", offset) : TextScanner(file_).place(offset));
}

}  // namespace sinew
