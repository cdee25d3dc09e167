#include <sinew/rig/math.hpp>
#include <sinew/rig/multi_referential.hpp>

namespace sinew::rig {

void MultiReferential::fields(FieldVisitor& v) {
  v.nodes("nodes", nodes, NodeUse::kDriven, 2, 64);
  v.value("driver", driver, -1000, 1000);
}

void MultiReferential::bind(BindContext& b) {
  bind_.clear();
  for (const NodeRef& n : nodes) bind_.push_back(rigid(b.model(n)));
  const int chosen = static_cast<int>(driver.initial);
  if (chosen < 0 || chosen >= static_cast<int>(nodes.size())) {
    b.report(Severity::kError, "rig.out_of_range",
             "driver " + std::to_string(chosen) + " is not the index of a node");
  }
}

RigStatus MultiReferential::evaluate(RigEval& e) const {
  const int count = static_cast<int>(nodes.size());
  int leader = static_cast<int>(e.value(driver) + 0.5f);
  if (leader < 0 || leader >= count) {
    // The package reads past its list here; leaving the pose alone is the nearest safe thing.
    if (e.compat()) return RigStatus::kDegenerate;
    leader = leader < 0 ? 0 : count - 1;
  }
  const Transform lead = rigid(e.model(nodes[static_cast<std::size_t>(leader)]));
  for (int i = 0; i < count; ++i) {
    if (i == leader) continue;
    const NodeRef& node = nodes[static_cast<std::size_t>(i)];
    const Transform offset =
        relative(bind_[static_cast<std::size_t>(leader)], bind_[static_cast<std::size_t>(i)]);
    const Transform goal = compose(lead, offset);
    const Transform current = e.model(node);
    e.set_model(node, lerp(current.translation, goal.translation, e.weight()),
                qlerp(current.rotation, goal.rotation, e.weight()));
  }
  return RigStatus::kSatisfied;
}

}  // namespace sinew::rig
