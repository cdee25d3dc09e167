#include <algorithm>
#include <cassert>

#include <sinew/pose/pose.hpp>

namespace sinew {

void to_pose(const Skeleton& skeleton, std::span<const Transform> local, PoseSpan out) {
  assert(static_cast<int>(local.size()) == skeleton.joint_count());
  assert(static_cast<int>(out.size()) == skeleton.group_count());
  const auto joints = skeleton.joint_of_slot();
  for (std::size_t slot = 0; slot < joints.size(); ++slot) {
    const Transform t =
        joints[slot] == kNoJoint ? Transform{} : local[static_cast<std::size_t>(joints[slot])];
    set_lane(out[slot / 4], static_cast<int>(slot % 4), t);
  }
}

void from_pose(const Skeleton& skeleton, ConstPoseSpan pose, std::span<Transform> local) {
  assert(static_cast<int>(local.size()) == skeleton.joint_count());
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    local[static_cast<std::size_t>(joint)] = get_joint(skeleton, pose, joint);
  }
}

void copy_pose(ConstPoseSpan from, PoseSpan to) {
  assert(from.size() == to.size());
  if (from.data() != to.data()) std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace sinew
