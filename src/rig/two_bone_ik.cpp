#include <sinew/rig/math.hpp>
#include <sinew/rig/two_bone_ik.hpp>

#include "limb.hpp"
#include "two_bone_package.hpp"

namespace sinew::rig {

void TwoBoneIk::fields(FieldVisitor& v) {
  v.node("root", root, NodeUse::kDriven);
  v.node("mid", mid, NodeUse::kDriven);
  v.node("tip", tip, NodeUse::kDriven);
  v.node("target", target, NodeUse::kRead);
  v.node("hint", hint, NodeUse::kReadOptional);
  v.value("position_weight", position_weight, 0, 1);
  v.value("rotation_weight", rotation_weight, 0, 1);
  v.value("hint_weight", hint_weight, 0, 1);
  v.flag("maintain_position", maintain_position);
  v.flag("maintain_rotation", maintain_rotation);
  v.number("soft_distance", soft_distance, 0, 10);
}

void TwoBoneIk::bind(BindContext& b) {
  if (!b.require_below(root, mid) || !b.require_below(mid, tip)) return;
  const Transform &a = b.model(root), &m = b.model(mid), &c = b.model(tip), &t = b.model(target);
  if (maintain_position) offset_position_ = c.translation - t.translation;
  if (maintain_rotation) offset_rotation_ = conjugate(t.rotation) * c.rotation;
  const Vec3 ab = m.translation - a.translation, bc = c.translation - m.translation;
  if (!(length(ab) > 1e-7f && length(bc) > 1e-7f)) {
    b.report(Severity::kWarning, "rig.zero_length", "a bone has no length: nothing will bend");
    return;
  }
  const Vec3 axis = cross(ab, bc);
  bind_axis_ = length(axis) > 1e-4f * length(ab) * length(bc)
                   ? rotate(conjugate(a.rotation), normalize_or(axis, {}))
                   : Vec3{};
}

Vec3 TwoBoneIk::fallback_axis(RigEval& e) const { return rotate(e.rotation(root), bind_axis_); }

WideTwoBoneGoal TwoBoneIk::goal(RigEval& e) const {
  const float w = e.weight();
  WideTwoBoneGoal goal;
  goal.target = e.wide_position(target) + to_wide(offset_position_);
  goal.target_rotation = e.wide_rotation(target);
  if (maintain_rotation) {
    goal.target_rotation = quat_product(goal.target_rotation, to_wide(offset_rotation_));
  }
  goal.position_weight = e.value(position_weight) * w;
  goal.rotation_weight = e.value(rotation_weight) * w;
  goal.hint = Float4(0.0f);
  if (hint.given()) {
    goal.hint = e.wide_position(hint);
    goal.hint_weight = e.value(hint_weight) * w;
  }
  goal.fallback_axis = quat_rotate(e.wide_rotation(root), to_wide(bind_axis_));
  goal.soft_distance = soft_distance;
  return goal;
}

RigStatus TwoBoneIk::evaluate(RigEval& e) const {
  const WideTwoBoneChain chain = read_limb(e, root, mid, tip);
  const WideTwoBoneResult result =
      e.compat() ? solve_two_bone_package(chain, goal(e)) : solve_two_bone(chain, goal(e));
  if (result.status != IkStatus::kDegenerate) write_limb(e, root, mid, tip, result);
  return to_status(result.status);
}

void TwoBoneIk::draw(RigEval& e, DebugDraw& draw) const {
  const Vec3 a = e.position(root), b = e.position(mid), c = e.position(tip);
  const Vec3 goal = goal_position(e);
  draw.line(a, b, debug_colors::kBone);
  draw.line(b, c, debug_colors::kBone);
  draw.point(goal, 0.02f, debug_colors::kGoal);
  if (distance(c, goal) > 1e-3f) draw.line(c, goal, debug_colors::kUnmet);
  if (hint.given()) {
    draw.point(e.position(hint), 0.02f, debug_colors::kHelper);
    draw.line(b, e.position(hint), debug_colors::kHelper);
  }
}

}  // namespace sinew::rig
