// A ragdoll bound to a skeleton: immutable, shared by all characters of one kind.
#pragma once

#include <span>
#include <vector>

#include <sinew/asset/skeleton.hpp>
#include <sinew/physics/body.hpp>
#include <sinew/ragdoll/ragdoll_source.hpp>

namespace sinew {

// World metres, character's scale included. The body's frame has its origin in the mass centre and
// the axes of its shape.
struct RagdollBody {
  int joint = kNoJoint;  // of the skeleton
  int parent = -1;       // index of a body, below the own; -1 for the root
  Vec3 position;         // joint <- body, in the joint's axes
  Quat rotation;
  Shape shape;  // at the body's origin
  float mass = 0;
  Vec3 inertia;                      // about the body's axes
  Vec3 parent_anchor, child_anchor;  // in the bodies' frames
  Quat parent_frame, child_frame;    // body <- joint frame
  Vec3 low, high;
  float friction = 0;
  float strength = 0;        // N m
  std::uint64_t ignore = 0;  // bit i: does not meet body i
};

class RagdollDef {
 public:
  RagdollDef() = default;

  // `scale`: the character's. Errors, each with the body's joint as its place: a joint that is not
  // there (the nearest name is given) or is used twice, a parent that is not above it or makes a
  // circle, more than one root, no bodies or more than kMaxRagdollBodies, sizes or masses that are
  // zero, negative, not finite or too large, axes without direction or parallel, limits out of
  // order or range.
  static Result<RagdollDef> build(const RagdollSource& source, const Skeleton& skeleton,
                                  float scale = 1);

  bool empty() const { return bodies_.empty(); }
  int body_count() const { return static_cast<int>(bodies_.size()); }
  // Parents before children.
  std::span<const RagdollBody> bodies() const { return bodies_; }
  const RagdollBody& body(int i) const { return bodies_[static_cast<std::size_t>(i)]; }
  // The body that moves with a joint: its own or the nearest one above; -1 above the root body.
  int body_of_joint(int joint) const { return body_of_joint_[static_cast<std::size_t>(joint)]; }
  float total_mass() const { return total_mass_; }
  // Bit i: body `body` or one below it.
  std::uint64_t subtree(int body) const { return subtrees_[static_cast<std::size_t>(body)]; }
  // All bodies.
  std::uint64_t all() const {
    return bodies_.size() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bodies_.size()) - 1;
  }
  std::uint64_t hash() const { return hash_; }

 private:
  std::vector<RagdollBody> bodies_;
  std::vector<int> body_of_joint_;
  std::vector<std::uint64_t> subtrees_;
  float total_mass_ = 0;
  std::uint64_t hash_ = 0;
};

}  // namespace sinew
