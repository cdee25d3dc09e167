#include <sinew/scene/controller_json.hpp>

#include "controller_condition.hpp"
#include "json_text.hpp"

namespace sinew {
namespace {

using scene_detail::Json;
using scene_detail::json_number;

template <class T>
Json list_of(const std::vector<T>& values, Json (*write)(const T&)) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(write(value));
  return list;
}

Json write_conditions(const std::vector<ConditionSource>& conditions) {
  Json list = Json::array();
  for (const ConditionSource& c : conditions) list.push_back(scene_detail::write_condition(c));
  return list;
}

void write_position(Json& json, const std::optional<Vec2>& position) {
  if (!position) return;
  json["position"] = Json::array({json_number(static_cast<double>(position->x)),
                                  json_number(static_cast<double>(position->y))});
}

void write_text(Json& json, const char* key, const std::string& value) {
  if (!value.empty()) json[key] = value;
}

void write_number(Json& json, const char* key, double value, double usual) {
  if (value != usual) json[key] = json_number(value);
}

void write_flag(Json& json, const char* key, bool value, bool usual) {
  if (value != usual) json[key] = value;
}

Json write_parameter(const ParameterSource& p) {
  Json json;
  json["name"] = p.name;
  json["type"] = to_string(p.type);
  if (p.value != 0) {
    const bool flag = p.type == ParameterType::kBool || p.type == ParameterType::kTrigger;
    json["default"] = flag ? Json(true) : json_number(p.value);
  }
  return json;
}

Json write_event(const MotionEventSource& event) {
  Json json;
  json["time"] = json_number(event.time);
  json["name"] = event.name;
  return json;
}

Json write_pairs(const std::vector<std::pair<double, double>>& pairs) {
  Json list = Json::array();
  for (const auto& [a, b] : pairs) list.push_back(Json::array({json_number(a), json_number(b)}));
  return list;
}

Json write_curve(const MotionCurveSource& curve) {
  Json json;
  json["parameter"] = curve.parameter;
  json["keys"] = write_pairs(curve.keys);
  return json;
}

Json write_motion(const MotionSource& m) {
  Json json;
  json["name"] = m.name;
  if (m.clip) json["clip"] = *m.clip;
  if (m.length) json["length"] = json_number(*m.length);
  if (m.loop) json["loop"] = *m.loop;
  if (m.value) json["value"] = json_number(*m.value);
  if (!m.events.empty()) json["events"] = list_of(m.events, write_event);
  if (!m.markers.empty()) json["markers"] = list_of(m.markers, write_event);
  if (!m.curves.empty()) json["curves"] = list_of(m.curves, write_curve);
  write_flag(json, "mirror", m.mirror, false);
  write_number(json, "cycle_offset", m.cycle_offset, 0);
  if (m.reference || m.reference_time != 0) {
    Json reference = Json::object();
    if (m.reference) reference["motion"] = *m.reference;
    write_number(reference, "time", m.reference_time, 0);
    json["reference"] = std::move(reference);
  }
  return json;
}

Json write_node(const MotionNodeSource& node);

Json write_child(const MotionNodeSource& tree, const TreeChildSource& child) {
  Json json;
  json["motion"] = write_node(child.node);
  if (tree.type == TreeType::k1D) {
    json["threshold"] = json_number(child.threshold);
  } else if (tree.type == TreeType::kDirect) {
    json["weight"] = child.parameter;
  } else {
    json["position"] = Json::array({json_number(child.x), json_number(child.y)});
  }
  write_number(json, "time_scale", child.time_scale, 1);
  write_number(json, "cycle_offset", child.cycle_offset, 0);
  write_flag(json, "mirror", child.mirror, false);
  return json;
}

Json write_node(const MotionNodeSource& node) {
  if (node.kind == MotionNodeSource::Kind::kNone) return nullptr;
  if (node.kind == MotionNodeSource::Kind::kMotion) return node.motion;
  Json json;
  json["blend"] = to_string(node.type);
  write_text(json, "name", node.name);
  write_text(json, "x", node.x);
  write_text(json, "y", node.y);
  write_flag(json, "normalize", node.normalize, false);
  Json children = Json::array();
  for (const TreeChildSource& child : node.children) children.push_back(write_child(node, child));
  json["children"] = std::move(children);
  return json;
}

Json write_transition(const TransitionSource& t) {
  const TransitionSource usual;
  Json json;
  write_text(json, "name", t.name);
  json["to"] = t.to;
  if (!t.conditions.empty()) json["when"] = write_conditions(t.conditions);
  if (t.exit_time) json["exit_time"] = json_number(*t.exit_time);
  write_number(json, "duration", t.duration, usual.duration);
  write_flag(json, "fixed", t.fixed, usual.fixed);
  write_number(json, "offset", t.offset, usual.offset);
  if (t.interruption != usual.interruption) json["interruption"] = to_string(t.interruption);
  write_flag(json, "ordered", t.ordered, usual.ordered);
  write_flag(json, "to_self", t.to_self, usual.to_self);
  write_flag(json, "mute", t.mute, usual.mute);
  write_flag(json, "solo", t.solo, usual.solo);
  if (t.blend != usual.blend) json["blend"] = to_string(t.blend);
  if (t.curve == TransitionCurve::kPoints) {
    json["curve"] = write_pairs(t.curve_points);
  } else if (t.curve != usual.curve) {
    json["curve"] = to_string(t.curve);
  }
  write_flag(json, "match_phase", t.match_phase, usual.match_phase);
  return json;
}

Json write_route(const RouteSource& r) {
  Json json;
  json["to"] = r.to;
  if (!r.conditions.empty()) json["when"] = write_conditions(r.conditions);
  write_flag(json, "mute", r.mute, false);
  write_flag(json, "solo", r.solo, false);
  return json;
}

Json write_state(const StateSource& s) {
  Json json;
  json["name"] = s.name;
  if (s.motion.kind != MotionNodeSource::Kind::kNone) json["motion"] = write_node(s.motion);
  write_number(json, "speed", s.speed, 1);
  write_text(json, "speed_parameter", s.speed_parameter);
  write_number(json, "cycle_offset", s.cycle_offset, 0);
  write_text(json, "cycle_offset_parameter", s.cycle_offset_parameter);
  write_flag(json, "mirror", s.mirror, false);
  write_text(json, "mirror_parameter", s.mirror_parameter);
  write_text(json, "time_parameter", s.time_parameter);
  write_flag(json, "write_defaults", s.write_defaults, true);
  write_flag(json, "foot_ik", s.foot_ik, false);
  write_flag(json, "sync_markers", s.sync_markers, false);
  write_text(json, "tag", s.tag);
  if (!s.behaviours.empty()) json["behaviours"] = s.behaviours;
  write_position(json, s.position);
  if (!s.transitions.empty()) json["transitions"] = list_of(s.transitions, write_transition);
  return json;
}

void write_machine_body(Json& json, const MachineSource& m);

Json write_machine(const MachineSource& m) {
  Json json;
  json["name"] = m.name;
  write_machine_body(json, m);
  return json;
}

void write_machine_body(Json& json, const MachineSource& m) {
  write_text(json, "default", m.default_state);
  if (!m.entry.empty()) json["entry"] = list_of(m.entry, write_route);
  if (!m.any.empty()) json["any"] = list_of(m.any, write_transition);
  if (!m.states.empty()) json["states"] = list_of(m.states, write_state);
  if (!m.machines.empty()) json["machines"] = list_of(m.machines, write_machine);
  if (!m.after_exit.empty()) json["after_exit"] = list_of(m.after_exit, write_route);
  if (!m.behaviours.empty()) json["behaviours"] = m.behaviours;
  write_position(json, m.position);
}

Json write_synced(const SyncedMotionSource& synced) {
  Json json;
  json["state"] = synced.state;
  json["motion"] = write_node(synced.motion);
  return json;
}

Json write_layer(const LayerSource& layer) {
  Json json;
  json["name"] = layer.name;
  if (layer.blending != LayerBlending::kOverride) json["blending"] = to_string(layer.blending);
  write_number(json, "weight", layer.weight, 1);
  write_text(json, "mask", layer.mask);
  if (layer.root_motion) json["root_motion"] = *layer.root_motion;
  write_flag(json, "ik_pass", layer.ik_pass, false);
  write_text(json, "sync", layer.sync);
  write_flag(json, "sync_timing", layer.sync_timing, false);
  if (!layer.synced_motions.empty()) json["motions"] = list_of(layer.synced_motions, write_synced);
  write_machine_body(json, layer.root);
  return json;
}

Json write_policy(const ControllerPolicy& p) {
  const ControllerPolicy usual;
  Json json = Json::object();
  if (p.non_loop_exit != usual.non_loop_exit) json["non_loop_exit"] = "latched";
  if (p.damping != usual.damping) json["damping"] = "proportional";
  const auto flag = [&](const char* key, bool ControllerPolicy::* member) {
    write_flag(json, key, p.*member, usual.*member);
  };
  for (const auto& [key, member] : scene_detail::kPolicyFlags) flag(key, member);
  return json;
}

}  // namespace

std::string write_controller(const ControllerSource& source) {
  Json json;
  json["sinew"] = "controller/1";
  write_text(json, "name", source.name);
  json["parameters"] = list_of(source.parameters, write_parameter);
  if (!source.motions.empty()) json["motions"] = list_of(source.motions, write_motion);
  json["layers"] = list_of(source.layers, write_layer);
  Json policy = write_policy(source.policy);
  if (!policy.empty()) json["policy"] = std::move(policy);
  return scene_detail::json_text(json);
}

}  // namespace sinew
