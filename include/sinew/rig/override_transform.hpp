// Override transform: replaces or adds to a node's transform, by values or by the motion of a
// source since bind. Rigging rules, section 9.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

struct OverrideTransform {
  static constexpr const char* kName = "override_transform";
  static constexpr const char* kSummary = "Overrides a node's transform in one of three spaces";

  enum class Space : std::uint8_t {
    kWorld,  // the world transform becomes the value
    kLocal,  // the local transform becomes the value
    kPivot,  // the value is added after the local transform
  };

  NodeRef driven, source;
  Space space = Space::kPivot;
  Value3 position, rotation;  // used without a source; metres, degrees (order Z, X, Y)
  Value position_weight{1}, rotation_weight{1};

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;

 private:
  Transform value(RigEval& e) const;

  Transform source_bind_;  // local
  Quat source_to_space_;
};

}  // namespace sinew::rig
