#include "name_tree.hpp"

namespace sinew::unity {
namespace {

std::string join(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

void add_source(NameTree& tree, const MachineSource& machine, int parent, int depth) {
  const int index = tree.add_machine(parent, machine.name);
  for (const StateSource& state : machine.states) tree.add_state(index, state.name);
  if (depth >= 32) return;
  for (const MachineSource& child : machine.machines) add_source(tree, child, index, depth + 1);
}

}  // namespace

NameTree NameTree::of(const LayerSource& layer) {
  NameTree tree(layer.name);
  add_source(tree, layer.root, -1, 0);
  tree.finish();
  return tree;
}

int NameTree::add_machine(int parent, const std::string& name) {
  const int index = machine_count();
  Machine machine;
  machine.parent = parent;
  if (parent >= 0) {
    Machine& above = machines_[static_cast<std::size_t>(parent)];
    machine.name = name;
    machine.path = join(above.path, name);
    above.children.push_back(index);
    above.members.emplace(name, Target{Target::Kind::kMachine, index, -1});
  }
  machines_.push_back(std::move(machine));
  return index;
}

int NameTree::add_state(int machine, const std::string& name) {
  Machine& m = machines_[static_cast<std::size_t>(machine)];
  const int index = static_cast<int>(m.states.size());
  m.states.push_back(name);
  m.members.emplace(name, Target{Target::Kind::kState, machine, index});
  return index;
}

bool NameTree::has(int machine, const std::string& name) const {
  return machines_[static_cast<std::size_t>(machine)].members.contains(name);
}

void NameTree::finish() {
  for (int i = 0; i < machine_count(); ++i) {
    const Machine& machine = machines_[static_cast<std::size_t>(i)];
    const Target self{Target::Kind::kMachine, i, -1};
    if (!machine.path.empty()) paths_.emplace(machine.path, self);
    for (std::size_t s = 0; s < machine.states.size(); ++s) {
      const Target state{Target::Kind::kState, i, static_cast<int>(s)};
      paths_.emplace(join(machine.path, machine.states[s]), state);
      Named& named = states_by_name_[machine.states[s]];
      if (named.count++ == 0) named.target = state;
    }
    if (machine.parent >= 0) {
      Named& named = machines_by_name_[machine.name];
      if (named.count++ == 0) named.target = self;
    }
  }
}

NameTree::Target NameTree::find(std::string_view to, int from_machine) const {
  if (to == kExitName) return {Target::Kind::kExit, from_machine, -1};
  const Machine& from = machines_[static_cast<std::size_t>(from_machine)];
  if (const auto member = from.members.find(to); member != from.members.end()) {
    return member->second;
  }
  if (const auto path = paths_.find(to); path != paths_.end()) return path->second;
  const auto state = states_by_name_.find(to);
  if (state != states_by_name_.end()) {
    return state->second.count == 1 ? state->second.target : Target{};
  }
  const auto machine = machines_by_name_.find(to);
  if (machine != machines_by_name_.end()) {
    return machine->second.count == 1 ? machine->second.target : Target{};
  }
  // "Base Layer.Idle", as Unity writes full paths.
  if (!layer_.empty() && to.size() > layer_.size() && to[layer_.size()] == '.' &&
      to.substr(0, layer_.size()) == layer_) {
    const auto path = paths_.find(to.substr(layer_.size() + 1));
    if (path != paths_.end()) return path->second;
  }
  return {};
}

std::string NameTree::path_of(const Target& target) const {
  const Machine& machine = machines_[static_cast<std::size_t>(target.machine)];
  if (target.kind == Target::Kind::kMachine) return machine.path;
  return join(machine.path, machine.states[static_cast<std::size_t>(target.state)]);
}

std::string NameTree::name_of(const Target& target, int from_machine) const {
  if (target.kind == Target::Kind::kExit) return kExitName;
  if (target.kind == Target::Kind::kNone) return {};
  const Machine& machine = machines_[static_cast<std::size_t>(target.machine)];
  const std::string path = path_of(target);
  const bool is_state = target.kind == Target::Kind::kState;
  const int home = is_state ? target.machine : machine.parent;
  const std::string& name =
      is_state ? machine.states[static_cast<std::size_t>(target.state)] : machine.name;
  // A bare name for neighbours alone: it would come to mean another one when states are added.
  if (home == from_machine && find(name, from_machine) == target) return name;
  if (!path.empty() && find(path, from_machine) == target) return path;
  const std::string full = join(layer_, path);
  return !path.empty() && find(full, from_machine) == target ? full : std::string();
}

}  // namespace sinew::unity
