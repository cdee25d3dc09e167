// Which states a transition may end in, and which ones a layer can get to at all.
#pragma once

#include <vector>

#include "constraints.hpp"
#include "outline.hpp"

namespace sinew::authoring_detail {

// Why a transition or route that is not muted can never be taken.
struct Dead {
  enum class Why : std::uint8_t { kNot, kNoReason, kContradiction, kStandsStill, kShadowed };
  Why why = Why::kNot;
  int by = -1;              // kShadowed: the edge or route before it
  std::string parameter{};  // kContradiction
  explicit operator bool() const { return why != Why::kNot; }
};

class Reach {
 public:
  // The outline must outlive it.
  explicit Reach(const Outline& outline);

  const ParameterTypes& types() const { return types_; }
  const Dead& edge_fault(int edge) const { return edge_faults_[static_cast<std::size_t>(edge)]; }
  const Dead& route_fault(int route) const {
    return route_faults_[static_cast<std::size_t>(route)];
  }
  // Neither muted nor dead.
  bool edge_lives(int edge) const { return !outline_->edge(edge).off && !edge_fault(edge); }
  bool route_lives(int route) const { return !outline_->route(route).off && !route_fault(route); }

  // States in which a transition with this target may end, in order, each once.
  std::vector<int> landings(const Target& target) const;
  const std::vector<int>& landings_of(int edge) const {
    return edge_landings_[static_cast<std::size_t>(edge)];
  }
  // Transitions that may end in a state and are neither muted nor dead, in order.
  const std::vector<int>& incoming(int state) const {
    return incoming_[static_cast<std::size_t>(state)];
  }
  bool reachable(int state) const { return reachable_[static_cast<std::size_t>(state)]; }

 private:
  struct Walk;
  void enter(int machine, Walk& walk) const;
  void leave(int machine, Walk& walk) const;
  void follow(const Target& target, Walk& walk) const;
  void find_dead_edges();
  void find_dead_routes(const std::vector<int>& list);
  Dead own_fault(const Edge& edge) const;
  bool shadows(const Edge& earlier, const Edge& later) const;
  void find_reachable(const LayerNode& layer);

  const Outline* outline_;
  ParameterTypes types_;
  std::vector<Dead> edge_faults_, route_faults_;
  std::vector<std::vector<int>> edge_landings_, incoming_;
  std::vector<bool> reachable_;
};

}  // namespace sinew::authoring_detail
