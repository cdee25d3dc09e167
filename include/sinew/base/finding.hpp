// What a check of data found: errors and warnings, each with its place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sinew/base/result.hpp>

namespace sinew {

enum class Severity { kInfo, kWarning, kError };

constexpr std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "error";
}

// One line of a report. Reading goes on after a warning; an error ends it, except where a check
// collects all of them (controllers, scenes).
struct Finding {
  Severity severity = Severity::kWarning;
  std::string code;     // stable, dotted, lower case: "gltf.duplicate_channel"
  std::string message;  // one sentence, lower case, no full stop
  std::string place;    // inside the file: "animation 3 'Walk': channel 7"
  std::string hint;     // what to do next; may be empty
  std::string file;     // may be empty where the caller knows it
};

using Findings = std::vector<Finding>;

inline bool has_errors(const Findings& findings) {
  for (const Finding& finding : findings) {
    if (finding.severity == Severity::kError) return true;
  }
  return false;
}

}  // namespace sinew
