#include "controller_input.hpp"

#include <sinew/scene/controller_json.hpp>

#include "file_kind.hpp"

namespace sinew::cli {

std::optional<ControllerSource> open_controller(Session& session, const std::string& file) {
  const auto kind = file_kind(session, file);
  if (!kind) return std::nullopt;
  if (*kind != FileKind::kController) {
    session.find({Severity::kError,
                  "file.kind",
                  "is no controller but a " + std::string(to_string(*kind)),
                  {},
                  "give a *.controller.json",
                  file});
    return std::nullopt;
  }
  Findings findings;
  Result<ControllerSource> source = load_controller(file, &findings);
  for (Finding& finding : findings) {
    if (finding.file.empty()) finding.file = file;
  }
  session.find(findings);
  if (source) return std::move(source).value();
  if (!has_errors(findings)) session.fail(source.error());
  return std::nullopt;
}

std::vector<MotionFacts> motion_facts(const CharacterDef& def) {
  std::vector<MotionFacts> out;
  const auto& sources = def.controller().tables().motions;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const MotionInfo& info = def.motions().motions[i];
    out.push_back({sources[i].name, info.missing, info.length, info.loop});
  }
  return out;
}

}  // namespace sinew::cli
