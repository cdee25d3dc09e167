// A constraint that this program brings along: an arm that reaches for its target without going
// through a desk. Walk-through: docs/own-constraint.md.
#pragma once

#include <sinew/math/smooth.hpp>
#include <sinew/pose/two_bone.hpp>
#include <sinew/rig/constraint.hpp>
#include <sinew/rig/math.hpp>

namespace desk {

namespace sw = sinew;
namespace rig = sinew::rig;

struct DeskArm {
  static constexpr const char* kName = "desk_arm";  // "type" in rig files
  static constexpr const char* kSummary = "An arm whose wrist and elbow stay above a table top";
  static constexpr bool kRunsIdle = true;  // called at weight 0 too, to forget

  // ---- data: what a file may say --------------------------------------------------------------
  rig::NodeRef root, mid, tip;  // shoulder, elbow and wrist
  rig::NodeRef target;          // where the wrist wants to be
  rig::NodeRef table;           // its position and +Y axis are the table top
  rig::Value flesh{0.03f};      // metres between the bones and the skin that touches the wood
  bool left = true;             // which arm: the elbow leaves outward
  float half_life = 0.06f;      // seconds, of a change of side

  void fields(rig::FieldVisitor& v) {
    v.node("root", root, rig::NodeUse::kDriven);
    v.node("mid", mid, rig::NodeUse::kDriven);
    v.node("tip", tip, rig::NodeUse::kDriven);
    v.node("target", target, rig::NodeUse::kRead);
    v.node("table", table, rig::NodeUse::kRead);
    v.value("flesh", flesh, 0, 1);
    v.flag("left", left);
    v.number("half_life", half_life, 0.001f, 1);
  }

  // ---- bind: once per skeleton ----------------------------------------------------------------
  void bind(rig::BindContext& b) {
    b.require_below(root, mid);
    b.require_below(mid, tip);
    const float upper = sw::distance(b.model(root).translation, b.model(mid).translation);
    const float lower = sw::distance(b.model(mid).translation, b.model(tip).translation);
    if (!(upper > 1e-4f && lower > 1e-4f)) {
      b.report(sw::Severity::kError, "desk_arm.no_length", "a bone of the arm has no length");
    }
  }

  // ---- state: plain bytes per character, zero at first ------------------------------------------
  struct State {
    float applied;      // what the shoulder was turned by, radians
    float left_over;    // of the last change of side
    std::uint8_t held;  // the table holds the elbow up
    std::uint8_t high;  // on which of the two points
  };

  // ---- evaluate: every update -------------------------------------------------------------------
  sw::RigStatus evaluate(rig::RigEval& e) const {
    State& state = e.state<State>();
    if (e.weight() <= 0) {
      state = {};
      return sw::RigStatus::kIdle;
    }
    const Plane top = table_top(e);

    // 1. The goal is raised onto the table. 2. Two-bone IK.
    const sw::TwoBoneChain arm{e.position(root), e.position(mid), e.position(tip),
                               e.rotation(root), e.rotation(mid), e.rotation(tip)};
    sw::TwoBoneGoal goal;
    goal.target = sw::lerp(arm.tip, top.raise(e.position(target)), e.weight());
    const sw::TwoBoneResult bent = sw::solve_two_bone(arm, goal);
    if (bent.status == sw::IkStatus::kDegenerate) return sw::RigStatus::kDegenerate;
    e.set_rotation(root, bent.root_rotation);
    e.set_rotation(mid, bent.mid_rotation);
    e.set_rotation(tip, bent.tip_rotation);

    // 3. The elbow turns about the line from shoulder to wrist until it is above the table.
    const Circle circle = elbow_circle(e, top);
    const bool was_held = state.held != 0;
    float wanted = 0;
    state.held = circle.height < circle.needed ? 1 : 0;
    if (state.held) {
      if (!was_held) state.high = choose_side(circle);
      wanted = state.high ? circle.high : circle.low;
    }
    // A change of side is no jump: what is left of it goes down over the next ticks, along the arc
    // above the table.
    if (was_held != (state.held != 0)) state.left_over = circle.nearest(state.applied) - wanted;
    state.left_over = sw::smooth(state.left_over, 0.0f, half_life, e.dt());
    const float angle = state.applied = circle.nearest(wanted + state.left_over);
    const sw::Quat turn = sw::from_axis_angle(circle.axis, angle * e.weight());
    e.set_rotation(root, turn * bent.root_rotation);
    e.set_rotation(tip, bent.tip_rotation);  // the hand lies as before

    if (!circle.reachable) return sw::RigStatus::kUnsatisfied;
    return bent.status == sw::IkStatus::kOutOfReach ? sw::RigStatus::kOutOfReach
                                                    : sw::RigStatus::kSatisfied;
  }

  // ---- draw: for pictures -----------------------------------------------------------------------
  void draw(rig::RigEval& e, sw::DebugDraw& draw) const {
    const Plane top = table_top(e);
    const sw::Vec3 shoulder = e.position(root), elbow = e.position(mid), wrist = e.position(tip);
    draw.line(shoulder, elbow, sw::debug_colors::kBone);
    draw.line(elbow, wrist, sw::debug_colors::kBone);
    draw.point(e.position(target), 0.02f, sw::debug_colors::kGoal);
    draw.plane(top.raise(wrist), top.normal, 0.2f, sw::debug_colors::kLimit);
  }

 private:
  struct Plane {
    sw::Vec3 normal;
    float offset;  // points of it have dot(normal, p) = offset
    sw::Vec3 raise(sw::Vec3 p) const {
      return p + normal * sw::max(offset - sw::dot(normal, p), 0);
    }
  };
  Plane table_top(rig::RigEval& e) const {
    const sw::Vec3 normal = sw::rotate(e.rotation(table), sw::kAxisY);
    return {normal, sw::dot(normal, e.position(table)) + e.value(flesh)};
  }

  // All places of an elbow between a given shoulder and wrist lie on a circle. Turning by x from
  // where it is, its height over the circle's centre is R cos(x - phi).
  struct Circle {
    sw::Vec3 axis;            // unit, shoulder to wrist
    float height = 0;         // of the elbow over the centre, now
    float needed = 0;         // of the table
    float low = 0, high = 0;  // where the circle meets the table; the arc between is above it
    bool reachable = true;
    // The angle of the arc nearest to x; x itself, less whole turns, where the table holds nothing.
    float nearest(float x) const {
      if (height >= needed) return sw::wrap_angle(x);
      const float middle = 0.5f * (low + high);
      return sw::clamp(middle + sw::wrap_angle(x - middle), low, high);
    }
  };
  Circle elbow_circle(rig::RigEval& e, const Plane& top) const {
    const sw::Vec3 shoulder = e.position(root), elbow = e.position(mid);
    Circle c;
    c.axis = sw::normalize_or(e.position(tip) - shoulder, sw::kAxisX);
    const sw::Vec3 centre = shoulder + c.axis * sw::dot(elbow - shoulder, c.axis);
    const sw::Vec3 out = elbow - centre;
    const float across = sw::dot(sw::cross(c.axis, out), top.normal);
    c.height = sw::dot(out, top.normal);
    c.needed = top.offset - sw::dot(centre, top.normal);
    const float radius = sw::sqrt(c.height * c.height + across * across);
    if (radius < 1e-3f * sw::distance(shoulder, elbow)) {
      c.reachable = c.height >= c.needed;  // a straight arm: nothing to turn
      c.height = c.needed;
      return c;
    }
    const float phi = sw::atan2(across, c.height);  // where the circle is highest
    const float share = c.needed / radius;
    c.reachable = share <= 1;
    const float half = share < 1 ? sw::acos(share) : 0;
    c.low = phi - half;
    c.high = phi + half;
    return c;
  }
  // A left arm's elbow leaves in the positive sense, so that it meets the low end of the arc first;
  // unless that is the longer way by far.
  std::uint8_t choose_side(const Circle& c) const {
    const float up = positive(c.low), down = positive(-c.high);
    return (left ? up <= sw::kPi : down > sw::kPi) ? 0 : 1;
  }
  static float positive(float angle) {
    const float wrapped = sw::wrap_angle(angle);
    return wrapped < 0 ? wrapped + sw::kTwoPi : wrapped;
  }
};

}  // namespace desk
