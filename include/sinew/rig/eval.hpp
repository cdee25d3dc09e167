// What a constraint sees while it runs: the pose as the constraints before it left it, in local and
// model space, its weight, its values and its own state.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <sinew/math/wide.hpp>
#include <sinew/pose/pose.hpp>
#include <sinew/rig/fields.hpp>
#include <sinew/rig/status.hpp>

namespace sinew {

class RigDef;
class RigEvaluator;

namespace rig {

// One node of a compiled rig: a joint, or a node of the rig's own. Nodes are numbered depth first,
// so that everything below node n is the range (n, end).
struct NodeInfo {
  std::int16_t parent = -1;
  std::int16_t end = 0;
  std::int32_t lane = -1;      // of a joint, in the pose: the float where its x lies
  std::int16_t rig_node = -1;  // of a node of the rig
  bool world = false;          // a rig node without a parent that lives in the world
};

// Working memory of one evaluation: translation, rotation and scale of a node.
struct NodeWork {
  Float4 local[3];
  Float4 model[3];
};

}  // namespace rig

// Working memory of evaluate_rig(), one per thread; it may serve any number of definitions.
class RigScratch {
 public:
  RigScratch() = default;
  explicit RigScratch(const RigDef& def) { reserve(def); }
  // Makes room for `def`; allocates only where it needs more than any definition before.
  void reserve(const RigDef& def);

 private:
  friend class RigEvaluator;
  std::vector<rig::NodeWork> nodes_;
  std::vector<std::uint8_t> flags_;
  std::vector<std::int16_t> changed_;
};

namespace rig {

// All positions and rotations named "model" are relative to the character's root, in metres: exact
// even where the character stands far from the world's origin. Setters take only finite values:
// others leave the node as it is and make the constraint's status kDegenerate.
class RigEval {
 public:
  // Weight of this constraint: its own x its layer's, 0 for a layer that is off. In [0, 1].
  float weight() const { return weight_; }
  // Seconds since the last evaluation, finite, >= 0.
  float dt() const { return dt_; }
  // True where the constraint is to behave as the well-known package does, faults included.
  bool compat() const { return compat_; }
  float value(const Value& v) const { return values_[v.channel]; }
  Vec3 value(const Value3& v) const { return {value(v.x), value(v.y), value(v.z)}; }

  const Transform& root_to_world() const { return root_; }
  // A direction of the world in model space.
  Vec3 direction_to_model(Vec3 world) const { return rotate(conjugate(root_.rotation), world); }
  // A rigid transform from model space to the world and back.
  Transform to_world(const Transform& model) const {
    return {transform_point(root_, model.translation), root_.rotation * model.rotation, {1, 1, 1}};
  }
  Transform to_model(const Transform& world) const {
    return {
        point_to_model(world.translation), conjugate(root_.rotation) * world.rotation, {1, 1, 1}};
  }
  Vec3 point_to_model(Vec3 world) const {
    return rotate(conjugate(root_.rotation), world - root_.translation) * root_inverse_scale_;
  }

  int parent(int node) const { return info_[node].parent; }
  Transform local(int node) {
    need_local(node);
    return to_transform(work_[node].local);
  }
  Transform model(int node) {
    need_model(node);
    return to_transform(work_[node].model);
  }
  Vec3 position(int node) { return to_vec3(wide_position(node)); }
  Quat rotation(int node) { return to_quat(wide_rotation(node)); }
  // Of the parent; the identity for a node without one.
  Transform parent_model(int node) {
    const int p = info_[node].parent;
    return p >= 0 ? model(p) : Transform{};
  }

  void set_local_rotation(int node, Quat q) { set_local_wide(node, 1, to_wide(q), kRotation); }
  void set_local_position(int node, Vec3 p) { set_local_wide(node, 0, to_wide(p), kPosition); }
  void set_local_scale(int node, Vec3 s) { set_local_wide(node, 2, to_wide(s), kScale); }
  // Turns the node so that its model-space rotation is q; its position stays.
  void set_rotation(int node, Quat q) {
    const Float4 wide = to_wide(q);
    if (accept(wide)) set_wide_rotation(node, quat_normalize(wide));
  }
  // Moves the node to p in model space; its local rotation stays.
  void set_position(int node, Vec3 p);
  void set_model(int node, Vec3 p, Quat q) {
    set_position(node, p);
    set_rotation(node, q);
  }

  // The same as Float4, without conversions: positions and scales are (x, y, z, 0).
  Float4 wide_position(int node) {
    need_model(node);
    return work_[node].model[0];
  }
  Float4 wide_rotation(int node) {
    if (!(flags_[node] & (kModel | kTurned))) compute_model(node);
    return work_[node].model[1];
  }
  Float4 wide_scale(int node) {
    need_model(node);
    return work_[node].model[2];
  }
  Float4 wide_local_rotation(int node) {
    need_local(node);
    return work_[node].local[1];
  }
  // q: in model space, of unit length (as products of unit quaternions are).
  void set_wide_rotation(int node, Float4 q) {
    if (!accept(q)) return;
    need_local(node);
    const int p = info_[node].parent;
    NodeWork& work = work_[node];
    work.local[1] = p >= 0 ? quat_renormalize(quat_product(negate_xyz(wide_rotation(p)), q)) : q;
    // What was computed for this node itself stays true.
    work.model[1] = q;
    touch(node, kRotation | kTurned);
  }
  void set_wide_local_rotation(int node, Float4 q) { set_local_wide(node, 1, q, kRotation); }

  // The constraint's own state, zero bytes at first and after a reset.
  template <class State>
  State& state() {
    assert(state_bytes_ >= sizeof(State));
    return *reinterpret_cast<State*>(state_);
  }
  template <class State>
  std::span<State> states() {
    return {reinterpret_cast<State*>(state_), state_bytes_ / sizeof(State)};
  }

 private:
  friend class sinew::RigEvaluator;

  enum Flag : std::uint8_t {
    kLoaded = 1,
    kModel = 2,
    kRotation = 4,
    kPosition = 8,
    kScale = 16,
    kDirty = kRotation | kPosition | kScale,
    kTurned = 32,  // the model-space rotation is known, whatever the rest
  };

  static Transform to_transform(const Float4* t) {
    return {to_vec3(t[0]), to_quat(t[1]), to_vec3(t[2])};
  }
  void need_local(int node) {
    if (!(flags_[node] & kLoaded)) {
      load(node);
      flags_[node] = static_cast<std::uint8_t>(flags_[node] | kLoaded);
    }
  }
  void need_model(int node) {
    if (!(flags_[node] & kModel)) compute_model(node);
  }
  bool accept(Float4 v) {
    const bool good = all_finite(v);
    if (!good) fault_ = true;
    return good;
  }
  void set_local_wide(int node, int part, Float4 v, Flag what) {
    need_local(node);
    if (!accept(v)) return;
    work_[node].local[part] = v;
    flags_[node] = static_cast<std::uint8_t>(flags_[node] & ~(kModel | kTurned));
    touch(node, what);
  }
  // Notes a change of the node; what lies below it has to be computed again.
  void touch(int node, int what) {
    std::uint8_t* const flags = flags_;
    const int before = flags[node], end = info_[node].end;
    if (!(before & kDirty)) changed_[changed_count_++] = static_cast<std::int16_t>(node);
    flags[node] = static_cast<std::uint8_t>(before | what);
    for (int i = node + 1; i < end; ++i) {
      flags[i] = static_cast<std::uint8_t>(flags[i] & ~(kModel | kTurned));
    }
  }
  void load(int node);
  void load_rig_node(int node);
  void compute_model(int node);
  // The model transforms of nodes that come after their parents.
  void prepare(std::span<const std::int16_t> nodes);

  const NodeInfo* info_ = nullptr;
  NodeWork* work_ = nullptr;
  std::uint8_t* flags_ = nullptr;
  std::int16_t* changed_ = nullptr;
  int changed_count_ = 0;
  const float* values_ = nullptr;
  const Transform* rig_nodes_ = nullptr;
  const float* pose_ = nullptr;
  std::byte* state_ = nullptr;
  std::size_t state_bytes_ = 0;
  Transform root_;
  Float4 wide_root_position_, wide_root_rotation_;
  float root_inverse_scale_ = 1;
  float weight_ = 0, dt_ = 0;
  bool compat_ = false, fault_ = false;
};

}  // namespace rig
}  // namespace sinew
