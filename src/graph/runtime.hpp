// What the parts of an update share.
#pragma once

#include <sinew/graph/motion_table.hpp>
#include <sinew/graph/output.hpp>
#include <sinew/graph/state.hpp>

#include "layout.hpp"

namespace sinew::graph_detail {

// Rulings, 1: of normalized time and of progress.
inline constexpr double kWindowEpsilon = 1e-5;

struct Context {
  const ControllerTables& t;
  const MotionTable& motions;
  ControllerState state;
  std::span<ParameterValue> params;
  ControllerOutput& out;
  double dt;              // seconds, the controller's speed included
  double raw_dt;          // seconds, without it
  bool all_hold = false;  // no state writes defaults in this update (ControllerPolicy, U14)

  float number(std::int32_t parameter) const {
    return params[static_cast<std::size_t>(parameter)].number;
  }
  const StateDef& state_def(std::int32_t index) const {
    return t.states[static_cast<std::size_t>(index)];
  }
};

// motion_eval.cpp

// The motion that `layer` plays in `state` (a synced layer: its own). Leaves are written into the
// layer's part of out.leaves.
LiveMotion evaluate_motion(Context& c, std::size_t layer, std::int32_t state);
// The same, without keeping the leaves: seconds. -1: an empty state.
double motion_length(Context& c, std::size_t layer, std::int32_t state, bool& empty);
// The state's speed with its parameter; the controller's own is in dt.
double state_speed(const Context& c, const StateDef& state);
// The Motion Time parameter, or normalized time; plus the state's cycle offset.
double state_sample_time(const Context& c, const StateDef& state, double n, double motion_time);
bool state_mirror(const Context& c, const StateDef& state);

inline std::span<const MotionLeaf> leaves_of(const Context& c, std::size_t layer,
                                             const LiveMotion& motion) {
  const std::size_t base = layer * kLeafSets * c.t.max_leaves;
  return c.out.leaves.subspan(base + motion.first, motion.count);
}

// The time of a leaf whose state is sampled at `n` (see state_sample_time): loops counted,
// backwards for a reversed one; by the leader's markers where there is one.
double leaf_time(const Context& c, const LiveMotion& motion, const MotionLeaf& leaf, double n);
// The share of the motion, in [0, 1], that is sampled there.
double leaf_share(const Context& c, const LiveMotion& motion, const MotionLeaf& leaf, double n);
// Makes the heaviest motion of a state with sync_markers its leader; the state's time becomes that
// motion's, at the same phase.
void settle_leader(const Context& c, const LiveMotion& motion, LiveState& live);

// The normalized times between which this update played: of Motion Time where there is one.
void sample_window(const Context& c, const StateDef& state, const LiveState& live, double& n0,
                   double& n1);

// The target's weight, by the transition's curve; 1 where only the target plays. 0 outside.
double target_weight(const ControllerTables& t, const RunningTransition& transition);
// The same by the curve alone, whatever the blend.
double curve_weight(const ControllerTables& t, const RunningTransition& transition);
// The target's share of a dead blend: by smoothstep unless the transition has a curve of its own.
double dead_blend_share(const ControllerTables& t, const RunningTransition& transition);

// exit_time.cpp

// Whether the window of this update crosses `exit` (rules, section 4). `overshoot`: how far past
// it, in normalized time.
bool crosses_exit(const LiveState& live, double exit, bool loop, const ControllerPolicy& policy,
                  double& overshoot);

// emit_pose.cpp, emit_travel.cpp, emit_events.cpp, emit_curves.cpp: layers in ascending order.
void emit_layer_pose(Context& c, std::size_t layer);
// What sounds in the layer, and its share of foot IK; without a pose too.
void emit_layer_facts(Context& c, std::size_t layer);
// Whether this update must run a program even if nobody sees it.
bool must_run_program(const Context& c);
// The end of the program: what was shown is kept for states without write defaults.
void emit_shown(Context& c);
// One state of layer 0 alone.
void emit_state_pose(Context& c, const LiveSide& side);
void emit_layer_travel(Context& c, std::size_t layer);
void emit_state_travel(Context& c, const LiveSide& side);
// match_target.cpp: after layer 0 has run.
void update_match(Context& c);
void emit_layer_events(Context& c, std::size_t layer);
// Writes the parameters that curves drive, for the next update.
void emit_curves(Context& c);

}  // namespace sinew::graph_detail
