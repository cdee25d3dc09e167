// Weights of a list of sources (rigging rules, section 6).
#pragma once

#include <array>

#include <sinew/rig/eval.hpp>
#include <sinew/rig/math.hpp>

namespace sinew::rig {

inline constexpr float kLeastWeight = 1e-5f;

struct SourceWeights {
  std::array<float, 8> weight{};  // sum at most 1; 0: skip
  float sum = 0;                  // of the list as given; below kLeastWeight nothing is to be done
};

inline SourceWeights source_weights(const RigEval& e, const std::vector<WeightedNode>& sources) {
  SourceWeights out;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    out.weight[i] = e.value(sources[i].weight);
    out.sum += out.weight[i];
  }
  const float scale = out.sum > 1.0f ? 1.0f / out.sum : 1.0f;
  for (float& w : out.weight) {
    w *= scale;
    if (w < kLeastWeight) w = 0;
  }
  return out;
}

// The Euler angles (order Z, X, Y) of `to` on the free axes, of `from` on the others.
inline Quat mask_rotation(Quat from, Quat to, const AxisMask& axes) {
  if (axes.all()) return to;
  const Vec3 a = to_euler_zxy(from), b = to_euler_zxy(to);
  return from_euler_zxy({axes.x ? b.x : a.x, axes.y ? b.y : a.y, axes.z ? b.z : a.z});
}
inline Vec3 mask_position(Vec3 from, Vec3 to, const AxisMask& axes) {
  return {axes.x ? to.x : from.x, axes.y ? to.y : from.y, axes.z ? to.z : from.z};
}

}  // namespace sinew::rig
