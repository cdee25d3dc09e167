// sinew render: pictures of a scene, a recording or a model.
#include <memory>

#include <fmt/format.h>

#include <sinew/import/import.hpp>

#include "drawings.hpp"
#include "pictures.hpp"
#include "scene_job.hpp"
#include "session.hpp"
#include "single_clip.hpp"

namespace sinew::cli {

namespace {

struct RenderOptions {
  std::string input;
  PictureOptions pictures;
  DrawingOptions drawing;
};

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

void render_scene(Session& session, RenderOptions& options) {
  std::optional<Scene> scene = open_scene(session, options.input);
  if (!scene) return;
  options.pictures.name_outputs(scene->name);
  const SceneJob job = picture_job(options.pictures, scene->duration);
  const SceneResult result = run_scene(session, *scene, job);
  if (!session.failed() && !interrupted()) {
    take_pictures(session, footage_of(*scene, result), options.pictures);
  }
}

void render_recording(Session& session, RenderOptions& options) {
  Result<Recording> recording = read_recording(options.input);
  if (!recording) return session.fail(recording.error());
  Result<std::filesystem::path> root = find_recording_root(*recording, options.input, session.root);
  if (!root) return session.fail(root.error());
  Result<std::vector<LoadedCharacter>> definitions = load_definitions(*recording, *root);
  if (!definitions) return session.fail(definitions.error());
  options.pictures.name_outputs(recording->header.scene_name);
  Footage footage;
  footage.definitions = &*definitions;
  footage.frames = &recording->frames;
  footage.dt = recording->header.dt;
  footage.ground_height = recording->header.ground_height;
  footage.camera = recording->header.camera;
  footage.title = recording->header.scene_name;
  take_pictures(session, footage, options.pictures);
}

// The model in its rest pose.
void render_model(Session& session, RenderOptions& options) {
  Result<Model> model = import_model(options.input);
  if (!model) return session.fail(model.error());
  options.pictures.name_outputs(short_name(options.input));
  Result<Scene> scene = rest_scene(std::move(model).value());
  if (!scene) return session.fail(scene.error());
  const SceneJob job = picture_job(options.pictures, scene->duration);
  const SceneResult result = run_scene(session, *scene, job);
  if (!session.failed() && !interrupted()) {
    take_pictures(session, footage_of(*scene, result), options.pictures);
  }
}

void render(Session& session, RenderOptions& options) {
  if (options.drawing.graph) return render_graph(session, options.input, options.drawing);
  const bool scene = ends_with(options.input, ".json"),
             recording = ends_with(options.input, ".swrec");
  if (!options.pictures.any()) {
    (scene || recording ? options.pictures.video : options.pictures.picture) = "out/";
  }
  if (!options.pictures.check(session)) return;
  if (scene) return render_scene(session, options);
  if (recording) return render_recording(session, options);
  render_model(session, options);
}

}  // namespace

void add_render(Registry registry) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* command = new_command(
      registry, "render", "Pictures or a video of a scene, a recording, a model, or a graph",
      "sinew render examples/02_patrol/patrol.scene.json --sheet out/patrol.png",
      [&session = registry.session, options] { render(session, *options); });
  command
      ->add_option("input", options->input,
                   "Scene (*.scene.json), recording (*.swrec) or model of any format;
"
                   "with --graph a controller")
      ->required();
  options->pictures.add_outputs_to(*command);
  options->pictures.add_to(*command);
  options->drawing.add_to(*command);
}

}  // namespace sinew::cli
