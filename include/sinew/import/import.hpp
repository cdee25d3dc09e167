// Reading a character or motion file of any known format.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <sinew/asset/model.hpp>
#include <sinew/base/result.hpp>

namespace sinew {

struct ImportFormat {
  std::string_view name;        // "glTF 2.0"
  std::string_view extensions;  // lower case, with dots, separated by spaces: ".gltf .glb"
  // True if the first bytes of a file (up to 64) can only be of this format; null: has no mark.
  bool (*recognizes)(std::span<const std::byte> head);
  Result<Model> (*load)(const std::string& path);
};

// All known formats, in the order in which they are tried.
std::span<const ImportFormat> import_formats();

// The format whose mark a file bears, else that of its extension (letter case ignored); null if
// there is none. A file that cannot be opened goes by its extension.
const ImportFormat* find_import_format(const std::string& path);

// Reads a file by the format whose mark it bears, else by its extension (letter case ignored).
// Collada, and FBX where sinew-import-worker is installed, are read in a process of their own.
// Errors: kNotFound, kUnreadable; kUnsupported for an unknown format (the message lists the known
// ones); those of the format's reader.
Result<Model> import_model(const std::string& path);

}  // namespace sinew
