// The documents of a Unity text file. Unity's files are YAML 1.1 with habits of their own: each
// document has a tag, an anchor that is a 64-bit number, and perhaps a word behind it; the tag
// directive stands once before the first; maps of pairs repeat the key "data". So the file is cut
// at the header lines here, and each body read by libyaml's events into nodes that keep every pair.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sinew/base/finding.hpp>
#include <sinew/base/result.hpp>
#include <sinew/unity/assets.hpp>

namespace sinew::unity {

struct Node {
  enum class Kind : std::uint8_t { kScalar, kList, kMap };
  Kind kind = Kind::kScalar;
  int line = 0;             // 1 is the file's first
  std::string key{};        // in a map
  std::string text{};       // of a scalar
  std::vector<Node> items;  // of a list or map, in order; keys may repeat

  bool is_scalar() const { return kind == Kind::kScalar; }
  // The first member of that key; null if this is no map or has none.
  const Node* find(std::string_view member) const;
};

struct Document {
  int class_id = 0;
  std::int64_t file_id = 0;
  bool stripped = false;
  int line = 0;           // of its header
  Node body;              // a map; empty where the document holds nothing
  std::string root_key;   // "AnimatorState"
  std::string_view text;  // of the body, inside the text that was read
};

// What a file may hold.
inline constexpr std::size_t kLargestFile = std::size_t{64} << 20;
inline constexpr std::size_t kMostDocuments = 200000;
inline constexpr std::size_t kMostNodes = 4000000;
inline constexpr int kDeepestNode = 64;

// Reads all documents. `wanted` says which classes are parsed (the others keep an empty body).
// `skip` names keys whose values are left out. Errors, with the line: a Git LFS pointer, a binary
// file, a file that is no Unity text, YAML that breaks its rules, aliases, a limit.
Result<std::vector<Document>> parse_documents(std::string_view text, const std::string& file,
                                              bool (*wanted)(int class_id) = nullptr,
                                              std::string_view skip = {});

// Why this can be no Unity text file, or none.
std::optional<Error> not_unity_text(std::string_view text, const std::string& file);

// One YAML document without Unity's header, such as a .meta file.
Result<Node> parse_yaml(std::string_view text, const std::string& file, int first_line = 1);

// At most kLargestFile bytes.
Result<std::string> read_file(const std::filesystem::path& file);

// Values of a node. `number` understands Infinity and NaN; none: it is not there or no number.
std::optional<double> number_of(const Node* node);
std::optional<std::int64_t> integer_of(const Node* node);
AssetRef reference_of(const Node* node);

inline double number_or(const Node& map, std::string_view key, double otherwise) {
  return number_of(map.find(key)).value_or(otherwise);
}
inline bool flag_or(const Node& map, std::string_view key, bool otherwise) {
  const auto value = number_of(map.find(key));
  return value ? *value != 0 : otherwise;
}
inline std::int64_t integer_or(const Node& map, std::string_view key, std::int64_t otherwise) {
  return integer_of(map.find(key)).value_or(otherwise);
}
std::string text_or(const Node& map, std::string_view key, std::string_view otherwise = {});

// The elements of a list; none where there is no list.
const std::vector<Node>& elements(const Node& map, std::string_view key);

// A list of {first, second}, or a map whose members are all named "data", as older files have.
struct NodePair {
  const Node* first = nullptr;
  const Node* second = nullptr;
};
std::vector<NodePair> pairs_of(const Node* node);

inline std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }
inline std::string line_place(int line) { return "line " + std::to_string(line); }

}  // namespace sinew::unity
