#include "layer_run.hpp"

#include <algorithm>
#include <cmath>

#include <sinew/math/scalar.hpp>

namespace sinew::graph_detail {
namespace {

using EventKind = StateEventOut::Kind;

LiveState entered(std::int32_t state, double n) {
  LiveState live;
  live.state = state;
  live.fresh = 1;
  live.now = live.before = Playhead::from(n);
  return live;
}

void hold(LiveState& live) {
  live.before = live.now;
  live.moved = 0;
  live.closed = 0;
  live.delta = 0;
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
  for (LiveState* live : {&s_.current, &s_.next, &s_.interrupted}) hold(*live);
  const bool starts_by_play = s_.command.kind == CommandKind::kPlay && s_.command.state >= 0;
  if (first_update && !starts_by_play) enter();
  scratch_.current = side_of(s_.current);
  scratch_.next = side_of(s_.next);

  const bool commanded = apply_command();
  note_before();
  if (commanded && !c_.t.policy.advance_on_command) {
    if (!c_.out.verdicts.empty()) explain(make_queue(), {}, false);
  } else {
    advance();
    if (!completed_ || c_.t.policy.start_after_completion) choose();
  }
  note_event_weights();
  finish();
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

LiveSide LayerRun::side_of(const LiveState& live) {
  LiveSide side{live, {}};
  if (live.state < 0) return side;
  side.motion = evaluate_motion(c_, layer_, live.state);
  side.motion.length = length_of(live.state);
  return side;
}

void LayerRun::enter() {
  const std::int32_t state = walk({TargetDef::Kind::kMachine, def_.root_machine}, true);
  commit_consumed();
  s_.current = entered(state, 0);
  state_event(EventKind::kEntered, state);
}

double LayerRun::command_time(const PendingCommand& command, std::int32_t state) {
  if (!command.has_time) return 0;
  if (!command.time_in_seconds) return command.time;
  // Rules, 1.4: a state is as long as its motion over its speed.
  const double n = command.time * std::abs(state_speed(c_, c_.state_def(state))) / length_of(state);
  return is_finite(n) ? n : 0.0;
}

bool LayerRun::apply_command() {
  const PendingCommand command = s_.command;
  s_.command = PendingCommand{};
  switch (command.kind) {
    case CommandKind::kNone:
      return false;
    case CommandKind::kPlay:
      return apply_play(command);
    case CommandKind::kCrossFade:
      return apply_cross_fade(command);
  }
  return false;
}

bool LayerRun::apply_play(const PendingCommand& command) {
  const std::int32_t state = command.state >= 0 ? command.state : s_.current.state;
  const bool same = state == s_.current.state;
  if (same && !command.has_time) return false;
  const double n = command_time(command, state);
  Start begin;
  begin.target = state;
  if (!same) {
    replace_all(begin, entered(state, n));
    return true;
  }
  // Only its time changes, but what runs beside it is dropped.
  state_event(EventKind::kExited, s_.next.state);
  state_event(EventKind::kExited, s_.interrupted.state);
  s_.current.now = s_.current.before = Playhead::from(n);
  s_.next = s_.interrupted = LiveState{};
  s_.transition = RunningTransition{};
  s_.frozen = 0;
  scratch_.next = LiveSide{};
  return true;
}

bool LayerRun::apply_cross_fade(const PendingCommand& command) {
  if (!command.has_time && command.state == s_.current.state) return false;
  Start begin;
  begin.kind = TransitionKind::kCrossFade;
  begin.target = command.state;
  begin.fixed = command.fixed != 0;
  begin.duration = command.duration;
  begin.offset = command_time(command, command.state);
  begin.progress = command.start;
  start(begin);
  return true;
}

void LayerRun::note_before() {
  progress_before_ = s_.transition.progress;
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
  s_.frozen = 0;
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
    const auto p = static_cast<float>(s_.transition.progress);
    scratch_.travel_current = s_.frozen ? 0.0f : 1 - p;
    scratch_.travel_next = p;
  } else {
    scratch_.travel_current = 1;
  }
}

// Rulings, 2: a state that leaves in this update counts by its weight before it.
void LayerRun::note_event_weights() {
  const auto before = static_cast<float>(progress_before_);
  const auto p = static_cast<float>(s_.transition.progress);
  const float source = in_transition() ? 1 - p : 1.0f;
  if (frozen_before_) {
    scratch_.event_current = 0;
  } else if (current_left_ || current_froze_) {
    scratch_.event_current = in_transition_before_ ? 1 - before : 1.0f;
  } else {
    scratch_.event_current = source;
  }
  scratch_.event_next = next_left_ ? before : (completed_ ? source : p);
}

void LayerRun::capture_pose() {
  scratch_.capture = true;
  scratch_.frozen_current = {s_.current, scratch_.current.motion};
  scratch_.frozen_next = {s_.next, scratch_.next.motion};
  scratch_.frozen_progress = s_.transition.progress;
  scratch_.frozen_was_frozen = s_.frozen != 0;
  s_.frozen = 1;
}

void LayerRun::start(const Start& begin) {
  LiveState target = entered(begin.target, begin.offset);
  if (begin.ahead > 0) {
    const double speed = state_speed(c_, c_.state_def(begin.target));
    target.now.advance(begin.ahead * speed / length_of(begin.target));
    target.before = target.now;
  }
  if (begin.duration <= 0 || begin.progress >= 1 - kWindowEpsilon) {
    state_event(EventKind::kTransitionStarted, begin.target, begin.transition);
    replace_all(begin, target);
    state_event(EventKind::kTransitionCompleted, begin.target, begin.transition);
    return;
  }
  if (in_transition()) {
    state_event(EventKind::kTransitionInterrupted, s_.next.state, s_.transition.index);
    capture_pose();
    current_froze_ = true;
    next_left_ = true;
    state_event(EventKind::kTransitionStarted, begin.target, begin.transition);
    state_event(EventKind::kExited, s_.interrupted.state);
    s_.interrupted = s_.next;
  } else {
    state_event(EventKind::kTransitionStarted, begin.target, begin.transition);
  }
  state_event(EventKind::kEntered, begin.target);
  s_.next = target;
  s_.transition.kind = begin.kind;
  s_.transition.fixed = begin.fixed ? 1 : 0;
  s_.transition.index = begin.transition;
  s_.transition.duration = begin.duration;
  s_.transition.progress = begin.progress;
  scratch_.next = side_of(s_.next);
}

// The target plays alone at once.
void LayerRun::replace_all(const Start& begin, const LiveState& target) {
  state_event(EventKind::kEntered, begin.target);
  state_event(EventKind::kExited, s_.current.state);
  state_event(EventKind::kExited, s_.next.state);
  state_event(EventKind::kExited, s_.interrupted.state);
  if (!completed_) current_left_ = true;
  next_left_ = true;
  s_.current = target;
  s_.next = s_.interrupted = LiveState{};
  s_.transition = RunningTransition{};
  s_.frozen = 0;
  scratch_.current = side_of(s_.current);
  scratch_.next = LiveSide{};
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
