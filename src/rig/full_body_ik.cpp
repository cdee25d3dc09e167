#include <algorithm>

#include <sinew/rig/full_body_ik.hpp>
#include <sinew/rig/math.hpp>

#include "body_solver.hpp"

namespace sinew::rig {

void FullBodyIk::fields(FieldVisitor& v) {
  static constexpr const char* kMethods[] = {"least_squares", "fabrik"};
  v.node("root", root, NodeUse::kDriven);
  v.list("effectors", effectors, kMaxEffectors);
  v.list("limits", limits, kMaxBody);
  v.list("poles", poles, kMaxEffectors);
  v.choice_of("method", method, kMethods, 2);
  v.value("root_weight", root_weight, 0, 1);
  v.integer("iterations", iterations, 1, 50);
  v.number("tolerance", tolerance, 0, 1);
  v.number("damping", damping, 1e-4f, 1);
}

void FullBodyIk::bind(BindContext& b) {
  tree_.clear();
  if (effectors.empty()) {
    b.report(Severity::kError, "rig.out_of_range", "full-body IK needs at least one effector");
    return;
  }
  for (const Pole& p : poles) {
    if (!b.require_below(p.root, p.mid) || !b.require_below(p.mid, p.tip)) return;
  }
  std::vector<int> nodes;
  size_ = 0;
  for (const Effector& e : effectors) {
    const std::vector<NodeRef> path = b.path(root, e.joint, 2, kMaxBody);
    if (path.empty()) return;
    float way = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (std::find(nodes.begin(), nodes.end(), int(path[i])) == nodes.end()) {
        nodes.push_back(path[i]);
      }
      if (i > 0) way += distance(b.model(path[i]).translation, b.model(path[i - 1]).translation);
    }
    size_ = max(size_, way);
  }
  std::sort(nodes.begin(), nodes.end());  // parents come before children in a rig's numbering
  if (nodes.size() > static_cast<std::size_t>(kMaxBody)) {
    b.report(Severity::kError, "rig.chain_length",
             "the tree has " + std::to_string(nodes.size()) + " joints; there may be " +
                 std::to_string(kMaxBody));
    return;
  }
  const auto index_of = [&](int node) {
    const auto found = std::find(nodes.begin(), nodes.end(), node);
    return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
  };
  for (const int node : nodes) {
    Joint j;
    j.node = node;
    j.parent = node == root ? -1 : index_of(b.parent(node));
    j.bind = b.local(node).rotation;
    if (j.parent >= 0) {
      Joint& up = tree_[static_cast<std::size_t>(j.parent)];
      if (up.children++ == 0) up.axis = normalize_or(b.local(node).translation, kAxisY);
    }
    tree_.push_back(j);
  }
  for (std::size_t k = 0; k < effectors.size(); ++k) {
    int j = index_of(effectors[k].joint);
    if (tree_[static_cast<std::size_t>(j)].effector >= 0) {
      b.report(Severity::kError, "rig.duplicate_name",
               "'" + b.name(effectors[k].joint) + "' is an effector twice");
      return;
    }
    tree_[static_cast<std::size_t>(j)].effector = static_cast<int>(k);
    for (; j >= 0; j = tree_[static_cast<std::size_t>(j)].parent) {
      tree_[static_cast<std::size_t>(j)].effectors |= 1u << k;
    }
  }
  for (const JointLimit& limit : limits) {
    const int j = index_of(limit.joint);
    if (j < 0) {
      b.report(Severity::kWarning, "rig.unused_limit",
               "'" + b.name(limit.joint) + "' lies on no way from root to an effector");
      continue;
    }
    Joint& joint = tree_[static_cast<std::size_t>(j)];
    joint.limited = limit.swing < 180 || limit.twist_min > -180 || limit.twist_max < 180;
    joint.swing = limit.swing * kDegToRad;
    joint.twist_min = limit.twist_min * kDegToRad;
    joint.twist_max = limit.twist_max * kDegToRad;
    joint.mobility = 1.0f - limit.stiffness;
  }
}

RigStatus FullBodyIk::evaluate(RigEval& e) const {
  const float w = e.weight();
  std::array<Quat, kMaxEffectors> turned;  // rotations of the effectors at the end
  BodySolver s;
  s.joints = tree_.data();
  s.count = static_cast<int>(tree_.size());
  s.effector_count = static_cast<int>(effectors.size());
  for (std::size_t k = 0; k < effectors.size(); ++k) {
    const Transform now = e.model(effectors[k].joint), there = e.model(effectors[k].target);
    if (!is_finite(there) || !is_finite(now)) return RigStatus::kDegenerate;
    s.goal[k] = lerp(now.translation, there.translation, e.value(effectors[k].position_weight) * w);
    turned[k] = qlerp(now.rotation, there.rotation, e.value(effectors[k].rotation_weight) * w);
  }
  for (const Pole& p : poles) {
    const Vec3 a = e.position(p.root), m = e.position(p.mid), c = e.position(p.tip);
    const Vec3 n = normalize_or(c - a, {});
    const Vec3 bent = reject(m - a, n), wanted = reject(e.position(p.pole) - a, n);
    if (length_squared(bent) < 1e-8f || length_squared(wanted) < 1e-8f) continue;
    const float angle = signed_angle(bent, wanted, n) * e.value(p.weight) * w;
    e.set_rotation(p.root, from_axis_angle(n, angle) * e.rotation(p.root));
  }

  s.size = size_;
  s.root_share = e.value(root_weight) * w;
  s.damping = damping;
  s.tolerance = tolerance;
  s.iterations = iterations;
  s.above = e.parent_model(root).rotation;
  s.root_start = s.position[0] = e.position(root);
  for (std::size_t i = 0; i < tree_.size(); ++i) {
    const Joint& j = tree_[i];
    const Transform& local = e.local(j.node);
    s.local[i] = normalize(local.rotation);
    s.offset[i] = local.translation;
    if (j.parent >= 0) s.offset[i] = e.parent_model(j.node).scale * local.translation;
    if (j.effector >= 0) s.at[static_cast<std::size_t>(j.effector)] = static_cast<int>(i);
  }
  s.forward();
  s.shift_root();
  const bool met = method == Method::kFabrik ? s.fabrik() : s.least_squares();
  if (!is_finite(s.error())) return RigStatus::kDegenerate;

  if (s.root_share > 0.0f) e.set_position(root, s.position[0]);
  for (std::size_t i = 0; i < tree_.size(); ++i) e.set_local_rotation(tree_[i].node, s.local[i]);
  for (std::size_t k = 0; k < effectors.size(); ++k) {
    const Joint& j = tree_[static_cast<std::size_t>(s.at[k])];
    // An effector inside the tree turns what hangs on it: only where that is asked for.
    if (j.children == 0 || e.value(effectors[k].rotation_weight) > 0.0f) {
      e.set_rotation(j.node, turned[k]);
    }
  }
  if (met) return RigStatus::kSatisfied;
  for (std::size_t k = 0; k < effectors.size(); ++k) {
    if (distance(s.goal[k], s.position[0]) > size_) return RigStatus::kOutOfReach;
  }
  return RigStatus::kUnsatisfied;
}

void FullBodyIk::draw(RigEval& e, DebugDraw& draw) const {
  for (const Joint& j : tree_) {
    if (j.parent < 0) continue;
    draw.line(e.position(tree_[static_cast<std::size_t>(j.parent)].node), e.position(j.node),
              debug_colors::kBone);
  }
  for (const Effector& f : effectors) {
    const Vec3 at = e.position(f.joint), goal = e.position(f.target);
    draw.point(goal, 0.02f, debug_colors::kGoal);
    if (distance(at, goal) > tolerance) draw.line(at, goal, debug_colors::kUnmet);
  }
}

}  // namespace sinew::rig
