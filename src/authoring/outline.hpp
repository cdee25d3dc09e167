// A controller's graph with its names resolved as far as they can be: what lint, diff and pictures
// walk. Unlike compile_controller() it never fails: what cannot be resolved is marked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sinew/graph/source.hpp>

namespace sinew::authoring_detail {

// Where a transition or route leads. `index`: of a state or a machine; with kExit the machine that
// is left.
struct Target {
  enum class Kind : std::uint8_t { kNone, kState, kMachine, kExit };
  Kind kind = Kind::kNone;
  int index = -1;
  friend bool operator==(const Target&, const Target&) = default;
};

// One transition of a state's list, or of AnyState's.
struct Edge {
  const TransitionSource* source = nullptr;
  int layer = 0;
  int machine = 0;  // in which its names are resolved
  int state = -1;   // it leaves; -1: AnyState
  int order = 0;    // in its list, from 0
  Target target;
  bool off = false;   // muted, or another one of its list is solo
  std::string place;  // "layer 'base': transition Idle -> Walk"
};

struct RouteEdge {
  const RouteSource* source = nullptr;
  int machine = 0;  // entry: that is entered; after exit: that was left
  bool entry = true;
  int order = 0;
  Target target;
  bool off = false;
  std::string place;
};

struct StateNode {
  const StateSource* source = nullptr;
  int layer = 0;
  int machine = 0;
  std::string path;        // in the layer: "Gait.Walk"
  std::vector<int> edges;  // in order
  std::string place;       // "layer 'base': state 'Gait.Walk'"
};

struct MachineNode {
  const MachineSource* source = nullptr;
  int layer = 0;
  int parent = -1;
  std::string path;  // in the layer; empty for a layer's root
  std::vector<int> states, machines;
  std::vector<int> entries, leaves;  // route edges, in order
  std::vector<int> any;              // edges, in order
  Target default_target;
  std::string place;
};

struct LayerNode {
  const LayerSource* source = nullptr;
  int root = 0;
  std::vector<int> states, machines;  // all, depth first
  std::vector<int> any;               // of all machines, in order of priority
};

// Refers to the source, which must outlive it. Machines nested more deeply than 32 are left out.
struct Outline {
  explicit Outline(const ControllerSource& controller);
  explicit Outline(ControllerSource&&) = delete;

  const ControllerSource* source;
  std::vector<LayerNode> layers;
  std::vector<MachineNode> machines;
  std::vector<StateNode> states;
  std::vector<Edge> edges;
  std::vector<RouteEdge> routes;

  const StateNode& state(int i) const { return states[static_cast<std::size_t>(i)]; }
  const MachineNode& machine(int i) const { return machines[static_cast<std::size_t>(i)]; }
  const Edge& edge(int i) const { return edges[static_cast<std::size_t>(i)]; }
  const RouteEdge& route(int i) const { return routes[static_cast<std::size_t>(i)]; }

  // "Gait.Walk", "(exit)", or the name as written where it means nothing.
  std::string target_name(const Target& target, const std::string& written) const;
  // The name as a member of the same machine, else as a path from the layer's root, else as the
  // only one of that name in the layer (as the compiler does it).
  Target resolve(const std::string& name, int machine) const;
};

// The motion names below a node, in order, with repetitions.
void collect_motions(const MotionNodeSource& node, std::vector<std::string>& out);

}  // namespace sinew::authoring_detail
