// Errors of other parts as findings of the file that is being loaded.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <sinew/base/finding.hpp>
#include <sinew/graph/definition.hpp>
#include <sinew/rig/rig_def.hpp>

namespace sinew {

// Adds an error. Without a code of its own: "file.<code>", which says that a file could not be
// used.
inline void report(Findings& findings, const Error& error, std::string code = {}) {
  if (code.empty()) code = "file." + std::string(to_string(error.code));
  findings.push_back({Severity::kError, std::move(code), error.message, {}, {}, error.where});
}

// Reads and compiles a controller file with all its findings; none after an error.
std::optional<ControllerDef> read_controller_file(const std::filesystem::path& file,
                                                  Findings& findings);

// The same for a rig of the skeleton with its roles.
std::optional<RigDef> read_rig_file(const std::filesystem::path& file, const Skeleton& skeleton,
                                    const RoleMap& roles, const rig::ConstraintRegistry* registry,
                                    Findings& findings);

}  // namespace sinew
