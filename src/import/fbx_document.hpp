// The node tree of an FBX file, binary or ASCII. Values stay in the file's bytes until they are
// asked for: so that a file which claims much costs little.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/base/result.hpp>

namespace sinew {

struct FbxValue {
  enum class Kind : std::uint8_t { kNone, kInteger, kReal, kText, kArray };
  Kind kind = Kind::kNone;
  std::int64_t integer = 0;  // also of kReal, rounded toward zero
  double real = 0;           // also of kInteger
  std::string_view text;     // kText: without quotes; the bytes of a kArray
  char element = 0;          // kArray: f d l i b
  bool compressed = false;
  std::size_t count = 0;  // elements of a kArray
};

// Bytes of an object's name up to the mark that sets its class apart ("Cube" of "Model::Cube").
std::string fbx_object_name(std::string_view text);

class FbxDocument {
 public:
  static constexpr int kNone = -1;

  // `bytes` must outlive the document. Errors name a byte offset (binary) or line and column.
  static Result<FbxDocument> parse(std::string_view bytes);

  int version() const { return version_; }  // 7400
  bool is_binary() const { return binary_; }

  // Nodes by index; node 0 is the nameless root of all. kNone has no name and no children.
  std::string_view name(int node) const { return node < 0 ? std::string_view() : at(node).name; }
  int first_child(int node) const { return node < 0 ? kNone : at(node).first_child; }
  int next(int node) const { return at(node).next; }
  // The first child of that name, or kNone; kNone has no children.
  int child(int node, std::string_view name) const;

  // The value at a position; kNone where there is none. Cost grows with the position.
  FbxValue value(int node, std::size_t position) const;
  std::size_t value_count(int node) const { return node < 0 ? 0 : at(node).value_count; }
  double number(int node, std::size_t position, double otherwise) const;
  std::int64_t integer(int node, std::size_t position, std::int64_t otherwise) const;
  std::string_view text(int node, std::size_t position) const;
  // All values in order.
  std::vector<FbxValue> values(int node) const;

  // All numbers of a node: its array, its values, or those of its child "a". kNone gives none.
  // Errors: an array that cannot be unpacked, a value that is no finite number.
  Result<std::vector<double>> doubles(int node) const;
  Result<std::vector<std::int64_t>> integers(int node) const;

  // The same list as numbers of four bytes, each with its bits: some files keep packed integers
  // among them. Not finite counts as 0.
  struct Attribute {
    double number = 0;
    std::uint32_t bits = 0;
  };
  Result<std::vector<Attribute>> attributes(int node) const;

  // Where a node stands, for messages.
  std::string place(int node) const;

 private:
  struct Node {
    std::string_view name;
    std::string_view bytes;  // of the values
    std::size_t value_count = 0;
    int first_child = kNone, next = kNone;
  };
  class BinaryParser;
  class AsciiParser;

  const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  // Takes the next value off the front of `bytes`; kNone at the end or where it is broken.
  FbxValue take(std::string_view& bytes) const;
  template <class T>
  Result<std::vector<T>> list(int node) const;

  std::vector<Node> nodes_;
  std::string_view file_;
  int version_ = 0;
  bool binary_ = false;
};

}  // namespace sinew
