// Finds what compiles but cannot have been meant: states that nothing reaches, transitions that can
// never fire, triggers that nothing uses up. Each rule with an example: docs/lint.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/base/finding.hpp>
#include <sinew/graph/source.hpp>

namespace sinew {

struct LintRule {
  std::string_view id;  // code of its findings: "lint.unreachable_state"
  Severity severity;    // the usual one
  std::string_view what;
};

// All rules, in the order in which their findings come.
std::span<const LintRule> lint_rules();

// What a motion of the controller is in the model that it is used with.
struct MotionFacts {
  std::string name;  // as the controller calls it
  bool missing = false;
  double length = 0;  // seconds
  bool loop = false;
};

struct LintOptions {
  // Of every motion. Without a model (empty), lengths are those that the controller declares
  // itself, rules that need one that is not known stay silent, and no motion counts as missing.
  std::vector<MotionFacts> motions{};
  std::vector<std::string> skipped{};  // ids of rules that are not looked at
};

// Everything found, by rule, then in the order of the file. Nothing is compiled: a controller with
// names that lead nowhere is looked at as far as it goes (compile_controller() reports those). What
// a host does by commands (play, cross_fade) is not known here; a layer without any transition
// counts as driven by the host. Cost: transitions squared per list, no more.
Findings lint_controller(const ControllerSource& controller, const LintOptions& options = {});

}  // namespace sinew
