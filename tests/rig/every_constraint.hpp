// A rig with one of each constraint.
#pragma once

#include <sinew/rig/constraints.hpp>

#include "rig_fixture.hpp"

namespace sinew::rig {

// On body_skeleton(); constraints are called after their types.
inline RigSource every_constraint() {
  RigSource s;
  s.add_node("t", {{0.45f, 1.3f, 0.3f}, {}, {1, 1, 1}});
  s.add_node("h", {{0.4f, 1.2f, -1}, {}, {1, 1, 1}});
  s.add_node("u", {{-0.4f, 1.4f, 0.3f}, {}, {1, 1, 1}});
  s.add_node("d");
  RigLayerSource& l = s.add_layer("layer");
  const auto limb = [](auto ik, const char* side) {
    ik.root = std::string("upper.") + side;
    ik.mid = std::string("lower.") + side;
    ik.tip = std::string("hand.") + side;
    ik.target = side[0] == 'L' ? "t" : "u";
    ik.hint = "h";
    return ik;
  };
  l.add("two_bone_ik", limb(TwoBoneIk{}, "L"));
  HeightLimitedTwoBoneIk limited = limb(HeightLimitedTwoBoneIk{}, "R");
  limited.limit = 1.45f;
  l.add("height_limited_two_bone_ik", limited);
  ChainIk chain;
  chain.root = "hips";
  chain.tip = "head";
  chain.target = "u";
  l.add("chain_ik", chain, 0.3f);
  MultiAim aim;
  aim.driven = "head";
  aim.sources = {{"t", 0.5f}, {"u", 0.4f}};
  aim.world_up = MultiAim::WorldUp::kScene;
  l.add("multi_aim", aim);
  MultiParent parent;
  parent.driven = "d";
  parent.sources = {{"t"}, {"hand.R"}};
  l.add("multi_parent", parent);
  MultiPosition position;
  position.driven = "d";
  position.sources = {{"t"}, {"u", 0.5f}};
  l.add("multi_position", position);
  MultiRotation rotation;
  rotation.driven = "neck";
  rotation.sources = {{"t"}, {"u", 0.5f}};
  l.add("multi_rotation", rotation, 0.5f);
  MultiReferential referential;
  referential.nodes = {"d", "t"};
  l.add("multi_referential", referential);
  DampedTransform damped;
  damped.driven = "finger.L";
  damped.source = "hand.L";
  l.add("damped_transform", damped);
  OverrideTransform over;
  over.driven = "hand.R";
  over.position = Vec3{0.1f, 0, 0};
  l.add("override_transform", over);
  TwistCorrection twist;
  twist.source = "hand.L";
  twist.nodes = {{"lower.L", 0.3f}};
  l.add("twist_correction", twist, 0.2f);
  TwistChain twist_chain;
  twist_chain.root = "hips";
  twist_chain.tip = "head";
  twist_chain.root_target = "t";
  twist_chain.tip_target = "u";
  l.add("twist_chain", twist_chain, 0.1f);
  Blend blend;
  blend.driven = "d";
  blend.a = "t";
  blend.b = "u";
  l.add("blend", blend);
  FullBodyIk body;
  body.root = "hips";
  for (const auto& [joint, target] : {std::pair{"hand.L", "t"}, {"hand.R", "u"}}) {
    FullBodyIk::Effector effector;
    effector.joint = joint;
    effector.target = target;
    body.effectors.push_back(effector);
  }
  JointLimit limit;
  limit.joint = "spine";
  limit.swing = 20;
  body.limits = {limit};
  l.add("full_body_ik", body, 0.5f);
  body.method = FullBodyIk::Method::kFabrik;
  l.add("full_body_fabrik", body, 0.5f);
  SpringBone spring;
  spring.root = "hand.L";
  spring.tip = "finger.L";
  SpringCollider collider;
  collider.node = "chest";
  spring.colliders = {collider};
  l.add("spring_bone", spring);
  LookAtChain look;
  look.joints.resize(2);
  look.joints[0].joint = "neck";
  look.joints[1].joint = "head";
  look.target = "u";
  l.add("look_at_chain", look);
  Recoil recoil;
  recoil.nodes = {{"hand.R"}};
  recoil.shots = 0;
  l.add("recoil", recoil);
  FootRoll foot;
  foot.control = "t";
  foot.ankle = "d";
  foot.roll = 20;
  l.add("foot_roll", foot, 0.5f);
  CopyTransform copy;
  copy.driven = "hand.R";
  copy.source = "hand.L";
  copy.rotation_factor = Vec3{1, 1, 1};
  copy.position_factor = Vec3{1, 0, 0};
  copy.scale_factor = Vec3{1, 0, 0};
  l.add("copy_transform", copy);
  ParentSwitch carry;
  carry.driven = "d";
  carry.parents = {"hand.L", "hips"};
  l.add("parent_switch", carry);
  return s;
}

}  // namespace sinew::rig
