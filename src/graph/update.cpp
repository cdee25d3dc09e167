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
         out.layers.size() >= def.tables().layers.size() &&
         out.layer_outs.size() >= def.tables().layers.size() &&
         out.consumed.size() >= limits.consumed;
}

void push_event(ControllerOutput& out, StateEventOut event) {
  if (out.state_event_count == out.state_events.size()) {
    ++out.dropped_events;
    return;
  }
  out.state_events[out.state_event_count++] = event;
}

bool has_behaviours(const Context& c, std::int32_t state) {
  return state >= 0 && c.state_def(state).behaviour_count > 0;
}

// Behaviours of a shared state are told once per layer (rules, 10.11).
void repeat_events(Context& c, std::size_t layer) {
  LayerScratch& own = c.out.layers[layer];
  const std::uint32_t first = own.first_state_event;
  own.first_state_event = static_cast<std::uint32_t>(c.out.state_event_count);
  for (std::uint32_t i = 0; i < own.state_event_count; ++i) {
    StateEventOut event = c.out.state_events[first + i];
    using Kind = StateEventOut::Kind;
    const bool told =
        event.kind == Kind::kEntered || event.kind == Kind::kExited || event.kind == Kind::kUpdated;
    if (!told || !has_behaviours(c, event.state)) continue;
    event.layer = static_cast<std::int16_t>(layer);
    push_event(c.out, event);
  }
}

// A synced layer has no machine: it plays its own motions in the states of the layer it follows.
void follow(Context& c, std::size_t layer) {
  const LayerScratch& source = c.out.layers[static_cast<std::size_t>(c.t.layers[layer].sync)];
  LayerScratch& own = c.out.layers[layer];
  own = source;
  own.leaf_count = 0;
  LiveSide* sides[] = {&own.current,    &own.next,           &own.moved_current,
                       &own.moved_next, &own.source.current, &own.source.next};
  for (LiveSide* side : sides) {
    side->motion = graph_detail::evaluate_motion(c, layer, side->live.state);
  }
  repeat_events(c, layer);
}

// OnStateMove of every layer, then OnStateIK of those with an IK pass (rules, 14.8 and 14.10).
void emit_passes(Context& c, bool pose) {
  for (const auto kind : {StateEventOut::Kind::kMove, StateEventOut::Kind::kIk}) {
    if (kind == StateEventOut::Kind::kIk && !pose) return;
    for (std::size_t i = 0; i < c.t.layers.size(); ++i) {
      const LayerDef& def = c.t.layers[i];
      if (kind == StateEventOut::Kind::kIk && !def.ik_pass) continue;
      const LayerState& machine = c.state.layer(def.sync >= 0 ? def.sync : static_cast<int>(i));
      for (const LiveState* live : {&machine.current, &machine.interrupted, &machine.next}) {
        if (!has_behaviours(c, live->state)) continue;
        push_event(c.out, {kind, static_cast<std::int16_t>(i), live->state, -1, -1});
      }
    }
  }
}

// Whether some state that plays has no write defaults (ControllerPolicy, U14).
bool someone_holds(const Context& c) {
  if (!c.t.policy.mixed_write_defaults_off || c.t.held_poses < 0) return false;
  for (const LayerScratch& scratch : c.out.layers.first(c.t.layers.size())) {
    for (const LiveSide* side : {&scratch.current, &scratch.next}) {
      if (side->live.state >= 0 && !c.state_def(side->live.state).write_defaults) return true;
    }
  }
  return false;
}

void emit_layers(Context& c, bool pose) {
  const std::size_t layers = c.t.layers.size();
  for (std::size_t i = 0; i < layers; ++i) {
    if (c.t.layers[i].sync >= 0) follow(c, i);
  }
  c.all_hold = someone_holds(c);
  const bool program = pose || graph_detail::must_run_program(c);
  for (std::size_t i = 0; i < layers; ++i) {
    graph_detail::emit_layer_facts(c, i);
    if (program) graph_detail::emit_layer_pose(c, i);
    graph_detail::emit_layer_travel(c, i);
    graph_detail::emit_layer_events(c, i);
  }
  if (program) graph_detail::emit_shown(c);
  if (!c.motions.driven.empty()) graph_detail::emit_curves(c);
  emit_passes(c, pose);
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
                       double dt, ControllerOutput& out, const UpdateOptions& options) {
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

  if (!motions.driven.empty()) {
    std::copy(motions.driven.begin(), motions.driven.end(), state.driven().begin());
  }
  Context c{def.tables(), motions, state, state.parameters(), out, dt * header.speed, dt};
  const std::size_t layers = c.t.layers.size();
  for (std::size_t i = 0; i < layers; ++i) {
    if (c.t.layers[i].sync < 0) graph_detail::LayerRun(c, i).run(first);
  }
  if (header.match.phase != MatchState::Phase::kNone) graph_detail::update_match(c);
  emit_layers(c, options.pose);
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
