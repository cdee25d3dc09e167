// How a constraint is made: a plain struct, and a table of functions made from it. A program
// registers its own in the same way as the built-in ones are listed (constraint_list.cpp).
//
//   struct KeepAbove {
//     static constexpr const char* kName = "keep_above";       // as in files
//     static constexpr const char* kSummary = "...";           // one line, for the schema
//     NodeRef driven;
//     Value height{0};
//     void fields(FieldVisitor& v) {                           // names each field once
//       v.node("driven", driven, NodeUse::kDriven);
//       v.value("height", height, -100, 100);
//     }
//     void bind(BindContext& b);                               // optional: offsets, checks
//     RigStatus evaluate(RigEval& e) const;                    // each update
//     void draw(RigEval& e, DebugDraw& draw) const;            // optional
//     struct State { float x; };                               // optional: plain bytes that stay
//     int state_count() const;                                 // optional: more than one of them
//     static constexpr bool kRunsIdle = true;                  // optional: called at weight 0 too
//   };
//   registry.add<KeepAbove>();
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <sinew/base/finding.hpp>
#include <sinew/rig/debug_draw.hpp>
#include <sinew/rig/eval.hpp>

namespace sinew::rig {

// What a constraint may ask and tell while a rig is compiled. The pose is the bind pose: offsets
// that are to be kept at run time are taken from it.
class BindContext {
 public:
  virtual ~BindContext() = default;
  virtual const Transform& local(int node) const = 0;
  virtual const Transform& model(int node) const = 0;
  // -1 where there is none.
  virtual int parent(int node) const = 0;
  virtual const std::string& name(int node) const = 0;
  // A fault of this constraint; an error makes it invalid.
  virtual void report(Severity severity, std::string code, std::string message,
                      std::string hint = {}) = 0;

  // Rotation of the parent, the identity without one.
  Quat parent_rotation(int node) const {
    const int p = parent(node);
    return p >= 0 ? model(p).rotation : Quat{};
  }
  // True if `ancestor` lies above `node` (not for the node itself).
  bool is_above(int ancestor, int node) const;
  // The nodes from `root` down to `tip`, both included, as references; reports an error and gives
  // an empty list where tip is not below root or there are fewer than `least` or more than `most`.
  std::vector<NodeRef> path(const NodeRef& root, const NodeRef& tip, int least, int most);
  // Reports an error unless `lower` lies below `upper`.
  bool require_below(const NodeRef& upper, const NodeRef& lower);
};

// The functions of one kind of constraint. One indirect call per constraint and update, none per
// bone.
struct ConstraintType {
  const char* name = nullptr;
  const char* summary = nullptr;
  void* (*create)() = nullptr;
  void* (*clone)(const void*) = nullptr;
  void (*destroy)(void*) = nullptr;
  void (*fields)(void*, FieldVisitor&) = nullptr;
  void (*bind)(void*, BindContext&) = nullptr;
  std::size_t (*state_bytes)(const void*) = nullptr;
  RigStatus (*evaluate)(const void*, RigEval&) = nullptr;
  void (*draw)(const void*, RigEval&, DebugDraw&) = nullptr;
  bool runs_idle = false;
};

// The table of struct C; the same object at every call.
template <class C>
const ConstraintType& constraint_type() {
  static const ConstraintType type = [] {
    ConstraintType t;
    t.name = C::kName;
    t.summary = C::kSummary;
    t.create = []() -> void* { return new C(); };
    t.clone = [](const void* c) -> void* { return new C(*static_cast<const C*>(c)); };
    t.destroy = [](void* c) { delete static_cast<C*>(c); };
    t.fields = [](void* c, FieldVisitor& v) { static_cast<C*>(c)->fields(v); };
    t.bind = [](void* c, BindContext& b) {
      if constexpr (requires(C& x) { x.bind(b); }) static_cast<C*>(c)->bind(b);
    };
    t.state_bytes = [](const void* c) -> std::size_t {
      if constexpr (requires { typename C::State; }) {
        static_assert(std::is_trivially_copyable_v<typename C::State>);
        static_assert(alignof(typename C::State) <= 8);
        int count = 1;
        if constexpr (requires(const C& x) { x.state_count(); }) {
          count = static_cast<const C*>(c)->state_count();
        }
        return sizeof(typename C::State) * static_cast<std::size_t>(count);
      } else {
        return 0;
      }
    };
    t.evaluate = [](const void* c, RigEval& e) { return static_cast<const C*>(c)->evaluate(e); };
    if constexpr (requires(const C& x, RigEval& e, DebugDraw& d) { x.draw(e, d); }) {
      t.draw = [](const void* c, RigEval& e, DebugDraw& d) {
        static_cast<const C*>(c)->draw(e, d);
      };
    }
    if constexpr (requires { C::kRunsIdle; }) t.runs_idle = C::kRunsIdle;
    return t;
  }();
  return type;
}

// One constraint's data with its type: owning, copyable.
class ConstraintBox {
 public:
  ConstraintBox() = default;
  explicit ConstraintBox(const ConstraintType& type) : type_(&type), data_(type.create()) {}
  template <class C>
    requires requires { C::kName; }
  ConstraintBox(const C& c) : type_(&constraint_type<C>()), data_(type_->clone(&c)) {}
  ConstraintBox(const ConstraintBox& other) { *this = other; }
  ConstraintBox(ConstraintBox&& other) noexcept { swap(other); }
  ConstraintBox& operator=(const ConstraintBox& other) {
    if (this == &other) return *this;
    ConstraintBox copy;
    copy.type_ = other.type_;
    copy.data_ = other.data_ ? other.type_->clone(other.data_) : nullptr;
    swap(copy);
    return *this;
  }
  ConstraintBox& operator=(ConstraintBox&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ConstraintBox() {
    if (data_) type_->destroy(data_);
  }

  const ConstraintType* type() const { return type_; }
  void* data() { return data_; }
  const void* data() const { return data_; }
  // The struct inside, or null if it is of another type.
  template <class C>
  C* get() {
    return type_ == &constraint_type<C>() ? static_cast<C*>(data_) : nullptr;
  }
  template <class C>
  const C* get() const {
    return type_ == &constraint_type<C>() ? static_cast<const C*>(data_) : nullptr;
  }

 private:
  void swap(ConstraintBox& other) {
    std::swap(type_, other.type_);
    std::swap(data_, other.data_);
  }
  const ConstraintType* type_ = nullptr;
  void* data_ = nullptr;
};

// The kinds of constraints that files may name.
class ConstraintRegistry {
 public:
  // The built-in ones.
  ConstraintRegistry();
  // A type of the same name replaces the one before.
  void add(const ConstraintType& type);
  template <class C>
  void add() {
    add(constraint_type<C>());
  }
  // Null if there is none of that name.
  const ConstraintType* find(std::string_view name) const;
  std::span<const ConstraintType* const> types() const { return types_; }

 private:
  std::vector<const ConstraintType*> types_;
};

// Sinew's own, in the order of constraint_list.cpp.
std::span<const ConstraintType* const> built_in_constraints();

}  // namespace sinew::rig
