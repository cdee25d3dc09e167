// Blend: a node between two others. Rigging rules, section 12.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

struct Blend {
  static constexpr const char* kName = "blend";
  static constexpr const char* kSummary = "Puts a node between two others";

  NodeRef driven, a, b;
  bool blend_position = true, blend_rotation = true;
  Value position_weight{0.5f}, rotation_weight{0.5f};  // 0: a, 1: b
  bool maintain = false;  // keep the offsets from a and b that the bind pose has

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;

 private:
  Vec3 offset_a_, offset_b_;
  Quat turn_a_, turn_b_;
};

}  // namespace sinew::rig
