// Rigs in JSON files (*.rig.json): {"sinew": "rig/1", "nodes": [...], "layers": [...]}. The format
// is described in docs/rig.md and docs/schema/rig.schema.json.
#pragma once

#include <string>
#include <string_view>

#include <sinew/rig/rig_source.hpp>

namespace sinew {

// Reads a rig. All faults are appended to `findings` with their place ("layer 'arms': constraint
// 'left': hint_weigth: ...") and `file`; with an error among them the first is returned as well.
// Faults: text that is not JSON (with its line), another kind or version, a key that is not known
// (with the nearest one), a value of the wrong type. Names of joints and ranges are checked when
// the rig is compiled. `registry`: null for the built-in constraints.
Result<RigSource> parse_rig_json(std::string_view text, std::string_view file, Findings& findings,
                                 const rig::ConstraintRegistry* registry = nullptr);

// Reads a file, at most 64 MiB.
Result<RigSource> load_rig(const std::string& path, Findings& findings,
                           const rig::ConstraintRegistry* registry = nullptr);

// The rig as text: keys in a fixed order, settings at their defaults left out, numbers as short as
// they can be read back exactly. Ends with a newline.
std::string write_rig_json(const RigSource& source);

// The JSON schema of rig files with the registered constraints; docs/schema/rig.schema.json holds
// it for the built-in ones.
std::string rig_json_schema(const rig::ConstraintRegistry& registry);

}  // namespace sinew
