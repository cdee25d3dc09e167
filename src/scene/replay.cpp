// Simulating a recording again.
#include <algorithm>

#include <sinew/base/text.hpp>

#include "recording_format.hpp"

namespace sinew {

namespace fs = std::filesystem;

Result<fs::path> find_recording_root(const Recording& recording, const fs::path& file,
                                     const fs::path& given) {
  std::error_code error;
  if (!given.empty()) return given;
  const std::string first = recording.header.definitions.empty()
                                ? std::string()
                                : recording.header.definitions.front().file;
  for (const fs::path& near : {file, fs::current_path(error) / "here"}) {
    const Result<ProjectFiles> files = ProjectFiles::around(near);
    if (files && fs::exists(files->root() / first, error)) return files->root();
  }
  return make_error(ErrorCode::kNotFound,
                    "its character file '" + first +
                        "' is not found near it or near the current folder; " +
                        "give the project's folder with --root",
                    file.string());
}

Result<std::vector<LoadedCharacter>> load_definitions(const Recording& recording,
                                                      const fs::path& root,
                                                      const rig::ConstraintRegistry* constraints) {
  std::vector<LoadedCharacter> out;
  for (const RecordedDefinition& def : recording.header.definitions) {
    const fs::path file = root / fs::path(def.file);
    const fs::path named(def.file);
    const bool leaves = std::find(named.begin(), named.end(), "..") != named.end();
    if (named.is_absolute() || leaves) {
      return make_error(ErrorCode::kMalformed,
                        "the recording names a file outside the project: '" + def.file + "'");
    }
    Result<LoadedCharacter> loaded =
        load_character_file(file, {.root = root, .constraints = constraints});
    if (!loaded) return std::move(loaded).error();
    if (loaded->def.hash() != def.hash) {
      return make_error(
          ErrorCode::kMismatch,
          format_text("the character, its model, its controller or its rig has changed since the "
                      "recording (hash %016llx then, %016llx now)",
                      static_cast<unsigned long long>(def.hash),
                      static_cast<unsigned long long>(loaded->def.hash())),
          file.string());
    }
    out.push_back(std::move(loaded).value());
  }
  return out;
}

namespace {

// Which character, and which joint of it, is the first not as recorded.
void explain(const Recording& recording, const RecordedTick& tick, const World& world,
             ReplayReport& report) {
  const auto ids = world.characters();
  for (const CharacterCheck& check : tick.characters) {
    if (std::find(ids.begin(), ids.end(), check.id) == ids.end()) {
      report.character = recording.name_of(check.id);
      report.reason = "the recording has this character, the replay does not";
      return;
    }
    if (world.character_hash(check.id) == check.hash) continue;
    report.character = recording.name_of(check.id);
    const CharacterDef& def = *world.definition(check.id);
    const std::span<const Mat3x4> model = world.model_matrices(check.id);
    for (std::size_t j = 0; j < model.size() && j < check.joints.size(); ++j) {
      if (joint_check(model[j]) == check.joints[j]) continue;
      report.joint = def.skeleton().name(static_cast<int>(j));
      report.reason = "the joint's model matrix differs";
      return;
    }
    report.reason = "its place, parameters or controller state differ, the pose does not";
    return;
  }
  report.reason = ids.size() != tick.characters.size() ? "the replay has more characters"
                                                       : "the events of the tick differ";
}

}  // namespace

Result<ReplayReport> verify_recording(const Recording& recording,
                                      std::span<const LoadedCharacter> definitions, JobSystem* jobs,
                                      ReplayProgress progress, void* user) {
  const RecordingHeader& header = recording.header;
  World world(
      {.max_characters = std::max(1, static_cast<int>(std::min(header.max_characters, 65536u))),
       .seed = header.seed,
       .jobs = jobs});
  for (const LoadedCharacter& one : definitions) world.add_definition(one.def);
  ReplayReport report;
  for (const RecordedTick& tick : recording.ticks) {
    bool refused = false;
    for (const WorldInput& input : tick.inputs) refused = !world.apply(input) || refused;
    world.update({tick.index, header.dt});
    ++report.ticks;
    if (world.state_hash() != tick.hash) {
      report.same = false;
      report.first_tick = tick.index;
      explain(recording, tick, world, report);
      if (refused) report.reason += "; an input of this tick was refused";
      return report;
    }
    if (progress && !progress(user, report.ticks)) {
      return make_error(ErrorCode::kInvalidArgument, "the replay was stopped");
    }
  }
  return report;
}

}  // namespace sinew
