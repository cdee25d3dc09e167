// A ragdoll as authored, by joint names: what character files hold and what the automatic builder
// gives. Lengths are metres of the rest pose, before the character's scale; places are given in the
// axes of the joint that carries the body.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <sinew/physics/shape.hpp>

namespace sinew {

inline constexpr int kMaxRagdollBodies = 64;

struct RagdollBodySource {
  std::string joint;   // that the body carries, with everything below it up to the next body
  std::string parent;  // joint of the parent body; empty: the nearest one above
  ShapeKind shape = ShapeKind::kCapsule;  // sphere, capsule (along its Y) or box
  float radius = 0, half_height = 0;
  Vec3 half_extents;
  Vec3 position;   // of the shape's middle
  Quat rotation;   // joint <- shape
  float mass = 0;  // kg

  // The joint to the parent body: twist about X, swing about Y and Z (see BodyJointDef). `neutral`
  // is the rotation of this joint in the parent body's joint where all angles are zero; without it,
  // the rest pose.
  Vec3 twist_axis{0, 1, 0};  // in the joint's axes; need not be unit
  Vec3 swing_axis{0, 0, 1};  // Z; its part along the twist axis is taken out
  bool has_neutral = false;
  Quat neutral;
  Vec3 low{-0.5f, -0.5f, -0.5f};  // radians
  Vec3 high{0.5f, 0.5f, 0.5f};
  float friction = 3;   // N m
  float strength = -1;  // N m of a powered ragdoll at strength 1; negative: by the mass it carries
};

struct RagdollSource {
  std::vector<RagdollBodySource> bodies;
  // Pairs, by joint names, that do not meet, beside neighbours and pairs that overlap in the rest
  // pose.
  std::vector<std::pair<std::string, std::string>> no_collide;
};

}  // namespace sinew
