// Chain IK (FABRIK): a chain of three or more joints whose tip meets a target. Rigging rules,
// section 4; Aristidou and Lasenby 2011.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

inline constexpr int kMaxChain = 64;

// Link lengths are those of the bind pose. A straight chain whose goal lies inside its reach is
// bent a little along a fixed direction first, since the method alone never bends it.
struct ChainIk {
  static constexpr const char* kName = "chain_ik";
  static constexpr const char* kSummary = "Bends a chain of joints so that its tip meets a target";

  NodeRef root, tip, target;
  Value chain_weight{1}, tip_weight{1};  // of the bend, and of the target's rotation on the tip
  int iterations = 15;                   // [1, 50]
  float tolerance = 1e-4f;               // metres, [0, 0.01]
  bool maintain_position = false, maintain_rotation = false;

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;
  void draw(RigEval& e, DebugDraw& draw) const;

 private:
  RigStatus solve(RigEval& e, Vec3* points, Vec3 goal) const;
  bool pre_bend(RigEval& e, Vec3* points, Vec3 goal) const;

  std::vector<NodeRef> joints_;  // root to tip
  std::vector<float> lengths_;
  float reach_ = 0;
  Vec3 offset_position_;
  Quat offset_rotation_;
  Vec3 bend_direction_;  // in root's frame; zero where the bind pose is straight
};

}  // namespace sinew::rig
