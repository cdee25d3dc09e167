#include <algorithm>
#include <map>

#include <sinew/base/text.hpp>
#include <sinew/import/import.hpp>
#include <sinew/scene/character_json.hpp>
#include <sinew/scene/controller_json.hpp>

#include "clip_edit.hpp"
#include "json_value.hpp"
#include "load_faults.hpp"
#include "standard_masks.hpp"

namespace sinew {

namespace fs = std::filesystem;

namespace {

// One character file while it is read.
class CharacterReader {
 public:
  CharacterReader(const fs::path& file, const Model* model, const LoadOptions& options,
                  Findings& findings)
      : file_(file),
        given_model_(model),
        options_(options),
        findings_(findings),
        faults_(file.string(), findings) {}

  std::optional<CharacterDef> read();
  std::shared_ptr<const Model> model() const { return model_; }
  std::string file_name() const {
    return files_ ? files_->name_of(file_) : file_.filename().string();
  }

 private:
  bool open();
  bool read_model(const JsonValue& root);
  bool read_controller(const JsonValue& root);
  bool read_rig(const JsonValue& root);
  void read_roles(const JsonValue& root);
  void read_masks(const JsonValue& root);
  void read_mirror(const JsonValue& root);
  void read_motions(const JsonValue& root);
  void read_motion(const std::string& name, const JsonValue& value);
  void read_travel(const JsonValue& value, MotionPart& part);
  void read_root_motion(const JsonValue& value, RootMotionSettings& settings);
  void add_unlisted_motions();

  // The model of a file named at `value`; null after a report.
  std::shared_ptr<const Model> load_model(const JsonValue& value, const std::string& reference);
  std::optional<RawClip> load_clip(const JsonValue& value, const std::string& reference);
  std::optional<int> joint(const JsonValue& value);
  const Model& body() const { return given_model_ ? *given_model_ : *model_; }

  fs::path file_;
  const Model* given_model_;
  LoadOptions options_;
  Findings& findings_;
  JsonFaults faults_;
  std::optional<ProjectFiles> files_;
  Json json_;
  std::shared_ptr<const Model> model_;
  std::map<fs::path, std::shared_ptr<const Model>> models_;
  CharacterParts parts_;
};

bool CharacterReader::open() {
  Result<ProjectFiles> files = ProjectFiles::around(file_, options_.root);
  if (!files) return report(findings_, files.error()), false;
  files_ = std::move(files).value();
  Result<std::string> text = read_text_file(file_);
  if (!text) return report(findings_, text.error()), false;
  std::optional<Json> json = parse_json(*text, file_.string(), findings_);
  if (!json) return false;
  json_ = std::move(json).value();
  return true;
}

std::shared_ptr<const Model> CharacterReader::load_model(const JsonValue& value,
                                                         const std::string& reference) {
  Result<fs::path> path = files_->resolve(file_, reference);
  if (!path) {
    value.error("file." + std::string(to_string(path.error().code)), path.error().message);
    return nullptr;
  }
  auto& slot = models_[*path];
  if (slot) return slot;
  Result<Model> loaded = import_model(path->string());
  if (!loaded) {
    value.error("file." + std::string(to_string(loaded.error().code)), to_string(loaded.error()));
    return nullptr;
  }
  slot = std::make_shared<const Model>(std::move(loaded).value());
  return slot;
}

bool CharacterReader::read_model(const JsonValue& root) {
  if (given_model_) return true;
  const auto value = root.require("model");
  if (!value) return false;
  const auto reference = value->as_text();
  if (!reference) return false;
  model_ = load_model(*value, *reference);
  return model_ != nullptr;
}

bool CharacterReader::read_controller(const JsonValue& root) {
  const auto value = root.require("controller");
  if (!value) return false;
  const auto reference = value->as_text();
  if (!reference) return false;
  Result<fs::path> path = files_->resolve(file_, *reference);
  if (!path) {
    value->error("file." + std::string(to_string(path.error().code)), path.error().message);
    return false;
  }
  std::optional<ControllerDef> controller = read_controller_file(*path, findings_);
  if (!controller) return false;
  parts_.controller = std::move(*controller);
  return true;
}

// False after an error; a character needs no rig.
bool CharacterReader::read_rig(const JsonValue& root) {
  const auto value = root.find("rig");
  if (!value) return true;
  const auto reference = value->as_text();
  if (!reference) return false;
  Result<fs::path> path = files_->resolve(file_, *reference);
  if (!path) {
    value->error("file." + std::string(to_string(path.error().code)), path.error().message);
    return false;
  }
  parts_.rig = read_rig_file(*path, parts_.skeleton, parts_.roles, options_.constraints, findings_);
  return parts_.rig.has_value();
}

std::optional<int> CharacterReader::joint(const JsonValue& value) {
  const auto name = value.as_text();
  if (!name) return std::nullopt;
  Result<int> found = parts_.skeleton.require(*name);
  if (!found) {
    value.error("character.joint", found.error().message);
    return std::nullopt;
  }
  return *found;
}

void CharacterReader::read_roles(const JsonValue& root) {
  std::vector<std::string_view> names;
  for (int i = 1; i < kJointRoleCount; ++i) names.push_back(to_string(static_cast<JointRole>(i)));
  for (const auto& [name, value] : root.members("roles")) {
    const std::optional<JointRole> role = joint_role_from_string(name);
    if (!role) {
      value.error("character.role", "no joint role has this name" + did_you_mean(name, names));
      continue;
    }
    if (value.json().is_null()) {
      parts_.roles.set(*role, kNoJoint);
    } else if (const auto found = joint(value)) {
      parts_.roles.set(*role, *found);
    }
  }
}

void CharacterReader::read_masks(const JsonValue& root) {
  for (const auto& [name, value] : root.members("masks")) {
    if (!value.object({"subtree", "inside", "outside", "joints"})) continue;
    const float inside = value.number_f("inside", 1, {0, 1});
    const float outside = value.number_f("outside", 0, {0, 1});
    std::vector<float> weights(static_cast<std::size_t>(parts_.skeleton.joint_count()), outside);
    if (const auto top = value.find("subtree")) {
      if (const auto found = joint(*top)) {
        for (int j = 0; j < parts_.skeleton.joint_count(); ++j) {
          if (parts_.skeleton.is_ancestor(*found, j)) weights[static_cast<std::size_t>(j)] = inside;
        }
      }
    }
    for (const auto& [joint_name, weight] : value.members("joints")) {
      Result<int> found = parts_.skeleton.require(joint_name);
      if (!found) {
        weight.error("character.joint", found.error().message);
      } else if (const auto number = weight.as_number({0, 1})) {
        weights[static_cast<std::size_t>(*found)] = static_cast<float>(*number);
      }
    }
    JointMask mask = JointMask::from_weights(parts_.skeleton, weights);
    mask.name = name;
    parts_.masks.push_back(std::move(mask));
  }
  for (const std::string& wanted : parts_.controller.tables().mask_names) {
    const bool there = std::any_of(parts_.masks.begin(), parts_.masks.end(),
                                   [&](const JointMask& mask) { return mask.name == wanted; });
    if (there) continue;
    if (auto mask = standard_mask(parts_.skeleton, parts_.roles, wanted)) {
      parts_.masks.push_back(std::move(*mask));
    }
  }
}

void CharacterReader::read_mirror(const JsonValue& root) {
  const auto pairs = root.members("mirror");
  if (pairs.empty()) return;
  const MirrorMap found = MirrorMap::build(parts_.skeleton, parts_.roles);
  std::vector<int> partners(found.partners().begin(), found.partners().end());
  for (const auto& [name, value] : pairs) {
    Result<int> left = parts_.skeleton.require(name);
    if (!left) {
      value.error("character.joint", left.error().message);
      continue;
    }
    const auto right = joint(value);
    if (!right) continue;
    // Whoever was a partner of either stands alone now.
    for (const int one : {*left, *right}) {
      const int old = partners[static_cast<std::size_t>(one)];
      partners[static_cast<std::size_t>(old)] = old;
    }
    partners[static_cast<std::size_t>(*left)] = *right;
    partners[static_cast<std::size_t>(*right)] = *left;
  }
  parts_.mirror_partners = std::move(partners);
}

void CharacterReader::read_root_motion(const JsonValue& value, RootMotionSettings& settings) {
  if (value.json().is_boolean()) {
    settings.enabled = value.json().get<bool>();
    return;
  }
  if (!value.object({"enabled", "joint", "bake_rotation", "bake_y", "bake_xz", "rotation_basis",
                     "y_basis", "xz_basis", "rotation_offset", "y_offset"})) {
    return;
  }
  using Basis = RootMotionSettings::Basis;
  settings.enabled = value.flag("enabled", true);
  if (const auto top = value.find("joint")) settings.joint = joint(*top).value_or(kNoJoint);
  settings.bake_rotation = value.flag("bake_rotation", settings.bake_rotation);
  settings.bake_y = value.flag("bake_y", settings.bake_y);
  settings.bake_xz = value.flag("bake_xz", settings.bake_xz);
  const auto basis = [&](const char* key, Basis otherwise) {
    return static_cast<Basis>(
        value.choice(key, {"original", "mass_centre", "feet"}, static_cast<int>(otherwise)));
  };
  settings.rotation_basis = basis("rotation_basis", settings.rotation_basis);
  settings.y_basis = basis("y_basis", settings.y_basis);
  settings.xz_basis = basis("xz_basis", settings.xz_basis);
  settings.rotation_offset = value.number_f("rotation_offset", 0, {-360, 360}) * kDegToRad;
  settings.y_offset = value.number_f("y_offset", settings.y_offset, {-100, 100});
}

// "none", "feet", metres per second forward, or a velocity [x, y, z].
void CharacterReader::read_travel(const JsonValue& value, MotionPart& part) {
  if (value.json().is_string()) {
    const std::string word = value.json().get<std::string>();
    if (word == "feet") part.travel = Travel::kMeasured;
    if (word == "none") part.travel = Travel::kGiven;
    if (word == "clip") part.travel = Travel::kAuthored;
    if (word == "feet" || word == "none" || word == "clip") return;
  } else if (value.json().is_number()) {
    part.travel = Travel::kGiven;
    part.travel_velocity = {0, 0, static_cast<float>(value.as_number({-100, 100}).value_or(0))};
    return;
  } else if (value.json().is_array()) {
    part.travel = Travel::kGiven;
    part.travel_velocity = value.as_point({});
    return;
  }
  value.error("character.travel",
              "must be 'feet', 'clip', 'none', metres per second forward, or [x, y, z]; it is " +
                  describe(value.json()));
}

std::optional<RawClip> CharacterReader::load_clip(const JsonValue& value,
                                                  const std::string& reference) {
  Result<FileReference> parsed = parse_file_reference(reference);
  if (!parsed) {
    value.error("character.clip", parsed.error().message);
    return std::nullopt;
  }
  const Model* source = &body();
  std::shared_ptr<const Model> other;
  std::string clip_name = parsed->value;
  if (parsed->key.empty()) {
    // A bare name is a clip of the model itself.
    clip_name = parsed->path;
  } else if (parsed->key != "clip") {
    value.error("character.clip",
                "'#" + parsed->key + "=' is no part of a file here; write '#clip=Name'");
    return std::nullopt;
  } else {
    other = load_model(value, parsed->path);
    if (!other) return std::nullopt;
    source = other.get();
  }
  Result<int> index = source->find_clip(clip_name);
  if (!index) {
    value.error("character.clip", index.error().message);
    return std::nullopt;
  }
  const RawClip& clip = source->clips[static_cast<std::size_t>(*index)];
  if (source->skeleton.hash() == parts_.skeleton.hash()) return clip;
  RebindReport rebound;
  RawClip out = rebind_clip(clip, source->skeleton, parts_.skeleton, rebound);
  if (rebound.bound == 0 && !clip.tracks.empty()) {
    value.error("character.clip", "clip '" + clip_name + "' moves no joint that this model has",
                "it was made for another skeleton");
    return std::nullopt;
  }
  if (rebound.missing > 0) {
    faults_.warning("character.clip", value.place(),
                    "clip '" + clip_name +
                        format_text("' moves %d joints that this model does not have, "
                                    "the first is '%s'",
                                    rebound.missing, rebound.first_missing.c_str()));
  }
  return out;
}

void CharacterReader::read_motion(const std::string& name, const JsonValue& value) {
  MotionPart part;
  part.name = name;
  std::string reference = name;
  const bool detailed = !value.json().is_string();
  if (!detailed) {
    reference = value.json().get<std::string>();
  } else {
    if (!value.object({"clip", "loop", "loop_pose", "speed", "travel", "root_motion"})) return;
    reference = value.text("clip", name);
  }
  auto clip = load_clip(value.find("clip").value_or(value), reference);
  if (!clip) return;
  part.clip = std::move(*clip);
  if (detailed) {
    part.clip.loop = value.flag("loop", part.clip.loop);
    part.clip.annotations.loop_pose = value.flag("loop_pose", part.clip.annotations.loop_pose);
    retime_clip(part.clip, value.number_f("speed", 1, {0.01, 100}));
    if (const auto settings = value.find("root_motion")) {
      read_root_motion(*settings, part.clip.annotations.root_motion);
    }
    if (const auto travel = value.find("travel")) read_travel(*travel, part);
  }
  parts_.motions.push_back(std::move(part));
}

// Motions that the controller names and the file does not list are clips of the model.
void CharacterReader::add_unlisted_motions() {
  for (const MotionSource& motion : parts_.controller.tables().motions) {
    const std::string& wanted = motion.clip ? *motion.clip : motion.name;
    const bool there = std::any_of(parts_.motions.begin(), parts_.motions.end(),
                                   [&](const MotionPart& part) { return part.name == wanted; });
    if (there) continue;
    const Result<int> clip = body().find_clip(wanted);
    if (!clip) {
      // A missing one is reported by bind_motions(), with all names that there are.
      if (clip.error().code == ErrorCode::kNotFound) continue;
      faults_.error("character.clip", "motions",
                    "the controller's motion '" + wanted + "' is not listed, and the clip " +
                        clip.error().message);
      continue;
    }
    MotionPart part;
    part.name = wanted;
    part.clip = body().clips[static_cast<std::size_t>(*clip)];
    if (motion.loop) part.clip.loop = *motion.loop;
    parts_.motions.push_back(std::move(part));
  }
}

void CharacterReader::read_motions(const JsonValue& root) {
  std::vector<std::string_view> wanted;
  for (const MotionSource& motion : parts_.controller.tables().motions) {
    wanted.push_back(motion.clip ? *motion.clip : motion.name);
  }
  for (const auto& [name, value] : root.members("motions")) {
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) {
      faults_.warning("character.unused_motion", value.place(),
                      "the controller plays no motion of this name" + did_you_mean(name, wanted));
      continue;
    }
    read_motion(name, value);
  }
  add_unlisted_motions();
}

std::optional<CharacterDef> CharacterReader::read() {
  if (!open()) return std::nullopt;
  const JsonValue root(json_, "", faults_);
  if (!root.header("character", 1)) return std::nullopt;
  root.object({"sinew", "name", "model", "controller", "rig", "scale", "speed", "root_motion",
               "motions", "masks", "mirror", "roles"});
  const bool has_model = read_model(root);
  const bool has_controller = read_controller(root);
  if (!has_model || !has_controller) return std::nullopt;
  std::string fallback = file_.filename().string();
  fallback = fallback.substr(0, fallback.find('.'));
  parts_.name = root.text("name", fallback);
  parts_.scale = root.number_f("scale", 1, {0.001, 1000});
  parts_.speed = root.number_f("speed", 1, {0, 100});
  parts_.root_motion = root.flag("root_motion", true);
  parts_.skeleton = body().skeleton;
  parts_.roles = body().roles;
  parts_.skins = body().skins;
  read_roles(root);
  read_masks(root);
  read_mirror(root);
  read_motions(root);
  const bool has_rig = read_rig(root);
  if (faults_.error_count() > 0 || !has_rig) return std::nullopt;

  Findings built;
  Result<CharacterDef> def = CharacterDef::build(std::move(parts_), &built);
  for (Finding& finding : built) {
    finding.file = file_.string();
    findings_.push_back(std::move(finding));
  }
  if (!def) {
    report(findings_, within(file_.string(), std::move(def).error()), "character.build");
    return std::nullopt;
  }
  return std::move(def).value();
}

}  // namespace

Result<LoadedCharacter> load_character_file(const fs::path& file, const LoadOptions& options,
                                            Findings* findings) {
  Findings own;
  CharacterReader reader(file, nullptr, options, own);
  std::optional<CharacterDef> def = reader.read();
  if (findings) findings->insert(findings->end(), own.begin(), own.end());
  if (!def) return first_error(own);
  return LoadedCharacter{std::move(*def), reader.model(), file, reader.file_name()};
}

Result<CharacterDef> load_character(const fs::path& file, const Model& model,
                                    const LoadOptions& options, Findings* findings) {
  Findings own;
  CharacterReader reader(file, &model, options, own);
  std::optional<CharacterDef> def = reader.read();
  if (findings) findings->insert(findings->end(), own.begin(), own.end());
  if (!def) return first_error(own);
  return std::move(*def);
}

}  // namespace sinew
