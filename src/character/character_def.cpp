#include <algorithm>
#include <array>

#include <sinew/asset/mirror_map.hpp>
#include <sinew/base/hash.hpp>
#include <sinew/base/text.hpp>
#include <sinew/character/character_def.hpp>
#include <sinew/character/travel.hpp>
#include <sinew/pose/root_motion.hpp>

#include "rig_curves.hpp"

namespace sinew {

struct CharacterDef::Data {
  std::string name;
  Skeleton skeleton;
  RoleMap roles;
  ControllerDef controller;
  MotionTable motions;
  std::vector<Clip> clips;
  std::vector<const Clip*> clip_pointers;
  std::vector<RootPath> paths;              // authored, one per clip; used where enabled
  std::vector<RootPath> uniform_paths;      // given or measured, one per clip
  std::vector<const RootPath*> pose_paths;  // taken out of poses
  std::vector<const RootPath*> travel_paths;
  std::vector<std::vector<ChannelWeights>> channels;  // one per clip, if any is partial
  std::vector<std::span<const ChannelWeights>> channel_spans;
  std::vector<Skin> skins;
  std::vector<JointMask> masks;
  std::vector<const JointMask*> mask_pointers;
  MirrorMap mirror;
  PoseContext context;
  std::optional<RigDef> rig;
  RigCurves rig_curves;
  std::vector<ParamId> rig_parameters;
  float scale = 1, speed = 1;
  bool root_motion = true;
  std::uint64_t hash = 0;

  Status bind_clips(std::vector<MotionPart> parts, Findings* findings);
  Status bind_masks(std::vector<JointMask> given);
  Status check_skins() const;
  Status bind_rig(std::optional<RigDef> given);
  void make_context();
  void make_hash();
};

namespace {

bool moves(Vec3 velocity) { return length_squared(velocity) > 1e-8f; }

void hash_pose(Hasher& hasher, std::span<const SoaTransform> groups) {
  static_assert(sizeof(SoaTransform) == 40 * sizeof(float));
  std::array<float, 40> lanes;
  for (const SoaTransform& group : groups) {
    std::memcpy(lanes.data(), &group, sizeof group);
    hasher.floats(lanes);
  }
}

void hash_curves(Hasher& hasher, std::span<const FloatCurve> curves) {
  hasher.u64(curves.size());
  for (const FloatCurve& curve : curves) {
    hasher.text(curve.name);
    hasher.f32(curve.default_value);
    hasher.u64(static_cast<std::uint64_t>(curve.keys.interpolation));
    hasher.floats(curve.keys.times);
    hasher.floats(curve.keys.values);
    hasher.floats(curve.keys.in_tangents);
    hasher.floats(curve.keys.out_tangents);
  }
}

}  // namespace

Status CharacterDef::Data::bind_clips(std::vector<MotionPart> parts, Findings* findings) {
  const std::size_t count = parts.size();
  clips.reserve(count);
  paths.resize(count);
  uniform_paths.resize(count);
  pose_paths.assign(count, nullptr);
  travel_paths.assign(count, nullptr);
  for (std::size_t i = 0; i < count; ++i) {
    MotionPart& part = parts[i];
    part.clip.name = part.name;
    Result<Clip> clip = Clip::build(part.clip, skeleton);
    if (!clip) return within("motion '" + part.name + "'", std::move(clip).error());
    clips.push_back(std::move(clip).value());
    const RootMotionSettings& settings = clips[i].annotations().root_motion;
    Vec3 velocity = part.travel_velocity;
    if (part.travel == Travel::kMeasured)
      velocity = measure_travel(clips[i], skeleton, roles).velocity;
    if (!is_finite(velocity)) {
      return make_error(ErrorCode::kInvalidArgument, "the travel speed is not finite",
                        "motion '" + part.name + "'");
    }
    if (part.travel == Travel::kAuthored) {
      if (!settings.enabled) continue;
      paths[i] = RootPath::build(clips[i], skeleton, settings);
      pose_paths[i] = travel_paths[i] = &paths[i];
    } else if (moves(velocity)) {
      uniform_paths[i] = RootPath::uniform(clips[i].duration(), {velocity.x, 0, velocity.z});
      travel_paths[i] = &uniform_paths[i];
    }
  }
  for (const Clip& clip : clips) clip_pointers.push_back(&clip);
  motions = bind_motions(controller, clip_pointers, findings);
  for (const MotionInfo& info : motions.motions) {
    if (!info.partial) continue;
    channels.resize(count);
    const auto i = static_cast<std::size_t>(info.clip);
    channels[i] = channel_weights(clips[i], skeleton);
  }
  channel_spans.assign(channels.begin(), channels.end());
  return {};
}

Status CharacterDef::Data::bind_masks(std::vector<JointMask> given) {
  std::vector<std::string_view> names;
  for (const JointMask& mask : given) names.push_back(mask.name);
  for (const std::string& wanted : controller.tables().mask_names) {
    const auto it = std::find(names.begin(), names.end(), wanted);
    if (it == names.end()) {
      return make_error(ErrorCode::kNotFound,
                        "the controller '" + controller.name() + "' uses the mask '" + wanted +
                            "', which the character does not have" + did_you_mean(wanted, names));
    }
    masks.push_back(given[static_cast<std::size_t>(it - names.begin())]);
  }
  for (const JointMask& mask : masks) mask_pointers.push_back(&mask);
  return {};
}

Status CharacterDef::Data::check_skins() const {
  for (const Skin& skin : skins) {
    bool good = skin.joints.size() == skin.inverse_bind.size();
    for (int joint : skin.joints) good = good && joint >= 0 && joint < skeleton.joint_count();
    if (!good) {
      return make_error(ErrorCode::kMismatch, "names joints that the skeleton does not have",
                        "skin '" + skin.name + "'");
    }
  }
  return {};
}

Status CharacterDef::Data::bind_rig(std::optional<RigDef> given) {
  rig = std::move(given);
  if (!rig) return {};
  const std::string where = "rig '" + rig->name() + "'";
  if (rig->skeleton_hash() != skeleton.hash()) {
    return make_error(ErrorCode::kMismatch, "was compiled for another skeleton", where);
  }
  for (const std::string& parameter : rig->parameters()) {
    Result<ParamId> id = controller.find_param(parameter);
    if (!id) return within(where, std::move(id).error());
    rig_parameters.push_back(*id);
  }
  rig_curves = RigCurves(*rig, clips);
  return {};
}

void CharacterDef::Data::make_context() {
  context.skeleton = &skeleton;
  context.clips = clip_pointers;
  context.root_paths = pose_paths;
  context.channels = channel_spans;
  context.masks = mask_pointers;
  context.mirror = &mirror;
  context.memory = motions.memory_shape(controller);
}

void CharacterDef::Data::make_hash() {
  Hasher hasher;
  hasher.u64(skeleton.hash());
  hasher.u64(controller.hash());
  hasher.u64(motions.hash());
  for (const Clip& clip : clips) {
    hasher.text(clip.name());
    hasher.f32(clip.duration());
    hasher.f32(clip.interval());
    for (int i = 0; i < clip.sample_count(); ++i) hash_pose(hasher, clip.sample(i));
  }
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const RootDelta end = travel_paths[i] ? travel_paths[i]->at(clips[i].duration()) : RootDelta{};
    hasher.u64(travel_paths[i] ? 1 : 0);
    hasher.floats(
        std::array{end.translation.x, end.translation.y, end.translation.z, end.rotation.y});
  }
  for (const JointMask& mask : masks) {
    for (int j = 0; j < skeleton.joint_count(); ++j) hasher.f32(mask.weight(j));
  }
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    hasher.u64(static_cast<std::uint64_t>(mirror.partner(j)));
  }
  hasher.f32(scale);
  hasher.f32(speed);
  hasher.u64(root_motion ? 1 : 0);
  if (rig) {
    hasher.u64(rig->content_hash());
    for (const Clip& clip : clips) hash_curves(hasher, clip.curves());
  }
  hash = hasher.value();
}

CharacterDef::CharacterDef() : data_(std::make_shared<Data>()) {}

Result<CharacterDef> CharacterDef::build(CharacterParts parts, Findings* findings) {
  const std::string where = "character '" + parts.name + "'";
  if (!(parts.scale > 0 && parts.scale <= 1000)) {
    return make_error(ErrorCode::kInvalidArgument, "the scale must lie in (0, 1000]", where);
  }
  if (!(parts.speed >= 0 && parts.speed <= 100)) {
    return make_error(ErrorCode::kInvalidArgument, "the speed must lie in [0, 100]", where);
  }
  auto data = std::make_shared<Data>();
  data->name = std::move(parts.name);
  data->skeleton = std::move(parts.skeleton);
  data->roles = parts.roles;
  data->controller = std::move(parts.controller);
  data->skins = std::move(parts.skins);
  data->scale = parts.scale;
  data->speed = parts.speed;
  data->root_motion = parts.root_motion;
  if (Status status = data->bind_clips(std::move(parts.motions), findings); !status) {
    return within(where, status.error());
  }
  if (Status status = data->bind_masks(std::move(parts.masks)); !status) {
    return within(where, status.error());
  }
  if (Status status = data->check_skins(); !status) return within(where, status.error());
  if (Status status = data->bind_rig(std::move(parts.rig)); !status) {
    return within(where, status.error());
  }
  if (parts.mirror_partners.empty()) {
    data->mirror = MirrorMap::build(data->skeleton, data->roles);
  } else {
    Result<MirrorMap> mirror = MirrorMap::build(data->skeleton, parts.mirror_partners);
    if (!mirror) return within(where, std::move(mirror).error());
    data->mirror = std::move(mirror).value();
  }
  data->make_context();
  data->make_hash();
  CharacterDef def;
  def.data_ = std::move(data);
  return def;
}

const std::string& CharacterDef::name() const { return data_->name; }
const Skeleton& CharacterDef::skeleton() const { return data_->skeleton; }
const RoleMap& CharacterDef::roles() const { return data_->roles; }
const ControllerDef& CharacterDef::controller() const { return data_->controller; }
const MotionTable& CharacterDef::motions() const { return data_->motions; }
std::span<const Clip> CharacterDef::clips() const { return data_->clips; }
std::span<const Skin> CharacterDef::skins() const { return data_->skins; }
const RigDef* CharacterDef::rig() const { return data_->rig ? &*data_->rig : nullptr; }
const RigCurves& CharacterDef::rig_curves() const { return data_->rig_curves; }
std::span<const ParamId> CharacterDef::rig_parameters() const { return data_->rig_parameters; }
float CharacterDef::scale() const { return data_->scale; }
float CharacterDef::speed() const { return data_->speed; }
bool CharacterDef::root_motion() const { return data_->root_motion; }
const PoseContext& CharacterDef::pose_context() const { return data_->context; }
std::span<const RootPath* const> CharacterDef::travel_paths() const { return data_->travel_paths; }
std::uint64_t CharacterDef::hash() const { return data_->hash; }

ParamId CharacterDef::param(std::string_view parameter) const {
  return data_->controller.param(parameter);
}
StateId CharacterDef::state(std::string_view name_or_path) const {
  return data_->controller.state(name_or_path);
}

std::string_view CharacterDef::event_name(int event) const {
  const auto& names = data_->motions.event_names;
  return event >= 0 && static_cast<std::size_t>(event) < names.size()
             ? std::string_view(names[static_cast<std::size_t>(event)])
             : std::string_view();
}

Vec3 CharacterDef::travel_velocity(int clip) const {
  if (clip < 0 || static_cast<std::size_t>(clip) >= data_->clips.size()) return {};
  const RootPath* path = data_->travel_paths[static_cast<std::size_t>(clip)];
  const float duration = data_->clips[static_cast<std::size_t>(clip)].duration();
  if (!path || !(duration > 0)) return {};
  return path->at(duration).translation * (data_->scale / duration);
}

}  // namespace sinew
