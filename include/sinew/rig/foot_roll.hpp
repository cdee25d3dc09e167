// Foot roll: one number rolls the foot over heel, ball and toe. Drives the ankle's target.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

// `control` stands where the flat foot stands on the ground; pivots are in its space. Below 0 the
// foot turns up about the heel; from 0 to ball_limit it turns about the ball, the toes stay flat;
// beyond that it turns about the tip of the toes.
struct FootRoll {
  static constexpr const char* kName = "foot_roll";
  static constexpr const char* kSummary = "Rolls a foot over heel, ball and toe by one number";

  NodeRef control;
  NodeRef ankle;  // driven: the target of the leg's IK (position and rotation)
  NodeRef toes;   // driven: the toe joint; may be absent. Put a second foot_roll behind the leg's
                  // IK for it, or run this one before and after
  Vec3 heel{0, 0, -0.06f}, ball{0, 0, 0.12f}, toe_tip{0, 0, 0.2f};  // metres
  Value roll{0};         // degrees, positive lifts the heel
  Value ball_limit{45};  // degrees
  Value bank{0};         // degrees, positive leans onto the side of +X
  Vec3 inner{-0.04f, 0, 0.08f}, outer{0.04f, 0, 0.08f};  // pivots of bank

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;

 private:
  Transform ankle_offset_;  // ankle seen from control
};

}  // namespace sinew::rig
