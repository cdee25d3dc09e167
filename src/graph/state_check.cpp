// Whether saved bytes can be the state of a controller: they may come out of a damaged file.
#include <cstring>

#include <sinew/math/scalar.hpp>

#include "layout.hpp"

namespace sinew::graph_detail {
namespace {

template <class T>
T read(std::span<const std::byte> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

bool is_share(double x) { return x >= 0 && x <= 1; }
// A sum of weights may pass 1 by rounding.
bool is_sum(float x) { return x >= 0 && x <= 1.001f; }

bool is_playhead(const Playhead& p) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 53;
  return p.fraction >= 0 && p.fraction < 1 && p.loops > -kFarthest && p.loops < kFarthest;
}

// The leader of a synced state is one of its motions: a node of the right kind is enough, as its
// markers are looked up by node.
bool is_leader(std::int32_t node, const ControllerTables& t) {
  if (node == -1) return true;
  return node >= 0 && static_cast<std::size_t>(node) < t.nodes.size() &&
         t.nodes[static_cast<std::size_t>(node)].kind == MotionNodeDef::Kind::kMotion;
}

bool is_live(const LiveState& live, const LayerDef& layer, const ControllerTables& t,
             bool required) {
  if (live.held > 1 || !is_leader(live.leader, t) || !is_finite(live.skipped)) return false;
  if (live.state < 0) return live.state == -1 && !required;
  const auto state = static_cast<std::uint32_t>(live.state);
  return state >= layer.first_state && state < layer.first_state + layer.state_count &&
         is_playhead(live.before) && is_playhead(live.now) && is_finite(live.motion_time_before) &&
         is_finite(live.delta);
}

bool is_phase(const PhaseRef& ref, const ControllerTables& t) {
  return ref.motion >= -1 && ref.motion < static_cast<std::int32_t>(t.motions.size()) &&
         ref.mirror <= 1 && is_finite(ref.offset);
}

bool is_transition(const LayerState& s, const LayerDef& layer, const ControllerTables& t) {
  const RunningTransition& r = s.transition;
  const bool runs = s.next.state >= 0;
  if (r.kind > TransitionKind::kCrossFade || runs != (r.kind != TransitionKind::kNone))
    return false;
  if (s.frozen > 1 || s.frozen_curves > 1 || ((s.frozen || s.frozen_curves) && !runs)) return false;
  if (r.blend > TransitionBlend::kDeadBlend) return false;
  const bool plain = r.blend == TransitionBlend::kCrossFade;
  if (!plain && (layer.offsets < 0 || s.frozen || !runs)) return false;
  if (!is_phase(r.from, t) || !is_phase(r.to, t) || (r.from.motion < 0) != (r.to.motion < 0) ||
      (r.from.motion >= 0 && !runs) || !is_finite(r.seconds)) {
    return false;
  }
  const bool defined = r.kind == TransitionKind::kDefined;
  if (!defined && r.index != -1) return false;
  if (defined && (r.index < 0 || static_cast<std::size_t>(r.index) >= t.transitions.size())) {
    return false;
  }
  return is_share(r.progress) && is_finite(r.duration) && (!runs || r.duration > 0);
}

bool is_command(const PendingCommand& c, const LayerDef& layer) {
  if (c.kind > CommandKind::kCrossFade) return false;
  const auto state = static_cast<std::uint32_t>(c.state);
  const bool inside = state >= layer.first_state && state < layer.first_state + layer.state_count;
  const bool no_state_needed = c.kind == CommandKind::kNone || c.kind == CommandKind::kPlay;
  if (!inside && !(c.state == -1 && no_state_needed)) return false;
  return is_finite(c.time) && is_finite(c.duration) && c.duration >= 0 && is_share(c.start);
}

bool is_layer(const LayerState& s, const LayerDef& layer, const ControllerTables& t, bool started) {
  if (!is_share(static_cast<double>(s.weight)) || !is_sum(s.frozen_presence) ||
      !is_sum(s.frozen_foot_ik)) {
    return false;
  }
  const bool machine = layer.sync < 0;
  return is_live(s.current, layer, t, started && machine) && is_live(s.next, layer, t, false) &&
         is_live(s.interrupted, layer, t, false) && is_transition(s, layer, t) &&
         is_command(s.command, layer);
}

bool is_match(const MatchState& m) {
  return m.phase <= MatchState::Phase::kRunning && is_finite(m.position) && is_finite(m.rotation) &&
         is_finite(m.position_weight) && is_finite(m.rotation_weight) && is_finite(m.start) &&
         is_finite(m.end);
}

}  // namespace

bool is_sound_state(const ControllerTables& t, std::span<const std::byte> bytes) {
  const StateLayout layout = state_layout(t);
  if (bytes.size() != layout.size) return false;
  const auto header = read<StateHeader>(bytes, 0);
  if (!is_finite(header.speed) || header.speed < 0 || header.started > 1 ||
      header.fire_events > 1 || !is_match(header.match)) {
    return false;
  }
  for (std::size_t i = 0; i < t.layers.size(); ++i) {
    const auto layer = read<LayerState>(bytes, layout.layers + i * sizeof(LayerState));
    if (!is_layer(layer, t.layers[i], t, header.started != 0)) return false;
  }
  for (std::size_t i = 0; i < t.parameters.size(); ++i) {
    const auto value = read<ParameterValue>(bytes, layout.parameters + i * sizeof(ParameterValue));
    if (t.parameters[i].type == ParameterType::kFloat && !is_finite(value.number)) return false;
  }
  for (std::size_t i = 0; i < t.layers.size() * t.float_count; ++i) {
    const auto curve = read<FrozenCurve>(bytes, layout.curves + i * sizeof(FrozenCurve));
    if (!is_finite(curve.sum) || !is_finite(curve.there)) return false;
  }
  return true;
}

}  // namespace sinew::graph_detail
