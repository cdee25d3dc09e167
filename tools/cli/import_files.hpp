// The files that `sinew import` is to read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "session.hpp"

namespace sinew::cli {

struct ImportFile {
  std::string file;              // as it is given, or found in a folder that is given
  std::filesystem::path folder;  // relative to what all inputs have in common
};

// Files as they are; of folders, with all below, the files whose extension is of a known format,
// sorted by path. Hidden files and folders are left out, links to folders not followed. A file that
// is meant twice comes once. What does not exist, and folders without such files, are errors.
std::vector<ImportFile> find_import_files(Session& session, const std::vector<std::string>& inputs);

// The report's path: as the files lie in their folders, so that equal names in different folders
// stay apart. "out/enemies/zombie.glb.import.json".
std::filesystem::path report_path(const std::filesystem::path& out, const ImportFile& file);

}  // namespace sinew::cli
