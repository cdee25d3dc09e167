// A compiled controller: immutable, shared by all characters that use it. Indices only; the names
// are kept for look-up and messages.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/base/finding.hpp>
#include <sinew/base/result.hpp>
#include <sinew/graph/blend_weights.hpp>
#include <sinew/graph/policy.hpp>
#include <sinew/graph/source.hpp>
#include <sinew/graph/types.hpp>

namespace sinew {

struct ParameterDef {
  ParameterType type = ParameterType::kFloat;
  std::int32_t float_index = -1;  // among the float parameters
  std::int32_t integer = 0;       // int, bool, trigger
  float number = 0;               // float
};

struct ConditionDef {
  std::int32_t parameter = -1;
  ConditionMode mode = ConditionMode::kIf;
  ParameterType type = ParameterType::kFloat;
  double threshold = 0;  // of a float parameter: rounded to float
};

// Where a transition or route leads: a state, or into a machine, or out of one (`index` is then the
// machine that is left).
struct TargetDef {
  enum class Kind : std::uint8_t { kState, kMachine, kExit };
  Kind kind = Kind::kState;
  std::int32_t index = -1;
};

struct ConditionRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct TransitionDef {
  double exit_time = 0;
  double duration = 0;
  double offset = 0;
  ConditionRange conditions;
  TargetDef target;
  Interruption interruption = Interruption::kNone;
  bool has_exit_time = false;
  bool fixed = true;
  bool ordered = true;
  bool to_self = false;
  bool from_any = false;
  bool muted = false;     // never taken
  bool unsoloed = false;  // never taken: another one of the list is solo and this is not
  TransitionBlend blend = TransitionBlend::kCrossFade;
  TransitionCurve curve = TransitionCurve::kLinear;
  bool match_phase = false;
  std::uint32_t first_point = 0, point_count = 0;  // into curve_points
};

struct RouteDef {
  ConditionRange conditions;
  TargetDef target;
};

struct MachineDef {
  std::int32_t parent = -1;  // -1: the root of its layer
  std::int32_t layer = 0;
  TargetDef default_target;
  std::uint32_t first_entry = 0, entry_count = 0;          // into routes
  std::uint32_t first_leave = 0, leave_count = 0;          // into routes: after its exit
  std::uint32_t first_behaviour = 0, behaviour_count = 0;  // its own, into behaviours
};

// One node of a motion. Nodes of a tree are contiguous behind it, children before grandchildren.
struct MotionNodeDef {
  enum class Kind : std::uint8_t { kNone, kMotion, kTree };
  Kind kind = Kind::kNone;
  TreeType type = TreeType::k1D;
  bool normalize = false;
  std::int32_t motion = -1;                        // into motion names and the MotionTable
  std::int32_t x = -1, y = -1;                     // parameters
  std::uint32_t first_child = 0, child_count = 0;  // into children, thresholds, points
};

struct TreeChildDef {
  std::int32_t node = -1;
  std::int32_t parameter = -1;  // direct
  double time_scale = 1;
  double cycle_offset = 0;
  bool mirror = false;
};

struct StateDef {
  std::int32_t layer = 0;
  std::int32_t machine = 0;
  std::int32_t node = -1;  // motion
  double speed = 1;
  double cycle_offset = 0;
  std::int32_t speed_parameter = -1;
  std::int32_t cycle_offset_parameter = -1;
  std::int32_t mirror_parameter = -1;
  std::int32_t time_parameter = -1;
  std::uint32_t first_transition = 0, transition_count = 0;
  std::uint32_t first_behaviour = 0, behaviour_count = 0;  // into behaviours
  bool mirror = false;
  bool write_defaults = true;
  bool foot_ik = false;
  bool sync_markers = false;
};

// A behaviour, and whose it is: a machine's are told of every state inside it, before the state's
// own, the outermost first (rules, 14.7).
struct BehaviourDef {
  std::int32_t name = -1;     // into behaviour_names
  std::int32_t machine = -1;  // -1: the state's own
};

struct LayerDef {
  LayerBlending blending = LayerBlending::kOverride;
  bool root_motion = true;
  bool ik_pass = false;
  bool sync_timing = false;
  float weight = 1;
  std::int32_t mask = -1;  // into mask names; -1: the whole body
  std::int32_t sync = -1;  // source layer; -1: its own machine
  std::int32_t root_machine = -1;
  std::uint32_t first_state = 0, state_count = 0;
  std::uint32_t first_any = 0, any_count = 0;  // into transitions
  std::uint32_t first_synced_node = 0;         // into synced_nodes: one per source state
  std::int32_t offsets =
      -1;  // of the pose memory: for transitions that do not cross-fade; -1: none
};

// How much room an update needs; see ControllerBuffers.
struct ControllerLimits {
  std::size_t tasks = 0;
  std::size_t weights = 0;
  std::size_t root_motions = 0;
  std::size_t leaves = 0;  // working memory
  std::size_t clip_events = 0;
  std::size_t state_events = 0;
  std::size_t consumed = 0;
  std::size_t verdicts = 0;
  std::size_t stored_poses = 0;   // of the pose memory: a frozen one per layer, and held ones
  std::size_t offsets = 0;        // of the pose memory: one per layer that inertializes
  std::size_t stack_depth = 0;    // of the pose program
  std::size_t scalar_memory = 0;  // floats that run_scalar_tasks() keeps
};

// All tables; read by the runtime, the studio and the tools.
struct ControllerTables {
  std::string name;
  ControllerPolicy policy;
  std::vector<ParameterDef> parameters;
  std::vector<ConditionDef> conditions;
  std::vector<TransitionDef> transitions;  // AnyState's and every state's list contiguous, in order
  std::vector<RouteDef> routes;
  std::vector<MachineDef> machines;
  std::vector<StateDef> states;
  std::vector<LayerDef> layers;
  std::vector<MotionNodeDef> nodes;
  std::vector<TreeChildDef> children;
  std::vector<float> thresholds;   // parallel to children
  std::vector<BlendPoint> points;  // parallel to children
  std::vector<std::int32_t> synced_nodes;
  std::vector<MotionSource> motions;  // every motion named, declared or not, in order of first use

  std::vector<std::string> parameter_names;
  std::vector<std::string> machine_names;  // path in the layer; the root's is empty
  std::vector<std::string> state_names;    // short
  std::vector<std::string> state_paths;    // "base.Locomotion.Walk"
  std::vector<std::string> state_tags;
  std::vector<std::string> transition_names;  // "Idle -> Walk", "any -> Death" where not given
  std::vector<std::string> layer_names;
  std::vector<std::string> mask_names;
  std::vector<std::string> behaviour_names;
  std::vector<BehaviourDef> behaviours;  // of every state, its machines' first; of every machine
  std::vector<Vec2> curve_points;

  // Stored poses of states without write defaults: what was shown last, and what the base layer's
  // current and next states hold. -1: every state has write defaults.
  std::int32_t shown_pose = -1, held_poses = -1;
  std::uint32_t float_count = 0;  // float parameters

  ControllerLimits limits;
  std::uint32_t max_children = 0;  // of any tree
  std::uint32_t max_leaves = 0;    // motions below any one state
};

class ControllerDef {
 public:
  const ControllerTables& tables() const { return tables_; }
  const std::string& name() const { return tables_.name; }
  const ControllerLimits& limits() const { return tables_.limits; }

  // Null if there is no such parameter.
  ParamId param(std::string_view name) const;
  // The same, with an error that names the nearest.
  Result<ParamId> find_param(std::string_view name) const;
  // By path ("base.Locomotion.Walk", or without the layer) or by a short name; the first match in
  // layer order, then in file order. Null if there is none.
  StateId state(std::string_view name) const;
  Result<StateId> find_state(std::string_view name) const;
  // -1 if there is no such layer.
  int layer(std::string_view name) const;

  int parameter_count() const { return static_cast<int>(tables_.parameters.size()); }
  int layer_count() const { return static_cast<int>(tables_.layers.size()); }
  int state_count() const { return static_cast<int>(tables_.states.size()); }
  const std::string& param_name(ParamId id) const {
    return tables_.parameter_names[static_cast<std::size_t>(id.index)];
  }
  const std::string& state_name(StateId id) const {
    return tables_.state_names[static_cast<std::size_t>(id.index)];
  }
  const std::string& state_path(StateId id) const {
    return tables_.state_paths[static_cast<std::size_t>(id.index)];
  }
  int state_layer(StateId id) const {
    return tables_.states[static_cast<std::size_t>(id.index)].layer;
  }
  // Whom the host tells of a state's events, in this order; whom of a machine's.
  std::span<const BehaviourDef> behaviours(StateId id) const {
    const StateDef& s = tables_.states[static_cast<std::size_t>(id.index)];
    return std::span(tables_.behaviours).subspan(s.first_behaviour, s.behaviour_count);
  }
  std::span<const BehaviourDef> machine_behaviours(int machine) const {
    const MachineDef& m = tables_.machines[static_cast<std::size_t>(machine)];
    return std::span(tables_.behaviours).subspan(m.first_behaviour, m.behaviour_count);
  }
  const std::string& behaviour_name(const BehaviourDef& behaviour) const {
    return tables_.behaviour_names[static_cast<std::size_t>(behaviour.name)];
  }

  // Bytes of one instance: see ControllerState. A multiple of 16.
  std::size_t state_size() const { return state_size_; }
  // Of everything that changes what an update does. Names of states count, those of parameters too.
  std::uint64_t hash() const { return hash_; }

 private:
  friend Result<ControllerDef> compile_controller(const ControllerSource&, Findings*);
  ControllerTables tables_;
  std::size_t state_size_ = 0;
  std::uint64_t hash_ = 0;
};

// Resolves names and checks ranges. All faults go to `findings` (which may be null), each with its
// place ("layer 'base': transition Idle -> Walk: parameter 'sped' is not declared; did you mean
// 'speed'?"); if one of them is an error, the first is returned.
Result<ControllerDef> compile_controller(const ControllerSource& source,
                                         Findings* findings = nullptr);

}  // namespace sinew
