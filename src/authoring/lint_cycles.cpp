// Layers that never rest: transitions that take each other's turn for ever.
#include <algorithm>
#include <set>

#include "lint_report.hpp"

namespace sinew::authoring_detail {
namespace {

constexpr std::size_t kLongestCycle = 4;
// Lists of thousands of transitions are no work of people; the search in them ends here.
constexpr int kMostSteps = 200'000;

std::set<std::string> parameters_of(const TransitionSource& t) {
  std::set<std::string> names;
  for (const ConditionSource& c : t.conditions) names.insert(c.parameter);
  return names;
}

// Holds for as long as the host leaves its parameters alone, and asks for nothing else.
bool persists(const Lint& lint, int index) {
  const TransitionSource& t = *lint.outline.edge(index).source;
  return lint.reach.edge_lives(index) && !t.exit_time && !t.conditions.empty() &&
         !uses_trigger(t.conditions, lint.reach.types());
}

class Cycles {
 public:
  Cycles(Lint& lint, const LayerNode& layer) : lint_(lint), layer_(layer) {}

  // Cycles are reported at their first state in the order of the file, so that each comes once.
  void from(int state) {
    first_ = state;
    step(state);
  }

 private:
  void step(int state) {
    for (int index : lint_.outline.state(state).edges) {
      if (++steps_ > kMostSteps) return;
      const Edge& edge = lint_.outline.edge(index);
      if (edge.target.kind != Target::Kind::kState || edge.target.index < first_) continue;
      if (!persists(lint_, index)) continue;
      // Conditions on different parameters are left to the host, which may keep them apart.
      if (!path_.empty() &&
          parameters_of(*edge.source) != parameters_of(*lint_.outline.edge(path_[0]).source)) {
        continue;
      }
      path_.push_back(index);
      if (edge.target.index == first_) {
        report();
      } else if (path_.size() < kLongestCycle && !passed(edge.target.index)) {
        step(edge.target.index);
      }
      path_.pop_back();
    }
  }

  bool passed(int state) const {
    return std::any_of(path_.begin(), path_.end(),
                       [&](int e) { return lint_.outline.edge(e).state == state; });
  }

  // True if another transition always breaks the ring.
  bool broken(const Constraints& all) const {
    const auto takes = [&](int other) {
      const TransitionSource& t = *lint_.outline.edge(other).source;
      return lint_.reach.edge_lives(other) && !t.exit_time && all.imply(t.conditions);
    };
    if (std::any_of(layer_.any.begin(), layer_.any.end(), takes)) return true;
    for (int member : path_) {
      for (int other : lint_.outline.state(lint_.outline.edge(member).state).edges) {
        if (other == member) break;
        if (takes(other)) return true;
      }
    }
    return false;
  }

  void report() {
    Constraints all(lint_.reach.types());
    bool instant = true;
    std::string ring = lint_.outline.state(first_).path;
    for (int member : path_) {
      const TransitionSource& t = *lint_.outline.edge(member).source;
      all.add(t.conditions);
      instant = instant && t.duration == 0;
      ring += " -> " + lint_.outline.state(lint_.outline.edge(member).target.index).path;
    }
    if (!all.satisfiable() || broken(all)) return;
    const std::set<std::string> names = parameters_of(*lint_.outline.edge(path_[0]).source);
    lint_.add(kEndless, lint_.outline.edge(path_[0]).place,
              ring + ": all of these can hold at once (" +
                  quoted_list(std::vector<std::string>(names.begin(), names.end())) +
                  "), so the layer goes round " +
                  (instant ? "in every update" : "for as long as they do"),
              "keep the conditions apart (\"> 0.3\" one way, \"< 0.2\" back), or add an exit time");
  }

  Lint& lint_;
  const LayerNode& layer_;
  int first_ = 0, steps_ = 0;
  std::vector<int> path_;
};

// State-machine rules, 7.8.
void restarts(Lint& lint, int index) {
  const Edge& edge = lint.outline.edge(index);
  if (!edge.source->to_self || !persists(lint, index)) return;
  std::vector<std::string> names;
  for (const std::string& name : parameters_of(*edge.source)) names.push_back(name);
  lint.add(kRestarts, edge.place,
           "it may lead to the state that plays already, so that it starts that state again in "
           "every update while its condition on " +
               quoted_list(names) + " holds",
           "leave \"to_self\" out, or use a trigger");
}

}  // namespace

void lint_cycles(Lint& lint) {
  for (const LayerNode& layer : lint.outline.layers) {
    Cycles cycles(lint, layer);
    for (int s : layer.states) cycles.from(s);
    for (int edge : layer.any) restarts(lint, edge);
  }
}

}  // namespace sinew::authoring_detail
