#include <algorithm>

#include <sinew/base/text.hpp>
#include <sinew/graph/motion_table.hpp>
#include <sinew/math/scalar.hpp>

#include "compiler.hpp"
#include "layout.hpp"

namespace sinew {
namespace graph_detail {

void Compiler::run() {
  t_.name = source_.name;
  t_.policy = source_.policy;
  add_parameters();
  add_motions();
  add_layers();
  set_limits();
}

bool Compiler::check_finite(double value, const char* what, const std::string& place) {
  if (is_finite(value)) return true;
  error("controller.not_finite", place, std::string(what) + " is not a finite number");
  return false;
}

void Compiler::add_parameters() {
  for (const ParameterSource& p : source_.parameters) {
    const std::string place = "parameter " + quoted(p.name);
    if (p.name.empty()) {
      error("controller.no_name", "parameters", "a parameter has no name");
      continue;
    }
    const auto index = static_cast<std::int32_t>(t_.parameters.size());
    if (!parameter_ids_.emplace(p.name, index).second) {
      error("controller.duplicate_parameter", place, "is declared twice");
      continue;
    }
    ParameterDef def;
    def.type = p.type;
    if (p.type == ParameterType::kFloat) {
      def.float_index = static_cast<std::int32_t>(t_.float_count++);
    }
    if (check_finite(p.value, "its value", place)) {
      if (p.type == ParameterType::kFloat) {
        def.number = static_cast<float>(p.value);
        if (!is_finite(def.number)) {
          error("controller.out_of_range", place, "its value is beyond the range of a float");
        }
      } else if (p.type == ParameterType::kInt) {
        if (p.value < -2147483648.0 || p.value > 2147483647.0) {
          error("controller.out_of_range", place, "its value is beyond the range of an int");
        } else {
          def.integer = static_cast<std::int32_t>(p.value);
        }
      } else {
        def.integer = p.value != 0 ? 1 : 0;
      }
    }
    t_.parameters.push_back(def);
    t_.parameter_names.push_back(p.name);
  }
}

void Compiler::add_motions() {
  for (const MotionSource& m : source_.motions) {
    const std::string place = "motion " + quoted(m.name);
    if (m.name.empty()) {
      error("controller.no_name", "motions", "a motion has no name");
      continue;
    }
    if (!motion_ids_.emplace(m.name, static_cast<std::int32_t>(t_.motions.size())).second) {
      error("controller.duplicate_motion", place, "is declared twice");
      continue;
    }
    if (m.length) {
      runs_alone_ = true;
      if (check_finite(*m.length, "its length", place) && *m.length < 0) {
        error("controller.out_of_range", place, "its length is negative");
      }
    }
    check_motion(m, place);
    t_.motions.push_back(m);
  }
  declared_motions_ = t_.motions.size();
  // A reference may be a clip that no state plays.
  for (const MotionSource& m : source_.motions) {
    if (m.reference) motion_index(*m.reference, "motion " + quoted(m.name) + ": reference");
  }
}

void Compiler::check_motion(const MotionSource& m, const std::string& place) {
  if (m.value) check_finite(*m.value, "its value", place);
  check_finite(m.cycle_offset, "its cycle offset", place);
  if (check_finite(m.reference_time, "its reference time", place) && m.reference_time < 0) {
    error("controller.out_of_range", place, "its reference time is negative");
  }
  const double length = m.length ? *m.length : 1.0;
  const auto check_times = [&](const std::vector<MotionEventSource>& list, const char* what) {
    for (const MotionEventSource& item : list) {
      if (check_finite(item.time, "a time", place) && (item.time < 0 || item.time > length)) {
        error("controller.out_of_range", place,
              std::string(what) + " " + quoted(item.name) + " lies outside the motion's length");
      }
    }
  };
  check_times(m.events, "event");
  check_times(m.markers, "marker");
  if (m.markers.size() > kMostSyncMarkers) {
    error("controller.too_many_markers", place,
          format_text("it has %zu markers; at most %zu are possible", m.markers.size(),
                      kMostSyncMarkers));
  }
  for (const MotionCurveSource& curve : m.curves) {
    const std::string curve_place = place + ": curve " + quoted(curve.parameter);
    resolve_parameter(curve.parameter, ParameterType::kFloat, curve_place, "parameter");
    if (curve.keys.empty()) error("controller.empty_curve", curve_place, "it has no keys");
    for (std::size_t i = 0; i < curve.keys.size(); ++i) {
      const auto [time, value] = curve.keys[i];
      const bool finite = check_finite(static_cast<double>(static_cast<float>(time)),
                                       "the time of a key", curve_place) &&
                          check_finite(static_cast<double>(static_cast<float>(value)),
                                       "the value of a key", curve_place);
      if (finite && i > 0 &&
          static_cast<float>(time) <= static_cast<float>(curve.keys[i - 1].first)) {
        error("controller.out_of_order", curve_place, "the times of its keys do not rise");
      }
    }
  }
}

std::int32_t Compiler::resolve_parameter(std::string_view name, ParameterType type,
                                         const std::string& place, const char* use) {
  const auto found = parameter_ids_.find(name);
  if (found == parameter_ids_.end()) {
    const std::vector<std::string_view> names(t_.parameter_names.begin(), t_.parameter_names.end());
    error("controller.unknown_parameter", place,
          std::string(use) + " " + quoted(name) + " is not declared" + did_you_mean(name, names));
    return -1;
  }
  const ParameterType got = t_.parameters[static_cast<std::size_t>(found->second)].type;
  if (got != type) {
    error("controller.parameter_type", place,
          std::string(use) + " " + quoted(name) + " is of type " + std::string(to_string(got)) +
              ", not " + std::string(to_string(type)));
    return -1;
  }
  return found->second;
}

void Compiler::add_layers() {
  if (source_.layers.empty()) error("controller.no_layers", "layers", "there is no layer");
  constexpr std::size_t kMostLayers = 255;  // PoseTask::count has eight bits
  if (source_.layers.size() > kMostLayers) {
    error(
        "controller.too_many_layers", "layers",
        format_text("there are %zu; at most %zu are possible", source_.layers.size(), kMostLayers));
    return;
  }
  for (std::size_t i = 0; i < source_.layers.size(); ++i) add_layer(i);
  // Synced layers come last, because their source may be any other layer.
  for (std::size_t i = 0; i < source_.layers.size(); ++i) {
    if (source_.layers[i].sync.empty()) continue;
    layer_ = static_cast<std::int32_t>(i);
    add_synced_layer(source_.layers[i], t_.layers[i], "layer " + quoted(source_.layers[i].name));
  }
}

void Compiler::add_layer(std::size_t index) {
  const LayerSource& layer = source_.layers[index];
  layer_ = static_cast<std::int32_t>(index);
  layer_place_ = "layer " + quoted(layer.name);
  if (layer.name.empty()) error("controller.no_name", "layers", "a layer has no name");
  if (std::find(t_.layer_names.begin(), t_.layer_names.end(), layer.name) != t_.layer_names.end()) {
    error("controller.duplicate_layer", layer_place_, "is declared twice");
  }
  LayerDef def;
  def.blending = index == 0 ? LayerBlending::kOverride : layer.blending;
  def.ik_pass = layer.ik_pass;
  if (index > 0 && check_finite(layer.weight, "its weight", layer_place_)) {
    def.weight = clamp01(static_cast<float>(layer.weight));
  }
  if (!layer.mask.empty()) {
    const auto next = static_cast<std::int32_t>(t_.mask_names.size());
    const auto [entry, added] = mask_ids_.emplace(layer.mask, next);
    if (added) t_.mask_names.push_back(layer.mask);
    def.mask = entry->second;
  }
  def.root_motion = layer.root_motion.value_or(
      layer.mask.empty() && (index == 0 || layer.blending == LayerBlending::kOverride));
  def.first_state = static_cast<std::uint32_t>(t_.states.size());
  def.first_any = static_cast<std::uint32_t>(t_.transitions.size());
  if (layer.sync.empty()) add_machine(layer, def);
  t_.layers.push_back(def);
  t_.layer_names.push_back(layer.name);
}

void Compiler::add_synced_layer(const LayerSource& layer, LayerDef& def, const std::string& place) {
  const std::vector<std::string_view> names(t_.layer_names.begin(), t_.layer_names.end());
  const auto found = std::find(names.begin(), names.end(), layer.sync);
  if (found == names.end()) {
    error("controller.unknown_layer", place,
          "the layer " + quoted(layer.sync) + " that it follows does not exist" +
              did_you_mean(layer.sync, names));
    return;
  }
  const auto source = static_cast<std::size_t>(found - names.begin());
  if (!source_.layers[source].sync.empty()) {
    error("controller.synced_to_synced", place,
          "it follows layer " + quoted(layer.sync) + ", which follows another one itself");
    return;
  }
  def.sync = static_cast<std::int32_t>(source);
  def.sync_timing = layer.sync_timing;
  def.first_synced_node = static_cast<std::uint32_t>(t_.synced_nodes.size());
  const LayerDef from = t_.layers[source];
  t_.synced_nodes.resize(t_.synced_nodes.size() + from.state_count, -1);
  for (const SyncedMotionSource& synced : layer.synced_motions) {
    const std::string prefix = layer.sync + ".";
    std::int32_t state = -1;
    std::vector<std::string_view> states;
    for (std::uint32_t i = 0; i < from.state_count; ++i) {
      const std::size_t index = from.first_state + i;
      const std::string_view path = std::string_view(t_.state_paths[index]).substr(prefix.size());
      states.push_back(path);
      if (path == synced.state || (state < 0 && t_.state_names[index] == synced.state)) {
        state = static_cast<std::int32_t>(i);
        if (path == synced.state) break;
      }
    }
    if (state < 0) {
      error("controller.unknown_state", place,
            "state " + quoted(synced.state) + " is not in layer " + quoted(layer.sync) +
                did_you_mean(synced.state, states));
      continue;
    }
    const std::int32_t node = add_node(synced.motion, place + ": state " + quoted(synced.state));
    t_.synced_nodes[def.first_synced_node + static_cast<std::uint32_t>(state)] = node;
  }
}

// Layers that have to keep offsets: their own transitions, or those of the layer they follow, ask
// for it.
void Compiler::add_offsets() {
  for (LayerDef& layer : t_.layers) {
    const auto source = static_cast<std::size_t>(layer.sync);
    const LayerDef& own = layer.sync >= 0 ? t_.layers[source] : layer;
    const auto asks = [&](std::uint32_t first, std::uint32_t count) {
      return std::any_of(
          t_.transitions.begin() + first, t_.transitions.begin() + first + count,
          [](const TransitionDef& x) { return x.blend != TransitionBlend::kCrossFade; });
    };
    bool any = asks(own.first_any, own.any_count);
    for (std::uint32_t i = 0; i < own.state_count && !any; ++i) {
      const StateDef& state = t_.states[own.first_state + i];
      any = asks(state.first_transition, state.transition_count);
    }
    if (any) layer.offsets = static_cast<std::int32_t>(t_.limits.offsets++);
  }
}

std::size_t Compiler::count_leaves(std::int32_t index) const {
  if (index < 0) return 0;
  const MotionNodeDef& node = t_.nodes[static_cast<std::size_t>(index)];
  if (node.kind != MotionNodeDef::Kind::kTree) return 1;
  std::size_t leaves = 0;
  for (std::uint32_t i = 0; i < node.child_count; ++i) {
    leaves += count_leaves(t_.children[node.first_child + i].node);
  }
  return leaves;
}

std::size_t Compiler::layer_leaves(std::size_t index) const {
  const LayerDef& layer = t_.layers[index];
  std::size_t most = 1;
  if (layer.sync >= 0) {
    const std::uint32_t count = t_.layers[static_cast<std::size_t>(layer.sync)].state_count;
    for (std::uint32_t i = 0; i < count; ++i) {
      most = std::max(most, count_leaves(t_.synced_nodes[layer.first_synced_node + i]));
    }
    return most;
  }
  for (std::uint32_t i = 0; i < layer.state_count; ++i) {
    most = std::max(most, count_leaves(t_.states[layer.first_state + i].node));
  }
  return most;
}

std::size_t Compiler::layer_verdicts(std::size_t index) const {
  const LayerDef& layer = t_.layers[index];
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < layer.state_count; ++i) {
    most = std::max<std::size_t>(most, t_.states[layer.first_state + i].transition_count);
  }
  return layer.any_count + 2 * most;
}

void Compiler::set_limits() {
  ControllerLimits& limits = t_.limits;
  for (const MotionNodeDef& node : t_.nodes)
    t_.max_children = std::max(t_.max_children, node.child_count);
  std::size_t deepest = 1;
  for (std::size_t i = 0; i < t_.layers.size(); ++i) {
    const std::size_t leaves = layer_leaves(i);
    t_.max_leaves = std::max(t_.max_leaves, static_cast<std::uint32_t>(leaves));
    // Of one live state: each leaf at most a clip, its mirror, a reference, its mirror and their
    // difference; a remainder of the default pose; a blend, and what fills it. The live states, and
    // what joins them.
    const std::size_t one_state = 5 * leaves + 6;
    limits.tasks += kMostSides * one_state + 12;
    limits.weights += kMostSides * (leaves + 1);
    limits.root_motions += 3 * leaves;
    limits.clip_events += 32 + 8 * leaves;
    // One start and one completion, three live states in each pass of the behaviours, and a walk up
    // and down through machines.
    limits.state_events += 28 + 2 * std::min<std::size_t>(t_.machines.size(), 64);
    limits.consumed += t_.parameters.size();
    limits.verdicts += layer_verdicts(i);
    deepest = std::max(deepest, leaves + 6);
  }
  // Every layer has a share of the same size, whatever its own states need.
  limits.leaves = t_.layers.size() * kLeafSets * t_.max_leaves;
  limits.stored_poses = t_.layers.size();
  const bool holds = std::any_of(t_.states.begin(), t_.states.end(),
                                 [](const StateDef& s) { return !s.write_defaults; });
  if (holds) {
    t_.shown_pose = static_cast<std::int32_t>(limits.stored_poses);
    t_.held_poses = t_.shown_pose + 1;
    limits.stored_poses += 3;
  }
  add_offsets();
  limits.scalar_memory = 2 * limits.stored_poses + kScalarOffsetFloats * limits.offsets;
  limits.stack_depth = deepest + 2;
  const std::uint32_t most = std::max(t_.max_leaves, t_.max_children);
  if (most > kMostLeaves) {
    error("controller.too_many_motions", "layers",
          format_text("a state blends %u motions; at most %u are possible", most, kMostLeaves));
  }
}

}  // namespace graph_detail

Result<ControllerDef> compile_controller(const ControllerSource& source, Findings* findings) {
  Findings own;
  graph_detail::Compiler compiler(source, own);
  compiler.run();
  int errors = 0;
  Error first;
  for (const Finding& finding : own) {
    if (finding.severity != Severity::kError) continue;
    if (errors++ == 0)
      first = make_error(ErrorCode::kInvalidArgument, finding.message, finding.place);
  }
  if (findings != nullptr) findings->insert(findings->end(), own.begin(), own.end());
  if (errors > 1) first.message += format_text(" (and %d more)", errors - 1);
  if (errors > 0) return first;
  ControllerDef def;
  def.tables_ = std::move(compiler.tables());
  def.state_size_ = graph_detail::state_layout(def.tables_).size;
  def.hash_ = graph_detail::hash_tables(def.tables_);
  return def;
}

}  // namespace sinew
