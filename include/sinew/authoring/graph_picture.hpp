// A controller as a picture: its layers, machines, states and transitions.
#pragma once

#include <string>

#include <sinew/graph/source.hpp>

namespace sinew {

struct GraphPictureOptions {
  bool parameters = true;  // listed above the layers
  std::string layer{};     // only the one of this name; empty: all
};

// The text of an SVG file, in pixels, the same for the same controller on every machine. Each layer
// is laid out in columns from its entry to the right; machines are boxes around their states;
// transitions of one pair of states run apart; what leads to the left is a transition back. A label
// begins with the transition's place in its list, which is its priority, then says its conditions
// (all must hold), its exit time and its duration. What is muted is grey and dashed. Names that
// lead nowhere are left out. A layer of `options.layer` that does not exist gives a picture without
// layers.
std::string draw_controller(const ControllerSource& controller,
                            const GraphPictureOptions& options = {});

}  // namespace sinew
