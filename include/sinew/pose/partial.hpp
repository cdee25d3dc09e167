// Poses of which a part says nothing: how much of each channel is there, and mixing by that.
#pragma once

#include <span>
#include <vector>

#include <sinew/asset/clip.hpp>
#include <sinew/pose/pose.hpp>

namespace sinew {

// How much of the three channels of a group's joints is there, each lane in [0, 1]. Padding lanes
// hold 0.
struct ChannelWeights {
  Float4 translation, rotation, scale;

  static ChannelWeights uniform(float weight) {
    return {Float4(weight), Float4(weight), Float4(weight)};
  }
};

// 1 where the clip has keys, else 0; in the slots of a pose: skeleton.group_count() of them.
std::vector<ChannelWeights> channel_weights(const Clip& clip, const Skeleton& skeleton);

// pose = base where `there` is 0, pose where it is 1, the blend between (nlerp) elsewhere.
// All spans have the same length; pose may be `base`.
void fill_pose(ConstPoseSpan base, std::span<const ChannelWeights> there, PoseSpan pose);

// out = from + (to - from) * weight * there * mask, channel by channel. Where that is 0 it is
// `from` bit for bit. `mask` may be empty (all lanes 1). out may be `from` or `to`.
void blend_partial(ConstPoseSpan from, ConstPoseSpan to, float weight,
                   std::span<const ChannelWeights> there, std::span<const Float4> mask,
                   PoseSpan out);

// A pose and how much of it is there; an empty `there` means all of it.
struct PartialPose {
  ConstPoseSpan pose;
  std::span<const ChannelWeights> there;
};

// The weighted mean over what is there: of each channel the poses count by weight * there, divided
// by the sum of these where it lies below 1 (above 1 it is taken as it is, as for whole poses).
// `there` of the result: that sum, at most 1. Channels that no pose has hold `otherwise`.
// Rotations: sign-fixed sum in index order, normalized (rulings, 20). out may be poses[0].
void blend_partial(std::span<const PartialPose> poses, std::span<const float> weights,
                   ConstPoseSpan otherwise, PoseSpan out, std::span<ChannelWeights> there);

}  // namespace sinew
