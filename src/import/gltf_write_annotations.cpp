#include "gltf_write_annotations.hpp"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

const char* basis_name(RootMotionSettings::Basis basis) {
  switch (basis) {
    case RootMotionSettings::Basis::kOriginal:
      return "original";
    case RootMotionSettings::Basis::kMassCentre:
      return "mass_centre";
    case RootMotionSettings::Basis::kFeet:
      return "feet";
  }
  return "original";
}

Json event_to_json(const ClipEvent& event) {
  Json out;
  out["time"] = event.time;
  out["name"] = event.name;
  if (event.number != 0.0f) out["number"] = event.number;
  if (event.integer != 0) out["integer"] = event.integer;
  if (!event.text.empty()) out["text"] = event.text;
  return out;
}

Json contact_to_json(const Contact& contact) {
  Json out;
  if (contact.role != JointRole::kNone) out["role"] = std::string(to_string(contact.role));
  if (!contact.name.empty()) out["name"] = contact.name;
  out["start"] = contact.start;
  out["end"] = contact.end;
  return out;
}

Json root_motion_to_json(const RootMotionSettings& settings) {
  Json out;
  out["enabled"] = settings.enabled;
  if (settings.joint != kNoJoint) out["node"] = settings.joint;
  out["bake_rotation"] = settings.bake_rotation;
  out["bake_y"] = settings.bake_y;
  out["bake_xz"] = settings.bake_xz;
  out["rotation_basis"] = basis_name(settings.rotation_basis);
  out["y_basis"] = basis_name(settings.y_basis);
  out["xz_basis"] = basis_name(settings.xz_basis);
  if (settings.rotation_offset != 0.0f) out["rotation_offset"] = settings.rotation_offset;
  if (settings.y_offset != 0.0f) out["y_offset"] = settings.y_offset;
  return out;
}

Json curve_to_json(const FloatCurve& curve) {
  Json out;
  out["name"] = curve.name;
  out["default"] = curve.default_value;
  out["interpolation"] = interpolation_name(curve.keys.interpolation);
  out["times"] = curve.keys.times;
  out["values"] = curve.keys.values;
  if (curve.keys.interpolation == Interpolation::kCubicSpline) {
    out["in_tangents"] = curve.keys.in_tangents;
    out["out_tangents"] = curve.keys.out_tangents;
  }
  return out;
}

}  // namespace

const char* interpolation_name(Interpolation interpolation) {
  switch (interpolation) {
    case Interpolation::kStep:
      return "STEP";
    case Interpolation::kLinear:
      return "LINEAR";
    case Interpolation::kCubicSpline:
      return "CUBICSPLINE";
  }
  return "LINEAR";
}

Json annotations_to_json(const RawClip& clip) {
  const ClipAnnotations& notes = clip.annotations;
  Json out;
  out["version"] = 1;
  out["duration"] = clip.duration;
  out["loop"] = clip.loop;
  if (notes.loop_pose) out["loop_pose"] = true;
  if (notes.cycle_offset != 0.0f) out["cycle_offset"] = notes.cycle_offset;
  for (const ClipEvent& event : notes.events) out["events"].push_back(event_to_json(event));
  for (const Contact& contact : notes.contacts) {
    out["contacts"].push_back(contact_to_json(contact));
  }
  for (const SyncMarker& marker : notes.sync_markers) {
    Json entry;
    entry["time"] = marker.time;
    entry["name"] = marker.name;
    out["sync_markers"].push_back(std::move(entry));
  }
  out["root_motion"] = root_motion_to_json(notes.root_motion);
  for (const FloatCurve& curve : clip.curves) out["curves"].push_back(curve_to_json(curve));
  return out;
}

Json model_extras_to_json(const Model& model) {
  Json out;
  out["version"] = 1;
  out["joints"] = model.skeleton.joint_count();
  out["plan"] = to_string(model.roles.plan);
  for (int i = 1; i < kJointRoleCount; ++i) {
    const auto role = static_cast<JointRole>(i);
    if (model.roles.has(role)) {
      out["roles"][std::string(to_string(role))] = model.roles.joint(role);
    }
  }
  return out;
}

}  // namespace sinew
