#include "load_faults.hpp"

#include <sinew/scene/controller_json.hpp>

namespace sinew {

std::optional<ControllerDef> read_controller_file(const std::filesystem::path& file,
                                                  Findings& findings) {
  const auto take = [&](Findings&& found) {
    for (Finding& finding : found) {
      if (finding.file.empty()) finding.file = file.string();
      findings.push_back(std::move(finding));
    }
  };
  Findings found;
  Result<ControllerSource> source = load_controller(file.string(), &found);
  const bool told = has_errors(found);
  take(std::move(found));
  if (!source) {
    if (!told) report(findings, source.error());
    return std::nullopt;
  }
  found.clear();
  Result<ControllerDef> def = compile_controller(*source, &found);
  const bool told_again = has_errors(found);
  take(std::move(found));
  if (!def) {
    if (!told_again) report(findings, within(file.string(), def.error()), "controller.compile");
    return std::nullopt;
  }
  return std::move(def).value();
}

}  // namespace sinew
