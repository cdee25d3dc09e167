// Local poses: groups of four joints side by side, in the skeleton's slots.
#pragma once

#include <span>
#include <vector>

#include <sinew/asset/skeleton.hpp>

namespace sinew {

// Views: skeleton.group_count() groups. Padding lanes hold identity transforms.
using PoseSpan = std::span<SoaTransform>;
using ConstPoseSpan = std::span<const SoaTransform>;

// Owning buffer; allocates when made, never after.
class Pose {
 public:
  Pose() = default;
  explicit Pose(const Skeleton& skeleton)
      : groups_(skeleton.rest_groups().begin(), skeleton.rest_groups().end()) {}
  operator PoseSpan() { return groups_; }
  operator ConstPoseSpan() const { return groups_; }
  PoseSpan span() { return groups_; }
  ConstPoseSpan span() const { return groups_; }

 private:
  std::vector<SoaTransform> groups_;
};

// One joint out of, or into, a pose.
inline Transform get_joint(const Skeleton& skeleton, ConstPoseSpan pose, int joint) {
  const int slot = skeleton.slot(joint);
  return get_lane(pose[static_cast<std::size_t>(slot / 4)], slot % 4);
}
inline void set_joint(const Skeleton& skeleton, PoseSpan pose, int joint, const Transform& local) {
  const int slot = skeleton.slot(joint);
  set_lane(pose[static_cast<std::size_t>(slot / 4)], slot % 4, local);
}
inline Quat get_rotation(const Skeleton& skeleton, ConstPoseSpan pose, int joint) {
  const int slot = skeleton.slot(joint), lane = slot % 4;
  const SoaQuat& r = pose[static_cast<std::size_t>(slot / 4)].rotation;
  return {r.x[lane], r.y[lane], r.z[lane], r.w[lane]};
}
inline void set_rotation(const Skeleton& skeleton, PoseSpan pose, int joint, Quat q) {
  const int slot = skeleton.slot(joint), lane = slot % 4;
  SoaQuat& r = pose[static_cast<std::size_t>(slot / 4)].rotation;
  r.x.set(lane, q.x);
  r.y.set(lane, q.y);
  r.z.set(lane, q.z);
  r.w.set(lane, q.w);
}

// Between joint order and slot order. `local`: joint_count() transforms.
void to_pose(const Skeleton& skeleton, std::span<const Transform> local, PoseSpan out);
void from_pose(const Skeleton& skeleton, ConstPoseSpan pose, std::span<Transform> local);

void copy_pose(ConstPoseSpan from, PoseSpan to);

}  // namespace sinew
