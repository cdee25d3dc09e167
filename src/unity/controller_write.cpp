#include <cmath>

#include <sinew/base/hash.hpp>
#include <sinew/base/text.hpp>

#include "controller_reader.hpp"
#include "controller_writer.hpp"
#include "yaml_text.hpp"

namespace sinew::unity {

void ControllerWriter::fail(ErrorCode code, std::string message, const std::string& place) {
  if (!error_) error_ = make_error(code, std::move(message), place);
}

void ControllerWriter::note(std::string code, std::string place, std::string message) {
  out_.findings.push_back(
      {Severity::kInfo, std::move(code), std::move(message), std::move(place), {}, {}});
}

std::string ControllerWriter::number(double value, const std::string& place) {
  if (!std::isfinite(value)) {
    fail(ErrorCode::kInvalidArgument, "a value is not finite", place);
    return "0";
  }
  return yaml_number(value);
}

std::int64_t ControllerWriter::new_id(const std::string& what) {
  Hasher hasher;
  hasher.text(what);
  auto id = static_cast<std::int64_t>(hasher.value() >> 1);
  while (id < 100000000 || !used_ids_.insert(id).second) id = (id + 1) & INT64_MAX;
  return id;
}

void ControllerWriter::open(std::string& out, int class_id, std::int64_t id, const char* root,
                            int hide_flags) {
  out += "--- !u!" + std::to_string(class_id) + " &" + std::to_string(id) + "\n" + root + ":\n";
  out += "  m_ObjectHideFlags: " + std::to_string(hide_flags) + "\n";
  out +=
      "  m_CorrespondingSourceObject: {fileID: 0}\n"
      "  m_PrefabInstance: {fileID: 0}\n"
      "  m_PrefabAsset: {fileID: 0}\n";
}

void ControllerWriter::assign_machine(const MachineSource& machine, LayerIds& ids, int depth) {
  const int index = static_cast<int>(ids.machines.size());
  const std::string path = std::to_string(&ids - layers_.data()) + "/" + ids.tree.path(index) + "/";
  ids.machines.push_back(&machine);
  ids.machine_ids.push_back(new_id("machine/" + path));
  ids.state_ids.emplace_back();
  for (const StateSource& state : machine.states) {
    ids.state_ids.back().push_back(new_id("state/" + path + state.name));
  }
  if (depth >= 32 && !machine.machines.empty()) {
    fail(ErrorCode::kLimit, "machines are nested too deeply", "machine '" + machine.name + "'");
    return;
  }
  for (const MachineSource& child : machine.machines) assign_machine(child, ids, depth + 1);
}

void ControllerWriter::assign_ids(const LayerSource& layer, LayerIds& ids) {
  ids.tree = NameTree::of(layer);
  assign_machine(layer.root, ids, 0);
}

AssetRef ControllerWriter::motion_ref(const std::string& name) {
  if (const auto known = refs_.find(name); known != refs_.end()) return known->second;
  AssetRef ref;
  bool resolved = true;
  std::filesystem::path file;
  if (options_.origin != nullptr) {
    for (const NamedAsset& motion : options_.origin->motions) {
      if (motion.name != name || motion.ref.local()) continue;
      ref = motion.ref;
      resolved = motion.resolved;
      file = motion.file;
    }
  }
  if (ref.null() && options_.assets != nullptr) {
    ref = options_.assets->reference_of(name, kClipFileId).value_or(AssetRef{});
  }
  if (ref.null()) {
    resolved = false;
    if (const auto key = ref_of_key(name)) {
      ref = *key;
    } else {
      ref = {kClipFileId, made_up_guid("motion/" + name), 2};
      note("unity.made_up_guid", "motion '" + name + "'",
           "nothing says which asset it is; its guid is made up: " + ref.guid);
    }
  }
  refs_.emplace(name, ref);
  out_.motions.push_back({name, ref, file, resolved});
  return ref;
}

AssetRef ControllerWriter::mask_ref(const std::string& name) {
  if (options_.origin != nullptr) {
    for (const NamedAsset& mask : options_.origin->masks) {
      if (mask.name == name && !mask.ref.local()) return mask.ref;
    }
  }
  if (options_.assets != nullptr) {
    if (const auto ref = options_.assets->reference_of(name, kMaskFileId)) return *ref;
  }
  if (auto ref = ref_of_key(name); ref && ref->file_id == kClipFileId) {
    ref->file_id = kMaskFileId;
    return *ref;
  }
  const AssetRef ref{kMaskFileId, made_up_guid("mask/" + name), 2};
  note("unity.made_up_guid", "mask '" + name + "'",
       "nothing says which asset it is; its guid is made up: " + ref.guid);
  return ref;
}

AssetRef ControllerWriter::script_ref(const std::string& name) {
  if (options_.assets != nullptr) {
    if (const auto ref = options_.assets->reference_of(name, kScriptFileId)) return *ref;
  }
  if (auto ref = ref_of_key(name); ref && ref->file_id == kClipFileId) {
    return {kScriptFileId, ref->guid, 3};
  }
  const AssetRef ref{kScriptFileId, made_up_guid("script/" + name), 3};
  note("unity.made_up_guid", "behaviour '" + name + "'",
       "nothing says which script it is; its guid is made up: " + ref.guid);
  return ref;
}

std::string ControllerWriter::layer_entry(std::size_t index) {
  const LayerSource& layer = source_.layers[index];
  const std::string place = "layer '" + layer.name + "'";
  std::int64_t synced = -1;
  if (!layer.sync.empty()) {
    for (std::size_t i = 0; i < source_.layers.size(); ++i) {
      if (source_.layers[i].name == layer.sync && i != index) synced = static_cast<std::int64_t>(i);
    }
    if (synced < 0) {
      fail(ErrorCode::kNotFound, "the layer '" + layer.sync + "' that it follows does not exist",
           place);
    }
  }
  std::string out = "  - serializedVersion: 5\n    m_Name: " + yaml_scalar(layer.name) + "\n";
  out += "    m_StateMachine: " + yaml_reference(layers_[index].machine_ids[0]) + "\n";
  out += "    m_Mask: " +
         (layer.mask.empty() ? yaml_reference(0) : yaml_reference(mask_ref(layer.mask))) + "\n";
  std::string motions;
  const LayerIds* from = synced >= 0 ? &layers_[static_cast<std::size_t>(synced)] : nullptr;
  const auto id_of_state = [&](const std::string& state) -> std::int64_t {
    if (from == nullptr) return 0;
    const NameTree::Target target = from->tree.find(state, 0);
    if (target.kind != NameTree::Target::Kind::kState) {
      fail(ErrorCode::kNotFound, "there is no state '" + state + "' in layer '" + layer.sync + "'",
           place);
      return 0;
    }
    return from->state_ids[static_cast<std::size_t>(target.machine)]
                          [static_cast<std::size_t>(target.state)];
  };
  for (const SyncedMotionSource& one : layer.synced_motions) {
    motions += "    - m_State: " + yaml_reference(id_of_state(one.state)) + "\n";
    motions +=
        "      m_Motion: " + motion(one.motion, place + ": state '" + one.state + "'", 0) + "\n";
  }
  out += "    m_Motions:" + (motions.empty() ? " []\n" : "\n" + motions);
  std::map<std::string, std::string> behaviours;
  if (options_.origin != nullptr && from != nullptr) {
    for (const Behaviour& behaviour : options_.origin->behaviours) {
      if (!behaviour.of_synced_layer || behaviour.layer != layer.name) continue;
      if (from->tree.find(behaviour.owner, 0).kind != NameTree::Target::Kind::kState) continue;
      behaviours[behaviour.owner] +=
          "      - " + yaml_reference(write_behaviour(behaviour, place)) + "\n";
    }
  }
  out += behaviours.empty() ? "    m_Behaviours: []\n" : "    m_Behaviours:\n";
  for (const auto& [owner, list] : behaviours) {
    out += "    - m_State: " + yaml_reference(id_of_state(owner)) +
           "\n      m_StateMachineBehaviours:\n" + list;
  }
  out += std::string("    m_BlendingMode: ") +
         (layer.blending == LayerBlending::kAdditive ? "1" : "0") + "\n";
  out += "    m_SyncedLayerIndex: " + std::to_string(synced) + "\n";
  out += "    m_DefaultWeight: " + number(layer.weight, place) + "\n";
  out += std::string("    m_IKPass: ") + (layer.ik_pass ? "1" : "0") + "\n";
  out += std::string("    m_SyncedLayerAffectsTiming: ") + (layer.sync_timing ? "1" : "0") + "\n";
  return out + "    m_Controller: " + yaml_reference(kControllerFileId) + "\n";
}

std::string ControllerWriter::controller_document() {
  std::string out;
  open(out, kAnimatorController, kControllerFileId, "AnimatorController", 0);
  out += "  m_Name: " + yaml_scalar(source_.name) + "\n  serializedVersion: 5\n";
  out += source_.parameters.empty() ? "  m_AnimatorParameters: []\n" : "  m_AnimatorParameters:\n";
  for (const ParameterSource& p : source_.parameters) {
    const bool is_float = p.type == ParameterType::kFloat, is_int = p.type == ParameterType::kInt;
    const std::string value = number(p.value, "parameter '" + p.name + "'");
    out += "  - m_Name: " + yaml_scalar(p.name) + "\n";
    out += "    m_Type: " + std::to_string(static_cast<int>(p.type)) + "\n";
    out += "    m_DefaultFloat: " + (is_float ? value : "0") + "\n";
    out += "    m_DefaultInt: " + (is_int ? value : "0") + "\n";
    out += std::string("    m_DefaultBool: ") + (!is_float && !is_int && p.value != 0 ? "1" : "0") +
           "\n";
    out += "    m_Controller: " + yaml_reference(kControllerFileId) + "\n";
  }
  out += source_.layers.empty() ? "  m_AnimatorLayers: []\n" : "  m_AnimatorLayers:\n";
  for (std::size_t i = 0; i < source_.layers.size(); ++i) out += layer_entry(i);
  return out;
}

void ControllerWriter::note_what_is_lost() {
  if (!(source_.policy == ControllerPolicy{})) {
    note("unity.not_kept", "policy", "Unity's format has no place for it");
  }
  for (const LayerSource& layer : source_.layers) {
    if (layer.root_motion) {
      note("unity.not_kept", "layer '" + layer.name + "'",
           "Unity's format has no place for root_motion: its layers decide by their mask");
    }
  }
  for (const MotionSource& motion : source_.motions) {
    // Of motions that were read the length and events are the clip's own.
    bool ours = motion.value.has_value();
    if (options_.origin == nullptr)
      ours = ours || motion.length || motion.loop || !motion.events.empty();
    if (ours) {
      note("unity.not_kept", "motion '" + motion.name + "'",
           "what the controller declares of it belongs to a clip in Unity");
    }
  }
}

Result<WrittenController> ControllerWriter::write() {
  if (options_.origin != nullptr) behaviour_used_.resize(options_.origin->behaviours.size());
  layers_.resize(source_.layers.size());
  for (std::size_t i = 0; i < source_.layers.size(); ++i) {
    assign_ids(source_.layers[i], layers_[i]);
  }
  if (error_) return *error_;
  note_what_is_lost();
  const std::string head = controller_document();
  for (std::size_t i = 0; i < source_.layers.size(); ++i) write_layer(i);
  if (error_) return *error_;
  out_.text = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n" + head + documents_;
  return std::move(out_);
}

Result<WrittenController> write_controller(const ControllerSource& source,
                                           const WriteOptions& options) {
  return ControllerWriter(source, options).write();
}

Result<WrittenController> write_controller(const Controller& controller, const AssetMap* assets) {
  return write_controller(controller.source, {&controller, assets});
}

}  // namespace sinew::unity
