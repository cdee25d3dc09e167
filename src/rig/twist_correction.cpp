#include <sinew/rig/math.hpp>
#include <sinew/rig/twist_correction.hpp>

namespace sinew::rig {

void TwistCorrection::fields(FieldVisitor& v) {
  static constexpr const char* kAxes[] = {"x", "y", "z"};
  v.node("source", source, NodeUse::kRead);
  v.choice_of("axis", axis, kAxes, 3);
  v.sources("nodes", nodes, NodeUse::kDriven, -1, 1);
}

void TwistCorrection::bind(BindContext& b) {
  source_inverse_ = conjugate(b.local(source).rotation);
  bind_.clear();
  for (const WeightedNode& n : nodes) bind_.push_back(b.local(n.node).rotation);
}

RigStatus TwistCorrection::evaluate(RigEval& e) const {
  const Quat moved = source_inverse_ * e.local(source).rotation;
  Quat twist{0, 0, 0, moved.w};  // not of unit length: the blend below normalizes
  if (axis == TwistAxis::kX) twist.x = moved.x;
  if (axis == TwistAxis::kY) twist.y = moved.y;
  if (axis == TwistAxis::kZ) twist.z = moved.z;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const float share = e.value(nodes[i].weight);
    const Quat part = qlerp(Quat{}, share < 0.0f ? conjugate(twist) : twist, abs(share));
    // The package replaces the node's own rotation; the fix turns it.
    const Quat goal = e.compat() ? part : bind_[i] * part;
    e.set_local_rotation(nodes[i].node, qlerp(bind_[i], goal, e.weight()));
  }
  return RigStatus::kSatisfied;
}

}  // namespace sinew::rig
