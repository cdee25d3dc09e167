// Transitions with match_phase: the target starts at the phase of the source, by sync markers, and
// the lighter of the two follows the heavier one until the end.
#include <cmath>

#include <sinew/math/scalar.hpp>

#include "layer_run.hpp"
#include "sync_phase.hpp"

namespace sinew::graph_detail {

// By the motion that leads the state, else its heaviest one. None for a state that takes its time
// from a parameter, and for motions that run backwards in their tree.
PhaseRef LayerRun::phase_ref(const LiveSide& side) {
  PhaseRef ref;
  if (side.live.state < 0 || c_.state_def(side.live.state).time_parameter >= 0) return ref;
  const std::span<const MotionLeaf> leaves = leaves_of(c_, layer_, side.motion);
  const MotionLeaf* best = nullptr;
  for (const MotionLeaf& leaf : leaves) {
    const bool marked = c_.motions.motions[static_cast<std::size_t>(leaf.motion)].marker_count > 0;
    if (marked && !leaf.reversed && (best == nullptr || leaf.weight > best->weight)) best = &leaf;
  }
  if (side.motion.leader >= 0) best = &leaves[static_cast<std::size_t>(side.motion.leader)];
  if (best == nullptr) return ref;
  ref.motion = best->motion;
  ref.mirror = best->mirror != state_mirror(c_, c_.state_def(side.live.state)) ? 1 : 0;
  ref.offset = best->offset;
  return ref;
}

double LayerRun::phase_time(const PhaseRef& ref, const LiveState& live) const {
  const StateDef& state = c_.state_def(live.state);
  return state_sample_time(c_, state, live.now.value(), 0) + ref.offset;
}

double LayerRun::state_time(const PhaseRef& ref, const LiveState& live, double time) const {
  const StateDef& state = c_.state_def(live.state);
  return time - ref.offset - state_sample_time(c_, state, 0, 0);
}

void LayerRun::start_in_phase(Start& begin, PhaseRef& from, PhaseRef& to) {
  // In a transition the heavier side is what one sees.
  const bool use_next = in_transition() && weight() >= 0.5;
  const LiveSide source = use_next ? LiveSide{s_.next, scratch_.next.motion}
                                   : LiveSide{s_.current, scratch_.current.motion};
  from = phase_ref(source);
  LiveState target;
  target.state = begin.target;
  const std::uint32_t kept = scratch_.leaf_count;
  to = phase_ref({target, evaluate_motion(c_, layer_, begin.target)});
  scratch_.leaf_count = kept;
  if (from.motion >= 0 && to.motion >= 0) {
    const PhaseMap map(c_.motions, from.motion, from.mirror != 0, to.motion, to.mirror != 0);
    if (map.matched()) {
      const double n = state_time(to, target, map.forward(phase_time(from, source.live)));
      if (is_finite(n)) begin.offset = n - std::floor(n);
      return;
    }
  }
  from = to = PhaseRef{};
}

// The follower's time in this update goes to `mapped`, or whole loops away from it, whichever is
// nearest to where it would be by itself.
void LayerRun::follow_phase(const LiveState& lead, LiveState& live, double mapped) {
  constexpr double kRounding = 1e-9;
  if (!is_finite(mapped) || !lead.moved) return;
  const double goal = mapped + std::round(live.now.value() - mapped);
  double delta = goal - live.before.value();
  if (std::abs(delta) < kRounding) delta = 0;
  live.delta = delta;
  live.now = live.before;
  live.now.advance(delta);
}

void LayerRun::keep_in_phase() {
  RunningTransition& transition = s_.transition;
  // A state that is kept in step itself may have a new leader.
  if (scratch_.current.motion.leader >= 0) {
    transition.from = phase_ref({s_.current, scratch_.current.motion});
  }
  if (scratch_.next.motion.leader >= 0) {
    transition.to = phase_ref({s_.next, scratch_.next.motion});
  }
  const PhaseMap map(c_.motions, transition.from.motion, transition.from.mirror != 0,
                     transition.to.motion, transition.to.mirror != 0);
  if (!map.matched()) return;
  if (weight_before_ < 0.5) {
    const double time = map.forward(phase_time(transition.from, s_.current));
    follow_phase(s_.current, s_.next, state_time(transition.to, s_.next, time));
  } else {
    const double time = map.back(phase_time(transition.to, s_.next));
    follow_phase(s_.next, s_.current, state_time(transition.from, s_.current, time));
  }
}

}  // namespace sinew::graph_detail
