// Files of older versions brought to the newest one, a version at a time.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "json_text.hpp"

namespace sinew::scene_detail {

// Turns a document of version `from` into one of version from + 1; the first key, which holds the
// version, is written by migrate(). `apply` may rely on nothing but that the text was JSON.
struct Migration {
  std::string_view kind;
  int from;
  void (*apply)(Json& json);
};

// The newest version of each kind of file.
struct FormatVersion {
  std::string_view kind;
  int version;
};

std::span<const FormatVersion> format_versions();
// All that there are. A version of a format is not given up: each has its step here, and a test on
// a file of it.
std::span<const Migration> migrations();

struct Migrated {
  std::string kind;
  int from = 0, to = 0;
  std::string fault{};  // why not; empty: it worked
  std::string hint{};
};

// Brings the document to the newest version of its kind.
Migrated migrate(Json& json, std::span<const FormatVersion> versions,
                 std::span<const Migration> steps);

}  // namespace sinew::scene_detail
