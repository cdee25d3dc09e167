// Reflecting poses left to right.
#pragma once

#include <sinew/asset/mirror_map.hpp>
#include <sinew/pose/pose.hpp>

namespace sinew {

// The reflected pose. out may not be `pose`. Applied twice it gives the first pose again (to
// rounding).
void mirror_pose(const Skeleton& skeleton, const MirrorMap& map, ConstPoseSpan pose, PoseSpan out);

}  // namespace sinew
