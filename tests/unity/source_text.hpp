// A ControllerSource as text, everything of it: two are the same graph if their texts are.
#pragma once

#include <string>

#include <sinew/graph/source.hpp>

namespace sinew::unity {

class SourceText {
 public:
  static std::string of(const ControllerSource& source) {
    SourceText t;
    for (const ParameterSource& p : source.parameters) {
      t.line("parameter", p.name, to_string(p.type), p.value);
    }
    for (const MotionSource& m : source.motions) {
      t.line("motion", m.name, m.length.value_or(-1), m.loop ? (*m.loop ? 1 : 0) : -1);
      for (const MotionEventSource& e : m.events) t.line("  event", e.time, e.name);
    }
    for (const LayerSource& l : source.layers) {
      t.line("layer", l.name, to_string(l.blending), l.weight, l.mask, l.ik_pass, l.sync,
             l.sync_timing);
      t.machine(l.root, "  ");
      for (const SyncedMotionSource& s : l.synced_motions) {
        t.line("  synced", s.state);
        t.node(s.motion, "    ");
      }
    }
    return t.out_;
  }

 private:
  void add(const char* text) { out_ += text; }
  void add(const std::string& text) { out_ += "'" + text + "'"; }
  void add(std::string_view text) { out_ += text; }
  void add(bool value) { out_ += value ? "yes" : "no"; }
  void add(int value) { out_ += std::to_string(value); }
  void add(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    out_ += text;
  }
  template <class... T>
  void line(T... parts) {
    ((add(parts), out_ += ' '), ...);
    out_ += '\n';
  }
  void position(const std::optional<Vec2>& p, const std::string& in) {
    if (p) line(in.c_str(), "at", static_cast<double>(p->x), static_cast<double>(p->y));
  }
  void conditions(const std::vector<ConditionSource>& list, const std::string& in) {
    for (const ConditionSource& c : list) {
      line(in.c_str(), "when", c.parameter, to_string(c.mode), c.threshold);
    }
  }
  void node(const MotionNodeSource& n, const std::string& in) {
    if (n.kind == MotionNodeSource::Kind::kMotion) line(in.c_str(), "plays", n.motion);
    if (n.kind != MotionNodeSource::Kind::kTree) return;
    line(in.c_str(), "tree", n.name, to_string(n.type), n.x, n.y, n.normalize);
    for (const TreeChildSource& c : n.children) {
      line(in.c_str(), "child", c.threshold, c.x, c.y, c.parameter, c.time_scale, c.cycle_offset,
           c.mirror);
      node(c.node, in + "  ");
    }
  }
  void transition(const TransitionSource& t, const std::string& in) {
    line(in.c_str(), "->", t.to, t.name, t.exit_time.value_or(-1e9), t.duration, t.fixed, t.offset,
         to_string(t.interruption), t.ordered, t.to_self, t.mute, t.solo);
    conditions(t.conditions, in + "  ");
  }
  void routes(const std::vector<RouteSource>& list, const char* what, const std::string& in) {
    for (const RouteSource& r : list) {
      line(in.c_str(), what, r.to, r.mute, r.solo);
      conditions(r.conditions, in + "  ");
    }
  }
  void machine(const MachineSource& m, const std::string& in) {
    line(in.c_str(), "machine", m.name, m.default_state);
    position(m.position, in);
    for (const std::string& b : m.behaviours) line(in.c_str(), "behaviour", b);
    routes(m.entry, "entry", in);
    routes(m.after_exit, "after exit", in);
    for (const TransitionSource& t : m.any) transition(t, in + "any ");
    for (const StateSource& s : m.states) {
      line(in.c_str(), "state", s.name, s.speed, s.cycle_offset, s.mirror, s.write_defaults,
           s.foot_ik, s.tag, s.speed_parameter, s.cycle_offset_parameter, s.mirror_parameter,
           s.time_parameter);
      position(s.position, in);
      for (const std::string& b : s.behaviours) line(in.c_str(), "behaviour", b);
      node(s.motion, in + "  ");
      for (const TransitionSource& t : s.transitions) transition(t, in + "  ");
    }
    for (const MachineSource& child : m.machines) machine(child, in + "  ");
  }

  std::string out_;
};

}  // namespace sinew::unity
