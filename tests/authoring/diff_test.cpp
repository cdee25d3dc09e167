#include <algorithm>

#include <gtest/gtest.h>

#include <sinew/authoring/diff.hpp>
#include <sinew/scene/controller_json.hpp>

#include "walker_project.hpp"

namespace sinew {
namespace {

constexpr const char* kBase = R"json({
  "sinew": "controller/1",
  "parameters": [{"name": "speed", "type": "float"}, {"name": "go", "type": "trigger"}],
  "motions": [{"name": "Walk", "length": 1}],
  "layers": [{
    "name": "base",
    "any": [{"to": "Idle", "when": "go"}],
    "states": [
      {"name": "Idle", "motion": "Idle", "position": [1, 2], "transitions": [
        {"to": "Gait.Walk", "when": ["speed > 0.1", "go"]},
        {"to": "Gait.Walk", "when": "go", "duration": 0.5},
        {"to": "Jump", "when": "go"}]},
      {"name": "Jump"}],
    "machines": [{"name": "Gait", "default": "Walk", "after_exit": [{"to": "Idle"}], "states": [
      {"name": "Walk", "motion": {"blend": "1d", "x": "speed", "children":
        [{"motion": "Walk", "threshold": 0}, {"motion": "Run", "threshold": 3}]},
       "transitions": [{"to": "(exit)", "when": "go"}]}]}]
  }]
})json";

ControllerSource read(const std::string& text) {
  const auto source = parse_controller(text);
  EXPECT_TRUE(source.ok()) << (source ? "" : to_string(source.error()));
  return source ? *source : ControllerSource{};
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  if (at != std::string::npos) text.replace(at, what.size(), by);
  return text;
}

std::vector<std::string> lines(const ControllerSource& a, const ControllerSource& b) {
  std::vector<std::string> out;
  for (const Difference& d : diff_controllers(a, b)) out.push_back(to_string(d));
  return out;
}

// What changes when `what` is replaced by `by` in the controller above.
std::vector<std::string> change(const std::string& what, const std::string& by) {
  return lines(read(kBase), read(replaced(kBase, what, by)));
}

using Lines = std::vector<std::string>;

TEST(Diff, TheSameIsTheSame) {
  EXPECT_EQ(lines(read(kBase), read(kBase)), Lines{});
  const ControllerSource walker = testing::walker_controller_source();
  EXPECT_EQ(lines(walker, walker), Lines{});
}

TEST(Diff, SpellingAndLayoutAreNoDifference) {
  EXPECT_EQ(change(R"("position": [1, 2], )", ""), Lines{});
  EXPECT_EQ(change(R"(["speed > 0.1", "go"])", R"(["go", "speed > 0.1"])"), Lines{});
  EXPECT_EQ(change(R"("to": "Gait.Walk", "when": ["speed)", R"("to": "Walk", "when": ["speed)"),
            Lines{});
  EXPECT_EQ(change(R"("duration": 0.5)", R"("duration": 0.50, "offset": 0)"), Lines{});
  EXPECT_EQ(change(R"("name": "base",)", R"("name": "base", "default": "Idle",)"), Lines{});
  EXPECT_EQ(change(R"([{"name": "speed", "type": "float"}, {"name": "go", "type": "trigger"}])",
                   R"([{"name": "go", "type": "trigger"}, {"name": "speed", "type": "float"}])"),
            Lines{});
}

TEST(Diff, ParametersAndMotions) {
  EXPECT_EQ(change(R"("type": "float"})", R"("type": "float", "default": 2})"),
            Lines{"~ parameter speed: default (default) -> 2"});
  EXPECT_EQ(change(R"({"name": "speed", "type": "float"})",
                   R"({"name": "speed", "type": "float"}, {"name": "on", "type": "bool"})"),
            Lines{R"(+ parameter on  {"name":"on","type":"bool"})"});
  EXPECT_EQ(change(R"("length": 1)", R"("length": 1.5)"), Lines{"~ motion Walk: length 1 -> 1.5"});
}

TEST(Diff, StatesAndMachines) {
  EXPECT_EQ(change(R"({"name": "Jump"}])", R"({"name": "Jump", "speed": 2}])"),
            Lines{"~ state base.Jump: speed (default) -> 2"});
  EXPECT_EQ(change(R"({"name": "Jump"}])", R"({"name": "Jump"}, {"name": "Fall"}])"),
            Lines{"+ state base.Fall"});
  EXPECT_EQ(change(R"("name": "base",)", R"("name": "base", "default": "Jump",)"),
            Lines{"~ layer base: default Idle -> Jump"});
  EXPECT_EQ(change(R"(, "after_exit": [{"to": "Idle"}])", ""),
            Lines{"- route base.Gait.(exit) -> Idle"});
  EXPECT_EQ(change(R"("motion": "Idle")", R"("motion": "Rest")"),
            Lines{"~ state base.Idle: motion Idle -> Rest"});
}

TEST(Diff, Layers) {
  EXPECT_EQ(change(R"("name": "base",)", R"("name": "base", "weight": 0.5,)"),
            Lines{"~ layer base: weight (default) -> 0.5"});
  ControllerSource two = read(kBase);
  two.layers.push_back({});
  two.layers.back().name = "top";
  EXPECT_EQ(lines(read(kBase), two), Lines{"+ layer top"});
  ControllerSource turned = two;
  std::swap(turned.layers[0], turned.layers[1]);
  EXPECT_EQ(lines(two, turned).size(), 1u);
  EXPECT_EQ(lines(two, turned)[0][0], '>');
}

TEST(Diff, Transitions) {
  EXPECT_EQ(change(R"("duration": 0.5)", R"("duration": 0.2)"),
            Lines{"~ transition base.Idle -> Gait.Walk: duration 0.5 -> 0.2"});
  EXPECT_EQ(change(R"("speed > 0.1")", R"("speed > 0.2")"),
            Lines{R"(~ transition base.Idle -> Gait.Walk: when ["go","speed > 0.1"] -> )"
                  R"(["go","speed > 0.2"])"});
  EXPECT_EQ(change(R"({"to": "Jump", "when": "go"})",
                   R"({"to": "Jump", "when": "go"}, {"to": "Idle", "when": "go"})"),
            Lines{R"(+ transition base.Idle -> Idle  {"when":["go"]})"});
  EXPECT_EQ(change(R"("any": [{"to": "Idle", "when": "go"}],)", ""),
            Lines{R"(- transition base.(any) -> Idle  {"when":["go"]})"});
}

TEST(Diff, TheOrderOfTransitionsIsTheirPriority) {
  ControllerSource moved = read(kBase);
  auto& list = moved.layers[0].root.states[0].transitions;
  std::rotate(list.begin(), list.begin() + 2, list.end());
  EXPECT_EQ(lines(read(kBase), moved), Lines{"> transition base.Idle -> Jump: from place 3 to 1"});
  // One before it removed is no move.
  ControllerSource shorter = read(kBase);
  shorter.layers[0].root.states[0].transitions.erase(
      shorter.layers[0].root.states[0].transitions.begin());
  EXPECT_EQ(lines(read(kBase), shorter).size(), 1u);
}

TEST(Diff, BlendTrees) {
  EXPECT_EQ(change(R"("threshold": 3)", R"("threshold": 4)"),
            Lines{"~ child base.Gait.Walk.Run: threshold 3 -> 4"});
  EXPECT_EQ(change(R"(, {"motion": "Run", "threshold": 3})", ""),
            Lines{R"(- child base.Gait.Walk.Run  {"motion":"Run","threshold":3})"});
  EXPECT_EQ(change(R"("blend": "1d", "x": "speed")", R"("blend": "1d", "x": "speed", "name": "t")"),
            Lines{"~ tree base.Gait.Walk: name (default) -> t"});
}

TEST(Diff, PolicyAndSyncedMotions) {
  EXPECT_EQ(
      change(R"("parameters":)", R"("policy": {"carry_exit_overshoot": true}, "parameters":)"),
      Lines{"~ policy: carry_exit_overshoot (default) -> true"});
  ControllerSource a = read(kBase);
  a.layers.push_back({});
  a.layers[1].name = "limp";
  a.layers[1].sync = "base";
  ControllerSource b = a;
  b.layers[1].synced_motions.push_back({"Idle", build::motion("Limp")});
  EXPECT_EQ(lines(a, b), Lines{"+ synced_motion limp.Idle  Limp"});
}

// Swapping the sides swaps the signs.
TEST(Diff, IsSymmetric) {
  const ControllerSource a = read(kBase), b = testing::walker_controller_source();
  const auto there = diff_controllers(a, b), back = diff_controllers(b, a);
  const auto count = [](const auto& list, Difference::Op op) {
    return std::count_if(list.begin(), list.end(), [&](const Difference& d) { return d.op == op; });
  };
  EXPECT_GT(there.size(), 0u);
  EXPECT_EQ(count(there, Difference::Op::kAdded), count(back, Difference::Op::kRemoved));
  EXPECT_EQ(count(there, Difference::Op::kRemoved), count(back, Difference::Op::kAdded));
  EXPECT_EQ(count(there, Difference::Op::kChanged), count(back, Difference::Op::kChanged));
}

}  // namespace
}  // namespace sinew
