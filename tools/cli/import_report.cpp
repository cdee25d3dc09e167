#include "import_report.hpp"

#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "clip_facts.hpp"

namespace sinew::cli {

namespace {

// A millionth is finer than any of these is meant; shorter to read, and the same on every machine.
double rounded(double x) { return std::round(x * 1e6) / 1e6 + 0.0; }
double rounded(float x) { return rounded(static_cast<double>(x)); }
Json vector_json(Vec3 v) { return {rounded(v.x), rounded(v.y), rounded(v.z)}; }

const char* unit_from(LengthSource::From from) {
  switch (from) {
    case LengthSource::From::kFormat:
      return "format";
    case LengthSource::From::kFile:
      return "file";
    case LengthSource::From::kGuess:
      return "guess";
    case LengthSource::From::kCaller:
      return "caller";
  }
  return "format";
}

Json skeleton_facts(const Model& model) {
  Json out;
  out["joints"] = model.skeleton.joint_count();
  out["height"] = rounded(model.skeleton.height());
  out["body"] = to_string(model.roles.plan);
  Json& roles = out["roles"] = Json::object();
  for (int i = 1; i < kJointRoleCount; ++i) {
    const auto role = static_cast<JointRole>(i);
    if (!model.roles.has(role)) continue;
    roles[std::string(to_string(role))] = model.skeleton.name(model.roles.joint(role));
  }
  Json& missing = out["missing_roles"] = Json::array();
  for (const JointRole role : missing_roles(model.roles)) missing.push_back(to_string(role));
  return out;
}

Json clip_facts(const RawClip& clip, const Model& model) {
  const ClipFacts facts = facts_of(clip, model);
  return {{"name", clip.name},
          {"seconds", rounded(clip.duration)},
          {"keys", facts.keys},
          {"interpolation", interpolation_text(facts)},
          {"joints", clip.tracks.size()},
          {"curves", clip.curves.size()},
          {"events", clip.annotations.events.size()},
          {"travel", vector_json(facts.travel)},
          {"feet_velocity", vector_json(facts.feet)}};
}

}  // namespace

Json import_facts(const std::string& file, std::string_view format, const Model& model) {
  std::error_code fault;
  const std::uintmax_t bytes = std::filesystem::file_size(file, fault);
  std::size_t vertices = 0, triangles = 0;
  for (const Mesh& mesh : model.meshes) {
    vertices += mesh.positions.size();
    triangles += mesh.indices.size() / 3;
  }
  Json out;
  out["format"] = format;
  out["bytes"] = fault ? 0 : bytes;
  out["unit"] = {{"metres", model.unit.metres_per_unit}, {"from", unit_from(model.unit.from)}};
  out["skeleton"] = skeleton_facts(model);
  Json& clips = out["clips"] = Json::array();
  for (const RawClip& clip : model.clips) clips.push_back(clip_facts(clip, model));
  out["skins"] = model.skins.size();
  out["meshes"] = model.meshes.size();
  out["vertices"] = vertices;
  out["triangles"] = triangles;
  out["materials"] = model.materials.size();
  out["images"] = model.images.size();
  out["sockets"] = model.sockets.size();
  return out;
}

Json import_report(const std::string& file, const Json& facts, const Findings& findings) {
  Json out;
  out["sinew"] = "import-report/1";
  out["file"] = file;
  out["ok"] = facts.is_object() && !has_errors(findings);
  if (facts.is_object()) out.update(facts);
  const std::pair<const char*, Severity> kLists[] = {
      {"errors", Severity::kError}, {"warnings", Severity::kWarning}, {"notes", Severity::kInfo}};
  for (const auto& [name, severity] : kLists) {
    Json& list = out[name] = Json::array();
    for (const Finding& finding : findings) {
      if (finding.severity == severity) list.push_back(to_json(finding));
    }
  }
  return out;
}

Finding finding_of(const Error& error, const std::string& file) {
  const bool ours = error.code == ErrorCode::kInternal;
  Finding out;
  out.severity = Severity::kError;
  out.code = (ours ? "error." : "file.") + std::string(to_string(error.code));
  out.message = error.message;
  out.place = error.where;
  out.file = file;
  for (std::size_t at = error.where.find(": ");; at = error.where.find(": ", at + 1)) {
    const std::string path = error.where.substr(0, at);
    std::error_code fault;
    if (path == file || (!path.empty() && std::filesystem::is_regular_file(path, fault))) {
      out.file = path;
      out.place = at == std::string::npos ? std::string() : error.where.substr(at + 2);
      break;
    }
    if (at == std::string::npos) break;
  }
  return out;
}

Json to_json(const Finding& finding) {
  return {{"severity", to_string(finding.severity)},
          {"file", finding.file},
          {"place", finding.place},
          {"code", finding.code},
          {"message", finding.message},
          {"hint", finding.hint}};
}

Finding finding_from(const Json& json) {
  Finding out;
  if (!json.is_object()) return out;
  const auto text = [&](const char* key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>()
                                                       : std::string();
  };
  const std::string severity = text("severity");
  out.severity = severity == "info"      ? Severity::kInfo
                 : severity == "warning" ? Severity::kWarning
                                         : Severity::kError;
  out.code = text("code");
  out.message = text("message");
  out.place = text("place");
  out.hint = text("hint");
  out.file = text("file");
  return out;
}

namespace {

// "left_hand" -> "hand", "hind_right_foot" -> "hind_foot".
std::string without_side(std::string role) {
  for (const char* side : {"left_", "right_"}) {
    if (const std::size_t at = role.find(side); at != std::string::npos)
      role.erase(at, std::string_view(side).size());
  }
  return role;
}

bool is_finger(const std::string& role) {
  for (const char* finger : {"thumb", "index", "middle", "ring", "little"}) {
    if (role.find(finger) != std::string::npos) return true;
  }
  return false;
}

// Left and right of one part together, in the order of the first: "hand: wrist.l, wrist.r".
std::string found_text(const Json& roles) {
  std::vector<std::string> order;
  std::map<std::string, std::string> joints;
  int fingers = 0;
  for (const auto& [role, joint] : roles.items()) {
    if (is_finger(role)) {
      ++fingers;
      continue;
    }
    const std::string part = without_side(role);
    std::string& text = joints[part];
    if (text.empty()) order.push_back(part);
    text += (text.empty() ? "`" : ", `") + joint.get<std::string>() + "`";
  }
  std::string out = std::to_string(roles.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    out += fmt::format("{}{} {}", i == 0 ? ": " : "; ", order[i], joints[order[i]]);
  if (fingers > 0) out += fmt::format("; {} finger joints", fingers);
  return out;
}

std::string missing_text(const Json& missing) {
  std::vector<std::string> parts;
  std::map<std::string, int> count;
  for (const Json& role : missing) {
    const std::string part = without_side(role.get<std::string>());
    if (count[part]++ == 0) parts.push_back(part);
  }
  std::string out;
  for (const std::string& part : parts)
    out += fmt::format("{}{}{}", out.empty() ? "" : ", ", part, count[part] > 1 ? " (both)" : "");
  return out.empty() ? "none" : out;
}

}  // namespace

std::string role_row(const std::string& name, const Json& report) {
  if (!report.contains("skeleton")) return fmt::format("| {} | cannot be read | | | |\n", name);
  const Json& skeleton = report["skeleton"];
  const bool known = skeleton["body"] != "unknown";
  return fmt::format("| {} | {} | {} | {} | {} |\n", name, skeleton["body"].get<std::string>(),
                     skeleton["joints"].get<int>(), found_text(skeleton["roles"]),
                     known ? missing_text(skeleton["missing_roles"]) : "-");
}

}  // namespace sinew::cli
