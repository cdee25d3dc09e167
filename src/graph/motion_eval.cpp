#include <algorithm>
#include <cmath>

#include <sinew/math/scalar.hpp>

#include "runtime.hpp"
#include "sync_phase.hpp"

namespace sinew::graph_detail {
namespace {

// What lies above a node in its tree.
struct Above {
  float weight = 1;
  double offset = 0;
  bool reversed = false;
  bool mirror = false;
};

class Evaluator {
 public:
  Evaluator(Context& c, std::size_t layer, LiveMotion& out)
      : c_(c), scratch_(c.out.layers[layer]), out_(out) {
    leaves_ = c.out.leaves.subspan(layer * kLeafSets * c.t.max_leaves, kLeafSets * c.t.max_leaves);
  }

  // Seconds (rulings, 9 and 26: at least kMinLength, or else 1).
  double node(std::int32_t index, const Above& above) {
    if (index < 0) return nothing(above);
    const MotionNodeDef& def = c_.t.nodes[static_cast<std::size_t>(index)];
    switch (def.kind) {
      case MotionNodeDef::Kind::kNone:
        return nothing(above);
      case MotionNodeDef::Kind::kMotion:
        return motion(index, def.motion, above);
      case MotionNodeDef::Kind::kTree:
        return tree(def, above);
    }
    return 1;
  }

 private:
  double nothing(const Above& above) {
    out_.missing += above.weight;
    return 1;
  }

  double motion(std::int32_t node, std::int32_t index, const Above& above) {
    const MotionInfo& info = c_.motions.motions[static_cast<std::size_t>(index)];
    if (above.weight >= kMinBlendWeight && scratch_.leaf_count < leaves_.size()) {
      if (out_.count == 0) out_.loop = info.loop;
      leaves_[scratch_.leaf_count++] = {index,          node,
                                        above.weight,   above.offset + info.cycle_offset,
                                        above.reversed, above.mirror != info.mirror};
      ++out_.count;
    }
    return effective_length(info.length);
  }

  double tree(const MotionNodeDef& def, const Above& above) {
    float buffer[kMostLeaves];
    const std::span<float> weights(buffer, def.child_count);
    tree_weights(def, weights);
    float sum = 0;
    double length = 0;
    for (std::uint32_t i = 0; i < def.child_count; ++i) {
      sum += weights[i];
      if (weights[i] <= 0) continue;
      const TreeChildDef& child = c_.t.children[def.first_child + i];
      const Above below{above.weight * weights[i], above.offset + child.cycle_offset,
                        above.reversed != (child.time_scale < 0), above.mirror != child.mirror};
      const double child_length =
          effective_length(node(child.node, below) / std::abs(child.time_scale));
      length += static_cast<double>(weights[i]) * child_length;
    }
    if (sum < 1 - kMinBlendWeight) out_.missing += above.weight * (1 - sum);
    return effective_length(length);
  }

  void tree_weights(const MotionNodeDef& def, std::span<float> weights) {
    const std::span<const BlendPoint> points(c_.t.points.data() + def.first_child, def.child_count);
    const float x = def.x >= 0 ? c_.number(def.x) : 0.0f;
    const float y = def.y >= 0 ? c_.number(def.y) : 0.0f;
    switch (def.type) {
      case TreeType::k1D:
        weights_1d({c_.t.thresholds.data() + def.first_child, def.child_count}, x, weights);
        return;
      case TreeType::kSimpleDirectional:
        weights_simple_directional(points, {x, y}, c_.t.policy.unity_simple_directional, weights);
        return;
      case TreeType::kFreeformDirectional:
        weights_freeform_directional(points, {x, y}, weights);
        return;
      case TreeType::kFreeformCartesian:
        weights_freeform_cartesian(points, {x, y}, weights);
        return;
      case TreeType::kDirect:
        for (std::uint32_t i = 0; i < def.child_count; ++i) {
          const std::int32_t parameter = c_.t.children[def.first_child + i].parameter;
          weights[i] = parameter >= 0 ? c_.number(parameter) : 0.0f;
        }
        weights_direct(def.normalize, weights);
        return;
    }
  }

  Context& c_;
  LayerScratch& scratch_;
  LiveMotion& out_;
  std::span<MotionLeaf> leaves_;
};

std::int32_t node_of(const Context& c, std::size_t layer, std::int32_t state) {
  const LayerDef& def = c.t.layers[layer];
  if (def.sync < 0) return c.state_def(state).node;
  const std::uint32_t first = c.t.layers[static_cast<std::size_t>(def.sync)].first_state;
  return c.t.synced_nodes[def.first_synced_node + static_cast<std::uint32_t>(state) - first];
}

const SyncTrack& track_of(const Context& c, std::int32_t node) {
  return c.motions.sync_tracks[static_cast<std::size_t>(node)];
}

std::span<const double> times_of(const Context& c, const SyncTrack& track) {
  return std::span(c.motions.sync_times).subspan(track.first, track.count);
}

// The heaviest leaf that has markers; of equals the first.
std::int32_t find_leader(const Context& c, std::span<const MotionLeaf> leaves) {
  std::int32_t best = -1;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (track_of(c, leaves[i].node).count == 0) continue;
    if (best < 0 || leaves[i].weight > leaves[static_cast<std::size_t>(best)].weight) {
      best = static_cast<std::int32_t>(i);
    }
  }
  return best;
}

double state_offset(const Context& c, const StateDef& state) {
  return state.cycle_offset_parameter >= 0
             ? static_cast<double>(c.number(state.cycle_offset_parameter))
             : state.cycle_offset;
}

}  // namespace

LiveMotion evaluate_motion(Context& c, std::size_t layer, std::int32_t state) {
  LiveMotion motion;
  if (state < 0) return motion;
  motion.node = node_of(c, layer, state);
  motion.first = c.out.layers[layer].leaf_count;
  motion.first_of_all =
      static_cast<std::uint32_t>(layer * kLeafSets * c.t.max_leaves) + motion.first;
  if (motion.node >= 0) motion.length = Evaluator(c, layer, motion).node(motion.node, {});
  if (c.state_def(state).sync_markers && c.t.layers[layer].sync < 0) {
    motion.leader = find_leader(c, leaves_of(c, layer, motion));
  }
  return motion;
}

double motion_length(Context& c, std::size_t layer, std::int32_t state, bool& empty) {
  LayerScratch& scratch = c.out.layers[layer];
  const std::uint32_t kept = scratch.leaf_count;
  const LiveMotion motion = evaluate_motion(c, layer, state);
  scratch.leaf_count = kept;
  empty = motion.node < 0;
  return motion.length;
}

double state_speed(const Context& c, const StateDef& state) {
  return state.speed_parameter >= 0
             ? state.speed * static_cast<double>(c.number(state.speed_parameter))
             : state.speed;
}

bool state_mirror(const Context& c, const StateDef& state) {
  return state.mirror_parameter >= 0
             ? c.params[static_cast<std::size_t>(state.mirror_parameter)].integer != 0
             : state.mirror;
}

double state_sample_time(const Context& c, const StateDef& state, double n, double motion_time) {
  const bool by_parameter = state.time_parameter >= 0;
  const double time = by_parameter ? motion_time : n;
  return by_parameter && !c.t.policy.cycle_offset_on_motion_time ? time
                                                                 : time + state_offset(c, state);
}

namespace {

// The leader's leaf, if there is one and it is another.
const MotionLeaf* leader_of(const Context& c, const LiveMotion& motion, const MotionLeaf& leaf) {
  if (motion.leader < 0) return nullptr;
  const MotionLeaf& leader =
      c.out.leaves[motion.first_of_all + static_cast<std::uint32_t>(motion.leader)];
  return leader.node != leaf.node && track_of(c, leaf.node).count > 0 ? &leader : nullptr;
}

double led_time(const Context& c, const MotionLeaf& leader, const MotionLeaf& leaf, double n) {
  const SyncTrack& from = track_of(c, leader.node);
  const SyncTrack& to = track_of(c, leaf.node);
  return map_phase(times_of(c, from), times_of(c, to), to.rotation - from.rotation,
                   n + leader.offset);
}

}  // namespace

double leaf_time(const Context& c, const LiveMotion& motion, const MotionLeaf& leaf, double n) {
  if (const MotionLeaf* leader = leader_of(c, motion, leaf)) return led_time(c, *leader, leaf, n);
  const double time = n + leaf.offset;
  return leaf.reversed ? 1 - time : time;
}

double leaf_share(const Context& c, const LiveMotion& motion, const MotionLeaf& leaf, double n) {
  const bool loop = c.motions.motions[static_cast<std::size_t>(leaf.motion)].loop;
  const MotionLeaf* leader = leader_of(c, motion, leaf);
  double time = leader ? led_time(c, *leader, leaf, n) : n + leaf.offset;
  if (!is_finite(time)) time = 0;
  time = loop ? time - std::floor(time) : (time < 0 ? 0 : (time > 1 ? 1 : time));
  return leaf.reversed ? 1 - time : time;
}

void settle_leader(const Context& c, const LiveMotion& motion, LiveState& live) {
  if (motion.leader < 0) return;
  const std::int32_t node =
      c.out.leaves[motion.first_of_all + static_cast<std::uint32_t>(motion.leader)].node;
  if (live.leader == node) return;
  const StateDef& state = c.state_def(live.state);
  if (live.leader >= 0 && state.time_parameter < 0) {
    const SyncTrack& from = track_of(c, live.leader);
    const SyncTrack& to = track_of(c, node);
    const double offset = state_offset(c, state);
    const double n = live.now.value();
    const double now = from.count == 0
                           ? n
                           : map_phase(times_of(c, from), times_of(c, to),
                                       to.rotation - from.rotation, n + offset + from.offset) -
                                 to.offset - offset;
    if (is_finite(now)) {
      live.skipped = now - n;
      live.before = live.now = Playhead::from(now);
    }
  }
  live.leader = node;
}

double curve_weight(const ControllerTables& t, const RunningTransition& transition) {
  const double p = transition.progress;
  if (transition.index < 0) return p;
  const TransitionDef& def = t.transitions[static_cast<std::size_t>(transition.index)];
  switch (def.curve) {
    case TransitionCurve::kLinear:
      return p;
    case TransitionCurve::kSmooth:
      return p * p * (3 - 2 * p);
    case TransitionCurve::kEaseIn:
      return p * p;
    case TransitionCurve::kEaseOut:
      return p * (2 - p);
    case TransitionCurve::kPoints:
      break;
  }
  const Vec2* point = t.curve_points.data() + def.first_point;
  const Vec2* last = point + def.point_count - 1;
  while (point + 1 < last && static_cast<double>(point[1].x) <= p) ++point;
  const double x0 = static_cast<double>(point[0].x), x1 = static_cast<double>(point[1].x);
  const double y0 = static_cast<double>(point[0].y), y1 = static_cast<double>(point[1].y);
  return y0 + (y1 - y0) * std::min(std::max((p - x0) / (x1 - x0), 0.0), 1.0);
}

double dead_blend_share(const ControllerTables& t, const RunningTransition& transition) {
  const bool own =
      transition.index >= 0 &&
      t.transitions[static_cast<std::size_t>(transition.index)].curve != TransitionCurve::kLinear;
  const double p = transition.progress;
  return own ? curve_weight(t, transition) : p * p * (3 - 2 * p);
}

double target_weight(const ControllerTables& t, const RunningTransition& transition) {
  if (transition.kind == TransitionKind::kNone) return 0;
  return transition.blend == TransitionBlend::kCrossFade ? curve_weight(t, transition) : 1;
}

}  // namespace sinew::graph_detail
