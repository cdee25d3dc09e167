#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/graph/definition.hpp>
#include <sinew/scene/controller_json.hpp>

namespace sinew {
namespace {

constexpr const char* kWalker = R"json({
  "sinew": "controller/1",
  "name": "walker",
  "parameters": [
    {"name": "speed", "type": "float", "default": 0.5},
    {"name": "lives", "type": "int", "default": 3},
    {"name": "grounded", "type": "bool", "default": true},
    {"name": "die", "type": "trigger"},
    {"name": "lean > left", "type": "float"}
  ],
  "motions": [
    {"name": "Idle", "length": 2, "loop": true, "value": 0},
    {"name": "Walk", "clip": "walk_01", "length": 1, "loop": true, "value": 10,
     "events": [{"time": 0.1, "name": "foot"}, {"time": 0.6, "name": "foot"}]},
    {"name": "Run", "length": 0.7, "loop": true, "value": 20, "mirror": true, "cycle_offset": 0.25,
     "markers": [{"time": 0.1, "name": "left_foot"}], "reference": {"motion": "Idle", "time": 0.5},
     "curves": [{"parameter": "lean > left", "keys": [[0, 0.1], [0.7, 0.3]]}]},
    {"name": "Death", "length": 3, "loop": false, "value": 99}
  ],
  "layers": [
    {
      "name": "base",
      "default": "Idle",
      "any": [{"to": "Death", "when": ["die", "!grounded"], "duration": 0.1}],
      "states": [
        {"name": "Idle", "motion": "Idle", "position": [10, 20],
         "transitions": [{"to": "Moving", "when": "speed > 0.1", "interruption": "next"}]},
        {"name": "Death", "motion": "Death", "sync_markers": true, "transitions": [
          {"to": "Idle", "when": "grounded", "blend": "dead_blend", "curve": "ease_in"},
          {"to": "Idle", "when": "die", "curve": [[0, 0], [0.4, 0.7], [1, 1]],
           "match_phase": true}]}
      ],
      "machines": [
        {"name": "Moving", "entry": [{"to": "Jog", "when": ["lives == 2", "lives != 4"]}],
         "after_exit": [{"to": "Idle"}],
         "states": [
           {"name": "Stroll", "speed": 1.5, "speed_parameter": "speed",
            "motion": {"blend": "1d", "x": "speed", "range": [0, 2], "children": [
              {"motion": "Idle"}, {"motion": "Walk", "time_scale": 0.5, "mirror": true},
              {"motion": "Run"}]},
            "transitions": [
              {"to": "(exit)",
               "when": [{"parameter": "lean > left", "mode": "less", "threshold": -1}],
               "exit_time": 0.9, "duration": 0.5, "fixed": false, "ordered": false}]},
           {"name": "Jog",
            "motion": {"blend": "freeform_directional", "x": "speed", "y": "lean > left",
              "children": [{"motion": "Idle", "position": [0, 0]},
                           {"motion": "Run", "position": [0, 1]}]}}
         ]}
      ]
    },
    {"name": "arms", "blending": "additive", "weight": 0.5, "mask": "upper",
     "states": [
       {"name": "Empty"},
       {"name": "Wave", "motion": {"blend": "direct", "normalize": true, "children": [
         {"motion": "Walk", "weight": "speed"}, {"motion": null, "weight": "speed"}]}}]},
    {"name": "wounded", "sync": "base", "sync_timing": true, "weight": 0,
     "motions": [{"state": "Moving.Stroll", "motion": "Walk"}]}
  ],
  "policy": {"non_loop_exit": "latched", "unity_simple_directional": true}
}
)json";

std::string all_of(const Findings& findings) {
  std::string text;
  for (const Finding& f : findings) {
    text += f.code + " | " + f.place + " | " + f.message + "\n";
  }
  return text;
}

bool has(const Findings& findings, const std::string& code, const std::string& place,
         const std::string& message) {
  for (const Finding& f : findings) {
    if (f.code == code && f.place.find(place) != std::string::npos &&
        f.message.find(message) != std::string::npos) {
      return true;
    }
  }
  return false;
}

TEST(ControllerJson, ReadsEverything) {
  Findings findings;
  const Result<ControllerSource> source = parse_controller(kWalker, "walker.json", &findings);
  ASSERT_TRUE(source.ok()) << all_of(findings);
  EXPECT_TRUE(findings.empty()) << all_of(findings);
  EXPECT_EQ(source->parameters[1].value, 3);
  EXPECT_EQ(source->motions[1].clip, "walk_01");
  EXPECT_EQ(source->motions[1].events[1].time, 0.6);
  const LayerSource& base = source->layers[0];
  EXPECT_EQ(base.root.any[0].conditions[1].mode, ConditionMode::kIfNot);
  EXPECT_EQ(base.root.states[0].transitions[0].conditions[0].threshold, 0.1);
  EXPECT_EQ(base.root.states[0].transitions[0].interruption, Interruption::kNext);
  EXPECT_EQ(base.root.states[0].position, (Vec2{10, 20}));
  const MachineSource& moving = base.root.machines[0];
  EXPECT_EQ(moving.states[0].motion.children[1].threshold, 1);
  EXPECT_TRUE(moving.states[0].motion.children[1].mirror);
  EXPECT_EQ(moving.states[0].transitions[0].to, kExitName);
  EXPECT_EQ(moving.states[0].transitions[0].conditions[0].parameter, "lean > left");
  EXPECT_EQ(moving.states[0].transitions[0].conditions[0].threshold, -1);
  EXPECT_FALSE(moving.states[0].transitions[0].fixed);
  EXPECT_EQ(source->layers[1].root.states[1].motion.children[1].node.kind,
            MotionNodeSource::Kind::kNone);
  EXPECT_EQ(source->policy.non_loop_exit, ControllerPolicy::NonLoopExit::kLatched);
  const MotionSource& run = source->motions[2];
  EXPECT_TRUE(run.mirror);
  EXPECT_EQ(run.cycle_offset, 0.25);
  EXPECT_EQ(run.markers[0].name, "left_foot");
  EXPECT_EQ(run.reference, "Idle");
  EXPECT_EQ(run.reference_time, 0.5);
  EXPECT_EQ(run.curves[0].keys[1], (std::pair<double, double>(0.7, 0.3)));
  const StateSource& death = base.root.states[1];
  EXPECT_TRUE(death.sync_markers);
  EXPECT_EQ(death.transitions[0].blend, TransitionBlend::kDeadBlend);
  EXPECT_EQ(death.transitions[0].curve, TransitionCurve::kEaseIn);
  EXPECT_EQ(death.transitions[1].curve, TransitionCurve::kPoints);
  EXPECT_EQ(death.transitions[1].curve_points[1], (std::pair<double, double>(0.4, 0.7)));
  EXPECT_TRUE(death.transitions[1].match_phase);

  const Result<ControllerDef> def = compile_controller(*source, &findings);
  ASSERT_TRUE(def.ok()) << all_of(findings);
  EXPECT_TRUE(def->state("base.Moving.Stroll"));
  EXPECT_EQ(def->state("Moving.Stroll"), def->state("Stroll"));
}

TEST(ControllerJson, WritesWhatItReads) {
  const Result<ControllerSource> source = parse_controller(kWalker);
  ASSERT_TRUE(source.ok());
  const std::string text = write_controller(*source);
  const Result<ControllerSource> again = parse_controller(text);
  ASSERT_TRUE(again.ok()) << to_string(again.error()) << text;
  EXPECT_EQ(write_controller(*again), text);
  const Result<ControllerDef> a = compile_controller(*source), b = compile_controller(*again);
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->hash(), b->hash());
  // Keys in a fixed order, defaults left out, short values on one line.
  EXPECT_NE(text.find(R"({"to": "Moving", "when": ["speed > 0.1"], "interruption": "next"})"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("\"mute\""), std::string::npos);
  EXPECT_EQ(text.substr(0, 32), "{\n  \"sinew\": \"controller/1\",\n  \"");
}

// Each choice is read, written where it is not the usual one, and part of the definition's hash.
TEST(ControllerJson, KeepsEveryPolicy) {
  std::ifstream file(std::string(SINEW_SOURCE_DIR) + "/docs/schema/controller.schema.json");
  const nlohmann::json schema = nlohmann::json::parse(file);
  const auto& policies = schema["$defs"]["policy"]["properties"];
  EXPECT_EQ(policies.size(), 21u);
  const auto text_of = [](const std::string& policy) {
    return R"({"sinew": "controller/1", "layers": [{"name": "l"}], "policy": {)" + policy + "}}";
  };
  const auto plain = parse_controller(text_of(""));
  ASSERT_TRUE(plain.ok());
  for (const auto& [key, value] : policies.items()) {
    ASSERT_TRUE(value.contains("default")) << key;
    ASSERT_TRUE(value.contains("description") || value.contains("enum")) << key;
    const std::string other = value.contains("enum")         ? value["enum"][1].dump()
                              : value["default"].get<bool>() ? "false"
                                                             : "true";
    const auto usual = parse_controller(text_of("\"" + key + "\": " + value["default"].dump()));
    const auto changed = parse_controller(text_of("\"" + key + "\": " + other));
    ASSERT_TRUE(usual.ok() && changed.ok()) << key;
    EXPECT_EQ(usual->policy, plain->policy) << key << ": the schema's default is another one";
    EXPECT_FALSE(changed->policy == plain->policy) << key;
    const auto again = parse_controller(write_controller(*changed));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->policy, changed->policy) << key;
    EXPECT_NE(compile_controller(*changed)->hash(), compile_controller(*plain)->hash()) << key;
  }
}

TEST(ControllerJson, CollectsEveryFault) {
  Findings findings;
  const Result<ControllerSource> source = parse_controller(R"({
    "sinew": "controller/1",
    "parameters": [{"name": "speed", "type": "flaot"}, {"type": "int", "default": 1.5}],
    "layers": [{"name": "base", "sates": [], "states": [
      {"name": "Idle", "speed": "fast",
       "transitions": [{"to": "Walk", "when": ["speed >= 1", "speed > x"], "exit_tme": 1}]},
      {"motion": {"blend": "1d", "children": [{"threshold": 0}]}}]}]
  })",
                                                           "bad.json", &findings);
  ASSERT_FALSE(source.ok());
  const std::string base = "layers[0] 'base'";
  EXPECT_TRUE(
      has(findings, "controller.unknown_word", "parameters[0] 'speed'", "did you mean 'float'?"));
  EXPECT_TRUE(has(findings, "controller.missing_key", "parameters[1]", "'name'"));
  EXPECT_TRUE(has(findings, "controller.type", "parameters[1]", "whole number"));
  EXPECT_TRUE(has(findings, "controller.unknown_key", base, "did you mean 'states'?"));
  EXPECT_TRUE(has(findings, "controller.type", base + ": states[0] 'Idle'", "'speed' is a text"));
  const std::string transition = base + ": states[0] 'Idle': transitions[0] 'Walk'";
  EXPECT_TRUE(has(findings, "controller.condition", transition, "'>=' is not one of"));
  EXPECT_TRUE(has(findings, "controller.condition", transition, "'x' is not a number"));
  EXPECT_TRUE(has(findings, "controller.unknown_key", transition, "did you mean 'exit_time'?"));
  EXPECT_TRUE(has(findings, "controller.missing_key", base + ": states[1]", "'name'"));
  EXPECT_TRUE(has(findings, "controller.missing_key", "children[0]", "'motion'"));
  for (const Finding& f : findings) EXPECT_EQ(f.file, "bad.json");
  EXPECT_NE(source.error().message.find("more)"), std::string::npos);
  EXPECT_EQ(source.error().where.substr(0, 10), "bad.json: ");
}

TEST(ControllerJson, SaysWhereTheTextIsBroken) {
  Findings findings;
  EXPECT_FALSE(
      parse_controller("{\n  \"sinew\": \"controller/1\",\n  \"layers\": [}\n", "x", &findings)
          .ok());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].place, "line 3, column 14") << findings[0].message;
  for (const char* text : {"", "[]", "nul", "{\"sinew\": 1}", "{\"sinew\": \"rig/1\"}",
                           "{\"sinew\": \"controller/2\", \"layers\": []}", "\"\xff\"",
                           "{\"sinew\": \"controller/1\", \"layers\": NaN}",
                           "{\"sinew\": \"controller/1\", \"layers\": [{\"weight\": 1e999}]}",
                           "{\"sinew\": \"controller/1\", \"layers\": [], \"layers\": []}"}) {
    findings.clear();
    EXPECT_FALSE(parse_controller(text, "x", &findings).ok()) << text;
    EXPECT_FALSE(findings.empty()) << text;
  }
}

TEST(ControllerJson, DeepNestingIsAnError) {
  std::string machines;
  for (int i = 0; i < 3000; ++i) machines += R"({"name":"m","machines":[)";
  EXPECT_FALSE(
      parse_controller(R"({"sinew":"controller/1","layers":[)" + machines, "x", nullptr).ok());
  std::string closed = R"({"sinew":"controller/1","layers":[{"name":"l","machines":[)";
  std::string end = "]}]}";
  for (int i = 0; i < 60; ++i) {
    closed += R"({"name":"m","machines":[)";
    end = "]}" + end;
  }
  Findings findings;
  EXPECT_FALSE(parse_controller(closed + end, "x", &findings).ok());
  EXPECT_TRUE(has(findings, "controller.too_deep", "", "nested too deeply")) << all_of(findings);
}

TEST(ControllerJson, NamesTheFileThatIsMissing) {
  const Result<ControllerSource> source = load_controller("no/such.controller.json");
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.error().code, ErrorCode::kUnreadable);
  EXPECT_EQ(source.error().where, "no/such.controller.json");
}

// Texts with a few bytes changed never crash, and never pass without a word if they are broken.
TEST(ControllerJson, SurvivesDamage) {
  std::mt19937 random(20240501);
  const std::string whole = kWalker;
  for (int i = 0; i < 2000; ++i) {
    std::string text = whole;
    for (int k = 0; k < 3; ++k) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          text.erase(at, 1 + random() % 20);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 30));
          break;
      }
    }
    Findings findings;
    const Result<ControllerSource> source = parse_controller(text, "x", &findings);
    EXPECT_EQ(source.ok(), !has_errors(findings));
    if (source.ok()) {
      (void)compile_controller(*source, &findings);
      EXPECT_TRUE(parse_controller(write_controller(*source)).ok());
    }
  }
}

// Every key of the schema is one that the reader knows.
TEST(ControllerJson, TheSchemaHasTheSameKeys) {
  std::ifstream file(std::string(SINEW_SOURCE_DIR) + "/docs/schema/controller.schema.json");
  ASSERT_TRUE(file.good());
  const nlohmann::json schema = nlohmann::json::parse(file);
  const auto place_of = [](const std::string& kind) -> std::pair<std::string, std::string> {
    const std::string head = R"({"sinew":"controller/1","layers":[{"name":"l",)";
    if (kind == "layer") return {head, "}]}"};
    if (kind == "state") return {head + R"("states":[{"name":"s",)", "}]}]}"};
    if (kind == "machine") return {head + R"("machines":[{"name":"s",)", "}]}]}"};
    if (kind == "transition") return {head + R"("any":[{"to":"s",)", "}]}]}"};
    if (kind == "motion")
      return {R"({"sinew":"controller/1","motions":[{"name":"l",)", R"(}],"layers":[]})"};
    if (kind == "policy") return {R"({"sinew":"controller/1","policy":{)", R"(},"layers":[]})"};
    if (kind == "route") return {head + R"("entry":[{"to":"s",)", "}]}]}"};
    if (kind == "tree")
      return {head + R"("states":[{"name":"s","motion":{"blend":"1d",)", "}}]}]}"};
    return {"", ""};
  };
  for (const char* kind :
       {"layer", "state", "machine", "transition", "route", "tree", "motion", "policy"}) {
    const auto& properties = schema["$defs"][kind]["properties"];
    ASSERT_FALSE(properties.empty()) << kind;
    for (const auto& [key, value] : properties.items()) {
      // A key that the reader does not know is reported as such; the type does not matter here.
      const auto [head, tail] = place_of(kind);
      Findings findings;
      (void)parse_controller(head + "\"" + key + "\": 1" + tail, "x", &findings);
      EXPECT_FALSE(has(findings, "controller.unknown_key", "", "")) << kind << ": " << key;
    }
  }
}

}  // namespace
}  // namespace sinew
