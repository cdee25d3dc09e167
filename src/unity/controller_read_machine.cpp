#include <algorithm>
#include <cmath>

#include <sinew/base/text.hpp>

#include "controller_reader.hpp"

namespace sinew::unity {
namespace {

std::optional<Vec2> position_of(const Node* node) {
  if (node == nullptr) return std::nullopt;
  const auto x = number_of(node->find("x")), y = number_of(node->find("y"));
  if (!x || !y) return std::nullopt;
  const Vec2 position{static_cast<float>(*x), static_cast<float>(*y)};
  return is_finite(position.x) && is_finite(position.y) ? std::optional(position) : std::nullopt;
}

// The members of a machine's list by their id.
const Node* item_of(const std::vector<Node>& list, std::string_view key, std::int64_t id) {
  for (const Node& item : list) {
    if (reference_of(item.find(key)).file_id == id) return &item;
  }
  return nullptr;
}

std::vector<const Node*> pointers(const std::vector<Node>& list) {
  std::vector<const Node*> out;
  for (const Node& item : list) out.push_back(&item);
  return out;
}

// The user's fields of a behaviour: what stands behind the members that all have.
std::string fields_of(const Document& document) {
  constexpr std::string_view kCommon[] = {"m_ObjectHideFlags",
                                          "m_CorrespondingSourceObject",
                                          "m_PrefabInstance",
                                          "m_PrefabAsset",
                                          "m_PrefabParentObject",
                                          "m_PrefabInternal",
                                          "m_GameObject",
                                          "m_Enabled",
                                          "m_EditorHideFlags",
                                          "m_Script",
                                          "m_Name",
                                          "m_EditorClassIdentifier"};
  int first = 0;
  for (const Node& member : document.body.items) {
    if (std::find(std::begin(kCommon), std::end(kCommon), member.key) == std::end(kCommon)) {
      first = member.line;
      break;
    }
  }
  if (first == 0) return {};
  std::string_view text = document.text;
  for (int line = document.line + 1; line < first && !text.empty(); ++line) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  std::string out;
  for (char c : text) {
    if (c != '\r') out += c;
  }
  // A file's end, and the line feed that belongs to the next header.
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out.empty() ? out : out + "\n";
}

}  // namespace

MachineSource ControllerReader::machine(LayerInfo& layer, int index) {
  MachineSource out;
  const MachineInfo& info_of = layer.machines[static_cast<std::size_t>(index)];
  const std::string& path = layer.tree.path(index);
  out.name = layer.tree.name(index);
  if (info_of.document == nullptr) return out;
  const Document& document = *info_of.document;
  const Node& body = document.body;
  const std::string place = layer.place + (path.empty() ? "" : ": machine " + in_quotes(path));
  for (std::size_t i = 0; i < info_of.states.size(); ++i) {
    out.states.push_back(state(layer, index, static_cast<int>(i)));
  }
  for (int child_index : layer.tree.children(index)) {
    MachineSource child = machine(layer, child_index);
    const MachineInfo& child_info = layer.machines[static_cast<std::size_t>(child_index)];
    const std::int64_t id = child_info.document->file_id;
    if (const Node* item = item_of(elements(body, "m_ChildStateMachines"), "m_StateMachine", id)) {
      child.position = position_of(item->find("m_Position"));
    } else {  // Unity 4: two lists side by side
      const std::vector<Node>& list = elements(body, "m_ChildStateMachine");
      const std::vector<Node>& positions = elements(body, "m_ChildStateMachinePosition");
      for (std::size_t i = 0; i < std::min(list.size(), positions.size()); ++i) {
        if (reference_of(&list[i]).file_id == id) child.position = position_of(&positions[i]);
      }
    }
    for (const NodePair& pair : pairs_of(body.find("m_StateMachineTransitions"))) {
      if (reference_of(pair.first).file_id != id) continue;
      add_routes(
          layer, index, pair.second, false, child.after_exit,
          layer.place + ": machine " + in_quotes(layer.tree.path(child_index)) + ": after exit");
    }
    out.machines.push_back(std::move(child));
  }
  add_default(layer, index, out, place);
  add_routes(layer, index, body.find("m_EntryTransitions"), true, out.entry, place + ": entry");
  std::vector<const Node*> any = pointers(elements(body, "m_AnyStateTransitions"));
  const std::vector<const Node*>& old = layer.ordered_any[index];
  any.insert(any.end(), old.begin(), old.end());
  add_transitions(layer, index, any, true, out.any, place + ": any state");
  behaviours(body, layer, path, true, out.behaviours, place);
  return out;
}

void ControllerReader::add_default(LayerInfo& layer, int index, MachineSource& out,
                                   const std::string& place) {
  const Node& body = layer.machines[static_cast<std::size_t>(index)].document->body;
  const Node* node = body.find("m_DefaultState");
  const AssetRef ref = reference_of(node);
  const bool empty = out.states.empty() && out.machines.empty();
  const std::string where = node != nullptr ? at(*node, place) : at(body, place);
  const auto stand_in = [&](const std::string& fault) {
    if (!empty) {
      out.default_state = out.states.empty() ? out.machines.front().name : out.states.front().name;
    }
    warn("unity.null_default", where,
         fault + (empty ? "" : "; " + in_quotes(out.default_state) + " stands in"));
  };
  if (ref.null()) {
    if (!empty) stand_in("the default state is null");
    return;
  }
  const auto found = layer.by_id.find(ref.file_id);
  if (found == layer.by_id.end() || found->second.kind != NameTree::Target::Kind::kState) {
    return stand_in("the default state is not in the layer");
  }
  int holder = found->second.machine;
  while (holder >= 0 && holder != index) holder = layer.tree.parent(holder);
  if (holder < 0) {
    return stand_in("the default state " + in_quotes(layer.tree.path_of(found->second)) +
                    " is not inside the machine");
  }
  out.default_state = layer.tree.name_of(found->second, index);
}

StateSource ControllerReader::state(LayerInfo& layer, int machine_index, int index) {
  const MachineInfo& info_of = layer.machines[static_cast<std::size_t>(machine_index)];
  const Document& document = *info_of.states[static_cast<std::size_t>(index)];
  const Node& body = document.body;
  const NameTree::Target self{NameTree::Target::Kind::kState, machine_index, index};
  const std::string path = layer.tree.path_of(self);
  const std::string plain = layer.place + ": state " + in_quotes(path);
  const std::string place = at(document.line, plain);
  StateSource out;
  out.name = layer.tree.states(machine_index)[static_cast<std::size_t>(index)];
  out.speed = number(body, "m_Speed", 1, plain);
  out.cycle_offset = number(body, "m_CycleOffset", 0, plain);
  out.mirror = flag_or(body, "m_Mirror", false);
  out.write_defaults = flag_or(body, "m_WriteDefaultValues", true);
  out.foot_ik = flag_or(body, "m_IKOnFeet", false);
  out.tag = text_or(body, "m_Tag");
  add_state_parameters(body, out, place);
  if (const Node* node = body.find("m_Motion")) {
    out.motion = motion(node, at(*node, plain));
  } else if (const std::vector<Node>& sets = elements(body, "m_Motions"); !sets.empty()) {
    out.motion = motion(&sets.front(), at(sets.front(), plain));  // Unity 4
  }
  const Node* item =
      item_of(elements(info_of.document->body, "m_ChildStates"), "m_State", document.file_id);
  out.position = position_of(item != nullptr ? item->find("m_Position") : body.find("m_Position"));
  std::vector<const Node*> list = pointers(elements(body, "m_Transitions"));
  if (const auto old = layer.ordered.find(document.file_id); old != layer.ordered.end()) {
    list.insert(list.end(), old->second.begin(), old->second.end());
  }
  add_transitions(layer, machine_index, list, false, out.transitions, plain);
  behaviours(body, layer, path, false, out.behaviours, plain);
  return out;
}

void ControllerReader::add_state_parameters(const Node& body, StateSource& out,
                                            const std::string& place) {
  const auto take = [&](const char* active, const char* key, ParameterType type, const char* use,
                        std::string& name_out) {
    if (!flag_or(body, active, false)) return;
    const std::string name = text_or(body, key);
    const auto found = parameters_.find(name);
    if (found != parameters_.end() && found->second == type) {
      name_out = name;
      return;
    }
    const Node* node = body.find(key);
    const std::string where =
        node != nullptr ? at(*node, place.substr(place.find(": ") + 2)) : place;
    if (found == parameters_.end()) {
      std::vector<std::string_view> names;
      for (const auto& [one, kind] : parameters_) names.push_back(one);
      warn("unity.unknown_parameter", where,
           std::string(use) + " " + in_quotes(name) + " is not declared" +
               did_you_mean(name, names) + "; the state goes without");
    } else {
      warn("unity.parameter_type", where,
           std::string(use) + " " + in_quotes(name) + " is of type " +
               std::string(to_string(found->second)) + ", not " + std::string(to_string(type)) +
               "; the state goes without");
    }
  };
  take("m_SpeedParameterActive", "m_SpeedParameter", ParameterType::kFloat, "speed parameter",
       out.speed_parameter);
  take("m_MirrorParameterActive", "m_MirrorParameter", ParameterType::kBool, "mirror parameter",
       out.mirror_parameter);
  take("m_CycleOffsetParameterActive", "m_CycleOffsetParameter", ParameterType::kFloat,
       "cycle offset parameter", out.cycle_offset_parameter);
  take("m_TimeParameterActive", "m_TimeParameter", ParameterType::kFloat, "time parameter",
       out.time_parameter);
}

void ControllerReader::add_transitions(LayerInfo& layer, int machine_index,
                                       const std::vector<const Node*>& refs, bool from_any,
                                       std::vector<TransitionSource>& out,
                                       const std::string& place) {
  for (std::size_t i = 0; i < refs.size(); ++i) {
    const std::string plain = place + format_text(": transition %zu", i);
    const AssetRef ref = reference_of(refs[i]);
    if (ref.null()) {
      warn("unity.null_transition", at(*refs[i], plain), "it is null and left out");
      continue;
    }
    const Document* document =
        find_document(ref, kStateTransition, "transition", at(*refs[i], plain));
    if (document == nullptr) continue;
    TransitionSource one;
    if (transition(layer, machine_index, *document, from_any, one, plain)) {
      out.push_back(std::move(one));
    }
  }
}

bool ControllerReader::transition(LayerInfo& layer, int machine_index, const Document& document,
                                  bool from_any, TransitionSource& out, const std::string& place) {
  const Node& body = document.body;
  const std::string where = at(document.line, place);
  out.name = text_or(body, "m_Name");
  out.solo = flag_or(body, "m_Solo", false);
  out.mute = flag_or(body, "m_Mute", false);
  if (flag_or(body, "m_HasExitTime", false))
    out.exit_time = number(body, "m_ExitTime", 0.75, place);
  if (!target(layer, machine_index, body, out.to, where)) return false;
  if (!conditions(body, out.conditions, &out, place)) out.mute = true;
  out.duration = number(body, "m_TransitionDuration", 0.25, place);
  if (out.duration < 0) {
    warn("unity.number", where, "its duration is negative; it counts as 0");
    out.duration = 0;
  }
  // Files from before fixed durations have normalized ones.
  out.fixed = flag_or(body, "m_HasFixedDuration", false);
  out.offset = number(body, "m_TransitionOffset", 0, place);
  interruption(body, out, where);
  out.ordered = flag_or(body, "m_OrderedInterruption", true);
  out.to_self = from_any && flag_or(body, "m_CanTransitionToSelf", true);
  return true;
}

void ControllerReader::interruption(const Node& body, TransitionSource& out,
                                    const std::string& place) {
  if (body.find("m_InterruptionSource") == nullptr) {
    // Until Unity 5.0 a transition was atomic or not.
    if (!flag_or(body, "m_Atomic", true)) out.interruption = Interruption::kCurrent;
    return;
  }
  const std::int64_t value = integer_or(body, "m_InterruptionSource", 0);
  if (value < 0 || value > 4) {
    return warn("unity.interruption", place,
                format_text("its interruption source %lld is not known; it counts as none",
                            static_cast<long long>(value)));
  }
  out.interruption = static_cast<Interruption>(value);
}

bool ControllerReader::target(LayerInfo& layer, int machine_index, const Node& body,
                              std::string& to, const std::string& place) {
  const AssetRef state_ref = reference_of(body.find("m_DstState"));
  const AssetRef machine_ref = reference_of(body.find("m_DstStateMachine"));
  if (state_ref.null() && machine_ref.null()) {
    if (flag_or(body, "m_IsExit", false)) {
      to = kExitName;
      return true;
    }
    warn("unity.no_target", place, "it leads nowhere: its state and machine are null; left out");
    return false;
  }
  const AssetRef& ref = state_ref.null() ? machine_ref : state_ref;
  const auto found = ref.local() ? layer.by_id.find(ref.file_id) : layer.by_id.end();
  const auto wanted =
      state_ref.null() ? NameTree::Target::Kind::kMachine : NameTree::Target::Kind::kState;
  if (found == layer.by_id.end() || found->second.kind != wanted) {
    warn("unity.no_target", place,
         format_text("it leads to %s %lld, which is not in the layer; left out",
                     state_ref.null() ? "machine" : "state", static_cast<long long>(ref.file_id)));
    return false;
  }
  if (found->second.kind == NameTree::Target::Kind::kMachine && found->second.machine == 0) {
    // The root has no name. Leading to it means leaving every machine around.
    if (layer.tree.parent(machine_index) < 0) {
      to = kExitName;
      return true;
    }
    warn("unity.no_target", place,
         "it leads to the root of the layer, which has no name here; "
         "left out");
    return false;
  }
  to = layer.tree.name_of(found->second, machine_index);
  if (to.empty()) {
    warn("unity.no_target", place,
         in_quotes(layer.tree.path_of(found->second)) +
             " has no name that means it alone; rename one of its namesakes");
    return false;
  }
  return true;
}

bool ControllerReader::conditions(const Node& body, std::vector<ConditionSource>& out,
                                  TransitionSource* timed, const std::string& place) {
  bool possible = true;
  const std::vector<Node>& list = elements(body, "m_Conditions");
  for (const Node& node : list) {
    const std::string where = at(node, place);
    const std::int64_t mode = integer_or(node, "m_ConditionMode", 0);
    if (mode == 5) {  // exit time, in files of Unity 4
      const double time = number(node, "m_ExitTime", 0, place);
      if (timed != nullptr) timed->exit_time = std::max(timed->exit_time.value_or(time), time);
      continue;
    }
    ConditionSource condition;
    condition.parameter = text_or(node, "m_ConditionEvent");
    const auto found = parameters_.find(condition.parameter);
    if (found == parameters_.end()) {
      std::vector<std::string_view> names;
      for (const auto& [name, type] : parameters_) names.push_back(name);
      warn("unity.unknown_parameter", where,
           "parameter " + in_quotes(condition.parameter) + " is not declared" +
               did_you_mean(condition.parameter, names),
           "the transition can never be taken");
      possible = false;
      continue;
    }
    const ParameterType type = found->second;
    const bool truth = mode == 1 || mode == 2, order = mode == 3 || mode == 4,
               equal = mode == 6 || mode == 7;
    const bool fits = type == ParameterType::kFloat  ? order
                      : type == ParameterType::kInt  ? order || equal
                      : type == ParameterType::kBool ? truth
                                                     : mode == 1;
    if (!fits) {
      warn("unity.condition_mode", where,
           "parameter " + in_quotes(condition.parameter) + " is of type " +
               std::string(to_string(type)) +
               format_text(" and cannot be tested by mode %lld", static_cast<long long>(mode)),
           "the transition can never be taken");
      possible = false;
      continue;
    }
    condition.mode = static_cast<ConditionMode>(mode);
    // Of a bool or trigger the threshold has no meaning, though files hold one.
    if (!truth) condition.threshold = number(node, "m_EventTreshold", 0, place);
    out.push_back(std::move(condition));
  }
  return possible;
}

void ControllerReader::add_routes(LayerInfo& layer, int machine_index, const Node* refs,
                                  bool is_entry, std::vector<RouteSource>& out,
                                  const std::string& place) {
  if (refs == nullptr || refs->kind != Node::Kind::kList) return;
  for (std::size_t i = 0; i < refs->items.size(); ++i) {
    const Node& ref = refs->items[i];
    const std::string plain = place + format_text(": transition %zu", i);
    const Document* document =
        find_document(reference_of(&ref), kEntryTransition, "transition", at(ref, plain));
    if (document == nullptr) continue;
    const Node& body = document->body;
    const std::string where = at(document->line, plain);
    RouteSource route;
    if (!target(layer, machine_index, body, route.to, where)) continue;
    if (is_entry && route.to == kExitName) {
      warn("unity.no_target", where, "an entry cannot lead to the exit; left out");
      continue;
    }
    route.solo = flag_or(body, "m_Solo", false);
    route.mute = flag_or(body, "m_Mute", false);
    if (!conditions(body, route.conditions, nullptr, plain)) route.mute = true;
    out.push_back(std::move(route));
  }
}

void ControllerReader::behaviours(const Node& body, const LayerInfo& layer,
                                  const std::string& owner, bool of_machine,
                                  std::vector<std::string>& out, const std::string& place) {
  const Node* list = body.find("m_StateMachineBehaviours");
  if (list == nullptr) list = body.find("m_Behaviours");  // Unity 5.0
  if (list == nullptr || list->kind != Node::Kind::kList) return;
  for (const Node& ref : list->items) {
    Behaviour behaviour;
    behaviour.layer = layer.name;
    behaviour.owner = owner;
    behaviour.of_machine = of_machine;
    add_behaviour(ref, std::move(behaviour), &out, at(ref, place));
  }
}

void ControllerReader::add_behaviour(const Node& ref, Behaviour behaviour,
                                     std::vector<std::string>* out, const std::string& place) {
  const Document* document = find_document(reference_of(&ref), kMonoBehaviour, "behaviour", place);
  if (document == nullptr) return;
  behaviour.line = document->line;
  behaviour.script = reference_of(document->body.find("m_Script"));
  behaviour.fields = fields_of(*document);
  // "Assembly:Namespace:Class" in files of some versions.
  const std::string& id = behaviour.identifier = text_or(document->body, "m_EditorClassIdentifier");
  behaviour.name = names_.script(behaviour.script);
  if (behaviour.name.empty() && !id.empty()) {
    behaviour.name = id.substr(std::min(id.find_last_of(":.") + 1, id.size() - 1));
  }
  if (behaviour.name.empty()) behaviour.name = behaviour.script.guid;
  if (behaviour.name.empty()) {
    return warn("unity.behaviour", place, "the behaviour names no script; it is left out");
  }
  if (out != nullptr) out->push_back(behaviour.name);
  out_.behaviours.push_back(std::move(behaviour));
}

}  // namespace sinew::unity
