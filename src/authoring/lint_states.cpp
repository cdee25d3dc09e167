// States that nothing reaches, and states that nothing leads out of.
#include <algorithm>

#include "lint_report.hpp"

namespace sinew::authoring_detail {
namespace {

bool driven_by_host(const Lint& lint, const LayerNode& layer) {
  if (!layer.any.empty()) return false;
  return std::all_of(layer.states.begin(), layer.states.end(),
                     [&](int s) { return lint.outline.state(s).edges.empty(); });
}

void unreachable(Lint& lint, int index) {
  const StateNode& state = lint.outline.state(index);
  int leads_here = 0;
  for (const Edge& edge : lint.outline.edges) {
    if (edge.target == Target{Target::Kind::kState, index} && edge.state != index) ++leads_here;
  }
  lint.add(kUnreachable, state.place,
           leads_here == 0 ? "no transition leads here"
                           : "no transition that leads here can ever be taken",
           "remove it, or give it a transition; fine if the host plays it by name");
}

// True if something can take the layer from this state to another one.
bool has_way_out(const Lint& lint, const LayerNode& layer, int index) {
  const auto leads_away = [&](int edge) {
    if (!lint.reach.edge_lives(edge)) return false;
    const std::vector<int>& ends = lint.reach.landings_of(edge);
    return std::any_of(ends.begin(), ends.end(), [&](int s) { return s != index; });
  };
  const std::vector<int>& own = lint.outline.state(index).edges;
  return std::any_of(own.begin(), own.end(), leads_away) ||
         std::any_of(layer.any.begin(), layer.any.end(), leads_away);
}

void trap(Lint& lint, int index) {
  const StateNode& state = lint.outline.state(index);
  if (state.edges.empty()) {
    lint.add(kTrap, state.place, "nothing leads out of it",
             "fine for an end such as a death; else give it a transition");
    return;
  }
  lint.add(kTrap, Severity::kWarning, state.place,
           "none of its transitions can be taken to another state",
           "see what is said of its transitions");
}

// Ruling on negative speeds: the start is the offset as given, and a motion that does not loop
// holds its first frame there.
void backwards(Lint& lint, int index) {
  const StateNode& state = lint.outline.state(index);
  const StateSource& source = *state.source;
  if (source.speed >= 0 || !source.speed_parameter.empty() || !source.time_parameter.empty())
    return;
  if (source.motion.kind != MotionNodeSource::Kind::kMotion) return;
  const MotionFacts* known = lint.facts(source.motion.motion);
  if (!known || known->missing || known->loop) return;
  std::vector<std::string> from;
  for (int in : lint.reach.incoming(index)) {
    const Edge& edge = lint.outline.edge(in);
    if (edge.source->offset != 0) continue;
    from.push_back(edge.state < 0 ? "any" : lint.outline.state(edge.state).path);
  }
  const std::vector<int> first = lint.reach.landings(
      {Target::Kind::kMachine, lint.outline.layers[static_cast<std::size_t>(state.layer)].root});
  if (std::find(first.begin(), first.end(), index) != first.end()) from.push_back("entry");
  if (from.empty()) return;
  lint.add(kBackwards, state.place,
           "plays backwards and does not loop, but starts at 0 when it comes from " +
               quoted_list(from) + ": it holds its first frame",
           "enter it with \"offset\": 1");
}

}  // namespace

void lint_states(Lint& lint) {
  for (const LayerNode& layer : lint.outline.layers) {
    if (!layer.source->sync.empty()) continue;
    const bool host = driven_by_host(lint, layer);
    for (int s : layer.states) {
      if (!host && !lint.reach.reachable(s)) unreachable(lint, s);
    }
    for (int s : layer.states) {
      if (host || layer.states.size() < 2 || !lint.reach.reachable(s)) continue;
      if (!has_way_out(lint, layer, s)) trap(lint, s);
    }
    for (int s : layer.states) backwards(lint, s);
  }
}

}  // namespace sinew::authoring_detail
