// What a constraint sees while it runs: the pose as the constraints before it left it, in local and
// model space, its weight, its values and its own state.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
  std::int16_t slot = -1;      // of a joint, in the pose
  std::int16_t rig_node = -1;  // of a node of the rig
  bool world = false;          // a rig node without a parent that lives in the world
};

// Working memory of one evaluation.
struct NodeWork {
  Transform local;
  Transform model;
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
  std::vector<float> values_;
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
  const Transform& local(int node) {
    if (!(flags_[node] & kLoaded)) load(node);
    return work_[node].local;
  }
  const Transform& model(int node) {
    if (!(flags_[node] & kModel)) compute_model(node);
    return work_[node].model;
  }
  Vec3 position(int node) { return model(node).translation; }
  Quat rotation(int node) { return model(node).rotation; }
  // Of the parent; the identity for a node without one.
  const Transform& parent_model(int node) {
    const int p = info_[node].parent;
    return p >= 0 ? model(p) : identity_;
  }

  void set_local_rotation(int node, Quat q) {
    local(node);
    if (!accept(q)) return;
    work_[node].local.rotation = q;
    touch(node, kRotation);
  }
  void set_local_position(int node, Vec3 p) {
    local(node);
    if (!accept(p)) return;
    work_[node].local.translation = p;
    touch(node, kPosition);
  }
  void set_local_scale(int node, Vec3 s) {
    local(node);
    if (!accept(s)) return;
    work_[node].local.scale = s;
    touch(node, kScale);
  }
  // Turns the node so that its model-space rotation is q; its position stays.
  void set_rotation(int node, Quat q) {
    set_local_rotation(node, normalize(conjugate(parent_model(node).rotation) * q));
  }
  // Moves the node to p in model space; its local rotation stays.
  void set_position(int node, Vec3 p);
  void set_model(int node, Vec3 p, Quat q) {
    set_position(node, p);
    set_rotation(node, q);
  }

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
  };

  bool accept(Vec3 v) {
    const bool good = is_finite(v.x + v.y + v.z);
    if (!good) fault_ = true;
    return good;
  }
  bool accept(Quat q) {
    const bool good = is_finite(q.x + q.y + q.z + q.w);
    if (!good) fault_ = true;
    return good;
  }
  void touch(int node, Flag what) {
    flags_[node] = static_cast<std::uint8_t>((flags_[node] | what) & ~kModel);
    for (int i = node + 1; i < info_[node].end; ++i) {
      flags_[i] = static_cast<std::uint8_t>(flags_[i] & ~kModel);
    }
  }
  void load(int node);
  void compute_model(int node);

  const NodeInfo* info_ = nullptr;
  NodeWork* work_ = nullptr;
  std::uint8_t* flags_ = nullptr;
  const float* values_ = nullptr;
  const Transform* rig_nodes_ = nullptr;
  const SoaTransform* pose_ = nullptr;
  std::byte* state_ = nullptr;
  std::size_t state_bytes_ = 0;
  Transform root_;
  Transform identity_;
  float root_inverse_scale_ = 1;
  float weight_ = 0, dt_ = 0;
  bool compat_ = false, fault_ = false;
};

}  // namespace rig
}  // namespace sinew
