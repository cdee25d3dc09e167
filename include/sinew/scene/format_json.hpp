// Authored files in one form, so that a difference between two versions means something.
#pragma once

#include <string>
#include <string_view>

#include <sinew/base/finding.hpp>
#include <sinew/base/result.hpp>

namespace sinew {

struct FormattedFile {
  std::string text;      // ends in a line feed
  std::string kind;      // "controller", "rig", "character", "scene"
  int from_version = 1;  // of the text given; the new one is of the newest version
  int version = 1;
};

// The same file with its keys in a fixed order, numbers and lists written in one way, and of the
// newest version of its format. Controllers and rigs also lose members at their defaults and
// spellings that have a shorter form; in characters and scenes, whose files give names to things,
// everything that is written stays. Notes (keys that begin with "_") and "$schema" stay where they
// are. Formatting twice changes nothing. Errors: text that is not JSON, a kind or a version that is
// not known, and for controllers and rigs whatever their readers refuse; all of them also go to
// `findings`, if given. `file` is the name for messages.
Result<FormattedFile> format_json_file(std::string_view text, std::string_view file = {},
                                       Findings* findings = nullptr);

}  // namespace sinew
