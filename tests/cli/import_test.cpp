// sinew import: many files, each in a process of its own, a report for each.
#include <filesystem>
#include <set>
#include <sstream>

#include "cli_testing.hpp"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::Json;
using testing::Outcome;
using testing::sinew_in;
using testing::TempFolder;

constexpr const char* kBvh = R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 40 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 40 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.1
0 90 0 0 0 0 0 0 0
0 90 10 0 0 0 5 0 0
0 90 20 0 0 0 9 0 0
)";

class CliImport : public testing::CliTest {
 protected:
  // A worker in place of the real one, for files that need it.
  std::string worker(const std::string& script) {
    folder_.write("worker.sh", "#!/bin/sh\n" + script + "\n");
    fs::permissions(folder_ / "worker.sh", fs::perms::owner_all);
    return "SINEW_IMPORT_WORKER='" + (folder_ / "worker.sh").string() + "'";
  }
  Json report(const std::string& name) {
    return Json::parse(TempFolder::read(folder_ / name), nullptr, false);
  }
};

TEST_F(CliImport, ReportsEveryFileOfEveryFolder) {
  for (const char* name : {"takes/a/walk.bvh", "takes/b/walk.bvh", "takes/b/UPPER.BVH",
                           "takes/.hidden/x.bvh", "takes/.x.bvh"}) {
    folder_.write(name, kBvh);
  }
  folder_.write("takes/notes.txt", "not for us");
  const Json all = json("import takes models takes/a/walk.bvh --out out -j 3", 0);
  EXPECT_EQ(all["read"], 4);
  EXPECT_EQ(all["failed"], 0);
  ASSERT_EQ(all["files"].size(), 4u) << "a file that is named twice is read once";
  EXPECT_EQ(all["files"][0]["file"], "takes/a/walk.bvh");
  EXPECT_EQ(all["files"][3]["file"], "models/walker.glb");
  std::set<std::string> written;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "out")) {
    if (entry.is_regular_file())
      written.insert(entry.path().lexically_relative(folder_ / "out").generic_string());
  }
  EXPECT_EQ(written, (std::set<std::string>{
                         "takes/a/walk.bvh.import.json", "takes/b/walk.bvh.import.json",
                         "takes/b/UPPER.BVH.import.json", "models/walker.glb.import.json"}));
  EXPECT_EQ(report("out/takes/a/walk.bvh.import.json"), all["files"][0]);
}

TEST_F(CliImport, AReportSaysWhatIsInTheFile) {
  folder_.write("walk.bvh", kBvh);
  const Json files = json("import walk.bvh models/walker.glb", 0)["files"];
  const Json& walk = files[0];
  EXPECT_EQ(walk["sinew"], "import-report/1");
  EXPECT_EQ(walk["ok"], true);
  EXPECT_EQ(walk["format"], "BVH");
  EXPECT_EQ(walk["bytes"], std::string(kBvh).size());
  EXPECT_EQ(walk["unit"]["from"], "guess");
  EXPECT_EQ(walk["unit"]["metres"], 0.0254) << "80 units tip to tip are nearest to a person so";
  EXPECT_EQ(walk["skeleton"]["joints"], 2);
  EXPECT_EQ(walk["skeleton"]["body"], "unknown");
  EXPECT_TRUE(walk["skeleton"]["missing_roles"].empty());
  ASSERT_EQ(walk["clips"].size(), 1u);
  const Json& clip = walk["clips"][0];
  EXPECT_EQ(clip["name"], "walk");
  EXPECT_NEAR(clip["seconds"].get<double>(), 0.2, 1e-6);
  EXPECT_EQ(clip["keys"], 6);
  EXPECT_NEAR(clip["travel"][2].get<double>(), 20 * 0.0254, 1e-5);
  EXPECT_EQ(walk["notes"][0]["code"], "bvh.unit");
  EXPECT_TRUE(walk["errors"].empty() && walk["warnings"].empty());

  const Json& walker = files[1];
  EXPECT_EQ(walker["format"], "glTF 2.0");
  EXPECT_EQ(walker["unit"], Json({{"metres", 1.0}, {"from", "format"}}));
  EXPECT_EQ(walker["skeleton"]["body"], "biped");
  EXPECT_EQ(walker["skeleton"]["roles"]["left_foot"], "foot_l");
  EXPECT_EQ(walker["clips"].size(), 4u);
  EXPECT_EQ(walker["skins"], 1);
}

TEST_F(CliImport, OneBadFileDoesNotStopTheOthers) {
  std::string bad = kBvh;
  bad.replace(bad.find("5 0 0"), 5, "5 nan 0");
  folder_.write("in/bad.bvh", bad);
  folder_.write("in/good.bvh", kBvh);
  folder_.write("in/zero.glb", "");
  const Json all = json("import in nothing.fbx --out out", 3);
  EXPECT_EQ(all["read"], 1);
  EXPECT_EQ(all["failed"], 2);
  ASSERT_EQ(all["files"].size(), 3u);
  EXPECT_EQ(all["findings"][0]["file"], "nothing.fbx");
  EXPECT_EQ(all["findings"][0]["code"], "file.not_found");
  const Json failed = report("out/bad.bvh.import.json");
  EXPECT_EQ(failed["ok"], false);
  EXPECT_FALSE(failed.contains("skeleton"));
  ASSERT_EQ(failed["errors"].size(), 1u);
  EXPECT_EQ(failed["errors"][0]["file"], "in/bad.bvh");
  EXPECT_EQ(failed["errors"][0]["place"], "line 20, column 17");
  EXPECT_NE(failed["errors"][0]["message"].get<std::string>().find("nan"), std::string::npos);
  EXPECT_EQ(report("out/good.bvh.import.json")["ok"], true);
  EXPECT_EQ(report("out/zero.glb.import.json")["errors"].size(), 1u);
  const Outcome text = run("import in");
  EXPECT_EQ(text.code, 3);
  EXPECT_NE(text.out.find("1 read, 2 failed"), std::string::npos) << text.out;
  EXPECT_NE(text.err.find("in/bad.bvh: line 20, column 17"), std::string::npos) << text.err;
}

TEST_F(CliImport, TextFormatsNameTheLineOfTheFileBesideToo) {
  folder_.write("02.asf", ":version 1.10\n:units\n  angle grad\n");
  folder_.write("02_01.amc", ":FULLY-SPECIFIED\n1\n");
  const Json all = json("import 02_01.amc", 3);
  ASSERT_EQ(all["findings"].size(), 1u);
  EXPECT_EQ(all["findings"][0]["file"], "02.asf");
  EXPECT_NE(all["findings"][0]["place"].get<std::string>().find("line 3"), std::string::npos);
}

// The worker stands for a reader that crashes or hangs: it does that to the process that reads the
// one file.
TEST_F(CliImport, ACrashOrHangIsAnErrorOfThatFileAlone) {
  folder_.write("in/a.bvh", kBvh);
  folder_.write("in/b.dae", "<COLLADA/>");
  folder_.write("in/c.bvh", kBvh);
  const struct {
    const char* script;
    const char* options;
    const char* code;
    const char* message;
  } table[] = {
      {"kill -SEGV $PPID", "", "file.malformed", "crash"},
      {"kill -KILL $PPID", "", "file.limit", "out of time or memory"},
      {"kill -STOP $PPID; sleep 100", " --timeout 3", "file.limit", "took longer than 3 s"},
      {"exec sleep 100", " --timeout 3", "file.limit", "took longer than 3 s"},
      {"kill -SEGV $$", "", "file.malformed", "crash"},
      {"echo nonsense", "", "error.internal", "no answer"},
  };
  for (const auto& c : table) {
    SCOPED_TRACE(c.script);
    const Outcome outcome = run("import in -j 2 --json" + std::string(c.options), worker(c.script));
    EXPECT_EQ(outcome.code, std::string(c.code) == "error.internal" ? 4 : 3) << outcome.err;
    const Json all = Json::parse(outcome.out, nullptr, false);
    ASSERT_TRUE(all.is_object()) << outcome.out;
    EXPECT_EQ(all["read"], 2);
    ASSERT_EQ(all["files"].size(), 3u);
    EXPECT_EQ(all["files"][0]["ok"], true);
    EXPECT_EQ(all["files"][2]["ok"], true);
    ASSERT_EQ(all["files"][1]["errors"].size(), 1u);
    const Json& error = all["files"][1]["errors"][0];
    EXPECT_EQ(error["file"], "in/b.dae");
    EXPECT_EQ(error["code"], c.code) << error;
    EXPECT_NE(error["message"].get<std::string>().find(c.message), std::string::npos) << error;
  }
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_F(CliImport, MemoryIsLimitedPerFile) {
  std::string large = kBvh;
  large += std::string(80u << 20, '\n');
  folder_.write("in/large.bvh", large);
  folder_.write("in/small.bvh", kBvh);
  const Json all = json("import in --memory 64", 3);
  ASSERT_EQ(all["files"].size(), 2u);
  EXPECT_EQ(all["files"][0]["errors"][0]["code"], "file.limit") << all["files"][0];
  EXPECT_EQ(all["files"][1]["ok"], true);
}
#endif

// inspect, play and render read FBX in a process of its own, too.
TEST_F(CliImport, OtherCommandsSurviveAReaderOfFbxThatCrashes) {
  fs::copy_file(SINEW_SOURCE_DIR "/tests/fuzz/corpus/fbx/ascii_7400", folder_ / "a.fbx");
  EXPECT_EQ(run("inspect a.fbx").code, 0);
  for (const char* command : {"inspect", "validate", "play", "render"}) {
    const Outcome outcome = run(std::string(command) + " a.fbx", worker("kill -SEGV $$"));
    EXPECT_EQ(outcome.code, 3) << command;
    EXPECT_NE(outcome.err.find("a.fbx: the import was ended by signal 11"), std::string::npos)
        << command << ": " << outcome.err;
  }
}

TEST_F(CliImport, InputsThatGiveNothingAreErrors) {
  fs::create_directories(folder_ / "empty");
  folder_.write("notes.txt", "text");
  EXPECT_EQ(run("import").code, 2);
  EXPECT_EQ(run("import models -j 0").code, 2);
  EXPECT_EQ(run("import models --timeout 0").code, 2);
  EXPECT_EQ(run("import empty").code, 3);
  EXPECT_NE(run("import empty").err.find("no file of a known format"), std::string::npos);
  EXPECT_EQ(run("import notes.txt").code, 3);
  // A folder where a file is in the way.
  const Outcome blocked = run("import models --out notes.txt");
  EXPECT_NE(blocked.code, 0);
  EXPECT_NE(blocked.err.find("cannot be written"), std::string::npos) << blocked.err;
}

TEST_F(CliImport, WarningsAreFindingsAndFailWithWerrorAlone) {
  std::string lies = kBvh;
  lies.replace(lies.find("Frames: 3"), 9, "Frames: 7");
  folder_.write("lies.bvh", lies);
  const Outcome outcome = run("import lies.bvh");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("warning: lies.bvh: motion: 7 frames are announced"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(run("import lies.bvh --werror").code, 1);
}

TEST_F(CliImport, AnInterruptKeepsWholeReportsAlone) {
  folder_.write("in/a.bvh", kBvh);
  folder_.write("in/b.dae", "<COLLADA/>");
  const Outcome outcome =
      sinew_in(folder_.path(),
               "import in --out out -j 1 & pid=$!; n=0; while [ ! -e '" +
                   (folder_ / "out/a.bvh.import.json").string() +
                   "' ] && [ $n -lt 600 ]; do sleep 0.05; n=$((n+1)); done; sleep 0.3; "
                   "kill -INT $pid; wait $pid; exit $?",
               worker("exec sleep 100"));
  EXPECT_EQ(outcome.code, 130) << outcome.out << outcome.err;
  EXPECT_EQ(report("out/a.bvh.import.json")["ok"], true);
  EXPECT_FALSE(fs::exists(folder_ / "out/b.dae.import.json"));
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "out"))
    EXPECT_NE(entry.path().extension(), ".part");
}

TEST_F(CliImport, ClipsAreFoundByTheEndOfTheirNames) {
  Model model = testing::walker_model();
  for (RawClip& clip : model.clips) clip.name = "Armature|" + clip.name;
  ASSERT_TRUE(save_glb(model, folder_ / "models/walker.glb").ok());
  // Character and scene say "Walk", "Idle" and so on.
  EXPECT_EQ(run("validate walker.character.json course.scene.json").code, 0)
      << run("validate walker.character.json").err;
  RawClip other = model.clips.front();
  const std::string name = other.name.substr(other.name.find('|') + 1);
  other.name = "Horse|" + name;
  model.clips.push_back(other);
  ASSERT_TRUE(save_glb(model, folder_ / "models/walker.glb").ok());
  const Outcome outcome = run("validate walker.character.json");
  EXPECT_NE(outcome.code, 0);
  EXPECT_NE(outcome.err.find("'" + name + "' may be 'Armature|" + name + "' or 'Horse|" + name),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(run("play models/walker.glb --clip " + name).err.find("write the whole name"),
            std::string::npos);
}

// Motion capture has no mesh: its bones are drawn without being asked for.
TEST(LongCliPictures, BonesOfWhatHasNoMesh) {
  TempFolder folder;
  folder.write("walk.bvh", kBvh);
  const auto picture = [&](const std::string& name, const std::string& options) {
    const Outcome outcome =
        sinew_in(folder.path(), "render walk.bvh --size 160x120 --picture " + name + options);
    if (outcome.code != 0) return std::string();
    return TempFolder::read(folder / name);
  };
  const std::string bones = picture("bones.png", " --no-mesh");
  if (bones.empty()) GTEST_SKIP() << "there is no renderer here";
  EXPECT_TRUE(picture("plain.png", "") == bones);
  // The same without a body to be seen: another picture.
  std::string point = kBvh;
  for (std::size_t at; (at = point.find("OFFSET 0 40 0")) != std::string::npos;)
    point.replace(at, 13, "OFFSET 0 0 0 ");
  folder.write("walk.bvh", point);
  EXPECT_FALSE(picture("point.png", "") == bones);
}

// ---- the tables of docs/import/roles.md --------------------------------------------------------

// Files in the first column, and the text between the marks.
struct RoleTable {
  std::string files, text;
};

RoleTable role_table(const std::string& mark) {
  const std::string docs = TempFolder::read(SINEW_SOURCE_DIR "/docs/import/roles.md");
  const std::string begin = "<!-- roles of " + mark + ": begin -->\n";
  const std::size_t start = docs.find(begin), end = docs.find("<!-- end -->", start);
  RoleTable out;
  if (start == std::string::npos || end == std::string::npos) return out;
  out.text = docs.substr(start + begin.size(), end - start - begin.size());
  std::istringstream lines(out.text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t bar = line.find(" |", 2);
    if (line.starts_with("| ") && !line.starts_with("| file ") && bar != std::string::npos)
      out.files += " '" + line.substr(2, bar - 2) + "'";
  }
  return out;
}

TEST(CliRoleTable, OfOwnSkeletonsIsWhatTheCommandPrints) {
  const RoleTable table = role_table("tests/import/skeletons");
  ASSERT_NE(table.files, "");
  const Outcome outcome =
      sinew_in(SINEW_SOURCE_DIR "/tests/import/skeletons", "import --quiet --roles" + table.files);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, table.text) << "put this into docs/import/roles.md";
}

TEST(DataRoleTable, OfRealSkeletonsIsWhatTheCommandPrints) {
  if (std::string_view(SINEW_DATA_DIR).empty())
    GTEST_SKIP() << "SKIPPED: SINEW_DATA is not set, the files are absent";
  const RoleTable table = role_table("the test data");
  ASSERT_NE(table.files, "");
  const Outcome outcome = sinew_in(SINEW_DATA_DIR, "import --quiet --roles" + table.files);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, table.text) << "put this into docs/import/roles.md";
}

}  // namespace
}  // namespace sinew
