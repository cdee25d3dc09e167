#include <algorithm>

#include <sinew/base/text.hpp>
#include <sinew/math/scalar.hpp>

#include "compiler.hpp"

namespace sinew::graph_detail {
namespace {

constexpr int kDeepestMachine = 32;

std::string join(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

std::vector<bool> solo_flags(const std::vector<TransitionSource>& list) {
  std::vector<bool> flags;
  flags.reserve(list.size());
  for (const TransitionSource& t : list) flags.push_back(t.solo && !t.mute);
  return flags;
}

const StateSource& empty_state() {
  static const StateSource state = [] {
    StateSource s;
    s.name = "(empty)";
    return s;
  }();
  return state;
}

}  // namespace

void Compiler::add_machine(const LayerSource& layer, LayerDef& def) {
  scopes_.clear();
  state_sources_.clear();
  def.root_machine = static_cast<std::int32_t>(t_.machines.size());
  add_scope(layer.root, -1, def, 0);
  def.state_count = static_cast<std::uint32_t>(t_.states.size()) - def.first_state;
  add_any_list(def);
  for (std::size_t i = 0; i < scopes_.size(); ++i) resolve_scope(static_cast<std::int32_t>(i));
}

void Compiler::add_scope(const MachineSource& machine, std::int32_t parent, const LayerDef& def,
                         int depth) {
  const auto index = static_cast<std::int32_t>(scopes_.size());
  MachineScope scope;
  scope.source = &machine;
  scope.index = static_cast<std::int32_t>(t_.machines.size());
  scope.parent = parent;
  MachineDef machine_def;
  machine_def.layer = layer_;
  if (parent >= 0) {
    const MachineScope& above = scopes_[static_cast<std::size_t>(parent)];
    scope.path = join(above.path, machine.name);
    machine_def.parent = above.index;
    if (machine.name.empty()) {
      error("controller.no_name", layer_place_, "a machine has no name");
    }
  }
  if (depth > kDeepestMachine) {
    error("controller.too_deep", layer_place_ + ": machine " + quoted(scope.path),
          "machines are nested too deeply");
    return;
  }
  scopes_.push_back(scope);
  t_.machines.push_back(machine_def);
  t_.machine_names.push_back(scope.path);
  for (const StateSource& state : machine.states) add_state(state, index);
  if (machine.states.empty() && machine.machines.empty()) {
    warning("controller.empty_machine",
            layer_place_ + (scope.path.empty() ? "" : ": machine " + quoted(scope.path)),
            "has no state; an empty one stands in");
    add_state(empty_state(), index);
  }
  for (const MachineSource& child : machine.machines) {
    scopes_[static_cast<std::size_t>(index)].machines.push_back(
        static_cast<std::int32_t>(scopes_.size()));
    for (const MachineSource& other : machine.machines) {
      if (&other == &child) break;
      if (other.name == child.name) {
        error("controller.duplicate_machine",
              layer_place_ + ": machine " + quoted(join(scope.path, child.name)),
              "two machines have this name");
      }
    }
    add_scope(child, index, def, depth + 1);
  }
}

void Compiler::add_state(const StateSource& state, std::int32_t scope_index) {
  MachineScope& scope = scopes_[static_cast<std::size_t>(scope_index)];
  const std::string path = join(scope.path, state.name);
  const std::string place = layer_place_ + ": state " + quoted(path);
  if (state.name.empty()) {
    error("controller.no_name", layer_place_, "a state has no name");
  } else if (state.name[0] == '(' && &state != &empty_state()) {
    error("controller.reserved_name", place, "a name must not begin with '('");
  }
  for (std::int32_t other : scope.states) {
    if (t_.state_names[static_cast<std::size_t>(other)] == state.name && !state.name.empty()) {
      error("controller.duplicate_state", place, "two states have this name");
    }
  }
  StateDef def;
  def.layer = layer_;
  def.machine = scope.index;
  def.speed = state.speed;
  def.cycle_offset = state.cycle_offset;
  def.mirror = state.mirror;
  def.write_defaults = state.write_defaults;
  def.foot_ik = state.foot_ik;
  def.sync_markers = state.sync_markers;
  check_finite(state.speed, "its speed", place);
  check_finite(state.cycle_offset, "its cycle offset", place);
  add_state_parameters(state, def, place);
  def.node = add_node(state.motion, place);
  const auto index = static_cast<std::int32_t>(t_.states.size());
  scope.states.push_back(index);
  state_sources_[index] = &state;
  t_.states.push_back(def);
  t_.state_names.push_back(state.name);
  t_.state_paths.push_back(source_.layers[static_cast<std::size_t>(layer_)].name + "." + path);
  t_.state_tags.push_back(state.tag);
}

void Compiler::add_behaviours(const std::vector<std::string>& names, std::int32_t machine) {
  for (const std::string& name : names) {
    const auto found = std::find(t_.behaviour_names.begin(), t_.behaviour_names.end(), name);
    const auto index = static_cast<std::int32_t>(found - t_.behaviour_names.begin());
    if (found == t_.behaviour_names.end()) t_.behaviour_names.push_back(name);
    t_.behaviours.push_back({index, machine});
  }
}

void Compiler::add_state_parameters(const StateSource& state, StateDef& def,
                                    const std::string& place) {
  const auto resolve = [&](const std::string& name, ParameterType type, const char* use) {
    return name.empty() ? -1 : resolve_parameter(name, type, place, use);
  };
  def.speed_parameter = resolve(state.speed_parameter, ParameterType::kFloat, "speed parameter");
  def.cycle_offset_parameter =
      resolve(state.cycle_offset_parameter, ParameterType::kFloat, "cycle offset parameter");
  def.mirror_parameter = resolve(state.mirror_parameter, ParameterType::kBool, "mirror parameter");
  def.time_parameter = resolve(state.time_parameter, ParameterType::kFloat, "time parameter");
}

void Compiler::resolve_scope(std::int32_t index) {
  resolve_default(index);
  add_routes(index);
  const MachineScope scope = scopes_[static_cast<std::size_t>(index)];
  for (std::int32_t state : scope.states) add_state_list(state, *state_sources_[state], index);

  const auto count = [&](std::uint32_t first) {
    return static_cast<std::uint32_t>(t_.behaviours.size()) - first;
  };
  MachineDef& machine = t_.machines[static_cast<std::size_t>(scope.index)];
  machine.first_behaviour = static_cast<std::uint32_t>(t_.behaviours.size());
  add_behaviours(scope.source->behaviours, scope.index);
  machine.behaviour_count = count(machine.first_behaviour);
  std::vector<std::int32_t> around;  // from the inside out
  for (std::int32_t i = index; i >= 0; i = scopes_[static_cast<std::size_t>(i)].parent) {
    around.push_back(i);
  }
  for (std::int32_t index_of_state : scope.states) {
    StateDef& state = t_.states[static_cast<std::size_t>(index_of_state)];
    state.first_behaviour = static_cast<std::uint32_t>(t_.behaviours.size());
    for (auto it = around.rbegin(); it != around.rend(); ++it) {
      const MachineScope& outer = scopes_[static_cast<std::size_t>(*it)];
      add_behaviours(outer.source->behaviours, outer.index);
    }
    add_behaviours(state_sources_[index_of_state]->behaviours, -1);
    state.behaviour_count = count(state.first_behaviour);
  }
}

void Compiler::resolve_default(std::int32_t index) {
  const MachineScope& scope = scopes_[static_cast<std::size_t>(index)];
  MachineDef& def = t_.machines[static_cast<std::size_t>(scope.index)];
  const std::string& name = scope.source->default_state;
  const std::string place =
      layer_place_ + (scope.path.empty() ? "" : ": machine " + quoted(scope.path)) + ": default";
  if (name.empty()) {
    if (!scope.states.empty()) {
      def.default_target = {TargetDef::Kind::kState, scope.states.front()};
    } else if (!scope.machines.empty()) {
      const auto child = static_cast<std::size_t>(scope.machines.front());
      def.default_target = {TargetDef::Kind::kMachine, scopes_[child].index};
    }
    return;
  }
  def.default_target = resolve_target(name, index, place);
  if (def.default_target.kind == TargetDef::Kind::kExit ||
      (def.default_target.kind == TargetDef::Kind::kMachine &&
       !inside(def.default_target.index, scope.index))) {
    error("controller.bad_default", place, quoted(name) + " is not a state or machine inside it");
  }
}

void Compiler::add_routes(std::int32_t index) {
  const MachineScope scope = scopes_[static_cast<std::size_t>(index)];
  const std::string machine_place =
      layer_place_ + (scope.path.empty() ? "" : ": machine " + quoted(scope.path));
  const auto first_entry = static_cast<std::uint32_t>(t_.routes.size());
  const std::uint32_t entries =
      add_route_list(scope.source->entry, index, true, machine_place + ": entry -> ");
  const auto first_leave = static_cast<std::uint32_t>(t_.routes.size());
  std::uint32_t leaves = 0;
  if (scope.parent >= 0) {
    leaves = add_route_list(scope.source->after_exit, scope.parent, false,
                            machine_place + ": after exit -> ");
  } else if (!scope.source->after_exit.empty()) {
    warning("controller.root_after_exit", machine_place,
            "after_exit of a layer's root has no meaning: its exit leads to its entry");
  }
  MachineDef& def = t_.machines[static_cast<std::size_t>(scope.index)];
  def.first_entry = first_entry;
  def.entry_count = entries;
  def.first_leave = first_leave;
  def.leave_count = leaves;
}

std::uint32_t Compiler::add_route_list(const std::vector<RouteSource>& routes, std::int32_t from,
                                       bool is_entry, const std::string& place) {
  const bool any_solo = std::any_of(routes.begin(), routes.end(),
                                    [](const RouteSource& r) { return r.solo && !r.mute; });
  std::uint32_t count = 0;
  for (const RouteSource& route : routes) {
    const std::string route_place = place + (route.to.empty() ? "?" : route.to);
    RouteDef def;
    def.conditions = add_conditions(route.conditions, route_place);
    def.target = resolve_target(route.to, from, route_place);
    const std::int32_t owner = scopes_[static_cast<std::size_t>(from)].index;
    if (is_entry && (def.target.kind == TargetDef::Kind::kExit ||
                     (def.target.kind == TargetDef::Kind::kMachine && def.target.index >= 0 &&
                      !inside(def.target.index, owner)))) {
      error("controller.bad_entry", route_place,
            "an entry must lead to a state, or to a machine inside its own");
    }
    if (route.mute || (any_solo && !route.solo)) continue;
    t_.routes.push_back(def);
    ++count;
  }
  return count;
}

bool Compiler::inside(std::int32_t machine, std::int32_t ancestor) const {
  while (machine >= 0) {
    machine = t_.machines[static_cast<std::size_t>(machine)].parent;
    if (machine == ancestor) return true;
  }
  return false;
}

void Compiler::add_any_list(LayerDef& def) {
  def.first_any = static_cast<std::uint32_t>(t_.transitions.size());
  std::vector<bool> solo;
  add_any_of(0, solo);
  def.any_count = static_cast<std::uint32_t>(t_.transitions.size()) - def.first_any;
  mark_solo(def.first_any, def.any_count, solo);
}

// Depth first: a machine's own before those inside it, or after them (ControllerPolicy, U9).
void Compiler::add_any_of(std::int32_t index, std::vector<bool>& solo) {
  const MachineScope scope = scopes_[static_cast<std::size_t>(index)];
  const auto own = [&] {
    const std::vector<bool> flags = solo_flags(scope.source->any);
    solo.insert(solo.end(), flags.begin(), flags.end());
    for (const TransitionSource& t : scope.source->any) add_transition(t, index, true, "any");
  };
  if (!t_.policy.inner_any_first) own();
  for (std::int32_t child : scope.machines) {
    if (static_cast<std::size_t>(child) < scopes_.size()) add_any_of(child, solo);
  }
  if (t_.policy.inner_any_first) own();
}

void Compiler::add_state_list(std::int32_t state, const StateSource& source, std::int32_t scope) {
  const auto first = static_cast<std::uint32_t>(t_.transitions.size());
  for (const TransitionSource& transition : source.transitions) {
    add_transition(transition, scope, false, source.name);
  }
  StateDef& def = t_.states[static_cast<std::size_t>(state)];
  def.first_transition = first;
  def.transition_count = static_cast<std::uint32_t>(t_.transitions.size()) - first;
  mark_solo(first, def.transition_count, solo_flags(source.transitions));
}

void Compiler::mark_solo(std::uint32_t first, std::uint32_t count, const std::vector<bool>& solo) {
  if (std::find(solo.begin(), solo.end(), true) == solo.end()) return;
  for (std::uint32_t i = 0; i < count; ++i) t_.transitions[first + i].unsoloed = !solo[i];
}

void Compiler::add_transition(const TransitionSource& source, std::int32_t scope, bool from_any,
                              const std::string& from) {
  const std::string label = from + " -> " + (source.to.empty() ? "?" : source.to);
  const std::string place = layer_place_ + ": transition " + label;
  TransitionDef def;
  def.from_any = from_any;
  def.target = resolve_target(source.to, scope, place);
  def.conditions = add_conditions(source.conditions, place);
  def.has_exit_time = source.exit_time.has_value();
  def.exit_time = source.exit_time.value_or(0);
  def.duration = source.duration;
  def.offset = source.offset;
  def.fixed = source.fixed;
  def.interruption = source.interruption;
  def.ordered = source.ordered;
  def.to_self = source.to_self;
  def.muted = source.mute;
  def.blend = source.blend;
  def.match_phase = source.match_phase;
  add_curve(source, def, place);
  check_finite(def.exit_time, "its exit time", place);
  check_finite(def.offset, "its offset", place);
  if (check_finite(def.duration, "its duration", place) && def.duration < 0) {
    error("controller.out_of_range", place, "its duration is negative");
  }
  if (source.conditions.empty() && !source.exit_time) {
    warning("controller.never_taken", place, "it has neither a condition nor an exit time",
            "it can never be taken; give it one of the two");
  }
  t_.transitions.push_back(def);
  t_.transition_names.push_back(source.name.empty() ? label : source.name);
}

void Compiler::add_curve(const TransitionSource& source, TransitionDef& def,
                         const std::string& place) {
  def.curve = source.curve;
  if (source.curve != TransitionCurve::kLinear && source.blend == TransitionBlend::kInertialize) {
    warning("controller.unused_curve", place, "an inertialized transition has no curve",
            "remove 'curve', or blend by 'cross_fade' or 'dead_blend'");
  }
  if (source.match_phase && source.offset != 0) {
    warning("controller.unused_offset", place,
            "its offset counts only where no markers match, as it matches the phase");
  }
  if (source.curve != TransitionCurve::kPoints) return;
  std::vector<Vec2> points;
  for (const auto& [x, y] : source.curve_points) {
    points.push_back({static_cast<float>(x), static_cast<float>(y)});
  }
  bool good = points.size() >= 2 && points.front() == Vec2{0, 0} && points.back() == Vec2{1, 1};
  for (std::size_t i = 0; i < points.size(); ++i) {
    good = good && is_finite(points[i].x) && points[i].y >= 0 && points[i].y <= 1 &&
           (i == 0 || points[i].x > points[i - 1].x);
  }
  if (!good) {
    error("controller.bad_curve", place,
          "the points of its curve must begin at [0, 0], end at [1, 1], rise in x, and lie between "
          "0 and 1 in y");
    def.curve = TransitionCurve::kLinear;
    return;
  }
  def.first_point = static_cast<std::uint32_t>(t_.curve_points.size());
  def.point_count = static_cast<std::uint32_t>(points.size());
  t_.curve_points.insert(t_.curve_points.end(), points.begin(), points.end());
}

bool Compiler::check_condition(const ConditionSource& condition, ParameterType type,
                               const std::string& place) {
  const bool compares =
      condition.mode == ConditionMode::kGreater || condition.mode == ConditionMode::kLess;
  const bool equals =
      condition.mode == ConditionMode::kEquals || condition.mode == ConditionMode::kNotEqual;
  bool fits = false;
  switch (type) {
    case ParameterType::kFloat:
      fits = compares;
      break;
    case ParameterType::kInt:
      fits = compares || equals;
      break;
    case ParameterType::kBool:
      fits = !compares && !equals;
      break;
    case ParameterType::kTrigger:
      fits = condition.mode == ConditionMode::kIf;
      break;
  }
  if (!fits) {
    error("controller.condition_mode", place,
          "parameter " + quoted(condition.parameter) + " is of type " +
              std::string(to_string(type)) + " and cannot be tested by '" +
              std::string(to_string(condition.mode)) + "'");
  }
  return fits && check_finite(condition.threshold, "a threshold", place);
}

ConditionRange Compiler::add_conditions(const std::vector<ConditionSource>& conditions,
                                        const std::string& place) {
  ConditionRange range{static_cast<std::uint32_t>(t_.conditions.size()), 0};
  for (const ConditionSource& condition : conditions) {
    const auto found = parameter_ids_.find(condition.parameter);
    if (found == parameter_ids_.end()) {
      const std::vector<std::string_view> names(t_.parameter_names.begin(),
                                                t_.parameter_names.end());
      error("controller.unknown_parameter", place,
            "parameter " + quoted(condition.parameter) + " is not declared" +
                did_you_mean(condition.parameter, names));
      continue;
    }
    ConditionDef def;
    def.parameter = found->second;
    def.type = t_.parameters[static_cast<std::size_t>(found->second)].type;
    def.mode = condition.mode;
    if (!check_condition(condition, def.type, place)) continue;
    // Compared with a float, the threshold is one too: "speed > 0.1" is false at 0.1f.
    def.threshold = def.type == ParameterType::kFloat
                        ? static_cast<double>(static_cast<float>(condition.threshold))
                        : condition.threshold;
    t_.conditions.push_back(def);
  }
  range.count = static_cast<std::uint32_t>(t_.conditions.size()) - range.first;
  return range;
}

bool Compiler::find_target(std::string_view to, std::int32_t scope_index, TargetDef& target,
                           bool& ambiguous) const {
  const MachineScope& scope = scopes_[static_cast<std::size_t>(scope_index)];
  for (std::int32_t state : scope.states) {
    if (t_.state_names[static_cast<std::size_t>(state)] == to) {
      target = {TargetDef::Kind::kState, state};
      return true;
    }
  }
  for (std::int32_t child : scope.machines) {
    const MachineScope& machine = scopes_[static_cast<std::size_t>(child)];
    if (machine.source->name == to) {
      target = {TargetDef::Kind::kMachine, machine.index};
      return true;
    }
  }
  // A path from the root; else the only one of that name in the layer, states before machines; else
  // a path with the layer's name in front, which no member of this machine can hide.
  const std::string& layer = source_.layers[static_cast<std::size_t>(layer_)].name;
  const std::string_view inner =
      to.size() > layer.size() && to.substr(0, layer.size()) == layer && to[layer.size()] == '.'
          ? to.substr(layer.size() + 1)
          : std::string_view();
  bool has_full = false;
  TargetDef full_target;
  const auto full = [&](const std::string& path, TargetDef::Kind kind, std::int32_t index) {
    if (has_full || inner.empty() || path.empty() || path != inner) return;
    has_full = true;
    full_target = {kind, index};
  };
  int states = 0, machines = 0;
  TargetDef state_target, machine_target;
  for (const MachineScope& other : scopes_) {
    if (!other.path.empty() && other.path == to) {
      target = {TargetDef::Kind::kMachine, other.index};
      return true;
    }
    full(other.path, TargetDef::Kind::kMachine, other.index);
    for (std::int32_t state : other.states) {
      const std::string& name = t_.state_names[static_cast<std::size_t>(state)];
      if (join(other.path, name) == to) {
        target = {TargetDef::Kind::kState, state};
        return true;
      }
      full(join(other.path, name), TargetDef::Kind::kState, state);
      if (name == to && states++ == 0) state_target = {TargetDef::Kind::kState, state};
    }
    if (other.parent >= 0 && other.source->name == to && machines++ == 0) {
      machine_target = {TargetDef::Kind::kMachine, other.index};
    }
  }
  if (states == 0 && machines == 0 && has_full) {
    target = full_target;
    return true;
  }
  ambiguous = states > 1 || (states == 0 && machines > 1);
  target = states > 0 ? state_target : machine_target;
  return !ambiguous && (states > 0 || machines > 0);
}

TargetDef Compiler::resolve_target(const std::string& to, std::int32_t scope,
                                   const std::string& place) {
  if (to == kExitName) {
    return {TargetDef::Kind::kExit, scopes_[static_cast<std::size_t>(scope)].index};
  }
  TargetDef target;
  bool ambiguous = false;
  if (find_target(to, scope, target, ambiguous)) return target;
  if (to.empty()) {
    error("controller.no_target", place, "it leads nowhere");
  } else if (ambiguous) {
    error(
        "controller.ambiguous_name", place,
        quoted(to) + " is the name of more than one; write its path, such as 'Machine." + to + "'");
  } else {
    std::vector<std::string> names;
    for (const MachineScope& other : scopes_) {
      for (std::int32_t state : other.states) {
        names.push_back(t_.state_names[static_cast<std::size_t>(state)]);
        if (!other.path.empty()) names.push_back(join(other.path, names.back()));
      }
      if (other.parent >= 0) names.push_back(other.source->name);
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    error("controller.unknown_state", place,
          "there is no state or machine " + quoted(to) + did_you_mean(to, views));
  }
  return {TargetDef::Kind::kState, -1};
}

}  // namespace sinew::graph_detail
