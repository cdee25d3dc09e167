// Copy transform: what a source has moved, turned and grown since bind, scaled, cut to ranges and
// added to a node.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

// All in local space. Per axis: change = clamp(factor * (source - source at bind), min, max); a
// factor of 0 leaves that axis alone. Rotations by Euler angles (degrees, order Z, X, Y), scale by
// its ratio.
struct CopyTransform {
  static constexpr const char* kName = "copy_transform";
  static constexpr const char* kSummary = "Copies position, rotation and scale with ranges";

  NodeRef driven, source;
  Value3 position_factor, rotation_factor, scale_factor;
  Vec3 position_min{-10, -10, -10}, position_max{10, 10, 10};        // metres
  Vec3 rotation_min{-180, -180, -180}, rotation_max{180, 180, 180};  // degrees
  Vec3 scale_min{0.01f, 0.01f, 0.01f}, scale_max{100, 100, 100};     // ratios

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;

 private:
  Transform bind_;  // source, local
};

}  // namespace sinew::rig
