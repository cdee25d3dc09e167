#include "load_faults.hpp"

#include <sinew/scene/controller_json.hpp>
#include <sinew/scene/rig_json.hpp>

namespace sinew {

std::optional<RigDef> read_rig_file(const std::filesystem::path& file, const Skeleton& skeleton,
                                    const RoleMap& roles, const rig::ConstraintRegistry* registry,
                                    Findings& findings) {
  const std::string name = file.string();
  Result<RigSource> source = load_rig(name, findings, registry);
  if (!source) return std::nullopt;
  if (source->name.empty()) {
    source->name = file.filename().string();
    source->name.resize(source->name.find('.'));
  }
  RigCompileOptions options;
  options.registry = registry;
  options.roles = &roles;
  Findings found;
  Result<RigDef> def = RigDef::compile(*source, skeleton, options, found);
  const bool told = has_errors(found);
  for (Finding& finding : found) {
    if (finding.file.empty()) finding.file = name;
    findings.push_back(std::move(finding));
  }
  if (!def) {
    if (!told) report(findings, within(name, def.error()), "rig.compile");
    return std::nullopt;
  }
  return std::move(def).value();
}

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
