#include <algorithm>
#include <vector>

#include <sinew/scene/controller_json.hpp>
#include <sinew/scene/format_json.hpp>
#include <sinew/scene/rig_json.hpp>

#include "json_text.hpp"
#include "json_value.hpp"
#include "migrate.hpp"

namespace sinew {
namespace {

bool is_note(const std::string& key) {
  return key == "$schema" || (!key.empty() && key.front() == '_');
}

bool has_notes(const Json& json) {
  if (!json.is_structured()) return false;
  for (const auto& [key, value] : json.items()) {
    if ((json.is_object() && is_note(key)) || has_notes(value)) return true;
  }
  return false;
}

// Written numbers such as 1.0 and 1e0 become 1.
void plain_numbers(Json& json) {
  if (json.is_number_float()) {
    json = scene_detail::json_number(json.get<double>());
  } else if (json.is_structured()) {
    for (auto& value : json) plain_numbers(value);
  }
}

void carry_notes(const Json& from, Json& into);

// Members of `into` in their order; notes of `from` before the member that followed them there, the
// rest of them last.
void carry_members(const Json& from, Json& into) {
  Json out = Json::object();
  std::vector<std::pair<std::string, const Json*>> waiting;
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, const Json*>>>> before;
  for (const auto& [key, value] : from.items()) {
    // A member left out as a default stays if there are notes inside.
    if (is_note(key) || (!into.contains(key) && has_notes(value))) {
      waiting.emplace_back(key, &value);
    } else if (into.contains(key) && !waiting.empty()) {
      before.emplace_back(key, std::move(waiting));
      waiting.clear();
    }
  }
  for (auto& [key, value] : into.items()) {
    for (const auto& [next, notes] : before) {
      if (next != key) continue;
      for (const auto& [name, note] : notes) out[name] = *note;
    }
    const auto old = from.find(key);
    if (old != from.end()) carry_notes(*old, value);
    out[key] = value;
  }
  for (const auto& [name, note] : waiting) out[name] = *note;
  into = std::move(out);
}

void carry_notes(const Json& from, Json& into) {
  if (!has_notes(from)) return;
  if (from.is_object() && into.is_object()) {
    carry_members(from, into);
  } else if (from.is_array() && into.is_array() && from.size() == into.size()) {
    for (std::size_t i = 0; i < from.size(); ++i) carry_notes(from[i], into[i]);
  } else {
    into = from;  // a form that has no room for notes
  }
}

// Blend trees whose thresholds are spread over a "range" keep it.
void carry_ranges(const Json& from, Json& into) {
  if (from.is_array() && into.is_array() && from.size() == into.size()) {
    for (std::size_t i = 0; i < from.size(); ++i) carry_ranges(from[i], into[i]);
    return;
  }
  if (!from.is_object() || !into.is_object()) return;
  for (auto& [key, value] : into.items()) {
    const auto old = from.find(key);
    if (old != from.end()) carry_ranges(*old, value);
  }
  const auto range = from.find("range");
  if (range == from.end() || !from.contains("blend") || !into.contains("children")) return;
  Json out = Json::object();
  for (auto& [key, value] : into.items()) {
    if (key == "children") {
      Json numbers = *range;
      plain_numbers(numbers);
      out["range"] = std::move(numbers);
      for (Json& child : value) child.erase("threshold");
    }
    out[key] = value;
  }
  into = std::move(out);
}

// The order of the members of an object, by the key that it stands under ("*": of any).
struct KeyOrder {
  std::string_view kind, under;
  std::vector<std::string_view> keys;
};

const std::vector<KeyOrder>& key_orders() {
  static const std::vector<KeyOrder> orders = {
      {"character",
       "",
       {"sinew", "$schema", "name", "model", "controller", "rig", "scale", "speed", "root_motion",
        "motions", "masks", "mirror", "roles"}},
      {"character",
       "root_motion",
       {"enabled", "joint", "bake_rotation", "bake_y", "bake_xz", "rotation_basis", "y_basis",
        "xz_basis", "rotation_offset", "y_offset"}},
      {"character", "motions.*", {"clip", "loop", "loop_pose", "speed", "travel", "root_motion"}},
      {"character", "masks.*", {"subtree", "inside", "outside", "joints"}},
      {"scene",
       "",
       {"sinew", "$schema", "name", "seed", "tick_rate", "duration", "pose_rate", "max_characters",
        "ground", "camera", "characters"}},
      {"scene", "ground", {"type", "height"}},
      {"scene", "camera", {"mode", "character", "yaw", "pitch", "distance"}},
      {"scene",
       "characters",
       {"name", "character", "position", "yaw", "spawn_at", "parameters", "patrol", "script"}},
      {"scene",
       "patrol",
       {"points", "speed", "speed_parameter", "move", "reach", "turn_half_life", "speed_half_life",
        "loop"}},
      {"scene", "points", {"at", "speed", "wait"}},
      {"scene",
       "script",
       {"at", "set", "trigger", "play", "from", "cross_fade", "seconds", "offset", "speed", "place",
        "yaw", "despawn"}},
  };
  return orders;
}

const KeyOrder* order_of(std::string_view kind, std::string_view under) {
  for (const KeyOrder& order : key_orders()) {
    if (order.kind == kind && order.under == under) return &order;
  }
  return nullptr;
}

// Known keys in their order; notes stay before the member that follows them; what is not known
// stays in its order, last.
void sort_members(Json& json, const KeyOrder& order) {
  struct Member {
    std::size_t rank;
    std::vector<std::pair<std::string, Json>> entries;  // notes, then the member
  };
  std::vector<Member> members;
  std::vector<std::pair<std::string, Json>> notes;
  for (auto& [key, value] : json.items()) {
    notes.emplace_back(key, std::move(value));
    const auto known = std::find(order.keys.begin(), order.keys.end(), key);
    // "$schema" has a place of its own.
    if (is_note(key) && known == order.keys.end()) continue;
    members.push_back({static_cast<std::size_t>(known - order.keys.begin()), std::move(notes)});
    notes.clear();
  }
  std::stable_sort(members.begin(), members.end(),
                   [](const Member& a, const Member& b) { return a.rank < b.rank; });
  Json out = Json::object();
  for (Member& member : members) {
    for (auto& [key, value] : member.entries) out[key] = std::move(value);
  }
  for (auto& [key, value] : notes) out[key] = std::move(value);
  json = std::move(out);
}

void sort_keys(Json& json, std::string_view kind, const std::string& under) {
  if (json.is_array()) {
    for (Json& value : json) sort_keys(value, kind, under);
    return;
  }
  if (!json.is_object()) return;
  const KeyOrder* order = order_of(kind, under);
  if (order) sort_members(json, *order);
  const bool names = order_of(kind, under + ".*") != nullptr;  // keys are names of things
  for (auto& [key, value] : json.items()) {
    if (!is_note(key)) sort_keys(value, kind, names ? under + ".*" : key);
  }
}

// What the kind's own writer makes of it; nothing after an error.
std::optional<std::string> rewritten(const Json& json, const std::string& kind,
                                     std::string_view file, Findings& findings) {
  const std::string text = json.dump();
  if (kind == "controller") {
    const Result<ControllerSource> source = parse_controller(text, file, &findings);
    return source ? std::optional(write_controller(*source)) : std::nullopt;
  }
  const Result<RigSource> source = parse_rig_json(text, file, findings);
  return source ? std::optional(write_rig_json(*source)) : std::nullopt;
}

}  // namespace

Result<FormattedFile> format_json_file(std::string_view text, std::string_view file,
                                       Findings* findings) {
  Findings own;
  const auto failed = [&]() -> Error {
    Error error = first_error(own);
    if (findings) findings->insert(findings->end(), own.begin(), own.end());
    return error;
  };
  std::optional<Json> json = parse_json(text, std::string(file), own);
  if (!json || has_errors(own)) return failed();
  const scene_detail::Migrated migrated =
      scene_detail::migrate(*json, scene_detail::format_versions(), scene_detail::migrations());
  if (!migrated.fault.empty()) {
    own.push_back({Severity::kError, "file.version", migrated.fault, "sinew", migrated.hint,
                   std::string(file)});
    return failed();
  }
  Json out = *json;
  if (migrated.kind == "controller" || migrated.kind == "rig") {
    const std::optional<std::string> canonical = rewritten(*json, migrated.kind, file, own);
    if (!canonical) return failed();
    out = Json::parse(*canonical);
    if (migrated.kind == "controller") carry_ranges(*json, out);
    carry_notes(*json, out);
  } else {
    plain_numbers(out);
    sort_keys(out, migrated.kind, "");
  }
  if (findings) findings->insert(findings->end(), own.begin(), own.end());
  return FormattedFile{scene_detail::json_text(out), migrated.kind, migrated.from, migrated.to};
}

}  // namespace sinew
