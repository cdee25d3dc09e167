#include <gtest/gtest.h>

#include <sinew/scene/controller_json.hpp>
#include <sinew/scene/format_json.hpp>

#include "migrate.hpp"
#include "walker_project.hpp"

namespace sinew {
namespace {

std::string formatted(const std::string& text) {
  Findings findings;
  const auto result = format_json_file(text, "test", &findings);
  EXPECT_TRUE(result.ok()) << (result ? "" : to_string(result.error())) << "\n" << text;
  if (!result) return {};
  const auto again = format_json_file(result->text);
  EXPECT_TRUE(again.ok() && again->text == result->text) << "not stable:\n" << result->text;
  return result->text;
}

TEST(FormatJson, ControllersComeInTheWritersForm) {
  const ControllerSource walker = testing::walker_controller_source();
  EXPECT_EQ(formatted(write_controller(walker)), write_controller(walker));
  EXPECT_EQ(
      formatted(R"({"layers": [{"states": [{"transitions": [{"duration": 0.25, "when": {"mode":
      "greater", "threshold": 1.0, "parameter": "speed"}, "to": "A"}], "speed": 1.0, "name": "A"}],
      "name": "base"}], "parameters": [{"type": "float", "name": "speed"}], "sinew":
      "controller/1"})"),
      R"({
  "sinew": "controller/1",
  "parameters": [{"name": "speed", "type": "float"}],
  "layers": [
    {"name": "base", "states": [{"name": "A", "transitions": [{"to": "A", "when": ["speed > 1"]}]}]}
  ]
}
)");
}

TEST(FormatJson, NotesAndSchemaStay) {
  const std::string text =
      formatted(R"({"sinew": "controller/1", "$schema": "x.json", "_about": "us",
    "layers": [{"name": "base", "states": [{"_why": 1, "name": "A", "speed": 1, "_end": 2},
    {"name": "B", "transitions": [{"to": "A", "when": [{"_note": "n", "parameter": "on", "mode":
    "if"}]}]}]}], "parameters": [{"name": "on", "type": "bool"}], "policy": {"_none": true}})");
  for (const char* part :
       {R"("$schema": "x.json",)", R"("_about": "us",)", R"({"_why": 1, "name": "A", "_end": 2})",
        R"({"_note": "n", "parameter")", R"("policy": {"_none": true})"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_TRUE(parse_controller(text).ok());
}

TEST(FormatJson, RangesOfBlendTreesStay) {
  const std::string text =
      formatted(R"({"sinew": "controller/1", "parameters": [{"name": "x", "type":
    "float"}], "layers": [{"name": "base", "states": [{"name": "A", "motion": {"children":
    [{"motion": "a"}, {"motion": {"blend": "1d", "x": "x", "range": [0.0, 2], "children":
    [{"motion": "b"}, {"motion": "c"}]}}], "range": [1, 3], "x": "x", "blend": "1d"}}]}]})");
  EXPECT_EQ(text.find("threshold"), std::string::npos) << text;
  EXPECT_NE(text.find("[1, 3]"), std::string::npos) << text;
  EXPECT_NE(text.find("[0, 2]"), std::string::npos) << text;
}

TEST(FormatJson, CharactersAndScenesKeepEverythingInOrder) {
  EXPECT_EQ(formatted(R"({"motions": {"Walk": {"loop": true, "clip": "w"}, "Idle": "i"}, "_n": 1,
    "controller": "c.json", "model": "m.glb", "sinew": "character/1", "scale": 1.0, "later": {"b": 1,
    "a": 2}})"),
            R"({
  "sinew": "character/1",
  "model": "m.glb",
  "_n": 1,
  "controller": "c.json",
  "scale": 1,
  "motions": {"Walk": {"clip": "w", "loop": true}, "Idle": "i"},
  "later": {"b": 1, "a": 2}
}
)");
  const std::string scene = formatted(testing::kWalkerScene);
  EXPECT_LT(scene.find("\"duration\""), scene.find("\"characters\""));
  EXPECT_LT(scene.find("\"speed\": 1.2"), scene.find("\"speed_parameter\""));
}

TEST(FormatJson, SaysWhatIsWrong) {
  struct Case {
    const char *text, *message;
  };
  const Case cases[] = {
      {"{", "syntax"},
      {R"({"sinew": "controler/1"})", "did you mean 'controller'?"},
      {R"({"layers": []})", "has no kind"},
      {R"({"sinew": "controller/9", "layers": []})", "newer"},
      {R"({"sinew": "controller/x", "layers": []})", "version"},
      {R"({"sinew": "controller/1", "layer": []})", "layer"},
      {R"([1])", "has no kind"},
      {R"({"sinew": "scene/1", "a": 1, "a": 2})", "twice"},
  };
  for (const Case& c : cases) {
    Findings findings;
    const auto result = format_json_file(c.text, "f.json", &findings);
    ASSERT_FALSE(result.ok()) << c.text;
    EXPECT_NE(to_string(result.error()).find(c.message), std::string::npos)
        << to_string(result.error());
    EXPECT_TRUE(has_errors(findings)) << c.text;
  }
}

using scene_detail::Json;

// A format with two older versions.
const scene_detail::FormatVersion kVersions[] = {{"dance", 3}};
const scene_detail::Migration kSteps[] = {
    {"dance", 1,
     [](Json& json) {
       json["steps"] = json["moves"];
       json.erase("moves");
     }},
    {"dance", 2,
     [](Json& json) {
       for (Json& s : json["steps"]) s = Json{{"name", s}};
     }},
};

TEST(Migrate, GoesAVersionAtATime) {
  Json json = Json::parse(R"({"sinew": "dance/1", "moves": ["left", "right"]})");
  const auto done = scene_detail::migrate(json, kVersions, kSteps);
  EXPECT_EQ(done.fault, "");
  EXPECT_EQ(done.from, 1);
  EXPECT_EQ(done.to, 3);
  EXPECT_EQ(json,
            Json::parse(R"({"sinew": "dance/3", "steps": [{"name": "left"}, {"name": "right"}]})"));
  const auto again = scene_detail::migrate(json, kVersions, kSteps);
  EXPECT_EQ(again.from, 3);
  EXPECT_EQ(again.fault, "");
}

TEST(Migrate, RefusesWhatItDoesNotKnow) {
  const auto fault = [](const char* text, std::span<const scene_detail::Migration> steps) {
    Json json = Json::parse(text);
    return scene_detail::migrate(json, kVersions, steps).fault;
  };
  EXPECT_NE(fault(R"({"sinew": "dance/4"})", kSteps), "");
  EXPECT_NE(fault(R"({"sinew": "dance/0"})", kSteps), "");
  EXPECT_NE(fault(R"({"sinew": "dance"})", kSteps), "");
  EXPECT_NE(fault(R"({"sinew": "danse/1"})", kSteps).find("did you mean 'dance'?"),
            std::string::npos);
  EXPECT_NE(fault(R"({"sinew": "dance/1", "moves": []})", std::span(kSteps).subspan(1)), "");
}

}  // namespace
}  // namespace sinew
