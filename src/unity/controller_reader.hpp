// From the documents of a .controller file to a Controller. One object per file.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <sinew/unity/controller.hpp>

#include "document.hpp"
#include "name_tree.hpp"

namespace sinew::unity {

// Unity's numbers of classes.
enum ClassId : int {
  kAnimationClip = 74,
  kAnimatorController = 91,
  kMonoBehaviour = 114,
  kBlendTree = 206,
  kOverrideController = 221,
  kAvatarMask = 319,
  kStateTransition = 1101,  // Unity 4: Transition
  kState = 1102,
  kStateMachine = 1107,
  kEntryTransition = 1109,
};

// Names of motions, masks and behaviours, each given once.
class AssetNames {
 public:
  AssetNames(Controller& out, const ReadOptions& options) : out_(out), options_(options) {}

  // The motion's name in the source; declares it at its first use.
  std::string motion(const AssetRef& ref, const std::string& place);
  std::string mask(const AssetRef& ref, const std::string& place);
  // "" where only the guid is known.
  std::string script(const AssetRef& ref) const;
  // Gives a clip that lies in the controller's file itself.
  void add_local_clip(std::int64_t file_id, const Node& body);
  // Starts with the motions that are in `out` already.
  void take_known();

 private:
  std::string free_name(const std::string& wanted, const std::string& place);
  void read_clip_file(MotionSource& motion, const std::filesystem::path& file);

  Controller& out_;
  const ReadOptions& options_;
  std::map<AssetRef, std::string> motions_, masks_;
  std::set<std::string> motion_names_, mask_names_;
  std::map<std::int64_t, const Node*> local_clips_;
};

class ControllerReader {
 public:
  ControllerReader(const std::vector<Document>& documents, std::string file,
                   const ReadOptions& options)
      : documents_(documents), file_(std::move(file)), names_(out_, options) {}

  Result<Controller> read();

 private:
  // One machine of a layer, in depth-first order as in the name tree.
  struct MachineInfo {
    const Document* document = nullptr;  // null: the layer has none
    std::vector<const Document*> states;
  };
  struct LayerInfo {
    const Node* node = nullptr;
    std::string name, place;
    NameTree tree;
    std::vector<MachineInfo> machines;
    std::map<std::int64_t, NameTree::Target> by_id;  // states and machines
    int synced = -1;
    // Unity 4: transitions of each state by its id (0: AnyState, per machine).
    std::map<std::int64_t, std::vector<const Node*>> ordered;
    std::map<int, std::vector<const Node*>> ordered_any;
  };

  // controller_read.cpp
  Status index_documents();
  void add_parameters(const Node& controller);
  void add_parameter(const Node& node, std::size_t index);
  void find_layers(const Node& controller);
  void find_machine(LayerInfo& layer, const Document* document, int parent,
                    const std::string& name);
  void find_states(LayerInfo& layer, int machine, const std::string& place);
  std::string free_member(LayerInfo& layer, int machine, std::string name, const char* what,
                          const std::string& place);
  void add_layer(LayerInfo& layer, const Node& controller);
  void add_synced(LayerInfo& layer, LayerSource& source);
  void find_unity4_transitions(LayerInfo& layer);

  // controller_read_machine.cpp
  MachineSource machine(LayerInfo& layer, int index);
  void add_default(LayerInfo& layer, int index, MachineSource& out, const std::string& place);
  StateSource state(LayerInfo& layer, int machine, int index);
  void add_state_parameters(const Node& body, StateSource& out, const std::string& place);
  void add_transitions(LayerInfo& layer, int machine, const std::vector<const Node*>& refs,
                       bool from_any, std::vector<TransitionSource>& out, const std::string& place);
  bool transition(LayerInfo& layer, int machine, const Document& document, bool from_any,
                  TransitionSource& out, const std::string& place);
  void interruption(const Node& body, TransitionSource& out, const std::string& place);
  void add_routes(LayerInfo& layer, int machine, const Node* refs, bool is_entry,
                  std::vector<RouteSource>& out, const std::string& place);
  bool target(LayerInfo& layer, int machine, const Node& body, std::string& to,
              const std::string& place);
  // False: it can never hold.
  bool conditions(const Node& body, std::vector<ConditionSource>& out, TransitionSource* timed,
                  const std::string& place);
  void behaviours(const Node& body, const LayerInfo& layer, const std::string& owner,
                  bool of_machine, std::vector<std::string>& out, const std::string& place);
  void add_behaviour(const Node& ref, Behaviour behaviour, std::vector<std::string>* out,
                     const std::string& place);

  // controller_read_motion.cpp
  MotionNodeSource motion(const Node* node, const std::string& place);
  MotionNodeSource tree(const Document& document, const std::string& place);
  TreeChildSource child(const Node& node, TreeType type, const std::string& place);
  std::string float_parameter(const std::string& name, const char* use, const std::string& place);

  // The document of a local reference; null after a finding if it is not there or of another kind.
  const Document* find_document(const AssetRef& ref, int class_id, const char* what,
                                const std::string& place);
  double number(const Node& map, std::string_view key, double otherwise, const std::string& place);
  void warn(std::string code, const std::string& place, std::string message, std::string hint = {});
  void info(std::string code, const std::string& place, std::string message);
  static std::string at(const Node& node, const std::string& place) {
    return line_place(node.line) + (place.empty() ? "" : ": " + place);
  }
  static std::string at(int line, const std::string& place) {
    return line_place(line) + (place.empty() ? "" : ": " + place);
  }

  const std::vector<Document>& documents_;
  std::string file_;
  Controller out_;
  AssetNames names_;
  std::map<std::int64_t, const Document*> by_id_;
  std::map<std::string, ParameterType, std::less<>> parameters_;
  std::vector<LayerInfo> layers_;
  std::set<std::int64_t> machines_seen_, states_seen_;  // of all layers
  std::vector<std::int64_t> machine_stack_, tree_stack_;
  std::size_t tree_nodes_ = 0;
  std::optional<Error> limit_;
};

}  // namespace sinew::unity
