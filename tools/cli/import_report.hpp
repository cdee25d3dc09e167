// What `sinew import` says about one file.
#pragma once

#include <string>

#include <sinew/asset/model.hpp>
#include <sinew/base/finding.hpp>

#include "session.hpp"

namespace sinew::cli {

// Format, skeleton with roles, clips, counts of the rest; no findings. `format` is ImportFormat's.
Json import_facts(const std::string& file, std::string_view format, const Model& model);

// The whole report of a file: the facts (null where it could not be read) with errors, warnings and
// notes. Begins with {"sinew": "import-report/1"}.
Json import_report(const std::string& file, const Json& facts, const Findings& findings);

// The error as a finding: file and place apart, where the file is the one that was to be read or
// one beside it. Code "file.<code>", or "error.internal".
Finding finding_of(const Error& error, const std::string& file);

Json to_json(const Finding& finding);
// The other way round; what is missing or of another type stays empty.
Finding finding_from(const Json& json);

// Rows of a Markdown table: file, body, joints, what has a role, what has none. `name` is what the
// first column shows.
std::string role_row(const std::string& name, const Json& report);
inline constexpr const char* kRoleTableHead =
    "| file | body | joints | roles found | roles missing |\n|---|---|---|---|---|\n";

}  // namespace sinew::cli
