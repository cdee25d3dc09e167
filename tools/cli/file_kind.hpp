// What kind of file is given.
#pragma once

#include <optional>
#include <string>

#include "session.hpp"

namespace sinew::cli {

enum class FileKind { kModel, kController, kCharacter, kScene, kRecording };

std::string_view to_string(FileKind kind);

// By extension, for JSON by its first key. Reports what cannot be told.
std::optional<FileKind> file_kind(Session& session, const std::string& file);

}  // namespace sinew::cli
