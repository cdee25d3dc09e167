// What happened in a tick. Order over all kinds: character, time in the tick, layer, kind,
// definition index (rulings, 21).
#pragma once

#include <cstdint>

#include <sinew/character/input.hpp>
#include <sinew/graph/output.hpp>

namespace sinew {

// A state machine entered or left a state, or a transition began or ended. Its time is the start of
// the tick; several of one layer keep the order in which the machine did them.
struct StateEvent {
  CharacterId character;
  StateEventOut::Kind kind = StateEventOut::Kind::kEntered;
  std::int16_t layer = 0;
  StateId state;                 // entered, exited; of a transition its target
  std::int32_t transition = -1;  // into ControllerTables::transitions; -1: none of these
};

// A clip's time passed one of its events.
struct ClipEventFired {
  CharacterId character;
  double time = 0;  // seconds after the start of the tick, in [0, dt]
  std::int16_t layer = 0;
  StateId state;
  std::int32_t motion = -1;  // into MotionTable::motions
  std::int32_t event = -1;   // see CharacterDef::event_name
  float weight = 0;          // of the clip in its layer
};

// One entry of the order over all kinds.
struct EventRef {
  enum class Type : std::uint8_t { kState, kClip };
  Type type = Type::kState;
  std::uint32_t index = 0;  // into World::events<StateEvent>() or <ClipEventFired>()
};

}  // namespace sinew
