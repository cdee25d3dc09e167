// A controller as its author sees it: names and strings, nothing resolved. The JSON reader, the
// importers and programs (through build:: below) make one; compile_controller() turns it into a
// ControllerDef and reports every fault.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sinew/graph/policy.hpp>
#include <sinew/graph/types.hpp>
#include <sinew/math/vec.hpp>

namespace sinew {

struct ParameterSource {
  std::string name{};
  ParameterType type = ParameterType::kFloat;
  double value = 0;  // at the start; bool and trigger: 0 or 1
};

// A name at a time of a motion: an event or a sync marker that is declared here rather than in a
// clip.
struct MotionEventSource {
  double time = 0;  // seconds
  std::string name{};
};

// A number over time that drives the float parameter of its name (rules, 2.11).
struct MotionCurveSource {
  std::string parameter{};
  std::vector<std::pair<double, double>> keys{};  // seconds, value; straight lines between
};

// What a motion is, where the controller runs without a model (tests, `sinew step`), and which clip
// it stands for where the names differ. Motions that states name without declaring them are clips
// of that name.
struct MotionSource {
  std::string name{};
  std::optional<std::string> clip{};  // name of the clip in the model; none: `name`
  std::optional<double> length{};     // seconds
  std::optional<bool> loop{};
  std::optional<double> value{};  // a constant that it plays on one scalar channel; none: it leaves
                                  // that channel alone
  // Without a model only; a clip brings its own.
  std::vector<MotionEventSource> events{};
  std::vector<MotionEventSource> markers{};  // where its feet come down, for phase matching
  std::vector<MotionCurveSource> curves{};
  // With a model too.
  bool mirror = false;                     // left and right swapped
  double cycle_offset = 0;                 // share of the cycle, added to the clip's
  std::optional<std::string> reference{};  // motion whose pose additive layers subtract; none: own
  double reference_time = 0;               // seconds, of that pose
};

struct ConditionSource {
  std::string parameter{};
  ConditionMode mode = ConditionMode::kIf;
  double threshold = 0;
};

// Where a transition leads: the name of a state or a machine, or kExitName. A bare name means a
// member of the same machine, else the only one of that name in the layer; "Locomotion.Walk" is a
// path from the layer's root; "base.Locomotion.Walk", with the layer's name in front, means the
// same and reaches past a neighbour of the same name.
inline constexpr const char* kExitName = "(exit)";

struct TransitionSource {
  std::string to{};
  std::vector<ConditionSource> conditions{};  // all must hold
  std::optional<double> exit_time{};          // normalized time of the source; none: no exit time
  double duration = 0.25;                     // seconds, or shares of the source's length
  bool fixed = true;                          // duration is in seconds
  double offset = 0;                          // normalized time at which the target starts
  Interruption interruption = Interruption::kNone;
  bool ordered = true;
  bool to_self = false;  // AnyState only: may lead to the state that plays already
  bool mute = false;
  bool solo = false;
  TransitionBlend blend = TransitionBlend::kCrossFade;
  TransitionCurve curve = TransitionCurve::kLinear;  // of a cross-fade or a dead blend
  std::vector<std::pair<double, double>>
      curve_points{};        // kPoints: x ascends from 0 to 1, y from 0 to 1 at the ends
  bool match_phase = false;  // the target starts, and goes on, in step by sync markers
  std::string name{};        // for people; may be empty

  // Fluent forms, for controllers written in C++.
  TransitionSource& when(std::string parameter, ConditionMode mode = ConditionMode::kIf,
                         double threshold = 0) {
    conditions.push_back({std::move(parameter), mode, threshold});
    return *this;
  }
  TransitionSource& at_exit(double time) {
    exit_time = time;
    return *this;
  }
  TransitionSource& seconds(double value) {
    duration = value;
    fixed = true;
    return *this;
  }
  TransitionSource& cycles(double value) {
    duration = value;
    fixed = false;
    return *this;
  }
  TransitionSource& starting_at(double value) {
    offset = value;
    return *this;
  }
  TransitionSource& interrupted_by(Interruption source, bool in_order = true) {
    interruption = source;
    ordered = in_order;
    return *this;
  }
  TransitionSource& self(bool allowed = true) {
    to_self = allowed;
    return *this;
  }
  TransitionSource& inertialized() {
    blend = TransitionBlend::kInertialize;
    return *this;
  }
  TransitionSource& dead_blended() {
    blend = TransitionBlend::kDeadBlend;
    return *this;
  }
  TransitionSource& eased(TransitionCurve by) {
    curve = by;
    return *this;
  }
  TransitionSource& eased(std::vector<std::pair<double, double>> points) {
    curve = TransitionCurve::kPoints;
    curve_points = std::move(points);
    return *this;
  }
  TransitionSource& in_phase(bool matched = true) {
    match_phase = matched;
    return *this;
  }
  TransitionSource& named(std::string text) {
    name = std::move(text);
    return *this;
  }
};

// Entry transitions, and those after a machine's exit: conditions only (rules, 7.1, 7.3).
struct RouteSource {
  std::string to{};
  std::vector<ConditionSource> conditions{};  // none: always true
  bool mute = false;
  bool solo = false;

  RouteSource& when(std::string parameter, ConditionMode mode = ConditionMode::kIf,
                    double threshold = 0) {
    conditions.push_back({std::move(parameter), mode, threshold});
    return *this;
  }
};

struct TreeChildSource;

// What a state or the child of a blend tree plays: nothing, a motion by name, or a tree.
struct MotionNodeSource {
  enum class Kind : std::uint8_t { kNone, kMotion, kTree };
  Kind kind = Kind::kNone;
  std::string motion{};
  TreeType type = TreeType::k1D;
  std::string x{};         // parameter; all types but direct
  std::string y{};         // parameter; two-dimensional types
  bool normalize = false;  // direct: weights are divided by their sum
  std::string name{};      // of a tree, for people; may be empty
  std::vector<TreeChildSource> children;
};

struct TreeChildSource {
  MotionNodeSource node{};
  double threshold = 0;     // 1D
  double x = 0, y = 0;      // position; two-dimensional types
  std::string parameter{};  // weight; direct
  double time_scale = 1;    // negative: backwards; 0 is an error
  double cycle_offset = 0;  // share of the cycle
  bool mirror = false;
};

struct StateSource {
  std::string name{};
  MotionNodeSource motion{};
  double speed = 1;         // negative: backwards
  double cycle_offset = 0;  // share of the cycle
  bool mirror = false;
  bool write_defaults = true;
  bool foot_ik = false;
  bool sync_markers = false;  // its motions are kept in step by their markers
  std::string tag{};
  // Parameters that replace or scale the values above; empty: none.
  std::string speed_parameter{};                // float, multiplies speed
  std::string cycle_offset_parameter{};         // float, replaces cycle_offset
  std::string mirror_parameter{};               // bool, replaces mirror
  std::string time_parameter{};                 // float: Motion Time, where in the motion to sample
  std::vector<TransitionSource> transitions{};  // in order of priority
  std::vector<std::string> behaviours{};        // names that the host knows
  std::optional<Vec2> position{};               // in the editor

  StateSource& plays(MotionNodeSource node) {
    motion = std::move(node);
    return *this;
  }
  StateSource& plays(std::string motion_name) {
    motion = MotionNodeSource();
    motion.kind = MotionNodeSource::Kind::kMotion;
    motion.motion = std::move(motion_name);
    return *this;
  }
  StateSource& at_speed(double value) {
    speed = value;
    return *this;
  }
  StateSource& scaled_by(std::string parameter) {
    speed_parameter = std::move(parameter);
    return *this;
  }
  StateSource& offset_by(double cycles) {
    cycle_offset = cycles;
    return *this;
  }
  StateSource& timed_by(std::string parameter) {
    time_parameter = std::move(parameter);
    return *this;
  }
  StateSource& mirrored(bool value = true) {
    mirror = value;
    return *this;
  }
  StateSource& keeps_what_it_does_not_move() {
    write_defaults = false;
    return *this;
  }
  StateSource& with_foot_ik(bool value = true) {
    foot_ik = value;
    return *this;
  }
  StateSource& in_step(bool value = true) {
    sync_markers = value;
    return *this;
  }
  StateSource& tagged(std::string text) {
    tag = std::move(text);
    return *this;
  }
  StateSource& behaves_as(std::string behaviour) {
    behaviours.push_back(std::move(behaviour));
    return *this;
  }
  StateSource& to(TransitionSource transition) {
    transitions.push_back(std::move(transition));
    return *this;
  }
};

struct MachineSource {
  std::string name{};           // empty for the root of a layer
  std::string default_state{};  // name of a state or machine in it; empty: the first state
  std::vector<StateSource> states{};
  std::vector<MachineSource> machines{};
  std::vector<TransitionSource> any{};  // AnyState: in order of priority; for the whole layer
  std::vector<RouteSource> entry{};
  std::vector<RouteSource> after_exit{};  // where this machine's exit leads, inside its parent
  std::vector<std::string> behaviours{};
  std::optional<Vec2> position{};

  MachineSource& add(StateSource state) {
    states.push_back(std::move(state));
    return *this;
  }
  MachineSource& add(MachineSource machine) {
    machines.push_back(std::move(machine));
    return *this;
  }
  MachineSource& starts_in(std::string state) {
    default_state = std::move(state);
    return *this;
  }
  MachineSource& from_any(TransitionSource t) {
    any.push_back(std::move(t));
    return *this;
  }
  MachineSource& enters(RouteSource route) {
    entry.push_back(std::move(route));
    return *this;
  }
  MachineSource& leaves(RouteSource route) {
    after_exit.push_back(std::move(route));
    return *this;
  }
  MachineSource& behaves_as(std::string behaviour) {
    behaviours.push_back(std::move(behaviour));
    return *this;
  }
};

// The motion that a synced layer plays in place of the source layer's (rules, 10.9).
struct SyncedMotionSource {
  std::string state{};  // name or path in the source layer
  MotionNodeSource motion{};
};

struct LayerSource {
  std::string name{};
  MachineSource root{};
  LayerBlending blending = LayerBlending::kOverride;
  double weight = 1;                  // at the start, in [0, 1]; the first layer always has 1
  std::string mask{};                 // name of a joint mask; empty: the whole body
  std::optional<bool> root_motion{};  // none: true unless the layer has a mask or is additive
  bool ik_pass = false;
  std::string sync{};        // name of the layer whose states it shares; empty: its own
  bool sync_timing = false;  // its lengths count in the shared states' lengths
  std::vector<SyncedMotionSource> synced_motions{};

  LayerSource& weighing(double value) {
    weight = value;
    return *this;
  }
  LayerSource& masked_by(std::string name_of_mask) {
    mask = std::move(name_of_mask);
    return *this;
  }
  LayerSource& additive() {
    blending = LayerBlending::kAdditive;
    return *this;
  }
  LayerSource& with_ik_pass(bool value = true) {
    ik_pass = value;
    return *this;
  }
  LayerSource& moving_the_root(bool value) {
    root_motion = value;
    return *this;
  }
  // Shares the states of another layer, playing motions of its own in them.
  LayerSource& following(std::string other, bool timing = false) {
    sync = std::move(other);
    sync_timing = timing;
    return *this;
  }
  LayerSource& plays_in(std::string state, MotionNodeSource motion) {
    synced_motions.push_back({std::move(state), std::move(motion)});
    return *this;
  }
};

struct ControllerSource {
  std::string name{};
  std::vector<ParameterSource> parameters{};
  std::vector<MotionSource> motions{};
  std::vector<LayerSource> layers{};
  ControllerPolicy policy{};
};

// Short words for writing controllers in C++:
//   using namespace sinew::build;
//   MachineSource root{};
//   root.add(state("Idle").plays("Idle").to(transition("Walk").when("speed", greater, 0.1)));
namespace build {

inline constexpr ConditionMode is_set = ConditionMode::kIf;
inline constexpr ConditionMode is_not_set = ConditionMode::kIfNot;
inline constexpr ConditionMode greater = ConditionMode::kGreater;
inline constexpr ConditionMode less = ConditionMode::kLess;
inline constexpr ConditionMode equals = ConditionMode::kEquals;
inline constexpr ConditionMode not_equal = ConditionMode::kNotEqual;

inline StateSource state(std::string name) {
  StateSource s;
  s.name = std::move(name);
  return s;
}
inline MachineSource machine(std::string name) {
  MachineSource m;
  m.name = std::move(name);
  return m;
}
inline TransitionSource transition(std::string to) {
  TransitionSource t;
  t.to = std::move(to);
  return t;
}
inline LayerSource layer(std::string name, MachineSource root = {}) {
  LayerSource l;
  l.name = std::move(name);
  l.root = std::move(root);
  return l;
}
inline RouteSource route(std::string to) {
  RouteSource r;
  r.to = std::move(to);
  return r;
}
inline MotionNodeSource motion(std::string name) {
  MotionNodeSource node;
  node.kind = MotionNodeSource::Kind::kMotion;
  node.motion = std::move(name);
  return node;
}
inline TreeChildSource child(MotionNodeSource node, double threshold) {
  TreeChildSource c;
  c.node = std::move(node);
  c.threshold = threshold;
  return c;
}
inline TreeChildSource child(MotionNodeSource node, double x, double y) {
  TreeChildSource c;
  c.node = std::move(node);
  c.x = x;
  c.y = y;
  return c;
}
inline MotionNodeSource tree_1d(std::string x, std::vector<TreeChildSource> children) {
  MotionNodeSource node;
  node.kind = MotionNodeSource::Kind::kTree;
  node.x = std::move(x);
  node.children = std::move(children);
  return node;
}
// Of a direct tree: as heavy as a parameter says.
inline TreeChildSource child(MotionNodeSource node, std::string parameter) {
  TreeChildSource c;
  c.node = std::move(node);
  c.parameter = std::move(parameter);
  return c;
}
inline MotionNodeSource tree_direct(std::vector<TreeChildSource> children, bool normalize = false) {
  MotionNodeSource node;
  node.kind = MotionNodeSource::Kind::kTree;
  node.type = TreeType::kDirect;
  node.normalize = normalize;
  node.children = std::move(children);
  return node;
}
inline MotionNodeSource tree_2d(TreeType type, std::string x, std::string y,
                                std::vector<TreeChildSource> children) {
  MotionNodeSource node = tree_1d(std::move(x), std::move(children));
  node.type = type;
  node.y = std::move(y);
  return node;
}

}  // namespace build

}  // namespace sinew
