// Recordings (.swrec): the inputs of every tick with hashes, and pose frames. What was recorded can
// be re-simulated bit for bit, and played without simulating. Format: docs/scene.md.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <sinew/scene/scene_def.hpp>

namespace sinew {

// 2: inputs of the rig. Version 1 is read too.
inline constexpr std::uint32_t kRecordingVersion = 2;

struct RecordedDefinition {
  std::string name;
  std::string file;        // character file, relative to the project's root
  std::uint64_t hash = 0;  // CharacterDef::hash()
};

struct RecordingHeader {
  std::uint32_t version = kRecordingVersion;
  std::string program;  // "sinew 0.1.0"
  std::string scene_name;
  std::string scene_file;  // relative to the project's root
  float dt = 1 / 60.f;
  std::uint64_t seed = 0;
  std::uint32_t max_characters = 0;
  double pose_rate = 0;  // frames a second; 0: none
  float ground_height = 0;
  CameraDef camera;
  std::vector<RecordedDefinition> definitions;  // in the world's order
};

// State of one character after a tick, short enough to keep always.
struct CharacterCheck {
  CharacterId id;
  std::int32_t definition = -1;
  std::uint64_t hash = 0;
  std::vector<std::uint16_t> joints;  // of each joint's model matrix: finds the joint that differs
};

struct RecordedTick {
  std::uint64_t index = 0;
  std::vector<WorldInput> inputs;
  std::uint64_t hash = 0;
  std::vector<CharacterCheck> characters;
};

struct RecordedPose {
  CharacterId id;
  std::int32_t definition = -1;
  Vec3 position;
  float yaw = 0;
  std::vector<Transform> local;  // by joint
};

struct PoseFrame {
  std::uint64_t tick = 0;
  std::vector<RecordedPose> characters;
};

struct RecordedName {
  CharacterId id;
  std::string name;
};

struct Recording {
  RecordingHeader header;
  std::vector<RecordedTick> ticks;
  std::vector<PoseFrame> frames;
  std::vector<RecordedName> names;
  // "guard", or "character 3" where it has no name.
  std::string name_of(CharacterId id) const;
  std::uint64_t bytes = 0;  // size of the file
};

RecordingHeader make_recording_header(const Scene& scene);

// Writes beside the file; it appears under its name when finish() succeeds, and nothing is left if
// the writer goes without it.
class RecordingWriter {
 public:
  static Result<RecordingWriter> open(const std::filesystem::path& file,
                                      const RecordingHeader& header);
  ~RecordingWriter();
  RecordingWriter(RecordingWriter&&) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) noexcept;

  Status add_name(CharacterId id, std::string_view name);
  // After the tick's update: its inputs, the world's hashes, and a pose frame where one is due.
  Status add_tick(const World& world, const Tick& tick, std::span<const WorldInput> inputs);
  Status finish();
  std::uint64_t bytes() const;

 private:
  struct Impl;
  explicit RecordingWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Errors: not a recording, another version, cut short (the message says how many ticks are whole),
// a damaged part (the message says where).
Result<Recording> read_recording(const std::filesystem::path& file);
Result<Recording> parse_recording(std::span<const std::byte> bytes, const std::string& name);

// The definitions of a recording from the files that it names below `root`. Errors: a file that is
// missing or faulty, or whose contents have changed since. `constraints` as in LoadOptions.
Result<std::vector<LoadedCharacter>> load_definitions(
    const Recording& recording, const std::filesystem::path& root,
    const rig::ConstraintRegistry* constraints = nullptr);

// The project root for a recording: `given`, else that around the recording, else that around the
// current folder; the first one that holds its first character file.
Result<std::filesystem::path> find_recording_root(const Recording& recording,
                                                  const std::filesystem::path& file,
                                                  const std::filesystem::path& given = {});

struct ReplayReport {
  bool same = true;
  std::uint64_t ticks = 0;       // compared
  std::uint64_t first_tick = 0;  // that differs
  // Of the first tick that differs, where it can be told.
  std::string character;
  std::string joint;  // empty: no joint, so the difference is in the place or the controller
  std::string reason;
};

// Simulates again from the recorded inputs and compares after every tick. `progress` (may be null)
// is called with the number of ticks done; false stops with kInvalidArgument.
using ReplayProgress = bool (*)(void* user, std::uint64_t done);
Result<ReplayReport> verify_recording(const Recording& recording,
                                      std::span<const LoadedCharacter> definitions,
                                      JobSystem* jobs = nullptr, ReplayProgress progress = nullptr,
                                      void* user = nullptr);

}  // namespace sinew
