// References of Unity's text files, and what they stand for. A file is known by the guid of the
// .meta file beside it, a thing inside it by its file id.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/base/finding.hpp>
#include <sinew/base/result.hpp>

namespace sinew::unity {

// "{fileID: 7400000, guid: 0123..., type: 2}". Without a guid: a thing in the same file; all zero:
// nothing.
struct AssetRef {
  std::int64_t file_id = 0;
  std::string guid{};  // 32 lower-case hexadecimal digits, or empty
  int type = 0;        // 2: a file of Unity's own kind, 3: an imported one; 0: not said

  bool null() const { return file_id == 0 && guid.empty(); }
  bool local() const { return guid.empty(); }
  // The type does not take part in what is meant.
  friend bool operator==(const AssetRef& a, const AssetRef& b) {
    return a.file_id == b.file_id && a.guid == b.guid;
  }
  friend std::weak_ordering operator<=>(const AssetRef& a, const AssetRef& b) {
    if (const auto order = a.guid <=> b.guid; order != 0) return order;
    return a.file_id <=> b.file_id;
  }
};

// File ids of the main thing in a file.
inline constexpr std::int64_t kClipFileId = 7400000;
inline constexpr std::int64_t kControllerFileId = 9100000;
inline constexpr std::int64_t kOverrideFileId = 22100000;
inline constexpr std::int64_t kMaskFileId = 31900000;
inline constexpr std::int64_t kScriptFileId = 11500000;

// "<guid>" for file id 7400000, else "<guid>#<file id>": the keys of motion maps, and the names of
// motions that nothing names.
std::string key_of(const AssetRef& ref);
// The other way; none if it is not of that form.
std::optional<AssetRef> ref_of_key(std::string_view key);

// What a reference stands for.
struct AssetInfo {
  std::string name{};              // for people: the file's name without its extension, or a clip's
  std::filesystem::path file{};    // may be empty
  std::optional<double> length{};  // seconds; of motions
  std::optional<bool> loop{};
};

// Guid -> file or name.
class AssetMap {
 public:
  // Adds what every *.meta file of a folder and the folders below it says: the guid, and names of
  // the clips inside of imported models. Files are taken in the order of their paths; of two with
  // one guid the first counts, with a warning. Stops with a warning at 100 000 files. Errors: the
  // folder cannot be read.
  Status scan_folder(const std::filesystem::path& folder, Findings* findings = nullptr);

  // Adds a motion map: {"sinew": "motion_map/1", "motions": {"<guid>" or "<guid>#<file id>":
  // "Name", or "anims/walk.anim", or {"name", "file", "length", "loop"}}}. A text with a '/' or
  // with the ending of a motion file is a file, relative to `file`, and its name is the file's.
  // Entries count before those that were there. Faults: with their place in the map.
  Status add_json(std::string_view text, const std::filesystem::path& file);
  Status load_json(const std::filesystem::path& file);

  // A file id of 0 stands for everything in the file.
  void add(const AssetRef& ref, AssetInfo info, bool replace = false);

  // The entry of the reference, else that of its file; null: unknown.
  const AssetInfo* find(const AssetRef& ref) const;
  // The reference whose name this is: file ids given in maps as they are, else `file_id`.
  std::optional<AssetRef> reference_of(std::string_view name, std::int64_t file_id) const;
  bool empty() const { return by_ref_.empty(); }
  std::size_t size() const { return by_ref_.size(); }

 private:
  void read_meta(const std::filesystem::path& meta, Findings* findings);
  std::map<AssetRef, AssetInfo> by_ref_;
};

// The folder whose .meta files belong to a file: the nearest one above it that is named "Assets" or
// "Packages", else its own.
std::filesystem::path asset_folder(const std::filesystem::path& file);

}  // namespace sinew::unity
