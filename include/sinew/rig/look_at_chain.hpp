// Look-at chain: spine, neck and head share a turn toward a target. Motion rules, look-at chain.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

// The last joint's aim axis is brought to the target; each joint takes its share of the turn, at
// most its limit, the last one the rest. Yaw and pitch away from the animated direction are limited
// and eased, so that a target that passes behind is followed by a turn through the front.
struct LookAtChain {
  static constexpr const char* kName = "look_at_chain";
  static constexpr const char* kSummary = "Shares a turn toward a target among several joints";
  static constexpr bool kRunsIdle = true;  // weight 0 forgets the direction

  struct Link {
    NodeRef joint;
    float share = 1;   // relative to the others
    float limit = 90;  // degrees
    void fields(FieldVisitor& v) {
      v.node("joint", joint, NodeUse::kDriven);
      v.number("share", share, 0, 1);
      v.number("limit", limit, 0, 180);
    }
  };

  std::vector<Link> joints;  // from the trunk to the head, each below the one before
  NodeRef target;
  Axis aim_axis = Axis::kZ;          // of the last joint
  Value max_yaw{90}, max_pitch{60};  // degrees away from the animated direction
  Value half_life{0.1f};             // seconds; 0: at once

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;
  void draw(RigEval& e, DebugDraw& draw) const;

  struct State {
    float yaw, yaw_speed, pitch, pitch_speed;  // radians away from the animated direction
    std::uint32_t started;
  };
};

}  // namespace sinew::rig
