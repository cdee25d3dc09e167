// What begins in a layer: commands, transitions, interruptions (rules, sections 5, 8 and 12).
#include <algorithm>
#include <cmath>

#include <sinew/math/scalar.hpp>

#include "layer_run.hpp"

namespace sinew::graph_detail {
namespace {

using EventKind = StateEventOut::Kind;

LiveState entered(std::int32_t state, double n, std::uint8_t held) {
  LiveState live;
  live.state = state;
  live.fresh = live.entered = 1;
  live.held = held;
  live.now = live.before = Playhead::from(n);
  return live;
}

// A state holds its pose in the place that the current one leaves free.
std::uint8_t other(std::uint8_t held) { return static_cast<std::uint8_t>(1 - held); }

}  // namespace

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
    replace_all(begin, entered(state, n, other(s_.current.held)));
    return true;
  }
  // Only its time changes, but what runs beside it is dropped.
  const LiveState next = s_.next, interrupted = s_.interrupted;
  s_.next = s_.interrupted = LiveState{};
  emit_updates(false);
  state_event(EventKind::kExited, next.state);
  state_event(EventKind::kExited, interrupted.state);
  s_.current.now = s_.current.before = Playhead::from(n);
  s_.transition = RunningTransition{};
  s_.frozen = s_.frozen_curves = 0;
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

// Rules, 14.1 and 14.4: current, interrupted, next; not those that begin in this update.
void LayerRun::emit_updates(bool interrupted_stays) {
  if (updates_sent_) return;
  updates_sent_ = true;
  const auto update = [&](const LiveState& live) {
    if (live.state < 0 || live.entered) return;
    if (c_.state_def(live.state).behaviour_count == 0) return;
    state_event(EventKind::kUpdated, live.state);
  };
  update(s_.current);
  if (interrupted_stays) update(s_.interrupted);
  update(s_.next);
}

// How the pose that this update would show, did nothing start, is made.
void LayerRun::note_source() {
  LayerMix& mix = scratch_.source;
  mix.current = {s_.current, scratch_.current.motion};
  mix.next = {s_.next, scratch_.next.motion};
  mix.blend = s_.transition.blend;
  mix.frozen = s_.frozen != 0;
  const bool dead = mix.blend == TransitionBlend::kDeadBlend;
  mix.weight = static_cast<float>(dead ? dead_blend_share(c_.t, s_.transition) : weight());
  mix.elapsed = elapsed();
  // After a completion the source is a state alone.
  const bool same = in_transition() && in_transition_before_ && !completed_;
  mix.weight_before = same && !dead ? static_cast<float>(weight_before_) : mix.weight;
  mix.elapsed_before = same ? elapsed_before_ : mix.elapsed;
}

double LayerRun::seconds_of(const Start& begin) {
  if (begin.fixed) return begin.duration;
  const double speed = std::abs(state_speed(c_, c_.state_def(s_.current.state)));
  const double seconds = begin.duration * scratch_.current.motion.length / speed;
  return is_finite(seconds) ? seconds : begin.duration;
}

void LayerRun::start(const Start& asked) {
  Start begin = asked;
  PhaseRef from, to;
  if (begin.match_phase) start_in_phase(begin, from, to);
  LiveState target = entered(begin.target, begin.offset, other(s_.current.held));
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
  const double seconds = begin.blend == TransitionBlend::kCrossFade ? 0.0 : seconds_of(begin);
  note_source();
  emit_updates(false);
  if (in_transition()) {
    interrupt(begin);
  } else {
    state_event(EventKind::kTransitionStarted, begin.target, begin.transition);
  }
  if (begin.blend != TransitionBlend::kCrossFade) {
    // Only the target plays from here on: what the pose was goes into the offset.
    scratch_.inertia = true;
    s_.frozen = 0;
    current_froze_ = true;
  }
  if (scratch_.inertia || s_.frozen) from = to = PhaseRef{};
  state_event(EventKind::kEntered, begin.target);
  s_.next = target;
  s_.transition.kind = begin.kind;
  s_.transition.fixed = begin.fixed ? 1 : 0;
  s_.transition.blend = begin.blend;
  s_.transition.index = begin.transition;
  s_.transition.duration = begin.duration;
  s_.transition.progress = begin.progress;
  s_.transition.seconds = seconds;
  s_.transition.from = from;
  s_.transition.to = to;
  scratch_.next = side_of(s_.next);
}

void LayerRun::interrupt(const Start& begin) {
  state_event(EventKind::kTransitionInterrupted, s_.next.state, s_.transition.index);
  scratch_.freezes_curves = true;
  scratch_.source_curves_frozen = s_.frozen_curves != 0;
  scratch_.source_curve_weight = static_cast<float>(curve_weight(c_.t, s_.transition));
  s_.frozen_curves = 1;
  if (begin.blend == TransitionBlend::kCrossFade) {
    scratch_.capture = true;
    s_.frozen = 1;
  }
  current_froze_ = true;
  next_left_ = true;
  state_event(EventKind::kTransitionStarted, begin.target, begin.transition);
  state_event(EventKind::kExited, s_.interrupted.state);
  s_.interrupted = s_.next;
}

// The target plays alone at once.
void LayerRun::replace_all(const Start& begin, const LiveState& target) {
  updates_sent_ = true;  // nobody who was there stays
  if (c_.t.policy.enter_before_exit) state_event(EventKind::kEntered, begin.target);
  state_event(EventKind::kExited, s_.current.state);
  state_event(EventKind::kExited, s_.next.state);
  state_event(EventKind::kExited, s_.interrupted.state);
  if (!c_.t.policy.enter_before_exit) state_event(EventKind::kEntered, begin.target);
  if (!completed_) current_left_ = true;
  next_left_ = true;
  s_.current = target;
  s_.next = s_.interrupted = LiveState{};
  s_.transition = RunningTransition{};
  s_.frozen = s_.frozen_curves = 0;
  scratch_.current = side_of(s_.current);
  scratch_.next = LiveSide{};
}

}  // namespace sinew::graph_detail
