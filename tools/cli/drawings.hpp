// The pictures of `sinew render` that are drawings: graphs and transitions.
#pragma once

#include <string>
#include <vector>

#include "session.hpp"

namespace sinew::cli {

struct DrawingOptions {
  bool graph = false;
  std::string layer;                                  // of the graph; empty: all
  std::vector<std::string> transition;                // two states, or two clips
  double exit_time = -1, duration = -1, offset = -1;  // negative: as the controller says
  bool cycles = false;
  std::string output;
  double scale = 1;

  bool any() const { return graph || !transition.empty(); }
  void add_to(CLI::App& app);
};

void render_graph(Session& session, const std::string& input, const DrawingOptions& options);
void render_transition(Session& session, const std::string& input, const DrawingOptions& options);

}  // namespace sinew::cli
