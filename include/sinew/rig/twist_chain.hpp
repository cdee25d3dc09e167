// Twist chain: the rotations of two targets, spread along a chain. Rigging rules, section 11.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

struct TwistChain {
  static constexpr const char* kName = "twist_chain";
  static constexpr const char* kSummary = "Spreads the rotations of two targets along a chain";

  // A point of the curve from the share of the chain's length to the share of the tip's target.
  struct Key {
    float at = 0, share = 0;
    void fields(FieldVisitor& v) {
      v.number("at", at, 0, 1);
      v.number("share", share, -kUnbounded, kUnbounded);
    }
  };

  NodeRef root, tip, root_target, tip_target;
  std::vector<Key> curve;  // rising in `at`, joined by straight lines; empty: 0 to 1

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;

 private:
  float share_at(float s) const;

  std::vector<NodeRef> joints_;
  std::vector<float> shares_;
  std::vector<Quat> offsets_;
};

}  // namespace sinew::rig
