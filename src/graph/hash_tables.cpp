#include <sinew/base/hash.hpp>

#include "compiler.hpp"

namespace sinew::graph_detail {
namespace {

class TableHasher {
 public:
  void i(std::int64_t value) { hasher_.u64(static_cast<std::uint64_t>(value)); }
  void d(double value) { hasher_.f64(value); }
  void s(const std::string& value) { hasher_.text(value); }
  void target(const TargetDef& target) {
    i(static_cast<int>(target.kind));
    i(target.index);
  }
  void range(const ConditionRange& range) {
    i(range.first);
    i(range.count);
  }
  std::uint64_t value() const { return hasher_.value(); }

 private:
  Hasher hasher_;
};

void hash_policy(const ControllerPolicy& p, TableHasher& h) {
  h.i(static_cast<int>(p.non_loop_exit));
  h.i(static_cast<int>(p.damping));
  for (bool flag :
       {p.carry_exit_overshoot, p.cycle_offset_on_motion_time, p.triggers_visible_to_all_layers,
        p.start_after_completion, p.ordered_stops_whole_queue, p.any_interrupts_cross_fade,
        p.advance_on_command, p.events_at_zero_weight, p.unity_simple_directional,
        p.exit_time_backwards, p.any_exit_time_of_next, p.motion_time_drives_exit,
        p.inner_any_first, p.self_rule_covers_current, p.frozen_pose_stands_still,
        p.empty_states_let_through, p.mixed_write_defaults_off, p.enter_before_exit,
        p.events_of_every_loop}) {
    h.i(flag);
  }
}

void hash_transitions(const ControllerTables& t, TableHasher& h) {
  for (const ConditionDef& c : t.conditions) {
    h.i(c.parameter);
    h.i(static_cast<int>(c.mode));
    h.d(c.threshold);
  }
  for (const TransitionDef& x : t.transitions) {
    for (double value : {x.exit_time, x.duration, x.offset}) h.d(value);
    h.range(x.conditions);
    h.target(x.target);
    h.i(static_cast<int>(x.interruption));
    for (bool flag : {x.has_exit_time, x.fixed, x.ordered, x.to_self, x.from_any, x.muted,
                      x.unsoloed, x.match_phase}) {
      h.i(flag);
    }
    h.i(static_cast<int>(x.blend));
    h.i(static_cast<int>(x.curve));
    for (std::uint32_t i = 0; i < x.point_count; ++i) {
      h.d(static_cast<double>(t.curve_points[x.first_point + i].x));
      h.d(static_cast<double>(t.curve_points[x.first_point + i].y));
    }
  }
  for (const RouteDef& r : t.routes) {
    h.range(r.conditions);
    h.target(r.target);
  }
}

void hash_states(const ControllerTables& t, TableHasher& h) {
  for (const MachineDef& m : t.machines) {
    h.i(m.parent);
    h.target(m.default_target);
    for (std::uint32_t value : {m.first_entry, m.entry_count, m.first_leave, m.leave_count})
      h.i(value);
  }
  for (const StateDef& s : t.states) {
    for (std::int32_t value : {s.layer, s.machine, s.node, s.speed_parameter,
                               s.cycle_offset_parameter, s.mirror_parameter, s.time_parameter}) {
      h.i(value);
    }
    h.d(s.speed);
    h.d(s.cycle_offset);
    h.i(s.first_transition);
    h.i(s.transition_count);
    for (bool flag : {s.mirror, s.write_defaults, s.foot_ik, s.sync_markers}) h.i(flag);
    h.i(s.behaviour_count);
  }
  for (const LayerDef& l : t.layers) {
    h.i(static_cast<int>(l.blending));
    for (bool flag : {l.root_motion, l.ik_pass, l.sync_timing}) h.i(flag);
    h.d(static_cast<double>(l.weight));
    for (std::int32_t value : {l.mask, l.sync, l.root_machine}) h.i(value);
    for (std::uint32_t value :
         {l.first_state, l.state_count, l.first_any, l.any_count, l.first_synced_node}) {
      h.i(value);
    }
  }
}

void hash_motions(const ControllerTables& t, TableHasher& h) {
  for (const MotionNodeDef& n : t.nodes) {
    h.i(static_cast<int>(n.kind));
    h.i(static_cast<int>(n.type));
    h.i(n.normalize);
    for (std::int32_t value : {n.motion, n.x, n.y}) h.i(value);
    h.i(n.first_child);
    h.i(n.child_count);
  }
  for (std::size_t i = 0; i < t.children.size(); ++i) {
    const TreeChildDef& c = t.children[i];
    h.i(c.node);
    h.i(c.parameter);
    h.d(c.time_scale);
    h.d(c.cycle_offset);
    h.i(c.mirror);
    h.d(static_cast<double>(t.thresholds[i]));
    h.d(static_cast<double>(t.points[i].position.x));
    h.d(static_cast<double>(t.points[i].position.y));
  }
  for (std::int32_t node : t.synced_nodes) h.i(node);
  for (const MotionSource& m : t.motions) {
    h.s(m.name);
    h.s(m.clip.value_or(m.name));
    h.d(m.length.value_or(-1));
    h.i(m.loop.value_or(true));
    h.d(m.value.value_or(0));
    for (const auto* list : {&m.events, &m.markers}) {
      for (const MotionEventSource& e : *list) {
        h.d(e.time);
        h.s(e.name);
      }
    }
    for (const MotionCurveSource& curve : m.curves) {
      h.s(curve.parameter);
      for (const auto& [time, value] : curve.keys) {
        h.d(time);
        h.d(value);
      }
    }
    h.i(m.mirror);
    h.d(m.cycle_offset);
    h.s(m.reference.value_or(""));
    h.d(m.reference_time);
  }
}

}  // namespace

std::uint64_t hash_tables(const ControllerTables& t) {
  TableHasher h;
  hash_policy(t.policy, h);
  for (const ParameterDef& p : t.parameters) {
    h.i(static_cast<int>(p.type));
    h.i(p.integer);
    h.d(static_cast<double>(p.number));
  }
  hash_transitions(t, h);
  hash_states(t, h);
  hash_motions(t, h);
  for (const auto* names :
       {&t.parameter_names, &t.machine_names, &t.state_paths, &t.layer_names, &t.mask_names}) {
    h.i(static_cast<std::int64_t>(names->size()));
    for (const std::string& name : *names) h.s(name);
  }
  return h.value();
}

}  // namespace sinew::graph_detail
