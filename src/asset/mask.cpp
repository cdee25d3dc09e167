#include <cassert>

#include <sinew/asset/mask.hpp>

namespace sinew {

JointMask JointMask::uniform(const Skeleton& skeleton, float weight) {
  const std::vector<float> weights(static_cast<std::size_t>(skeleton.joint_count()), weight);
  return from_weights(skeleton, weights);
}

JointMask JointMask::from_weights(const Skeleton& skeleton, std::span<const float> weights) {
  assert(static_cast<int>(weights.size()) == skeleton.joint_count());
  JointMask mask;
  mask.by_joint_.assign(static_cast<std::size_t>(skeleton.joint_count()), 0.0f);
  mask.groups_.assign(static_cast<std::size_t>(skeleton.group_count()), Float4(0.0f));
  for (std::size_t i = 0; i < mask.by_joint_.size() && i < weights.size(); ++i) {
    mask.by_joint_[i] = clamp01(weights[i]);
    const int slot = skeleton.slot(static_cast<int>(i));
    mask.groups_[static_cast<std::size_t>(slot / 4)].set(slot % 4, mask.by_joint_[i]);
  }
  return mask;
}

JointMask JointMask::subtree(const Skeleton& skeleton, int joint, float inside, float outside) {
  std::vector<float> weights(static_cast<std::size_t>(skeleton.joint_count()), outside);
  for (int i = joint < 0 ? skeleton.joint_count() : joint; i < skeleton.joint_count(); ++i) {
    if (skeleton.is_ancestor(joint, i)) weights[static_cast<std::size_t>(i)] = inside;
  }
  return from_weights(skeleton, weights);
}

}  // namespace sinew
