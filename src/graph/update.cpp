#include <algorithm>
#include <cassert>

#include <sinew/graph/update.hpp>
#include <sinew/math/scalar.hpp>

#include "layer_run.hpp"

namespace sinew {
namespace {

using graph_detail::Context;

void clear(ControllerOutput& out) {
  out.task_count = out.weight_count = out.root_motion_count = out.playing_count = 0;
  out.clip_event_count = out.state_event_count = out.consumed_count = out.verdict_count = 0;
  out.dropped_events = 0;
  out.match = {};
  out.stores = false;
}

[[maybe_unused]] bool fits(const ControllerDef& def, const ControllerOutput& out) {
  const ControllerLimits& limits = def.limits();
  return out.tasks.size() >= limits.tasks && out.weights.size() >= limits.weights &&
         out.root_motions.size() >= limits.root_motions && out.leaves.size() >= limits.leaves &&
         out.layers.size() >= def.tables().layers.size() && out.consumed.size() >= limits.consumed;
}

// A synced layer has no machine: it plays its own motions in the states of the layer it follows.
void follow(Context& c, std::size_t layer) {
  const LayerScratch& source = c.out.layers[static_cast<std::size_t>(c.t.layers[layer].sync)];
  LayerScratch& own = c.out.layers[layer];
  own = source;
  own.leaf_count = 0;
  LiveSide* sides[] = {&own.current,    &own.next,           &own.moved_current,
                       &own.moved_next, &own.frozen_current, &own.frozen_next};
  for (LiveSide* side : sides) {
    side->motion = graph_detail::evaluate_motion(c, layer, side->live.state);
  }
}

void reset_consumed(Context& c) {
  std::span<std::int32_t> list = c.out.consumed.first(c.out.consumed_count);
  std::size_t kept = 0;
  for (std::int32_t parameter : list) {
    c.params[static_cast<std::size_t>(parameter)].integer = 0;
    if (std::find(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(kept), parameter) ==
        list.begin() + static_cast<std::ptrdiff_t>(kept)) {
      list[kept++] = parameter;
    }
  }
  c.out.consumed_count = kept;
}

// By time, else as they came: layer by layer. Few, and nearly in order.
void sort_clip_events(ControllerOutput& out) {
  for (std::size_t i = 1; i < out.clip_event_count; ++i) {
    const ClipEventOut event = out.clip_events[i];
    std::size_t k = i;
    for (; k > 0 && out.clip_events[k - 1].time > event.time; --k) {
      out.clip_events[k] = out.clip_events[k - 1];
    }
    out.clip_events[k] = event;
  }
}

}  // namespace

void update_controller(const ControllerDef& def, const MotionTable& motions, ControllerState state,
                       double dt, ControllerOutput& out) {
  assert(fits(def, out));
  assert(motions.motions.size() == def.tables().motions.size());
  assert(state.header().definition_hash == def.hash());
  clear(out);
  StateHeader& header = state.header_ref();
  header.bad_dt = !is_finite(dt) || dt < 0 ? 1 : 0;
  const bool first = header.started == 0;
  if (header.bad_dt || first) dt = 0;
  header.started = 1;
  ++header.updates;

  Context c{def.tables(), motions, state, state.parameters(), out, dt * header.speed, dt};
  const std::size_t layers = c.t.layers.size();
  for (std::size_t i = 0; i < layers; ++i) {
    if (c.t.layers[i].sync < 0) graph_detail::LayerRun(c, i).run(first);
  }
  if (header.match.phase != MatchState::Phase::kNone) graph_detail::update_match(c);
  for (std::size_t i = 0; i < layers; ++i) {
    if (c.t.layers[i].sync >= 0) follow(c, i);
    graph_detail::emit_layer_pose(c, i);
    graph_detail::emit_layer_travel(c, i);
    graph_detail::emit_layer_events(c, i);
  }
  reset_consumed(c);
  sort_clip_events(out);
}

void project_current(const ControllerDef& def, const MotionTable& motions, ControllerState state,
                     double n, ControllerOutput& out) {
  assert(fits(def, out));
  clear(out);
  Context c{def.tables(), motions, state, state.parameters(), out, 0, 0};
  LiveSide side;
  side.live = state.layer(0).current;
  if (side.live.state < 0) return;
  out.layers[0].leaf_count = 0;
  side.motion = graph_detail::evaluate_motion(c, 0, side.live.state);
  side.live.before = side.live.now;
  side.live.now = Playhead::from(n);
  side.live.moved = 1;
  graph_detail::emit_state_pose(c, side);
  graph_detail::emit_state_travel(c, side);
}

}  // namespace sinew
