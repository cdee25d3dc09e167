#include <sinew/math/smooth.hpp>
#include <sinew/rig/look_at_chain.hpp>
#include <sinew/rig/math.hpp>

namespace sinew::rig {
namespace {

// Yaw about `up` and pitch above the horizon of a direction, model space (+Y up).
struct Heading {
  float yaw, pitch;
};
Heading heading_of(Vec3 d) { return {atan2(d.x, d.z), atan2(d.y, sqrt(d.x * d.x + d.z * d.z))}; }

Quat facing(Heading h) {
  // Positive pitch looks up: a turn about -X.
  return from_axis_angle(kAxisY, h.yaw) * from_axis_angle(kAxisX, -h.pitch);
}

}  // namespace

void LookAtChain::fields(FieldVisitor& v) {
  v.list("joints", joints, 16);
  v.node("target", target, NodeUse::kRead);
  v.axis("aim_axis", aim_axis);
  v.value("max_yaw", max_yaw, 0, 180);
  v.value("max_pitch", max_pitch, 0, 90);
  v.value("half_life", half_life, 0, 10);
}

void LookAtChain::bind(BindContext& b) {
  if (joints.empty()) {
    b.report(Severity::kError, "rig.out_of_range", "a look-at chain needs at least one joint");
  }
  for (std::size_t i = 1; i < joints.size(); ++i) {
    b.require_below(joints[i - 1].joint, joints[i].joint);
  }
}

RigStatus LookAtChain::evaluate(RigEval& e) const {
  State& s = e.state<State>();
  if (e.weight() <= 0.0f) {
    s = {};
    return RigStatus::kIdle;
  }
  const int last = joints.back().joint;
  const Vec3 aim = direction(aim_axis);
  const Vec3 eyes = e.position(last);
  const Vec3 wanted = e.position(target) - eyes;
  if (!(length_squared(wanted) > 1e-8f) || !is_finite(wanted)) return RigStatus::kDegenerate;
  const Heading now = heading_of(rotate(e.rotation(last), aim));
  const Heading there = heading_of(wanted);
  const float yaw_limit = e.value(max_yaw) * kDegToRad;
  const float pitch_limit = e.value(max_pitch) * kDegToRad;
  const float yaw = clamp(wrap_angle(there.yaw - now.yaw), -yaw_limit, yaw_limit);
  const float pitch = clamp(there.pitch - now.pitch, -pitch_limit, pitch_limit);
  const float half = e.value(half_life);
  if (half <= 0.0f || !s.started) {
    s = {yaw, 0, pitch, 0, 1};
  } else {
    const Spring y = spring({s.yaw, s.yaw_speed}, yaw, half, e.dt());
    const Spring p = spring({s.pitch, s.pitch_speed}, pitch, half, e.dt());
    s = {y.x, y.v, p.x, p.v, 1};
  }
  const Quat whole = facing({now.yaw + s.yaw, now.pitch + s.pitch}) * conjugate(facing(now));
  Quat goal = qlerp(Quat{}, whole, e.weight());

  // Each joint takes its share of what is still to be turned, about the axis of the whole turn.
  float shares = 0;
  for (const Link& link : joints) shares += link.share;
  Quat done;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Link& link = joints[i];
    if (i + 1 == joints.size() && i > 0) {
      // The joints before have moved the eyes.
      const Quat moved = from_to(wanted, e.position(target) - e.position(last));
      goal = qlerp(Quat{}, moved, e.weight()) * goal;
    }
    Vec3 rest = to_rotation_vector(goal * conjugate(done));
    const bool is_last = i + 1 == joints.size();
    const float share = is_last ? 1.0f : shares > 0.0f ? link.share / shares : 0.0f;
    shares -= link.share;
    rest *= share;
    const float angle = length(rest);
    const float limit = link.limit * kDegToRad;
    if (angle > limit) rest *= limit / angle;
    const Quat turn = from_rotation_vector(rest);
    e.set_rotation(link.joint, turn * e.rotation(link.joint));
    done = turn * done;
  }
  const Vec3 sees = rotate(e.rotation(last), aim);
  const float off = angle_between(sees, e.position(target) - e.position(last));
  return e.weight() < 1.0f || off < 0.01f ? RigStatus::kSatisfied : RigStatus::kUnsatisfied;
}

void LookAtChain::draw(RigEval& e, DebugDraw& draw) const {
  const int last = joints.back().joint;
  const Vec3 eyes = e.position(last), there = e.position(target);
  draw.point(there, 0.03f, debug_colors::kGoal);
  draw.line(eyes, there, debug_colors::kGoal);
  draw.line(eyes, eyes + rotate(e.rotation(last), direction(aim_axis)) * distance(eyes, there),
            debug_colors::kBone);
}

}  // namespace sinew::rig
