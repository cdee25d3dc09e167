// Single actions that start and end standing: a turn and a jump.
#include "clips.hpp"
#include "curve.hpp"

namespace sinew::make_assets {
namespace {

float smooth(float t) {
  const float c = clamp01(t);
  return c * c * c * (c * (6 * c - 15) + 10);
}
// Rises from 0 to 1 and falls back, flat at both ends.
float hump(float t) {
  const float c = clamp01(t);
  return square(4 * c * (1 - c));
}

JointRole foot_role(bool left) { return left ? JointRole::kLeftFoot : JointRole::kRightFoot; }
JointRole toes_role(bool left) { return left ? JointRole::kLeftToes : JointRole::kRightToes; }

void add_contacts(RawClip& clip, bool left, float start, float end) {
  clip.annotations.contacts.push_back({foot_role(left), "", start, end});
  clip.annotations.contacts.push_back({toes_role(left), "", start, end});
}

void add_footstep(RawClip& clip, bool left, float time, float weight) {
  const std::string side = left ? "left" : "right";
  clip.annotations.events.push_back({time, "footstep", weight, left ? 0 : 1, side});
  clip.annotations.sync_markers.push_back({time, side});
}

// The turn: the foot of the side that it goes to steps first, then the other one.
constexpr float kTurnSeconds = 1.1f;
struct Step {
  float lift, land;
};
constexpr Step kFirst{6 / kKeyRate, 29 / kKeyRate}, kSecond{31 / kKeyRate, 55 / kKeyRate};

PersonPose turn_pose(float t, bool to_left) {
  const float side = to_left ? 1.0f : -1.0f;
  const float whole = side * kHalfPi;
  PersonPose pose = idle_pose(0);
  const PersonPose start = pose;
  pose.root.rotation = from_yaw(whole * smooth(t / kTurnSeconds));
  for (bool left : {true, false}) {
    const Step step = left == to_left ? kFirst : kSecond;
    const float s = (t - step.lift) / (step.land - step.lift);
    const float done = smooth(s);
    FootPose& foot = pose.foot(left);
    // On a circle about the root.
    foot.ankle = rotate(from_yaw(whole * done), start.foot(left).ankle);
    foot.ankle.y += 0.055f * hump(s);
    foot.pitch = deg(-11) * hump(s);
    foot.yaw += whole * done;
    foot.knee_yaw += whole * done;
  }
  // The weight goes over the foot that stays, then over the one that has arrived.
  const auto over = [&](bool left) { return pose.foot(left).ankle; };
  const float first = smooth(t / 0.24f) * (1 - smooth((t - 0.36f) / 0.24f));
  const float second = smooth((t - 0.40f) / 0.24f) * (1 - smooth((t - 0.78f) / 0.30f));
  const Vec3 middle = transform_point(pose.root, Vec3{start.hips.x, 0, start.hips.z});
  Vec3 ground = middle;
  ground += (over(!to_left) - middle) * (0.42f * first);
  ground += (over(to_left) - middle) * (0.42f * second);
  Vec3 local = rotate(conjugate(pose.root.rotation), ground);
  local.y = start.hips.y - 0.012f * (first + second);
  pose.hips = local;
  // Head and eyes lead, the hips follow.
  const float lead = hump(t / 0.8f);
  pose.hips_rotation = start.hips_rotation * from_yaw(side * deg(-6) * lead);
  pose.chest_rotation = from_yaw(side * deg(6) * lead) * start.chest_rotation;
  pose.head_rotation = from_yaw(side * deg(20) * lead) * start.head_rotation;
  pose.eye_yaw = start.eye_yaw + side * deg(8) * lead;
  for (bool left : {true, false})
    pose.arm(left).swing += deg(left == to_left ? -6.0f : 8.0f) * lead;
  return pose;
}

// The jump, in seconds. Flight is free fall.
constexpr float kCrouched = 0.40f, kHeelOff = 27 / kKeyRate, kTakeOff = 35 / kKeyRate,
                kTouchDown = 62 / kKeyRate, kFlat = 68 / kKeyRate, kLowest = 1.23f,
                kJumpSeconds = 1.85f;
// Heights of the hips over where they stand. They land lower than they leave: the knees are bent
// already when the feet meet the ground.
constexpr float kCrouchDepth = -0.27f, kTakeOffHeight = 0.045f, kTouchDownHeight = -0.035f,
                kLandingDepth = -0.24f;
constexpr float kFlight = kTouchDown - kTakeOff;
constexpr float kTakeOffSpeed =
    (kTouchDownHeight - kTakeOffHeight) / kFlight + 0.5f * kGravity * kFlight;
constexpr float kTouchDownSpeed = kGravity * kFlight - kTakeOffSpeed;

// Height of the hips over where they stand.
float jump_height(float t) {
  if (t < kCrouched) return kCrouchDepth * smooth((t - 0.05f) / (kCrouched - 0.05f));
  if (t < kTakeOff) {
    return hermite(kCrouchDepth, kTakeOffHeight, 0, kTakeOffSpeed, kTakeOff - kCrouched,
                   (t - kCrouched) / (kTakeOff - kCrouched));
  }
  if (t < kTouchDown) {
    const float u = t - kTakeOff;
    return kTakeOffHeight + kTakeOffSpeed * u - 0.5f * kGravity * u * u;
  }
  if (t < kLowest) {
    return hermite(kTouchDownHeight, kLandingDepth, -kTouchDownSpeed, 0, kLowest - kTouchDown,
                   (t - kTouchDown) / (kLowest - kTouchDown));
  }
  return kLandingDepth * (1 - smooth((t - kLowest) / (kJumpSeconds - 0.10f - kLowest)));
}

struct JumpCurves {
  // Degrees.
  Curve pitch{{{kHeelOff, 0}, {kTakeOff, -52}, {0.66f, -58}, {kTouchDown, -34}, {kFlat, 0}}};
  Curve toes{
      {{kHeelOff, 0}, {kTakeOff, 52}, {0.72f, 12}, {0.90f, 12}, {kTouchDown, 34}, {kFlat, 0}}};
  Curve hips_lean{
      {{0.04f, 0}, {0.38f, 34}, {kTakeOff, 3}, {0.80f, 6}, {1.04f, 10}, {1.24f, 30}, {1.75f, 0}}};
  Curve chest_lean{
      {{0.04f, 0}, {0.38f, 40}, {kTakeOff, 2}, {0.80f, 4}, {1.04f, 12}, {1.26f, 34}, {1.75f, 0}}};
  Curve head_lean{{{0.04f, 0}, {0.38f, 8}, {kTakeOff, -10}, {0.80f, 0}, {1.26f, 12}, {1.75f, 0}}};
  Curve swing{{{0.0f, 0}, {0.31f, -42}, {0.70f, 112}, {1.24f, 18}, {1.8f, 0}}};
  Curve elbow{{{0.0f, 0}, {0.36f, 14}, {0.72f, 26}, {0.95f, 34}, {1.26f, 30}, {1.8f, 0}}};
  // Metres: of the hips backward while crouching.
  Curve back{{{0.04f, 0},
              {0.39f, -0.055f},
              {kTakeOff, 0.018f},
              {1.02f, 0.018f},
              {1.24f, -0.045f},
              {1.75f, 0}}};
};

PersonPose jump_pose(float t) {
  static const JumpCurves curves;
  PersonPose pose = idle_pose(0);
  const PersonPose start = pose;
  const bool flying = t > kTakeOff && t < kTouchDown;
  const float rise = jump_height(t);
  pose.hips.y += rise;
  pose.hips.z += curves.back(t);
  pose.hips_rotation = from_axis_angle(kAxisX, deg(curves.hips_lean(t))) * start.hips_rotation;
  pose.chest_rotation = from_axis_angle(kAxisX, deg(curves.chest_lean(t))) * start.chest_rotation;
  pose.head_rotation = from_axis_angle(kAxisX, deg(curves.head_lean(t))) * start.head_rotation;
  for (bool left : {true, false}) {
    FootPose& foot = pose.foot(left);
    foot.pitch = deg(curves.pitch(t));
    // On the ground the toes lie flat.
    foot.toes = flying ? deg(curves.toes(t)) : -foot.pitch;
    // The toes' joint stays over its place; in flight it rises with the hips, knees a little up.
    const Vec3 pivot = bind_position(on_side(left, Bone::kLeftToes));
    const Vec3 ankle0 = start.foot(left).ankle;
    Vec3 place =
        ankle0 + rotate(from_yaw(foot.yaw), pivot - bind_position(on_side(left, Bone::kLeftFoot)));
    if (flying) {
      const float s = (t - kTakeOff) / kFlight;
      place.y += (rise - kTakeOffHeight) + (kTakeOffHeight - kTouchDownHeight) * smooth(s) +
                 0.03f * hump(s);
    }
    foot.ankle = ankle_about(left, foot, pivot, place);
    ArmPose& arm = pose.arm(left);
    arm.swing += deg(curves.swing(t));
    arm.elbow += deg(curves.elbow(t));
    arm.out += deg(0.10f) * curves.swing(t);
  }
  return pose;
}

}  // namespace

RawClip make_turn(bool to_left) {
  RawClip clip = bake(to_left ? "turn_left" : "turn_right", kTurnSeconds, false,
                      [&](float t) { return turn_pose(t, to_left); });
  for (bool left : {true, false}) {
    const Step step = left == to_left ? kFirst : kSecond;
    add_contacts(clip, left, 0, step.lift);
    add_contacts(clip, left, step.land, kTurnSeconds);
  }
  add_footstep(clip, to_left, kFirst.land, 0.6f);
  add_footstep(clip, !to_left, kSecond.land, 0.6f);
  return clip;
}

RawClip make_jump() {
  RawClip clip = bake("jump", kJumpSeconds, false, jump_pose);
  ClipAnnotations& notes = clip.annotations;
  for (bool left : {true, false}) {
    notes.contacts.push_back({foot_role(left), "", 0, kHeelOff});
    notes.contacts.push_back({toes_role(left), "", 0, kTakeOff});
    notes.contacts.push_back({toes_role(left), "", kTouchDown, kJumpSeconds});
    notes.contacts.push_back({foot_role(left), "", kFlat, kJumpSeconds});
  }
  notes.events.push_back({kTakeOff, "jump", 0, 0, ""});
  notes.events.push_back({kTouchDown, "land", 0, 0, ""});
  add_footstep(clip, true, kTouchDown, 1.5f);
  add_footstep(clip, false, kTouchDown, 1.5f);
  return clip;
}

}  // namespace sinew::make_assets
