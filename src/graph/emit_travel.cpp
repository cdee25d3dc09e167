// Root motion of one layer: which clip moved from where to where (rules, 13.6; rulings, 6).
#include <cassert>

#include "runtime.hpp"

namespace sinew::graph_detail {
namespace {

void emit_side(Context& c, std::size_t layer, const LiveSide& side, float weight) {
  if (side.live.state < 0 || !side.live.moved || weight < kMinBlendWeight) return;
  const StateDef& state = c.state_def(side.live.state);
  double n0 = 0, n1 = 0;
  sample_window(c, state, side.live, n0, n1);
  const bool mirror = state_mirror(c, state);
  for (const MotionLeaf& leaf : leaves_of(c, layer, side.motion)) {
    const MotionInfo& info = c.motions.motions[static_cast<std::size_t>(leaf.motion)];
    if (info.clip < 0 || leaf.weight * weight < kMinBlendWeight) continue;
    assert(c.out.root_motion_count < c.out.root_motions.size());
    RootMotionPart& part = c.out.root_motions[c.out.root_motion_count++];
    part.clip = info.clip;
    part.n0 = leaf_time(c, side.motion, leaf, n0);
    part.n1 = leaf_time(c, side.motion, leaf, n1);
    part.weight = leaf.weight * weight;
    part.layer = static_cast<std::int16_t>(layer);
    part.loop = info.loop;
    part.mirror = leaf.mirror != mirror;
  }
}

}  // namespace

void sample_window(const Context& c, const StateDef& state, const LiveState& live, double& n0,
                   double& n1) {
  const double motion_time =
      state.time_parameter >= 0 ? static_cast<double>(c.number(state.time_parameter)) : 0.0;
  n0 = state_sample_time(c, state, live.before.value(), live.motion_time_before);
  n1 = state_sample_time(c, state, live.now.value(), motion_time);
}

void emit_state_travel(Context& c, const LiveSide& side) { emit_side(c, 0, side, 1); }

void emit_layer_travel(Context& c, std::size_t layer) {
  if (!c.t.layers[layer].root_motion) return;
  const LayerScratch& scratch = c.out.layers[layer];
  emit_side(c, layer, scratch.moved_current, scratch.travel_current);
  emit_side(c, layer, scratch.moved_next, scratch.travel_next);
}

}  // namespace sinew::graph_detail
