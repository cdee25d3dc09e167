// Multi-aim: turns a node so that one of its axes points at a weighted mean of sources. Rigging
// rules, section 5.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

struct MultiAim {
  static constexpr const char* kName = "multi_aim";
  static constexpr const char* kSummary = "Points an axis of a node at weighted sources";

  enum class WorldUp : std::uint8_t {
    kNone,            // no correction of roll
    kScene,           // +Y of the world
    kObject,          // toward up_object (the world's origin without one)
    kObjectRotation,  // world_up_axis of up_object (of the world without one)
    kVector,          // world_up_axis of the world
  };

  NodeRef driven, up_object;
  std::vector<WeightedNode> sources;
  Axis aim_axis = Axis::kZ, up_axis = Axis::kY, world_up_axis = Axis::kY;
  WorldUp world_up = WorldUp::kNone;
  bool maintain = false;      // keep the angle to the sources that the bind pose has
  Value3 offset;              // degrees, order Z, X, Y; applied last
  AxisMask axes;              // of the parent's space
  Value min{-180}, max{180};  // degrees

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;
  void draw(RigEval& e, DebugDraw& draw) const;

 private:
  Vec3 world_up_in_model(RigEval& e) const;
  Quat turn_to(RigEval& e, Vec3 to, Quat local, Vec3 up) const;
  Float4 own_turn_to(Float4 to, Float4 up) const;
  // The turn of the local rotation, in its own space or in the parent's; none where there is no
  // source to point at.
  bool sum_own(RigEval& e, const float* weights, Float4& turned) const;
  bool sum_in_parent(RigEval& e, const float* weights, Float4& turned) const;

  std::vector<Quat> bind_offset_, package_offset_;
};

}  // namespace sinew::rig
