// Multi-parent: a node follows a weighted mean of sources as if it were their child. Rigging rules,
// section 6.1.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

struct MultiParent {
  static constexpr const char* kName = "multi_parent";
  static constexpr const char* kSummary = "Moves and turns a node with weighted sources";

  NodeRef driven;
  std::vector<WeightedNode> sources;
  bool maintain_position = false, maintain_rotation = false;
  AxisMask position_axes, rotation_axes;  // of the parent's space

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;

 private:
  std::vector<Transform> offsets_;
};

}  // namespace sinew::rig
