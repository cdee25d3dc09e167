// Transitions that cannot fire, and exit times that pass unseen.
#include <algorithm>
#include <cmath>

#include <sinew/base/text.hpp>

#include "lint_report.hpp"

namespace sinew::authoring_detail {
namespace {

std::string numbered(const Lint& lint, int edge) {
  const Edge& e = lint.outline.edge(edge);
  const std::string from = e.state < 0 ? "any" : lint.outline.state(e.state).path;
  return format_text("%s -> %s (place %d of its list)", from.c_str(),
                     lint.outline.target_name(e.target, e.source->to).c_str(), e.order + 1);
}

void dead_edge(Lint& lint, int index) {
  const Edge& edge = lint.outline.edge(index);
  const Dead& fault = lint.reach.edge_fault(index);
  switch (fault.why) {
    case Dead::Why::kNot:
      return;
    case Dead::Why::kNoReason:
      return lint.add(kNeverFires, edge.place, "it has neither a condition nor an exit time",
                      "it can never be taken; give it one of the two");
    case Dead::Why::kContradiction:
      return lint.add(kNeverFires, edge.place,
                      "its conditions on '" + fault.parameter + "' can never hold together",
                      "for \"either, or\" write two transitions");
    case Dead::Why::kStandsStill:
      return lint.add(kNeverFires, edge.place,
                      "it waits for an exit time, but the speed of its state is 0",
                      "drop the exit time, or let the state play");
    case Dead::Why::kShadowed:
      return lint.add(kShadowed, edge.place,
                      format_text("place %d of its list is never reached: whenever it could be "
                                  "taken, ",
                                  edge.order + 1) +
                          numbered(lint, fault.by) + " is",
                      "move it up, or make the conditions of the other one narrower");
  }
}

void dead_route(Lint& lint, const RouteEdge& route, const Dead& fault) {
  if (fault.why == Dead::Why::kContradiction) {
    lint.add(kNeverFires, route.place,
             "its conditions on '" + fault.parameter + "' can never hold together",
             "for \"either, or\" write two");
  } else if (fault.why == Dead::Why::kShadowed) {
    const RouteEdge& by = lint.outline.route(fault.by);
    lint.add(kShadowed, route.place,
             format_text("place %d of its list is never reached: '%s' at place %d always comes "
                         "first",
                         route.order + 1, by.source->to.c_str(), by.order + 1),
             "move it up, or give the other one conditions");
  }
}

// State-machine rules, 4.11: what a state crosses while it is only "next" is lost. If that happens
// to the exit time however the parameters stand, the seconds that the transition takes at least.
std::optional<double> loses(const Lint& lint, int in, const StateSource& state,
                            const LengthRange& length, double exit_time) {
  const Edge& edge = lint.outline.edge(in);
  const TransitionSource& t = *edge.source;
  const bool next_looked_at = t.interruption == Interruption::kNext ||
                              t.interruption == Interruption::kCurrentThenNext ||
                              t.interruption == Interruption::kNextThenCurrent;
  if (next_looked_at || state.speed <= 0) return std::nullopt;
  double seconds = t.duration;
  if (!t.fixed) {
    if (edge.state < 0) return std::nullopt;  // shares of whatever played
    const auto from = lint.length(*lint.outline.state(edge.state).source);
    if (!from) return std::nullopt;
    seconds *= from->low;
  }
  // One tick less: the exit time may be crossed in the update that completes the transition.
  constexpr double kTick = 1.0 / 60;
  const double offset = t.offset - std::floor(t.offset);
  const double normalized = offset + std::max(0.0, seconds - kTick) / length.high;
  const double exit = exit_time <= 0 ? 1 + exit_time : exit_time;
  const bool passes = offset < exit && normalized >= exit;
  return passes ? std::optional(seconds) : std::nullopt;
}

void exit_lost(Lint& lint, int state_index, int out_index) {
  const StateSource& state = *lint.outline.state(state_index).source;
  const Edge& out = lint.outline.edge(out_index);
  if (!lint.reach.edge_lives(out_index) || !out.source->exit_time) return;
  const auto length = lint.length(state);
  if (!length) return;
  const double exit = *out.source->exit_time;
  for (int in : lint.reach.incoming(state_index)) {
    const auto lost = loses(lint, in, state, *length, exit);
    if (!lost) continue;
    lint.add(kExitLost, out.place,
             format_text("its exit time %g passes while %s still fades in (%g s)%s", exit,
                         numbered(lint, in).c_str(), *lost,
                         exit <= 1 ? "; it is offered only a loop later" : "; it is never offered"),
             "shorten that transition, move the exit time back, or let the next state interrupt "
             "(\"interruption\": \"next\")");
    return;
  }
}

}  // namespace

void lint_transitions(Lint& lint) {
  for (std::size_t i = 0; i < lint.outline.routes.size(); ++i) {
    if (!lint.outline.routes[i].off)
      dead_route(lint, lint.outline.routes[i], lint.reach.route_fault(static_cast<int>(i)));
  }
  for (const LayerNode& layer : lint.outline.layers) {
    for (int edge : layer.any) {
      if (!lint.outline.edge(edge).off) dead_edge(lint, edge);
    }
    for (int s : layer.states) {
      for (int edge : lint.outline.state(s).edges) {
        if (!lint.outline.edge(edge).off) dead_edge(lint, edge);
      }
    }
  }
}

void lint_timing(Lint& lint) {
  for (const LayerNode& layer : lint.outline.layers) {
    for (int s : layer.states) {
      for (int edge : lint.outline.state(s).edges) exit_lost(lint, s, edge);
    }
  }
}

}  // namespace sinew::authoring_detail
