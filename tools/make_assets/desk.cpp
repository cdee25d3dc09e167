// Sitting: typing, and reaching over a desk that the animator did not know. Both are made for a low
// table; at a real desk the forearms go through its top, which is what a rig has to mend.
#include "clips.hpp"
#include "curve.hpp"

namespace sinew::make_assets {
namespace {

constexpr float kTypeSeconds = 4.0f, kReachSeconds = 5.0f;

// Whole turns of a loop, so that it closes.
float turn(float share, float times, float peak_at = 0) {
  return cos(kTwoPi * (times * share - peak_at));
}

PersonPose sitting_pose(float share) {
  PersonPose pose = standing_pose();
  const float breath = turn(share, 1, 0.3f);
  pose.hips = {0, kSeatedHips + 0.0006f * breath, 0.02f};
  pose.hips_rotation = trunk_rotation(0, deg(-4), 0);
  pose.chest_rotation = trunk_rotation(deg(1) * turn(share, 1), deg(7) - deg(0.7f) * breath, 0);
  pose.head_rotation = trunk_rotation(deg(2) * turn(share, 1, 0.2f), deg(13), 0);
  pose.eye_pitch = deg(-8);
  for (bool left : {true, false}) {
    FootPose& foot = pose.foot(left);
    foot.yaw = left ? deg(7) : deg(-7);
    foot.knee_yaw = left ? deg(5) : deg(-5);
    foot.ankle = bind_position(on_side(left, Bone::kLeftFoot));
    foot.ankle.x *= 1.35f;
    foot.ankle.z = 0.40f;
    ArmPose& arm = pose.arm(left);
    arm.swing = deg(30);
    arm.out = deg(11) + deg(0.6f) * breath;
    arm.inward = deg(24);
    arm.elbow = deg(42);
    arm.pronation = deg(62);
    arm.curl = 0.42f;
    arm.thumb = 0.15f;
  }
  return pose;
}

PersonPose typing_pose(float share) {
  PersonPose pose = sitting_pose(share);
  for (bool left : {true, false}) {
    ArmPose& arm = pose.arm(left);
    const float phase = left ? 0.0f : 0.37f;
    // Hands wander over the keys and drop on them.
    arm.inward += deg(7) * turn(share, 2, phase);
    arm.swing += deg(3) * turn(share, 3, phase + 0.2f);
    arm.elbow += deg(4) * turn(share, 5, phase) + deg(2.5f) * turn(share, 9, phase);
    arm.wrist = deg(-6) + deg(7) * turn(share, 9, phase + 0.1f);
    arm.curl += 0.15f * turn(share, 13, phase);
  }
  return pose;
}

// The right hand goes out to the far corner and back; the left arm lies before the body.
PersonPose reaching_pose(float share) {
  static const Curve out({{0.0f, 0}, {0.10f, 0}, {0.38f, 1}, {0.50f, 1}, {0.80f, 0}, {1.0f, 0}});
  static const Curve sweep({{0.0f, 0}, {0.30f, 0}, {0.52f, 1}, {0.84f, 0}, {1.0f, 0}});
  PersonPose pose = sitting_pose(share);
  const float reach = out(share), side = sweep(share);
  pose.chest_rotation = trunk_rotation(deg(9) * reach, deg(7) + deg(9) * reach, deg(-3) * reach);
  pose.head_rotation = trunk_rotation(deg(-14) * side - deg(2) * reach, deg(15), 0);
  ArmPose& right = pose.arm(false);
  right.swing += deg(26) * reach;
  right.elbow -= deg(34) * reach;
  right.out += deg(8) * reach + deg(22) * side;
  right.inward -= deg(10) * side;
  right.curl -= 0.25f * reach;
  ArmPose& left = pose.arm(true);
  left.inward = deg(58) + deg(6) * reach;
  left.elbow = deg(56) - deg(5) * reach;
  left.pronation = deg(70);
  return pose;
}

RawClip seated(RawClip clip) {
  clip.annotations.root_motion.enabled = false;
  for (JointRole role :
       {JointRole::kLeftFoot, JointRole::kLeftToes, JointRole::kRightFoot, JointRole::kRightToes}) {
    clip.annotations.contacts.push_back({role, "", 0, clip.duration});
  }
  return clip;
}

}  // namespace

RawClip make_desk_type() {
  return seated(
      bake("desk_type", kTypeSeconds, true, [](float t) { return typing_pose(t / kTypeSeconds); }));
}

RawClip make_desk_reach() {
  return seated(bake("desk_reach", kReachSeconds, true,
                     [](float t) { return reaching_pose(t / kReachSeconds); }));
}

}  // namespace sinew::make_assets
