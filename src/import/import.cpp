#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>

#include <sinew/import/asf_amc.hpp>
#include <sinew/import/bvh.hpp>
#include <sinew/import/collada.hpp>
#include <sinew/import/fbx.hpp>
#include <sinew/import/gltf.hpp>
#include <sinew/import/import.hpp>

#include "worker_process.hpp"

namespace sinew {
namespace {

bool begins_with(std::span<const std::byte> head, std::string_view mark) {
  return head.size() >= mark.size() &&
         std::equal(mark.begin(), mark.end(), head.begin(),
                    [](char a, std::byte b) { return static_cast<std::byte>(a) == b; });
}

bool has_glb_mark(std::span<const std::byte> head) { return begins_with(head, "glTF"); }
bool has_fbx_mark(std::span<const std::byte> head) {
  return begins_with(head, "Kaydara FBX Binary");
}
bool has_bvh_mark(std::span<const std::byte> head) { return begins_with(head, "HIERARCHY"); }

// In a process of its own, so that a crash or hang is an error of this file. Where the worker is
// not installed the same reader runs here: it is our own, and gives the same model.
Result<Model> load_fbx_guarded(const std::string& path) {
  return find_worker({}) ? load_fbx_isolated(path) : load_fbx(path);
}

// One line per format.
const ImportFormat kFormats[] = {
    {"glTF 2.0", ".gltf .glb .vrm", has_glb_mark,
     [](const std::string& path) { return gltf::load(path); }},
    {"FBX", ".fbx", has_fbx_mark, load_fbx_guarded},
    {"BVH", ".bvh", has_bvh_mark, [](const std::string& path) { return load_bvh(path); }},
    {"Collada", ".dae", nullptr, [](const std::string& path) { return load_collada(path); }},
    {"AMC", ".amc", nullptr, [](const std::string& path) { return load_amc(path); }},
    {"ASF", ".asf", nullptr, [](const std::string& path) { return load_asf(path); }},
};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// `extension` is one of the words of `list`.
bool lists(std::string_view list, std::string_view extension) {
  while (!list.empty()) {
    const std::size_t space = std::min(list.find(' '), list.size());
    if (list.substr(0, space) == extension) return true;
    list.remove_prefix(std::min(space + 1, list.size()));
  }
  return false;
}

Error unknown_format(const std::string& path) {
  std::string known;
  for (const ImportFormat& format : import_formats()) {
    known += (known.empty() ? "" : ", ") + std::string(format.name) + " (" +
             std::string(format.extensions) + ")";
  }
  return make_error(
      ErrorCode::kUnsupported,
      "neither its extension nor its content is of a known format; known are " + known, path);
}

}  // namespace

std::span<const ImportFormat> import_formats() { return kFormats; }

const ImportFormat* find_import_format(const std::string& path) {
  std::array<char, 64> head{};
  std::ifstream stream(path, std::ios::binary);
  stream.read(head.data(), head.size());
  const std::span<const std::byte> bytes = std::as_bytes(std::span<const char>(
      head.data(), static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0))));
  for (const ImportFormat& format : import_formats()) {
    if (format.recognizes != nullptr && format.recognizes(bytes)) return &format;
  }
  const std::string extension = lower(std::filesystem::path(path).extension().string());
  for (const ImportFormat& format : import_formats()) {
    if (!extension.empty() && lists(format.extensions, extension)) return &format;
  }
  return nullptr;
}

Result<Model> import_model(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) {
    return make_error(ErrorCode::kNotFound, "there is no such file", path);
  }
  if (!std::filesystem::is_regular_file(path, code)) {
    return make_error(ErrorCode::kUnreadable, "is not a file", path);
  }
  const ImportFormat* format = find_import_format(path);
  if (format == nullptr) return unknown_format(path);
  return format->load(path);
}

}  // namespace sinew
