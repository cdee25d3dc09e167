#include "layer_run.hpp"

#include <algorithm>
#include <cmath>

#include <sinew/math/scalar.hpp>

namespace sinew::graph_detail {
namespace {

using EventKind = StateEventOut::Kind;

void hold(LiveState& live) {
  live.before = live.now;
  live.moved = 0;
  live.closed = 0;
  live.entered = 0;
  live.delta = 0;
  live.skipped = 0;
}

}  // namespace

LayerRun::LayerRun(Context& c, std::size_t layer)
    : c_(c),
      layer_(layer),
      def_(c.t.layers[layer]),
      s_(c.state.layer_ref(static_cast<int>(layer))),
      scratch_(c.out.layers[layer]),
      consumed_begin_(c.out.consumed_count),
      consumed_end_(c.out.consumed_count) {}

void LayerRun::run(bool first_update) {
  scratch_ = LayerScratch{};
  scratch_.first_state_event = static_cast<std::uint32_t>(c_.out.state_event_count);
  for (LiveState* live : {&s_.current, &s_.next, &s_.interrupted}) hold(*live);
  const bool starts_by_play = s_.command.kind == CommandKind::kPlay && s_.command.state >= 0;
  if (first_update && !starts_by_play) enter();
  scratch_.current = side_of(s_.current);
  scratch_.next = side_of(s_.next);
  note_before();

  const bool commanded = apply_command();
  if (commanded && !c_.t.policy.advance_on_command) {
    if (!c_.out.verdicts.empty()) explain(make_queue(), {}, false);
  } else {
    if (commanded) note_before();
    advance();
    if (!completed_ || c_.t.policy.start_after_completion) choose();
  }
  emit_updates(true);
  note_event_weights();
  finish();
  scratch_.state_event_count =
      static_cast<std::uint32_t>(c_.out.state_event_count) - scratch_.first_state_event;
}

void LayerRun::push_event(const StateEventOut& event) {
  if (c_.out.state_event_count == c_.out.state_events.size()) {
    ++c_.out.dropped_events;
    return;
  }
  c_.out.state_events[c_.out.state_event_count++] = event;
}

void LayerRun::state_event(EventKind kind, std::int32_t state, std::int32_t transition) {
  if (state >= 0) push_event({kind, static_cast<std::int16_t>(layer_), state, transition, -1});
}

void LayerRun::machine_event(EventKind kind, std::int32_t machine) {
  push_event({kind, static_cast<std::int16_t>(layer_), -1, -1, machine});
}

// A synced layer with timing changes the length of the states that it shares, by its weight
// (rules, 10.10); several do so one after another.
double LayerRun::length_of(std::int32_t state) {
  bool empty = false;
  double length = motion_length(c_, layer_, state, empty);
  for (std::size_t i = 0; i < c_.t.layers.size(); ++i) {
    const LayerDef& other = c_.t.layers[i];
    if (other.sync != static_cast<std::int32_t>(layer_) || !other.sync_timing) continue;
    const double synced = motion_length(c_, i, state, empty);
    if (empty) continue;
    const double weight =
        static_cast<double>(i == 0 ? 1.0f : c_.state.layer_ref(static_cast<int>(i)).weight);
    length += (synced - length) * weight;
  }
  return length;
}

LiveSide LayerRun::side_of(LiveState& live) {
  LiveSide side{live, {}};
  if (live.state < 0) return side;
  side.motion = evaluate_motion(c_, layer_, live.state);
  side.motion.length = length_of(live.state);
  settle_leader(c_, side.motion, live);
  side.live = live;
  return side;
}

void LayerRun::enter() {
  const std::int32_t state = walk({TargetDef::Kind::kMachine, def_.root_machine}, true);
  commit_consumed();
  s_.current = LiveState{};
  s_.current.state = state;
  s_.current.fresh = s_.current.entered = 1;
  state_event(EventKind::kEntered, state);
}

void LayerRun::note_before() {
  weight_before_ = weight();
  elapsed_before_ = elapsed();
  in_transition_before_ = in_transition();
  frozen_before_ = s_.frozen != 0;
  current_left_ = next_left_ = current_froze_ = false;
}

void LayerRun::advance_state(LiveState& live, double length) {
  if (live.state < 0) return;
  const double speed = state_speed(c_, c_.state_def(live.state));
  live.delta = c_.dt * speed / length;
  if (!is_finite(live.delta)) live.delta = 0;
  live.before = live.now;
  live.now.advance(live.delta);
  live.closed = live.fresh;
  live.fresh = 0;
  live.moved = 1;
}

void LayerRun::advance() {
  advance_state(s_.current, scratch_.current.motion.length);
  advance_state(s_.next, scratch_.next.motion.length);
  if (s_.interrupted.state >= 0) advance_state(s_.interrupted, length_of(s_.interrupted.state));
  if (s_.transition.from.motion >= 0) keep_in_phase();
  scratch_.moved_current = {s_.current, scratch_.current.motion};
  scratch_.moved_next = {s_.next, scratch_.next.motion};
  if (in_transition()) advance_transition();
  note_moved();
}

void LayerRun::advance_transition() {
  RunningTransition& transition = s_.transition;
  const double run = transition.fixed ? c_.dt : std::abs(s_.current.delta);
  transition.progress = std::min(transition.progress + run / transition.duration, 1.0);
  if (transition.progress >= 1 - kWindowEpsilon) complete();
}

void LayerRun::complete() {
  state_event(EventKind::kExited, s_.current.state);
  state_event(EventKind::kExited, s_.interrupted.state);
  state_event(EventKind::kTransitionCompleted, s_.next.state, s_.transition.index);
  s_.current = s_.next;
  s_.next = s_.interrupted = LiveState{};
  s_.transition = RunningTransition{};
  s_.frozen = s_.frozen_curves = 0;
  scratch_.current.motion = scratch_.next.motion;
  scratch_.next = LiveSide{};
  completed_ = true;
  current_left_ = true;
}

// The travel of an update is that of the states it advanced, before anything starts (rulings, 6).
void LayerRun::note_moved() {
  if (completed_) {
    scratch_.travel_next = 1;
  } else if (in_transition()) {
    const auto w = static_cast<float>(weight());
    scratch_.travel_current = s_.frozen ? 0.0f : 1 - w;
    scratch_.travel_next = s_.frozen && !c_.t.policy.frozen_pose_stands_still ? 1.0f : w;
  } else {
    scratch_.travel_current = 1;
  }
}

// Rulings, 2: a state that leaves in this update counts by its weight before it.
void LayerRun::note_event_weights() {
  const auto before = static_cast<float>(weight_before_);
  const auto w = static_cast<float>(weight());
  const float source = in_transition() ? 1 - w : 1.0f;
  if (frozen_before_) {
    scratch_.event_current = 0;
  } else if (current_left_ || current_froze_) {
    scratch_.event_current = in_transition_before_ ? 1 - before : 1.0f;
  } else {
    scratch_.event_current = source;
  }
  scratch_.event_next = next_left_ ? before : (completed_ ? source : w);
}

void LayerRun::finish() {
  for (LiveState* live : {&s_.current, &s_.next}) {
    if (live->state < 0) continue;
    const std::int32_t parameter = c_.state_def(live->state).time_parameter;
    if (parameter >= 0) live->motion_time_before = static_cast<double>(c_.number(parameter));
  }
  scratch_.current.live = s_.current;
  scratch_.next.live = s_.next;
}

}  // namespace sinew::graph_detail
