// sinew replay: simulates a recording again and compares every tick.
#include <memory>

#include <fmt/format.h>

#include <sinew/scene/recording.hpp>
#include <sinew/scene/thread_jobs.hpp>

#include "scene_job.hpp"
#include "session.hpp"

namespace sinew::cli {

namespace {

struct ReplayOptions {
  std::string file;
  bool verify = false;
  int workers = 1;
};

void describe(Session& session, const Recording& recording) {
  const RecordingHeader& h = recording.header;
  const double seconds = static_cast<double>(recording.ticks.size()) * static_cast<double>(h.dt);
  session.print(fmt::format("{}  {:.2f} s, {} ticks, {} pose frames, {}\n",
                            styled(h.scene_name, Style::kBold, 1), seconds, recording.ticks.size(),
                            recording.frames.size(),
                            human_bytes(static_cast<double>(recording.bytes))));
  session.print(fmt::format("made by {} from {}\n", h.program, h.scene_file));
  Json& out = session.result;
  out["scene"] = h.scene_name;
  out["scene_file"] = h.scene_file;
  out["program"] = h.program;
  out["ticks"] = recording.ticks.size();
  out["seconds"] = seconds;
  out["frames"] = recording.frames.size();
  out["bytes"] = recording.bytes;
}

void verify(Session& session, const ReplayOptions& options, const Recording& recording) {
  Result<std::filesystem::path> root = find_recording_root(recording, options.file, session.root);
  if (!root) return session.fail(root.error());
  Result<std::vector<LoadedCharacter>> definitions = load_definitions(recording, *root);
  if (!definitions) return session.fail(definitions.error());
  ThreadJobs jobs(options.workers);
  Progress progress("replay", static_cast<double>(recording.ticks.size()),
                    session.progress_wanted());
  Result<ReplayReport> report = verify_recording(
      recording, *definitions, options.workers > 1 ? &jobs : nullptr,
      [](void* user, std::uint64_t done) {
        static_cast<Progress*>(user)->at(static_cast<double>(done));
        return !interrupted();
      },
      &progress);
  progress.clear();
  if (interrupted()) return;
  if (!report) return session.fail(report.error());
  session.result["same"] = report->same;
  session.result["compared"] = report->ticks;
  if (report->same) {
    session.print(
        fmt::format("{} in {} ticks\n", styled("same bits", Style::kGreen, 1), report->ticks));
    return;
  }
  const double at =
      static_cast<double>(report->first_tick) * static_cast<double>(recording.header.dt);
  session.result["first_tick"] = report->first_tick;
  session.result["character"] = report->character;
  session.result["joint"] = report->joint;
  std::string who;
  if (!report->character.empty()) who = " of '" + report->character + "'";
  if (!report->joint.empty()) who += " at joint '" + report->joint + "'";
  session.find({Severity::kError,
                "replay.differs",
                fmt::format("tick {} ({:.3f} s) is the first that differs{}: {}",
                            report->first_tick, at, who, report->reason),
                {},
                recording.header.program == "sinew " SINEW_VERSION
                    ? "build and machine should make no difference; please report it"
                    : "the recording was made by " + recording.header.program,
                options.file});
}

void replay(Session& session, const ReplayOptions& options) {
  if (!check_workers(session, options.workers)) return;
  Result<Recording> recording = read_recording(options.file);
  if (!recording) return session.fail(recording.error());
  describe(session, *recording);
  if (options.verify) verify(session, options, *recording);
}

}  // namespace

void add_replay(Registry registry) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command =
      new_command(registry, "replay", "Look into a recording; simulate it again and compare",
                  "sinew replay out/patrol.swrec --verify",
                  [&session = registry.session, options] { replay(session, *options); });
  command->add_option("recording", options->file, "Recording (*.swrec)")->required();
  command->add_flag("--verify", options->verify,
                    "Simulate again: the same bits, or the first tick that differs");
  command->add_option("--workers,-j", options->workers, "Threads")->capture_default_str();
}

}  // namespace sinew::cli
