#include <sinew/math/smooth.hpp>
#include <sinew/rig/math.hpp>
#include <sinew/rig/recoil.hpp>

namespace sinew::rig {
namespace {

// A critically damped spring that starts at 0 with speed v peaks at v / (e y): the speed for a peak
// of 1, per y.
constexpr float kE = 2.71828182845904523536f;

}  // namespace

void Recoil::fields(FieldVisitor& v) {
  v.sources("nodes", nodes, NodeUse::kDriven, 0, 1);
  v.node("frame", frame, NodeUse::kReadOptional);
  v.value("shots", shots, 0, 16000000);
  v.value("pitch", pitch, -90, 90);
  v.value("yaw", yaw, -90, 90);
  v.value("back", back, -1, 1);
  v.value("half_life", half_life, 0.005f, 2);
}

RigStatus Recoil::evaluate(RigEval& e) const {
  State& s = e.state<State>();
  const float counted = e.value(shots);
  if (!s.started || e.weight() <= 0.0f) {
    s = {0, 0, counted, 1};
    return RigStatus::kIdle;
  }
  const float fresh = clamp(counted - s.shots, 0.0f, 4.0f);
  s.shots = counted;
  const float half = e.value(half_life);
  s.speed += fresh * kE * 2.0f * kLn2 / half;
  const Spring next = spring({s.kick, s.speed}, 0, half, e.dt());
  s.kick = next.x;
  s.speed = next.v;
  if (abs(s.kick) < 1e-6f) return RigStatus::kIdle;

  const Quat axes = frame.given() ? e.rotation(frame) : Quat{};
  const float amount = s.kick * e.weight();
  for (const WeightedNode& n : nodes) {
    const float share = amount * e.value(n.weight);
    if (share == 0.0f) continue;
    const Quat turn = from_axis_angle(rotate(axes, kAxisY), e.value(yaw) * kDegToRad * share) *
                      from_axis_angle(rotate(axes, kAxisX), -e.value(pitch) * kDegToRad * share);
    const Transform at = e.model(n.node);
    const Vec3 shift = rotate(axes, kAxisZ) * (-e.value(back) * share);
    if (shift != Vec3{}) e.set_position(n.node, at.translation + shift);
    e.set_rotation(n.node, turn * at.rotation);
  }
  return RigStatus::kSatisfied;
}

}  // namespace sinew::rig
