// Controllers from whatever file holds one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sinew/authoring/lint.hpp>
#include <sinew/scene/character_json.hpp>

#include "session.hpp"

namespace sinew::cli {

// The controller in a file of its own; faults are reported. With `compiled`, also those that only a
// compilation finds.
std::optional<ControllerSource> open_controller(Session& session, const std::string& file);

// What the motions of a character's controller are in its model.
std::vector<MotionFacts> motion_facts(const CharacterDef& def);

}  // namespace sinew::cli
