#include <algorithm>

#include <sinew/unity/clip.hpp>

#include "clip_node.hpp"
#include "controller_reader.hpp"

namespace sinew::unity {

void AssetNames::take_known() {
  for (const NamedAsset& motion : out_.motions) {
    motions_.emplace(motion.ref, motion.name);
    motion_names_.insert(motion.name);
  }
  for (const NamedAsset& mask : out_.masks) {
    masks_.emplace(mask.ref, mask.name);
    mask_names_.insert(mask.name);
  }
}

void AssetNames::add_local_clip(std::int64_t file_id, const Node& body) {
  local_clips_.emplace(file_id, &body);
}

std::string AssetNames::free_name(const std::string& wanted, const std::string& place) {
  std::string name = wanted;
  for (int n = 2; motion_names_.contains(name); ++n) name = wanted + " " + std::to_string(n);
  if (name != wanted) {
    out_.findings.push_back(
        {Severity::kWarning,
         "unity.renamed",
         "two motions are named '" + wanted + "'; this one becomes '" + name + "'",
         place,
         "name them apart in a motion map",
         {}});
  }
  motion_names_.insert(name);
  return name;
}

void AssetNames::read_clip_file(MotionSource& motion, const std::filesystem::path& file) {
  const Result<AnimClip> clip = load_clip(file);
  if (!clip) {
    out_.findings.push_back({Severity::kWarning,
                             "unity.motion_file",
                             to_string(clip.error()),
                             "motion '" + motion.name + "'",
                             "it counts as 1 s long",
                             {}});
    return;
  }
  if (!motion.length) motion.length = clip->duration();
  if (!motion.loop) motion.loop = clip->loops();
  for (const AnimEvent& event : clip->events) {
    const double time = event.time - clip->settings.start_time;
    if (time >= 0 && time <= *motion.length) motion.events.push_back({time, event.function});
  }
}

std::string AssetNames::motion(const AssetRef& ref, const std::string& place) {
  if (const auto found = motions_.find(ref); found != motions_.end()) return found->second;
  NamedAsset asset;
  asset.ref = ref;
  MotionSource source;
  if (ref.local()) {
    const auto clip = local_clips_.find(ref.file_id);
    asset.resolved = clip != local_clips_.end();
    if (asset.resolved) {
      source.name = text_or(*clip->second, "m_Name");
      const AnimClip read = read_clip_node(*clip->second, {});
      source.length = read.duration();
      source.loop = read.loops();
    }
    if (source.name.empty()) source.name = "clip " + std::to_string(ref.file_id);
    source.name = free_name(source.name, place);
  } else if (const AssetInfo* info = options_.assets ? options_.assets->find(ref) : nullptr) {
    asset.resolved = true;
    asset.file = info->file;
    source.name = free_name(info->name, place);
    source.length = info->length;
    source.loop = info->loop;
    if (options_.read_clips && info->file.extension() == ".anim") {
      read_clip_file(source, info->file);
    }
  } else {
    source.name = free_name(key_of(ref), place);
  }
  if (!asset.resolved) {
    source.length = 1;
    out_.findings.push_back(
        {Severity::kWarning,
         "unity.missing_motion",
         "motion " +
             (ref.local() ? "with the id " + std::to_string(ref.file_id)
                          : "'" + key_of(ref) + "'") +
             (ref.local() ? " is not in the file"
                          : " is named by no .meta file and no motion map") +
             "; an empty motion of 1 s stands in",
         place,
         ref.local() ? "" : "give a motion map: {\"" + key_of(ref) + "\": \"Name\"}",
         {}});
  }
  asset.name = source.name;
  motions_.emplace(ref, source.name);
  out_.motions.push_back(std::move(asset));
  out_.source.motions.push_back(source);
  return source.name;
}

std::string AssetNames::mask(const AssetRef& ref, const std::string& place) {
  if (const auto found = masks_.find(ref); found != masks_.end()) return found->second;
  NamedAsset asset;
  asset.ref = ref;
  const AssetInfo* info = options_.assets ? options_.assets->find(ref) : nullptr;
  asset.resolved = info != nullptr;
  if (info != nullptr) {
    asset.name = info->name;
    asset.file = info->file;
  } else {
    asset.name = ref.local() ? "mask " + std::to_string(ref.file_id) : ref.guid;
    out_.findings.push_back(
        {Severity::kWarning,
         "unity.missing_mask",
         "mask '" + asset.name + "' is named by no .meta file and no motion map",
         place,
         "the character must have a mask of that name",
         {}});
  }
  const std::string wanted = asset.name;
  for (int n = 2; mask_names_.contains(asset.name); ++n) {
    asset.name = wanted + " " + std::to_string(n);
  }
  mask_names_.insert(asset.name);
  masks_.emplace(ref, asset.name);
  out_.masks.push_back(asset);
  return asset.name;
}

std::string AssetNames::script(const AssetRef& ref) const {
  const AssetInfo* info = options_.assets ? options_.assets->find(ref) : nullptr;
  return info != nullptr ? info->name : std::string();
}

}  // namespace sinew::unity
