#include <algorithm>
#include <cmath>

#include <sinew/base/text.hpp>

#include "controller_reader.hpp"
#include "controller_writer.hpp"
#include "yaml_text.hpp"

namespace sinew::unity {
namespace {

std::string flag_line(const char* key, bool value) {
  return std::string("  ") + key + (value ? ": 1\n" : ": 0\n");
}

std::string text_line(const char* key, const std::string& value) {
  return std::string("  ") + key + ": " + yaml_scalar(value) + "\n";
}

// "  key:\n  - {fileID: 1}\n", or "  key: []\n".
std::string list_lines(const char* key, const std::string& items) {
  return std::string("  ") + key + (items.empty() ? ": []\n" : ":\n" + items);
}

std::string item(std::int64_t id) { return "  - " + yaml_reference(id) + "\n"; }

std::string position_of(const std::optional<Vec2>& position) {
  const Vec2 p = position.value_or(Vec2{});
  const auto text = [](float x) {
    return is_finite(x) ? yaml_number(static_cast<double>(x)) : std::string("0");
  };
  return "{x: " + text(p.x) + ", y: " + text(p.y) + ", z: 0}";
}

}  // namespace

void ControllerWriter::write_layer(std::size_t index) {
  const LayerIds& ids = layers_[index];
  for (int i = 0; i < static_cast<int>(ids.machines.size()); ++i) {
    write_machine(index, i);
    const auto count = static_cast<int>(ids.machines[static_cast<std::size_t>(i)]->states.size());
    for (int s = 0; s < count; ++s) write_state(index, i, s);
  }
}

std::int64_t ControllerWriter::default_id(const LayerIds& ids, int machine, int depth) const {
  const MachineSource& m = *ids.machines[static_cast<std::size_t>(machine)];
  NameTree::Target target;
  if (!m.default_state.empty()) {
    target = ids.tree.find(m.default_state, machine);
  } else if (!m.states.empty()) {
    target = {NameTree::Target::Kind::kState, machine, 0};
  } else if (!m.machines.empty()) {
    target = {NameTree::Target::Kind::kMachine, ids.tree.children(machine).front(), -1};
  }
  if (target.kind == NameTree::Target::Kind::kState) {
    return ids.state_ids[static_cast<std::size_t>(target.machine)]
                        [static_cast<std::size_t>(target.state)];
  }
  if (target.kind != NameTree::Target::Kind::kMachine || depth > 64) return 0;
  return default_id(ids, target.machine, depth + 1);
}

void ControllerWriter::write_machine(std::size_t layer, int index) {
  const LayerIds& ids = layers_[layer];
  const MachineSource& m = *ids.machines[static_cast<std::size_t>(index)];
  const std::string& path = ids.tree.path(index);
  const std::string place = "layer '" + source_.layers[layer].name + "'" +
                            (path.empty() ? "" : ": machine '" + path + "'");
  std::string states, machines, any, entry, leaves;
  for (std::size_t i = 0; i < m.states.size(); ++i) {
    states += "  - serializedVersion: 1\n    m_State: " +
              yaml_reference(ids.state_ids[static_cast<std::size_t>(index)][i]) +
              "\n    m_Position: " + position_of(m.states[i].position) + "\n";
  }
  const std::vector<int>& children = ids.tree.children(index);
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::int64_t id = ids.machine_ids[static_cast<std::size_t>(children[i])];
    machines += "  - serializedVersion: 1\n    m_StateMachine: " + yaml_reference(id) +
                "\n    m_Position: " + position_of(m.machines[i].position) + "\n";
    std::string routes;
    for (const RouteSource& route : m.machines[i].after_exit) {
      routes += "  " + item(write_route(layer, index, route, place + ": after exit"));
    }
    if (routes.empty()) continue;
    leaves += "  - first: " + yaml_reference(id) + "\n    second:\n" + routes;
  }
  for (const TransitionSource& t : m.any) {
    any += item(write_transition(layer, index, t, true, place + ": any -> " + t.to));
  }
  for (const RouteSource& route : m.entry) {
    entry += item(write_route(layer, index, route, place + ": entry -> " + route.to));
  }
  std::int64_t first = default_id(ids, index, 0);
  if (!m.default_state.empty()) {
    const NameTree::Target target = ids.tree.find(m.default_state, index);
    if (target.kind == NameTree::Target::Kind::kMachine) {
      const bool stands_in =
          m.states.empty() && !children.empty() && target.machine == children.front();
      // A null default state is read as the first machine; else an entry says the same.
      if (stands_in) {
        first = 0;
      } else {
        RouteSource route;
        route.to = m.default_state;
        entry += item(write_route(layer, index, route, place + ": default"));
      }
    } else if (target.kind != NameTree::Target::Kind::kState) {
      fail(ErrorCode::kNotFound, "there is no state '" + m.default_state + "'",
           place + ": default");
    }
  } else if (m.states.empty()) {
    first = 0;
  }
  const std::string behaviours =
      behaviour_lines(source_.layers[layer].name, path, true, m.behaviours);
  std::string out;
  open(out, kStateMachine, ids.machine_ids[static_cast<std::size_t>(index)], "AnimatorStateMachine",
       1);
  out += "  serializedVersion: 6\n" +
         text_line("m_Name", path.empty() ? source_.layers[layer].name : m.name);
  out += list_lines("m_ChildStates", states) + list_lines("m_ChildStateMachines", machines) +
         list_lines("m_AnyStateTransitions", any) + list_lines("m_EntryTransitions", entry);
  out += leaves.empty() ? "  m_StateMachineTransitions: {}\n"
                        : "  m_StateMachineTransitions:\n" + leaves;
  out += list_lines("m_StateMachineBehaviours", behaviours);
  out +=
      "  m_AnyStatePosition: {x: 50, y: 20, z: 0}\n"
      "  m_EntryPosition: {x: 50, y: 120, z: 0}\n"
      "  m_ExitPosition: {x: 800, y: 120, z: 0}\n"
      "  m_ParentStateMachinePosition: {x: 800, y: 20, z: 0}\n";
  out += "  m_DefaultState: " + yaml_reference(first) + "\n";
  close(std::move(out));
}

void ControllerWriter::write_state(std::size_t layer, int machine, int index) {
  const LayerIds& ids = layers_[layer];
  const StateSource& s =
      ids.machines[static_cast<std::size_t>(machine)]->states[static_cast<std::size_t>(index)];
  const std::string path = ids.tree.path_of({NameTree::Target::Kind::kState, machine, index});
  const std::string place = "layer '" + source_.layers[layer].name + "': state '" + path + "'";
  std::string transitions;
  for (const TransitionSource& t : s.transitions) {
    transitions += item(write_transition(layer, machine, t, false, place + " -> " + t.to));
  }
  const std::string behaviours =
      behaviour_lines(source_.layers[layer].name, path, false, s.behaviours);
  const std::string plays = motion(s.motion, place, 0);
  std::string out;
  open(out, kState,
       ids.state_ids[static_cast<std::size_t>(machine)][static_cast<std::size_t>(index)],
       "AnimatorState", 1);
  out += "  serializedVersion: 6\n" + text_line("m_Name", s.name);
  out += "  m_Speed: " + number(s.speed, place) + "\n";
  out += "  m_CycleOffset: " + number(s.cycle_offset, place) + "\n";
  out +=
      list_lines("m_Transitions", transitions) + list_lines("m_StateMachineBehaviours", behaviours);
  out += "  m_Position: {x: 50, y: 50, z: 0}\n";
  out += flag_line("m_IKOnFeet", s.foot_ik) + flag_line("m_WriteDefaultValues", s.write_defaults) +
         flag_line("m_Mirror", s.mirror) +
         flag_line("m_SpeedParameterActive", !s.speed_parameter.empty()) +
         flag_line("m_MirrorParameterActive", !s.mirror_parameter.empty()) +
         flag_line("m_CycleOffsetParameterActive", !s.cycle_offset_parameter.empty()) +
         flag_line("m_TimeParameterActive", !s.time_parameter.empty());
  out += "  m_Motion: " + plays + "\n" + text_line("m_Tag", s.tag) +
         text_line("m_SpeedParameter", s.speed_parameter) +
         text_line("m_MirrorParameter", s.mirror_parameter) +
         text_line("m_CycleOffsetParameter", s.cycle_offset_parameter) +
         text_line("m_TimeParameter", s.time_parameter);
  close(std::move(out));
}

std::string ControllerWriter::condition_lines(const std::vector<ConditionSource>& conditions,
                                              const std::string& place) {
  std::string out;
  for (const ConditionSource& c : conditions) {
    out += "  - m_ConditionMode: " + std::to_string(static_cast<int>(c.mode)) + "\n";
    out += "    m_ConditionEvent: " + yaml_scalar(c.parameter) + "\n";
    out += "    m_EventTreshold: " + number(c.threshold, place) + "\n";
  }
  return list_lines("m_Conditions", out);
}

std::string ControllerWriter::target_lines(std::size_t layer, int machine, const std::string& to,
                                           const std::string& place) {
  const LayerIds& ids = layers_[layer];
  const NameTree::Target target = ids.tree.find(to, machine);
  std::int64_t state = 0, into = 0;
  if (target.kind == NameTree::Target::Kind::kState) {
    state = ids.state_ids[static_cast<std::size_t>(target.machine)]
                         [static_cast<std::size_t>(target.state)];
  } else if (target.kind == NameTree::Target::Kind::kMachine) {
    into = ids.machine_ids[static_cast<std::size_t>(target.machine)];
  } else if (target.kind == NameTree::Target::Kind::kNone) {
    fail(ErrorCode::kNotFound, "there is no state or machine '" + to + "', or more than one",
         place);
  }
  return "  m_DstStateMachine: " + yaml_reference(into) +
         "\n  m_DstState: " + yaml_reference(state) + "\n";
}

std::int64_t ControllerWriter::write_transition(std::size_t layer, int machine,
                                                const TransitionSource& t, bool from_any,
                                                const std::string& place) {
  const std::int64_t id = new_id("transition/" + place);
  std::string out;
  open(out, kStateTransition, id, "AnimatorStateTransition", 1);
  out += text_line("m_Name", t.name) + condition_lines(t.conditions, place) +
         target_lines(layer, machine, t.to, place) + flag_line("m_Solo", t.solo) +
         flag_line("m_Mute", t.mute) + flag_line("m_IsExit", t.to == kExitName);
  out += "  serializedVersion: 3\n";
  out += "  m_TransitionDuration: " + number(t.duration, place) + "\n";
  out += "  m_TransitionOffset: " + number(t.offset, place) + "\n";
  out += "  m_ExitTime: " + number(t.exit_time.value_or(0.75), place) + "\n";
  out += flag_line("m_HasExitTime", t.exit_time.has_value()) +
         flag_line("m_HasFixedDuration", t.fixed);
  out += "  m_InterruptionSource: " + std::to_string(static_cast<int>(t.interruption)) + "\n";
  out += flag_line("m_OrderedInterruption", t.ordered) +
         flag_line("m_CanTransitionToSelf", !from_any || t.to_self);
  close(std::move(out));
  return id;
}

std::int64_t ControllerWriter::write_route(std::size_t layer, int machine, const RouteSource& route,
                                           const std::string& place) {
  const std::int64_t id = new_id("route/" + place);
  std::string out;
  open(out, kEntryTransition, id, "AnimatorTransition", 1);
  out += text_line("m_Name", {}) + condition_lines(route.conditions, place) +
         target_lines(layer, machine, route.to, place) + flag_line("m_Solo", route.solo) +
         flag_line("m_Mute", route.mute) + flag_line("m_IsExit", route.to == kExitName) +
         "  serializedVersion: 1\n";
  close(std::move(out));
  return id;
}

std::string ControllerWriter::behaviour_lines(const std::string& layer, const std::string& owner,
                                              bool of_machine,
                                              const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    Behaviour behaviour;
    behaviour.name = name;
    const std::vector<Behaviour>* known =
        options_.origin != nullptr ? &options_.origin->behaviours : nullptr;
    for (std::size_t i = 0; known != nullptr && i < known->size(); ++i) {
      const Behaviour& one = (*known)[i];
      if (behaviour_used_[i] || one.name != name || one.layer != layer || one.owner != owner ||
          one.of_machine != of_machine || one.of_synced_layer) {
        continue;
      }
      behaviour_used_[i] = true;
      behaviour = one;
      break;
    }
    out += item(write_behaviour(behaviour, layer + "/" + owner));
  }
  return out;
}

std::int64_t ControllerWriter::write_behaviour(const Behaviour& behaviour,
                                               const std::string& place) {
  const std::int64_t id = new_id("behaviour/" + place + "/" + behaviour.name);
  const AssetRef script = behaviour.script.null() ? script_ref(behaviour.name) : behaviour.script;
  std::string out;
  open(out, kMonoBehaviour, id, "MonoBehaviour", 1);
  out += "  m_GameObject: {fileID: 0}\n  m_Enabled: 1\n  m_EditorHideFlags: 0\n";
  out += "  m_Script: " + yaml_reference(script) + "\n  m_Name: \n" +
         text_line("m_EditorClassIdentifier", behaviour.identifier);
  out += behaviour.fields;
  if (!out.ends_with('\n')) out += '\n';
  close(std::move(out));
  return id;
}

std::string ControllerWriter::motion(const MotionNodeSource& node, const std::string& place,
                                     int depth) {
  if (node.kind == MotionNodeSource::Kind::kNone) return yaml_reference(0);
  if (node.kind == MotionNodeSource::Kind::kMotion) return yaml_reference(motion_ref(node.motion));
  if (depth >= 16) {
    fail(ErrorCode::kLimit, "blend trees are nested too deeply", place);
    return yaml_reference(0);
  }
  return yaml_reference(write_tree(node, place, depth));
}

std::int64_t ControllerWriter::write_tree(const MotionNodeSource& tree, const std::string& place,
                                          int depth) {
  const std::int64_t id = new_id("tree/" + place);
  double low = 0, high = 1;
  std::string children;
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    const TreeChildSource& child = tree.children[i];
    const std::string where = place + format_text(": child %zu", i);
    low = i == 0 ? child.threshold : std::min(low, child.threshold);
    high = i == 0 ? child.threshold : std::max(high, child.threshold);
    children += "  - serializedVersion: 2\n    m_Motion: " + motion(child.node, where, depth + 1) +
                "\n    m_Threshold: " + number(child.threshold, where) +
                "\n    m_Position: {x: " + number(child.x, where) +
                ", y: " + number(child.y, where) +
                "}\n    m_TimeScale: " + number(child.time_scale, where) +
                "\n    m_CycleOffset: " + number(child.cycle_offset, where) +
                "\n    m_DirectBlendParameter: " +
                yaml_scalar(child.parameter.empty() ? tree.x : child.parameter) +
                "\n    m_Mirror: " + (child.mirror ? "1" : "0") + "\n";
  }
  std::string out;
  open(out, kBlendTree, id, "BlendTree", 1);
  out += text_line("m_Name", tree.name) + list_lines("m_Childs", children) +
         text_line("m_BlendParameter", tree.x) +
         text_line("m_BlendParameterY", tree.y.empty() ? tree.x : tree.y);
  out += "  m_MinThreshold: " + number(low, place) + "\n  m_MaxThreshold: " + number(high, place) +
         "\n  m_UseAutomaticThresholds: 0\n";
  out += flag_line("m_NormalizedBlendValues", tree.normalize);
  out += "  m_BlendType: " + std::to_string(static_cast<int>(tree.type)) + "\n";
  close(std::move(out));
  return id;
}

}  // namespace sinew::unity
