// The program as its user runs it: exit codes, the JSON object, files, examples of the help.
#include "cli_testing.hpp"

namespace sinew {
namespace {

using testing::Json;
using testing::Outcome;
using testing::sinew_in;
using testing::TempFolder;

class Cli : public testing::CliTest {};

TEST_F(Cli, RunPrintsASummaryAndRecordsAndReplayVerifies) {
  const Outcome ran = run("run course.scene.json --record");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("guard"), std::string::npos);
  EXPECT_NE(ran.out.find("tick cost"), std::string::npos);
  EXPECT_NE(ran.out.find("wrote out/course.swrec"), std::string::npos);
  EXPECT_EQ(ran.err, "") << "no progress bar where stderr is no terminal";
  const Outcome verified = run("replay out/course.swrec --verify --workers 2");
  EXPECT_EQ(verified.code, 0) << verified.err;
  EXPECT_NE(verified.out.find("same bits in 360 ticks"), std::string::npos) << verified.out;
}

TEST_F(Cli, RunGivesTheSameHashForAnyNumberOfWorkers) {
  const Json one = json("run course.scene.json", 0);
  EXPECT_EQ(one["command"], "run");
  EXPECT_EQ(one["ticks"], 360);
  EXPECT_EQ(one["characters"].size(), 2u);
  EXPECT_GT(one["characters"][0]["distance"].get<double>(), 3);
  for (const char* workers : {"2", "4"}) {
    EXPECT_EQ(json(std::string("run course.scene.json --workers ") + workers, 0)["hash"],
              one["hash"]);
  }
  EXPECT_EQ(json("run course.scene.json --duration 1", 0)["ticks"], 60);
}

TEST_F(Cli, ExitCodesTellUsageFromFindingsFromUnreadableFiles) {
  EXPECT_EQ(run("").code, 2);
  EXPECT_EQ(run("dance").code, 2);
  EXPECT_EQ(run("run").code, 2);
  EXPECT_EQ(run("run course.scene.json --workers 0").code, 2);
  EXPECT_EQ(run("run course.scene.json --workers many").code, 2);
  EXPECT_EQ(run("run course.scene.json --video out/a.avi").code, 2);
  EXPECT_EQ(run("run course.scene.json --video --size big").code, 2);
  EXPECT_EQ(run("run nothing.scene.json").code, 3);
  EXPECT_EQ(run("inspect nothing.glb").code, 3);
  folder_.write("broken.glb", "glTF but not really");
  EXPECT_EQ(run("inspect broken.glb").code, 3);
  EXPECT_EQ(run("validate broken.glb").code, 3);
  folder_.write("broken.swrec", "SWREC");
  EXPECT_EQ(run("replay broken.swrec").code, 3);
  folder_.write("broken.scene.json", "{");
  EXPECT_EQ(run("run broken.scene.json").code, 3);
  std::string faulty = testing::kWalkerScene;
  faulty.replace(faulty.find("\"play\": \"Idle\""), 14, "\"play\": \"Idel\"");
  folder_.write("faulty.scene.json", faulty);
  const Outcome found = run("run faulty.scene.json");
  EXPECT_EQ(found.code, 1);
  EXPECT_NE(found.err.find("characters[1].script[1].play"), std::string::npos) << found.err;
  EXPECT_NE(found.err.find("did you mean 'Idle'?"), std::string::npos) << found.err;
  EXPECT_EQ(found.out, "");
}

TEST_F(Cli, FaultsComeAsJsonToo) {
  EXPECT_EQ(json("run nothing.scene.json", 3)["findings"][0]["code"], "file.not_found");
  EXPECT_EQ(json("run", 2)["findings"][0]["code"], "usage");
  EXPECT_EQ(json("dance", 2)["findings"][0]["code"], "usage");
}

TEST_F(Cli, WarningsAreErrorsWithWerror) {
  std::string late = testing::kWalkerScene;
  late.replace(late.find("\"at\": 2,"), 8, "\"at\": 99,");
  folder_.write("late.scene.json", late);
  EXPECT_EQ(run("validate late.scene.json").code, 0);
  EXPECT_EQ(run("validate late.scene.json --werror").code, 1);
  EXPECT_NE(run("validate late.scene.json").err.find("warning"), std::string::npos);
  EXPECT_EQ(run("validate late.scene.json --quiet").err, "");
}

TEST_F(Cli, ValidateTakesManyFilesAndNamesTheBadOnes) {
  folder_.write("bad.character.json",
                "{\"sinew\": \"character/1\", \"model\": 3, \"controller\": \"x.json\"}");
  const Json result = json(
      "validate course.scene.json walker.character.json walker.controller.json models/walker.glb "
      "bad.character.json",
      3);
  ASSERT_EQ(result["files"].size(), 5u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(result["files"][i]["errors"], 0) << result["files"][i];
  EXPECT_EQ(result["files"][0]["kind"], "scene");
  EXPECT_EQ(result["files"][3]["kind"], "model");
  EXPECT_GT(result["files"][4]["errors"].get<int>(), 0);
}

TEST_F(Cli, InspectShowsTablesOfEachKind) {
  const Outcome model = run("inspect models/walker.glb");
  EXPECT_EQ(model.code, 0) << model.err;
  for (const char* text : {"skeleton: 16 joints", "└ toes_l", "left_foot", "Walk", "1.000",
                           "linear", "skins: 1", "findings"}) {
    EXPECT_NE(model.out.find(text), std::string::npos) << text << "\n" << model.out;
  }
  const Outcome clips = run("inspect models/walker.glb --only clips");
  EXPECT_EQ(clips.out.find("skeleton:"), std::string::npos);
  EXPECT_NE(clips.out.find("Walk"), std::string::npos);
  const Json files = json(
      "inspect models/walker.glb walker.controller.json walker.character.json course.scene.json",
      0);
  ASSERT_EQ(files["files"].size(), 4u);
  EXPECT_EQ(files["files"][0]["joints"].size(), 16u);
  EXPECT_EQ(files["files"][0]["clips"].size(), 4u);
  EXPECT_EQ(files["files"][1]["states"].size(), 3u);
  EXPECT_EQ(files["files"][2]["motions"].size(), 4u);
  EXPECT_EQ(files["files"][3]["characters"].size(), 2u);
}

TEST_F(Cli, AChangedCharacterIsNotReplayed) {
  ASSERT_EQ(run("run course.scene.json --record a.swrec").code, 0);
  std::string changed = testing::kWalkerCharacter;
  changed.replace(changed.rfind('}'), 1, ", \"speed\": 1.5}");
  folder_.write("walker.character.json", changed);
  const Outcome outcome = run("replay a.swrec --verify");
  EXPECT_NE(outcome.code, 0);
  EXPECT_NE(outcome.err.find("has changed since the recording"), std::string::npos) << outcome.err;
}

TEST_F(Cli, AnInterruptedRunLeavesNothing) {
  // 0.3 s into a run that lasts as long as it simulates.
  const Outcome outcome = sinew_in(folder_.path(),
                                   "run course.scene.json --realtime --record out/a.swrec & "
                                   "pid=$!; sleep 0.5; kill -INT $pid; wait $pid; exit $?");
  EXPECT_EQ(outcome.code, 130) << outcome.out << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/a.swrec"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/a.swrec.part"));
}

TEST_F(Cli, DoctorSaysWhatIsThere) {
  const Outcome outcome = run("doctor");
  EXPECT_EQ(outcome.code, 0);
  for (const char* text : {"sinew", "processor", "import_worker", "renderer", "ffmpeg", "node"}) {
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text;
  }
  EXPECT_GE(json("doctor", 0)["checks"].size(), 5u);
}

TEST_F(Cli, EveryCommandHelpsWithAnExample) {
  const Outcome help = run("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* command :
       {"run", "replay", "render", "play", "import", "inspect", "validate", "doctor"}) {
    EXPECT_NE(help.out.find(command), std::string::npos);
    const Outcome one = run(std::string(command) + " --help");
    EXPECT_EQ(one.code, 0);
    EXPECT_NE(one.out.find("Example:\n  sinew " + std::string(command)), std::string::npos)
        << one.out;
  }
  EXPECT_EQ(run("--version").out.rfind("sinew ", 0), 0u);
}

// The examples of the help, from the project's root, with their pictures left out: these take
// seconds each. Outputs go into a folder of the test.
TEST(LongCliExamples, Run) {
  TempFolder folder;
  for (const char* name : {"examples", "build"}) {
    std::filesystem::create_symlink(std::filesystem::path(SINEW_SOURCE_DIR) / name, folder / name);
  }
  const std::string root = " --root '" SINEW_SOURCE_DIR "'";
  for (const std::string command :
       {"run", "replay", "render", "play", "import", "inspect", "validate", "doctor"}) {
    const std::string help = sinew_in(folder.path(), command + " --help").out;
    const std::size_t at = help.find("Example:\n  sinew ");
    ASSERT_NE(at, std::string::npos);
    std::string example = help.substr(at + 17);
    example = example.substr(0, example.find('\n'));
    const Outcome outcome = sinew_in(folder.path(), example + root);
    EXPECT_EQ(outcome.code, 0) << "sinew " << example << "\n" << outcome.out << outcome.err;
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "out/patrol.png"));
  EXPECT_TRUE(std::filesystem::exists(folder / "out/patrol.swrec"));
}

// ---- one test per fault that was there once

TEST_F(Cli, RecordsOnlyToRecordings) {
  EXPECT_EQ(run("run course.scene.json --duration 1 --record course.scene.json").code, 2);
  EXPECT_EQ(run("validate course.scene.json").code, 0) << "the scene is still there";
}

TEST_F(Cli, NamesInFilesLeadNowhereElse) {
  std::string scene = testing::kWalkerScene;
  const std::size_t at = scene.find("\"name\": \"course\"");
  if (at != std::string::npos) scene.erase(at, std::string("\"name\": \"course\",").size());
  scene.replace(scene.find('{'), 1, "{ \"name\": \"../../up/x\",");
  folder_.write("up.scene.json", scene);
  const Json ran = json("run up.scene.json --duration 1 --record", 0);
  EXPECT_EQ(ran["files"][0]["file"], "out/_._.._up_x.swrec");
}

TEST_F(Cli, ClosedAndFullStreamsDoNotAbort) {
  const Outcome closed = run("validate nothing.scene.json 2>&- 1>&-");
  EXPECT_EQ(closed.code, 3);
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_EQ(run("inspect course.scene.json > /dev/full").code, 1);
    EXPECT_EQ(run("inspect course.scene.json --json > /dev/full").code, 1);
  }
}

TEST_F(Cli, ASceneHasATickAtLeast) {
  EXPECT_EQ(json("run course.scene.json --duration 0.01", 0)["ticks"], 1);
  EXPECT_EQ(run("run course.scene.json --duration nan").code, 2);
}

TEST_F(Cli, UnknownWordsGetTheNearestRightOne) {
  EXPECT_NE(run("rnu course.scene.json").err.find("did you mean 'run'?"), std::string::npos);
  const Outcome option = run("run course.scene.json --duratoin 3");
  EXPECT_EQ(option.code, 2);
  EXPECT_NE(option.err.find("did you mean '--duration'?"), std::string::npos) << option.err;
  EXPECT_EQ(json("run --wrokers 2", 2)["command"], "run");
}

TEST_F(Cli, FilesOfTheCurrentFolderAreFoundByName) {
  std::string scene = testing::kWalkerScene;
  const std::size_t at = scene.find(".character.json");
  scene.replace(at - 1, 1, "x");
  folder_.write("missing.scene.json", scene);
  const Outcome ran = run("run missing.scene.json");
  EXPECT_NE(ran.err.find("does not exist; did you mean"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace sinew
