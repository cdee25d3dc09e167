// Multi-position: a node goes to a weighted mean of sources. Rigging rules, section 6.2.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

struct MultiPosition {
  static constexpr const char* kName = "multi_position";
  static constexpr const char* kSummary = "Moves a node to weighted sources";

  NodeRef driven;
  std::vector<WeightedNode> sources;
  bool maintain = false;  // keep the distances of the bind pose
  AxisMask axes;          // of the parent's space
  Value3 offset;          // metres, parent's space, added last

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;

 private:
  std::vector<Vec3> offsets_;
};

}  // namespace sinew::rig
