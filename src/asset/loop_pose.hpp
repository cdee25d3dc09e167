// Loop pose: the jump between a looping clip's last and first pose, spread over the loop.
#pragma once

#include <span>
#include <vector>

#include <sinew/asset/raw_clip.hpp>

namespace sinew {

// pose'(t) = pose(t) - u * (pose(stop) - pose(start)), u = t / duration: translations and scales by
// components, rotations by the share u of the relative rotation (state-machine rules, 13.8).
// Components of the root that are not baked keep their drift: it is the root motion. Stepped
// channels jump on purpose and stay as they are.
class LoopPose {
 public:
  // The clip must be valid for the skeleton, which must outlive this.
  LoopPose(const RawClip& raw, const Skeleton& skeleton);

  // u in [0, 1]; local: the clip's pose at u, one transform per joint.
  void apply(float u, std::span<Transform> local) const;

 private:
  struct Jump {
    int joint;
    Vec3 translation;  // stop - start
    Vec3 rotation;     // rotation vector of start^-1 * stop
    Vec3 scale;
  };
  std::vector<Jump> jumps_;
};

}  // namespace sinew
