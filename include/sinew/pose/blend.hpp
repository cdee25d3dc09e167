// Mixing poses. All functions work in place on slots and may be given any number of groups; spans
// of one call have equal lengths.
#pragma once

#include <span>

#include <sinew/asset/mask.hpp>
#include <sinew/pose/pose.hpp>

namespace sinew {

// out = from + (to - from) * weight; rotations by nlerp along the shorter way. out may be `from`
// or `to`. weight in [0, 1] is not clamped: 0 gives `from` and 1 gives `to` bit for bit.
void blend_poses(ConstPoseSpan from, ConstPoseSpan to, float weight, PoseSpan out);

// The same with a weight per lane: weight * mask. A lane at 0 keeps `from` bit for bit.
void blend_poses(ConstPoseSpan from, ConstPoseSpan to, float weight, std::span<const Float4> mask,
                 PoseSpan out);

// The weighted sum of N poses in index order: translations and scales summed, rotations summed with
// signs fixed against the sum so far and normalized (rulings, 20). The weights are taken as they
// are and should sum to 1. N = 0 leaves out untouched; a weight of 1 on one pose copies it.
void blend_poses(std::span<const ConstPoseSpan> poses, std::span<const float> weights,
                 PoseSpan out);

// What apply_additive() adds: the difference between a pose and a reference pose.
// translation: pose - reference; rotation: reference^-1 * pose; scale: pose / reference.
void make_additive(ConstPoseSpan pose, ConstPoseSpan reference, PoseSpan difference);

// base' = base + weight * difference: translation added, rotation base * slerp(I, difference,
// weight) (state-machine rules, 10.4), scale multiplied by lerp(1, difference, weight).
// A weight of 0 leaves base untouched bit for bit. `mask` may be empty (all lanes 1).
void apply_additive(ConstPoseSpan difference, float weight, std::span<const Float4> mask,
                    PoseSpan base);

}  // namespace sinew
