// Bad files and what is said about them: place, reason, nearest right name.
#include <gtest/gtest.h>

#include <sinew/scene/scene_def.hpp>

#include "walker_project.hpp"

namespace sinew {
namespace {

using testing::TempFolder;

// One replacement in a good file, and what the first error must contain.
struct Fault {
  const char* find;
  const char* replace;
  const char* place;
  const char* message;
  const char* code;
};

std::string replaced(std::string text, std::string_view find, std::string_view with) {
  const std::size_t at = text.find(find);
  EXPECT_NE(at, std::string::npos) << find;
  return text.replace(at, find.size(), with);
}

bool any_matches(const Findings& findings, const Fault& fault) {
  for (const Finding& f : findings) {
    if (f.severity == Severity::kError && f.place.find(fault.place) != std::string::npos &&
        f.message.find(fault.message) != std::string::npos && f.code == fault.code) {
      return true;
    }
  }
  return false;
}

std::string all(const Findings& findings) {
  std::string text;
  for (const Finding& f : findings)
    text += f.code + " | " + f.file + " | " + f.place + " | " + f.message + "\n";
  return text;
}

TEST(SceneFaults, EachIsReportedAtItsPlace) {
  TempFolder folder;
  testing::write_walker_project(folder);
  const Fault faults[] = {
      {"\"seed\": 4", "\"sed\": 4", "", "unknown key 'sed'; did you mean 'seed'?",
       "json.unknown_key"},
      {"\"seed\": 4", "\"seed\": 4.5", "seed", "must be a whole number", "json.range"},
      {"\"seed\": 4", "\"seed\": -1", "seed", "must be a whole number in [0", "json.range"},
      {"\"duration\": 6", "\"duration\": 0", "duration", "must lie in [0.01, 36000], it is 0",
       "json.range"},
      {"\"duration\": 6", "\"duration\": \"long\"", "duration", "must be a number, it is 'long'",
       "json.type"},
      {"\"duration\": 6", "\"tick_rate\": 1e9", "tick_rate", "must lie in [1, 1000]", "json.range"},
      {"\"scene/1\"", "\"scene/2\"", "sinew", "'scene/2' is a version", "json.version"},
      {"\"scene/1\"", "\"character/1\"", "sinew", "this is a 'character/1' file", "json.kind"},
      {"\"sinew\": \"scene/1\"", "\"kind\": \"scene\"", "",
       "first key must be \"sinew\": \"scene/1\"", "json.header"},
      {"\"name\": \"guard\"", "\"name\": \"idler\"", "characters[1]", "'idler' is taken already",
       "scene.name"},
      {"\"character\": \"walker.character.json\"", "\"character\": \"walkr.character.json\"",
       "characters[0].character", "did you mean 'walker.character.json'?", "file.not_found"},
      {"\"character\": \"walker.character.json\"", "\"character\": \"../walker.character.json\"",
       "characters[0].character", "leaves the project folder", "file.invalid_argument"},
      {"\"character\": \"walker.character.json\"", "\"character\": \"/etc/passwd\"",
       "characters[0].character", "is absolute", "file.malformed"},
      {"\"character\": \"walker.character.json\"", "\"character\": \"a\\\\b.json\"",
       "characters[0].character", "write paths with '/'", "file.malformed"},
      {"\"character\": \"walker.character.json\",", "", "characters[0]", "'character' is missing",
       "json.missing"},
      {"\"position\": [0, 0]", "\"position\": [0]", "characters[0].position",
       "must be [x, y, z] or [x, z]", "json.type"},
      {"\"position\": [0, 0]", "\"position\": [0, \"a\"]", "characters[0].position",
       "must be [x, y, z]", "json.type"},
      {"\"yaw\": 90", "\"yaw\": true", "characters[0].yaw", "must be a number, it is true",
       "json.type"},
      {"\"speed_parameter\": \"speed\"", "\"speed_parameter\": \"sped\"",
       "characters[0].patrol.speed_parameter", "did you mean 'speed'?", "scene.parameter"},
      {"\"speed_parameter\": \"speed\"", "\"speed_parameter\": \"jump\"",
       "characters[0].patrol.speed_parameter", "must be a float parameter", "scene.parameter"},
      {"[[0, 3], {\"at\": [3, 3], \"speed\": 2.5}, {\"at\": [3, 0], \"wait\": 0.5}]", "[]",
       "characters[0].patrol", "needs at least one point", "scene.patrol"},
      {"{\"at\": [3, 3], \"speed\": 2.5}", "{\"speed\": 2.5}", "characters[0].patrol.points[1]",
       "'at' is missing", "json.missing"},
      {"{\"at\": [3, 3], \"speed\": 2.5}", "{\"at\": [3, 3], \"sped\": 2.5}",
       "characters[0].patrol.points[1]", "did you mean 'speed'?", "json.unknown_key"},
      {"{\"at\": 2, \"trigger\": \"jump\"}", "{\"at\": 2, \"trigger\": \"jmp\"}",
       "characters[0].script[0].trigger", "did you mean 'jump'?", "scene.parameter"},
      {"{\"at\": 2, \"trigger\": \"jump\"}", "{\"at\": 2, \"trigger\": \"speed\"}",
       "characters[0].script[0].trigger", "'speed' is no trigger", "scene.parameter"},
      {"{\"at\": 2, \"trigger\": \"jump\"}", "{\"at\": 2}", "characters[0].script[0]",
       "does nothing", "scene.empty_step"},
      {"{\"at\": 2, \"trigger\": \"jump\"}", "{\"trigger\": \"jump\"}", "characters[0].script[0]",
       "'at' is missing", "json.missing"},
      {"{\"at\": 4, \"play\": \"Idle\"}", "{\"at\": 4, \"play\": \"Idel\"}",
       "characters[1].script[1].play", "did you mean 'Idle'?", "scene.state"},
      {"{\"at\": 3, \"set\": {\"speed\": 3}}", "{\"at\": 3, \"set\": {\"speed\": true}}",
       "characters[1].script[0].set.speed", "must be a number, it is true", "json.type"},
      {"{\"at\": 3, \"set\": {\"speed\": 3}}", "{\"at\": 3, \"set\": {\"jump\": 1}}",
       "characters[1].script[0].set.jump", "'jump' is a trigger: true or false, not 1",
       "json.type"},
      {"\"parameters\": {\"speed\": 0}", "\"parameters\": {\"sped\": 0}",
       "characters[1].parameters.sped", "did you mean 'speed'?", "scene.parameter"},
      {"\"parameters\": {\"speed\": 0}", "\"parameters\": [0]", "characters[1].parameters",
       "must be an object, it is an array of 1", "json.type"},
      {"\"seed\": 4", "\"max_characters\": 1", "", "max_characters is 1, the scene has 2",
       "scene.limit"},
      {"\"seed\": 4", "\"camera\": {\"character\": \"gard\"}", "camera.character",
       "did you mean 'guard'?", "scene.character"},
      {"\"seed\": 4", "\"camera\": {\"mode\": \"folow\"}", "camera.mode", "did you mean 'follow'?",
       "json.choice"},
      {"\"seed\": 4", "\"ground\": {\"type\": \"plan\"}", "ground.type", "did you mean 'plane'?",
       "json.choice"},
      {"\"seed\": 4", "\"seed\": 4, \"seed\": 5", "", "'seed' is given twice",
       "file.duplicate_key"},
      {"\"seed\": 4,", "\"seed\": 4", "line 5", "syntax error", "file.syntax"},
  };
  for (const Fault& fault : faults) {
    const auto file =
        folder.write("bad.scene.json", replaced(testing::kWalkerScene, fault.find, fault.replace));
    Findings findings;
    const Result<Scene> scene = load_scene(file, {}, &findings);
    EXPECT_FALSE(scene.ok()) << fault.replace;
    EXPECT_TRUE(any_matches(findings, fault)) << fault.replace << "\n" << all(findings);
    for (const Finding& finding : findings)
      EXPECT_NE(finding.file.find("bad.scene.json"), std::string::npos);
  }
}

TEST(SceneFaults, AllFaultsOfAFileAreFoundAtOnce) {
  TempFolder folder;
  testing::write_walker_project(folder);
  std::string text = replaced(testing::kWalkerScene, "\"duration\": 6", "\"duration\": -6");
  text = replaced(text, "\"trigger\": \"jump\"", "\"trigger\": \"jmp\"");
  text = replaced(text, "\"play\": \"Idle\"", "\"play\": \"Idel\"");
  Findings findings;
  const Result<Scene> scene = load_scene(folder.write("bad.scene.json", text), {}, &findings);
  ASSERT_FALSE(scene.ok());
  EXPECT_EQ(findings.size(), 3u) << all(findings);
  EXPECT_NE(to_string(scene.error()).find("bad.scene.json: duration: must lie in"),
            std::string::npos)
      << to_string(scene.error());
}

TEST(SceneFaults, ALateStepIsAWarning) {
  TempFolder folder;
  testing::write_walker_project(folder);
  Findings findings;
  const auto file = folder.write("late.scene.json",
                                 replaced(testing::kWalkerScene, "\"at\": 2,", "\"at\": 200,"));
  EXPECT_TRUE(load_scene(file, {}, &findings).ok());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "scene.late_step");
}

TEST(SceneFaults, MissingAndHostileFilesAreErrors) {
  TempFolder folder;
  testing::write_walker_project(folder);
  const Error missing = load_scene(folder / "corse.scene.json").error();
  EXPECT_NE(missing.message.find("did you mean 'course.scene.json'?"), std::string::npos)
      << missing.message;
  EXPECT_FALSE(load_scene(folder.path()).ok()) << "a folder";
  for (const char* text :
       {"", "[]", "null", "{", "\"scene\"", "{\"sinew\": 1}", "\xff\xfe",
        "{\"sinew\": \"scene/1\"}", "{\"sinew\": \"scene/1\", \"characters\": {}}",
        "{\"sinew\": \"scene/1\", \"characters\": []}",
        "{\"sinew\": \"scene/1\", \"characters\": [1, null, [], {}]}"}) {
    Findings findings;
    EXPECT_FALSE(load_scene(folder.write("bad.scene.json", text), {}, &findings).ok()) << text;
    EXPECT_TRUE(has_errors(findings)) << text;
  }
  const std::string deep = std::string(100000, '[');
  EXPECT_FALSE(load_scene(folder.write("bad.scene.json", deep)).ok());
}

TEST(CharacterFaults, EachIsReportedAtItsPlace) {
  TempFolder folder;
  testing::write_walker_project(folder);
  const char* good = R"json({
  "sinew": "character/1",
  "name": "walker",
  "model": "models/walker.glb",
  "controller": "walker.controller.json",
  "scale": 1,
  "motions": {
    "Walk": {"clip": "Run", "loop": true, "speed": 0.5, "travel": 1.5},
    "Run": "models/walker.glb#clip=Run"
  },
  "masks": {"upper": {"subtree": "spine", "joints": {"head": 0.5}}},
  "mirror": {"foot_l": "foot_r"},
  "roles": {"jaw": "head"}
})json";
  ASSERT_TRUE(load_character_file(folder.write("good.character.json", good)).ok());
  const Fault faults[] = {
      {"\"scale\": 1", "\"scal\": 1", "", "did you mean 'scale'?", "json.unknown_key"},
      {"\"scale\": 1", "\"scale\": 0", "scale", "must lie in", "json.range"},
      {"models/walker.glb\",", "models/walkr.glb\",", "model", "did you mean 'walker.glb'?",
       "file.not_found"},
      {"walker.controller.json", "walker.controler.json", "controller",
       "did you mean 'walker.controller.json'?", "file.not_found"},
      {"\"model\": \"models/walker.glb\",", "", "", "'model' is missing", "json.missing"},
      {"\"clip\": \"Run\"", "\"clip\": \"Rnu\"", "motions.Walk.clip", "did you mean 'Run'?",
       "character.clip"},
      {"#clip=Run", "#clip=Walc", "motions.Run", "did you mean 'Walk'?", "character.clip"},
      {"#clip=Run", "#mesh=Run", "motions.Run", "write '#clip=Name'", "character.clip"},
      {"#clip=Run", "#Run", "motions.Run", "must be 'clip=Name'", "character.clip"},
      {"\"travel\": 1.5", "\"travel\": \"foot\"", "motions.Walk.travel", "must be 'feet'",
       "character.travel"},
      {"\"speed\": 0.5", "\"speed\": 0", "motions.Walk.speed", "must lie in", "json.range"},
      {"\"loop\": true", "\"loop\": 1", "motions.Walk.loop", "must be true or false, it is 1",
       "json.type"},
      {"\"subtree\": \"spine\"", "\"subtree\": \"spin\"", "masks.upper.subtree",
       "did you mean 'spine'?", "character.joint"},
      {"\"head\": 0.5", "\"head\": 1.5", "masks.upper.joints.head", "must lie in [0, 1]",
       "json.range"},
      {"\"head\": 0.5", "\"hed\": 0.5", "masks.upper.joints.hed", "did you mean 'head'?",
       "character.joint"},
      {"\"foot_l\": \"foot_r\"", "\"foot_l\": \"fot_r\"", "mirror.foot_l", "did you mean 'foot_r'?",
       "character.joint"},
      {"\"jaw\"", "\"jow\"", "roles.jow", "did you mean 'jaw'?", "character.role"},
  };
  for (const Fault& fault : faults) {
    Findings findings;
    const auto file = folder.write("bad.character.json", replaced(good, fault.find, fault.replace));
    EXPECT_FALSE(load_character_file(file, {}, &findings).ok()) << fault.replace;
    EXPECT_TRUE(any_matches(findings, fault)) << fault.replace << "\n" << all(findings);
  }
}

TEST(CharacterFiles, SettingsReachTheDefinition) {
  TempFolder folder;
  testing::write_walker_project(folder);
  const auto file = folder.write("fast.character.json", R"json({
    "sinew": "character/1", "model": "models/walker.glb", "controller": "walker.controller.json",
    "scale": 2, "speed": 1.5, "root_motion": false,
    "motions": {"Walk": {"clip": "Run", "speed": 0.5, "travel": 1.5}, "Unused": "Run"}
  })json");
  Findings findings;
  const Result<LoadedCharacter> loaded = load_character_file(file, {}, &findings);
  ASSERT_TRUE(loaded.ok()) << to_string(loaded.error());
  EXPECT_EQ(loaded->file_name, "fast.character.json");
  const CharacterDef& def = loaded->def;
  EXPECT_EQ(def.name(), "fast");
  EXPECT_EQ(def.scale(), 2);
  EXPECT_EQ(def.speed(), 1.5f);
  EXPECT_FALSE(def.root_motion());
  const auto& sources = def.controller().tables().motions;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].name != "Walk") continue;
    const MotionInfo& info = def.motions().motions[i];
    EXPECT_NEAR(info.length, 1.2, 1e-5) << "half as fast";
    EXPECT_NEAR(def.travel_velocity(info.clip).z, 3.0f, 1e-4f) << "given, times the scale";
  }
  ASSERT_EQ(findings.size(), 1u) << all(findings);
  EXPECT_EQ(findings[0].code, "character.unused_motion");

  const Result<CharacterDef> with_model =
      load_character(folder / "walker.character.json", testing::walker_model());
  ASSERT_TRUE(with_model.ok()) << to_string(with_model.error());
  EXPECT_EQ(with_model->clips().size(), 4u);
}

TEST(ProjectFiles, PathsStayInsideTheProject) {
  TempFolder folder;
  folder.write("project/sinew.project.json", "{}");
  folder.write("project/scenes/a.scene.json", "{}");
  folder.write("project/models/m.glb", "x");
  folder.write("outside.glb", "x");
  const auto scene = folder / "project/scenes/a.scene.json";
  const ProjectFiles files = ProjectFiles::around(scene).value();
  EXPECT_EQ(files.name_of(scene), "scenes/a.scene.json");
  EXPECT_TRUE(files.resolve(scene, "../models/m.glb").ok());
  EXPECT_FALSE(files.resolve(scene, "../../outside.glb").ok());
  EXPECT_FALSE(files.resolve(scene, "").ok());
  std::filesystem::create_symlink(folder / "outside.glb", folder / "project/models/link.glb");
  EXPECT_FALSE(files.resolve(scene, "../models/link.glb").ok()) << "a link may not lead out";
  EXPECT_TRUE(
      ProjectFiles::around(scene, folder.path()).value().resolve(scene, "../../outside.glb").ok())
      << "a wider root may be given";
  EXPECT_FALSE(ProjectFiles::around(scene, folder / "project/models").ok())
      << "the file lies outside";
  EXPECT_FALSE(ProjectFiles::around(scene, folder / "nowhere").ok());

  EXPECT_EQ(parse_file_reference("a/b.glb#clip=Walk 1")->value, "Walk 1");
  EXPECT_EQ(parse_file_reference("a/b.glb")->key, "");
  for (const char* bad : {"", "#clip=a", "a.glb#", "a.glb#clip", "a.glb#clip=", "a.glb#=x"}) {
    EXPECT_FALSE(parse_file_reference(bad).ok()) << bad;
  }
}

TEST(ProjectFiles, WritingIsWholeOrNothing) {
  TempFolder folder;
  ASSERT_TRUE(write_file(folder / "a/b/c.txt", "first").ok());
  ASSERT_TRUE(write_file(folder / "a/b/c.txt", "second").ok());
  EXPECT_EQ(read_text_file(folder / "a/b/c.txt").value(), "second");
  folder.write("file", "");
  EXPECT_EQ(write_file(folder / "file/c.txt", "x").error().code, ErrorCode::kUnwritable);
  EXPECT_EQ(read_text_file(folder / "a/b/c.txt", 3).error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace sinew
