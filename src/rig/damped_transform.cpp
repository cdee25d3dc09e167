#include <sinew/rig/damped_transform.hpp>
#include <sinew/rig/math.hpp>

namespace sinew::rig {
namespace {

// Both from the package: the step is not quite 1/60 s.
constexpr float kStep = 0.01667f;
constexpr float kRate = 40.0f;
// Longer pauses than this are not worth the steps: everything has arrived or never will.
constexpr float kLongest = 5.0f;

}  // namespace

void DampedTransform::fields(FieldVisitor& v) {
  v.node("driven", driven, NodeUse::kDriven);
  v.node("source", source, NodeUse::kRead);
  v.value("damp_position", damp_position, 0, 1);
  v.value("damp_rotation", damp_rotation, 0, 1);
  v.flag("maintain_aim", maintain_aim);
  v.flag("exact", exact);
}

void DampedTransform::bind(BindContext& b) {
  bind_ = rigid(b.model(driven));
  offset_ = relative(b.model(source), b.model(driven));
  const Vec3 way = b.model(source).translation - b.model(driven).translation;
  aim_ = maintain_aim ? rotate(conjugate(b.model(driven).rotation), normalize_or(way, {})) : Vec3{};
}

void DampedTransform::advance(State& s, const Transform& target, Vec3 to, float dt, float kp,
                              float kr) const {
  const auto step = [&](float fp, float fr) {
    s.position += (target.translation - s.position) * fp;
    s.rotation = normalize(s.rotation * qlerp(Quat{}, conjugate(s.rotation) * target.rotation, fr));
    if (aim_ != Vec3{}) {
      s.rotation = normalize(from_to(rotate(s.rotation, aim_), to - s.position) * s.rotation);
    }
  };
  if (exact) {
    // 1 - (1 - k 40 h)^(dt / h): what whole steps leave, at any dt.
    const auto share = [&](float k) {
      const float left = 1.0f - k * kRate * kStep;
      return left <= 0.0f ? 1.0f : 1.0f - pow(left, dt / kStep);
    };
    step(share(kp), share(kr));
    return;
  }
  float rest = min(dt, kLongest);
  while (rest > 0.0f) {
    const float f = kRate * min(kStep, rest);
    step(kp * f, kr * f);
    rest -= kStep;
  }
}

RigStatus DampedTransform::evaluate(RigEval& e) const {
  State& s = e.state<State>();
  const Transform incoming = e.to_world(e.model(driven));
  if (!s.started) {
    // The first delay counts from the bind pose, at the place where the character stands.
    const Transform at_bind = e.to_world(bind_);
    s.position = at_bind.translation;
    s.rotation = at_bind.rotation;
    s.started = 1;
  }
  const float w = e.weight();
  if (w <= 0.0f || e.dt() <= 0.0f) {
    s.position = incoming.translation;
    s.rotation = incoming.rotation;
    return RigStatus::kIdle;
  }
  const Transform at = e.to_world(e.model(source));
  Transform target = compose(at, offset_);
  target.translation = lerp(incoming.translation, target.translation, w);
  target.rotation = qlerp(incoming.rotation, target.rotation, w);
  if (!is_finite(target) || !is_finite(s.position) || !is_finite(s.rotation)) {
    s = {};
    return RigStatus::kDegenerate;
  }
  advance(s, target, at.translation, e.dt(), square(1.0f - e.value(damp_position)),
          square(1.0f - e.value(damp_rotation)));
  const Transform out = e.to_model({s.position, s.rotation, {1, 1, 1}});
  e.set_model(driven, out.translation, out.rotation);
  return RigStatus::kSatisfied;
}

}  // namespace sinew::rig
