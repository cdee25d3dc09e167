// Controllers as JSON: `*.controller.json`, format "controller/1". Guide: docs/controller.md;
// schema: docs/schema/controller.schema.json.
#pragma once

#include <string>
#include <string_view>

#include <sinew/base/finding.hpp>
#include <sinew/base/result.hpp>
#include <sinew/graph/source.hpp>

namespace sinew {

// Reads the text of a controller. Every fault goes to `findings` (which may be null) with its place
// ("layers[0] 'base': states[2] 'Walk': transitions[0]"), the reason and the nearest right key or
// name; unknown keys are warnings. If there was an error, the first one is returned. `file` is the
// name for messages. Names are not resolved here: that is compile_controller().
Result<ControllerSource> parse_controller(std::string_view text, std::string_view file = {},
                                          Findings* findings = nullptr);

// Reads a file, at most 64 MiB.
Result<ControllerSource> load_controller(const std::string& path, Findings* findings = nullptr);

// The text with keys in a fixed order and defaults left out; ends in a line feed. Reading it gives
// the same source again.
std::string write_controller(const ControllerSource& source);

}  // namespace sinew
