#include "posing.hpp"

namespace sinew::make_assets {
namespace {

// The turn that takes the unit vectors d0, h0 (at right angles) to d1, h1.
Quat turn_between(Vec3 d0, Vec3 h0, Vec3 d1, Vec3 h1) {
  return look_rotation(d1, h1) * conjugate(look_rotation(d0, h0));
}

Vec3 bind_direction(Bone from, Bone to) {
  return normalize_or(bind_position(to) - bind_position(from), kAxisY);
}

struct Solver {
  std::array<Transform, kBoneCount> local;
  std::array<Transform, kBoneCount> model;

  static std::size_t at(Bone bone) { return static_cast<std::size_t>(index(bone)); }
  Bone parent(Bone bone) const { return bones()[at(bone)].parent; }

  // Sets the rotation of a bone whose parent is already placed.
  void set_local(Bone bone, Quat rotation) {
    Transform& l = local[at(bone)];
    l.rotation = normalize(rotation);
    l.translation = bind_position(bone) - bind_position(parent(bone));
    model[at(bone)] = model[at(parent(bone))] * l;
  }
  void set_model(Bone bone, Quat rotation) {
    set_local(bone, conjugate(model[at(parent(bone))].rotation) * rotation);
  }
  Quat rotation(Bone bone) const { return model[at(bone)].rotation; }
  Vec3 position(Bone bone) const { return model[at(bone)].translation; }

  void root_and_hips(const PersonPose& pose);
  void trunk(const PersonPose& pose);
  void arm(bool left, const ArmPose& arm);
  void leg(bool left, const FootPose& foot);
};

void Solver::root_and_hips(const PersonPose& pose) {
  local[at(Bone::kRoot)] = pose.root;
  model[at(Bone::kRoot)] = pose.root;
  Transform& hips = local[at(Bone::kHips)];
  hips.translation = pose.hips;
  hips.rotation = pose.hips_rotation;
  model[at(Bone::kHips)] = pose.root * hips;
}

// Spreads a turn over several bones: equal axes, so that the shares add up to the whole.
void Solver::trunk(const PersonPose& pose) {
  const Vec3 bend = to_rotation_vector(conjugate(pose.hips_rotation) * pose.chest_rotation);
  set_local(Bone::kSpine, from_rotation_vector(bend * 0.36f));
  set_local(Bone::kChest, from_rotation_vector(bend * 0.36f));
  set_local(Bone::kUpperChest, from_rotation_vector(bend * 0.28f));
  const Vec3 nod = to_rotation_vector(conjugate(pose.chest_rotation) * pose.head_rotation);
  set_local(Bone::kNeck, from_rotation_vector(nod * 0.45f));
  set_local(Bone::kHead, from_rotation_vector(nod * 0.55f));
  for (Bone eye : {Bone::kLeftEye, Bone::kRightEye}) {
    set_local(eye,
              from_axis_angle(kAxisY, pose.eye_yaw) * from_axis_angle(kAxisX, -pose.eye_pitch));
  }
}

void Solver::arm(bool left, const ArmPose& arm) {
  const auto bone = [&](Bone b) { return on_side(left, b); };
  const float side = left ? 1.0f : -1.0f;
  set_local(bone(Bone::kLeftShoulder), from_axis_angle(kAxisY, -side * arm.advance) *
                                           from_axis_angle(kAxisZ, side * arm.raise));
  // Directions in the chest's frame: hanging, moved out, swung forward.
  const Quat chest = rotation(Bone::kUpperChest);
  const Quat swing = from_axis_angle(kAxisX, -arm.swing) * from_axis_angle(kAxisZ, side * arm.out);
  const Vec3 down = rotate(chest * swing, -kAxisY);
  const Vec3 straight_hinge = rotate(chest * swing, -kAxisX);
  const Vec3 hinge = rotate(from_axis_angle(down, side * arm.inward), straight_hinge);
  const Vec3 forearm = rotate(from_axis_angle(hinge, arm.elbow), down);

  const Vec3 upper0 = bind_direction(bone(Bone::kLeftUpperArm), bone(Bone::kLeftLowerArm));
  const Vec3 lower0 = bind_direction(bone(Bone::kLeftLowerArm), bone(Bone::kLeftHand));
  const Vec3 hinge_upper0 = normalize_or(cross(upper0, kAxisZ), kAxisX);
  const Vec3 hinge_lower0 = normalize_or(cross(lower0, kAxisZ), kAxisX);
  set_model(bone(Bone::kLeftUpperArm), turn_between(upper0, hinge_upper0, down, hinge));
  const Vec3 turned_hinge = rotate(from_axis_angle(forearm, side * arm.pronation), hinge);
  // Half of the forearm's own turn shows at the elbow, half at the wrist.
  const Vec3 half_hinge = rotate(from_axis_angle(forearm, 0.5f * side * arm.pronation), hinge);
  set_model(bone(Bone::kLeftLowerArm), turn_between(lower0, hinge_lower0, forearm, half_hinge));
  const Quat hand = turn_between(lower0, hinge_lower0, forearm, turned_hinge);
  const auto curl = [&](float angle) { return from_axis_angle(kAxisZ, -side * angle); };
  set_model(bone(Bone::kLeftHand), hand * curl(arm.wrist));
  set_local(bone(Bone::kLeftFingers), curl(arm.curl));
  set_local(bone(Bone::kLeftFingerTips), curl(1.3f * arm.curl));
  set_local(bone(Bone::kLeftThumb), from_axis_angle(kAxisX, arm.thumb) * curl(0.6f * arm.thumb));
}

void Solver::leg(bool left, const FootPose& foot) {
  const auto bone = [&](Bone b) { return on_side(left, b); };
  const Bone upper = bone(Bone::kLeftUpperLeg), lower = bone(Bone::kLeftLowerLeg);
  const Bone ankle = bone(Bone::kLeftFoot);
  const Quat hips = rotation(Bone::kHips);
  set_local(upper, {});
  set_local(lower, {});
  set_local(ankle, {});
  const Vec3 forward = rotate(from_yaw(foot.knee_yaw), kAxisZ);
  TwoBoneChain chain{position(upper), position(lower), position(ankle), hips, hips, hips};
  TwoBoneGoal goal;
  goal.target = foot.ankle;
  goal.hint = lerp(chain.root, foot.ankle, 0.5f) + forward * 2.0f;
  goal.hint_weight = 1;
  goal.fallback_axis = rotate(from_yaw(foot.knee_yaw), kAxisX);
  const TwoBoneResult result = solve_two_bone(chain, goal);
  set_model(upper, result.root_rotation);
  set_model(lower, result.mid_rotation);
  set_model(ankle, foot_rotation(foot));
  set_local(bone(Bone::kLeftToes), from_axis_angle(kAxisX, -foot.toes));
}

}  // namespace

Quat trunk_rotation(float yaw, float pitch, float roll) {
  return from_yaw(yaw) * from_axis_angle(kAxisX, pitch) * from_axis_angle(kAxisZ, roll);
}

Quat foot_rotation(const FootPose& foot) {
  return from_yaw(foot.yaw) * from_axis_angle(kAxisX, -foot.pitch) *
         from_axis_angle(kAxisZ, foot.roll);
}

Vec3 ankle_about(bool left, const FootPose& turn, Vec3 pivot, Vec3 at) {
  const Vec3 arm = bind_position(on_side(left, Bone::kLeftFoot)) - pivot;
  return at + rotate(foot_rotation(turn), arm);
}

PersonPose standing_pose() {
  PersonPose pose;
  pose.hips = bind_position(Bone::kHips) + Vec3{0, -0.006f, 0};
  for (bool left : {true, false}) {
    pose.foot(left).ankle = bind_position(on_side(left, Bone::kLeftFoot));
  }
  return pose;
}

float leg_reach(const PersonPose& pose, bool left) {
  const Bone upper = on_side(left, Bone::kLeftUpperLeg), lower = on_side(left, Bone::kLeftLowerLeg);
  const Bone ankle = on_side(left, Bone::kLeftFoot);
  const Vec3 offset = bind_position(upper) - bind_position(Bone::kHips);
  const Vec3 hip = transform_point(pose.root, pose.hips + rotate(pose.hips_rotation, offset));
  const float whole = distance(bind_position(upper), bind_position(lower)) +
                      distance(bind_position(lower), bind_position(ankle));
  return distance(hip, pose.foot(left).ankle) / whole;
}

SolvedPose solve(const PersonPose& pose) {
  Solver solver;
  solver.root_and_hips(pose);
  solver.trunk(pose);
  solver.arm(true, pose.left_arm);
  solver.arm(false, pose.right_arm);
  solver.leg(true, pose.left_foot);
  solver.leg(false, pose.right_foot);
  return {solver.local, max(leg_reach(pose, true), leg_reach(pose, false))};
}

}  // namespace sinew::make_assets
