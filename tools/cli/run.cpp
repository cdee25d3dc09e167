// sinew run: simulates a scene.
#include <memory>

#include <fmt/format.h>

#include "pictures.hpp"
#include "scene_job.hpp"
#include "session.hpp"

namespace sinew::cli {

namespace {

struct RunOptions {
  std::string scene;
  SceneJob job;
  PictureOptions pictures;
};

void run(Session& session, RunOptions& options) {
  if (!options.pictures.check(session) || !check_workers(session, options.job.workers)) return;
  if (!options.job.record.empty() && options.job.record != "out/" &&
      std::filesystem::path(options.job.record).extension() != ".swrec") {
    return session.usage(fmt::format("--record '{}' must end in .swrec", options.job.record));
  }
  std::optional<Scene> scene = open_scene(session, options.scene);
  if (!scene) return;
  options.pictures.name_outputs(scene->name);
  if (options.job.record == "out/") options.job.record = default_output(scene->name, ".swrec");
  const SceneJob pictures = picture_job(
      options.pictures, options.job.duration > 0 ? options.job.duration : scene->duration);
  options.job.pose_rate = pictures.pose_rate;
  options.job.pose_at = pictures.pose_at;
  const SceneResult result = run_scene(session, *scene, options.job);
  if (session.failed() || interrupted()) return;
  print_summary(session, result.summary);
  if (!options.job.record.empty()) session.print(fmt::format("wrote {}\n", options.job.record));
  if (options.pictures.any()) take_pictures(session, footage_of(*scene, result), options.pictures);
}

}  // namespace

void add_run(Registry registry) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      new_command(registry, "run", "Simulate a scene; record it, or make a video of it",
                  "sinew run examples/02_patrol/patrol.scene.json --record --sheet",
                  [&session = registry.session, options] { run(session, *options); });
  command->add_option("scene", options->scene, "Scene file (*.scene.json)")->required();
  command->add_option("--record", options->job.record, "Write a recording, .swrec")
      ->expected(0, 1)
      ->default_str("out/")
      ->check(names_a_file())
      ->type_name("[FILE]");
  options->pictures.add_outputs_to(*command);
  options->pictures.add_to(*command);
  command->add_flag("--realtime", options->job.realtime, "Take as long as is simulated");
  command
      ->add_option("--workers,-j", options->job.workers,
                   "Threads; the result is the same for any number")
      ->capture_default_str();
  command->add_option("--duration", options->job.duration, "Seconds, instead of the scene's")
      ->check(number_in(0.01, 36000.0));
}

}  // namespace sinew::cli
