#include <sinew/rig/chain_ik.hpp>
#include <sinew/rig/math.hpp>
#include <sinew/rig/twist_chain.hpp>

namespace sinew::rig {

void TwistChain::fields(FieldVisitor& v) {
  v.node("root", root, NodeUse::kDriven);
  v.node("tip", tip, NodeUse::kDriven);
  v.node("root_target", root_target, NodeUse::kRead);
  v.node("tip_target", tip_target, NodeUse::kRead);
  v.list("curve", curve, 64);
}

float TwistChain::share_at(float s) const {
  if (curve.empty()) return s;
  if (s <= curve.front().at) return clamp01(curve.front().share);
  for (std::size_t i = 1; i < curve.size(); ++i) {
    if (s > curve[i].at) continue;
    const float t = (s - curve[i - 1].at) / (curve[i].at - curve[i - 1].at);
    return clamp01(lerp(curve[i - 1].share, curve[i].share, t));
  }
  return clamp01(curve.back().share);
}

void TwistChain::bind(BindContext& b) {
  for (std::size_t i = 1; i < curve.size(); ++i) {
    if (curve[i].at > curve[i - 1].at) continue;
    b.report(Severity::kError, "rig.out_of_range", "the curve's points must rise in 'at'");
    return;
  }
  joints_ = b.path(root, tip, 2, kMaxChain);
  const std::size_t count = joints_.size();
  if (count == 0) return;
  std::vector<float> along(count, 0.0f);
  for (std::size_t i = 1; i < count; ++i) {
    along[i] = along[i - 1] +
               distance(b.model(joints_[i]).translation, b.model(joints_[i - 1]).translation);
  }
  shares_.assign(count, 0.0f);
  offsets_.assign(count, Quat{});
  for (std::size_t i = 0; i < count; ++i) {
    const float s = along.back() > 0.0f ? along[i] / along.back()
                                        : static_cast<float>(i) / static_cast<float>(count - 1);
    shares_[i] = share_at(s);
    if (i == 0 || i + 1 == count) continue;
    const Quat between =
        qlerp(b.model(joints_.front()).rotation, b.model(joints_.back()).rotation, shares_[i]);
    offsets_[i] = conjugate(between) * b.model(joints_[i]).rotation;
  }
}

RigStatus TwistChain::evaluate(RigEval& e) const {
  const Quat from = e.rotation(root_target), to = e.rotation(tip_target);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const bool first = i == 0, last = i + 1 == joints_.size();
    Quat goal = first ? from : last ? to : qlerp(from, to, shares_[i]);
    // The offset is a right factor by the way it was taken; the package puts it on the left.
    goal = e.compat() ? offsets_[i] * goal : goal * offsets_[i];
    e.set_rotation(joints_[i], qlerp(e.rotation(joints_[i]), goal, e.weight()));
  }
  return RigStatus::kSatisfied;
}

}  // namespace sinew::rig
