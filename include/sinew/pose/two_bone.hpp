// The two-bone solve: shoulder-elbow-wrist, hip-knee-ankle. Pure functions on positions and
// rotations of one space; the rig, ground, recovery and the asset generator all call these.
#pragma once

#include <sinew/math/transform.hpp>

namespace sinew {

enum class IkStatus : std::uint8_t {
  kReached,
  kOutOfReach,  // stretched (or folded) toward the goal as far as the bones allow
  kDegenerate,  // a bone of no length, or a goal that is not finite: nothing was changed
};

struct TwoBoneChain {
  Vec3 root, mid, tip;  // positions
  Quat root_rotation, mid_rotation, tip_rotation;
};

struct TwoBoneGoal {
  Vec3 target;
  Quat target_rotation;
  Vec3 hint;                  // the bend points to it
  float hint_weight = 0;      // [0, 1]
  float position_weight = 1;  // [0, 1]
  float rotation_weight = 0;  // [0, 1]: of target_rotation on the tip
  // Bend axis used where limb and hint leave it open (a straight limb): the normal of the plane of
  // bending, positive rotation about it closes the joint.
  Vec3 fallback_axis{1, 0, 0};
  // Distance below full reach from which the limb approaches it softly; 0: hard.
  float soft_distance = 0;
};

struct TwoBoneResult {
  Quat root_rotation, mid_rotation, tip_rotation;
  IkStatus status = IkStatus::kReached;
};

// Law of cosines for the mid joint, then the root is swung so that the tip meets the target, then
// turned about root-target so that the bend points to the hint (rigging rules, two-bone IK).
// Bone lengths are those of the chain and are kept.
TwoBoneResult solve_two_bone(const TwoBoneChain& chain, const TwoBoneGoal& goal);

}  // namespace sinew
