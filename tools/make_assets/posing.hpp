// Poses as an animator thinks of them, solved to joint rotations.
//
// Signs: pitch of the trunk is positive leaning forward; yaw is positive turning left (toward +X);
// roll is positive where the left side rises. Angles are radians.
#pragma once

#include <array>
#include <vector>

#include <sinew/pose/two_bone.hpp>

#include "body.hpp"

namespace sinew::make_assets {

// Roll, then pitch, then yaw.
Quat trunk_rotation(float yaw, float pitch, float roll);

struct ArmPose {
  float raise = 0;      // of the collar bone, up
  float advance = 0;    // of the collar bone, forward
  float swing = 0;      // of the upper arm: forward from hanging
  float out = 0.1f;     // of the upper arm: away from the body
  float inward = 0;     // turn of the upper arm about its axis: brings the forearm before the body
  float elbow = 0.2f;   // 0: straight
  float pronation = 0;  // turn of the forearm: palm backward
  float wrist = 0;      // hand toward its palm
  float curl = 0.25f;   // of the fingers
  float thumb = 0.1f;   // toward the fingers
};

struct FootPose {
  Vec3 ankle;          // model space
  float yaw = 0;       // model space
  float pitch = 0;     // toes up
  float roll = 0;      // left side up
  float toes = 0;      // toes up against the foot
  float knee_yaw = 0;  // where the knee points, model space
};

// Hips, chest and head are given in the frame of the root, feet in model space (so that a planted
// foot stays where it is while the root travels).
struct PersonPose {
  Transform root;
  Vec3 hips;  // of the hips joint
  Quat hips_rotation;
  Quat chest_rotation;
  Quat head_rotation;
  float eye_yaw = 0, eye_pitch = 0;
  ArmPose left_arm, right_arm;
  FootPose left_foot, right_foot;

  ArmPose& arm(bool left) { return left ? left_arm : right_arm; }
  FootPose& foot(bool left) { return left ? left_foot : right_foot; }
  const FootPose& foot(bool left) const { return left ? left_foot : right_foot; }
};

// The ankle of a foot of the given turn whose bind-pose point `pivot` (model space, bind pose) lies
// at `at`.
Vec3 ankle_about(bool left, const FootPose& turn, Vec3 pivot, Vec3 at);
Quat foot_rotation(const FootPose& foot);

// Standing: feet as in the bind pose, arms hanging.
PersonPose standing_pose();

struct SolvedPose {
  std::array<Transform, kBoneCount> local;
  float leg_reach = 0;  // the greater share of a leg's length that its foot asks for; 1: straight
};
SolvedPose solve(const PersonPose& pose);

// Of one leg: distance hip to ankle, as a share of the leg's length.
float leg_reach(const PersonPose& pose, bool left);

}  // namespace sinew::make_assets
