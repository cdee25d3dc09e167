// Multi-referential: several nodes move as one body, led by one of them. Rigging rules, section 7.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

struct MultiReferential {
  static constexpr const char* kName = "multi_referential";
  static constexpr const char* kSummary = "Keeps nodes in their bind arrangement about a driver";

  std::vector<NodeRef> nodes;
  Value driver{0};  // index into nodes, rounded

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;

 private:
  std::vector<Transform> bind_;
};

}  // namespace sinew::rig
