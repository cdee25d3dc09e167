// Small changes to clips on their way from a file to a character.
#pragma once

#include <string>

#include <sinew/asset/raw_clip.hpp>

namespace sinew {

// Plays `factor` times as fast (factor > 0): times are divided, tangents multiplied.
void retime_clip(RawClip& clip, float factor);

struct RebindReport {
  int bound = 0;    // tracks that found their joint
  int missing = 0;  // tracks that did not
  std::string first_missing;
};

// The clip on another skeleton, joint by joint of the same name. Local keys are kept as they are:
// right where both skeletons rest alike; proportions and rest poses that differ need retargeting.
RawClip rebind_clip(const RawClip& clip, const Skeleton& from, const Skeleton& to,
                    RebindReport& report);

}  // namespace sinew
