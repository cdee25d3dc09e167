// The choices that the field's documents leave open, each behind one name. The defaults are those
// of the state-machine rules; the U-numbers refer to their section 19.
#pragma once

#include <cstdint>

namespace sinew {

struct ControllerPolicy {
  // U1: exit time of a motion that does not loop. kVirtualLoop: offered once in each further length
  // of the motion, as if it looped; kLatched: true from the exit time on.
  enum class NonLoopExit : std::uint8_t { kVirtualLoop, kLatched };
  NonLoopExit non_loop_exit = NonLoopExit::kVirtualLoop;

  // U17: how set_float_damped() goes. kExponential: 98 % of the way in the damp time, the same for
  // any dt; kProportional: the share dt / damp time of what is left in each call.
  enum class Damping : std::uint8_t { kExponential, kProportional };
  Damping damping = Damping::kExponential;

  // U2: a state that plays backwards crosses exit times too.
  bool exit_time_backwards = true;

  // U3: in a transition the exit time of an AnyState transition is tested against the next state as
  // well as against the current one.
  bool any_exit_time_of_next = false;

  // U4: a transition by exit time starts at the exit time rather than at the update that saw it:
  // the time past it is added to the progress and to the new state.
  bool carry_exit_overshoot = false;

  // U5: the cycle offset is added to a Motion Time parameter too.
  bool cycle_offset_on_motion_time = true;

  // U6: exit times of a state with a Motion Time parameter are met by that parameter rather than by
  // the state's own time.
  bool motion_time_drives_exit = false;

  // U7: a trigger used by one layer is still set for the layers after it, until the update's end.
  bool triggers_visible_to_all_layers = true;

  // U8: a transition may start in the update in which another one completes.
  bool start_after_completion = true;

  // U9: AnyState transitions of machines inside rank before those of the machine around them.
  bool inner_any_first = false;

  // U10: in a transition, an AnyState transition that may not lead to itself may not lead to the
  // current state either.
  bool self_rule_covers_current = false;

  // U11: false: "ordered" cuts the list of the running transition alone; true: nothing that comes
  // after the running transition in the whole queue is looked at.
  bool ordered_stops_whole_queue = false;

  // U12: a frozen pose counts as standing still; false: it does not count, so that the target
  // travels as if it played alone.
  bool frozen_pose_stands_still = true;

  // U13: an empty state of an upper layer lets the layers below through; false: it plays the
  // default pose.
  bool empty_states_let_through = true;

  // U14: while a state without write defaults plays, no state has them (rules, 11.3).
  bool mixed_write_defaults_off = false;

  // U15: AnyState transitions may interrupt a CrossFade.
  bool any_interrupts_cross_fade = true;

  // U16: dt is added to the state in the update that applies a Play or CrossFade.
  bool advance_on_command = false;

  // U18: where a state is replaced within one update the new one is entered before the old one
  // exits; false: after.
  bool enter_before_exit = true;

  // U19: an event that several loops of one update cross fires for each of them; false: once, for
  // the last.
  bool events_of_every_loop = true;

  // U20: clips of a layer of weight 0 fire their events.
  bool events_at_zero_weight = false;

  // Section 9.3: a Simple Directional tree with children on one side only. false: continuous in the
  // parameters; true: the centre alone plays, as in Unity.
  bool unity_simple_directional = false;

  friend bool operator==(const ControllerPolicy&, const ControllerPolicy&) = default;
};

}  // namespace sinew
