// sinew play: one clip of one model.
#include <memory>

#include <fmt/format.h>

#include <sinew/import/import.hpp>

#include "pictures.hpp"
#include "scene_job.hpp"
#include "session.hpp"
#include "single_clip.hpp"

namespace sinew::cli {

namespace {

struct PlayOptions {
  std::string file;
  ClipScene clip;
  PictureOptions pictures;
};

void play(Session& session, PlayOptions& options) {
  if (!options.pictures.any()) options.pictures.video = "out/";
  if (!options.pictures.check(session)) return;
  Result<Model> model = import_model(options.file);
  if (!model) return session.fail(model.error());
  session.find(model->findings);
  if (options.clip.clip.empty() && !model->clips.empty())
    options.clip.clip = model->clips.front().name;
  if (model->clips.empty()) {
    return session.fail(make_error(ErrorCode::kNotFound, "has no clips", options.file),
                        "play.clip");
  }
  Result<Scene> scene = clip_scene(std::move(model).value(), options.clip);
  if (!scene) return session.fail(within(options.file, scene.error()), "play.clip");
  options.pictures.name_outputs(short_name(options.file) + "_" + options.clip.clip);
  const SceneJob job = picture_job(options.pictures, scene->duration);
  const SceneResult result = run_scene(session, *scene, job);
  if (session.failed() || interrupted()) return;
  const Vec3 travel = scene->definitions.front().def.travel_velocity(0);
  session.print(fmt::format("{}  {:.3f} s", options.clip.clip, scene->duration));
  session.print(options.clip.walk || options.clip.root_motion
                    ? fmt::format(", travels {:.2f} m/s\n", static_cast<double>(length(travel)))
                    : std::string("\n"));
  session.result["clip"] = options.clip.clip;
  session.result["seconds"] = scene->duration;
  session.result["travel"] = {travel.x, travel.y, travel.z};
  Footage footage = footage_of(*scene, result);
  footage.captions.clear();
  footage.title = scene->name + "  " + options.clip.clip;
  take_pictures(session, footage, options.pictures);
}

}  // namespace

void add_play(Registry registry) {
  auto options = std::make_shared<PlayOptions>();
  CLI::App* command =
      new_command(registry, "play", "A video of one clip of a model",
                  "sinew play build/release/assets/person.glb --sheet",
                  [&session = registry.session, options] { play(session, *options); });
  command->add_option("file", options->file, "Model or motion: glTF, VRM, FBX, BVH, AMC, Collada")
      ->required();
  command->add_option("--clip", options->clip.clip, "Name of the clip (default: the first)");
  command->add_option("--loops", options->clip.loops, "How often (default: about four seconds)")
      ->check(number_in(0.01, 1000.0));
  command->add_option("--speed", options->clip.speed, "Factor on its speed")
      ->check(number_in(0.01, 100.0))
      ->capture_default_str();
  command->add_flag("--root-motion", options->clip.root_motion,
                    "Let the clip's own travel move the model");
  command->add_flag("--walk", options->clip.walk,
                    "Move an in-place clip as fast as its planted feet say");
  options->pictures.add_outputs_to(*command);
  options->pictures.add_to(*command);
}

}  // namespace sinew::cli
