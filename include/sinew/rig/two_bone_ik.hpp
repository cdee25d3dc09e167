// Two-bone IK: shoulder, elbow, wrist; hip, knee, ankle. Rigging rules, section 3.
#pragma once

#include <sinew/pose/two_bone.hpp>
#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

// Bends mid and turns root so that tip meets the target; the bend points to the hint. Bones keep
// their lengths; an unreachable target gives a straight limb that points at it. The goal is blended
// by the weights, so that a reachable tip lies exactly between pose and target.
struct TwoBoneIk {
  static constexpr const char* kName = "two_bone_ik";
  static constexpr const char* kSummary = "Bends two bones so that the tip meets a target";

  NodeRef root, mid, tip, target, hint;
  Value position_weight{1}, rotation_weight{1}, hint_weight{1};
  // Keep the distance and turn from target to tip that the bind pose has.
  bool maintain_position = false, maintain_rotation = false;
  // Distance below full reach, metres, from which the limb approaches it softly; 0: hard.
  float soft_distance = 0;

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;
  void draw(RigEval& e, DebugDraw& draw) const;

  // Where the target wants the tip, with the offsets of the bind pose; model space.
  Vec3 goal_position(RigEval& e) const { return e.position(target) + offset_position_; }
  Quat goal_rotation(RigEval& e) const { return e.rotation(target) * offset_rotation_; }
  // The axis about which mid bends where limb and hint leave it open, in model space.
  Vec3 fallback_axis(RigEval& e) const;

 private:
  WideTwoBoneGoal goal(RigEval& e) const;

  Vec3 offset_position_;  // model space
  Quat offset_rotation_;
  Vec3 bind_axis_;  // in root's own frame; zero if the bind limb is straight
};

}  // namespace sinew::rig
