// Standing: breathing and a slow shift of weight; and waving on top of it.
#include "clips.hpp"
#include "curve.hpp"

namespace sinew::make_assets {
namespace {

constexpr float kIdleSeconds = 6.0f;
constexpr float kBreaths = 2;  // in one loop

}  // namespace

PersonPose idle_pose(float share) {
  const auto turn = [&](float times, float peak_at) {
    return cos(kTwoPi * (times * share - peak_at));
  };
  const float breath = turn(kBreaths, 0.4f);  // 1: lungs full
  const float weight = turn(1, 0.25f);        // 1: on the left leg
  PersonPose pose = standing_pose();
  for (bool left : {true, false}) {
    FootPose& foot = pose.foot(left);
    foot.yaw = left ? deg(8) : deg(-8);
    foot.knee_yaw = 0.8f * foot.yaw;
    foot.ankle.x += left ? 0.008f : -0.008f;
  }
  pose.hips += Vec3{0.022f * weight, 0.001f - 0.0035f * weight * weight + 0.0008f * breath, 0.030f};
  pose.hips_rotation = trunk_rotation(deg(1.5f) * turn(1, 0.35f), deg(1), deg(1.8f) * weight);
  pose.chest_rotation = trunk_rotation(deg(-1.0f) * turn(1, 0.40f), deg(1.5f) - deg(1.2f) * breath,
                                       deg(-1.0f) * weight);
  pose.head_rotation =
      trunk_rotation(deg(5) * turn(1, 0.55f), deg(1) - deg(0.6f) * breath, deg(-0.6f) * weight);
  pose.eye_yaw = deg(4) * turn(1, 0.5f);
  for (bool left : {true, false}) {
    ArmPose& arm = pose.arm(left);
    const float side = left ? 1.0f : -1.0f;
    arm.swing = deg(3) + deg(0.8f) * turn(1, 0.45f) * side;
    arm.out = deg(8.5f) + deg(0.7f) * breath - side * deg(1) * weight;
    arm.inward = deg(16);
    arm.elbow = deg(16) + deg(1.2f) * breath;
    arm.pronation = deg(18);
    arm.raise = deg(-1) + deg(1.2f) * breath;
    arm.curl = 0.38f;
    arm.thumb = 0.2f;
  }
  return pose;
}

namespace {

ArmPose blend(const ArmPose& a, const ArmPose& b, float t) {
  ArmPose out;
  for (float ArmPose::* channel :
       {&ArmPose::raise, &ArmPose::advance, &ArmPose::swing, &ArmPose::out, &ArmPose::inward,
        &ArmPose::elbow, &ArmPose::pronation, &ArmPose::wrist, &ArmPose::curl, &ArmPose::thumb}) {
    out.*channel = lerp(a.*channel, b.*channel, t);
  }
  return out;
}

void annotate_standing(RawClip& clip) {
  for (JointRole role :
       {JointRole::kLeftFoot, JointRole::kLeftToes, JointRole::kRightFoot, JointRole::kRightToes}) {
    clip.annotations.contacts.push_back({role, "", 0, clip.duration});
  }
}

}  // namespace

RawClip make_idle() {
  RawClip clip =
      bake("idle", kIdleSeconds, true, [](float t) { return idle_pose(t / kIdleSeconds); });
  annotate_standing(clip);
  return clip;
}

RawClip make_wave() {
  constexpr float kSeconds = 2.6f;
  const Curve up({{0, 0}, {0.55f, 1}, {2.0f, 1}, {2.6f, 0}});
  const Curve sway(
      {{0.35f, 0}, {0.65f, 1}, {0.95f, -1}, {1.25f, 1}, {1.55f, -1}, {1.85f, 1}, {2.3f, 0}});
  RawClip clip = bake("wave", kSeconds, false, [&](float t) {
    PersonPose pose = idle_pose(0);
    ArmPose raised;
    raised.swing = deg(20);
    raised.out = deg(98);
    raised.inward = deg(-98);
    raised.elbow = deg(96) + deg(20) * sway(t);
    raised.raise = deg(10);
    raised.pronation = deg(-12) * sway(t);
    raised.wrist = 0;
    raised.curl = 0.05f;
    raised.thumb = -0.2f;
    pose.right_arm = blend(pose.right_arm, raised, up(t));
    pose.chest_rotation =
        trunk_rotation(deg(-3) * up(t), 0, deg(2.5f) * up(t)) * pose.chest_rotation;
    pose.head_rotation = trunk_rotation(deg(-4) * up(t), 0, deg(-4) * up(t)) * pose.head_rotation;
    return pose;
  });
  annotate_standing(clip);
  return clip;
}

}  // namespace sinew::make_assets
