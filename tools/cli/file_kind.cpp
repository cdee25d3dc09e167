#include "file_kind.hpp"

#include <fmt/format.h>

#include <sinew/base/text.hpp>
#include <sinew/scene/project_files.hpp>

namespace sinew::cli {

std::string_view to_string(FileKind kind) {
  switch (kind) {
    case FileKind::kModel:
      return "model";
    case FileKind::kController:
      return "controller";
    case FileKind::kCharacter:
      return "character";
    case FileKind::kScene:
      return "scene";
    case FileKind::kRecording:
      return "recording";
  }
  return "model";
}

std::optional<FileKind> file_kind(Session& session, const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".swrec") return FileKind::kRecording;
  if (extension != ".json") return FileKind::kModel;
  Result<std::string> text = read_text_file(file);
  if (!text) {
    session.fail(text.error());
    return std::nullopt;
  }
  const Json json = Json::parse(*text, nullptr, false);
  if (json.is_discarded()) {
    // The reader of scenes says where the fault is.
    return FileKind::kScene;
  }
  const std::string header = json.is_object() && json.contains("sinew") && json["sinew"].is_string()
                                 ? json["sinew"].get<std::string>()
                                 : std::string();
  const std::string kind = header.substr(0, header.find('/'));
  if (kind == "controller") return FileKind::kController;
  if (kind == "character") return FileKind::kCharacter;
  if (kind == "scene") return FileKind::kScene;
  constexpr std::string_view kKinds[] = {"controller", "character", "scene"};
  session.find(
      {Severity::kError,
       "file.kind",
       kind.empty()
           ? std::string("has no kind: its first key must be \"sinew\": \"<kind>/1\"")
           : fmt::format("is of the unknown kind '{}'{}", kind, did_you_mean(kind, kKinds)),
       {},
       "kinds: controller, character, scene",
       file});
  return std::nullopt;
}

}  // namespace sinew::cli
