// What a constraint's data is made of: references to nodes, numbers that may change at run time,
// and settings that may not. One list of fields per constraint serves binding, files, schema and
// documentation.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <sinew/math/vec.hpp>

namespace sinew::rig {

// A joint of the skeleton or a node of the rig, by name; `index` is filled in when the rig is
// compiled. "@left_hand" means the joint of that role.
struct NodeRef {
  std::string name;
  std::int16_t index = -1;  // into the compiled rig's nodes

  NodeRef() = default;
  NodeRef(const char* node_name) : name(node_name) {}
  NodeRef(std::string node_name) : name(std::move(node_name)) {}
  bool given() const { return index >= 0; }
  operator int() const { return index; }
};

// A number that hosts set, clips key and parameters drive. In the compiled rig it is the channel
// "<constraint>.<field>".
struct Value {
  float initial = 0;
  std::int16_t channel = -1;

  Value() = default;
  Value(float value) : initial(value) {}
};
// Three of them: "<constraint>.<field>.x" and so on.
struct Value3 {
  Value x, y, z;

  Value3() = default;
  Value3(Vec3 v) : x(v.x), y(v.y), z(v.z) {}
  Vec3 initial() const { return {x.initial, y.initial, z.initial}; }
};

struct WeightedNode {
  NodeRef node;
  Value weight{1};

  WeightedNode() = default;
  WeightedNode(NodeRef of, float initial_weight = 1)
      : node(std::move(of)), weight(initial_weight) {}
};

// One of the six directions along the axes.
enum class Axis : std::uint8_t { kX, kY, kZ, kNegativeX, kNegativeY, kNegativeZ };
constexpr Vec3 direction(Axis axis) {
  switch (axis) {
    case Axis::kX:
      return {1, 0, 0};
    case Axis::kY:
      return {0, 1, 0};
    case Axis::kZ:
      return {0, 0, 1};
    case Axis::kNegativeX:
      return {-1, 0, 0};
    case Axis::kNegativeY:
      return {0, -1, 0};
    case Axis::kNegativeZ:
      return {0, 0, -1};
  }
  return {0, 0, 1};
}

// Which axes a constraint may change.
struct AxisMask {
  bool x = true, y = true, z = true;
  bool all() const { return x && y && z; }
  bool none() const { return !x && !y && !z; }
  constexpr Vec3 as_vector() const { return {x ? 1.0f : 0.0f, y ? 1.0f : 0.0f, z ? 1.0f : 0.0f}; }
};

enum class NodeUse : std::uint8_t {
  kDriven,        // the constraint changes it; must be given
  kRead,          // the constraint reads it; must be given
  kReadOptional,  // may be absent
};

// Walks the fields of a constraint. The readers and writers of files, the compiler of rigs and the
// schema are visitors; a constraint's `fields` function names each field once. Names are
// lower_case and must be literals. Ranges are inclusive; values outside are faults in files and
// clamped at run time.
class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;

  virtual void node(const char* name, NodeRef& ref, NodeUse use) = 0;
  // At least `least` and at most `most` of them.
  virtual void nodes(const char* name, std::vector<NodeRef>& refs, NodeUse use, int least,
                     int most) = 0;
  // Nodes with a weight each; at least one, at most 8.
  virtual void sources(const char* name, std::vector<WeightedNode>& list, NodeUse use,
                       float min_weight, float max_weight) = 0;

  // Numbers that may change at run time.
  virtual void value(const char* name, Value& v, float min, float max) = 0;
  virtual void vector(const char* name, Value3& v, float min, float max) = 0;

  // Settings: fixed when the rig is compiled.
  virtual void flag(const char* name, bool& v) = 0;
  virtual void number(const char* name, float& v, float min, float max) = 0;
  virtual void integer(const char* name, int& v, int min, int max) = 0;
  virtual void constant(const char* name, Vec3& v) = 0;
  virtual void axis(const char* name, Axis& v) = 0;
  virtual void axes(const char* name, AxisMask& v) = 0;
  // One of `count` words; v is the index.
  virtual void choice(const char* name, int& v, const char* const* words, int count) = 0;

  // A list of structs with a `fields` function of their own.
  template <class T>
  void list(const char* name, std::vector<T>& items, int most) {
    const int count = begin_list(name, static_cast<int>(items.size()), most);
    items.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      begin_item(i);
      items[static_cast<std::size_t>(i)].fields(*this);
      end_item();
    }
    end_list();
  }
  // The same for an enumeration.
  template <class Enum>
  void choice_of(const char* name, Enum& v, const char* const* words, int count) {
    int index = static_cast<int>(v);
    choice(name, index, words, count);
    v = static_cast<Enum>(index);
  }

 protected:
  // The number of items that the list is to have: `count` where nothing is read.
  virtual int begin_list(const char* name, int count, int most) = 0;
  virtual void begin_item(int index) = 0;
  virtual void end_item() = 0;
  virtual void end_list() = 0;
};

inline constexpr float kUnbounded = 1e9f;

}  // namespace sinew::rig
