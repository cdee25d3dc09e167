#include <algorithm>
#include <charconv>

#include <nlohmann/json.hpp>

#include <sinew/base/text.hpp>
#include <sinew/unity/assets.hpp>

#include "document.hpp"

namespace sinew::unity {

namespace fs = std::filesystem;

namespace {

bool is_guid(std::string_view text) {
  return text.size() == 32 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool is_motion_file(std::string_view text) {
  if (text.find('/') != std::string_view::npos) return true;
  constexpr std::string_view kEndings[] = {".anim", ".fbx", ".FBX", ".glb", ".gltf", ".bvh"};
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view ending) { return text.ends_with(ending); });
}

// The name of a file without folders and its last extension.
std::string stem(const fs::path& file) { return file.stem().string(); }

}  // namespace

std::string key_of(const AssetRef& ref) {
  if (ref.file_id == kClipFileId) return ref.guid;
  return ref.guid + "#" + std::to_string(ref.file_id);
}

std::optional<AssetRef> ref_of_key(std::string_view key) {
  AssetRef ref;
  const std::size_t hash = key.find('#');
  ref.guid = std::string(key.substr(0, hash));
  for (char& c : ref.guid) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  if (!is_guid(ref.guid)) return std::nullopt;
  ref.file_id = kClipFileId;
  ref.type = 2;
  if (hash == std::string_view::npos) return ref;
  ref.type = 3;
  const std::string_view number = key.substr(hash + 1);
  const char* last = number.data() + number.size();
  const auto [end, error] = std::from_chars(number.data(), last, ref.file_id);
  if (error != std::errc() || end != last) return std::nullopt;
  return ref;
}

void AssetMap::add(const AssetRef& ref, AssetInfo info, bool replace) {
  if (replace) {
    by_ref_.insert_or_assign(ref, std::move(info));
  } else {
    by_ref_.emplace(ref, std::move(info));
  }
}

const AssetInfo* AssetMap::find(const AssetRef& ref) const {
  if (ref.guid.empty()) return nullptr;
  if (const auto found = by_ref_.find(ref); found != by_ref_.end()) return &found->second;
  const AssetRef whole{0, ref.guid, 0};
  const auto found = by_ref_.find(whole);
  return found == by_ref_.end() ? nullptr : &found->second;
}

std::optional<AssetRef> AssetMap::reference_of(std::string_view name, std::int64_t file_id) const {
  for (const auto& [ref, info] : by_ref_) {
    if (info.name != name) continue;
    AssetRef out = ref;
    const std::string extension = info.file.extension().string();
    // A script has the name of a motion now and then.
    if ((extension == ".cs") != (file_id == kScriptFileId)) continue;
    if ((extension == ".mask") != (file_id == kMaskFileId) && !info.file.empty()) continue;
    if (out.file_id == 0) out.file_id = file_id;
    const bool own = info.file.empty() || extension == ".anim" || extension == ".mask" ||
                     extension == ".controller" || extension == ".overrideController";
    out.type = own ? 2 : 3;
    return out;
  }
  return std::nullopt;
}

void AssetMap::read_meta(const fs::path& meta, Findings* findings) {
  const Result<std::string> text = read_file(meta);
  if (!text) return;
  const Result<Node> node = parse_yaml(*text, meta.string());
  const auto warn = [&](const char* code, std::string message) {
    if (findings == nullptr) return;
    findings->push_back({Severity::kWarning, code, std::move(message), {}, {}, meta.string()});
  };
  if (!node) return warn("unity.meta", to_string(node.error()));
  AssetRef whole{0, text_or(*node, "guid"), 0};
  if (!is_guid(whole.guid)) return warn("unity.meta", "holds no guid of 32 hexadecimal digits");
  AssetInfo info;
  info.file = meta;
  info.file.replace_extension();  // "walk.fbx.meta" -> "walk.fbx"
  info.name = stem(info.file);
  if (const auto old = by_ref_.find(whole); old != by_ref_.end()) {
    if (!old->second.file.empty() && old->second.file != info.file) {
      warn("unity.duplicate_guid", "has the guid of '" + old->second.file.string() +
                                       "' too; references to it mean that one");
    }
    return;
  }
  by_ref_.emplace(whole, info);
  const Node* importer = node->find("ModelImporter");
  if (importer == nullptr) return;
  std::map<std::string, bool> loops;
  if (const Node* animations = importer->find("animations")) {
    for (const Node& clip : elements(*animations, "clipAnimations")) {
      loops[text_or(clip, "name")] = flag_or(clip, "loopTime", false);
    }
  }
  const auto add_clip = [&](std::int64_t file_id, const std::string& name) {
    AssetInfo clip = info;
    clip.name = name;
    if (const auto loop = loops.find(name); loop != loops.end()) clip.loop = loop->second;
    by_ref_.emplace(AssetRef{file_id, whole.guid, 3}, std::move(clip));
  };
  // Until 2018: {7400000: Walk}; since: [{first: {74: 123}, second: Walk}].
  if (const Node* names = importer->find("fileIDToRecycleName")) {
    for (const Node& item : names->items) {
      Node id;
      id.text = item.key;
      const auto number = integer_of(&id);
      if (number && *number / 100000 == 74 && item.is_scalar()) add_clip(*number, item.text);
    }
  }
  for (const Node& item : elements(*importer, "internalIDToNameTable")) {
    const Node* first = item.find("first");
    if (first == nullptr) continue;
    if (const auto number = integer_of(first->find("74")))
      add_clip(*number, text_or(item, "second"));
  }
}

Status AssetMap::scan_folder(const fs::path& folder, Findings* findings) {
  constexpr std::size_t kMostFiles = 100000;
  std::error_code error;
  std::vector<fs::path> metas;
  std::size_t seen = 0;
  const auto options = fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator it(folder, options, error), end;
  if (error) return make_error(ErrorCode::kUnreadable, error.message(), folder.string());
  for (; it != end; it.increment(error)) {
    if (error) break;
    if (++seen > kMostFiles) {
      if (findings != nullptr) {
        findings->push_back({Severity::kWarning,
                             "unity.many_files",
                             "holds more than 100000 files; the rest was not looked at",
                             {},
                             "give a motion map, or a smaller folder",
                             folder.string()});
      }
      break;
    }
    if (it->path().extension() == ".meta" && it->is_regular_file(error))
      metas.push_back(it->path());
  }
  std::sort(metas.begin(), metas.end());
  for (const fs::path& meta : metas) read_meta(meta, findings);
  return {};
}

Status AssetMap::add_json(std::string_view text, const fs::path& file) {
  using Json = nlohmann::ordered_json;
  const std::string name = file.string();
  const auto fault = [&](std::string message, const std::string& place = {}) {
    return make_error(ErrorCode::kMalformed, std::move(message),
                      place.empty() ? name : name + ": " + place);
  };
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return fault("is not valid JSON");
  if (!json.is_object() || !json.contains("sinew") || json["sinew"] != "motion_map/1") {
    return fault("must begin with \"sinew\": \"motion_map/1\"");
  }
  if (!json.contains("motions") || !json["motions"].is_object()) {
    return fault("the key 'motions' is missing or no object");
  }
  for (const auto& [key, value] : json["motions"].items()) {
    const std::string place = "motions: '" + key + "'";
    const std::optional<AssetRef> ref = ref_of_key(key);
    if (!ref) return fault("is neither '<guid>' nor '<guid>#<file id>'", place);
    AssetInfo info;
    const auto take_file = [&](const std::string& given) {
      info.file = file.parent_path() / given;
      if (info.name.empty()) info.name = stem(info.file);
    };
    if (value.is_string()) {
      const std::string given = value.get<std::string>();
      if (is_motion_file(given)) {
        take_file(given);
      } else {
        info.name = given;
      }
    } else if (value.is_object()) {
      for (const auto& [member, what] : value.items()) {
        if (member == "name" && what.is_string()) {
          info.name = what.get<std::string>();
        } else if (member == "file" && what.is_string()) {
          info.file = file.parent_path() / what.get<std::string>();
        } else if (member == "length" && what.is_number() && what.get<double>() >= 0) {
          info.length = what.get<double>();
        } else if (member == "loop" && what.is_boolean()) {
          info.loop = what.get<bool>();
        } else {
          constexpr std::string_view kKeys[] = {"name", "file", "length", "loop"};
          const bool known =
              std::find(std::begin(kKeys), std::end(kKeys), member) != std::end(kKeys);
          return fault(known
                           ? "'" + member + "' has a value that does not fit"
                           : "the key '" + member + "' is not known" + did_you_mean(member, kKeys),
                       place);
        }
      }
      if (info.name.empty()) info.name = stem(info.file);
    } else {
      return fault("must be a name, a file, or an object", place);
    }
    if (info.name.empty()) return fault("has no name", place);
    // "<guid>" alone means the whole file, whichever clip of it is asked for.
    AssetRef at = *ref;
    if (key.find('#') == std::string::npos) at.file_id = 0;
    by_ref_.insert_or_assign(at, std::move(info));
  }
  return {};
}

Status AssetMap::load_json(const fs::path& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.error();
  return add_json(*text, file);
}

fs::path asset_folder(const fs::path& file) {
  std::error_code error;
  const fs::path absolute = fs::absolute(file, error).lexically_normal();
  const fs::path own = absolute.parent_path();
  for (fs::path at = own; at.has_relative_path(); at = at.parent_path()) {
    if (at.filename() == "Assets" || at.filename() == "Packages") return at;
  }
  return own;
}

}  // namespace sinew::unity
