// Rigs of characters and scenes that come from files.
#include <gtest/gtest.h>

#include <sinew/scene/recording.hpp>
#include <sinew/scene/rig_json.hpp>
#include <sinew/scene/scene_run.hpp>

#include "rigged_walker.hpp"
#include "walker_project.hpp"

namespace sinew {
namespace {

using testing::TempFolder;

constexpr const char* kCharacter = R"json({
  "sinew": "character/1",
  "name": "walker",
  "model": "models/walker.glb",
  "controller": "walker.controller.json",
  "rig": "walker.rig.json"
})json";

constexpr const char* kScene = R"json({
  "sinew": "scene/1",
  "name": "reach",
  "duration": 1.5,
  "characters": [
    {
      "name": "guard",
      "character": "walker.character.json",
      "script": [
        {"at": 0.25, "rig": {"leg.weight": 1}, "rig_nodes": {"foot_target": [-0.15, 0.3, 0.25]}},
        {"at": 0.5, "rig_nodes": {"foot_target": {"position": [-0.2, 0.25, 0.2],
                                                  "rotation": [0, 2, 0, 0]}}},
        {"at": 1, "rig": {"leg.weight": 0}, "reset_rig": true}
      ]
    }
  ]
})json";

void write_project(const TempFolder& folder) {
  testing::write_walker_project(folder);
  folder.write("walker.rig.json", write_rig_json(testing::walker_rig_source()));
  folder.write("walker.character.json", kCharacter);
  folder.write("reach.scene.json", kScene);
}

std::string text_of(const Findings& findings) {
  std::string text;
  for (const Finding& f : findings) {
    text += std::filesystem::path(f.file).filename().string() + " | " + f.place + " | " + f.code +
            " | " + f.message + " | " + f.hint + "\n";
  }
  return text;
}

void replace(std::string& text, std::string_view find, std::string_view with) {
  const std::size_t at = text.find(find);
  ASSERT_NE(at, std::string::npos) << find;
  text.replace(at, find.size(), with);
}

TEST(RigScene, ScriptsSetChannelsAndNodes) {
  TempFolder folder;
  write_project(folder);
  const Result<Scene> scene = load_scene(folder / "reach.scene.json");
  ASSERT_TRUE(scene.ok()) << to_string(scene.error());
  const RigDef& rig = *scene->definitions[0].def.rig();
  EXPECT_EQ(rig.name(), "walker");
  const int leg = *rig.find_constraint("leg");
  const RigNodeId target = *rig.node("foot_target");
  SceneRun run(*scene);
  int satisfied = 0;
  while (!run.done()) {
    run.step();
    const CharacterId id = run.id(0);
    const double time = static_cast<double>(run.tick().index) / 60;
    const bool on = run.world().rig_status(id, leg) == RigStatus::kSatisfied;
    satisfied += on ? 1 : 0;
    if (time > 0.26 && time < 0.49) {
      EXPECT_EQ(run.world().rig_node(id, target).translation, (Vec3{-0.15f, 0.3f, 0.25f}));
    }
    if (time > 0.51 && time < 0.99) {
      EXPECT_EQ(run.world().rig_node(id, target).rotation, (Quat{0, 1, 0, 0}));
    }
  }
  EXPECT_EQ(satisfied, 45);
}

TEST(RigScene, RecordingsReplayWithTheSameBits) {
  TempFolder folder;
  write_project(folder);
  const Scene scene = load_scene(folder / "reach.scene.json").value();
  Result<RecordingWriter> writer =
      RecordingWriter::open(folder / "reach.swrec", make_recording_header(scene));
  ASSERT_TRUE(writer.ok());
  SceneRun run(scene);
  while (!run.done()) {
    run.step();
    ASSERT_TRUE(writer->add_tick(run.world(), run.tick(), run.inputs()).ok());
  }
  ASSERT_TRUE(writer->finish().ok());
  const Recording recording = read_recording(folder / "reach.swrec").value();
  EXPECT_EQ(recording.header.version, kRecordingVersion);
  const auto root = find_recording_root(recording, folder / "reach.swrec");
  ASSERT_TRUE(root.ok());
  const auto definitions = load_definitions(recording, *root);
  ASSERT_TRUE(definitions.ok()) << to_string(definitions.error());
  const Result<ReplayReport> report = verify_recording(recording, *definitions);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->same) << report->first_tick;

  // A setting of the rig belongs to what was recorded.
  RigSource changed = testing::walker_rig_source();
  changed.layers[0].constraints[0].constraint.get<rig::TwoBoneIk>()->soft_distance = 0.02f;
  folder.write("walker.rig.json", write_rig_json(changed));
  const auto other = load_definitions(recording, *root);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, ErrorCode::kMismatch);
}

struct Fault {
  const char* file;
  const char* find;
  const char* with;
  const char* expected;  // part of a line of text_of()
};

TEST(RigScene, FaultsHavePlaceAndNearestName) {
  const Fault faults[] = {
      {"walker.character.json", "walker.rig.json", "walkr.rig.json",
       "walker.character.json | rig | file.not_found"},
      {"walker.character.json", "walker.rig.json", "walkr.rig.json",
       "did you mean 'walker.rig.json'"},
      {"walker.rig.json", "\"foot_r\"", "\"fot_r\"",
       "walker.rig.json | layer 'limbs': constraint 'leg': tip | rig.unknown_node | there is no "
       "joint or rig node 'fot_r'; did you mean 'foot_r'?"},
      {"walker.rig.json", "\"target\"", "\"targt\"",
       "walker.rig.json | layer 'limbs': constraint 'leg' | json.unknown_key | unknown key "
       "'targt'; "
       "did you mean 'target'?"},
      {"walker.rig.json", "rig/1", "rig/7", "walker.rig.json | sinew | json.kind"},
      {"walker.rig.json", "\"speed\"", "\"sped\"", "did you mean 'speed'"},
      {"walker.rig.json", "\"nodes\"", "\"nodes\" nodes", "walker.rig.json | line"},
      {"reach.scene.json", "leg.weight", "leg.wait",
       "reach.scene.json | characters[0].script[0].rig.leg.wait | scene.rig | the rig has no "
       "channel 'leg.wait'; did you mean 'leg.weight'?"},
      {"reach.scene.json", "leg.weight", "look.weight", "a parameter drives 'look.weight'"},
      {"reach.scene.json", "\"foot_target\": [", "\"fot_target\": [",
       "did you mean 'foot_target'?"},
      {"reach.scene.json", "[-0.15, 0.3, 0.25]", "[-0.15, 0.3]", "must be an array of 3 numbers"},
      {"reach.scene.json", "[0, 2, 0, 0]", "[0, 0, 0, 0]", "is no rotation"},
      {"reach.scene.json", "\"rotation\"", "\"rotatoin\"", "did you mean 'rotation'"},
  };
  for (const Fault& fault : faults) {
    TempFolder folder;
    write_project(folder);
    std::string text = read_text_file(folder / fault.file).value();
    replace(text, fault.find, fault.with);
    folder.write(fault.file, text);
    Findings findings;
    EXPECT_FALSE(load_scene(folder / "reach.scene.json", {}, &findings).ok()) << fault.with;
    EXPECT_NE(text_of(findings).find(fault.expected), std::string::npos) << fault.with << " gave\n"
                                                                         << text_of(findings);
  }
}

TEST(RigScene, ACharacterWithoutARigTakesNoRigCommand) {
  TempFolder folder;
  write_project(folder);
  folder.write("walker.character.json", testing::kWalkerCharacter);
  Findings findings;
  EXPECT_FALSE(load_scene(folder / "reach.scene.json", {}, &findings).ok());
  EXPECT_NE(text_of(findings).find("the character 'walker' has no rig"), std::string::npos)
      << text_of(findings);
}

// A constraint of this program, in a file.
struct Lift {
  static constexpr const char* kName = "lift";
  static constexpr const char* kSummary = "Lifts a joint";
  rig::NodeRef driven;
  rig::Value by{0.1f};
  void fields(rig::FieldVisitor& v) {
    v.node("driven", driven, rig::NodeUse::kDriven);
    v.value("by", by, -1, 1);
  }
  RigStatus evaluate(rig::RigEval& e) const {
    e.set_position(driven, e.position(driven) + Vec3{0, e.value(by) * e.weight(), 0});
    return RigStatus::kSatisfied;
  }
};

TEST(RigScene, AProgramsOwnConstraintsAreReadFromFiles) {
  TempFolder folder;
  write_project(folder);
  folder.write("walker.rig.json", R"json({"sinew": "rig/1", "layers": [{"name": "l",
    "constraints": [{"type": "lift", "name": "up", "driven": "head", "by": 0.2}]}]})json");
  Findings findings;
  EXPECT_FALSE(load_character_file(folder / "walker.character.json", {}, &findings).ok());
  EXPECT_NE(text_of(findings).find("lift"), std::string::npos) << text_of(findings);
  rig::ConstraintRegistry registry;
  registry.add<Lift>();
  const auto loaded =
      load_character_file(folder / "walker.character.json", {.constraints = &registry});
  ASSERT_TRUE(loaded.ok()) << to_string(loaded.error());
  World world;
  const CharacterId id = world.spawn(loaded->def);
  world.update({});
  EXPECT_EQ(world.rig_status(id, 0), RigStatus::kSatisfied);
}

}  // namespace
}  // namespace sinew
