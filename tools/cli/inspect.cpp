// sinew inspect: what is in a file, as tables.
#include <memory>

#include <fmt/format.h>

#include <sinew/scene/recording.hpp>

#include "file_kind.hpp"
#include "inspect_parts.hpp"
#include "session.hpp"

namespace sinew::cli {

namespace {

void inspect_file(Session& session, const std::string& file, const InspectOptions& options,
                  Json& out) {
  const auto kind = file_kind(session, file);
  if (!kind) return;
  Json entry = {{"file", file}, {"kind", to_string(*kind)}};
  switch (*kind) {
    case FileKind::kModel:
      inspect_model(session, file, options, entry);
      break;
    case FileKind::kController:
      inspect_controller(session, file, entry);
      break;
    case FileKind::kCharacter:
      inspect_character(session, file, options, entry);
      break;
    case FileKind::kScene:
      inspect_scene(session, file, entry);
      break;
    case FileKind::kRecording:
      inspect_recording(session, file, entry);
      break;
  }
  out.push_back(std::move(entry));
}

struct Options {
  std::vector<std::string> files;
  InspectOptions parts;
};

void inspect(Session& session, const Options& options) {
  Json out = Json::array();
  for (std::size_t i = 0; i < options.files.size() && !interrupted(); ++i) {
    if (i > 0) session.print("\n");
    inspect_file(session, options.files[i], options.parts, out);
  }
  session.result["files"] = std::move(out);
}

}  // namespace

void add_inspect(Registry registry) {
  auto options = std::make_shared<Options>();
  CLI::App* command = new_command(
      registry, "inspect", "What is in models, controllers, characters, scenes, recordings",
      "sinew inspect build/release/assets/person.glb --only clips",
      [&session = registry.session, options] { inspect(session, *options); });
  command->add_option("files", options->files, "Any number of files")->required();
  command
      ->add_option("--only", options->parts.only,
                   "One table of a model: skeleton, clips, skins, meshes, findings")
      ->check(CLI::IsMember({"skeleton", "clips", "skins", "meshes", "findings"}));
}

}  // namespace sinew::cli
