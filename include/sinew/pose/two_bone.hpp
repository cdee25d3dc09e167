// The two-bone solve: shoulder-elbow-wrist, hip-knee-ankle. Pure functions on positions and
// rotations of one space; the rig, ground, recovery and the asset generator all call these.
#pragma once

#include <sinew/math/simd.hpp>

namespace sinew {

enum class IkStatus : std::uint8_t {
  kReached,
  kOutOfReach,  // stretched (or folded) toward the goal as far as the bones allow
  kDegenerate,  // a bone of no length, or input that is not finite: nothing was changed
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
  // Bend axis used where limb, hint and target leave it open (a straight limb whose goal lies on
  // its own line): normal of the plane of bending, a positive turn about it closes the joint. The
  // knee axis of the bind pose is the natural choice. Zero: the world axis least aligned with the
  // limb.
  Vec3 fallback_axis;
  // Distance below full reach, metres, from which the limb approaches it softly (the tip then stays
  // short of the target); 0: hard.
  float soft_distance = 0;
};

struct TwoBoneResult {
  Quat root_rotation, mid_rotation, tip_rotation;
  IkStatus status = IkStatus::kReached;
};

// Law of cosines for the mid joint, then the root is swung so that the tip meets the target, then
// turned about root-target so that the bend points to the hint (rigging rules, two-bone IK). A
// position weight below 1 moves the goal: lerp(tip, target, weight). The hint is skipped where the
// limb is nearly straight, or where the hint lies on the line root-target or is not finite. The tip
// keeps its rotation in the chain's space, but for rotation_weight. Weights are clamped, NaN is 0.
// Bone lengths are those of the chain and are kept. Positions and results in the chain's space;
// the rotations that come back are unit quaternions (as given where the status is kDegenerate).
TwoBoneResult solve_two_bone(const TwoBoneChain& chain, const TwoBoneGoal& goal);

// The same on Float4 (math/wide.hpp), for callers that hold their joints so: positions and
// directions are (x, y, z, 0), the fourth lane must be finite.
struct WideTwoBoneChain {
  Float4 root, mid, tip;
  Float4 root_rotation, mid_rotation, tip_rotation;
};
struct WideTwoBoneGoal {
  Float4 target, target_rotation, hint, fallback_axis;
  float hint_weight = 0, position_weight = 1, rotation_weight = 0, soft_distance = 0;
};
struct WideTwoBoneResult {
  Float4 root_rotation, mid_rotation, tip_rotation;
  IkStatus status = IkStatus::kReached;
};
WideTwoBoneResult solve_two_bone(const WideTwoBoneChain& chain, const WideTwoBoneGoal& goal);

}  // namespace sinew
