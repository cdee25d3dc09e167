// Parameters that curves of clips drive (rules, 2.11): blended like poses, for the next update.
#include <algorithm>

#include <sinew/math/scalar.hpp>

#include "runtime.hpp"

namespace sinew::graph_detail {
namespace {

// Of one parameter: what the motions that have the curve give, and how heavy they are.
FrozenCurve mix(const FrozenCurve& a, const FrozenCurve& b, float weight) {
  return {a.sum + (b.sum - a.sum) * weight, a.there + (b.there - a.there) * weight};
}

class CurveReader {
 public:
  CurveReader(const Context& c, std::size_t layer, std::int32_t parameter)
      : c_(c),
        layer_(layer),
        parameter_(parameter),
        additive_(c.t.layers[layer].blending == LayerBlending::kAdditive) {}

  FrozenCurve side(const LiveSide& side) const {
    FrozenCurve out;
    if (side.live.state < 0) return out;
    const StateDef& state = c_.state_def(side.live.state);
    const double motion_time =
        state.time_parameter >= 0 ? static_cast<double>(c_.number(state.time_parameter)) : 0.0;
    const double n = state_sample_time(c_, state, side.live.now.value(), motion_time);
    for (const MotionLeaf& leaf : leaves_of(c_, layer_, side.motion)) {
      const MotionInfo& info = c_.motions.motions[static_cast<std::size_t>(leaf.motion)];
      const MotionCurve* curve = find(info);
      if (curve == nullptr) continue;
      const double share = leaf_share(c_, side.motion, leaf, n);
      float value = sample(curve->keys, static_cast<float>(share * info.length), 0.0f);
      if (additive_) value -= sample(curve->keys, info.reference_time, 0.0f);
      out.sum += value * leaf.weight;
      out.there += leaf.weight;
    }
    return out;
  }

  FrozenCurve sides(const LiveSide& current, const LiveSide& next, bool frozen,
                    float weight) const {
    const FrozenCurve from = frozen ? c_.state.frozen_curve(layer_, float_index()) : side(current);
    return next.live.state < 0 ? from : mix(from, side(next), weight);
  }

  std::int32_t float_index() const {
    return c_.t.parameters[static_cast<std::size_t>(parameter_)].float_index;
  }

 private:
  const MotionCurve* find(const MotionInfo& info) const {
    for (std::uint32_t i = 0; i < info.curve_count; ++i) {
      const MotionCurve& curve = c_.motions.curves[info.first_curve + i];
      if (curve.parameter == parameter_) return &curve;
    }
    return nullptr;
  }

  const Context& c_;
  std::size_t layer_;
  std::int32_t parameter_;
  bool additive_;
};

// What is left of the value below where a layer gives its own.
float put_over(const Context& c, std::size_t layer, const FrozenCurve& own, float below) {
  if (layer == 0) return own.sum + (1 - min(own.there, 1.0f)) * below;
  const float weight = c.state.layer_weight(static_cast<int>(layer));
  if (c.t.layers[layer].blending == LayerBlending::kAdditive) return below + own.sum * weight;
  return below * (1 - weight * min(own.there, 1.0f)) + own.sum * weight;
}

void emit_curve(Context& c, std::int32_t parameter) {
  const auto index = static_cast<std::size_t>(parameter);
  float value = c.t.parameters[index].number;
  for (std::size_t layer = 0; layer < c.t.layers.size(); ++layer) {
    const LayerDef& def = c.t.layers[layer];
    const LayerState& machine = c.state.layer(def.sync >= 0 ? def.sync : static_cast<int>(layer));
    const LayerScratch& scratch = c.out.layers[layer];
    const CurveReader read(c, layer, parameter);
    if (scratch.freezes_curves) {
      // Numbers cross-fade whatever the poses do, so that they do not jump.
      const FrozenCurve was = read.sides(scratch.source.current, scratch.source.next,
                                         scratch.source_curves_frozen, scratch.source_curve_weight);
      c.state.frozen_curve(layer, read.float_index()) = was;
    }
    const FrozenCurve own = read.sides(scratch.current, scratch.next, machine.frozen_curves != 0,
                                       static_cast<float>(curve_weight(c.t, machine.transition)));
    value = put_over(c, layer, own, value);
  }
  if (is_finite(value)) c.params[index].number = value;
}

}  // namespace

void emit_curves(Context& c) {
  for (std::size_t i = 0; i < c.motions.driven.size(); ++i) {
    if (c.motions.driven[i]) emit_curve(c, static_cast<std::int32_t>(i));
  }
}

}  // namespace sinew::graph_detail
