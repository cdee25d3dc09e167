// How fast an in-place clip walks: the speed at which its planted feet slide backwards.
#pragma once

#include <span>

#include <sinew/asset/clip.hpp>
#include <sinew/asset/roles.hpp>

namespace sinew {

struct TravelMeasure {
  // Metres per second in the character's frame (y = 0): what the body must move at for the planted
  // feet to stay where they are. Zero where no foot is ever planted or no foot is known.
  Vec3 velocity;
  // Share of the clip in which a foot is planted, [0, 1]. Low values make the measure doubtful.
  float planted = 0;
};

// Samples the clip 128 times. At each step the lowest sole point (feet and toes of `roles`, two
// legs or four) counts as planted if it lies within 2.5 % of the skeleton's height above the lowest
// place that any foot reaches; the measure is the mean of the planted points' velocities, turned
// round. Clips shorter than 0.1 s, and speeds below 3 % of the skeleton's height per second,
// measure zero.
TravelMeasure measure_travel(const Clip& clip, const Skeleton& skeleton, const RoleMap& roles);

}  // namespace sinew
