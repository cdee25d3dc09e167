#include <gtest/gtest.h>

#include <sinew/scene/recording.hpp>
#include <sinew/scene/scene_run.hpp>
#include <sinew/scene/thread_jobs.hpp>

#include "walker_project.hpp"

namespace sinew {
namespace {

using testing::TempFolder;
using testing::walker_scene;

void record(const Scene& scene, const std::filesystem::path& file) {
  Result<RecordingWriter> writer = RecordingWriter::open(file, make_recording_header(scene));
  ASSERT_TRUE(writer.ok()) << to_string(writer.error());
  SceneRun run(scene);
  std::vector<bool> named(scene.characters.size());
  while (!run.done()) {
    run.step();
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (named[i] || !run.id(static_cast<int>(i))) continue;
      named[i] = true;
      ASSERT_TRUE(writer->add_name(run.id(static_cast<int>(i)), scene.characters[i].name).ok());
    }
    ASSERT_TRUE(writer->add_tick(run.world(), run.tick(), run.inputs()).ok());
  }
  ASSERT_TRUE(writer->finish().ok());
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(Recording, ComesBackAsItWasAndReplaysTheSameBits) {
  TempFolder folder;
  const Scene scene = walker_scene(8);
  record(scene, folder / "deep/er/run.swrec");
  const Result<Recording> read = read_recording(folder / "deep/er/run.swrec");
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  EXPECT_EQ(read->header.scene_name, "procedural");
  EXPECT_EQ(read->header.definitions.at(0).hash, scene.definitions[0].def.hash());
  EXPECT_EQ(read->ticks.size(), 480u);
  EXPECT_EQ(read->frames.size(), 240u) << "30 a second";
  EXPECT_EQ(read->frames[1].tick, 2u);
  EXPECT_EQ(read->name_of({0, 1}), "walker0");
  EXPECT_EQ(read->name_of({17, 1}), "character 17");
  EXPECT_FALSE(std::filesystem::exists(folder / "deep/er/run.swrec.part"));

  for (int workers : {1, 2, 4}) {
    ThreadJobs jobs(workers);
    const Result<ReplayReport> report = verify_recording(*read, scene.definitions, &jobs);
    ASSERT_TRUE(report.ok());
    EXPECT_TRUE(report->same) << report->first_tick << " " << report->character << " "
                              << report->joint << " " << report->reason;
    EXPECT_EQ(report->ticks, 480u);
  }
}

// Sizes that the reader checks counts against were once too large: ticks full of inputs were called
// damaged.
TEST(Recording, ATickFullOfInputsComesBack) {
  TempFolder folder;
  Scene scene = walker_scene(1);
  for (int i = 0; i < 60; ++i) {
    WorldInput input;
    input.kind = WorldInput::Kind::kSpeed;
    input.number = 1 + 0.01 * i;
    auto& script = scene.characters[0].script;
    script.insert(script.begin(), {0.5, input});
  }
  record(scene, folder / "run.swrec");
  const Result<Recording> read = read_recording(folder / "run.swrec");
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  EXPECT_GE(read->ticks[30].inputs.size(), 60u);
}

TEST(Recording, TwoWritersOfOneFileDoNotMix) {
  TempFolder folder;
  const Scene scene = walker_scene(1);
  Result<RecordingWriter> other =
      RecordingWriter::open(folder / "run.swrec", make_recording_header(scene));
  ASSERT_TRUE(other.ok());
  record(scene, folder / "run.swrec");
  EXPECT_TRUE(read_recording(folder / "run.swrec").ok());
}

TEST(Recording, PoseFramesHoldTheFinalPose) {
  TempFolder folder;
  Scene scene = walker_scene(2);
  scene.pose_rate = 10;
  record(scene, folder / "run.swrec");
  const Recording read = read_recording(folder / "run.swrec").value();
  ASSERT_EQ(read.frames.size(), 20u);
  SceneRun run(scene);
  std::size_t frame = 0;
  while (!run.done()) {
    run.step();
    if (frame == read.frames.size() || run.tick().index != read.frames[frame].tick) continue;
    for (const RecordedPose& pose : read.frames[frame].characters) {
      EXPECT_EQ(pose.position, run.world().position(pose.id));
      EXPECT_EQ(pose.yaw, run.world().yaw(pose.id));
      const Skeleton& skeleton = run.world().definition(pose.id)->skeleton();
      for (int j = 0; j < skeleton.joint_count(); ++j) {
        EXPECT_EQ(pose.local[static_cast<std::size_t>(j)],
                  get_joint(skeleton, run.world().local_pose(pose.id), j));
      }
    }
    ++frame;
  }
  EXPECT_EQ(frame, 20u);
}

TEST(Recording, WithoutFinishNothingIsLeft) {
  TempFolder folder;
  const Scene scene = walker_scene(1);
  {
    Result<RecordingWriter> writer =
        RecordingWriter::open(folder / "run.swrec", make_recording_header(scene));
    ASSERT_TRUE(writer.ok());
    SceneRun run(scene);
    run.step();
    ASSERT_TRUE(writer->add_tick(run.world(), run.tick(), run.inputs()).ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  folder.write("file", "");
  const Result<RecordingWriter> bad =
      RecordingWriter::open(folder / "file/run.swrec", make_recording_header(scene));
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code, ErrorCode::kUnwritable);
}

TEST(Recording, CutShortIsAClearErrorWithTheNumberOfWholeTicks) {
  TempFolder folder;
  record(walker_scene(1), folder / "run.swrec");
  const std::string whole = TempFolder::read(folder / "run.swrec");
  const Recording read = parse_recording(bytes_of(whole), "run.swrec").value();
  std::size_t most = 0;
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 60) {
    const Result<Recording> cut = parse_recording(bytes_of(whole.substr(0, size)), "run.swrec");
    ASSERT_FALSE(cut.ok()) << size;
    EXPECT_EQ(cut.error().where, "run.swrec");
    const char* expected = size > 8 ? "cut short" : size == 8 ? "no end" : "no recording";
    EXPECT_NE(cut.error().message.find(expected), std::string::npos) << cut.error().message;
    std::size_t ticks = 0;
    if (std::sscanf(cut.error().message.c_str(), "is cut short: it has no end, %zu", &ticks) == 1) {
      most = std::max(most, ticks);
    }
  }
  EXPECT_GT(most, read.ticks.size() / 2);
}

TEST(Recording, DamageIsFoundWhereverItIs) {
  TempFolder folder;
  record(walker_scene(0.3), folder / "run.swrec");
  const std::string whole = TempFolder::read(folder / "run.swrec");
  for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 700) {
    std::string bad = whole;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    EXPECT_FALSE(parse_recording(bytes_of(bad), "run.swrec").ok()) << "byte " << at;
  }
  EXPECT_FALSE(parse_recording(bytes_of(whole + "x"), "run.swrec").ok());
  EXPECT_FALSE(parse_recording({}, "run.swrec").ok());
  const Result<Recording> other = parse_recording(bytes_of("{\"sinew\": \"scene/1\"}"), "a.json");
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("no recording"), std::string::npos);
}

// A character that has changed since: here the run clip bends a knee a little more.
TEST(Recording, ReplayNamesTheFirstTickCharacterAndJointThatDiffer) {
  TempFolder folder;
  Scene scene = walker_scene(10);
  record(scene, folder / "run.swrec");
  const Recording read = read_recording(folder / "run.swrec").value();
  CharacterParts parts = testing::walker_parts();
  const int knee = *parts.skeleton.find("lower_leg_r");
  for (JointTrack& track : parts.motions[2].clip.tracks) {
    if (track.joint != knee) continue;
    for (Quat& q : track.rotation.values) q = q * from_axis_angle(kAxisX, 0.01f);
  }
  std::vector<LoadedCharacter> changed = scene.definitions;
  changed[0].def = CharacterDef::build(std::move(parts)).value();
  // It is the same until the first one blends toward running; then the knee is the first joint in
  // the skeleton's order that differs.
  const ReplayReport report = verify_recording(read, changed).value();
  EXPECT_FALSE(report.same);
  EXPECT_GT(report.first_tick, 5u);
  EXPECT_LT(report.first_tick, 120u);
  EXPECT_EQ(report.character.substr(0, 6), "walker");
  EXPECT_EQ(report.joint, "lower_leg_r");

  Recording tampered = read;
  ASSERT_GT(tampered.ticks.size(), 200u);
  tampered.ticks[150].hash ^= 1;
  tampered.ticks[150].characters[1].hash ^= 1;
  tampered.ticks[150].characters[1].joints[static_cast<std::size_t>(knee)] ^= 1;
  const ReplayReport found = verify_recording(tampered, scene.definitions).value();
  EXPECT_FALSE(found.same);
  EXPECT_EQ(found.first_tick, 150u);
  EXPECT_EQ(found.character, "walker1");
  EXPECT_EQ(found.joint, "lower_leg_r");

  Recording input = read;
  input.ticks[60].inputs.clear();
  const ReplayReport late = verify_recording(input, scene.definitions).value();
  EXPECT_FALSE(late.same);
  EXPECT_EQ(late.first_tick, 60u);
}

TEST(Recording, DefinitionsComeFromTheProjectAndMustNotHaveChanged) {
  TempFolder folder;
  testing::write_walker_project(folder);
  const Scene scene = load_scene(folder / "course.scene.json").value();
  record(scene, folder / "out/course.swrec");
  const Recording read = read_recording(folder / "out/course.swrec").value();
  EXPECT_EQ(read.header.scene_file, "course.scene.json");
  const Result<std::filesystem::path> root = find_recording_root(read, folder / "out/course.swrec");
  ASSERT_TRUE(root.ok());
  const Result<std::vector<LoadedCharacter>> definitions = load_definitions(read, *root);
  ASSERT_TRUE(definitions.ok()) << to_string(definitions.error());
  EXPECT_TRUE(verify_recording(read, *definitions)->same);

  folder.write(
      "walker.character.json",
      std::string(testing::kWalkerCharacter)
          .replace(std::string(testing::kWalkerCharacter).rfind('}'), 1, ", \"speed\": 2}"));
  const auto changed = load_definitions(read, *root);
  ASSERT_FALSE(changed.ok());
  EXPECT_EQ(changed.error().code, ErrorCode::kMismatch);

  Recording hostile = read;
  hostile.header.definitions[0].file = "../../etc/passwd";
  EXPECT_EQ(load_definitions(hostile, *root).error().code, ErrorCode::kMalformed);
}

}  // namespace
}  // namespace sinew
