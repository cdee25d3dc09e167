// The pose program of one layer.
#include <algorithm>
#include <cassert>

#include "runtime.hpp"

namespace sinew::graph_detail {
namespace {

enum class When : std::uint8_t { kNow, kStepAgo };

// Writes the tasks of one layer. Every push_...() leaves one pose more on the stack, and says how
// much of it is there: 0, and nothing pushed, for an empty state of an upper layer.
class PoseEmitter {
 public:
  // `solid`: what a pose of an upper layer lacks is taken from the layers below it, as
  // inertialization needs whole poses.
  PoseEmitter(Context& c, std::size_t layer, bool solid)
      : c_(c),
        layer_(layer),
        additive_(c.t.layers[layer].blending == LayerBlending::kAdditive),
        base_(layer == 0),
        solid_(solid && !base_ && !additive_) {}

  void task(PoseTask::Op op, std::int32_t index = -1, float time = 0, float weight = 0) {
    PoseTask t;
    t.op = op;
    t.index = static_cast<std::int16_t>(index);
    t.time = time;
    t.weight = weight;
    push(t);
  }

  float push_mix(const LayerMix& mix, When when) {
    const bool now = when == When::kNow;
    const float weight = now ? mix.weight : mix.weight_before;
    const auto elapsed = static_cast<float>(now ? mix.elapsed : mix.elapsed_before);
    if (mix.blend == TransitionBlend::kCrossFade || mix.next.live.state < 0) {
      const float from = mix.frozen ? push_stored() : push_state(mix.current, when);
      return push_next_over(mix.next, weight, from, when);
    }
    push_state(mix.next, when);
    const std::int32_t offsets = c_.t.layers[layer_].offsets;
    if (mix.blend == TransitionBlend::kInertialize) {
      task(PoseTask::Op::kInertia, offsets, elapsed);
    } else {
      task(PoseTask::Op::kDeadBlend, offsets, elapsed, weight);
    }
    return 1;
  }

  // Over what lies on the stack already, if its presence is above 0.
  float push_next_over(const LiveSide& to, float weight, float from_presence, When when) {
    if (to.live.state < 0 || weight < kMinBlendWeight) return from_presence;
    const float to_presence = push_state(to, when);
    const float to_share = weight * to_presence;
    const float total = (1 - weight) * from_presence + to_share;
    if (from_presence > 0 && to_presence > 0) {
      const bool whole = from_presence == 1 && to_presence == 1;
      task(PoseTask::Op::kLerp, -1, 0, whole ? weight : to_share / total);
      --above_;
    }
    return total;
  }

  // From the source's pose, of this update and a step ago, to the target's.
  void push_start(const LayerMix& source, const LiveSide& target, const RunningTransition& run) {
    const bool moves = source.current.live.moved != 0 || source.next.live.moved != 0;
    const bool has_step = moves && c_.dt > 0;
    if (has_step) push_mix(source, When::kStepAgo);
    push_mix(source, When::kNow);
    if (base_) emit_keeps(target);
    push_state(target, When::kNow);
    PoseTask t;
    t.op = run.blend == TransitionBlend::kInertialize ? PoseTask::Op::kStartInertia
                                                      : PoseTask::Op::kStartDeadBlend;
    t.index = static_cast<std::int16_t>(c_.t.layers[layer_].offsets);
    t.count = has_step ? 0 : 1;
    t.time = static_cast<float>(c_.dt);
    t.weight = static_cast<float>(run.seconds);
    push(t);
    above_ -= has_step ? 2 : 1;
    c_.out.stores = true;
  }

  // Whether a pose of this layer lies on the stack. Its presence may have been rounded to 0.
  bool pushed() const { return above_ > 0; }

  float push_stored() {
    const float presence = c_.state.layer_ref(static_cast<int>(layer_)).frozen_presence;
    if (presence <= 0) return solid_ ? push_below() : 0;
    const bool thin = solid_ && presence < 1;
    if (thin) push_below();
    task(PoseTask::Op::kStored, static_cast<std::int32_t>(layer_));
    ++above_;
    if (!solid_) return presence;
    fill_from_below();
    if (thin) {
      task(PoseTask::Op::kLerp, -1, 0, presence);
      --above_;
    }
    return 1;
  }

  // A state that begins to hold what its motion does not move takes it from what was shown.
  void emit_keeps(const LiveSide& side) {
    if (c_.t.held_poses < 0 || side.live.state < 0 || !side.live.entered) return;
    PoseTask t;
    t.op = PoseTask::Op::kKeep;
    t.index = static_cast<std::int16_t>(held_pose(side));
    t.first = static_cast<std::uint32_t>(c_.t.shown_pose);
    push(t);
    c_.out.stores = true;
  }

 private:
  void push(const PoseTask& t) {
    assert(c_.out.task_count < c_.out.tasks.size());
    c_.out.tasks[c_.out.task_count++] = t;
  }
  void push_weight(float weight) {
    assert(c_.out.weight_count < c_.out.weights.size());
    c_.out.weights[c_.out.weight_count++] = weight;
  }

  std::int32_t held_pose(const LiveSide& side) const {
    return c_.t.held_poses + static_cast<std::int32_t>(side.live.held);
  }
  // Write defaults are a matter of the base layer: an upper one never touches what it does not
  // move (rules, 11.2).
  bool holds(const LiveSide& side) const {
    return base_ && c_.t.held_poses >= 0 &&
           (c_.all_hold || !c_.state_def(side.live.state).write_defaults);
  }

  float push_below() {
    PoseTask t;
    t.op = PoseTask::Op::kBelow;
    t.count = static_cast<std::uint8_t>(above_ + 1);
    push(t);
    ++above_;
    return 1;
  }
  void fill_from_below() {
    PoseTask t;
    t.op = PoseTask::Op::kFillBelow;
    t.count = static_cast<std::uint8_t>(above_);
    push(t);
  }

  // Nothing to play: what the state holds, or the default pose, or no difference from it.
  void push_default(const LiveSide& side) {
    if (holds(side)) return task(PoseTask::Op::kStored, held_pose(side));
    task(PoseTask::Op::kRest);
    if (!additive_) return;
    task(PoseTask::Op::kRest);
    task(PoseTask::Op::kMakeAdditive);
  }

  float push_empty(const LiveSide& side) {
    if (solid_) return push_below();
    const bool through = !base_ && !additive_ && c_.t.policy.empty_states_let_through;
    const bool no_difference = additive_ && c_.t.layers[layer_].offsets < 0;
    if (through || no_difference) return 0;
    push_default(side);
    ++above_;
    return 1;
  }

  float push_state(const LiveSide& side, When when) {
    if (side.motion.node < 0) return push_empty(side);
    const StateDef& state = c_.state_def(side.live.state);
    const bool now = when == When::kNow;
    const double motion_time = !now ? side.live.motion_time_before
                               : state.time_parameter >= 0
                                   ? static_cast<double>(c_.number(state.time_parameter))
                                   : 0.0;
    const double n = state_sample_time(
        c_, state, now ? side.live.now.value() : side.live.before.value(), motion_time);
    const bool mirror = state_mirror(c_, state);
    const bool held = holds(side);
    const bool in_part = held || (!base_ && c_.motions.partial);
    const auto first = static_cast<std::uint32_t>(c_.out.weight_count);
    std::uint32_t count = 0;
    for (const MotionLeaf& leaf : leaves_of(c_, layer_, side.motion)) {
      push_leaf(side, leaf, n, mirror, in_part);
      push_weight(leaf.weight);
      ++count;
    }
    if (side.motion.missing >= kMinBlendWeight || count == 0) {
      push_default(side);
      push_weight(count == 0 ? 1.0f : side.motion.missing);
      ++count;
    }
    blend(first, count);
    ++above_;
    if (held && c_.motions.partial) task(PoseTask::Op::kFill, held_pose(side));
    if (solid_) fill_from_below();
    return 1;
  }

  void blend(std::uint32_t first, std::uint32_t count) {
    const float weight = c_.out.weights[first];
    if (count == 1 && weight >= 1 - kMinBlendWeight && weight <= 1 + kMinBlendWeight) {
      c_.out.weight_count = first;
      return;
    }
    PoseTask t;
    t.op = PoseTask::Op::kBlend;
    t.count = static_cast<std::uint8_t>(count);
    t.first = first;
    push(t);
  }

  void push_leaf(const LiveSide& side, const MotionLeaf& leaf, double n, bool state_mirrored,
                 bool in_part) {
    const MotionInfo& info = c_.motions.motions[static_cast<std::size_t>(leaf.motion)];
    if (info.clip < 0) return push_default(side);
    const double share = leaf_share(c_, side.motion, leaf, n);
    const bool mirror = leaf.mirror != state_mirrored;
    PoseTask t;
    t.op = PoseTask::Op::kClip;
    t.index = static_cast<std::int16_t>(info.clip);
    t.time = static_cast<float>(share * info.length);
    t.count = in_part && info.partial ? 1 : 0;
    push(t);
    if (mirror) task(PoseTask::Op::kMirror);
    if (!additive_) return;
    if (info.reference_clip >= 0) {
      task(PoseTask::Op::kClip, info.reference_clip, info.reference_time);
    } else {
      task(PoseTask::Op::kRest);
    }
    if (mirror) task(PoseTask::Op::kMirror);
    task(PoseTask::Op::kMakeAdditive);
  }

  Context& c_;
  std::size_t layer_;
  bool additive_, base_, solid_;
  int above_ = 0;  // poses of this layer on the stack
};

const LayerState& machine_of(const Context& c, std::size_t layer) {
  const LayerDef& def = c.t.layers[layer];
  return c.state.layer(def.sync >= 0 ? def.sync : static_cast<int>(layer));
}

void note_side(Context& c, std::size_t layer, const LiveSide& side, float weight) {
  if (side.live.state < 0) return;
  const StateDef& state = c.state_def(side.live.state);
  const double motion_time =
      state.time_parameter >= 0 ? static_cast<double>(c.number(state.time_parameter)) : 0.0;
  const double n = state_sample_time(c, state, side.live.now.value(), motion_time);
  for (const MotionLeaf& leaf : leaves_of(c, layer, side.motion)) {
    const float leaf_weight = leaf.weight * weight;
    if (leaf_weight < kMinBlendWeight || c.out.playing_count == c.out.playing.size()) continue;
    c.out.playing[c.out.playing_count++] = {static_cast<std::int32_t>(layer), side.live.state,
                                            leaf.motion, leaf_weight,
                                            leaf_share(c, side.motion, leaf, n)};
  }
}

float foot_ik_of(const Context& c, const LiveSide& side) {
  return side.live.state >= 0 && c.state_def(side.live.state).foot_ik ? 1.0f : 0.0f;
}

LayerMix mix_of(const Context& c, const LayerScratch& scratch, const LayerState& machine) {
  LayerMix mix;
  mix.current = scratch.current;
  mix.next = scratch.next;
  mix.blend = machine.transition.blend;
  mix.frozen = machine.frozen != 0;
  mix.weight = static_cast<float>(mix.blend == TransitionBlend::kDeadBlend
                                      ? dead_blend_share(c.t, machine.transition)
                                      : target_weight(c.t, machine.transition));
  mix.elapsed = machine.transition.progress * machine.transition.seconds;
  return mix;
}

}  // namespace

void emit_state_pose(Context& c, const LiveSide& side) {
  PoseEmitter emit(c, 0, false);
  emit.push_mix({side, {}}, When::kNow);
}

void emit_layer_facts(Context& c, std::size_t layer) {
  const LayerScratch& scratch = c.out.layers[layer];
  LayerState& state = c.state.layer_ref(static_cast<int>(layer));
  const LayerState& machine = machine_of(c, layer);
  const auto weight = static_cast<float>(target_weight(c.t, machine.transition));
  const bool fading = scratch.next.live.state >= 0;
  const float source = fading ? 1 - weight : 1.0f;
  if (!machine.frozen) note_side(c, layer, scratch.current, source);
  if (fading) note_side(c, layer, scratch.next, weight);
  if (scratch.capture) {
    const LayerMix& mix = scratch.source;
    const float from = mix.frozen ? state.frozen_foot_ik : foot_ik_of(c, mix.current);
    state.frozen_foot_ik = from + (foot_ik_of(c, mix.next) - from) * mix.weight;
  }
  LayerOut& out = c.out.layer_outs[layer];
  out.weight = layer == 0 ? 1.0f : state.weight;
  out.ik_pass = c.t.layers[layer].ik_pass;
  out.foot_ik = source * (machine.frozen ? state.frozen_foot_ik : foot_ik_of(c, scratch.current)) +
                (fading ? weight * foot_ik_of(c, scratch.next) : 0.0f);
}

bool must_run_program(const Context& c) {
  for (const LayerScratch& scratch : c.out.layers.first(c.t.layers.size())) {
    if (scratch.capture || scratch.inertia) return true;
    const bool enters = scratch.current.live.entered || scratch.next.live.entered;
    if (enters && c.t.held_poses >= 0) return true;
  }
  return false;
}

void emit_layer_pose(Context& c, std::size_t layer) {
  const LayerDef& def = c.t.layers[layer];
  LayerState& state = c.state.layer_ref(static_cast<int>(layer));
  const LayerState& machine = machine_of(c, layer);
  const LayerScratch& scratch = c.out.layers[layer];
  const float weight = layer == 0 ? 1.0f : state.weight;
  if (weight < kMinBlendWeight && !scratch.capture && !scratch.inertia) return;

  const bool inertial = scratch.inertia ||
                        machine.transition.blend != TransitionBlend::kCrossFade ||
                        (scratch.capture && scratch.source.blend != TransitionBlend::kCrossFade);
  PoseEmitter emit(c, layer, inertial && def.offsets >= 0);
  float presence = 1;
  if (layer == 0) emit.emit_keeps(scratch.current);
  if (scratch.capture) {
    // The pose as it was, frozen; then the new target over it.
    state.frozen_presence = emit.push_mix(scratch.source, When::kNow);
    if (state.frozen_presence > 0) {
      emit.task(PoseTask::Op::kStore, static_cast<std::int32_t>(layer));
      c.out.stores = true;
    }
    if (layer == 0) emit.emit_keeps(scratch.next);
    const auto share = static_cast<float>(target_weight(c.t, machine.transition));
    presence = emit.push_next_over(scratch.next, share, state.frozen_presence, When::kNow);
  } else if (scratch.inertia) {
    emit.push_start(scratch.source, scratch.next, machine.transition);
  } else {
    if (layer == 0) emit.emit_keeps(scratch.next);
    presence = emit.push_mix(mix_of(c, scratch, machine), When::kNow);
  }
  if (layer == 0 || !emit.pushed()) return;
  PoseTask over;
  over.op =
      def.blending == LayerBlending::kAdditive ? PoseTask::Op::kAdditive : PoseTask::Op::kOverride;
  over.index = static_cast<std::int16_t>(def.mask);
  over.weight = weight * presence;
  over.count = static_cast<std::uint8_t>(layer);
  assert(c.out.task_count < c.out.tasks.size());
  c.out.tasks[c.out.task_count++] = over;
}

void emit_shown(Context& c) {
  if (c.t.shown_pose < 0) return;
  PoseEmitter(c, 0, false).task(PoseTask::Op::kStore, c.t.shown_pose);
}

}  // namespace sinew::graph_detail
