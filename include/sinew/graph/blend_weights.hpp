// Weights of blend trees: pure functions of the parameters. State-machine rules, section 9.
// None allocates; all weights are finite and not negative; NaN parameters count as 0.
#pragma once

#include <span>

#include <sinew/math/vec.hpp>

namespace sinew {

// Below this a child is neither sampled nor fires events (rules, 9.11).
inline constexpr float kMinBlendWeight = 1e-5f;
// A motion, child or tree shorter than this many seconds counts as 1 s long (rulings, 9).
inline constexpr double kMinLength = 1e-4;
constexpr double effective_length(double seconds) { return seconds < kMinLength ? 1.0 : seconds; }

// A child of a two-dimensional tree, with what its position implies worked out once.
struct BlendPoint {
  Vec2 position;
  double length = 0;  // of position
  float angle = 0;    // of position, radians from +x; 0 at the origin
};
BlendPoint make_blend_point(Vec2 position);

// Thresholds ascending, weights.size() == thresholds.size(). Two neighbours share x linearly;
// beyond the ends the end child plays. Of equal thresholds the last one wins at that value (9.1).
// Weights sum to 1. Cost O(children).
void weights_1d(std::span<const float> thresholds, float x, std::span<float> weights);

// 9.3: the two children on either side of q's direction, and the centre. `unity`: the centre alone
// plays where one side has no child.
void weights_simple_directional(std::span<const BlendPoint> points, Vec2 q, bool unity,
                                std::span<float> weights);

// Gradient bands (Johansen, "Automated Semi-Procedural Animation for Character Locomotion", 2009,
// 6.3 and 6.3.1). Weights sum to 1. Cost O(children^2).
void weights_freeform_cartesian(std::span<const BlendPoint> points, Vec2 q,
                                std::span<float> weights);
void weights_freeform_directional(std::span<const BlendPoint> points, Vec2 q,
                                  std::span<float> weights);

// 9.7: in place; negative and NaN become 0; `normalize` divides by the sum where that is above 0.
void weights_direct(bool normalize, std::span<float> weights);

// 9.8 with ruling 9: the sum of weight x child length, itself at least kMinLength or else 1 s.
// `child_lengths`: seconds, already divided by |time scale|.
double tree_length(std::span<const float> weights, std::span<const double> child_lengths);

}  // namespace sinew
