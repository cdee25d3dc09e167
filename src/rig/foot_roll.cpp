#include <sinew/rig/foot_roll.hpp>
#include <sinew/rig/math.hpp>

namespace sinew::rig {

void FootRoll::fields(FieldVisitor& v) {
  v.node("control", control, NodeUse::kRead);
  v.node("ankle", ankle, NodeUse::kDriven);
  v.node("toes", toes, NodeUse::kReadOptional);
  v.constant("heel", heel);
  v.constant("ball", ball);
  v.constant("toe_tip", toe_tip);
  v.constant("inner", inner);
  v.constant("outer", outer);
  v.value("roll", roll, -120, 120);
  v.value("ball_limit", ball_limit, 0, 90);
  v.value("bank", bank, -60, 60);
}

void FootRoll::bind(BindContext& b) { ankle_offset_ = relative(b.model(control), b.model(ankle)); }

RigStatus FootRoll::evaluate(RigEval& e) const {
  const Transform ground = rigid(e.model(control));
  const float angle = e.value(roll) * kDegToRad, limit = e.value(ball_limit) * kDegToRad;
  const float lean = e.value(bank) * kDegToRad;
  // A turn about a pivot, in the control's space.
  const auto about = [](Vec3 pivot, Vec3 axis, float by) {
    const Quat turn = from_axis_angle(axis, by);
    return Transform{pivot - rotate(turn, pivot), turn, {1, 1, 1}};
  };
  const float at_heel = min(angle, 0.0f), at_ball = clamp(angle, 0.0f, limit);
  const float at_tip = max(angle - limit, 0.0f);
  // Leaning onto +X is a turn about -Z; the outer pivots stay down.
  const Transform banked = about(lean > 0.0f ? outer : inner, kAxisZ, -lean);
  const Transform sole =
      compose(compose(banked, about(heel, kAxisX, at_heel)), about(toe_tip, kAxisX, at_tip));
  const Transform foot = compose(sole, about(ball, kAxisX, at_ball));
  const Transform goal = compose(ground, compose(foot, ankle_offset_));
  const Transform current = e.model(ankle);
  const float w = e.weight();
  e.set_model(ankle, lerp(current.translation, goal.translation, w),
              qlerp(current.rotation, goal.rotation, w));
  if (toes.given()) {
    // The toes stay on the ground while the foot turns about the ball.
    const Quat lie = e.rotation(toes);
    const Quat back =
        ground.rotation * from_axis_angle(kAxisX, -at_ball) * conjugate(ground.rotation);
    e.set_rotation(toes, qlerp(lie, back * lie, w));
  }
  return RigStatus::kSatisfied;
}

}  // namespace sinew::rig
