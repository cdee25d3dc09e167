#include <algorithm>
#include <cmath>

#include <sinew/base/text.hpp>

#include "controller_reader.hpp"

namespace sinew::unity {
namespace {

constexpr int kDeepestMachine = 32;
constexpr std::size_t kMostFindings = 1000;

bool is_wanted(int class_id) {
  switch (class_id) {
    case kAnimationClip:
    case kAnimatorController:
    case kMonoBehaviour:
    case kBlendTree:
    case kStateTransition:
    case kState:
    case kStateMachine:
    case kEntryTransition:
      return true;
    default:
      return false;
  }
}

}  // namespace

void ControllerReader::warn(std::string code, const std::string& place, std::string message,
                            std::string hint) {
  if (out_.findings.size() >= kMostFindings) return;
  out_.findings.push_back(
      {Severity::kWarning, std::move(code), std::move(message), place, std::move(hint), file_});
}

void ControllerReader::info(std::string code, const std::string& place, std::string message) {
  if (out_.findings.size() >= kMostFindings) return;
  out_.findings.push_back({Severity::kInfo, std::move(code), std::move(message), place, {}, file_});
}

double ControllerReader::number(const Node& map, std::string_view key, double otherwise,
                                const std::string& place) {
  const Node* node = map.find(key);
  if (node == nullptr) return otherwise;
  const auto value = number_of(node);
  // Numbers end up in floats; nothing beyond their range can be meant.
  if (value && std::isfinite(*value) && std::abs(*value) < 3.4e38) return *value;
  warn("unity.number", at(*node, place),
       std::string(key) + " is no finite number; it counts as " + format_text("%g", otherwise));
  return otherwise;
}

const Document* ControllerReader::find_document(const AssetRef& ref, int class_id, const char* what,
                                                const std::string& place) {
  if (ref.local()) {
    const auto found = by_id_.find(ref.file_id);
    if (found != by_id_.end() && found->second->class_id == class_id) return found->second;
    warn("unity.missing_document", place,
         std::string(what) + format_text(" %lld ", static_cast<long long>(ref.file_id)) +
             (found == by_id_.end() ? "is not in the file" : "is of another class"));
  } else {
    warn("unity.missing_document", place, std::string(what) + " lies in another file");
  }
  return nullptr;
}

Status ControllerReader::index_documents() {
  for (const Document& document : documents_) {
    if (!by_id_.emplace(document.file_id, &document).second) {
      warn("unity.duplicate_id", line_place(document.line),
           format_text("two documents have the id %lld; the first counts",
                       static_cast<long long>(document.file_id)));
    }
    if (document.class_id == kAnimationClip) names_.add_local_clip(document.file_id, document.body);
  }
  return {};
}

Result<Controller> ControllerReader::read() {
  if (Status s = index_documents(); !s) return s.error();
  const Document* controller = nullptr;
  for (const Document& document : documents_) {
    if (document.class_id != kAnimatorController) continue;
    if (controller != nullptr) {
      warn("unity.two_controllers", line_place(document.line),
           "the file holds a second controller, which is not read");
      continue;
    }
    controller = &document;
  }
  if (controller == nullptr) {
    const bool overrides = std::any_of(
        documents_.begin(), documents_.end(),
        [](const Document& document) { return document.class_id == kOverrideController; });
    return make_error(ErrorCode::kMismatch,
                      overrides ? "holds an override controller, not a controller"
                                : "holds no animator controller (a document '!u!91')",
                      file_);
  }
  const Node& body = controller->body;
  out_.source.name = text_or(body, "m_Name");
  add_parameters(body);
  find_layers(body);
  for (LayerInfo& layer : layers_) add_layer(layer, body);
  if (layers_.empty()) {
    warn("unity.no_layers", at(body, {}), "the controller has no layer");
  }
  if (limit_) return *limit_;
  for (Finding& finding : out_.findings) {
    if (finding.file.empty()) finding.file = file_;
  }
  return std::move(out_);
}

void ControllerReader::add_parameters(const Node& controller) {
  const std::vector<Node>& list = elements(controller, "m_AnimatorParameters");
  for (std::size_t i = 0; i < list.size(); ++i) add_parameter(list[i], i);
}

void ControllerReader::add_parameter(const Node& node, std::size_t index) {
  ParameterSource parameter;
  parameter.name = text_or(node, "m_Name");
  const std::string place = at(node, "parameter " + in_quotes(parameter.name));
  if (parameter.name.empty()) {
    return warn("unity.no_name", at(node, format_text("parameter %zu", index)),
                "it has no name and is left out");
  }
  const std::int64_t type = integer_or(node, "m_Type", 1);
  switch (type) {
    case 3:
      parameter.type = ParameterType::kInt;
      parameter.value = number(node, "m_DefaultInt", 0, place);
      break;
    case 4:
    case 9:
      parameter.type = type == 4 ? ParameterType::kBool : ParameterType::kTrigger;
      parameter.value = flag_or(node, "m_DefaultBool", false) ? 1 : 0;
      break;
    default:
      if (type != 1) {
        warn("unity.parameter_type", place,
             format_text("its type %lld is not known; it counts as a float",
                         static_cast<long long>(type)));
      }
      parameter.value = number(node, "m_DefaultFloat", 0, place);
  }
  if (parameter.type == ParameterType::kInt) {
    parameter.value = std::clamp(std::trunc(parameter.value), -2147483648.0, 2147483647.0);
  }
  if (!parameters_.emplace(parameter.name, parameter.type).second) {
    return warn("unity.duplicate_parameter", place, "is declared twice; the first counts");
  }
  out_.source.parameters.push_back(std::move(parameter));
}

void ControllerReader::find_layers(const Node& controller) {
  std::set<std::string> taken;
  const std::vector<Node>& list = elements(controller, "m_AnimatorLayers");
  layers_.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Node& node = list[i];
    LayerInfo layer;
    layer.node = &node;
    std::string name = text_or(node, "m_Name");
    const std::string given = name;
    if (name.empty()) name = format_text("Layer %zu", i);
    for (int n = 2; taken.contains(name); ++n) name = given + " " + std::to_string(n);
    if (name != given) {
      warn("unity.layer_name", at(node, "layer " + in_quotes(given)),
           "its name is missing or taken; it becomes " + in_quotes(name));
    }
    taken.insert(name);
    layer.name = name;
    layer.place = "layer " + in_quotes(name);
    layer.tree = NameTree(name);
    const std::int64_t synced = integer_or(node, "m_SyncedLayerIndex", -1);
    if (synced >= 0 && synced < static_cast<std::int64_t>(list.size()) &&
        synced != static_cast<std::int64_t>(i)) {
      layer.synced = static_cast<int>(synced);
    } else if (synced != -1) {
      warn("unity.synced_layer", at(node, layer.place),
           format_text("it follows layer %lld, which does not exist or is itself; it stands alone",
                       static_cast<long long>(synced)));
    }
    layers_.push_back(std::move(layer));
  }
  for (LayerInfo& layer : layers_) {
    if (layer.synced >= 0) continue;
    const Node* node = layer.node->find("m_StateMachine");
    const AssetRef ref = reference_of(node);
    const Document* document = nullptr;
    if (ref.null()) {
      warn("unity.no_machine", at(*layer.node, layer.place), "it has no state machine");
    } else {
      document = find_document(ref, kStateMachine, "state machine", at(*node, layer.place));
    }
    machine_stack_.clear();
    find_machine(layer, document, -1, {});
    layer.tree.finish();
    find_unity4_transitions(layer);
  }
}

std::string ControllerReader::free_member(LayerInfo& layer, int machine, std::string name,
                                          const char* what, const std::string& place) {
  const std::string given = name;
  if (name.empty()) name = what;
  if (name[0] == '(') name.insert(0, "_");
  const std::string base = name;
  for (int n = 2; layer.tree.has(machine, name); ++n) name = base + " " + std::to_string(n);
  if (name != given) {
    warn("unity.renamed", place,
         std::string(what) + " " + in_quotes(given) +
             (given.empty()     ? " has no name"
              : given[0] == '(' ? " begins with '(', which is reserved"
                                : " has a name that is taken in its machine") +
             "; it becomes " + in_quotes(name));
  }
  return name;
}

void ControllerReader::find_states(LayerInfo& layer, int machine, const std::string& place) {
  const Node& body = layer.machines[static_cast<std::size_t>(machine)].document->body;
  const bool unity4 = body.find("m_ChildStates") == nullptr && body.find("m_States") != nullptr;
  for (const Node& item : elements(body, unity4 ? "m_States" : "m_ChildStates")) {
    const Node* node = unity4 ? &item : item.find("m_State");
    const AssetRef ref = reference_of(node);
    if (ref.null()) {
      warn("unity.null_state", at(item, place), "it lists a state that is null; it is left out");
      continue;
    }
    const Document* document = find_document(ref, kState, "state", at(item, place));
    if (document == nullptr) continue;
    const std::string given = text_or(document->body, "m_Name");
    if (layer.by_id.contains(document->file_id)) {
      warn("unity.two_parents", at(item, place),
           "state " + in_quotes(given) + " is listed a second time, in " +
               in_quotes(layer.tree.path(machine)) + "; the first place counts");
      continue;
    }
    if (!states_seen_.insert(document->file_id).second) {
      warn("unity.two_parents", at(item, place),
           "state " + in_quotes(given) + " belongs to another layer too; it is copied");
    }
    const std::string name = free_member(layer, machine, given, "State", at(document->line, place));
    const int index = layer.tree.add_state(machine, name);
    layer.machines[static_cast<std::size_t>(machine)].states.push_back(document);
    layer.by_id[document->file_id] = {NameTree::Target::Kind::kState, machine, index};
  }
}

void ControllerReader::find_machine(LayerInfo& layer, const Document* document, int parent,
                                    const std::string& name) {
  const int index = layer.tree.add_machine(parent, name);
  layer.machines.push_back({document, {}});
  if (document == nullptr) return;
  layer.by_id.emplace(document->file_id,
                      NameTree::Target{NameTree::Target::Kind::kMachine, index, -1});
  if (!machines_seen_.insert(document->file_id).second) {
    warn("unity.two_parents", at(document->line, layer.place),
         "the state machine belongs to another layer too; it is copied");
  }
  const std::string place =
      layer.place + (parent < 0 ? "" : ": machine " + in_quotes(layer.tree.path(index)));
  find_states(layer, index, place);
  machine_stack_.push_back(document->file_id);
  const Node& body = document->body;
  const bool unity4 = body.find("m_ChildStateMachines") == nullptr;
  for (const Node& item : elements(body, unity4 ? "m_ChildStateMachine" : "m_ChildStateMachines")) {
    const AssetRef ref = reference_of(unity4 ? &item : item.find("m_StateMachine"));
    if (ref.null()) {
      warn("unity.null_machine", at(item, place), "it lists a machine that is null");
      continue;
    }
    const Document* child = find_document(ref, kStateMachine, "machine", at(item, place));
    if (child == nullptr) continue;
    const std::string given = text_or(child->body, "m_Name");
    if (std::find(machine_stack_.begin(), machine_stack_.end(), child->file_id) !=
        machine_stack_.end()) {
      warn("unity.cyclic_machine", at(item, place),
           "machine " + in_quotes(given) + " lies inside itself; the inner place is left out");
      continue;
    }
    if (layer.by_id.contains(child->file_id)) {
      warn("unity.two_parents", at(item, place),
           "machine " + in_quotes(given) + " has two parents; the first counts");
      continue;
    }
    if (machine_stack_.size() >= static_cast<std::size_t>(kDeepestMachine)) {
      warn("unity.too_deep", at(item, place),
           "machine " + in_quotes(given) + " is nested too deeply and left out");
      continue;
    }
    find_machine(layer, child, index,
                 free_member(layer, index, given, "Machine", at(child->line, place)));
  }
  machine_stack_.pop_back();
}

// Unity 4 keeps the transitions of all states of a machine in one map; AnyState is state 0.
void ControllerReader::find_unity4_transitions(LayerInfo& layer) {
  for (std::size_t i = 0; i < layer.machines.size(); ++i) {
    if (layer.machines[i].document == nullptr) continue;
    const Node& body = layer.machines[i].document->body;
    for (const NodePair& pair : pairs_of(body.find("m_OrderedTransitions"))) {
      if (pair.second == nullptr || pair.second->kind != Node::Kind::kList) continue;
      const std::int64_t from = reference_of(pair.first).file_id;
      auto& list = from == 0 ? layer.ordered_any[static_cast<int>(i)] : layer.ordered[from];
      for (const Node& ref : pair.second->items) list.push_back(&ref);
    }
  }
}

void ControllerReader::add_layer(LayerInfo& layer, const Node& controller) {
  const Node& node = *layer.node;
  const bool first = &layer == &layers_.front();
  LayerSource source;
  source.name = layer.name;
  source.blending = integer_or(node, "m_BlendingMode", 0) == 1 && !first ? LayerBlending::kAdditive
                                                                         : LayerBlending::kOverride;
  // The base layer's weight is always 1; its file often says 0.
  source.weight = first ? 1 : std::clamp(number(node, "m_DefaultWeight", 0, layer.place), 0.0, 1.0);
  source.ik_pass = flag_or(node, "m_IKPass", false);
  if (const Node* mask = node.find("m_Mask")) {
    const AssetRef ref = reference_of(mask);
    if (!ref.null()) source.mask = names_.mask(ref, at(*mask, layer.place));
  }
  if (layer.synced >= 0) {
    source.sync = layers_[static_cast<std::size_t>(layer.synced)].name;
    source.sync_timing = flag_or(node, "m_SyncedLayerAffectsTiming", false);
    add_synced(layer, source);
  } else {
    source.root = machine(layer, 0);
    if (!elements(node, "m_Motions").empty()) {
      info("unity.unused_motions", at(node, layer.place),
           "it lists motions for a synced layer, but is none");
    }
  }
  (void)controller;
  out_.source.layers.push_back(std::move(source));
}

void ControllerReader::add_synced(LayerInfo& layer, LayerSource& source) {
  LayerInfo& from = layers_[static_cast<std::size_t>(layer.synced)];
  const Node& node = *layer.node;
  const auto place_of = [&](const NameTree::Target& target) {
    return layer.place + ": state " + in_quotes(from.tree.path_of(target));
  };
  if (from.synced >= 0) {
    warn("unity.synced_layer", at(node, layer.place),
         "it follows " + from.place + ", which follows another one itself");
    return;
  }
  for (const Node& item : elements(node, "m_Motions")) {
    const AssetRef state = reference_of(item.find("m_State"));
    const auto found = from.by_id.find(state.file_id);
    if (found == from.by_id.end() || found->second.kind != NameTree::Target::Kind::kState) {
      warn("unity.synced_state", at(item, layer.place),
           format_text("it has a motion for state %lld, which is not in ",
                       static_cast<long long>(state.file_id)) +
               from.place);
      continue;
    }
    SyncedMotionSource motion_source;
    motion_source.state = from.tree.path_of(found->second);
    motion_source.motion = motion(item.find("m_Motion"), at(item, place_of(found->second)));
    if (motion_source.motion.kind == MotionNodeSource::Kind::kNone) continue;
    source.synced_motions.push_back(std::move(motion_source));
  }
  for (const Node& item : elements(node, "m_Behaviours")) {
    const auto found = from.by_id.find(reference_of(item.find("m_State")).file_id);
    if (found == from.by_id.end()) continue;
    for (const Node& ref : elements(item, "m_StateMachineBehaviours")) {
      Behaviour behaviour;
      behaviour.layer = layer.name;
      behaviour.owner = from.tree.path_of(found->second);
      behaviour.of_synced_layer = true;
      add_behaviour(ref, std::move(behaviour), nullptr, at(ref, layer.place));
    }
  }
  // Unity 4: a state holds one motion for each layer that shares it.
  const std::int64_t set = integer_or(node, "m_StateMachineMotionSetIndex", 0);
  if (set <= 0) return;
  for (std::size_t m = 0; m < from.machines.size(); ++m) {
    for (std::size_t s = 0; s < from.machines[m].states.size(); ++s) {
      const std::vector<Node>& motions = elements(from.machines[m].states[s]->body, "m_Motions");
      if (static_cast<std::size_t>(set) >= motions.size()) continue;
      const NameTree::Target target{NameTree::Target::Kind::kState, static_cast<int>(m),
                                    static_cast<int>(s)};
      const Node& ref = motions[static_cast<std::size_t>(set)];
      SyncedMotionSource motion_source;
      motion_source.state = from.tree.path_of(target);
      motion_source.motion = motion(&ref, at(ref, place_of(target)));
      if (motion_source.motion.kind == MotionNodeSource::Kind::kNone) continue;
      source.synced_motions.push_back(std::move(motion_source));
    }
  }
}

Result<Controller> read_controller(std::string_view text, const std::string& file,
                                   const ReadOptions& options) {
  Result<std::vector<Document>> documents = parse_documents(
      text, file, is_wanted, "m_EditorCurves m_EulerEditorCurves m_ClipBindingConstant");
  if (!documents) return documents.error();
  ControllerReader reader(*documents, file, options);
  return reader.read();
}

}  // namespace sinew::unity
