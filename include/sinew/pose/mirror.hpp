// Reflecting motion left to right.
#pragma once

#include <sinew/asset/mirror_map.hpp>
#include <sinew/pose/pose.hpp>
#include <sinew/pose/root_motion.hpp>

namespace sinew {

// The reflected local pose. out may not be `pose`. Applied twice it gives the first pose again (to
// rounding). Cost: O(joints), four at a time but for the gathering of the partners.
void mirror_pose(const Skeleton& skeleton, const MirrorMap& map, ConstPoseSpan pose, PoseSpan out);

// The reflected move: X and the turn change their signs (rulings, 19).
RootDelta mirror(const RootDelta& delta);

}  // namespace sinew
