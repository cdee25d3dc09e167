// One character's controller: parameters, states, times. Flat bytes, trivially copyable; saving and
// restoring is copying them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <sinew/graph/definition.hpp>
#include <sinew/math/quat.hpp>

namespace sinew {

// Normalized time: whole loops apart from the fraction in [0, 1), so that it stays exact after
// days.
struct Playhead {
  std::int64_t loops = 0;
  double fraction = 0;

  static Playhead from(double n);  // not finite: 0
  void advance(double delta);
  double value() const { return static_cast<double>(loops) + fraction; }
};

// A state that plays. -1: none.
struct LiveState {
  std::int32_t state = -1;
  std::uint8_t fresh = 0;    // not advanced since it was entered
  std::uint8_t moved = 0;    // this update advanced it: from `before` to `now`
  std::uint8_t closed = 0;   // that was its first advance: `before` belongs to the window
  std::uint8_t entered = 0;  // in this update
  std::uint8_t held = 0;     // which of the held poses is its own, 0 or 1
  std::uint8_t unused[3] = {};
  std::int32_t leader = -1;       // node of the motion that leads a state with sync_markers
  Playhead before, now;           // this update's window
  double motion_time_before = 0;  // Motion Time parameter at the last update
  double delta = 0;               // normalized advance of this update, signed
  double skipped = 0;             // by how much a new leader moved `before` forward
};

// Why a transition runs.
enum class TransitionKind : std::uint8_t { kNone, kDefined, kCrossFade };

// The motion of a state by whose markers a transition keeps its phase. motion -1: none.
struct PhaseRef {
  std::int32_t motion = -1;
  std::uint8_t mirror = 0;
  std::uint8_t unused[3] = {};
  double offset = 0;  // cycle offsets between the state's time and the motion's
};

struct RunningTransition {
  TransitionKind kind = TransitionKind::kNone;
  std::uint8_t fixed = 1;
  TransitionBlend blend = TransitionBlend::kCrossFade;
  std::uint8_t unused = 0;
  std::int32_t index = -1;  // into ControllerTables::transitions; -1 for a CrossFade
  double progress = 0;      // [0, 1]
  double duration = 0;      // seconds if fixed, else shares of the current state's length
  double seconds = 0;       // duration at its start, for blends that need it
  PhaseRef from, to;        // current and next, where they stay in phase
};

// What runs in a layer, for people (rules, 12.9).
struct TransitionInfo {
  TransitionKind kind = TransitionKind::kNone;
  bool any_state = false;  // of AnyState's list, or a CrossFade (rules, 12.5)
  bool fixed = true;
  TransitionBlend blend = TransitionBlend::kCrossFade;
  std::int32_t transition = -1;  // into ControllerTables::transitions
  double progress = 0;           // [0, 1]
  double weight = 0;             // of the target: by the curve; 1 where only the target plays
  double duration = 0;           // in its own unit
};

enum class CommandKind : std::uint8_t { kNone, kPlay, kCrossFade };

struct PendingCommand {
  CommandKind kind = CommandKind::kNone;
  std::uint8_t has_time = 0;
  std::uint8_t time_in_seconds = 0;
  std::uint8_t fixed = 1;
  std::int32_t state = -1;  // -1: the current one
  double time = 0;          // Play: normalized time or seconds; CrossFade: offset
  double duration = 0;
  double start = 0;  // progress
};

struct LayerState {
  LiveState current, next, interrupted;
  RunningTransition transition;
  PendingCommand command;
  float weight = 1;
  float frozen_presence = 1;       // share of the frozen pose that is not an empty state
  float frozen_foot_ik = 0;        // of the frozen pose
  std::uint8_t frozen = 0;         // the source side is the stored pose of this layer
  std::uint8_t frozen_curves = 0;  // ... and the stored values of its curves
  std::uint8_t unused[2] = {};
};

// What the curves of a frozen pose gave a float parameter in a layer.
struct FrozenCurve {
  float sum = 0;    // of weight * value over the motions that have the curve
  float there = 0;  // their weights
};

union ParameterValue {
  float number;
  std::int32_t integer;
};

// A request that a joint be at a place at a point of the current state (rules, 12.12). The host, or
// the character, moves the root for it: see MatchOut in output.hpp.
struct MatchTarget {
  std::int32_t joint = -1;
  Vec3 position;                  // world
  Quat rotation;                  // world
  Vec3 position_weight{1, 1, 1};  // per axis, [0, 1]
  float rotation_weight = 0;      // [0, 1], of the turn about +Y
  double start = 0;               // normalized time in the cycle, from which it is corrected
  double end = 1;                 // and by which it is there; above 1: cycles later
  bool complete = true;           // if it is interrupted, the rest is corrected at once
};

struct MatchState {
  enum class Phase : std::uint8_t { kNone, kRequested, kRunning };
  Phase phase = Phase::kNone;
  std::uint8_t complete = 0;
  std::uint8_t unused[2] = {};
  std::int32_t joint = -1;
  Vec3 position;
  Quat rotation;
  Vec3 position_weight;
  float rotation_weight = 0;
  std::uint32_t unused2 = 0;
  double start = 0, end = 0;  // once it runs: normalized time of the state, loops counted
};

struct StateHeader {
  std::uint64_t definition_hash = 0;
  std::uint32_t size = 0;
  std::uint8_t started = 0;
  std::uint8_t bad_dt = 0;  // this update's dt was refused
  std::uint8_t fire_events = 1;
  std::uint8_t unused = 0;
  double speed = 1;  // of the whole controller
  std::uint64_t updates = 0;
  MatchState match;  // of layer 0
};

// A view of one instance's bytes. Cheap to copy; the bytes must outlive it, be aligned to 8 and
// have def.state_size() of them. None of its functions allocates or looks a name up.
class ControllerState {
 public:
  ControllerState(const ControllerDef& def, std::span<std::byte> bytes);

  // Start values of parameters and layer weights; the next update enters the root Entry. What else
  // is the host's choice (speed, fire_events) goes back to its start value too.
  void reset();
  // The bytes as they are now / replaced by a copy taken earlier. Restoring bytes of another
  // definition, of the wrong size, or damaged ones is an error and changes nothing. (Between states
  // of one program a plain copy of the bytes does the same without the checks.) The stored poses
  // that the program of an update writes belong to the state: save and restore them with it.
  std::span<const std::byte> bytes() const { return bytes_; }
  Status restore(std::span<const std::byte> saved);

  // Setters refuse (return false and change nothing): a null id, the wrong type, NaN or infinity,
  // and a parameter that a curve drives (from the first update on).
  bool set_float(ParamId id, float value);
  bool set_int(ParamId id, std::int32_t value);
  bool set_bool(ParamId id, bool value);
  bool set_trigger(ParamId id);
  bool reset_trigger(ParamId id);
  // By number, for any type: bool and trigger by value != 0.
  bool set(ParamId id, double value);
  bool is_driven(ParamId id) const;
  // Toward `value`, 98 % of the way in damp_time seconds (rules, 12.11; ControllerPolicy::damping);
  // damp_time <= 0: at once.
  bool set_float_damped(ParamId id, float value, float damp_time, float dt);
  // 0 for a null id.
  float get_float(ParamId id) const;
  std::int32_t get_int(ParamId id) const;
  bool get_bool(ParamId id) const;  // triggers too

  // Clamped to [0, 1]; refused for layer 0 and NaN.
  bool set_layer_weight(int layer, float weight);
  float layer_weight(int layer) const;
  // Speed of everything, >= 0.
  bool set_speed(float speed);
  // Whether clips fire their events.
  void set_fire_events(bool fire);

  // Commands wait for the next update; the last one per layer wins. The layer is the state's own.
  // Rules, section 12; rulings, 17 and 27. Refused (false): null or synced state, values that are
  // not finite, negative durations.
  bool play(StateId state);  // no effect if it is current
  bool play(StateId state, double normalized_time);
  bool play_at_seconds(StateId state, double seconds);
  // `duration` in the current state's lengths, `offset` normalized; without one a state that is
  // current goes on as it is. `start`: the progress with which the transition begins.
  bool cross_fade(StateId state, double duration, std::optional<double> offset = std::nullopt,
                  double start = 0);
  bool cross_fade_seconds(StateId state, double seconds, double offset_seconds = 0,
                          double start = 0);
  // Moves the layer's current state to a normalized time.
  bool seek(int layer, double normalized_time);

  // Layer 0 alone. Refused (false) in a transition, while another one runs, before the first
  // update, and for values that are not finite or an end that is not after the start.
  bool match_target(const MatchTarget& target);
  void cancel_match();

  // As of the last update.
  StateId current(int layer) const;
  StateId next(int layer) const;  // null outside a transition
  StateId interrupted(int layer) const;
  bool in_transition(int layer) const { return static_cast<bool>(next(layer)); }
  double current_time(int layer) const;  // normalized
  double next_time(int layer) const;
  double progress(int layer) const;  // 0 outside a transition
  TransitionInfo transition(int layer) const;
  bool frozen(int layer) const;
  const LayerState& layer(int index) const;
  const StateHeader& header() const;

  const ControllerDef& def() const { return *def_; }
  // For the runtime.
  LayerState& layer_ref(int index);
  StateHeader& header_ref();
  std::span<ParameterValue> parameters();
  std::span<const ParameterValue> parameters() const;
  FrozenCurve& frozen_curve(std::size_t layer, std::int32_t float_index);
  const FrozenCurve& frozen_curve(std::size_t layer, std::int32_t float_index) const {
    return const_cast<ControllerState*>(this)->frozen_curve(layer, float_index);
  }
  std::span<std::uint8_t> driven();

 private:
  bool command(StateId state, const PendingCommand& pending);
  const ControllerDef* def_;
  std::span<std::byte> bytes_;
};

// Owns the bytes of one instance; allocates when made, never after.
class ControllerInstance {
 public:
  explicit ControllerInstance(const ControllerDef& def);
  ControllerState state() { return {*def_, std::as_writable_bytes(std::span(words_))}; }

 private:
  const ControllerDef* def_;
  std::vector<std::uint64_t> words_;
};

}  // namespace sinew
