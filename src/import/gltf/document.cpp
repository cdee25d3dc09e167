#include "gltf/document.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <sinew/base/text.hpp>

namespace sinew::gltf {
namespace {

constexpr std::uint32_t kMagic = 0x46546C67;      // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;   // "BIN"
constexpr std::size_t kHeaderSize = 12, kChunkHeaderSize = 8;
constexpr std::size_t kFindingsPerCode = 20;

std::uint32_t u32_at(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value |= std::to_integer<std::uint32_t>(bytes[at + i]) << (8 * i);
  }
  return value;
}

// What is safe to leave unread: it changes how surfaces look, not where joints and vertices are.
// (KHR_mesh_quantization only widens the number formats, which the accessors handle.)
bool is_known_extension(std::string_view name) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "KHR_mesh_quantization", "KHR_texture_transform", "KHR_lights_punctual", "KHR_xmp",
      "KHR_xmp_json_ld",       "KHR_node_visibility",   "EXT_texture_webp",    "VRM"};
  return name.starts_with("KHR_materials_") || name.starts_with("VRMC_") ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool has_extension(std::string_view name, std::string_view extension) {
  if (name.size() < extension.size()) return false;
  const std::string_view end = name.substr(name.size() - extension.size());
  return std::equal(end.begin(), end.end(), extension.begin(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

}  // namespace

Document::Document(std::span<const std::byte> bytes, std::string name, std::filesystem::path folder,
                   const Options& options)
    : name_(std::move(name)), folder_(std::move(folder)), options_(options) {
  std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  if (text.starts_with("glTF") || has_extension(name_, ".glb") || has_extension(name_, ".vrm")) {
    split_glb(bytes, text);
  } else if (text.empty()) {
    fail(place_, "the file is empty");
  }
  if (text.starts_with("\xEF\xBB\xBF")) {
    warn("gltf.byte_order_mark", place_, "the JSON begins with a byte order mark");
    text.remove_prefix(3);
  }
  json_ = parse_json(text, place_);
  if (!json_.is_object()) fail(place_, "the JSON is not an object");
  check_asset();
}

void Document::split_glb(std::span<const std::byte> bytes, std::string_view& json_text) {
  const Place header{&place_, "GLB header", -1, {}};
  if (bytes.size() < kHeaderSize) {
    fail(header, format_text("the file ends after %zu of %zu bytes", bytes.size(), kHeaderSize));
  }
  if (u32_at(bytes, 0) != kMagic) {
    fail(header,
         format_text("not a GLB file: it begins with 0x%08x instead of 'glTF'", u32_at(bytes, 0)));
  }
  if (const std::uint32_t version = u32_at(bytes, 4); version != 2) {
    fail(header, format_text("version %u; only version 2 is read", version),
         ErrorCode::kUnsupported);
  }
  const std::size_t length = u32_at(bytes, 8);
  if (length < kHeaderSize + kChunkHeaderSize) {
    fail(header, format_text("the declared length, %zu, is too short for any content", length));
  }
  if (length > bytes.size()) {
    fail(header, format_text("the declared length is %zu, but the file has %zu bytes", length,
                             bytes.size()));
  }
  if (length < bytes.size()) {
    warn("gltf.extra_data", header,
         format_text("%zu bytes after the declared end are ignored", bytes.size() - length));
  }
  std::size_t at = kHeaderSize;
  bool has_json = false;
  for (long long index = 0; at < length; ++index) {
    const Place chunk{&place_, "GLB chunk", index, {}};
    if (length - at < kChunkHeaderSize) {
      fail(chunk, format_text("its header ends early, at byte %zu", length));
    }
    const std::size_t size = u32_at(bytes, at);
    const std::uint32_t type = u32_at(bytes, at + 4);
    at += kChunkHeaderSize;
    if (size > length - at) {
      fail(chunk, format_text("it declares %zu bytes, but only %zu follow", size, length - at));
    }
    const std::span<const std::byte> body = bytes.subspan(at, size);
    at += size;
    if (index == 0 && type != kJsonChunk) {
      fail(chunk, format_text("the first chunk must be of type JSON, not 0x%08x", type));
    }
    if (type == kJsonChunk) {
      if (has_json) fail(chunk, "a second chunk of type JSON");
      if (size == 0) fail(chunk, "the JSON is empty");
      json_text = {reinterpret_cast<const char*>(body.data()), body.size()};
      has_json = true;
    } else if (type == kBinChunk) {
      if (has_bin_) fail(chunk, "a second chunk of type BIN");
      if (index != 1) fail(chunk, "the BIN chunk must come second");
      bin_ = body;
      has_bin_ = true;
    }
    if (size % 4 != 0) {
      warn("gltf.unaligned_chunk", chunk,
           format_text("its length, %zu, is no multiple of 4", size));
    }
  }
}

void Document::check_asset() {
  const Json* asset = object_of(json_, "asset", place_);
  if (asset == nullptr) fail(place_, "'asset' is missing: not a glTF file");
  const Place place{&place_, "asset", -1, {}};
  const std::string version = string_of(*asset, "version", place);
  if (version.empty()) fail(place, "'version' is missing");
  const std::string needed = string_of(*asset, "minVersion", place);
  if (!version.starts_with("2.") || (!needed.empty() && needed != "2.0")) {
    fail(place,
         "glTF version " + printable(needed.empty() ? version : needed) +
             "; only version 2.0 is read",
         ErrorCode::kUnsupported);
  }
  for (const auto& [key, value] : json_.items()) {
    if (value.is_array() && value.empty()) {
      warn("gltf.empty_list", Place{&place_, key, -1, {}}, "the list is empty");
    }
  }
  for (const Json& extension : list("extensionsRequired")) {
    const Place required{&place_, "extensionsRequired", -1, {}};
    if (!extension.is_string()) fail(required, "an element is not a string");
    const auto& text = extension.get_ref<const std::string&>();
    if (is_known_extension(text)) continue;
    const bool compressed = text.find("compression") != std::string::npos;
    fail(required,
         "the file needs the extension '" + printable(text) + "', which is not supported" +
             (compressed ? "; export it without compression" : ""),
         ErrorCode::kUnsupported);
  }
}

std::span<const std::byte> Document::buffer_bytes(int index, const Place& up) {
  if (const auto found = buffers_.find(index); found != buffers_.end()) return found->second;
  const Json& object = list("buffers")[static_cast<std::size_t>(index)];
  const Place place{&up, "buffer", index, {}};
  require_object(object, place);
  const std::size_t length = size_of(object, "byteLength", 0, place);
  if (length == 0) fail(place, "'byteLength' is missing or 0");
  std::span<const std::byte> bytes;
  const Json* uri = member(object, "uri");
  if (uri == nullptr) {
    if (index != 0 || !has_bin_) {
      fail(place, "it has no data: neither a 'uri' nor a BIN chunk of the file");
    }
    bytes = bin_;
  } else {
    if (!uri->is_string()) fail(place, "'uri' is not a string");
    const auto& text = uri->get_ref<const std::string&>();
    Result<files::Bytes> loaded =
        files::is_data_uri(text) ? files::decode_data_uri(text) : read_beside(text);
    if (!loaded) {
      const std::string file = files::is_data_uri(text) ? "" : "'" + printable(text) + "' ";
      fail(place, file + loaded.error().message, loaded.error().code);
    }
    spend(loaded->size(), 1, place);
    owned_.push_back(std::move(*loaded));
    bytes = owned_.back();
  }
  if (bytes.size() < length) {
    fail(place,
         format_text("'byteLength' is %zu, but the data has %zu bytes", length, bytes.size()));
  }
  bytes = bytes.first(length);
  buffers_.emplace(index, bytes);
  return bytes;
}

Result<files::Bytes> Document::read_beside(std::string_view uri) const {
  if (folder_.empty()) {
    return make_error(ErrorCode::kUnsupported, "lies in another file, and the folder is not known");
  }
  Result<std::filesystem::path> path = files::resolve_inside(folder_, uri);
  if (!path) return std::move(path).error();
  return files::read_file(*path, options_.max_file_bytes);
}

std::span<const std::byte> Document::view_bytes(int index, const Place& up) {
  const Json& object = list("bufferViews")[static_cast<std::size_t>(index)];
  const Place place{&up, "bufferView", index, {}};
  require_object(object, place);
  const int buffer = required_index_of(object, "buffer", list("buffers").size(), place);
  const std::span<const std::byte> bytes = buffer_bytes(buffer, place);
  const std::size_t offset = size_of(object, "byteOffset", 0, place);
  const std::size_t length = size_of(object, "byteLength", 0, place);
  if (length == 0) fail(place, "'byteLength' is missing or 0");
  if (offset > bytes.size() || length > bytes.size() - offset) {
    fail(place, format_text("bytes %zu to %zu lie outside buffer %d of %zu bytes", offset,
                            offset + length, buffer, bytes.size()));
  }
  return bytes.subspan(offset, length);
}

void Document::spend(std::size_t count, std::size_t bytes_each, const Place& place) {
  const std::size_t left = options_.max_decoded_bytes - spent_;
  if (count > left / bytes_each) {
    fail(place,
         format_text("the decoded data takes more than %zu bytes", options_.max_decoded_bytes),
         ErrorCode::kLimit);
  }
  spent_ += count * bytes_each;
}

void Document::add_finding(Severity severity, std::string code, const Place& place,
                           std::string message, std::string hint) {
  const std::size_t count = ++finding_counts_[code];
  if (count > kFindingsPerCode) return;
  findings_.push_back(
      {severity, std::move(code), std::move(message), place.text(), std::move(hint), name_});
}

void Document::warn(std::string code, const Place& place, std::string message, std::string hint) {
  add_finding(Severity::kWarning, std::move(code), place, std::move(message), std::move(hint));
}

void Document::inform(std::string code, const Place& place, std::string message, std::string hint) {
  add_finding(Severity::kInfo, std::move(code), place, std::move(message), std::move(hint));
}

Findings Document::take_findings() {
  for (const auto& [code, count] : finding_counts_) {
    if (count <= kFindingsPerCode) continue;
    findings_.push_back({Severity::kInfo,
                         code,
                         format_text("%zu more of this kind", count - kFindingsPerCode),
                         {},
                         {},
                         name_});
  }
  return std::move(findings_);
}

}  // namespace sinew::gltf
