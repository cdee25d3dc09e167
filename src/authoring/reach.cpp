#include "reach.hpp"

#include <algorithm>

namespace sinew::authoring_detail {

struct Reach::Walk {
  std::vector<bool> entered, left;  // machines, so that a ring of them ends
  std::vector<int> states;
};

Reach::Reach(const Outline& outline)
    : outline_(&outline),
      types_(parameter_types(*outline.source)),
      edge_faults_(outline.edges.size()),
      route_faults_(outline.routes.size()),
      edge_landings_(outline.edges.size()),
      incoming_(outline.states.size()),
      reachable_(outline.states.size(), false) {
  for (const MachineNode& machine : outline.machines) {
    find_dead_routes(machine.entries);
    find_dead_routes(machine.leaves);
  }
  find_dead_edges();
  for (std::size_t i = 0; i < outline.edges.size(); ++i) {
    edge_landings_[i] = landings(outline.edges[i].target);
    if (!edge_lives(static_cast<int>(i))) continue;
    for (int state : edge_landings_[i]) {
      incoming_[static_cast<std::size_t>(state)].push_back(static_cast<int>(i));
    }
  }
  for (const LayerNode& layer : outline.layers) find_reachable(layer);
}

Dead Reach::own_fault(const Edge& edge) const {
  const TransitionSource& t = *edge.source;
  if (t.conditions.empty() && !t.exit_time) return {Dead::Why::kNoReason};
  Constraints all(types_);
  all.add(t.conditions);
  if (!all.satisfiable()) return {Dead::Why::kContradiction, -1, all.culprit()};
  const bool stands = edge.state >= 0 && outline_->state(edge.state).source->speed == 0;
  if (t.exit_time && stands) return {Dead::Why::kStandsStill};
  return {};
}

// Whether `later` can never be taken because `earlier` is looked at before it and takes the layer
// elsewhere whenever `later` could be taken.
bool Reach::shadows(const Edge& earlier, const Edge& later) const {
  const TransitionSource &e = *earlier.source, &l = *later.source;
  if (e.exit_time && e.exit_time != l.exit_time) return false;
  Constraints all(types_);
  all.add(l.conditions);
  if (!all.imply(e.conditions)) return false;
  // While the earlier one runs it does not stand in the way of what may interrupt it.
  const bool interruptible =
      !e.ordered && e.interruption != Interruption::kNone && e.interruption != Interruption::kNext;
  if (earlier.state >= 0) return !interruptible;
  if (e.to_self) return true;
  // One of AnyState is passed over while its own target plays, and its target may be where the
  // later one starts from, or be played while the later one is looked at.
  if (later.state < 0) return later.target == earlier.target && !l.to_self;
  if (earlier.target.kind != Target::Kind::kState || earlier.target.index == later.state)
    return false;
  return !interruptible;
}

void Reach::find_dead_edges() {
  for (std::size_t i = 0; i < outline_->edges.size(); ++i) {
    if (!outline_->edges[i].off) edge_faults_[i] = own_fault(outline_->edges[i]);
  }
  const auto try_list = [&](int index, const std::vector<int>& list, bool stop_at_itself) {
    Dead& fault = edge_faults_[static_cast<std::size_t>(index)];
    for (int before : list) {
      if (fault || (stop_at_itself && before == index)) return;
      if (edge_lives(before) && shadows(outline_->edge(before), outline_->edge(index)))
        fault = {Dead::Why::kShadowed, before};
    }
  };
  for (const LayerNode& layer : outline_->layers) {
    for (int edge : layer.any) {
      if (!outline_->edge(edge).off) try_list(edge, layer.any, true);
    }
    for (int state : layer.states) {
      for (int edge : outline_->state(state).edges) {
        if (outline_->edge(edge).off) continue;
        try_list(edge, layer.any, false);
        try_list(edge, outline_->state(state).edges, true);
      }
    }
  }
}

void Reach::find_dead_routes(const std::vector<int>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const RouteEdge& route = outline_->route(list[i]);
    if (route.off) continue;
    Dead& fault = route_faults_[static_cast<std::size_t>(list[i])];
    Constraints all(types_);
    all.add(route.source->conditions);
    if (!all.satisfiable()) fault = {Dead::Why::kContradiction, -1, all.culprit()};
    for (std::size_t k = 0; k < i && !fault; ++k) {
      if (route_lives(list[k]) && all.imply(outline_->route(list[k]).source->conditions)) {
        fault = {Dead::Why::kShadowed, list[k]};
      }
    }
  }
}

void Reach::enter(int machine, Walk& walk) const {
  if (walk.entered[static_cast<std::size_t>(machine)]) return;
  walk.entered[static_cast<std::size_t>(machine)] = true;
  const MachineNode& node = outline_->machine(machine);
  for (int route : node.entries) {
    if (!route_lives(route)) continue;
    follow(outline_->route(route).target, walk);
    if (outline_->route(route).source->conditions.empty()) return;
  }
  follow(node.default_target, walk);
}

void Reach::leave(int machine, Walk& walk) const {
  if (walk.left[static_cast<std::size_t>(machine)]) return;
  walk.left[static_cast<std::size_t>(machine)] = true;
  const MachineNode& node = outline_->machine(machine);
  if (node.parent < 0) return enter(machine, walk);
  for (int route : node.leaves) {
    if (!route_lives(route)) continue;
    follow(outline_->route(route).target, walk);
    if (outline_->route(route).source->conditions.empty()) return;
  }
  enter(node.parent, walk);
}

void Reach::follow(const Target& target, Walk& walk) const {
  switch (target.kind) {
    case Target::Kind::kState:
      if (std::find(walk.states.begin(), walk.states.end(), target.index) == walk.states.end())
        walk.states.push_back(target.index);
      return;
    case Target::Kind::kMachine:
      return enter(target.index, walk);
    case Target::Kind::kExit:
      return leave(target.index, walk);
    case Target::Kind::kNone:
      return;
  }
}

std::vector<int> Reach::landings(const Target& target) const {
  Walk walk{std::vector<bool>(outline_->machines.size(), false),
            std::vector<bool>(outline_->machines.size(), false),
            {}};
  follow(target, walk);
  return walk.states;
}

void Reach::find_reachable(const LayerNode& layer) {
  std::vector<int> open = landings({Target::Kind::kMachine, layer.root});
  const auto add = [&](int edge) {
    if (!edge_lives(edge)) return;
    const std::vector<int>& more = landings_of(edge);
    open.insert(open.end(), more.begin(), more.end());
  };
  for (int edge : layer.any) add(edge);
  while (!open.empty()) {
    const int state = open.back();
    open.pop_back();
    if (reachable_[static_cast<std::size_t>(state)]) continue;
    reachable_[static_cast<std::size_t>(state)] = true;
    for (int edge : outline_->state(state).edges) add(edge);
  }
}

}  // namespace sinew::authoring_detail
