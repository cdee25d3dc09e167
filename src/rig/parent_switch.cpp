#include <sinew/math/smooth.hpp>
#include <sinew/rig/math.hpp>
#include <sinew/rig/parent_switch.hpp>

namespace sinew::rig {

void ParentSwitch::fields(FieldVisitor& v) {
  v.node("driven", driven, NodeUse::kDriven);
  v.nodes("parents", parents, NodeUse::kRead, 1, 8);
  v.nodes("places", places, NodeUse::kRead, 0, 8);
  v.value("active", active, 0, 7);
  v.value("half_life", half_life, 0, 10);
}

void ParentSwitch::bind(BindContext& b) {
  if (!places.empty() && places.size() != parents.size()) {
    b.report(Severity::kError, "rig.out_of_range", "places must be one for each parent, or none");
    return;
  }
  bind_.clear();
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const int place = places.empty() ? int(driven) : int(places[i]);
    bind_.push_back(relative(b.model(parents[i]), b.model(place)));
    if (int(parents[i]) == int(driven) || b.is_above(driven, parents[i])) {
      b.report(Severity::kError, "rig.not_below",
               "'" + b.name(parents[i]) + "' lies below what it is to carry");
    }
  }
}

RigStatus ParentSwitch::evaluate(RigEval& e) const {
  State& s = e.state<State>();
  if (e.weight() <= 0.0f) {
    s = {};
    return RigStatus::kIdle;
  }
  const int most = static_cast<int>(parents.size()) - 1;
  const int rounded = static_cast<int>(e.value(active) + 0.5f);
  const int wanted = rounded > most ? most : rounded;
  const auto i = static_cast<std::size_t>(wanted);
  const Transform parent = rigid(e.model(parents[i]));
  if (s.active == 0) {
    s.position = bind_[i].translation;
    s.rotation = bind_[i].rotation;
  } else if (s.active != wanted + 1) {
    // Where it was shown last, seen from the new parent. The parent is where it is now, so that a
    // fast one does not drag the node along by one tick.
    const Transform kept = relative(parent, {s.last_position, s.last_rotation, {1, 1, 1}});
    s.position = kept.translation;
    s.rotation = kept.rotation;
  }
  s.active = wanted + 1;
  const float half = e.value(half_life);
  if (half > 0.0f) {
    s.position = smooth(s.position, bind_[i].translation, half, e.dt());
    s.rotation = smooth(s.rotation, bind_[i].rotation, half, e.dt());
  }
  const Transform goal = compose(parent, {s.position, s.rotation, {1, 1, 1}});
  if (!is_finite(goal)) {
    s = {};
    return RigStatus::kDegenerate;
  }
  s.last_position = goal.translation;
  s.last_rotation = goal.rotation;
  const Transform current = e.model(driven);
  e.set_model(driven, lerp(current.translation, goal.translation, e.weight()),
              qlerp(current.rotation, goal.rotation, e.weight()));
  return RigStatus::kSatisfied;
}

}  // namespace sinew::rig
