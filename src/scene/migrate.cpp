#include "migrate.hpp"

#include <charconv>
#include <vector>

#include <sinew/base/text.hpp>

namespace sinew::scene_detail {
namespace {

// "controller/1" taken apart; version 0 where it has none.
std::pair<std::string, int> header_of(const Json& json) {
  if (!json.is_object()) return {};
  const auto found = json.find("sinew");
  if (found == json.end() || !found->is_string()) return {};
  const auto text = found->get<std::string>();
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return {text, 0};
  int version = 0;
  const char* end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data() + slash + 1, end, version);
  const bool sound = code == std::errc() && rest == end && version > 0;
  return {text.substr(0, slash), sound ? version : 0};
}

}  // namespace

std::span<const FormatVersion> format_versions() {
  static constexpr FormatVersion kVersions[] = {
      {"controller", 1}, {"rig", 1}, {"character", 1}, {"scene", 1}};
  return kVersions;
}

// Every format is at its first version.
std::span<const Migration> migrations() { return {}; }

Migrated migrate(Json& json, std::span<const FormatVersion> versions,
                 std::span<const Migration> steps) {
  Migrated out;
  std::tie(out.kind, out.from) = header_of(json);
  std::vector<std::string_view> kinds;
  for (const FormatVersion& v : versions) {
    kinds.push_back(v.kind);
    if (v.kind == out.kind) out.to = v.version;
  }
  if (out.to == 0) {
    out.fault = out.kind.empty()
                    ? "has no kind: its first key must be \"sinew\": \"<kind>/<version>\""
                    : "is of the unknown kind '" + out.kind + "'" + did_you_mean(out.kind, kinds);
    return out;
  }
  const std::string newest = out.kind + "/" + std::to_string(out.to);
  if (out.from == 0) {
    out.fault = "its version is not a number above 0";
    out.hint = "the newest is \"" + newest + "\"";
    return out;
  }
  if (out.from > out.to) {
    out.fault = format_text("is of version %d, which is newer than this program", out.from);
    out.hint = "this program knows \"" + newest + "\" and older";
    return out;
  }
  for (int version = out.from; version < out.to; ++version) {
    const Migration* step = nullptr;
    for (const Migration& m : steps) {
      if (m.kind == out.kind && m.from == version) step = &m;
    }
    if (!step) {
      out.fault = format_text("nothing brings version %d of it to %d", version, version + 1);
      return out;
    }
    step->apply(json);
  }
  json["sinew"] = newest;
  return out;
}

}  // namespace sinew::scene_detail
