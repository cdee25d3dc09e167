#include "gltf/extras.hpp"

#include <algorithm>
#include <utility>

#include <sinew/base/text.hpp>

namespace sinew::gltf {
namespace {

using Basis = RootMotionSettings::Basis;

const Json* sinew_extras(const Json& object, const Place& place) {
  const Json* extras = member(object, "extras");
  if (extras == nullptr || !extras->is_object()) return nullptr;
  const Json* ours = object_of(*extras, "sinew", place);
  if (ours == nullptr) return nullptr;
  const std::size_t version = size_of(*ours, "version", 1, place);
  if (version != 1) fail(place, format_text("version %zu is not known", version));
  return ours;
}

// The joint of a node given by its index, or kNoJoint.
int joint_of(const Json& object, const char* key, const Rig& rig, const Place& place) {
  const int node = index_of(object, key, rig.joint_of_node.size(), place);
  return node < 0 ? kNoJoint : rig.joint_of_node[static_cast<std::size_t>(node)];
}

JointRole role_of(const std::string& name, const Place& place) {
  if (name.empty()) return JointRole::kNone;
  const std::optional<JointRole> role = joint_role_from_string(name);
  if (!role) fail(place, "there is no joint role '" + printable(name) + "'");
  return *role;
}

Basis basis_of(const Json& object, const char* key, const Place& place) {
  const std::string name = string_of(object, key, place);
  if (name.empty() || name == "original") return Basis::kOriginal;
  if (name == "mass_centre") return Basis::kMassCentre;
  if (name == "feet") return Basis::kFeet;
  fail(place,
       std::string(key) + " is '" + printable(name) + "', none of original, mass_centre, feet");
}

RootMotionSettings read_root_motion(const Json& object, const Rig& rig, const Place& place) {
  RootMotionSettings s;
  s.joint = joint_of(object, "node", rig, place);
  s.enabled = bool_of(object, "enabled", s.enabled, place);
  s.bake_rotation = bool_of(object, "bake_rotation", s.bake_rotation, place);
  s.bake_y = bool_of(object, "bake_y", s.bake_y, place);
  s.bake_xz = bool_of(object, "bake_xz", s.bake_xz, place);
  s.rotation_basis = basis_of(object, "rotation_basis", place);
  s.y_basis = basis_of(object, "y_basis", place);
  s.xz_basis = basis_of(object, "xz_basis", place);
  s.rotation_offset = number_of(object, "rotation_offset", 0, place);
  s.y_offset = number_of(object, "y_offset", 0, place);
  return s;
}

std::vector<float> read_numbers(const Json& object, const char* key, const Place& place) {
  std::vector<float> out;
  for (const Json& value : array_of(object, key, place)) {
    float number = 0;
    if (!to_float(value, number))
      fail(place, std::string(key) + " holds something else than numbers");
    out.push_back(number);
  }
  return out;
}

FloatCurve read_curve(const Json& object, const Place& place) {
  require_object(object, place);
  FloatCurve curve;
  curve.name = string_of(object, "name", place);
  curve.default_value = number_of(object, "default", 0, place);
  const std::string kind = string_of(object, "interpolation", place);
  if (kind == "STEP") {
    curve.keys.interpolation = Interpolation::kStep;
  } else if (kind == "CUBICSPLINE") {
    curve.keys.interpolation = Interpolation::kCubicSpline;
  } else if (kind != "LINEAR" && !kind.empty()) {
    fail(place, "interpolation '" + printable(kind) + "' is not known");
  }
  curve.keys.times = read_numbers(object, "times", place);
  curve.keys.values = read_numbers(object, "values", place);
  curve.keys.in_tangents = read_numbers(object, "in_tangents", place);
  curve.keys.out_tangents = read_numbers(object, "out_tangents", place);
  return curve;
}

ClipEvent read_event(const Json& object, const Place& place) {
  require_object(object, place);
  ClipEvent event;
  event.time = number_of(object, "time", 0, place);
  event.name = string_of(object, "name", place);
  event.number = number_of(object, "number", 0, place);
  event.text = string_of(object, "text", place);
  const Json* integer = member(object, "integer");
  if (integer != nullptr) {
    if (!integer->is_number_integer()) fail(place, "integer is no whole number");
    event.integer = static_cast<std::int32_t>(
        std::clamp<std::int64_t>(integer->get<std::int64_t>(), INT32_MIN, INT32_MAX));
  }
  return event;
}

void require_time(float time, float duration, const Place& place) {
  if (!(time >= 0.0f && time <= duration)) {
    fail(place, format_text("%g s lies outside of the clip's %g s", static_cast<double>(time),
                            static_cast<double>(duration)));
  }
}

template <class Entry, class Read>
void read_list(const Json& object, const char* key, const Place& place, std::vector<Entry>& out,
               Read read) {
  long long i = 0;
  for (const Json& entry : array_of(object, key, place)) {
    const Place at{&place, key, i++, {}};
    require_object(entry, at);
    out.push_back(read(entry, at));
  }
}

// Entries of one time keep their order.
template <class Entry>
void sort_by_time(std::vector<Entry>& list) {
  std::vector<std::pair<float, std::size_t>> order;
  for (std::size_t i = 0; i < list.size(); ++i) order.emplace_back(list[i].time, i);
  std::sort(order.begin(), order.end());
  std::vector<Entry> sorted;
  for (const auto& [time, i] : order) sorted.push_back(std::move(list[i]));
  list = std::move(sorted);
}

void read_annotations(const Json& object, const Rig& rig, const Place& place, RawClip& clip) {
  ClipAnnotations& notes = clip.annotations;
  // An animation ends at its last key; the clip may be longer, but not shorter.
  clip.duration = std::max(clip.duration, number_of(object, "duration", 0, place));
  clip.loop = bool_of(object, "loop", false, place);
  notes.loop_pose = bool_of(object, "loop_pose", false, place);
  notes.cycle_offset = number_of(object, "cycle_offset", 0, place);
  read_list(object, "events", place, notes.events, [&](const Json& entry, const Place& at) {
    ClipEvent event = read_event(entry, at);
    require_time(event.time, clip.duration, at);
    return event;
  });
  read_list(object, "contacts", place, notes.contacts, [&](const Json& entry, const Place& at) {
    Contact contact{role_of(string_of(entry, "role", at), at), string_of(entry, "name", at),
                    number_of(entry, "start", 0, at), number_of(entry, "end", 0, at)};
    require_time(contact.start, clip.duration, at);
    require_time(contact.end, clip.duration, at);
    return contact;
  });
  read_list(object, "sync_markers", place, notes.sync_markers,
            [&](const Json& entry, const Place& at) {
              SyncMarker marker{number_of(entry, "time", 0, at), string_of(entry, "name", at)};
              require_time(marker.time, clip.duration, at);
              return marker;
            });
  sort_by_time(notes.events);
  sort_by_time(notes.sync_markers);
  if (const Json* root = object_of(object, "root_motion", place)) {
    notes.root_motion = read_root_motion(*root, rig, place);
  }
  read_list(object, "curves", place, clip.curves,
            [&](const Json& entry, const Place& at) { return read_curve(entry, at); });
}

}  // namespace

void read_clip_extras(Document& document, const Rig& rig, int index, RawClip& clip) {
  const Json& animation = document.list("animations")[static_cast<std::size_t>(index)];
  const Place above{&document.place(), "animation", index, clip.name};
  const Place place{&above, "extras", -1, {}};
  try {
    const Json* extras = sinew_extras(animation, place);
    if (extras == nullptr) return;
    RawClip annotated = clip;
    read_annotations(*extras, rig, place, annotated);
    if (Status status = validate(annotated, rig.skeleton); !status) {
      fail(place, to_string(status.error()));
    }
    clip = std::move(annotated);
  } catch (const Failure& failure) {
    document.warn("gltf.extras", place, to_string(failure.error),
                  "the clip plays without its annotations");
  }
}

void read_model_extras(Document& document, const Rig& rig, Model& model) {
  const Place place{&document.place(), "extras", -1, {}};
  try {
    const Json* extras = sinew_extras(document.root(), place);
    if (extras == nullptr) return;
    RoleMap roles;
    const std::string plan = string_of(*extras, "plan", place);
    if (plan == "biped") roles.plan = BodyPlan::kBiped;
    if (plan == "quadruped") roles.plan = BodyPlan::kQuadruped;
    const Json* list = object_of(*extras, "roles", place);
    if (list == nullptr) return;
    for (const auto& [name, node] : list->items()) {
      roles.set(role_of(name, place), joint_of(*list, name.c_str(), rig, place));
    }
    model.roles = roles;
  } catch (const Failure& failure) {
    document.warn("gltf.extras", place, to_string(failure.error),
                  "roles are found by name instead");
  }
}

}  // namespace sinew::gltf
