// Each rule with a controller that it finds fault with, and near ones that it must leave alone.
#include <algorithm>

#include <gtest/gtest.h>

#include <sinew/authoring/lint.hpp>
#include <sinew/scene/controller_json.hpp>

#include "walker_project.hpp"

namespace sinew {
namespace {

ControllerSource controller(const std::string& parameters, const std::string& layer,
                            const std::string& motions = "") {
  const std::string text = R"({"sinew": "controller/1", "parameters": [)" + parameters +
                           R"(], "motions": [)" + motions + R"(], "layers": [{"name": "base", )" +
                           layer + "}]}";
  Findings findings;
  Result<ControllerSource> source = parse_controller(text, "test", &findings);
  EXPECT_TRUE(source.ok()) << (source ? "" : to_string(source.error())) << "\n" << text;
  return source ? *source : ControllerSource{};
}

constexpr const char* kParameters = R"({"name": "speed", "type": "float"},
  {"name": "count", "type": "int"}, {"name": "on", "type": "bool"}, {"name": "go", "type": "trigger"})";
// Uses every parameter, so that the rules about them stay silent.
constexpr const char* kUser =
    R"({"name": "User", "motion": {"blend": "1d", "x": "speed", "children":
  [{"motion": "a", "threshold": 0}, {"motion": "b", "threshold": 1}]}, "transitions":
  [{"to": "A", "when": ["go", "on", "count == 2"]}]})";

// The places of the findings of one rule.
std::vector<std::string> places(const ControllerSource& source, const std::string& rule,
                                const LintOptions& options = {}) {
  std::vector<std::string> out;
  for (const Finding& finding : lint_controller(source, options)) {
    if (finding.code != "lint." + rule) continue;
    EXPECT_FALSE(finding.message.empty());
    EXPECT_FALSE(finding.hint.empty()) << finding.message;
    out.push_back(finding.place);
  }
  return out;
}

using Places = std::vector<std::string>;

// States A and B with transitions as given, AnyState's in front.
ControllerSource two_states(const std::string& from_a, const std::string& from_b,
                            const std::string& any = "", const std::string& more = "") {
  return controller(kParameters, R"("any": [)" + any + R"(], "states": [{"name": "A", "motion": "a",
    "transitions": [)" + from_a + R"(]}, {"name": "B", "motion": "b", "transitions": [)" +
                                     from_b + "]}" + more + "]");
}

TEST(Lint, EveryRuleHasItsOwnIdAndText) {
  std::vector<std::string_view> ids;
  for (const LintRule& rule : lint_rules()) {
    EXPECT_EQ(rule.id.substr(0, 5), "lint.");
    EXPECT_FALSE(rule.what.empty());
    EXPECT_EQ(std::count(ids.begin(), ids.end(), rule.id), 0) << rule.id;
    ids.push_back(rule.id);
  }
}

TEST(Lint, ASoundControllerHasNoFindings) {
  for (const Finding& f : lint_controller(testing::walker_controller_source()))
    ADD_FAILURE() << f.code << " " << f.place << ": " << f.message;
  const auto patrol =
      load_controller(SINEW_SOURCE_DIR "/examples/02_patrol/person.controller.json");
  ASSERT_TRUE(patrol.ok());
  for (const Finding& f : lint_controller(*patrol))
    ADD_FAILURE() << f.code << " " << f.place << ": " << f.message;
}

TEST(LintUnreachable, FindsStatesThatNothingLeadsTo) {
  const auto source = two_states(R"({"to": "B", "when": "go"})", R"({"to": "A", "when": "go"})", "",
                                 R"(, {"name": "C", "transitions": [{"to": "A", "when": "on"}]})");
  EXPECT_EQ(places(source, "unreachable_state"), Places{"layer 'base': state 'C'"});
}

TEST(LintUnreachable, ATransitionThatCannotFireDoesNotCount) {
  const auto source = two_states(R"({"to": "B", "when": ["speed > 2", "speed < 1"]})", "");
  EXPECT_EQ(places(source, "unreachable_state"), Places{"layer 'base': state 'B'"});
  const auto muted = two_states(R"({"to": "B", "when": "go", "mute": true})", "");
  EXPECT_EQ(places(muted, "unreachable_state"), Places{"layer 'base': state 'B'"});
}

TEST(LintUnreachable, GoesThroughMachinesEntriesAndExits) {
  const auto source = controller(kParameters, R"json("states": [{"name": "A", "transitions":
      [{"to": "M", "when": "go"}]}, {"name": "After"}, {"name": "Lost"}],
    "machines": [{"name": "M", "default": "One", "entry": [{"to": "Two", "when": "on"}],
      "after_exit": [{"to": "After"}, {"to": "Lost", "when": "on"}],
      "states": [{"name": "One", "transitions": [{"to": "(exit)", "when": "go"}]}, {"name": "Two"},
                 {"name": "Three"}]}])json");
  EXPECT_EQ(places(source, "unreachable_state"),
            (Places{"layer 'base': state 'Lost'", "layer 'base': state 'M.Three'"}));
}

TEST(LintUnreachable, AnyStateReachesAndHostDrivenLayersAreLeftAlone) {
  EXPECT_TRUE(
      places(two_states("", "", R"({"to": "B", "when": "go"})"), "unreachable_state").empty());
  EXPECT_TRUE(places(two_states("", ""), "unreachable_state").empty());
}

TEST(LintTrap, FindsStatesWithoutAWayOut) {
  const auto end = two_states(R"({"to": "B", "when": "go"})", "");
  EXPECT_EQ(places(end, "trap_state"), Places{"layer 'base': state 'B'"});
  const auto stuck = two_states(R"({"to": "B", "when": "go"})", R"({"to": "A"})");
  Findings findings = lint_controller(stuck);
  const auto trap = std::find_if(findings.begin(), findings.end(),
                                 [](const Finding& f) { return f.code == "lint.trap_state"; });
  ASSERT_NE(trap, findings.end());
  EXPECT_EQ(trap->severity, Severity::kWarning) << "it was meant to be left";
}

TEST(LintTrap, AnyStateExitsAndSingleStatesAreNoTraps) {
  EXPECT_TRUE(places(two_states(R"({"to": "B", "when": "go"})", "", R"({"to": "A", "when": "on"})"),
                     "trap_state")
                  .empty());
  EXPECT_TRUE(places(two_states(R"({"to": "B", "when": "go"})",
                                R"json({"to": "(exit)", "when": "on"})json"),
                     "trap_state")
                  .empty());
  EXPECT_TRUE(places(controller("", R"("states": [{"name": "A"}])"), "trap_state").empty());
}

struct Conditions {
  const char* when;
  bool possible;
};
const Conditions kConditions[] = {
    {R"(["speed > 2", "speed < 1"])", false},
    {R"(["speed > 1", "speed < 1"])", false},
    {R"(["speed > 1", "speed < 2"])", true},
    {R"(["count > 1", "count < 2"])", false},
    {R"(["count > 1", "count < 3"])", true},
    {R"(["count > 1", "count < 3", "count != 2"])", false},
    {R"(["count == 1", "count == 2"])", false},
    {R"(["count == 1", "count != 1"])", false},
    {R"(["count == 1", "count != 2"])", true},
    {R"(["on", "!on"])", false},
    {R"(["on", "go"])", true},
    {R"(["go", "go"])", true},
};

TEST(LintNeverFires, KnowsWhichConditionsCanHoldTogether) {
  for (const Conditions& c : kConditions) {
    const auto source = two_states(std::string(R"({"to": "B", "when": )") + c.when + "}",
                                   R"({"to": "A", "when": "go"})");
    EXPECT_EQ(places(source, "never_fires").empty(), c.possible) << c.when;
  }
}

TEST(LintNeverFires, FindsTransitionsWithoutAReasonAndStatesThatStandStill) {
  EXPECT_EQ(places(two_states(R"({"to": "B"})", R"({"to": "A", "exit_time": 0.9})"), "never_fires"),
            Places{"layer 'base': transition A -> B"});
  const auto still = controller(kParameters, R"("states": [{"name": "A", "speed": 0, "transitions":
    [{"to": "B", "exit_time": 0.5}]}, {"name": "B", "speed": -1, "transitions":
    [{"to": "A", "exit_time": 0.5}]}])");
  EXPECT_EQ(places(still, "never_fires"), Places{"layer 'base': transition A -> B"});
  EXPECT_TRUE(places(two_states(R"({"to": "B", "mute": true})", ""), "never_fires").empty())
      << "muted on purpose";
}

TEST(LintNeverFires, LooksAtEntriesToo) {
  const auto source = controller(kParameters, R"("entry": [{"to": "B", "when": ["on", "!on"]}],
    "states": [{"name": "A"}, {"name": "B"}])");
  EXPECT_EQ(places(source, "never_fires"), Places{"layer 'base': entry -> B"});
}

struct Order {
  const char *first, *second;
  bool shadowed;
};
const Order kOrders[] = {
    {R"("when": "go")", R"("when": "go")", true},
    {R"("when": "go")", R"("when": ["go", "on"])", true},
    {R"("when": ["go", "on"])", R"("when": "go")", false},
    {R"("when": "speed > 1")", R"("when": "speed > 2")", true},
    {R"("when": "speed > 2")", R"("when": "speed > 1")", false},
    {R"("when": "speed > 1")", R"("when": "speed > 1", "exit_time": 0.5)", true},
    {R"("when": "speed > 1", "exit_time": 0.5)", R"("when": "speed > 1")", false},
    {R"("exit_time": 0.5)", R"("when": "on", "exit_time": 0.5)", true},
    {R"("exit_time": 0.5)", R"("when": "on", "exit_time": 0.7)", false},
    {R"("when": "count > 2")", R"("when": "count == 3")", true},
    {R"("when": "count != 2")", R"("when": "count == 3")", true},
    {R"("when": "count != 3")", R"("when": "count == 3")", false},
    {R"("when": "go", "mute": true)", R"("when": "go")", false},
    {R"("when": ["on", "!on"])", R"("when": "on")", false},
    // Meant to be interrupted by what comes after it.
    {R"("when": "go", "interruption": "current", "ordered": false)", R"("when": "go")", false},
};

TEST(LintShadowed, KnowsWhichTransitionAlwaysComesFirst) {
  for (const Order& order : kOrders) {
    const auto source = controller(
        kParameters, std::string(R"("states": [{"name": "A", "transitions": [{"to": "B", )") +
                         order.first + R"(}, {"to": "C", )" + order.second +
                         R"(}]}, {"name": "B"}, {"name": "C"}])");
    EXPECT_EQ(places(source, "shadowed"),
              order.shadowed ? Places{"layer 'base': transition A -> C"} : Places{})
        << order.first << " then " << order.second;
  }
}

TEST(LintShadowed, AnyStateShadowsUnlessItsTargetPlays) {
  const auto shadowed = two_states(R"({"to": "C", "when": "on"})", "",
                                   R"({"to": "B", "when": "on"})", R"(, {"name": "C"})");
  EXPECT_EQ(places(shadowed, "shadowed"), Places{"layer 'base': transition A -> C"});
  // While B plays, AnyState's transition to it is passed over.
  const auto open = two_states("", R"({"to": "C", "when": "on"})", R"({"to": "B", "when": "on"})",
                               R"(, {"name": "C"})");
  EXPECT_TRUE(places(open, "shadowed").empty());
  const auto again =
      two_states("", R"({"to": "C", "when": "go"})",
                 R"({"to": "B", "when": "go", "to_self": true})", R"(, {"name": "C"})");
  EXPECT_EQ(places(again, "shadowed"), Places{"layer 'base': transition B -> C"});
  const auto any = two_states("", "", R"({"to": "A", "when": "on"}, {"to": "B", "when": "on"})");
  EXPECT_TRUE(places(any, "shadowed").empty()) << "the second one is taken while A plays";
}

TEST(LintShadowed, AnUnconditionalEntryEndsItsList) {
  const auto source = controller(kParameters, R"("entry": [{"to": "A"}, {"to": "B", "when": "on"}],
    "states": [{"name": "A"}, {"name": "B"}])");
  EXPECT_EQ(places(source, "shadowed"), Places{"layer 'base': entry -> B"});
}

TEST(LintParameters, FindsNamesThatAreNotDeclared) {
  ControllerSource source =
      two_states(R"({"to": "B", "when": "go"})", R"({"to": "A", "when": "go"})");
  source.layers[0].root.states[0].transitions[0].conditions[0].parameter = "goo";
  source.layers[0].root.states[1].speed_parameter = "spede";
  EXPECT_EQ(
      places(source, "undeclared_parameter"),
      (Places{"layer 'base': state 'B': speed parameter", "layer 'base': transition A -> B"}));
  const Findings findings = lint_controller(source);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].severity, Severity::kError);
  EXPECT_NE(findings[0].message.find("did you mean 'speed'?"), std::string::npos);
}

TEST(LintParameters, FindsWhatNothingReads) {
  const auto source = two_states(R"({"to": "B", "when": "go"})", R"({"to": "A", "when": "on"})");
  EXPECT_EQ(places(source, "unused_parameter"), (Places{"parameter 'speed'", "parameter 'count'"}));
  const auto used = two_states("", "", R"({"to": "A", "when": "go"})", std::string(", ") + kUser);
  EXPECT_TRUE(places(used, "unused_parameter").empty());
}

TEST(LintParameters, ATriggerIsUsedUpOnlyByWhatCanBeTaken) {
  EXPECT_TRUE(
      places(two_states(R"({"to": "B", "when": "go"})", ""), "trigger_never_consumed").empty());
  EXPECT_EQ(places(two_states("", ""), "trigger_never_consumed"), Places{"parameter 'go'"});
  EXPECT_EQ(places(two_states(R"({"to": "B", "when": ["go", "on", "!on"]})", ""),
                   "trigger_never_consumed"),
            Places{"parameter 'go'"});
  const auto entry = controller(kParameters, R"("entry": [{"to": "B", "when": "go"}],
    "states": [{"name": "A"}, {"name": "B"}])");
  EXPECT_TRUE(places(entry, "trigger_never_consumed").empty());
}

ControllerSource one_tree(const std::string& tree) {
  return controller(R"({"name": "x", "type": "float"}, {"name": "y", "type": "float"})",
                    R"("states": [{"name": "A", "motion": )" + tree + "}]");
}

TEST(LintTrees, FindsChildrenOnOnePoint) {
  EXPECT_EQ(
      places(one_tree(R"({"blend": "1d", "x": "x", "children": [{"motion": "a", "threshold": 1},
      {"motion": "b", "threshold": 0}, {"motion": "c", "threshold": 1}]})"),
             "coincident_points"),
      Places{"layer 'base': state 'A': blend tree"});
  EXPECT_TRUE(places(one_tree(R"({"blend": "1d", "x": "x", "children": [{"motion": "a", "threshold":
      1}, {"motion": "b", "threshold": 0}]})"),
                     "coincident_points")
                  .empty());
  const std::string planar =
      R"("x": "x", "y": "y", "children": [{"motion": "a", "position": [0, 1]},
      {"motion": "b", "position": [0, 2]}, {"motion": "c", "position": [0, )";
  EXPECT_EQ(places(one_tree(R"({"blend": "freeform_cartesian", )" + planar + "2]}]}"),
                   "coincident_points")
                .size(),
            1u);
  EXPECT_TRUE(places(one_tree(R"({"blend": "freeform_cartesian", )" + planar + "2.5]}]}"),
                     "coincident_points")
                  .empty());
}

TEST(LintTrees, FindsTwoChildrenOfOneDirection) {
  const std::string children = R"("x": "x", "y": "y", "children": [{"motion": "idle", "position":
      [0, 0]}, {"motion": "walk", "position": [0, 1]}, {"motion": "run", "position": [0, 2]},
      {"motion": "back", "position": [0, -1]}]})";
  EXPECT_EQ(places(one_tree(R"({"blend": "simple_directional", )" + children), "one_ray").size(),
            1u);
  EXPECT_TRUE(
      places(one_tree(R"({"blend": "freeform_directional", )" + children), "one_ray").empty());
}

const LintOptions kModel{.motions = {{"a", false, 1, true},
                                     {"b", false, 0.5, false},
                                     {"gone", true, 1, true},
                                     {"pose", false, 0, true}}};

TEST(LintClips, FindsWhatTheModelDoesNotHave) {
  const auto source = controller("", R"("states": [{"name": "A", "motion": "a"},
      {"name": "B", "motion": "gone"}, {"name": "Empty"}])");
  EXPECT_EQ(places(source, "missing_clip", kModel), Places{"layer 'base': state 'B'"});
  EXPECT_TRUE(places(source, "missing_clip").empty()) << "without a model nothing is missing";
  EXPECT_EQ(
      places(one_tree(R"({"blend": "1d", "x": "x", "children": [{"motion": "a", "threshold": 0},
      {"motion": null, "threshold": 1}]})"),
             "missing_clip"),
      Places{"layer 'base': state 'A': child 1"});
}

TEST(LintClips, FindsLoopsOfNoLengthThatSomethingWaitsFor) {
  const auto state = [&](const char* motion, const char* transition) {
    return controller(kParameters, std::string(R"("states": [{"name": "A", "motion": ")") + motion +
                                       R"(", "transitions": [)" + transition +
                                       R"(]}, {"name": "B"}])");
  };
  const char* timed = R"({"to": "B", "exit_time": 0.5})";
  const char* free = R"({"to": "B", "when": "go"})";
  EXPECT_EQ(places(state("pose", timed), "zero_length_loop", kModel).size(), 1u);
  EXPECT_TRUE(places(state("pose", free), "zero_length_loop", kModel).empty());
  EXPECT_TRUE(places(state("a", timed), "zero_length_loop", kModel).empty());
  const auto tree = [&](const char* other) {
    return one_tree(std::string(R"({"blend": "1d", "x": "x", "children": [{"motion": "pose",
      "threshold": 0}, {"motion": ")") +
                    other + R"(", "threshold": 1}]})");
  };
  EXPECT_EQ(places(tree("a"), "zero_length_loop", kModel).size(), 1u);
  EXPECT_TRUE(places(tree("pose"), "zero_length_loop", kModel).empty());
}

TEST(LintCycles, FindsTransitionsThatCanAllHold) {
  EXPECT_EQ(places(two_states(R"({"to": "B", "when": "speed > 0.1"})",
                              R"({"to": "A", "when": "speed < 0.2"})"),
                   "endless_cycle"),
            Places{"layer 'base': transition A -> B"});
  EXPECT_EQ(places(two_states(R"({"to": "B", "when": "on", "duration": 0})",
                              R"({"to": "A", "when": "on", "duration": 0})"),
                   "endless_cycle")
                .size(),
            1u);
  const auto three = two_states(R"({"to": "B", "when": "on"})", R"({"to": "C", "when": "on"})", "",
                                R"(, {"name": "C", "transitions": [{"to": "A", "when": "on"}]})");
  EXPECT_EQ(places(three, "endless_cycle").size(), 1u);
}

TEST(LintCycles, LeavesHysteresisTriggersAndExitTimesAlone) {
  const char* pairs[][2] = {
      {R"({"to": "B", "when": "speed > 0.3"})", R"({"to": "A", "when": "speed < 0.2"})"},
      {R"({"to": "B", "when": "on"})", R"({"to": "A", "when": "!on"})"},
      {R"({"to": "B", "when": "go"})", R"({"to": "A", "when": "go"})"},
      {R"({"to": "B", "when": "on"})", R"({"to": "A", "when": "on", "exit_time": 0.9})"},
      // Two parameters: the host may keep them apart.
      {R"({"to": "B", "when": "on"})", R"({"to": "A", "when": "speed > 1"})"},
  };
  for (const auto& pair : pairs) {
    EXPECT_TRUE(places(two_states(pair[0], pair[1]), "endless_cycle").empty()) << pair[0];
  }
  const auto broken = two_states(R"({"to": "B", "when": "on"})",
                                 R"({"to": "C", "when": "on"}, {"to": "A", "when": "on"})", "",
                                 R"(, {"name": "C"})");
  EXPECT_TRUE(places(broken, "endless_cycle").empty()) << "the ring is left at B";
}

TEST(LintRestarts, FindsAnyStateThatRestartsItself) {
  const auto any = [&](const char* rest) {
    return two_states("", "", std::string(R"({"to": "B", )") + rest + "}");
  };
  EXPECT_EQ(places(any(R"("when": "on", "to_self": true)"), "any_restarts"),
            Places{"layer 'base': transition any -> B"});
  EXPECT_TRUE(places(any(R"("when": "on")"), "any_restarts").empty());
  EXPECT_TRUE(places(any(R"("when": ["go", "on"], "to_self": true)"), "any_restarts").empty());
  EXPECT_TRUE(
      places(any(R"("when": "on", "exit_time": 1, "to_self": true)"), "any_restarts").empty());
}

TEST(LintTiming, FindsExitTimesThatPassDuringTheFade) {
  struct Case {
    const char *in, *out;
    bool lost;
  };
  // B is 0.5 s long.
  const Case cases[] = {
      {R"("duration": 0.25)", R"("exit_time": 0.4)", true},
      {R"("duration": 0.25)", R"("exit_time": 0.6)", false},
      {R"("duration": 0.2)", R"("exit_time": 0.4)", false},
      {R"("duration": 0.25, "interruption": "next")", R"("exit_time": 0.4)", false},
      {R"("duration": 0.25, "offset": 0.3)", R"("exit_time": 0.6)", true},
      {R"("duration": 0.25, "fixed": false)", R"("exit_time": 0.4)", true},
      {R"("duration": 0.25)", R"("when": "on")", false},
      {R"("duration": 2)", R"("exit_time": 1.5)", true},
  };
  for (const Case& c : cases) {
    const auto source = two_states(std::string(R"({"to": "B", "when": "go", )") + c.in + "}",
                                   std::string(R"({"to": "A", )") + c.out + "}");
    EXPECT_EQ(places(source, "exit_time_lost", kModel).empty(), !c.lost) << c.in << " " << c.out;
    EXPECT_TRUE(places(source, "exit_time_lost").empty()) << "of unknown length";
  }
}

TEST(LintBackwards, FindsMotionsEnteredAtTheWrongEnd) {
  const auto play = [&](const char* motion, const char* offset) {
    return controller(kParameters,
                      std::string(R"("states": [{"name": "A", "transitions": [{"to": "B",
      "when": "go")") + offset +
                          R"(}]}, {"name": "B", "speed": -1, "motion": ")" + motion + R"("}])");
  };
  EXPECT_EQ(places(play("b", ""), "backwards_from_start", kModel),
            Places{"layer 'base': state 'B'"});
  EXPECT_TRUE(places(play("b", R"(, "offset": 1)"), "backwards_from_start", kModel).empty());
  EXPECT_TRUE(places(play("a", ""), "backwards_from_start", kModel).empty()) << "a loop";
}

TEST(Lint, RulesCanBeSkipped) {
  const auto source = two_states("", "");
  EXPECT_FALSE(places(source, "trigger_never_consumed").empty());
  EXPECT_TRUE(places(source, "trigger_never_consumed", {.skipped = {"lint.trigger_never_consumed"}})
                  .empty());
}

// A ring of machines, machines that lead nowhere, names that mean nothing: no crash, no hang.
TEST(Lint, SurvivesWhatDoesNotCompile) {
  const auto source = controller(kParameters, R"("default": "nowhere",
    "any": [{"to": "lost", "when": "nothing"}], "states": [{"name": "A", "transitions": [{"to": "M"},
    {"to": "A", "when": "go > 3"}]}], "machines": [{"name": "M", "default": "N", "entry": [{"to": "N"}],
    "machines": [{"name": "N", "default": "M", "entry": [{"to": "M"}], "after_exit": [{"to": "M"}]}]}])");
  EXPECT_FALSE(lint_controller(source).empty());
  EXPECT_TRUE(lint_controller(ControllerSource{}).empty());
}

}  // namespace
}  // namespace sinew
