#include <algorithm>
#include <cmath>

#include "lint_report.hpp"

namespace sinew {

std::span<const LintRule> lint_rules() {
  using namespace authoring_detail;
  using enum Severity;
  static constexpr LintRule kRules[] = {
      {kUndeclared, kError, "a name that no parameter has"},
      {kUnused, kInfo, "a parameter that nothing in the controller reads"},
      {kTrigger, kWarning, "a trigger that no transition uses up: once set it stays set"},
      {kUnreachable, kWarning, "a state that no transition, entry or default leads to"},
      {kTrap, kInfo, "a state that nothing leads out of"},
      {kNeverFires, kWarning, "a transition whose conditions can never all hold, or that has none"},
      {kShadowed, kWarning, "a transition that one before it always takes the place of"},
      {kExitLost, kWarning, "an exit time that passes while the state is still being faded in"},
      {kEndless, kWarning,
       "transitions in a ring that can all hold at once: the layer never rests"},
      {kRestarts, kWarning, "AnyState starts a state again and again while a condition holds"},
      {kCoincident, kWarning, "two children of a blend tree on one point or threshold"},
      {kOneRay, kWarning, "two children of a simple directional tree in one direction"},
      {kMissing, kWarning,
       "a motion that the model does not have, or a child of a tree without one"},
      {kZeroLoop, kInfo, "a loop of no length, whose time something depends on"},
      {kBackwards, kWarning, "a motion that is played backwards, but entered at its start"},
  };
  return kRules;
}

Findings lint_controller(const ControllerSource& controller, const LintOptions& options) {
  using namespace authoring_detail;
  Lint lint(controller, options);
  lint_parameters(lint);
  lint_states(lint);
  lint_transitions(lint);
  lint_timing(lint);
  lint_cycles(lint);
  lint_trees(lint);
  lint_clips(lint);
  Findings findings = lint.take();
  const std::span<const LintRule> rules = lint_rules();
  const auto rank = [&](const Finding& f) {
    return std::find_if(rules.begin(), rules.end(),
                        [&](const LintRule& r) { return r.id == f.code; }) -
           rules.begin();
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Finding& a, const Finding& b) { return rank(a) < rank(b); });
  return findings;
}

namespace authoring_detail {

namespace {

// State-machine rules, 1.4 and 9.8: shorter than this counts as a second.
constexpr double kShortest = 1e-4;

double counted(double length) { return length < kShortest ? 1.0 : length; }

}  // namespace

Lint::Lint(const ControllerSource& source, const LintOptions& options)
    : controller(source), outline(source), reach(outline), skipped_(options.skipped) {
  for (const MotionSource& motion : source.motions) {
    if (!motion.length) continue;
    facts_[motion.name] = {motion.name, false, *motion.length, motion.loop.value_or(true)};
  }
  for (const MotionFacts& motion : options.motions) facts_[motion.name] = motion;
}

void Lint::add(const char* rule, Severity severity, const std::string& place, std::string message,
               std::string hint) {
  if (std::find(skipped_.begin(), skipped_.end(), rule) != skipped_.end()) return;
  findings_.push_back({severity, rule, std::move(message), place, std::move(hint), {}});
}

void Lint::add(const char* rule, const std::string& place, std::string message, std::string hint) {
  Severity severity = Severity::kWarning;
  for (const LintRule& r : lint_rules()) {
    if (r.id == rule) severity = r.severity;
  }
  add(rule, severity, place, std::move(message), std::move(hint));
}

const MotionFacts* Lint::facts(const std::string& motion) const {
  const auto found = facts_.find(motion);
  return found == facts_.end() ? nullptr : &found->second;
}

std::optional<LengthRange> Lint::length(const MotionNodeSource& node) const {
  if (node.kind == MotionNodeSource::Kind::kNone) return LengthRange{1, 1};
  if (node.kind == MotionNodeSource::Kind::kMotion) {
    const MotionFacts* known = facts(node.motion);
    if (!known) return std::nullopt;
    const double length = known->missing ? 1 : counted(known->length);
    return LengthRange{length, length};
  }
  if (node.type == TreeType::kDirect) return std::nullopt;  // weights of any sum
  std::optional<LengthRange> all;
  for (const TreeChildSource& child : node.children) {
    const std::optional<LengthRange> one = length(child.node);
    if (!one || child.time_scale == 0) return std::nullopt;
    const double scale = std::abs(child.time_scale);
    const LengthRange scaled{counted(one->low / scale), counted(one->high / scale)};
    all = all ? LengthRange{std::min(all->low, scaled.low), std::max(all->high, scaled.high)}
              : scaled;
  }
  return all ? all : LengthRange{1, 1};
}

std::optional<LengthRange> Lint::length(const StateSource& state) const {
  if (!state.speed_parameter.empty() || state.speed == 0) return std::nullopt;
  const std::optional<LengthRange> range = length(state.motion);
  if (!range) return std::nullopt;
  const double speed = std::abs(state.speed);
  return LengthRange{range->low / speed, range->high / speed};
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " and " : ", ";
    out += "'" + names[i] + "'";
  }
  return out;
}

}  // namespace authoring_detail

}  // namespace sinew
