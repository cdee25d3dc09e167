// Recoil: shots kick joints back and up, a spring brings them back. Put it behind an aim.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

// Each time the host raises `shots` by n, n kicks are added. Turns and shifts are about the axes of
// `frame` (the weapon: +Z ahead, +Y up), or of the character without one.
struct Recoil {
  static constexpr const char* kName = "recoil";
  static constexpr const char* kSummary = "Kicks joints at every shot; a spring brings them back";
  static constexpr bool kRunsIdle = true;  // shots at weight 0 are not made up for

  std::vector<WeightedNode> nodes;  // share of the kick for each
  NodeRef frame;
  Value shots{0};
  Value pitch{4}, yaw{0};  // degrees at the peak, up and left positive
  Value back{0.03f};       // metres at the peak
  Value half_life{0.06f};  // seconds

  void fields(FieldVisitor& v);
  RigStatus evaluate(RigEval& e) const;

  struct State {
    float kick, speed;  // 1 at the peak of a single kick
    float shots;
    std::uint32_t started;
  };
};

}  // namespace sinew::rig
