// From a ControllerSource to the text of a .controller file. One object per file.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <sinew/unity/controller.hpp>

#include "name_tree.hpp"

namespace sinew::unity {

class ControllerWriter {
 public:
  ControllerWriter(const ControllerSource& source, const WriteOptions& options)
      : source_(source), options_(options) {}
  Result<WrittenController> write();

 private:
  // A layer with the ids of its documents, in the order of its name tree.
  struct LayerIds {
    NameTree tree;
    std::vector<const MachineSource*> machines;
    std::vector<std::int64_t> machine_ids;
    std::vector<std::vector<std::int64_t>> state_ids;
  };

  // controller_write.cpp
  void assign_ids(const LayerSource& layer, LayerIds& ids);
  void assign_machine(const MachineSource& machine, LayerIds& ids, int depth);
  std::int64_t new_id(const std::string& what);
  void open(std::string& out, int class_id, std::int64_t id, const char* root, int hide_flags);
  void close(std::string out) { documents_ += out; }
  std::string controller_document();
  std::string layer_entry(std::size_t index);
  void note_what_is_lost();
  void fail(ErrorCode code, std::string message, const std::string& place);
  void note(std::string code, std::string place, std::string message);
  std::string number(double value, const std::string& place);

  // controller_write_machine.cpp
  void write_layer(std::size_t index);
  void write_machine(std::size_t layer, int index);
  void write_state(std::size_t layer, int machine, int index);
  std::int64_t write_transition(std::size_t layer, int machine, const TransitionSource& t,
                                bool from_any, const std::string& place);
  std::int64_t write_route(std::size_t layer, int machine, const RouteSource& route,
                           const std::string& place);
  std::string target_lines(std::size_t layer, int machine, const std::string& to,
                           const std::string& place);
  std::string condition_lines(const std::vector<ConditionSource>& conditions,
                              const std::string& place);
  std::string behaviour_lines(const std::string& layer, const std::string& owner, bool of_machine,
                              const std::vector<std::string>& names);
  std::int64_t write_behaviour(const Behaviour& behaviour, const std::string& place);
  // The reference of a node: a clip's, or of a tree that is written.
  std::string motion(const MotionNodeSource& node, const std::string& place, int depth);
  std::int64_t write_tree(const MotionNodeSource& tree, const std::string& place, int depth);
  // The state that is played where a machine is entered by its default; 0: none.
  std::int64_t default_id(const LayerIds& ids, int machine, int depth) const;

  AssetRef motion_ref(const std::string& name);
  AssetRef mask_ref(const std::string& name);
  AssetRef script_ref(const std::string& name);

  const ControllerSource& source_;
  const WriteOptions& options_;
  WrittenController out_;
  std::string documents_;
  std::vector<LayerIds> layers_;
  std::set<std::int64_t> used_ids_;
  std::map<std::string, AssetRef> refs_;
  std::vector<bool> behaviour_used_;
  std::optional<Error> error_;
};

}  // namespace sinew::unity
