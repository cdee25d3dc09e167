#include <array>

#include <sinew/rig/chain_ik.hpp>
#include <sinew/rig/math.hpp>

namespace sinew::rig {
namespace {

constexpr int kPreBentPasses = 50;

Vec3 toward(Vec3 from, Vec3 to) { return normalize_or(to - from, {}); }

}  // namespace

void ChainIk::fields(FieldVisitor& v) {
  v.node("root", root, NodeUse::kDriven);
  v.node("tip", tip, NodeUse::kDriven);
  v.node("target", target, NodeUse::kRead);
  v.value("chain_weight", chain_weight, 0, 1);
  v.value("tip_weight", tip_weight, 0, 1);
  v.integer("iterations", iterations, 1, 50);
  v.number("tolerance", tolerance, 0, 0.01f);
  v.flag("maintain_position", maintain_position);
  v.flag("maintain_rotation", maintain_rotation);
}

void ChainIk::bind(BindContext& b) {
  joints_ = b.path(root, tip, 3, kMaxChain);
  if (joints_.empty()) return;
  lengths_.clear();
  reach_ = 0;
  const Transform& first = b.model(root);
  Vec3 normal;
  for (std::size_t i = 0; i + 1 < joints_.size(); ++i) {
    const Vec3 here = b.model(joints_[i]).translation, next = b.model(joints_[i + 1]).translation;
    lengths_.push_back(distance(here, next));
    reach_ += lengths_.back();
    normal += cross(here - first.translation, next - first.translation);
  }
  if (!(reach_ > 1e-6f)) {
    b.report(Severity::kError, "rig.zero_length", "the chain has no length");
  }
  const Transform& last = b.model(tip);
  const Vec3 along = last.translation - first.translation;
  if (length(normal) > 1e-4f * square(reach_)) {
    bend_direction_ = rotate(conjugate(first.rotation), normalize_or(cross(normal, along), {}));
  }
  const Transform& goal = b.model(target);
  if (maintain_position) offset_position_ = last.translation - goal.translation;
  if (maintain_rotation) offset_rotation_ = conjugate(goal.rotation) * last.rotation;
}

// A straight chain cannot be bent by moves along its own line: its inner joints are moved aside by
// an arch first. True if that was needed.
bool ChainIk::pre_bend(RigEval& e, Vec3* points, Vec3 goal) const {
  const std::size_t count = joints_.size();
  const float d = distance(goal, points[0]);
  if (!(d < reach_ - tolerance)) return false;
  const Vec3 along = toward(points[0], points[count - 1]);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const Vec3 link = toward(points[i], points[i + 1]);
    if (length_squared(cross(along, link)) > square(1e-4f) || dot(along, link) < 0.0f) return false;
  }
  Vec3 side = reject(rotate(e.rotation(root), bend_direction_), along);
  side = length_squared(side) > 1e-8f ? normalize_or(side, kAxisX) : least_aligned_axis(along);
  const float height = 0.5f * sqrt(max(square(reach_) - square(d), 0.0f));
  float at = 0;
  for (std::size_t i = 1; i + 1 < count; ++i) {
    at += lengths_[i - 1];
    points[i] += side * (count == 3 ? height : height * sin(kPi * at / reach_));
  }
  return true;
}

RigStatus ChainIk::solve(RigEval& e, Vec3* points, Vec3 goal) const {
  const std::size_t last = joints_.size() - 1;
  const Vec3 start = points[0];
  if (length_squared(goal - start) > square(reach_)) {
    const Vec3 way = toward(start, goal);
    for (std::size_t i = 1; i <= last; ++i) points[i] = points[i - 1] + way * lengths_[i - 1];
    return RigStatus::kOutOfReach;
  }
  const float enough = square(tolerance);
  if (!(length_squared(points[last] - goal) > enough)) return RigStatus::kSatisfied;
  const bool bent = !e.compat() && pre_bend(e, points, goal);
  const int passes = bent ? kPreBentPasses : iterations;
  for (int pass = 0; pass < passes; ++pass) {
    points[last] = goal;
    for (std::size_t i = last; i-- > 0;) {
      points[i] = points[i + 1] + toward(points[i + 1], points[i]) * lengths_[i];
    }
    points[0] = start;
    for (std::size_t i = 1; i <= last; ++i) {
      points[i] = points[i - 1] + toward(points[i - 1], points[i]) * lengths_[i - 1];
    }
    if (length_squared(points[last] - goal) <= enough) return RigStatus::kSatisfied;
  }
  return RigStatus::kUnsatisfied;
}

RigStatus ChainIk::evaluate(RigEval& e) const {
  const Vec3 goal = e.position(target) + offset_position_;
  const Quat goal_rotation = e.rotation(target) * offset_rotation_;
  if (!is_finite(goal)) return RigStatus::kDegenerate;
  std::array<Vec3, kMaxChain> points;
  const std::size_t count = joints_.size();
  for (std::size_t i = 0; i < count; ++i) points[i] = e.position(joints_[i]);
  const RigStatus status = solve(e, points.data(), goal);

  const float w = e.value(chain_weight) * e.weight();
  for (std::size_t i = 0; i + 1 < count && w > 0.0f; ++i) {
    const Vec3 now = e.position(joints_[i + 1]) - e.position(joints_[i]);
    const Quat own = e.rotation(joints_[i]);
    const Quat turn = from_to(now, points[i + 1] - points[i]);
    e.set_rotation(joints_[i], qlerp(own, turn * own, w));
  }
  const float tip_share = e.value(tip_weight) * e.weight();
  if (tip_share > 0.0f) {
    e.set_rotation(tip, qlerp(e.rotation(tip), goal_rotation, tip_share));
  }
  return status;
}

void ChainIk::draw(RigEval& e, DebugDraw& draw) const {
  for (std::size_t i = 0; i + 1 < joints_.size(); ++i) {
    draw.line(e.position(joints_[i]), e.position(joints_[i + 1]), debug_colors::kBone);
  }
  const Vec3 goal = e.position(target) + offset_position_;
  draw.point(goal, 0.02f, debug_colors::kGoal);
  if (distance(goal, e.position(tip)) > max(tolerance, 1e-3f)) {
    draw.line(e.position(tip), goal, debug_colors::kUnmet);
  }
}

}  // namespace sinew::rig
