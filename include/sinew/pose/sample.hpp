// Reading clips.
#pragma once

#include <sinew/asset/clip.hpp>
#include <sinew/pose/pose.hpp>

namespace sinew {

// The local pose of `clip` at `time` seconds, clamped to [0, duration] (NaN: 0). Between samples
// lerp, along the arc (slerp to 1e-5 rad), lerp. out: skeleton.group_count() groups. The clip must
// be of this skeleton. Cost: O(joints), the same at any time.
void sample_clip(const Clip& clip, const Skeleton& skeleton, float time, PoseSpan out);

// One joint alone, e.g. of the root.
Transform sample_joint(const Clip& clip, const Skeleton& skeleton, int joint, float time);

}  // namespace sinew
