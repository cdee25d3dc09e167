// Which transition starts: state-machine rules, 6.5 and section 8.
#include <algorithm>
#include <cmath>

#include "layer_run.hpp"

namespace sinew::graph_detail {

LayerRun::TransitionList LayerRun::any_list() const {
  return {def_.first_any, def_.any_count, Role::kAny};
}

LayerRun::TransitionList LayerRun::list_of(std::int32_t state, Role role) const {
  const StateDef& def = c_.state_def(state);
  return {def.first_transition, def.transition_count, role};
}

bool LayerRun::may_interrupt(Role role) const {
  if (s_.transition.kind != TransitionKind::kDefined) return false;  // a CrossFade: source None
  const Interruption source =
      c_.t.transitions[static_cast<std::size_t>(s_.transition.index)].interruption;
  const bool both =
      source == Interruption::kCurrentThenNext || source == Interruption::kNextThenCurrent;
  return both || source == (role == Role::kCurrent ? Interruption::kCurrent : Interruption::kNext);
}

LayerRun::Queue LayerRun::make_queue() const {
  Queue queue;
  if (!in_transition()) {
    queue.add(any_list());
    queue.add(list_of(s_.current.state, Role::kCurrent));
    return queue;
  }
  if (s_.transition.kind == TransitionKind::kDefined || c_.t.policy.any_interrupts_cross_fade) {
    queue.add(any_list());
  }
  const bool current = may_interrupt(Role::kCurrent), next = may_interrupt(Role::kNext);
  const bool next_first =
      s_.transition.kind == TransitionKind::kDefined &&
      c_.t.transitions[static_cast<std::size_t>(s_.transition.index)].interruption ==
          Interruption::kNextThenCurrent;
  if (next && next_first) queue.add(list_of(s_.next.state, Role::kNext));
  if (current) queue.add(list_of(s_.current.state, Role::kCurrent));
  if (next && !next_first) queue.add(list_of(s_.next.state, Role::kNext));
  return queue;
}

bool LayerRun::is_running_itself(std::int32_t transition) const {
  return in_transition() && s_.transition.kind == TransitionKind::kDefined &&
         s_.transition.index == transition;
}

std::uint32_t LayerRun::eligible_count(const TransitionList& list) const {
  if (!in_transition() || s_.transition.kind != TransitionKind::kDefined) return list.count;
  const TransitionDef& running = c_.t.transitions[static_cast<std::size_t>(s_.transition.index)];
  if (!running.ordered) return list.count;
  if (list.contains(s_.transition.index)) {
    return static_cast<std::uint32_t>(s_.transition.index) - list.first + 1;
  }
  // AnyState ranks above the current state's list.
  return running.from_any && list.role == Role::kCurrent ? 0 : list.count;
}

bool LayerRun::ends_queue(const TransitionList& list) const {
  return in_transition() && s_.transition.kind == TransitionKind::kDefined &&
         list.contains(s_.transition.index) &&
         c_.t.transitions[static_cast<std::size_t>(s_.transition.index)].ordered;
}

const LiveState& LayerRun::window_of(Role role) const {
  return role == Role::kNext ? s_.next : s_.current;
}

bool LayerRun::crosses_in(const LiveState& live, const LiveMotion& motion, double exit,
                          double& overshoot) const {
  const StateDef& state = c_.state_def(live.state);
  if (state.time_parameter < 0 || !c_.t.policy.motion_time_drives_exit) {
    return crosses_exit(live, exit, motion.loop, c_.t.policy, overshoot);
  }
  LiveState by_parameter = live;
  by_parameter.before = Playhead::from(live.motion_time_before);
  by_parameter.now = Playhead::from(static_cast<double>(c_.number(state.time_parameter)));
  by_parameter.delta = by_parameter.now.value() - by_parameter.before.value();
  by_parameter.skipped = 0;
  return crosses_exit(by_parameter, exit, motion.loop, c_.t.policy, overshoot);
}

bool LayerRun::crosses(const TransitionDef& transition, Role role, double& overshoot) const {
  const LiveMotion& motion = role == Role::kNext ? scratch_.next.motion : scratch_.current.motion;
  if (crosses_in(window_of(role), motion, transition.exit_time, overshoot)) return true;
  return role == Role::kAny && in_transition() && c_.t.policy.any_exit_time_of_next &&
         crosses_in(s_.next, scratch_.next.motion, transition.exit_time, overshoot);
}

std::uint16_t LayerRun::test(std::int32_t index, Role role, bool all, Choice& choice,
                             std::int16_t* false_condition) {
  const TransitionDef& transition = c_.t.transitions[static_cast<std::size_t>(index)];
  std::uint16_t bits = 0;
  const auto fails = [&](bool failed, std::uint16_t bit) {
    if (failed) bits = static_cast<std::uint16_t>(bits | bit);
    return failed && !all;
  };
  if (fails(transition.muted, TransitionVerdict::kMuted)) return bits;
  if (fails(transition.unsoloed, TransitionVerdict::kUnsoloed)) return bits;
  if (fails(is_running_itself(index) && !transition.from_any, TransitionVerdict::kOrder))
    return bits;
  if (fails(!transition.has_exit_time && transition.conditions.count == 0,
            TransitionVerdict::kNever)) {
    return bits;
  }
  if (fails(!conditions_hold(transition.conditions, false_condition),
            TransitionVerdict::kConditionFalse)) {
    return bits;
  }
  choice.overshoot = 0;
  if (fails(transition.has_exit_time && !crosses(transition, role, choice.overshoot),
            TransitionVerdict::kExitTimeFalse)) {
    return bits;
  }
  choice.target = walk(transition.target, false);
  if (fails(choice.target < 0, TransitionVerdict::kNoTarget)) return bits;
  if (transition.from_any && !transition.to_self) {
    const std::int32_t playing = in_transition() ? s_.next.state : s_.current.state;
    const bool current_too = c_.t.policy.self_rule_covers_current;
    fails(choice.target == playing || (current_too && choice.target == s_.current.state),
          TransitionVerdict::kSelf);
  }
  choice.transition = index;
  choice.role = role;
  return bits;
}

LayerRun::Choice LayerRun::pick(const Queue& queue) {
  for (int i = 0; i < queue.count; ++i) {
    const TransitionList& list = queue.lists[i];
    const std::uint32_t eligible = eligible_count(list);
    for (std::uint32_t k = 0; k < eligible; ++k) {
      Choice choice;
      if (test(static_cast<std::int32_t>(list.first + k), list.role, false, choice) == 0) {
        return choice;
      }
    }
    if (c_.t.policy.ordered_stops_whole_queue && ends_queue(list)) break;
  }
  return {};
}

void LayerRun::choose() {
  const Queue queue = make_queue();
  const Choice choice = pick(queue);
  if (!c_.out.verdicts.empty()) explain(queue, choice, true);
  if (choice.transition < 0) return;

  const TransitionDef& transition = c_.t.transitions[static_cast<std::size_t>(choice.transition)];
  consume_triggers(transition.conditions);
  walk(transition.target, true);
  commit_consumed();
  Start begin;
  begin.transition = choice.transition;
  begin.target = choice.target;
  begin.fixed = transition.fixed;
  begin.duration = transition.duration;
  begin.offset = transition.offset;
  begin.blend = transition.blend;
  begin.match_phase = transition.match_phase;
  if (c_.t.policy.carry_exit_overshoot && transition.has_exit_time && transition.duration > 0) {
    const double delta = std::abs(window_of(choice.role).delta);
    begin.ahead = delta > 0 ? choice.overshoot * c_.dt / delta : 0.0;
    const double run = transition.fixed ? begin.ahead : choice.overshoot;
    begin.progress = std::min(run / transition.duration, 1.0);
  }
  start(begin);
}

void LayerRun::explain(const Queue& queue, const Choice& choice, bool looked) {
  bool taken_before = false;
  for (int i = 0; i < queue.count; ++i) {
    explain_list(queue.lists[i], queue, choice, looked, taken_before);
  }
  if (!in_transition()) return;
  // The lists that may not interrupt, so that the reader sees why.
  const TransitionList others[2] = {list_of(s_.current.state, Role::kCurrent),
                                    list_of(s_.next.state, Role::kNext)};
  for (const TransitionList& list : others) {
    if (!may_interrupt(list.role)) explain_list(list, queue, choice, looked, taken_before);
  }
}

void LayerRun::explain_list(const TransitionList& list, const Queue& queue, const Choice& choice,
                            bool looked, bool& taken_before) {
  bool queued = false;
  for (int i = 0; i < queue.count; ++i) queued = queued || queue.lists[i].role == list.role;
  const std::uint32_t eligible = eligible_count(list);
  for (std::uint32_t k = 0; k < list.count; ++k) {
    if (c_.out.verdict_count == c_.out.verdicts.size()) return;
    TransitionVerdict& verdict = c_.out.verdicts[c_.out.verdict_count++];
    verdict = {};
    verdict.transition = static_cast<std::int32_t>(list.first + k);
    verdict.layer = static_cast<std::int32_t>(layer_);
    Choice unused;
    verdict.bits = test(verdict.transition, list.role, true, unused, &verdict.condition);
    const auto mark = [&verdict](std::uint16_t bit) {
      verdict.bits = static_cast<std::uint16_t>(verdict.bits | bit);
    };
    if (k >= eligible) mark(TransitionVerdict::kOrder);
    if (!queued) mark(TransitionVerdict::kNotInterrupting);
    if (!looked) mark(TransitionVerdict::kNotLooked);
    if (taken_before) mark(TransitionVerdict::kOutranked);
    if (queued && choice.transition == verdict.transition && choice.role == list.role) {
      verdict.taken = true;
      taken_before = true;
    }
  }
}

}  // namespace sinew::graph_detail
