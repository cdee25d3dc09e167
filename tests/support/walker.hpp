// A body with clips and a controller made in code: the same on every machine, no file needed.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <sinew/asset/model.hpp>
#include <sinew/character/character_def.hpp>
#include <sinew/graph/builder.hpp>
#include <sinew/math/trig.hpp>

namespace sinew::testing {

inline constexpr float kWalkSpeed = 1.2f, kRunSpeed = 3.0f;  // metres per second

inline Skeleton walker_skeleton() {
  std::vector<JointDef> joints;
  const auto add = [&](const char* name, int parent, Vec3 at) {
    joints.push_back({name, parent, {at, {}, {1, 1, 1}}});
    return static_cast<int>(joints.size()) - 1;
  };
  const int root = add("root", kNoJoint, {});
  const int hips = add("hips", root, {0, 0.95f, 0});
  const int spine = add("spine", hips, {0, 0.2f, 0});
  add("head", spine, {0, 0.45f, 0});
  for (const float side : {1.0f, -1.0f}) {
    const std::string end = side > 0 ? "_l" : "_r";
    const int upper = add(("upper_leg" + end).c_str(), hips, {0.1f * side, -0.05f, 0});
    const int lower = add(("lower_leg" + end).c_str(), upper, {0, -0.42f, 0});
    const int foot = add(("foot" + end).c_str(), lower, {0, -0.42f, 0});
    add(("toes" + end).c_str(), foot, {0, -0.06f, 0.14f});
    const int arm = add(("upper_arm" + end).c_str(), spine, {0.2f * side, 0.35f, 0});
    add(("lower_arm" + end).c_str(), arm, {0.28f * side, 0, 0});
  }
  return Skeleton::build(joints).value();
}

inline RoleMap walker_roles(const Skeleton& skeleton) {
  RoleMap roles;
  const auto set = [&](JointRole role, const char* name) { roles.set(role, *skeleton.find(name)); };
  set(JointRole::kHips, "hips");
  set(JointRole::kSpine, "spine");
  set(JointRole::kHead, "head");
  set(JointRole::kLeftUpperLeg, "upper_leg_l");
  set(JointRole::kLeftLowerLeg, "lower_leg_l");
  set(JointRole::kLeftFoot, "foot_l");
  set(JointRole::kLeftToes, "toes_l");
  set(JointRole::kLeftUpperArm, "upper_arm_l");
  set(JointRole::kLeftLowerArm, "lower_arm_l");
  set(JointRole::kRightUpperLeg, "upper_leg_r");
  set(JointRole::kRightLowerLeg, "lower_leg_r");
  set(JointRole::kRightFoot, "foot_r");
  set(JointRole::kRightToes, "toes_r");
  set(JointRole::kRightUpperArm, "upper_arm_r");
  set(JointRole::kRightLowerArm, "lower_arm_r");
  roles.plan = BodyPlan::kBiped;
  return roles;
}

inline void turn_keys(RawClip& clip, const Skeleton& skeleton, const char* joint, Vec3 axis,
                      float (*angle)(float share)) {
  JointTrack track;
  track.joint = *skeleton.find(joint);
  constexpr int kKeys = 30;
  for (int i = 0; i <= kKeys; ++i) {
    const float share = static_cast<float>(i) / kKeys;
    track.rotation.times.push_back(clip.duration * share);
    track.rotation.values.push_back(from_axis_angle(axis, angle(i == kKeys ? 0.0f : share)));
  }
  clip.tracks.push_back(std::move(track));
}

inline void sort_tracks(RawClip& clip) {
  std::sort(clip.tracks.begin(), clip.tracks.end(),
            [](const JointTrack& a, const JointTrack& b) { return a.joint < b.joint; });
}

inline float wave(float share, float offset) { return sin(kTwoPi * (share + offset)); }

// Legs swing by half a stride to each side; `travel` > 0: the root joint carries it forward.
inline RawClip gait_clip(const Skeleton& skeleton, const char* name, float duration, float travel) {
  RawClip clip;
  clip.name = name;
  clip.duration = duration;
  clip.loop = true;
  turn_keys(clip, skeleton, "upper_leg_l", kAxisX, [](float s) { return -0.5f * wave(s, 0); });
  turn_keys(clip, skeleton, "upper_leg_r", kAxisX, [](float s) { return -0.5f * wave(s, 0.5f); });
  turn_keys(clip, skeleton, "lower_leg_l", kAxisX,
            [](float s) { return 0.7f * max(0.0f, wave(s, 0.2f)); });
  turn_keys(clip, skeleton, "lower_leg_r", kAxisX,
            [](float s) { return 0.7f * max(0.0f, wave(s, 0.7f)); });
  turn_keys(clip, skeleton, "upper_arm_l", kAxisX, [](float s) { return 0.4f * wave(s, 0.5f); });
  turn_keys(clip, skeleton, "upper_arm_r", kAxisX, [](float s) { return 0.4f * wave(s, 0); });
  turn_keys(clip, skeleton, "spine", kAxisY, [](float s) { return 0.1f * wave(s, 0.1f); });
  if (travel > 0) {
    JointTrack track;
    track.joint = *skeleton.find("root");
    track.translation.times = {0, duration};
    track.translation.values = {{}, {0, 0, travel}};
    clip.tracks.push_back(std::move(track));
    clip.annotations.root_motion.enabled = true;
    clip.annotations.root_motion.joint = *skeleton.find("root");
  }
  sort_tracks(clip);
  clip.annotations.events = {{0.1f * duration, "step", 0, 0, "left"},
                             {0.6f * duration, "step", 0, 0, "right"}};
  return clip;
}

inline RawClip idle_clip(const Skeleton& skeleton) {
  RawClip clip;
  clip.name = "Idle";
  clip.duration = 2;
  clip.loop = true;
  turn_keys(clip, skeleton, "spine", kAxisX, [](float s) { return 0.03f * wave(s, 0); });
  turn_keys(clip, skeleton, "head", kAxisY, [](float s) { return 0.2f * wave(s, 0.3f); });
  sort_tracks(clip);
  return clip;
}

inline RawClip jump_clip(const Skeleton& skeleton) {
  RawClip clip;
  clip.name = "Jump";
  clip.duration = 0.8f;
  turn_keys(clip, skeleton, "lower_leg_l", kAxisX, [](float s) { return 0.9f * abs(wave(s, 0)); });
  turn_keys(clip, skeleton, "lower_leg_r", kAxisX, [](float s) { return 0.9f * abs(wave(s, 0)); });
  sort_tracks(clip);
  clip.annotations.events = {{0.4f, "apex", 0, 0, ""}};
  return clip;
}

inline ControllerSource walker_controller_source() {
  using namespace build;
  MachineSource root;
  root.add(state("Idle")
               .plays("Idle")
               .to(transition("Move")
                       .when("speed", greater, 0.1)
                       .seconds(0.25)
                       .interrupted_by(Interruption::kCurrentThenNext, false))
               .to(transition("Jump").when("jump").seconds(0.1)));
  root.add(state("Move")
               .plays(tree_1d("speed", {child(motion("Walk"), 1.2), child(motion("Run"), 3.0)}))
               .to(transition("Idle")
                       .when("speed", less, 0.05)
                       .seconds(0.3)
                       .interrupted_by(Interruption::kNextThenCurrent, false))
               .to(transition("Jump").when("jump").seconds(0.15)));
  root.add(state("Jump").plays("Jump").to(transition("Idle").at_exit(0.8).seconds(0.2)));
  return ControllerBuilder("walker")
      .float_parameter("speed")
      .trigger("jump")
      .layer("base", root)
      .source();
}

inline CharacterParts walker_parts() {
  CharacterParts parts;
  parts.name = "walker";
  parts.skeleton = walker_skeleton();
  parts.roles = walker_roles(parts.skeleton);
  parts.controller = compile_controller(walker_controller_source()).value();
  parts.motions.push_back({"Idle", idle_clip(parts.skeleton), Travel::kAuthored, {}});
  parts.motions.push_back(
      {"Walk", gait_clip(parts.skeleton, "Walk", 1.0f, kWalkSpeed), Travel::kAuthored, {}});
  parts.motions.push_back(
      {"Run", gait_clip(parts.skeleton, "Run", 0.6f, kRunSpeed * 0.6f), Travel::kAuthored, {}});
  parts.motions.push_back({"Jump", jump_clip(parts.skeleton), Travel::kAuthored, {}});
  Skin skin;
  skin.name = "body";
  for (int j = 0; j < parts.skeleton.joint_count(); ++j) {
    skin.joints.push_back(j);
    skin.inverse_bind.push_back(inverse(parts.skeleton.rest_model()[static_cast<std::size_t>(j)]));
  }
  parts.skins.push_back(std::move(skin));
  return parts;
}

inline CharacterDef walker() { return CharacterDef::build(walker_parts()).value(); }

// The walker as an importer would give it: skeleton and clips, no meshes.
inline Model walker_model() {
  Model model;
  model.name = "walker.glb";
  CharacterParts parts = walker_parts();
  model.skeleton = parts.skeleton;
  model.roles = parts.roles;
  for (MotionPart& part : parts.motions) model.clips.push_back(std::move(part.clip));
  model.skins = parts.skins;
  return model;
}

}  // namespace sinew::testing
