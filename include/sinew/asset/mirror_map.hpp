// How a pose is reflected at the character's middle plane (x = 0 of model space).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <sinew/asset/roles.hpp>
#include <sinew/asset/skeleton.hpp>

namespace sinew {

// Each joint has a partner (itself on the middle line) and two constant rotations, so that a local
// pose mirrors without model space: with m(q) = (x, -y, -z, w) and M = diag(-1, 1, 1),
//   rotation'_j    = before_j * m(rotation_partner) * after_j
//   translation'_j = before_j * (M translation_partner)
// where before_j = P_j^-1 m(P_p), after_j = m(R_p)^-1 R_j, and P, R are the model-space rest
// rotations of the parent and of the joint. Exact for any choice of local axes if the rest pose is
// symmetric.
class MirrorMap {
 public:
  // Partners by roles, then by names that differ in a side word ("Left/Right", "_l/_r", ".L/.R",
  // "-L/-R", ...), then by place in the rest pose; joints without a partner mirror onto themselves,
  // and so do pairs whose parents are no pair.
  static MirrorMap build(const Skeleton& skeleton, const RoleMap& roles);
  // With partners given, one per joint: partner[partner[j]] == j, and the parents of partners are
  // partners too; else an error that names the joint.
  static Result<MirrorMap> build(const Skeleton& skeleton, std::span<const int> partners);

  int partner(int joint) const { return partners_[static_cast<std::size_t>(joint)]; }
  std::span<const std::int16_t> partners() const { return partners_; }
  std::span<const Quat> before() const { return before_; }
  std::span<const Quat> after() const { return after_; }
  // The same by slot and by group, as mirror_pose() takes them: the slot of the partner of each
  // slot's joint (its own for padding), and the constants of the four joints of a group.
  std::span<const std::int16_t> partner_slots() const { return partner_slots_; }
  std::span<const SoaQuat> before_groups() const { return before_groups_; }
  std::span<const SoaQuat> after_groups() const { return after_groups_; }

 private:
  void fill(const Skeleton& skeleton, const std::vector<int>& partners);

  std::vector<std::int16_t> partners_, partner_slots_;
  std::vector<Quat> before_, after_;
  std::vector<SoaQuat> before_groups_, after_groups_;
};

}  // namespace sinew
