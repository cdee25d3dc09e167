// A weight per joint: which part of a body a layer or a blend touches.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <sinew/asset/skeleton.hpp>

namespace sinew {

class JointMask {
 public:
  JointMask() = default;
  // All joints at `weight`, in [0, 1].
  static JointMask uniform(const Skeleton& skeleton, float weight);
  // One weight per joint, clamped to [0, 1]; NaN counts as 0.
  static JointMask from_weights(const Skeleton& skeleton, std::span<const float> weights);
  // `inside` from `joint` down, `outside` elsewhere.
  static JointMask subtree(const Skeleton& skeleton, int joint, float inside = 1,
                           float outside = 0);

  float weight(int joint) const { return by_joint_[static_cast<std::size_t>(joint)]; }
  // The weights in the lanes of a pose; padding lanes hold 0.
  std::span<const Float4> groups() const { return groups_; }
  bool empty() const { return by_joint_.empty(); }

  std::string name;

 private:
  std::vector<float> by_joint_;
  std::vector<Float4> groups_;
};

}  // namespace sinew
