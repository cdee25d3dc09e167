// The immutable tree of joints that clips, poses and skins refer to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sinew/asset/roles.hpp>
#include <sinew/base/result.hpp>
#include <sinew/math/simd.hpp>

namespace sinew {

inline constexpr int kMaxJoints = 8192;

struct JointDef {
  std::string name;       // may be empty or occur twice: identity is the index
  int parent = kNoJoint;  // index into the same list, any order; kNoJoint for a root
  Transform rest;         // local: parent <- joint, metres
};

// Joints are indexed parent before child (siblings keep their given order). Poses hold them in
// groups of four lanes; `slot` says which lane belongs to a joint. Slots are assigned so that no
// group holds a joint together with its parent, which lets local-to-model work on four joints at
// once; lanes that are left over hold identity transforms and belong to no joint.
class Skeleton {
 public:
  Skeleton() = default;

  // Sorts the joints parent before child. Errors: more than kMaxJoints, a parent index out of
  // range, a cycle, a rest transform that is not finite. Rest rotations are normalized.
  // An empty list is a valid skeleton without joints.
  static Result<Skeleton> build(std::span<const JointDef> joints);
  // The joints as another skeleton holds them (a saved one, or one of another process): kept bit by
  // bit, so that it has the same hash. Errors: those of build(); a joint before its parent; a
  // rotation that is off unit length by more than 1e-5.
  static Result<Skeleton> rebuild(std::span<const JointDef> joints);

  int joint_count() const { return static_cast<int>(parents_.size()); }
  // Number of groups of four lanes in a pose of this skeleton.
  int group_count() const { return group_count_; }
  int slot_count() const { return group_count_ * 4; }

  int parent(int joint) const { return parents_[static_cast<std::size_t>(joint)]; }
  std::span<const std::int16_t> parents() const { return parents_; }
  const std::string& name(int joint) const { return names_[static_cast<std::size_t>(joint)]; }
  const Transform& rest(int joint) const { return rest_[static_cast<std::size_t>(joint)]; }
  // Local rest pose by joint, and as groups by slot.
  std::span<const Transform> rest_pose() const { return rest_; }
  std::span<const SoaTransform> rest_groups() const { return rest_groups_; }
  // Model-space rest pose by joint.
  std::span<const Mat3x4> rest_model() const { return rest_model_; }

  int slot(int joint) const { return slots_[static_cast<std::size_t>(joint)]; }
  std::span<const std::int16_t> slots() const { return slots_; }
  // Joint of each slot, kNoJoint for padding; slot_count() entries.
  std::span<const std::int16_t> joint_of_slot() const { return joint_of_slot_; }

  // The index after sorting of joint i of the list given to build().
  int index_of_source(int i) const { return from_source_[static_cast<std::size_t>(i)]; }

  // The first joint of that exact name. For loading and tools, not for updates.
  std::optional<int> find(std::string_view name) const;
  // The same, or an error that names the nearest joint.
  Result<int> require(std::string_view name) const;
  // True if `ancestor` is `joint` or lies above it.
  bool is_ancestor(int ancestor, int joint) const;
  // True if any rest transform has a scale other than 1 (by more than 1e-6).
  bool has_rest_scale() const { return has_rest_scale_; }
  // Extent of the rest pose along Y, metres (largest axis where Y is flat): the length that
  // tolerances are given in.
  float height() const { return height_; }
  // Hash of names, parents and rest pose: what clips and recordings are checked against.
  std::uint64_t hash() const { return hash_; }

 private:
  static Result<Skeleton> assemble(std::span<const JointDef> joints, bool as_they_are);
  void assign_slots();
  void finish();

  std::vector<std::int16_t> parents_, slots_, joint_of_slot_;
  std::vector<int> from_source_;
  std::vector<std::string> names_;
  std::vector<Transform> rest_;
  std::vector<SoaTransform> rest_groups_;
  std::vector<Mat3x4> rest_model_;
  std::unordered_map<std::string, int> by_name_;
  int group_count_ = 0;
  float height_ = 0;
  bool has_rest_scale_ = false;
  std::uint64_t hash_ = 0;
};

}  // namespace sinew
