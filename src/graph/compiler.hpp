// From ControllerSource to ControllerTables. One object per compilation; faults are collected.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/base/finding.hpp>
#include <sinew/graph/definition.hpp>

namespace sinew::graph_detail {

class Compiler {
 public:
  Compiler(const ControllerSource& source, Findings& findings)
      : source_(source), findings_(findings) {}

  void run();
  ControllerTables& tables() { return t_; }

 private:
  // A machine of the layer at work, with what its names mean.
  struct MachineScope {
    const MachineSource* source = nullptr;
    std::int32_t index = -1;             // into tables
    std::int32_t parent = -1;            // into scopes_
    std::string path;                    // "Locomotion.Turns"; empty for the root
    std::vector<std::int32_t> states;    // into tables
    std::vector<std::int32_t> machines;  // into scopes_
  };

  // compile.cpp
  void add_parameters();
  void add_motions();
  void check_motion(const MotionSource& m, const std::string& place);
  void add_layers();
  void add_layer(std::size_t index);
  void add_synced_layer(const LayerSource& layer, LayerDef& def, const std::string& place);
  std::int32_t resolve_parameter(std::string_view name, ParameterType type,
                                 const std::string& place, const char* use);
  void set_limits();
  void add_offsets();
  std::size_t count_leaves(std::int32_t node) const;
  std::size_t layer_leaves(std::size_t layer) const;
  std::size_t layer_verdicts(std::size_t layer) const;

  // compile_machine.cpp
  void add_machine(const LayerSource& layer, LayerDef& def);
  void add_scope(const MachineSource& machine, std::int32_t parent, const LayerDef& def, int depth);
  void add_state(const StateSource& state, std::int32_t scope);
  void add_behaviours(const std::vector<std::string>& names, std::int32_t machine);
  void add_state_parameters(const StateSource& state, StateDef& def, const std::string& place);
  void resolve_scope(std::int32_t scope);
  void resolve_default(std::int32_t scope);
  void add_routes(std::int32_t scope);
  std::uint32_t add_route_list(const std::vector<RouteSource>& routes, std::int32_t from,
                               bool is_entry, const std::string& place);
  void add_any_list(LayerDef& def);
  void add_any_of(std::int32_t scope, std::vector<bool>& solo);
  void add_curve(const TransitionSource& source, TransitionDef& def, const std::string& place);
  void add_state_list(std::int32_t state, const StateSource& source, std::int32_t scope);
  void add_transition(const TransitionSource& source, std::int32_t scope, bool from_any,
                      const std::string& from);
  void mark_solo(std::uint32_t first, std::uint32_t count, const std::vector<bool>& solo);
  ConditionRange add_conditions(const std::vector<ConditionSource>& conditions,
                                const std::string& place);
  bool check_condition(const ConditionSource& condition, ParameterType type,
                       const std::string& place);
  TargetDef resolve_target(const std::string& to, std::int32_t scope, const std::string& place);
  bool find_target(std::string_view to, std::int32_t scope, TargetDef& target,
                   bool& ambiguous) const;
  bool inside(std::int32_t machine, std::int32_t ancestor) const;  // strictly; into tables

  // compile_motion.cpp
  std::int32_t add_node(const MotionNodeSource& node, const std::string& place, int depth = 0);
  void fill_tree(std::int32_t index, const MotionNodeSource& node, const std::string& place,
                 int depth);
  void add_children(const MotionNodeSource& node, const std::vector<std::size_t>& order,
                    const std::string& place, int depth);
  bool check_child(const MotionNodeSource& tree, const TreeChildSource& child,
                   const std::string& place);
  void check_directions(const MotionNodeSource& node, const std::string& place);
  void check_positions(const MotionNodeSource& node, const std::string& place);
  std::int32_t motion_index(const std::string& name, const std::string& place);

  void fault(Severity severity, const char* code, const std::string& place, std::string message,
             std::string hint = {}) {
    findings_.push_back({severity, code, std::move(message), place, std::move(hint), {}});
  }
  void error(const char* code, const std::string& place, std::string message) {
    fault(Severity::kError, code, place, std::move(message));
  }
  void warning(const char* code, const std::string& place, std::string message,
               std::string hint = {}) {
    fault(Severity::kWarning, code, place, std::move(message), std::move(hint));
  }
  // False and an error unless `value` is finite.
  bool check_finite(double value, const char* what, const std::string& place);

  const ControllerSource& source_;
  Findings& findings_;
  ControllerTables t_;
  std::map<std::string, std::int32_t, std::less<>> parameter_ids_, motion_ids_, mask_ids_;
  std::size_t declared_motions_ = 0;
  bool runs_alone_ = false;  // motions are declared with lengths

  // Of the layer at work.
  std::int32_t layer_ = 0;
  std::string layer_place_;  // "layer 'base'"
  std::vector<MachineScope> scopes_;
  std::map<std::int32_t, const StateSource*> state_sources_;
};

// 'name', for messages.
inline std::string quoted(std::string_view name) {
  std::string text;
  text.reserve(name.size() + 2);
  text += '\'';
  text += name;
  text += '\'';
  return text;
}

std::uint64_t hash_tables(const ControllerTables& t);

}  // namespace sinew::graph_detail
