// sinew validate: reads files as strictly as a run does and lists what is wrong.
#include <memory>

#include <fmt/format.h>

#include <sinew/import/import.hpp>
#include <sinew/scene/controller_json.hpp>
#include <sinew/scene/recording.hpp>

#include "file_kind.hpp"
#include "scene_job.hpp"
#include "session.hpp"

namespace sinew::cli {

namespace {

// Findings of one file; their `file` is filled in where it is missing.
void check_model(const std::string& file, Findings& out) {
  Result<Model> model = import_model(file);
  if (!model) {
    const Error& error = model.error();
    out.push_back({Severity::kError,
                   "file." + std::string(to_string(error.code)),
                   error.message,
                   {},
                   {},
                   error.where});
    return;
  }
  for (Finding finding : model->findings) out.push_back(std::move(finding));
  for (const RawClip& clip : model->clips) {
    if (Status status = sinew::validate(clip, model->skeleton); !status) {
      out.push_back({Severity::kError,
                     "clip.invalid",
                     status.error().message,
                     "clip '" + clip.name + "'" +
                         (status.error().where.empty() ? "" : ": " + status.error().where),
                     {},
                     file});
    }
  }
}

void check_controller(const std::string& file, Findings& out) {
  Findings found;
  Result<ControllerSource> source = load_controller(file, &found);
  const bool read = source.ok();
  if (read) {
    const Result<ControllerDef> def = compile_controller(*source, &found);
    if (!def && !has_errors(found))
      found.push_back(
          {Severity::kError, "controller.compile", def.error().message, def.error().where, {}, {}});
  } else if (!has_errors(found)) {
    found.push_back({Severity::kError,
                     "file." + std::string(to_string(source.error().code)),
                     source.error().message,
                     {},
                     {},
                     source.error().where});
  }
  out.insert(out.end(), found.begin(), found.end());
}

void check_file(Session& session, const std::string& file, FileKind kind, Findings& out) {
  const LoadOptions options{.root = session.root};
  switch (kind) {
    case FileKind::kModel:
      return check_model(file, out);
    case FileKind::kController:
      return check_controller(file, out);
    case FileKind::kCharacter: {
      const auto loaded = load_character_file(file, options, &out);
      return (void)loaded;
    }
    case FileKind::kScene: {
      const auto loaded = load_scene(file, options, &out);
      return (void)loaded;
    }
    case FileKind::kRecording: {
      const Result<Recording> recording = read_recording(file);
      if (!recording) {
        out.push_back({Severity::kError,
                       "file." + std::string(to_string(recording.error().code)),
                       recording.error().message,
                       {},
                       {},
                       recording.error().where});
      }
    }
  }
}

void validate_files(Session& session, const std::vector<std::string>& files) {
  Json& results = session.result["files"] = Json::array();
  for (const std::string& file : files) {
    if (interrupted()) return;
    const auto kind = file_kind(session, file);
    if (!kind) continue;
    Findings found;
    check_file(session, file, *kind, found);
    int errors = 0, warnings = 0;
    for (Finding& finding : found) {
      if (finding.file.empty()) finding.file = file;
      errors += finding.severity == Severity::kError;
      warnings += finding.severity == Severity::kWarning;
    }
    session.find(found);
    const Style style = errors ? Style::kRed : warnings ? Style::kYellow : Style::kGreen;
    session.print(
        fmt::format("{}  {}: {}\n",
                    styled(errors     ? "bad "
                           : warnings ? "warn"
                                      : "ok  ",
                           style, 1),
                    file,
                    errors + warnings == 0
                        ? std::string(to_string(*kind))
                        : fmt::format("{}, {} error{}, {} warning{}", to_string(*kind), errors,
                                      errors == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s")));
    results.push_back(
        {{"file", file}, {"kind", to_string(*kind)}, {"errors", errors}, {"warnings", warnings}});
  }
}

}  // namespace

void add_validate(Registry registry) {
  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App* command =
      new_command(registry, "validate", "Check models, controllers, characters, scenes, recordings",
                  "sinew validate examples/02_patrol/*.json",
                  [&session = registry.session, files] { validate_files(session, *files); });
  command->add_option("files", *files, "Any number of files")->required();
}

}  // namespace sinew::cli
