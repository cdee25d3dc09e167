#include "outline.hpp"

#include <algorithm>

namespace sinew::authoring_detail {
namespace {

constexpr int kDeepest = 32;

std::string join(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

template <class Source>
bool has_solo(const std::vector<Source>& list) {
  return std::any_of(list.begin(), list.end(), [](const Source& s) { return s.solo && !s.mute; });
}

class Builder {
 public:
  explicit Builder(Outline& out) : out_(out) {}

  void add_layer(const LayerSource& layer) {
    const int index = static_cast<int>(out_.layers.size());
    out_.layers.emplace_back();
    out_.layers.back().source = &layer;
    out_.layers.back().root = static_cast<int>(out_.machines.size());
    layer_ = index;
    layer_place_ = "layer '" + layer.name + "'";
    add_machine(layer.root, -1, 0);
    resolve_layer();
  }

 private:
  LayerNode& layer() { return out_.layers[static_cast<std::size_t>(layer_)]; }

  void add_machine(const MachineSource& source, int parent, int depth) {
    if (depth > kDeepest) return;
    const int index = static_cast<int>(out_.machines.size());
    MachineNode node;
    node.source = &source;
    node.layer = layer_;
    node.parent = parent;
    node.place = layer_place_;
    if (parent >= 0) {
      node.path = join(out_.machine(parent).path, source.name);
      node.place += ": machine '" + node.path + "'";
      out_.machines[static_cast<std::size_t>(parent)].machines.push_back(index);
    }
    for (const StateSource& state : source.states) {
      node.states.push_back(static_cast<int>(out_.states.size()));
      layer().states.push_back(node.states.back());
      StateNode one;
      one.source = &state;
      one.layer = layer_;
      one.machine = index;
      one.path = join(node.path, state.name);
      one.place = layer_place_ + ": state '" + one.path + "'";
      out_.states.push_back(std::move(one));
    }
    out_.machines.push_back(std::move(node));
    layer().machines.push_back(index);
    for (const MachineSource& child : source.machines) add_machine(child, index, depth + 1);
  }

  void resolve_layer() {
    const std::vector<int> machines = layer().machines;
    // Solo of AnyState counts through all machines of the layer (its lists are one).
    bool solo = false;
    for (int m : machines) solo = solo || has_solo(out_.machine(m).source->any);
    for (int m : machines) resolve_machine(m, solo);
    for (int m : machines) {
      layer().any.insert(layer().any.end(), out_.machine(m).any.begin(), out_.machine(m).any.end());
    }
    for (std::size_t i = 0; i < layer().any.size(); ++i) {
      out_.edges[static_cast<std::size_t>(layer().any[i])].order = static_cast<int>(i);
    }
  }

  void resolve_machine(int index, bool any_solo) {
    const MachineSource& source = *out_.machine(index).source;
    MachineNode& node = out_.machines[static_cast<std::size_t>(index)];
    if (!source.default_state.empty()) {
      node.default_target = out_.resolve(source.default_state, index);
    } else if (!node.states.empty()) {
      node.default_target = {Target::Kind::kState, node.states.front()};
    } else if (!node.machines.empty()) {
      node.default_target = {Target::Kind::kMachine, node.machines.front()};
    }
    for (const TransitionSource& t : source.any) {
      node.any.push_back(add_edge(t, index, -1, node.any.size(), any_solo));
    }
    node.entries = add_routes(source.entry, index, index, true);
    if (node.parent >= 0) {
      node.leaves = add_routes(source.after_exit, index, node.parent, false);
    }
    for (int s : node.states) {
      StateNode& state = out_.states[static_cast<std::size_t>(s)];
      const bool solo = has_solo(state.source->transitions);
      for (const TransitionSource& t : state.source->transitions) {
        state.edges.push_back(add_edge(t, index, s, state.edges.size(), solo));
      }
    }
  }

  int add_edge(const TransitionSource& t, int machine, int state, std::size_t order, bool solo) {
    Edge edge;
    edge.source = &t;
    edge.layer = layer_;
    edge.machine = machine;
    edge.state = state;
    edge.order = static_cast<int>(order);
    edge.target = out_.resolve(t.to, machine);
    edge.off = t.mute || (solo && !t.solo);
    const std::string from = state < 0 ? "any" : out_.state(state).source->name;
    edge.place = layer_place_ + ": transition " + from + " -> " + (t.to.empty() ? "?" : t.to);
    out_.edges.push_back(std::move(edge));
    return static_cast<int>(out_.edges.size()) - 1;
  }

  std::vector<int> add_routes(const std::vector<RouteSource>& list, int machine, int scope,
                              bool entry) {
    std::vector<int> indices;
    const bool solo = has_solo(list);
    for (const RouteSource& source : list) {
      RouteEdge route;
      route.source = &source;
      route.machine = machine;
      route.entry = entry;
      route.order = static_cast<int>(indices.size());
      route.target = out_.resolve(source.to, scope);
      route.off = source.mute || (solo && !source.solo);
      route.place = out_.machine(machine).place + (entry ? ": entry -> " : ": after exit -> ") +
                    (source.to.empty() ? "?" : source.to);
      indices.push_back(static_cast<int>(out_.routes.size()));
      out_.routes.push_back(std::move(route));
    }
    return indices;
  }

  Outline& out_;
  int layer_ = 0;
  std::string layer_place_;
};

}  // namespace

Outline::Outline(const ControllerSource& controller) : source(&controller) {
  Builder builder(*this);
  for (const LayerSource& layer : controller.layers) builder.add_layer(layer);
}

Target Outline::resolve(const std::string& name, int index) const {
  if (name == kExitName) return {Target::Kind::kExit, index};
  if (name.empty()) return {};
  const MachineNode& here = machine(index);
  for (int s : here.states) {
    if (state(s).source->name == name) return {Target::Kind::kState, s};
  }
  for (int m : here.machines) {
    if (machine(m).source->name == name) return {Target::Kind::kMachine, m};
  }
  const LayerNode& layer = layers[static_cast<std::size_t>(here.layer)];
  int found_states = 0, found_machines = 0, last_state = -1, last_machine = -1;
  for (int m : layer.machines) {
    if (!machine(m).path.empty() && machine(m).path == name) return {Target::Kind::kMachine, m};
    for (int s : machine(m).states) {
      if (state(s).path == name) return {Target::Kind::kState, s};
      if (state(s).source->name != name) continue;
      ++found_states;
      last_state = s;
    }
    if (machine(m).parent < 0 || machine(m).source->name != name) continue;
    ++found_machines;
    last_machine = m;
  }
  if (found_states == 1) return {Target::Kind::kState, last_state};
  if (found_states == 0 && found_machines == 1) return {Target::Kind::kMachine, last_machine};
  return {};
}

std::string Outline::target_name(const Target& target, const std::string& written) const {
  switch (target.kind) {
    case Target::Kind::kState:
      return state(target.index).path;
    case Target::Kind::kMachine:
      return machine(target.index).path;
    case Target::Kind::kExit:
      return kExitName;
    case Target::Kind::kNone:
      break;
  }
  return written;
}

void collect_motions(const MotionNodeSource& node, std::vector<std::string>& out) {
  if (node.kind == MotionNodeSource::Kind::kMotion) out.push_back(node.motion);
  for (const TreeChildSource& child : node.children) collect_motions(child.node, out);
}

}  // namespace sinew::authoring_detail
