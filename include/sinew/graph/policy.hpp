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

  // U4: a transition by exit time starts at the exit time rather than at the update that saw it:
  // the time past it is added to the progress and to the new state.
  bool carry_exit_overshoot = false;

  // U5: the cycle offset is added to a Motion Time parameter too.
  bool cycle_offset_on_motion_time = true;

  // U7: a trigger used by one layer is still set for the layers after it, until the update's end.
  bool triggers_visible_to_all_layers = true;

  // U8: a transition may start in the update in which another one completes.
  bool start_after_completion = true;

  // U11: false: "ordered" cuts the list of the running transition alone; true: nothing that comes
  // after the running transition in the whole queue is looked at.
  bool ordered_stops_whole_queue = false;

  // U15: AnyState transitions may interrupt a CrossFade.
  bool any_interrupts_cross_fade = true;

  // U16: dt is added to the state in the update that applies a Play or CrossFade.
  bool advance_on_command = false;

  // U20: clips of a layer of weight 0 fire their events.
  bool events_at_zero_weight = false;

  // Section 9.3: a Simple Directional tree with children on one side only. false: continuous in the
  // parameters; true: the centre alone plays, as in Unity.
  bool unity_simple_directional = false;

  friend bool operator==(const ControllerPolicy&, const ControllerPolicy&) = default;
};

}  // namespace sinew
