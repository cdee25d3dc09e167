// The rules of lint, in the files that look at one kind of thing each.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sinew/authoring/lint.hpp>

#include "outline.hpp"
#include "reach.hpp"

namespace sinew::authoring_detail {

inline constexpr const char* kUnreachable = "lint.unreachable_state";
inline constexpr const char* kNeverFires = "lint.never_fires";
inline constexpr const char* kShadowed = "lint.shadowed";
inline constexpr const char* kTrap = "lint.trap_state";
inline constexpr const char* kUndeclared = "lint.undeclared_parameter";
inline constexpr const char* kUnused = "lint.unused_parameter";
inline constexpr const char* kTrigger = "lint.trigger_never_consumed";
inline constexpr const char* kCoincident = "lint.coincident_points";
inline constexpr const char* kOneRay = "lint.one_ray";
inline constexpr const char* kMissing = "lint.missing_clip";
inline constexpr const char* kZeroLoop = "lint.zero_length_loop";
inline constexpr const char* kEndless = "lint.endless_cycle";
inline constexpr const char* kRestarts = "lint.any_restarts";
inline constexpr const char* kExitLost = "lint.exit_time_lost";
inline constexpr const char* kBackwards = "lint.backwards_from_start";

// Seconds; both ends the same where the length does not depend on parameters.
struct LengthRange {
  double low = 0, high = 0;
};

class Lint {
 public:
  Lint(const ControllerSource& controller, const LintOptions& options);

  const ControllerSource& controller;
  const Outline outline;
  const Reach reach;

  void add(const char* rule, const std::string& place, std::string message, std::string hint = {});
  void add(const char* rule, Severity severity, const std::string& place, std::string message,
           std::string hint = {});

  // Of a motion by its name; null if nothing is known of it.
  const MotionFacts* facts(const std::string& motion) const;
  // Nothing if a length that takes part in it is not known.
  std::optional<LengthRange> length(const MotionNodeSource& node) const;
  // With the state's speed; nothing if a parameter changes it, or it stands still.
  std::optional<LengthRange> length(const StateSource& state) const;

  Findings take() { return std::move(findings_); }

 private:
  std::vector<std::string> skipped_;
  std::map<std::string, MotionFacts> facts_;
  Findings findings_;
};

// "'a'", "'a' and 'b'", "'a', 'b' and 'c'".
std::string quoted_list(const std::vector<std::string>& names);

void lint_states(Lint& lint);       // unreachable, traps, backwards from the start
void lint_transitions(Lint& lint);  // dead, shadowed
void lint_timing(Lint& lint);       // exit times lost
void lint_cycles(Lint& lint);       // endless cycles, AnyState that restarts itself
void lint_parameters(Lint& lint);   // undeclared, unused, triggers
void lint_trees(Lint& lint);        // coincident points, one ray
void lint_clips(Lint& lint);        // missing, loops of no length

}  // namespace sinew::authoring_detail
