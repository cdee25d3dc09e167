// Multi-rotation: a node turns with a weighted mean of sources. Rigging rules, section 6.3.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

struct MultiRotation {
  static constexpr const char* kName = "multi_rotation";
  static constexpr const char* kSummary = "Turns a node with weighted sources";

  NodeRef driven;
  std::vector<WeightedNode> sources;
  bool maintain = false;  // keep the rotations of the bind pose
  AxisMask axes;          // Euler angles of the local rotation
  Value3 offset;          // degrees, order Z, X, Y, local, applied last

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;

 private:
  std::vector<Quat> offsets_;
};

}  // namespace sinew::rig
