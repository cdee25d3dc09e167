#include <sinew/math/smooth.hpp>
#include <sinew/rig/height_limited_two_bone_ik.hpp>
#include <sinew/rig/math.hpp>

#include "limb.hpp"

namespace sinew::rig {
namespace {

// x in [0, 2 pi).
float wrap_up(float x) {
  const float w = wrap_angle(x);
  return w < 0.0f ? w + kTwoPi : w;
}
// The representative of `angle` nearest to `reference`.
float near_to(float angle, float reference) { return reference + wrap_angle(angle - reference); }

}  // namespace

SwivelSolution solve_swivel(const SwivelProblem& p) {
  SwivelSolution s;
  // Everything relative to root: far from the origin the digits of a limb are in the differences.
  const Vec3 tip = p.tip - p.root, mid = p.mid - p.root;
  const float arm = length(mid) + length(tip - mid);
  const Vec3 n = normalize_or(tip, {});
  const Vec3 centre = n * dot(mid, n);
  const Vec3 v = mid - centre;
  const float a = dot(v, p.normal), b = dot(cross(n, v), p.normal);
  const float d = p.limit - dot(p.root, p.normal) - dot(centre, p.normal);
  const float radius = sqrt(a * a + b * b);
  const float phi = atan2(b, a);
  const float delta = radius > 0.0f ? acos(d / radius) : 0.0f;
  s.low = phi - delta;
  s.high = phi + delta;
  if (!is_finite(a + b + d + arm)) {
    s.kind = SwivelSolution::Kind::kDegenerate;
    s.satisfied = false;
    s.fade = s.low = s.high = 0;
    return s;
  }
  if (a >= d) return s;
  // A straight arm is not twisted, and nothing jumps on the way there.
  s.fade = arm > 0.0f ? clamp01((radius - 0.001f * arm) / (0.009f * arm)) : 0.0f;
  s.satisfied = s.fade >= 1.0f;
  if (s.fade == 0.0f || n == Vec3{}) {
    s.kind = SwivelSolution::Kind::kDegenerate;
    s.satisfied = false;
    s.fade = 0;
  } else if (d >= radius) {
    s.kind = SwivelSolution::Kind::kApex;
    s.satisfied = s.satisfied && d <= radius * 1.000001f;
    s.low = s.high = phi;
  } else {
    s.kind = SwivelSolution::Kind::kTwo;
  }
  return s;
}

void HeightLimitedTwoBoneIk::fields(FieldVisitor& v) {
  static constexpr const char* kSides[] = {"none", "left", "right"};
  v.node("root", root, NodeUse::kDriven);
  v.node("mid", mid, NodeUse::kDriven);
  v.node("tip", tip, NodeUse::kDriven);
  v.node("target", target, NodeUse::kRead);
  v.node("hint", hint, NodeUse::kReadOptional);
  v.node("pole", pole, NodeUse::kReadOptional);
  v.node("plane", plane, NodeUse::kReadOptional);
  v.value("position_weight", position_weight, 0, 1);
  v.value("rotation_weight", rotation_weight, 0, 1);
  v.value("hint_weight", hint_weight, 0, 1);
  v.value("limit", limit, -kUnbounded, kUnbounded);
  v.value("radius", radius, 0, 10);
  v.constant("plane_normal", plane_normal);
  v.choice_of("side", side, kSides, 3);
  v.flag("maintain_position", maintain_position);
  v.flag("maintain_rotation", maintain_rotation);
  v.number("ease", ease, 0, 10);
}

void HeightLimitedTwoBoneIk::bind(BindContext& b) {
  limb_ = {};
  limb_.root = root;
  limb_.mid = mid;
  limb_.tip = tip;
  limb_.target = target;
  limb_.maintain_position = maintain_position;
  limb_.maintain_rotation = maintain_rotation;
  limb_.bind(b);
  unit_normal_ = normalize_or(plane_normal, {});
  if (unit_normal_ == Vec3{}) {
    b.report(Severity::kError, "rig.zero_length", "plane_normal has no direction");
  }
}

HeightLimitedTwoBoneIk::Plane HeightLimitedTwoBoneIk::plane_in_model(RigEval& e) const {
  const float height = e.value(limit) + e.value(radius);
  if (plane.given()) {
    const Transform& at = e.model(plane);
    const Vec3 normal = normalize_or(rotate(at.rotation, kAxisY), kAxisY);
    return {normal, dot(normal, at.translation) + height};
  }
  const Transform& root_at = e.root_to_world();
  const float scale = root_at.scale.x != 0.0f ? root_at.scale.x : 1.0f;
  return {e.direction_to_model(unit_normal_),
          (height - dot(unit_normal_, root_at.translation)) / scale};
}

WideTwoBoneGoal HeightLimitedTwoBoneIk::goal_above(RigEval& e, const WideTwoBoneChain& chain,
                                                   const Plane& on) const {
  const auto raise = [&](Vec3 p) {
    return p + on.normal * max(on.limit - dot(on.normal, p), 0.0f);
  };
  const float w = e.weight();
  WideTwoBoneGoal goal;
  const Vec3 hand = to_vec3(chain.tip);
  // Raised again after the position weight has drawn it back toward the animated hand.
  const Vec3 wanted = raise(lerp(hand, raise(limb_.goal_position(e)), e.value(position_weight)));
  goal.target = to_wide(lerp(hand, wanted, w));
  goal.target_rotation = to_wide(limb_.goal_rotation(e));
  goal.rotation_weight = e.value(rotation_weight) * w;
  goal.hint = Float4(0.0f);
  if (hint.given()) {
    goal.hint = e.wide_position(hint);
    goal.hint_weight = e.value(hint_weight) * w;
  }
  goal.fallback_axis = to_wide(limb_.fallback_axis(e));
  return goal;
}

// Sets state.swivel and the branch where the limit takes hold.
void HeightLimitedTwoBoneIk::choose_side(const SwivelSolution& s, const SwivelProblem& p,
                                         State& state, RigEval& e) const {
  const float up = wrap_up(s.low);       // the first boundary met in the positive sense
  const float down = -wrap_up(-s.high);  // and in the negative
  const float low = wrap_angle(s.low), high = wrap_angle(s.high);
  if (pole.given()) {
    const Vec3 n = normalize_or(p.tip - p.root, kAxisX);
    const Vec3 at = e.position(pole) - p.root;
    const auto far = [&](float angle) {
      return distance(rotate(from_axis_angle(n, angle), p.mid - p.root), at);
    };
    state.high = far(high) < far(low) ? 1 : 0;
    state.swivel = state.high ? high : low;
  } else if (side == Side::kNone) {
    state.high = abs(high) < abs(low) || (s.low == s.high && s.low < 0.0f) ? 1 : 0;
    state.swivel = state.high ? high : low;
  } else {
    const bool positive = side == Side::kLeft ? up <= kPi : down < -kPi;
    state.high = positive ? 0 : 1;
    state.swivel = positive ? up : down;
  }
}

// The angle to turn by: the swivel times the weight, with what is left of the last jump. At full
// weight the way from one side to the other leads along the arc above the plane, unless that is
// most of the circle: then the short way below is the smaller evil.
float HeightLimitedTwoBoneIk::settle(const SwivelSolution& s, bool was_engaged, State& state,
                                     const RigEval& e) const {
  constexpr float kNoJump = 0.02f;  // radians; less is the elbow's own motion
  constexpr float kLongArc = 1.5f * kPi;
  const float goal = state.swivel * s.fade * e.weight();
  const bool has_arc = e.weight() >= 0.999f && s.fade >= 1.0f && s.low < s.high;
  // The arc, turned by whole turns so that the goal is on it.
  const float half = 0.5f * (s.high - s.low);
  const float middle = near_to(0.5f * (s.low + s.high), goal);
  if (!state.started) {
    state.offset = state.velocity = 0;
  } else if (was_engaged != (state.engaged != 0)) {
    const float jump = wrap_angle(state.applied - goal);
    state.along_arc = has_arc && 2.0f * half <= kLongArc ? 1 : 0;
    state.offset = abs(jump) < kNoJump ? 0.0f
                   : state.along_arc   ? near_to(state.applied, middle) - goal
                                       : jump;
    state.velocity = 0;
  }
  const Spring left = spring({state.offset, state.velocity}, 0, ease, e.dt());
  state.offset = left.x;
  state.velocity = left.v;
  float angle = goal + state.offset;
  if (has_arc && state.along_arc) angle = clamp(angle, middle - half, middle + half);
  state.started = 1;
  state.applied = angle;
  return angle;
}

RigStatus HeightLimitedTwoBoneIk::evaluate(RigEval& e) const {
  State& state = e.state<State>();
  if (e.weight() <= 0.0f) {
    state = {};
    return RigStatus::kIdle;
  }
  const WideTwoBoneChain chain = read_limb(e, root, mid, tip);
  const Plane on = plane_in_model(e);
  if (!is_finite(on.limit)) return RigStatus::kDegenerate;
  const WideTwoBoneResult bent = solve_two_bone(chain, goal_above(e, chain, on));
  if (bent.status == IkStatus::kDegenerate) return RigStatus::kDegenerate;
  write_limb(e, root, mid, tip, bent);

  const SwivelProblem problem{e.position(root), e.position(mid), e.position(tip), on.normal,
                              on.limit};
  const SwivelSolution s = solve_swivel(problem);
  const bool was_engaged = state.engaged != 0;
  if (s.kind == SwivelSolution::Kind::kFree) {
    state.engaged = 0;
    state.swivel = 0;
  } else if (!was_engaged) {
    state.engaged = 1;
    choose_side(s, problem, state, e);
  } else if (s.kind != SwivelSolution::Kind::kDegenerate) {
    state.swivel = near_to(state.high ? s.high : s.low, state.swivel);
  }
  const float angle = settle(s, was_engaged, state, e);
  if (angle != 0.0f) {
    const Vec3 n = normalize_or(problem.tip - problem.root, kAxisX);
    e.set_rotation(root, from_axis_angle(n, angle) * to_quat(bent.root_rotation));
    e.set_wide_rotation(tip, bent.tip_rotation);
  }
  const float slack = 1e-5f * (distance(problem.root, problem.mid) + 1e-3f);
  const bool root_below = dot(on.normal, problem.root) < on.limit - e.value(radius) - slack;
  const bool tip_below = dot(on.normal, problem.tip) < on.limit - e.value(radius) - slack;
  const bool dips = e.weight() >= 0.999f && abs(state.offset) > 1e-4f &&
                    dot(on.normal, e.position(mid)) < on.limit - slack;
  if (!s.satisfied || dips) return RigStatus::kUnsatisfied;
  if (root_below || tip_below) return RigStatus::kOutside;
  return to_status(bent.status);
}

void HeightLimitedTwoBoneIk::draw(RigEval& e, DebugDraw& draw) const {
  const Plane on = plane_in_model(e);
  const Vec3 a = e.position(root), b = e.position(mid), c = e.position(tip);
  const DebugColor color =
      dot(on.normal, b) < on.limit - 1e-4f ? debug_colors::kUnmet : debug_colors::kLimit;
  draw.plane(b + on.normal * (on.limit - dot(on.normal, b)), on.normal, distance(a, b), color);
  draw.line(a, b, debug_colors::kBone);
  draw.line(b, c, debug_colors::kBone);
  draw.point(limb_.goal_position(e), 0.02f, debug_colors::kGoal);
}

}  // namespace sinew::rig
