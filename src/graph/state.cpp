#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <type_traits>

#include <sinew/base/text.hpp>
#include <sinew/graph/state.hpp>
#include <sinew/math/scalar.hpp>
#include <sinew/math/trig.hpp>

#include "runtime.hpp"

namespace sinew {

static_assert(std::is_trivially_copyable_v<LayerState> &&
              std::is_trivially_copyable_v<StateHeader>);
static_assert(sizeof(LayerState) % 8 == 0 && sizeof(StateHeader) % 8 == 0);

Playhead Playhead::from(double n) {
  // Beyond this a double has no fraction left, and the integer must not overflow.
  constexpr double kFarthest = 4503599627370496.0;  // 2^52
  if (!is_finite(n)) n = 0;
  n = std::min(std::max(n, -kFarthest), kFarthest);
  const double whole = std::floor(n);
  return {static_cast<std::int64_t>(whole), n - whole};
}

void Playhead::advance(double delta) {
  const Playhead step = from(delta);
  loops += step.loops;
  fraction += step.fraction;
  if (fraction >= 1) {
    fraction -= 1;
    ++loops;
  }
  constexpr std::int64_t kMostLoops = std::int64_t{1} << 52;
  loops = std::min(std::max(loops, -kMostLoops), kMostLoops);
}

ControllerState::ControllerState(const ControllerDef& def, std::span<std::byte> bytes)
    : def_(&def), bytes_(bytes) {
  assert(bytes.size() >= def.state_size());
  assert(reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(double) == 0);
  bytes_ = bytes.first(def.state_size());
}

const StateHeader& ControllerState::header() const {
  return *reinterpret_cast<const StateHeader*>(bytes_.data());
}
StateHeader& ControllerState::header_ref() {
  return *reinterpret_cast<StateHeader*>(bytes_.data());
}

LayerState& ControllerState::layer_ref(int index) {
  assert(index >= 0 && index < def_->layer_count());
  const std::size_t at = graph_detail::state_layout(def_->tables()).layers;
  return reinterpret_cast<LayerState*>(bytes_.data() + at)[index];
}
const LayerState& ControllerState::layer(int index) const {
  return const_cast<ControllerState*>(this)->layer_ref(index);
}

std::span<ParameterValue> ControllerState::parameters() {
  const std::size_t at = graph_detail::state_layout(def_->tables()).parameters;
  return {reinterpret_cast<ParameterValue*>(bytes_.data() + at), def_->tables().parameters.size()};
}
std::span<const ParameterValue> ControllerState::parameters() const {
  return const_cast<ControllerState*>(this)->parameters();
}

FrozenCurve& ControllerState::frozen_curve(std::size_t layer, std::int32_t float_index) {
  const ControllerTables& t = def_->tables();
  const std::size_t at = graph_detail::state_layout(t).curves;
  return reinterpret_cast<FrozenCurve*>(
      bytes_.data() + at)[layer * t.float_count + static_cast<std::size_t>(float_index)];
}
std::span<std::uint8_t> ControllerState::driven() {
  const std::size_t at = graph_detail::state_layout(def_->tables()).driven;
  return {reinterpret_cast<std::uint8_t*>(bytes_.data() + at), def_->tables().parameters.size()};
}
bool ControllerState::is_driven(ParamId id) const {
  return id.index >= 0 && id.index < def_->parameter_count() &&
         const_cast<ControllerState*>(this)->driven()[static_cast<std::size_t>(id.index)] != 0;
}

void ControllerState::reset() {
  std::memset(bytes_.data(), 0, bytes_.size());
  StateHeader header;
  header.definition_hash = def_->hash();
  header.size = static_cast<std::uint32_t>(bytes_.size());
  header_ref() = header;
  const ControllerTables& t = def_->tables();
  for (int i = 0; i < def_->layer_count(); ++i) {
    layer_ref(i) = LayerState{};
    layer_ref(i).weight = t.layers[static_cast<std::size_t>(i)].weight;
  }
  const std::span<ParameterValue> values = parameters();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (t.parameters[i].type == ParameterType::kFloat) {
      values[i].number = t.parameters[i].number;
    } else {
      values[i].integer = t.parameters[i].integer;
    }
  }
}

Status ControllerState::restore(std::span<const std::byte> saved) {
  if (saved.size() != bytes_.size()) {
    return make_error(ErrorCode::kMismatch,
                      format_text("the saved state has %zu bytes, this controller needs %zu",
                                  saved.size(), bytes_.size()),
                      def_->name());
  }
  StateHeader header;
  std::memcpy(&header, saved.data(), sizeof header);
  if (header.definition_hash != def_->hash()) {
    return make_error(ErrorCode::kMismatch, "the saved state is of another controller",
                      def_->name());
  }
  if (!graph_detail::is_sound_state(def_->tables(), saved)) {
    return make_error(ErrorCode::kMalformed, "the saved state is damaged", def_->name());
  }
  std::memcpy(bytes_.data(), saved.data(), saved.size());
  return {};
}

namespace {

bool is_type(const ControllerDef& def, ParamId id, ParameterType type) {
  return id.index >= 0 && id.index < def.parameter_count() &&
         def.tables().parameters[static_cast<std::size_t>(id.index)].type == type;
}

}  // namespace

bool ControllerState::set_float(ParamId id, float value) {
  if (!is_type(*def_, id, ParameterType::kFloat) || !is_finite(value)) return false;
  if (is_driven(id)) return false;
  parameters()[static_cast<std::size_t>(id.index)].number = value;
  return true;
}

bool ControllerState::set_int(ParamId id, std::int32_t value) {
  if (!is_type(*def_, id, ParameterType::kInt)) return false;
  parameters()[static_cast<std::size_t>(id.index)].integer = value;
  return true;
}

bool ControllerState::set_bool(ParamId id, bool value) {
  if (!is_type(*def_, id, ParameterType::kBool)) return false;
  parameters()[static_cast<std::size_t>(id.index)].integer = value ? 1 : 0;
  return true;
}

bool ControllerState::set_trigger(ParamId id) {
  if (!is_type(*def_, id, ParameterType::kTrigger)) return false;
  parameters()[static_cast<std::size_t>(id.index)].integer = 1;
  return true;
}

bool ControllerState::reset_trigger(ParamId id) {
  if (!is_type(*def_, id, ParameterType::kTrigger)) return false;
  parameters()[static_cast<std::size_t>(id.index)].integer = 0;
  return true;
}

bool ControllerState::set(ParamId id, double value) {
  if (id.index < 0 || id.index >= def_->parameter_count() || !is_finite(value)) return false;
  switch (def_->tables().parameters[static_cast<std::size_t>(id.index)].type) {
    case ParameterType::kFloat:
      return set_float(id, static_cast<float>(value));
    case ParameterType::kInt:
      if (value < -2147483648.0 || value > 2147483647.0) return false;
      return set_int(id, static_cast<std::int32_t>(value));
    case ParameterType::kBool:
      return set_bool(id, value != 0);
    case ParameterType::kTrigger:
      return value != 0 ? set_trigger(id) : reset_trigger(id);
  }
  return false;
}

bool ControllerState::set_float_damped(ParamId id, float value, float damp_time, float dt) {
  if (!is_finite(damp_time) || !is_finite(dt)) return false;
  if (damp_time <= 0) return set_float(id, value);
  if (!is_type(*def_, id, ParameterType::kFloat) || !is_finite(value) || is_driven(id))
    return false;
  const float step = max(dt, 0.0f);
  const float left = def_->tables().policy.damping == ControllerPolicy::Damping::kExponential
                         ? exp(-4.0f * step / damp_time)
                         : 1 - min(step / damp_time, 1.0f);
  float& x = parameters()[static_cast<std::size_t>(id.index)].number;
  const float next = value + (x - value) * left;
  if (is_finite(next)) x = next;
  return true;
}

float ControllerState::get_float(ParamId id) const {
  return is_type(*def_, id, ParameterType::kFloat)
             ? parameters()[static_cast<std::size_t>(id.index)].number
             : 0.0f;
}

std::int32_t ControllerState::get_int(ParamId id) const {
  return is_type(*def_, id, ParameterType::kInt)
             ? parameters()[static_cast<std::size_t>(id.index)].integer
             : 0;
}

bool ControllerState::get_bool(ParamId id) const {
  return (is_type(*def_, id, ParameterType::kBool) ||
          is_type(*def_, id, ParameterType::kTrigger)) &&
         parameters()[static_cast<std::size_t>(id.index)].integer != 0;
}

bool ControllerState::set_layer_weight(int index, float weight) {
  if (index <= 0 || index >= def_->layer_count() || !is_finite(weight)) return false;
  layer_ref(index).weight = clamp01(weight);
  return true;
}

float ControllerState::layer_weight(int index) const { return layer(index).weight; }

bool ControllerState::set_speed(float speed) {
  if (!is_finite(speed) || speed < 0) return false;
  header_ref().speed = static_cast<double>(speed);
  return true;
}

void ControllerState::set_fire_events(bool fire) { header_ref().fire_events = fire ? 1 : 0; }

bool ControllerState::command(StateId state, const PendingCommand& pending) {
  if (state.index < 0 || state.index >= def_->state_count()) return false;
  if (!is_finite(pending.time) || !is_finite(pending.duration) || pending.duration < 0 ||
      !is_finite(pending.start)) {
    return false;
  }
  PendingCommand& slot = layer_ref(def_->state_layer(state)).command;
  slot = pending;
  slot.state = state.index;
  slot.start = std::min(std::max(slot.start, 0.0), 1.0);
  return true;
}

bool ControllerState::play(StateId state) {
  PendingCommand c;
  c.kind = CommandKind::kPlay;
  return command(state, c);
}

bool ControllerState::play(StateId state, double normalized_time) {
  PendingCommand c;
  c.kind = CommandKind::kPlay;
  c.has_time = 1;
  c.time = normalized_time;
  return command(state, c);
}

bool ControllerState::play_at_seconds(StateId state, double seconds) {
  PendingCommand c;
  c.kind = CommandKind::kPlay;
  c.has_time = 1;
  c.time_in_seconds = 1;
  c.time = seconds;
  return command(state, c);
}

bool ControllerState::cross_fade(StateId state, double duration, std::optional<double> offset,
                                 double start) {
  PendingCommand c;
  c.kind = CommandKind::kCrossFade;
  c.fixed = 0;
  c.has_time = offset ? 1 : 0;
  c.duration = duration;
  c.time = offset.value_or(0);
  c.start = start;
  return command(state, c);
}

bool ControllerState::cross_fade_seconds(StateId state, double seconds, double offset_seconds,
                                         double start) {
  PendingCommand c;
  c.kind = CommandKind::kCrossFade;
  c.has_time = 1;
  c.time_in_seconds = 1;
  c.duration = seconds;
  c.time = offset_seconds;
  c.start = start;
  return command(state, c);
}

bool ControllerState::seek(int index, double normalized_time) {
  if (index < 0 || index >= def_->layer_count() || !is_finite(normalized_time)) return false;
  if (def_->tables().layers[static_cast<std::size_t>(index)].sync >= 0) return false;
  PendingCommand c;
  c.kind = CommandKind::kPlay;
  c.has_time = 1;
  c.time = normalized_time;
  layer_ref(index).command = c;
  return true;
}

bool ControllerState::match_target(const MatchTarget& target) {
  StateHeader& header = header_ref();
  if (!header.started || header.match.phase != MatchState::Phase::kNone || in_transition(0)) {
    return false;
  }
  const bool finite = is_finite(target.position) && is_finite(target.rotation) &&
                      is_finite(target.position_weight) && is_finite(target.rotation_weight) &&
                      is_finite(target.start) && is_finite(target.end);
  if (!finite || target.end <= target.start || target.joint < 0) return false;
  const Vec3 w = target.position_weight;
  MatchState match;
  match.phase = MatchState::Phase::kRequested;
  match.complete = target.complete ? 1 : 0;
  match.joint = target.joint;
  match.position = target.position;
  match.rotation = target.rotation;
  match.position_weight = {clamp01(w.x), clamp01(w.y), clamp01(w.z)};
  match.rotation_weight = clamp01(target.rotation_weight);
  match.start = target.start;
  match.end = target.end;
  header.match = match;
  return true;
}

void ControllerState::cancel_match() { header_ref().match = MatchState{}; }

namespace {

// A synced layer shows the states of the layer that it follows.
int machine_layer(const ControllerDef& def, int index) {
  const int sync = def.tables().layers[static_cast<std::size_t>(index)].sync;
  return sync >= 0 ? sync : index;
}

}  // namespace

StateId ControllerState::current(int index) const {
  return {layer(machine_layer(*def_, index)).current.state};
}
StateId ControllerState::next(int index) const {
  return {layer(machine_layer(*def_, index)).next.state};
}
StateId ControllerState::interrupted(int index) const {
  return {layer(machine_layer(*def_, index)).interrupted.state};
}
double ControllerState::current_time(int index) const {
  return layer(machine_layer(*def_, index)).current.now.value();
}
double ControllerState::next_time(int index) const {
  return layer(machine_layer(*def_, index)).next.now.value();
}
double ControllerState::progress(int index) const {
  const LayerState& state = layer(machine_layer(*def_, index));
  return state.next.state >= 0 ? state.transition.progress : 0.0;
}
TransitionInfo ControllerState::transition(int index) const {
  const RunningTransition& run = layer(machine_layer(*def_, index)).transition;
  TransitionInfo info;
  info.kind = run.kind;
  info.fixed = run.fixed != 0;
  info.blend = run.blend;
  info.transition = run.index;
  info.progress = run.progress;
  info.weight = graph_detail::target_weight(def_->tables(), run);
  info.duration = run.duration;
  info.any_state =
      run.kind == TransitionKind::kCrossFade ||
      (run.index >= 0 && def_->tables().transitions[static_cast<std::size_t>(run.index)].from_any);
  return info;
}
bool ControllerState::frozen(int index) const {
  return layer(machine_layer(*def_, index)).frozen != 0;
}

ControllerInstance::ControllerInstance(const ControllerDef& def)
    : def_(&def), words_(def.state_size() / sizeof(std::uint64_t)) {
  state().reset();
}

}  // namespace sinew
