// What a picture of a controller has to show: nodes, and lines between them with their labels.
#pragma once

#include <string>
#include <vector>

#include "outline.hpp"

namespace sinew::authoring_detail {

// A node of a machine's drawing.
struct Spot {
  enum class Kind : std::uint8_t { kEntry, kAny, kExit, kState, kBox };
  Kind kind = Kind::kState;
  int machine = 0;  // in whose drawing it stands
  int index = -1;   // of the state, or of the machine that is the box
  friend bool operator==(const Spot&, const Spot&) = default;
};

struct LabelLine {
  std::string text;
  bool timing = false;  // grey
};

struct Wire {
  enum class Kind : std::uint8_t { kTransition, kAny, kDefault, kEntry, kAfterExit, kFallback };
  Kind kind = Kind::kTransition;
  Spot from, to;
  int place = 0;  // in its list, from 1; 0: has none
  bool off = false;
  std::vector<LabelLine> label;
  std::string title;  // the whole of it, in words
};

// All lines of one layer, in the order of the file.
std::vector<Wire> wires_of(const Outline& outline, const LayerNode& layer);

// "Walk", "1d speed: Walk, Run", "" for nothing.
std::string motion_words(const MotionNodeSource& node);
// "speed 1.5 x pace, mirrored"; "" where all is as usual.
std::string state_words(const StateSource& state);
std::string condition_words(const ConditionSource& condition);
// As short as it can be read back, at most four digits behind the point.
std::string number_words(double value);

}  // namespace sinew::authoring_detail
