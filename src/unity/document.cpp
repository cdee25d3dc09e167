#include "document.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>

#include <yaml.h>

#include <sinew/base/text.hpp>

namespace sinew::unity {
namespace {

struct Parser {
  yaml_parser_t state{};
  bool made = false;
  Parser() { made = yaml_parser_initialize(&state) != 0; }
  ~Parser() {
    if (made) yaml_parser_delete(&state);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
};

struct Event {
  yaml_event_t event{};
  bool made = false;
  bool next(Parser& parser) {
    clear();
    made = yaml_parser_parse(&parser.state, &event) != 0;
    return made;
  }
  void clear() {
    if (made) yaml_event_delete(&event);
    made = false;
  }
  Event() = default;
  ~Event() { clear(); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
};

bool is_word_of(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t space = std::min(list.find(' '), list.size());
    if (list.substr(0, space) == word) return true;
    list.remove_prefix(std::min(space + 1, list.size()));
  }
  return false;
}

// One body. Recursion follows the nesting, which is limited.
class BodyReader {
 public:
  BodyReader(std::string_view text, const std::string& file, int first_line, std::string_view skip,
             std::size_t& nodes)
      : file_(file), first_line_(first_line), skip_(skip), nodes_(nodes) {
    if (!parser_.made) return;
    yaml_parser_set_encoding(&parser_.state, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_.state,
                                 reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }

  Result<Node> read() {
    if (!parser_.made) return make_error(ErrorCode::kInternal, "no memory for the YAML reader");
    Node root;
    root.kind = Node::Kind::kMap;
    root.line = first_line_;
    while (true) {
      if (!event_.next(parser_)) return syntax();
      switch (event_.event.type) {
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_START_EVENT:
          continue;
        case YAML_STREAM_END_EVENT:
        case YAML_DOCUMENT_END_EVENT:
          return root;
        default:
          break;
      }
      if (Status s = value(root, 0, true); !s) return s.error();
      break;
    }
    // What follows the first value belongs to no document of Unity's.
    return root;
  }

 private:
  int line() const {
    const std::size_t mark = event_.event.start_mark.line;
    return first_line_ + static_cast<int>(std::min<std::size_t>(mark, 1u << 30));
  }

  Error syntax() const {
    const yaml_parser_t& p = parser_.state;
    const int at = first_line_ + static_cast<int>(std::min<std::size_t>(
                                     std::max(p.problem_mark.line, p.context_mark.line), 1u << 30));
    std::string reason = p.problem != nullptr ? p.problem : "cannot be read as YAML";
    if (p.context != nullptr) reason += std::string(" ") + p.context;
    return make_error(ErrorCode::kMalformed, "is not valid YAML: " + reason,
                      file_ + ": " + line_place(at));
  }

  Error fault(ErrorCode code, std::string message) const {
    return make_error(code, std::move(message), file_ + ": " + line_place(line()));
  }

  // The value whose first event is at hand. `keep`: false where it is only passed over.
  Status value(Node& out, int depth, bool keep) {
    if (depth > kDeepestNode) return fault(ErrorCode::kLimit, "is nested too deeply");
    if (++nodes_ > kMostNodes) return fault(ErrorCode::kLimit, "holds too many values");
    out.line = line();
    switch (event_.event.type) {
      case YAML_SCALAR_EVENT:
        out.kind = Node::Kind::kScalar;
        if (keep) out.text = scalar();
        return {};
      case YAML_SEQUENCE_START_EVENT:
        out.kind = Node::Kind::kList;
        return list(out, depth, keep);
      case YAML_MAPPING_START_EVENT:
        out.kind = Node::Kind::kMap;
        return map(out, depth, keep);
      case YAML_ALIAS_EVENT:
        return fault(ErrorCode::kUnsupported, "uses a YAML alias, which no Unity file does");
      default:
        return fault(ErrorCode::kMalformed, "a value is missing");
    }
  }

  Status list(Node& out, int depth, bool keep) {
    while (true) {
      if (!event_.next(parser_)) return syntax();
      if (event_.event.type == YAML_SEQUENCE_END_EVENT) return {};
      Node item;
      if (Status s = value(item, depth + 1, keep); !s) return s;
      if (keep) out.items.push_back(std::move(item));
    }
  }

  Status map(Node& out, int depth, bool keep) {
    while (true) {
      if (!event_.next(parser_)) return syntax();
      if (event_.event.type == YAML_MAPPING_END_EVENT) return {};
      if (event_.event.type != YAML_SCALAR_EVENT) {
        return fault(ErrorCode::kMalformed, "a key is not a text");
      }
      Node item;
      item.key = scalar();
      const bool wanted = keep && !is_word_of(skip_, item.key);
      if (!event_.next(parser_)) return syntax();
      if (Status s = value(item, depth + 1, wanted); !s) return s;
      if (wanted) out.items.push_back(std::move(item));
    }
  }

  std::string scalar() const {
    const auto& s = event_.event.data.scalar;
    return std::string(reinterpret_cast<const char*>(s.value), s.length);
  }

  const std::string& file_;
  int first_line_;
  std::string_view skip_;
  std::size_t& nodes_;
  Parser parser_;
  Event event_;
};

struct Header {
  int class_id = 0;
  std::int64_t file_id = 0;
  bool stripped = false;
};

template <class T>
bool take_number(std::string_view& text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view word) {
  if (text.substr(0, word.size()) != word) return false;
  text.remove_prefix(word.size());
  return true;
}

// "--- !u!1102 &-7583180122849892934 stripped"
std::optional<Header> parse_header(std::string_view line) {
  Header header;
  if (!take(line, "--- !u!") || !take_number(line, header.class_id) || !take(line, " &") ||
      !take_number(line, header.file_id)) {
    return std::nullopt;
  }
  header.stripped = take(line, " stripped");
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  if (!line.empty()) return std::nullopt;
  return header;
}

std::string_view without_mark(std::string_view text) {
  return text.substr(0, 3) == "\xef\xbb\xbf" ? text.substr(3) : text;
}

}  // namespace

const Node* Node::find(std::string_view member) const {
  if (kind != Kind::kMap) return nullptr;
  for (const Node& item : items) {
    if (item.key == member) return &item;
  }
  return nullptr;
}

std::optional<Error> not_unity_text(std::string_view text, const std::string& file) {
  text = without_mark(text);
  const std::string_view head = text.substr(0, 4096);
  if (head.empty()) return make_error(ErrorCode::kMalformed, "is empty", file);
  if (head.starts_with("version https://git-lfs.github.com/spec")) {
    return make_error(ErrorCode::kUnsupported,
                      "is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'",
                      file + ": line 1");
  }
  if (head.find('\0') != std::string_view::npos) {
    return make_error(ErrorCode::kUnsupported,
                      "is a binary asset; save it as text (Unity: Project Settings, Editor, Asset "
                      "Serialization: Force Text)",
                      file);
  }
  if (!head.starts_with("%YAML") && !head.starts_with("--- !u!") &&
      head.find("\n--- !u!") == std::string_view::npos) {
    return make_error(ErrorCode::kMalformed,
                      "is no Unity text file: it begins neither with %YAML nor with a document",
                      file + ": line 1");
  }
  return std::nullopt;
}

Result<std::vector<Document>> parse_documents(std::string_view text, const std::string& file,
                                              bool (*wanted)(int), std::string_view skip) {
  if (text.size() > kLargestFile) {
    return make_error(ErrorCode::kLimit, "is larger than 64 MiB", file);
  }
  if (auto error = not_unity_text(text, file)) return *error;
  text = without_mark(text);
  std::vector<Document> documents;
  std::size_t nodes = 0, body = 0;
  int line = 0;
  bool open = false;
  const auto close = [&](std::size_t end) -> Status {
    if (!open) return {};
    Document& document = documents.back();
    document.text = text.substr(body, end - body);
    document.body.kind = Node::Kind::kMap;
    document.body.line = document.line + 1;
    if (wanted != nullptr && !wanted(document.class_id)) return {};
    BodyReader reader(document.text, file, document.line + 1, skip, nodes);
    Result<Node> root = reader.read();
    if (!root) return root.error();
    if (root->items.empty()) return {};
    document.root_key = root->items.front().key;
    if (root->items.front().kind == Node::Kind::kMap) {
      Node inner = std::move(root->items.front());
      document.body = std::move(inner);
    }
    return {};
  };
  for (std::size_t at = 0; at < text.size();) {
    ++line;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view row = text.substr(at, end - at);
    if (row.starts_with("---")) {
      if (Status s = close(at); !s) return s.error();
      const std::optional<Header> header = parse_header(row);
      if (!header) {
        return make_error(ErrorCode::kMalformed,
                          "a document must begin with '--- !u!<class> &<file id>'",
                          file + ": " + line_place(line));
      }
      if (documents.size() >= kMostDocuments) {
        return make_error(ErrorCode::kLimit, "holds too many documents",
                          file + ": " + line_place(line));
      }
      Document document;
      document.class_id = header->class_id;
      document.file_id = header->file_id;
      document.stripped = header->stripped;
      document.line = line;
      documents.push_back(std::move(document));
      body = std::min(end + 1, text.size());
      open = true;
    }
    at = end + 1;
  }
  if (Status s = close(text.size()); !s) return s.error();
  if (documents.empty()) return make_error(ErrorCode::kMalformed, "holds no document", file);
  return documents;
}

Result<Node> parse_yaml(std::string_view text, const std::string& file, int first_line) {
  std::size_t nodes = 0;
  return BodyReader(without_mark(text), file, first_line, {}, nodes).read();
}

Result<std::string> read_file(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    return make_error(ErrorCode::kNotFound, "there is no such file", file.string());
  }
  if (!std::filesystem::is_regular_file(file, error)) {
    return make_error(ErrorCode::kUnreadable, "is not a file", file.string());
  }
  std::ifstream in(file, std::ios::binary);
  std::string text;
  char block[65536];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
    if (text.size() > kLargestFile) {
      return make_error(ErrorCode::kLimit, "is larger than 64 MiB", file.string());
    }
  }
  if (!in.eof()) return make_error(ErrorCode::kUnreadable, "cannot be read", file.string());
  return text;
}

std::optional<double> number_of(const Node* node) {
  if (node == nullptr || !node->is_scalar() || node->text.empty()) return std::nullopt;
  std::string_view text = node->text;
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // Too large or too small for a double: its sign and side are what is left of it.
    const bool small = text.find("e-") != text.npos || text.find("E-") != text.npos;
    const double magnitude = small ? 0 : std::numeric_limits<double>::infinity();
    return text.front() == '-' ? -magnitude : magnitude;
  }
  if (error != std::errc()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> integer_of(const Node* node) {
  if (node == nullptr || !node->is_scalar() || node->text.empty()) return std::nullopt;
  std::string_view text = node->text;
  std::int64_t value = 0;
  if (!take_number(text, value)) {
    std::uint64_t large = 0;  // some writers print ids without their sign
    if (!take_number(text, large)) return std::nullopt;
    value = static_cast<std::int64_t>(large);
  }
  if (!text.empty()) return std::nullopt;
  return value;
}

AssetRef reference_of(const Node* node) {
  AssetRef ref;
  if (node == nullptr || node->kind != Node::Kind::kMap) return ref;
  ref.file_id = integer_or(*node, "fileID", 0);
  ref.guid = text_or(*node, "guid");
  for (char& c : ref.guid) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  ref.type = static_cast<int>(std::clamp<std::int64_t>(integer_or(*node, "type", 0), 0, 9));
  return ref;
}

std::string text_or(const Node& map, std::string_view key, std::string_view otherwise) {
  const Node* node = map.find(key);
  return node != nullptr && node->is_scalar() ? node->text : std::string(otherwise);
}

const std::vector<Node>& elements(const Node& map, std::string_view key) {
  static const std::vector<Node> kNone;
  const Node* node = map.find(key);
  return node != nullptr && node->kind == Node::Kind::kList ? node->items : kNone;
}

std::vector<NodePair> pairs_of(const Node* node) {
  std::vector<NodePair> pairs;
  if (node == nullptr) return pairs;
  for (const Node& item : node->items) {
    if (node->kind == Node::Kind::kMap && item.key != "data") continue;
    if (const Node* first = item.find("first")) pairs.push_back({first, item.find("second")});
  }
  return pairs;
}

}  // namespace sinew::unity
