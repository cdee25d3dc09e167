// The walker of walker.hpp with a rig: a foot that follows a target, a head that is turned, and a
// spine that swings.
#pragma once

#include <sinew/rig/constraints.hpp>

#include "walker.hpp"

namespace sinew::testing {

inline RigSource walker_rig_source() {
  RigSource source;
  source.name = "walker";
  source.add_node("foot_target", {{-0.3f, 0.4f, 0.3f}, {}, {1, 1, 1}});
  source.add_node("look_target", {{0, 1.5f, 2}, {}, {1, 1, 1}}).space =
      RigNodeSource::Space::kModel;
  rig::TwoBoneIk leg;
  leg.root = "upper_leg_r";
  leg.mid = "lower_leg_r";
  leg.tip = "foot_r";
  leg.target = "foot_target";
  leg.rotation_weight = 0;
  RigLayerSource& limbs = source.add_layer("limbs");
  limbs.add("leg", leg, 0);
  rig::SpringBone swing;
  swing.root = "upper_arm_l";
  swing.tip = "lower_arm_l";
  limbs.add("swing", swing);
  rig::MultiAim look;
  look.driven = "head";
  look.sources = {{"look_target"}};
  source.add_layer("gaze").add("look", look, 0);
  source.drives.push_back({"speed", "look.weight", 0.5f, 0});
  return source;
}

inline RigDef walker_rig(const RigSource& source = walker_rig_source()) {
  const Skeleton skeleton = walker_skeleton();
  Findings findings;
  return RigDef::compile(source, skeleton, {}, findings).value();
}

inline void add_curve(RawClip& clip, std::string name, std::vector<float> times,
                      std::vector<float> values) {
  FloatCurve curve;
  curve.name = std::move(name);
  curve.keys.times = std::move(times);
  curve.keys.values = std::move(values);
  clip.curves.push_back(std::move(curve));
}

// The jump keys the leg's weight; walk and run turn the target, in opposite signs for one rotation.
inline CharacterParts rigged_walker_parts(const RigSource& source = walker_rig_source()) {
  CharacterParts parts = walker_parts();
  parts.name = "rigged_walker";
  parts.rig = walker_rig(source);
  for (MotionPart& part : parts.motions) {
    if (part.name == "Jump") add_curve(part.clip, "rig/leg.weight", {0, 0.4f}, {0, 1});
    if (part.name != "Walk" && part.name != "Run") continue;
    const float sign = part.name == "Walk" ? 1.0f : -1.0f;
    const Quat q = from_yaw(0.8f);
    const float values[] = {q.x, q.y, q.z, q.w};
    for (int i = 0; i < 4; ++i) {
      add_curve(part.clip, std::string("foot_target.rotation.") + "xyzw" [i], { 0 },
                {sign * values[i]});
    }
  }
  return parts;
}

inline CharacterDef rigged_walker() { return CharacterDef::build(rigged_walker_parts()).value(); }

}  // namespace sinew::testing
