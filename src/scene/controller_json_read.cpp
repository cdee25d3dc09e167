#include <cmath>
#include <fstream>

#include <sinew/base/text.hpp>
#include <sinew/scene/controller_json.hpp>

#include "controller_condition.hpp"
#include "json_reader.hpp"

namespace sinew {
namespace {

using scene_detail::Json;
using scene_detail::JsonReader;

// "states[2] 'Walk'".
std::string item_place(const std::string& place, const char* list, std::size_t index,
                       const Json& item, const char* name_key = "name") {
  std::string out = place.empty() ? "" : place + ": ";
  out += list;
  out += "[" + std::to_string(index) + "]";
  if (item.is_object()) {
    const auto name = item.find(name_key);
    if (name != item.end() && name->is_string()) out += " '" + name->get<std::string>() + "'";
  }
  return out;
}

class ControllerReader {
 public:
  explicit ControllerReader(JsonReader& reader) : r_(reader) {}

  ControllerSource controller(const Json& json) {
    ControllerSource source;
    r_.only_keys(json, "",
                 {"sinew", "$schema", "name", "parameters", "motions", "layers", "policy"});
    r_.text(json, "name", "", source.name);
    each(json, "parameters", "", [&](const Json& item, const std::string& place) {
      source.parameters.push_back(parameter(item, place));
    });
    each(json, "motions", "", [&](const Json& item, const std::string& place) {
      source.motions.push_back(motion(item, place));
    });
    if (json.contains("policy")) policy(json["policy"], source.policy);
    if (!json.contains("layers")) r_.error("missing_key", "", "the key 'layers' is missing");
    each(json, "layers", "", [&](const Json& item, const std::string& place) {
      source.layers.push_back(layer(item, place));
    });
    return source;
  }

 private:
  // Calls read(item, place) for every object in the list `key`.
  template <class Read>
  void each(const Json& json, const char* key, const std::string& place, Read read,
            const char* name_key = "name") {
    const auto found = json.find(key);
    if (found == json.end()) return;
    if (!r_.array(*found, place.empty() ? key : place + ": " + key)) return;
    for (std::size_t i = 0; i < found->size(); ++i) {
      const std::string where = item_place(place, key, i, (*found)[i], name_key);
      if (r_.object((*found)[i], where)) read((*found)[i], where);
    }
  }

  ParameterSource parameter(const Json& json, const std::string& place) {
    ParameterSource p;
    r_.only_keys(json, place, {"name", "type", "default"});
    r_.text(json, "name", place, p.name, true);
    constexpr ParameterType kTypes[] = {ParameterType::kFloat, ParameterType::kInt,
                                        ParameterType::kBool, ParameterType::kTrigger};
    const int type = r_.word(json, "type", place, {"float", "int", "bool", "trigger"}, true);
    if (type >= 0) p.type = kTypes[type];
    const auto value = json.find("default");
    if (value == json.end()) return p;
    if (p.type == ParameterType::kFloat || p.type == ParameterType::kInt) {
      r_.number(json, "default", place, p.value);
      if (p.type == ParameterType::kInt && p.value != std::floor(p.value)) {
        r_.error("type", place, "'default' of an int is not a whole number");
      }
    } else {
      bool set = false;
      if (r_.flag(json, "default", place, set)) p.value = set ? 1 : 0;
    }
    return p;
  }

  MotionSource motion(const Json& json, const std::string& place) {
    MotionSource m;
    r_.only_keys(json, place,
                 {"name", "clip", "length", "loop", "value", "events", "markers", "curves",
                  "mirror", "cycle_offset", "reference"});
    r_.text(json, "name", place, m.name, true);
    std::string clip;
    if (r_.text(json, "clip", place, clip)) m.clip = clip;
    double number = 0;
    if (r_.number(json, "length", place, number)) m.length = number;
    bool loop = false;
    if (r_.flag(json, "loop", place, loop)) m.loop = loop;
    if (r_.number(json, "value", place, number)) m.value = number;
    r_.flag(json, "mirror", place, m.mirror);
    r_.number(json, "cycle_offset", place, m.cycle_offset);
    named_times(json, "events", place, m.events);
    named_times(json, "markers", place, m.markers);
    each(
        json, "curves", place,
        [&](const Json& item, const std::string& where) { m.curves.push_back(curve(item, where)); },
        "parameter");
    const auto reference = json.find("reference");
    if (reference == json.end()) return m;
    const std::string where = place + ": reference";
    if (!r_.object(*reference, where)) return m;
    r_.only_keys(*reference, where, {"motion", "time"});
    std::string name;
    if (r_.text(*reference, "motion", where, name)) m.reference = name;
    r_.number(*reference, "time", where, m.reference_time);
    return m;
  }

  void named_times(const Json& json, const char* key, const std::string& place,
                   std::vector<MotionEventSource>& out) {
    each(json, key, place, [&](const Json& item, const std::string& where) {
      MotionEventSource event;
      r_.only_keys(item, where, {"time", "name"});
      r_.number(item, "time", where, event.time, true);
      r_.text(item, "name", where, event.name, true);
      out.push_back(event);
    });
  }

  MotionCurveSource curve(const Json& json, const std::string& place) {
    MotionCurveSource c;
    r_.only_keys(json, place, {"parameter", "keys"});
    r_.text(json, "parameter", place, c.parameter, true);
    r_.pairs(json, "keys", place, c.keys);
    return c;
  }

  void policy(const Json& json, ControllerPolicy& policy) {
    const std::string place = "policy";
    if (!r_.object(json, place)) return;
    r_.only_keys(json, place,
                 {"non_loop_exit",
                  "damping",
                  "carry_exit_overshoot",
                  "cycle_offset_on_motion_time",
                  "triggers_visible_to_all_layers",
                  "start_after_completion",
                  "ordered_stops_whole_queue",
                  "any_interrupts_cross_fade",
                  "advance_on_command",
                  "events_at_zero_weight",
                  "unity_simple_directional",
                  "exit_time_backwards",
                  "any_exit_time_of_next",
                  "motion_time_drives_exit",
                  "inner_any_first",
                  "self_rule_covers_current",
                  "frozen_pose_stands_still",
                  "empty_states_let_through",
                  "mixed_write_defaults_off",
                  "enter_before_exit",
                  "events_of_every_loop"});
    const int exit = r_.word(json, "non_loop_exit", place, {"virtual_loop", "latched"});
    if (exit == 1) policy.non_loop_exit = ControllerPolicy::NonLoopExit::kLatched;
    const int damping = r_.word(json, "damping", place, {"exponential", "proportional"});
    if (damping == 1) policy.damping = ControllerPolicy::Damping::kProportional;
    for (const auto& [key, member] : scene_detail::kPolicyFlags) {
      r_.flag(json, key, place, policy.*member);
    }
  }

  LayerSource layer(const Json& json, const std::string& place) {
    LayerSource l;
    r_.only_keys(
        json, place,
        {"name", "blending", "weight", "mask", "root_motion", "ik_pass", "sync", "sync_timing",
         "motions", "default", "entry", "any", "states", "machines", "behaviours", "position"});
    r_.text(json, "name", place, l.name, true);
    if (r_.word(json, "blending", place, {"override", "additive"}) == 1) {
      l.blending = LayerBlending::kAdditive;
    }
    r_.number(json, "weight", place, l.weight);
    r_.text(json, "mask", place, l.mask);
    bool root_motion = false;
    if (r_.flag(json, "root_motion", place, root_motion)) l.root_motion = root_motion;
    r_.flag(json, "ik_pass", place, l.ik_pass);
    r_.text(json, "sync", place, l.sync);
    r_.flag(json, "sync_timing", place, l.sync_timing);
    each(
        json, "motions", place,
        [&](const Json& item, const std::string& where) {
          SyncedMotionSource synced;
          r_.only_keys(item, where, {"state", "motion"});
          r_.text(item, "state", where, synced.state, true);
          if (item.contains("motion")) synced.motion = node(item["motion"], where + ": motion", 0);
          l.synced_motions.push_back(std::move(synced));
        },
        "state");
    machine_body(json, place, l.root, 0);
    return l;
  }

  void machine_body(const Json& json, const std::string& place, MachineSource& m, int depth) {
    r_.text(json, "default", place, m.default_state);
    each(
        json, "entry", place,
        [&](const Json& item, const std::string& where) { m.entry.push_back(route(item, where)); },
        "to");
    each(
        json, "any", place,
        [&](const Json& item, const std::string& where) {
          m.any.push_back(transition(item, where));
        },
        "to");
    each(json, "states", place, [&](const Json& item, const std::string& where) {
      m.states.push_back(state(item, where));
    });
    each(json, "machines", place, [&](const Json& item, const std::string& where) {
      constexpr int kDeepest = 32;
      if (depth >= kDeepest) {
        r_.error("too_deep", where, "machines are nested too deeply");
        return;
      }
      MachineSource child;
      r_.only_keys(item, where,
                   {"name", "default", "entry", "any", "states", "machines", "after_exit",
                    "behaviours", "position"});
      r_.text(item, "name", where, child.name, true);
      machine_body(item, where, child, depth + 1);
      m.machines.push_back(std::move(child));
    });
    each(
        json, "after_exit", place,
        [&](const Json& item, const std::string& where) {
          m.after_exit.push_back(route(item, where));
        },
        "to");
    r_.texts(json, "behaviours", place, m.behaviours);
    position(json, place, m.position);
  }

  void position(const Json& json, const std::string& place, std::optional<Vec2>& out) {
    double x = 0, y = 0;
    if (r_.pair(json, "position", place, x, y)) {
      out = Vec2{static_cast<float>(x), static_cast<float>(y)};
    }
  }

  StateSource state(const Json& json, const std::string& place) {
    StateSource s;
    r_.only_keys(
        json, place,
        {"name", "motion", "speed", "speed_parameter", "cycle_offset", "cycle_offset_parameter",
         "mirror", "mirror_parameter", "time_parameter", "write_defaults", "foot_ik",
         "sync_markers", "tag", "behaviours", "position", "transitions"});
    r_.text(json, "name", place, s.name, true);
    if (json.contains("motion")) s.motion = node(json["motion"], place + ": motion", 0);
    r_.number(json, "speed", place, s.speed);
    r_.text(json, "speed_parameter", place, s.speed_parameter);
    r_.number(json, "cycle_offset", place, s.cycle_offset);
    r_.text(json, "cycle_offset_parameter", place, s.cycle_offset_parameter);
    r_.flag(json, "mirror", place, s.mirror);
    r_.text(json, "mirror_parameter", place, s.mirror_parameter);
    r_.text(json, "time_parameter", place, s.time_parameter);
    r_.flag(json, "write_defaults", place, s.write_defaults);
    r_.flag(json, "foot_ik", place, s.foot_ik);
    r_.flag(json, "sync_markers", place, s.sync_markers);
    r_.text(json, "tag", place, s.tag);
    r_.texts(json, "behaviours", place, s.behaviours);
    position(json, place, s.position);
    each(
        json, "transitions", place,
        [&](const Json& item, const std::string& where) {
          s.transitions.push_back(transition(item, where));
        },
        "to");
    return s;
  }

  TransitionSource transition(const Json& json, const std::string& place) {
    TransitionSource t;
    r_.only_keys(json, place,
                 {"name", "to", "when", "exit_time", "duration", "fixed", "offset", "interruption",
                  "ordered", "to_self", "mute", "solo", "blend", "curve", "match_phase"});
    r_.text(json, "name", place, t.name);
    r_.text(json, "to", place, t.to, true);
    conditions(json, place, t.conditions);
    double exit_time = 0;
    if (r_.number(json, "exit_time", place, exit_time)) t.exit_time = exit_time;
    r_.number(json, "duration", place, t.duration);
    r_.flag(json, "fixed", place, t.fixed);
    r_.number(json, "offset", place, t.offset);
    const int source =
        r_.word(json, "interruption", place,
                {"none", "current", "next", "current_then_next", "next_then_current"});
    if (source >= 0) t.interruption = static_cast<Interruption>(source);
    r_.flag(json, "ordered", place, t.ordered);
    r_.flag(json, "to_self", place, t.to_self);
    r_.flag(json, "mute", place, t.mute);
    r_.flag(json, "solo", place, t.solo);
    const int blend = r_.word(json, "blend", place, {"cross_fade", "inertialize", "dead_blend"});
    if (blend >= 0) t.blend = static_cast<TransitionBlend>(blend);
    transition_curve(json, place, t);
    r_.flag(json, "match_phase", place, t.match_phase);
    return t;
  }

  // A word, or the points of a polygon.
  void transition_curve(const Json& json, const std::string& place, TransitionSource& t) {
    const auto found = json.find("curve");
    if (found == json.end()) return;
    if (!found->is_array()) {
      const int word = r_.word(json, "curve", place, {"linear", "smooth", "ease_in", "ease_out"});
      if (word >= 0) t.curve = static_cast<TransitionCurve>(word);
      return;
    }
    t.curve = TransitionCurve::kPoints;
    r_.pairs(json, "curve", place, t.curve_points);
  }

  RouteSource route(const Json& json, const std::string& place) {
    RouteSource route;
    r_.only_keys(json, place, {"to", "when", "mute", "solo"});
    r_.text(json, "to", place, route.to, true);
    conditions(json, place, route.conditions);
    r_.flag(json, "mute", place, route.mute);
    r_.flag(json, "solo", place, route.solo);
    return route;
  }

  // "when": one condition or a list of them.
  void conditions(const Json& json, const std::string& place, std::vector<ConditionSource>& out) {
    const auto found = json.find("when");
    if (found == json.end()) return;
    if (!found->is_array()) {
      condition(*found, place + ": when", out);
      return;
    }
    for (const Json& item : *found) condition(item, place + ": when", out);
  }

  void condition(const Json& json, const std::string& place, std::vector<ConditionSource>& out) {
    ConditionSource c;
    if (json.is_string()) {
      std::string message;
      const auto text = json.get<std::string>();
      if (scene_detail::parse_condition(text, c, message)) {
        out.push_back(c);
      } else {
        r_.error("condition", place, "\"" + text + "\": " + message,
                 "write \"jump\", \"!grounded\", \"speed > 0.1\" or \"count == 3\"");
      }
      return;
    }
    if (!r_.object(json, place)) return;
    r_.only_keys(json, place, {"parameter", "mode", "threshold"});
    r_.text(json, "parameter", place, c.parameter, true);
    constexpr ConditionMode kModes[] = {ConditionMode::kIf,      ConditionMode::kIfNot,
                                        ConditionMode::kGreater, ConditionMode::kLess,
                                        ConditionMode::kEquals,  ConditionMode::kNotEqual};
    const int mode = r_.word(json, "mode", place,
                             {"if", "if_not", "greater", "less", "equals", "not_equal"}, true);
    if (mode >= 0) c.mode = kModes[mode];
    r_.number(json, "threshold", place, c.threshold);
    out.push_back(c);
  }

  MotionNodeSource node(const Json& json, const std::string& place, int depth) {
    MotionNodeSource n;
    if (json.is_null()) return n;
    if (json.is_string()) {
      n.kind = MotionNodeSource::Kind::kMotion;
      n.motion = json.get<std::string>();
      return n;
    }
    if (!json.is_object()) {
      r_.error("type", place, "is neither a name nor a blend tree");
      return n;
    }
    constexpr int kDeepest = 16;
    if (depth >= kDeepest) {
      r_.error("too_deep", place, "blend trees are nested too deeply");
      return n;
    }
    tree(json, place, depth, n);
    return n;
  }

  void tree(const Json& json, const std::string& place, int depth, MotionNodeSource& n) {
    n.kind = MotionNodeSource::Kind::kTree;
    r_.only_keys(json, place, {"blend", "name", "x", "y", "normalize", "range", "children"});
    const int type = r_.word(
        json, "blend", place,
        {"1d", "simple_directional", "freeform_directional", "freeform_cartesian", "direct"}, true);
    if (type >= 0) n.type = static_cast<TreeType>(type);
    r_.text(json, "name", place, n.name);
    r_.text(json, "x", place, n.x);
    r_.text(json, "y", place, n.y);
    r_.flag(json, "normalize", place, n.normalize);
    double low = 0, high = 0;
    const bool automatic = r_.pair(json, "range", place, low, high);
    each(json, "children", place, [&](const Json& item, const std::string& where) {
      n.children.push_back(child(item, where, depth, n.type, automatic));
    });
    if (!automatic) return;
    // Rules, 9.2: evenly spaced.
    const auto count = static_cast<double>(n.children.size());
    for (std::size_t i = 0; i < n.children.size(); ++i) {
      n.children[i].threshold =
          count > 1 ? low + (high - low) * static_cast<double>(i) / (count - 1) : low;
    }
  }

  TreeChildSource child(const Json& json, const std::string& place, int depth, TreeType type,
                        bool automatic) {
    TreeChildSource c;
    r_.only_keys(
        json, place,
        {"motion", "threshold", "position", "weight", "time_scale", "cycle_offset", "mirror"});
    if (json.contains("motion")) {
      c.node = node(json["motion"], place + ": motion", depth + 1);
    } else {
      r_.error("missing_key", place, "the key 'motion' is missing");
    }
    const bool direct = type == TreeType::kDirect, line = type == TreeType::k1D;
    if (line) r_.number(json, "threshold", place, c.threshold, !automatic);
    if (direct) r_.text(json, "weight", place, c.parameter, true);
    if (!line && !direct && !r_.pair(json, "position", place, c.x, c.y) &&
        !json.contains("position")) {
      r_.error("missing_key", place, "the key 'position' is missing");
    }
    r_.number(json, "time_scale", place, c.time_scale);
    r_.number(json, "cycle_offset", place, c.cycle_offset);
    r_.flag(json, "mirror", place, c.mirror);
    return c;
  }

  JsonReader& r_;
};

}  // namespace

Result<ControllerSource> parse_controller(std::string_view text, std::string_view file,
                                          Findings* findings) {
  Findings own;
  JsonReader reader("controller", std::string(file), own);
  ControllerSource source;
  if (const std::optional<Json> json = reader.parse(text)) {
    if (reader.check_version(*json, "controller", 1))
      source = ControllerReader(reader).controller(*json);
  }
  const std::optional<Error> first = reader.first_error();
  if (findings != nullptr) findings->insert(findings->end(), own.begin(), own.end());
  if (first) return *first;
  return source;
}

Result<ControllerSource> load_controller(const std::string& path, Findings* findings) {
  constexpr std::streamoff kLargest = 64 << 20;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return make_error(ErrorCode::kUnreadable, "cannot be opened", path);
  const std::streamoff size = file.tellg();
  if (size < 0) return make_error(ErrorCode::kUnreadable, "cannot be read", path);
  if (size > kLargest) return make_error(ErrorCode::kLimit, "is larger than 64 MiB", path);
  std::string text(static_cast<std::size_t>(size), '\0');
  file.seekg(0);
  if (!file.read(text.data(), size))
    return make_error(ErrorCode::kUnreadable, "cannot be read", path);
  return parse_controller(text, path, findings);
}

}  // namespace sinew
