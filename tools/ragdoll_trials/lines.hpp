// The acceptance figures of ragdolls, controller and queries: each measured, with its limit.
#pragma once

#include <string>
#include <vector>

#include "trials.hpp"

namespace sinew::trials {

struct Line {
  int number = 0;  // of the acceptance list
  std::string what;
  double value = 0;
  double limit = 0;
  bool at_least = false;  // the value must not be below the limit, else not above it
  std::string unit;
  std::string detail;  // how many falls, which rig
  bool pass() const { return at_least ? value >= limit : value <= limit; }
};
using Lines = std::vector<Line>;

struct Counts {
  int falls = 25;     // of lines 14 to 16, 18, 19
  int settles = 100;  // of line 17
  int pairs = 100;    // of line 21
  float seconds = 10;
  int ticks = 600;  // timed, of line 24
};

// Momentum of the hand-over.
Lines line_14(const Rig& rig, const Counts& counts);
// Anchor gaps and limit overshoots of falls on plane and stairs.
Lines lines_15_16(const Rig& rig, const Counts& counts);
// Settled by the settle test, time-out excluded.
Lines line_17(const Rig& rig, const Counts& counts);
// 1,000 N s without the cap.
Lines line_18(const Rig& rig, const Counts& counts);
// Starts that lie half in the ground.
Lines line_19(const Rig& rig, const Counts& counts);
// The same bits again, and after a restore in the middle of the fall.
Lines line_20(const Rig& rig, const Counts& counts);
// Resting places at 30, 60 and 144 frames a second.
Lines line_21(const Rig& rig, const Counts& counts);
// Powered: follows `clip` (its name, or the first one for "") and comes back after a blow.
Lines line_22(const Rig& rig, const std::string& clip, const Counts& counts);
// Times (processor time of the thread) and allocations.
Lines line_24(const Rig& rig, const Counts& counts);
// Coverage of the skin; lines 15 to 19 with the rig's name.
Lines line_25(const Rig& rig, const Counts& counts);
// Controller on steps, slope and platform.
Lines line_26();
// Surface of every triangle.
Lines line_27();

}  // namespace sinew::trials
