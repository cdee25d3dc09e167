// Twist correction: spreads the twist of one node over others. Rigging rules, section 10.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

struct TwistCorrection {
  static constexpr const char* kName = "twist_correction";
  static constexpr const char* kSummary = "Spreads a node's twist over other nodes";

  enum class TwistAxis : std::uint8_t { kX, kY, kZ };

  NodeRef source;
  TwistAxis axis = TwistAxis::kZ;   // local axis of the source
  std::vector<WeightedNode> nodes;  // weights in [-1, 1]

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;

 private:
  Quat source_inverse_;
  std::vector<Quat> bind_;
};

}  // namespace sinew::rig
