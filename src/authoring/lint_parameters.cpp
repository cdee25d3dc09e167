// Parameters: named but not declared, declared but not read, triggers that stay set.
#include <set>

#include <sinew/base/text.hpp>

#include "lint_report.hpp"

namespace sinew::authoring_detail {
namespace {

class Parameters {
 public:
  explicit Parameters(Lint& lint) : lint_(lint) {
    for (const ParameterSource& p : lint.controller.parameters) names_.push_back(p.name);
  }

  void read() {
    for (const LayerNode& layer : lint_.outline.layers) {
      for (const SyncedMotionSource& synced : layer.source->synced_motions) {
        node(synced.motion,
             "layer '" + layer.source->name + "': motion of state '" + synced.state + "'");
      }
    }
    for (const StateNode& state : lint_.outline.states) {
      const StateSource& s = *state.source;
      node(s.motion, state.place);
      use(s.speed_parameter, state.place + ": speed parameter");
      use(s.cycle_offset_parameter, state.place + ": cycle offset parameter");
      use(s.mirror_parameter, state.place + ": mirror parameter");
      use(s.time_parameter, state.place + ": time parameter");
    }
    for (std::size_t i = 0; i < lint_.outline.edges.size(); ++i) {
      const Edge& edge = lint_.outline.edges[i];
      const bool lives = lint_.reach.edge_lives(static_cast<int>(i)) &&
                         (edge.state < 0 || lint_.reach.reachable(edge.state));
      conditions(edge.source->conditions, edge.place, lives);
    }
    for (std::size_t i = 0; i < lint_.outline.routes.size(); ++i) {
      const RouteEdge& route = lint_.outline.routes[i];
      conditions(route.source->conditions, route.place,
                 lint_.reach.route_lives(static_cast<int>(i)));
    }
  }

  void report() {
    for (const ParameterSource& p : lint_.controller.parameters) {
      const std::string place = "parameter '" + p.name + "'";
      if (p.type == ParameterType::kTrigger) {
        if (consumed_.count(p.name)) continue;
        lint_.add(
            kTrigger, place,
            used_.count(p.name)
                ? "no transition that can be taken uses this trigger up: once set it stays set"
                : "no transition uses this trigger",
            "give a transition the condition \"" + p.name + "\", or remove it");
      } else if (!used_.count(p.name)) {
        lint_.add(kUnused, place, "nothing in the controller reads it",
                  "remove it, unless the host keeps a value of its own there");
      }
    }
  }

 private:
  void use(const std::string& name, const std::string& place) {
    if (name.empty()) return;
    used_.insert(name);
    if (lint_.reach.types().count(name)) return;
    const std::vector<std::string_view> views(names_.begin(), names_.end());
    lint_.add(kUndeclared, place,
              "parameter '" + name + "' is not declared" + did_you_mean(name, views),
              "add it to \"parameters\"");
  }

  void conditions(const std::vector<ConditionSource>& list, const std::string& place, bool lives) {
    for (const ConditionSource& c : list) {
      use(c.parameter, place);
      if (lives) consumed_.insert(c.parameter);
    }
  }

  void node(const MotionNodeSource& n, const std::string& place) {
    if (n.kind != MotionNodeSource::Kind::kTree) return;
    const std::string here = place + ": blend tree" + (n.name.empty() ? "" : " '" + n.name + "'");
    const bool direct = n.type == TreeType::kDirect;
    if (!direct) use(n.x, here + ": x");
    if (!direct && n.type != TreeType::k1D) use(n.y, here + ": y");
    for (std::size_t i = 0; i < n.children.size(); ++i) {
      const std::string child = here + format_text(": child %zu", i);
      if (direct) use(n.children[i].parameter, child + ": weight");
      node(n.children[i].node, child);
    }
  }

  Lint& lint_;
  std::vector<std::string> names_;
  std::set<std::string> used_, consumed_;
};

}  // namespace

void lint_parameters(Lint& lint) {
  Parameters parameters(lint);
  parameters.read();
  parameters.report();
}

}  // namespace sinew::authoring_detail
