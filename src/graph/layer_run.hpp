// One layer's state machine in one update: state-machine rules, section 6, steps 1 to 5.
#pragma once

#include "runtime.hpp"

namespace sinew::graph_detail {

class LayerRun {
 public:
  LayerRun(Context& c, std::size_t layer);

  void run(bool first_update);

 private:
  // Which list a candidate stands in, by what that list belongs to.
  enum class Role : std::uint8_t { kAny, kCurrent, kNext };
  struct TransitionList {
    std::uint32_t first = 0, count = 0;
    Role role = Role::kAny;
    bool contains(std::int32_t transition) const {
      return transition >= static_cast<std::int32_t>(first) &&
             transition < static_cast<std::int32_t>(first + count);
    }
  };
  // The lists that may start a transition now, best first.
  struct Queue {
    TransitionList lists[3];
    int count = 0;
    void add(TransitionList list) { lists[count++] = list; }
  };
  struct Choice {
    std::int32_t transition = -1;
    std::int32_t target = -1;
    double overshoot = 0;  // normalized, of the state whose exit time it was
    Role role = Role::kAny;
  };
  // What starts: a transition of the definition or a CrossFade.
  struct Start {
    TransitionKind kind = TransitionKind::kDefined;
    std::int32_t transition = -1;
    std::int32_t target = -1;
    bool fixed = true;
    double duration = 0;
    double offset = 0;
    double progress = 0;
    double ahead = 0;  // seconds that the target has run already
    TransitionBlend blend = TransitionBlend::kCrossFade;
    bool match_phase = false;
  };

  // layer_run.cpp
  void enter();
  void note_before();
  void advance();
  void advance_state(LiveState& live, double length);
  void advance_transition();
  void complete();
  void note_moved();
  void note_event_weights();
  void finish();
  LiveSide side_of(LiveState& live);

  // layer_start.cpp
  bool apply_command();
  bool apply_play(const PendingCommand& command);
  bool apply_cross_fade(const PendingCommand& command);
  double command_time(const PendingCommand& command, std::int32_t state);
  void start(const Start& begin);
  void interrupt(const Start& begin);
  void replace_all(const Start& begin, const LiveState& target);
  void note_source();
  double seconds_of(const Start& begin);
  // OnStateUpdate of those that stay.
  void emit_updates(bool interrupted_stays);

  // layer_phase.cpp
  PhaseRef phase_ref(const LiveSide& side);
  void start_in_phase(Start& begin, PhaseRef& from, PhaseRef& to);
  void keep_in_phase();
  void follow_phase(const LiveState& lead, LiveState& live, double mapped);
  // Between a state's own time and that of the motion that a PhaseRef names.
  double phase_time(const PhaseRef& ref, const LiveState& live) const;
  double state_time(const PhaseRef& ref, const LiveState& live, double time) const;

  // choose.cpp
  void choose();
  Queue make_queue() const;
  Choice pick(const Queue& queue);
  TransitionList any_list() const;
  TransitionList list_of(std::int32_t state, Role role) const;
  bool may_interrupt(Role role) const;
  // How many of a list's transitions the running one leaves eligible (rules, 8.4 and 8.7).
  std::uint32_t eligible_count(const TransitionList& list) const;
  bool ends_queue(const TransitionList& list) const;
  bool is_running_itself(std::int32_t transition) const;
  // 0 if it can be taken, else the first reason against it; `all` collects every one.
  std::uint16_t test(std::int32_t transition, Role role, bool all, Choice& choice,
                     std::int16_t* false_condition = nullptr);
  const LiveState& window_of(Role role) const;
  bool crosses(const TransitionDef& transition, Role role, double& overshoot) const;
  bool crosses_in(const LiveState& live, const LiveMotion& motion, double exit,
                  double& overshoot) const;
  void explain(const Queue& queue, const Choice& choice, bool looked);
  void explain_list(const TransitionList& list, const Queue& queue, const Choice& choice,
                    bool looked, bool& taken_before);

  // walk.cpp
  bool conditions_hold(const ConditionRange& range, std::int16_t* false_condition = nullptr) const;
  bool condition_holds(const ConditionDef& condition) const;
  bool trigger_set(std::int32_t parameter) const;
  std::int32_t walk(TargetDef target, bool consume);
  std::int32_t enter_machine(std::int32_t machine, bool consume);
  const RouteDef* first_route(std::uint32_t first, std::uint32_t count, bool consume);
  void consume_triggers(const ConditionRange& range);
  void commit_consumed();

  double weight() const { return target_weight(c_.t, s_.transition); }
  // Seconds since an inertialized transition began.
  double elapsed() const { return s_.transition.progress * s_.transition.seconds; }
  void state_event(StateEventOut::Kind kind, std::int32_t state, std::int32_t transition = -1);
  void machine_event(StateEventOut::Kind kind, std::int32_t machine);
  void push_event(const StateEventOut& event);
  double length_of(std::int32_t state);  // seconds, synced layers' timing included
  bool in_transition() const { return s_.next.state >= 0; }

  Context& c_;
  std::size_t layer_;
  const LayerDef& def_;
  LayerState& s_;
  LayerScratch& scratch_;
  std::size_t consumed_begin_ = 0, consumed_end_ = 0;  // of this layer, in out.consumed
  // As it was before this update: for the events of states that leave in it, and for velocities.
  double weight_before_ = 0, elapsed_before_ = 0;
  bool in_transition_before_ = false, frozen_before_ = false;
  bool updates_sent_ = false;
  bool current_left_ = false, next_left_ = false, current_froze_ = false, completed_ = false;
};

}  // namespace sinew::graph_detail
