// How files that JSON names are found: relative to the file that names them, never outside the
// project.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <sinew/base/result.hpp>

namespace sinew {

// "models/zombie.glb#clip=Walk" taken apart. Without '#', key and value are empty.
struct FileReference {
  std::string path;
  std::string key;    // "clip"
  std::string value;  // "Walk"
};

// Errors: no path before '#', or a fragment that is not key=value.
Result<FileReference> parse_file_reference(std::string_view text);

class ProjectFiles {
 public:
  // `root`: the folder that no path may leave. Empty: the nearest folder at or above `first_file`
  // that holds `sinew.project.json` or `.git`; without one, the folder of `first_file`.
  static Result<ProjectFiles> around(const std::filesystem::path& first_file,
                                     const std::filesystem::path& root = {});

  // The file that `reference` (no fragment) means inside `naming_file`. Errors: an absolute path, a
  // backslash, a path (links followed) outside the root, a file that does not exist; the last one
  // names the nearest file of that folder.
  Result<std::filesystem::path> resolve(const std::filesystem::path& naming_file,
                                        std::string_view reference) const;

  const std::filesystem::path& root() const { return root_; }
  // Relative to the root, with '/': the name that recordings keep.
  std::string name_of(const std::filesystem::path& file) const;

 private:
  std::filesystem::path root_;
};

// The whole file. Errors: it cannot be opened or read, or is larger than `limit` bytes.
Result<std::string> read_text_file(const std::filesystem::path& file,
                                   std::size_t limit = std::size_t{64} << 20);

// Writes beside the file and renames, so that a reader never sees half of it and a failed write
// leaves the old one. Makes the folder if it is missing.
Status write_file(const std::filesystem::path& file, std::string_view bytes);

}  // namespace sinew
