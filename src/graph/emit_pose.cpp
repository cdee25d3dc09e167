// The pose program of one layer.
#include <cassert>

#include "runtime.hpp"

namespace sinew::graph_detail {
namespace {

// Writes the tasks of one layer. Every push_...() leaves one pose more on the stack, and says how
// much of it is there: 0, and nothing pushed, for an empty state of an upper layer.
class PoseEmitter {
 public:
  PoseEmitter(Context& c, std::size_t layer)
      : c_(c),
        layer_(layer),
        additive_(c.t.layers[layer].blending == LayerBlending::kAdditive),
        base_(layer == 0) {}

  void task(PoseTask::Op op, std::int32_t index = -1, float time = 0, float weight = 0) {
    PoseTask t;
    t.op = op;
    t.index = static_cast<std::int16_t>(index);
    t.time = time;
    t.weight = weight;
    push(t);
  }

  // from * (1 - p) + to * p, or the stored pose in place of `from`.
  float push_blend(const LiveSide& from, const LiveSide& to, double progress, bool stored) {
    const float from_presence = stored ? push_stored() : push_state(from);
    return push_blend_over(to, progress, from_presence);
  }

  // The same where `from` lies on the stack already (if its presence is above 0).
  float push_blend_over(const LiveSide& to, double progress, float from_presence) {
    const auto p = static_cast<float>(progress);
    if (to.live.state < 0 || p < kMinBlendWeight) return from_presence;
    const float to_presence = push_state(to);
    const float to_share = p * to_presence;
    const float total = (1 - p) * from_presence + to_share;
    if (from_presence > 0 && to_presence > 0) {
      task(PoseTask::Op::kLerp, -1, 0,
           from_presence == 1 && to_presence == 1 ? p : to_share / total);
    }
    return total;
  }

  float push_stored() {
    const float presence = c_.state.layer_ref(static_cast<int>(layer_)).frozen_presence;
    if (presence > 0) task(PoseTask::Op::kStored, static_cast<std::int32_t>(layer_));
    return presence;
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

  // Nothing to play: the default pose, or no difference from it.
  void push_default() {
    task(PoseTask::Op::kRest);
    if (!additive_) return;
    task(PoseTask::Op::kRest);
    task(PoseTask::Op::kMakeAdditive);
  }

  float push_state(const LiveSide& side) {
    if (side.motion.node < 0) {
      if (!base_) return 0;
      push_default();
      return 1;
    }
    const StateDef& state = c_.state_def(side.live.state);
    const double motion_time =
        state.time_parameter >= 0 ? static_cast<double>(c_.number(state.time_parameter)) : 0.0;
    const double n = state_sample_time(c_, state, side.live.now.value(), motion_time);
    const bool mirror = state_mirror(c_, state);
    const auto first = static_cast<std::uint32_t>(c_.out.weight_count);
    std::uint32_t count = 0;
    for (const MotionLeaf& leaf : leaves_of(c_, layer_, side.motion)) {
      push_leaf(leaf, n, mirror);
      push_weight(leaf.weight);
      ++count;
    }
    if (side.motion.missing >= kMinBlendWeight || count == 0) {
      push_default();
      push_weight(count == 0 ? 1.0f : side.motion.missing);
      ++count;
    }
    if (count == 1 && c_.out.weights[first] >= 1 - kMinBlendWeight &&
        c_.out.weights[first] <= 1 + kMinBlendWeight) {
      c_.out.weight_count = first;
      return 1;
    }
    PoseTask blend;
    blend.op = PoseTask::Op::kBlend;
    blend.count = static_cast<std::uint8_t>(count);
    blend.first = first;
    push(blend);
    return 1;
  }

  void push_leaf(const MotionLeaf& leaf, double n, bool state_mirrored) {
    const MotionInfo& info = c_.motions.motions[static_cast<std::size_t>(leaf.motion)];
    if (info.clip < 0) {
      push_default();
      return;
    }
    const double share = leaf_share(leaf, n, info.loop);
    const bool mirror = leaf.mirror != state_mirrored;
    task(PoseTask::Op::kClip, info.clip, static_cast<float>(share * info.length));
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
  bool additive_, base_;
};

void note_side(Context& c, std::size_t layer, const LiveSide& side, float weight) {
  if (side.live.state < 0) return;
  const StateDef& state = c.state_def(side.live.state);
  const double motion_time =
      state.time_parameter >= 0 ? static_cast<double>(c.number(state.time_parameter)) : 0.0;
  const double n = state_sample_time(c, state, side.live.now.value(), motion_time);
  for (const MotionLeaf& leaf : leaves_of(c, layer, side.motion)) {
    const float leaf_weight = leaf.weight * weight;
    if (leaf_weight < kMinBlendWeight || c.out.playing_count == c.out.playing.size()) continue;
    const bool loop = c.motions.motions[static_cast<std::size_t>(leaf.motion)].loop;
    c.out.playing[c.out.playing_count++] = {static_cast<std::int32_t>(layer), side.live.state,
                                            leaf.motion, leaf_weight, leaf_share(leaf, n, loop)};
  }
}

void note_playing(Context& c, std::size_t layer, const LayerScratch& scratch, double progress,
                  bool frozen) {
  const auto p = static_cast<float>(progress);
  const bool fading = scratch.next.live.state >= 0;
  if (!frozen) note_side(c, layer, scratch.current, fading ? 1 - p : 1.0f);
  if (fading) note_side(c, layer, scratch.next, p);
}

}  // namespace

void emit_state_pose(Context& c, const LiveSide& side) {
  PoseEmitter(c, 0).push_blend(side, {}, 0, false);
}

void emit_layer_pose(Context& c, std::size_t layer) {
  const LayerDef& def = c.t.layers[layer];
  LayerState& state = c.state.layer_ref(static_cast<int>(layer));
  const LayerState& machine = def.sync >= 0 ? c.state.layer_ref(static_cast<int>(def.sync)) : state;
  const LayerScratch& scratch = c.out.layers[layer];
  const float weight = layer == 0 ? 1.0f : state.weight;
  const double progress = machine.transition.progress;
  note_playing(c, layer, scratch, progress, machine.frozen != 0);
  if (weight < kMinBlendWeight && !scratch.capture) return;

  PoseEmitter emit(c, layer);
  float presence = 0;
  if (scratch.capture) {
    // The pose as it was, frozen; then the new target over it.
    state.frozen_presence = emit.push_blend(scratch.frozen_current, scratch.frozen_next,
                                            scratch.frozen_progress, scratch.frozen_was_frozen);
    if (state.frozen_presence > 0) {
      emit.task(PoseTask::Op::kStore, static_cast<std::int32_t>(layer));
      c.out.stores = true;
    }
    presence = emit.push_blend_over(scratch.next, progress, state.frozen_presence);
  } else {
    presence = emit.push_blend(scratch.current, scratch.next, progress, machine.frozen != 0);
  }
  if (layer == 0 || presence <= 0) return;
  emit.task(
      def.blending == LayerBlending::kAdditive ? PoseTask::Op::kAdditive : PoseTask::Op::kOverride,
      def.mask, 0, weight * presence);
}

}  // namespace sinew::graph_detail
