#include <algorithm>
#include <cmath>
#include <map>

#include <sinew/base/text.hpp>
#include <sinew/math/smooth.hpp>
#include <sinew/scene/scene_def.hpp>

#include "json_value.hpp"
#include "load_faults.hpp"

namespace sinew {

namespace fs = std::filesystem;

std::uint64_t Scene::tick_count() const {
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::llround(duration / static_cast<double>(dt))));
}

namespace {

constexpr int kMaxSceneCharacters = 4096;

// [x, y, z], or {"position": [x, y, z], "rotation": [x, y, z, w]} with either: where a node of a
// rig goes. None after a report.
std::optional<std::vector<WorldInput>> read_rig_place(const JsonValue& value, std::int32_t node) {
  std::vector<WorldInput> out;
  const auto numbers = [&](const JsonValue& list, std::size_t count) -> std::vector<double> {
    std::vector<double> read;
    if (list.json().is_array()) {
      for (const Json& one : list.json()) {
        if (one.is_number()) read.push_back(one.get<double>());
      }
    }
    if (read.size() == count && list.json().size() == count) return read;
    list.error("json.type", format_text("must be an array of %zu numbers; it is ", count) +
                                describe(list.json()));
    return {};
  };
  const auto add = [&](WorldInput::Kind kind, const std::vector<double>& v, double number) {
    WorldInput input;
    input.kind = kind;
    input.index = node;
    input.number = number;
    input.vector = {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
    out.push_back(input);
  };
  const bool plain = value.json().is_array();
  if (!plain && !value.object({"position", "rotation"})) return std::nullopt;
  const auto position = plain ? std::optional(value) : value.find("position");
  const auto rotation = plain ? std::nullopt : value.find("rotation");
  if (!position && !rotation) value.error("scene.rig", "needs a position or a rotation");
  if (rotation) {
    const std::vector<double> q = numbers(*rotation, 4);
    if (!q.empty() && q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 1e-6) {
      rotation->error("scene.rig", "is no rotation");
    } else if (!q.empty()) {
      add(WorldInput::Kind::kRigRotation, q, q[3]);
    }
  }
  if (position) {
    const std::vector<double> p = numbers(*position, 3);
    if (!p.empty()) add(WorldInput::Kind::kRigPosition, p, 0);
  }
  return out;
}

class SceneReader {
 public:
  SceneReader(const fs::path& file, const LoadOptions& options, Findings& findings)
      : file_(file), options_(options), findings_(findings), faults_(file.string(), findings) {}

  std::optional<Scene> read();

 private:
  bool open();
  void read_settings(const JsonValue& root);
  void read_camera(const JsonValue& root);
  void read_character(const JsonValue& value);
  std::optional<int> read_definition(const JsonValue& value);
  void read_patrol(const JsonValue& value, const CharacterDef& def, SceneCharacter& out);
  std::optional<WayPoint> read_point(const JsonValue& value, float speed);
  void read_parameters(const JsonValue& owner, const char* key, const CharacterDef& def,
                       std::vector<WorldInput>& out);
  void read_script(const JsonValue& owner, const CharacterDef& def, SceneCharacter& out);
  void read_step(const JsonValue& value, const CharacterDef& def, SceneCharacter& out);
  bool read_action(const JsonValue& value, const CharacterDef& def, std::vector<WorldInput>& out);
  bool read_rig_action(const JsonValue& value, const CharacterDef& def,
                       std::vector<WorldInput>& out);
  std::optional<WorldInput> parameter(const JsonValue& value, const std::string& name,
                                      const CharacterDef& def);
  std::optional<StateId> state(const JsonValue& value, const CharacterDef& def);
  void check_names(const JsonValue& root);

  fs::path file_;
  LoadOptions options_;
  Findings& findings_;
  JsonFaults faults_;
  std::optional<ProjectFiles> files_;
  Json json_;
  Scene scene_;
  std::map<fs::path, int> known_;  // -1: could not be loaded, and was reported
};

bool SceneReader::open() {
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

void SceneReader::read_settings(const JsonValue& root) {
  std::string fallback = file_.filename().string();
  fallback = fallback.substr(0, fallback.find('.'));
  scene_.name = root.text("name", fallback);
  scene_.file = file_;
  scene_.file_name = files_->name_of(file_);
  scene_.seed = static_cast<std::uint64_t>(root.integer("seed", 0, 0, 1LL << 53));
  scene_.dt = static_cast<float>(1.0 / root.number("tick_rate", 60, {1, 1000}));
  scene_.duration = root.number("duration", 10, {0.01, 36000});
  scene_.pose_rate = root.number("pose_rate", 30, {0, 1000});
  scene_.max_characters =
      static_cast<int>(root.integer("max_characters", 0, 0, kMaxSceneCharacters));
  if (const auto ground = root.find("ground"); ground && ground->object({"type", "height"})) {
    ground->choice("type", {"plane"}, 0);
    scene_.ground.height = ground->number_f("height", 0, {-1e5, 1e5});
  }
}

void SceneReader::read_camera(const JsonValue& root) {
  const auto value = root.find("camera");
  if (!value || !value->object({"mode", "character", "yaw", "pitch", "distance"})) return;
  CameraDef& camera = scene_.camera;
  camera.mode = static_cast<CameraDef::Mode>(value->choice("mode", {"auto", "follow", "frame"}, 0));
  camera.yaw = value->number_f("yaw", camera.yaw * kRadToDeg, {-360, 360}) * kDegToRad;
  camera.pitch = value->number_f("pitch", camera.pitch * kRadToDeg, {-89, 89}) * kDegToRad;
  camera.distance = value->number_f("distance", 0, {0, 1e5});
  const auto who = value->find("character");
  if (!who) return;
  const auto name = who->as_text();
  if (!name) return;
  std::vector<std::string_view> names;
  for (const SceneCharacter& one : scene_.characters) names.push_back(one.name);
  const auto it = std::find(names.begin(), names.end(), *name);
  if (it == names.end()) {
    who->error("scene.character",
               "no character is called '" + *name + "'" + did_you_mean(*name, names));
  } else {
    camera.character = static_cast<int>(it - names.begin());
  }
}

std::optional<int> SceneReader::read_definition(const JsonValue& value) {
  const auto reference = value.as_text();
  if (!reference) return std::nullopt;
  Result<fs::path> path = files_->resolve(file_, *reference);
  if (!path) {
    value.error("file." + std::string(to_string(path.error().code)), path.error().message);
    return std::nullopt;
  }
  if (const auto it = known_.find(*path); it != known_.end()) {
    return it->second < 0 ? std::nullopt : std::optional(it->second);
  }
  LoadOptions options = options_;
  options.root = files_->root();
  Result<LoadedCharacter> loaded = load_character_file(*path, options, &findings_);
  if (!loaded) {
    known_[*path] = -1;
    value.error("scene.character", "this character could not be loaded: " + loaded.error().message);
    return std::nullopt;
  }
  scene_.definitions.push_back(std::move(loaded).value());
  return known_[*path] = static_cast<int>(scene_.definitions.size()) - 1;
}

std::optional<WorldInput> SceneReader::parameter(const JsonValue& value, const std::string& name,
                                                 const CharacterDef& def) {
  Result<ParamId> id = def.controller().find_param(name);
  if (!id) {
    value.error("scene.parameter", id.error().message);
    return std::nullopt;
  }
  const ParameterDef& declared =
      def.controller().tables().parameters[static_cast<std::size_t>(id->index)];
  WorldInput input;
  input.kind = WorldInput::Kind::kSet;
  input.index = id->index;
  const bool is_flag =
      declared.type == ParameterType::kBool || declared.type == ParameterType::kTrigger;
  if (is_flag) {
    if (!value.json().is_boolean()) {
      value.error("json.type", "'" + name + "' is a " + std::string(to_string(declared.type)) +
                                   ": true or false, not " + describe(value.json()));
      return std::nullopt;
    }
    input.number = value.json().get<bool>() ? 1 : 0;
    if (declared.type == ParameterType::kTrigger) {
      input.kind = input.number > 0 ? WorldInput::Kind::kTrigger : WorldInput::Kind::kResetTrigger;
      input.number = 0;
    }
    return input;
  }
  const auto number = value.as_number();
  if (!number) return std::nullopt;
  if (declared.type == ParameterType::kInt && *number != std::floor(*number)) {
    value.error("json.type",
                "'" + name + "' is an int: a whole number, not " + describe(value.json()));
    return std::nullopt;
  }
  input.number = *number;
  return input;
}

void SceneReader::read_parameters(const JsonValue& owner, const char* key, const CharacterDef& def,
                                  std::vector<WorldInput>& out) {
  for (const auto& [name, value] : owner.members(key)) {
    if (auto input = parameter(value, name, def)) out.push_back(*input);
  }
}

std::optional<StateId> SceneReader::state(const JsonValue& value, const CharacterDef& def) {
  const auto name = value.as_text();
  if (!name) return std::nullopt;
  Result<StateId> id = def.controller().find_state(*name);
  if (!id) {
    value.error("scene.state", id.error().message);
    return std::nullopt;
  }
  return *id;
}

// "rig": {channel: number}, "rig_nodes": {node: place}, "reset_rig"; false if there is none.
bool SceneReader::read_rig_action(const JsonValue& value, const CharacterDef& def,
                                  std::vector<WorldInput>& out) {
  using Kind = WorldInput::Kind;
  const bool resets = value.flag("reset_rig", false);
  const auto channels = value.find("rig"), nodes = value.find("rig_nodes");
  if (!resets && !channels && !nodes) return false;
  const RigDef* rig = def.rig();
  if (!rig) {
    value.error("scene.rig", "the character '" + def.name() + "' has no rig",
                "name one in its character file: \"rig\": \"arms.rig.json\"");
    return true;
  }
  for (const auto& [name, number] : value.members("rig")) {
    const Result<RigChannel> channel = rig->channel(name);
    if (!channel) {
      number.error("scene.rig", channel.error().message);
    } else if (rig->is_driven(*channel)) {
      number.error("scene.rig", "a parameter drives '" + name + "'", "set the parameter instead");
    } else if (const auto set = number.as_number()) {
      WorldInput input;
      input.kind = Kind::kRigValue;
      input.index = channel->index;
      input.number = *set;
      out.push_back(input);
    }
  }
  for (const auto& [name, place] : value.members("rig_nodes")) {
    const Result<RigNodeId> node = rig->node(name);
    if (!node) {
      place.error("scene.rig", node.error().message);
      continue;
    }
    if (const auto inputs = read_rig_place(place, node->index)) {
      out.insert(out.end(), inputs->begin(), inputs->end());
    }
  }
  if (resets) {
    WorldInput input;
    input.kind = Kind::kRigReset;
    out.push_back(input);
  }
  return true;
}

// The actions of one script step; false if there is none.
bool SceneReader::read_action(const JsonValue& value, const CharacterDef& def,
                              std::vector<WorldInput>& out) {
  using Kind = WorldInput::Kind;
  const auto add = [&](Kind kind, std::int32_t index, double number = 0) -> WorldInput& {
    WorldInput input;
    input.kind = kind;
    input.index = index;
    input.number = number;
    out.push_back(input);
    return out.back();
  };
  bool any = false;
  if (value.find("set")) any = true, read_parameters(value, "set", def, out);
  if (const auto name = value.find("trigger")) {
    any = true;
    if (const auto text = name->as_text()) {
      const Result<ParamId> id = def.controller().find_param(*text);
      const bool fits =
          id && def.controller().tables().parameters[static_cast<std::size_t>(id->index)].type ==
                    ParameterType::kTrigger;
      if (!id) name->error("scene.parameter", id.error().message);
      if (id && !fits)
        name->error("scene.parameter", "'" + *text + "' is no trigger", "use \"set\"");
      if (fits) add(Kind::kTrigger, id->index);
    }
  }
  if (const auto name = value.find("play")) {
    any = true;
    if (const auto id = state(*name, def)) {
      WorldInput& input = add(Kind::kPlay, id->index, value.number("from", 0, {-1e6, 1e6}));
      input.flag = value.find("from").has_value();
    }
  }
  if (const auto name = value.find("cross_fade")) {
    any = true;
    if (const auto id = state(*name, def)) {
      WorldInput& input =
          add(Kind::kCrossFade, id->index, value.number("seconds", 0.25, {0, 1000}));
      input.extra = value.number("offset", 0, {0, 1e6});
    }
  }
  if (const auto speed = value.find("speed")) {
    any = true;
    if (const auto number = speed->as_number({0, 100})) add(Kind::kSpeed, -1, *number);
  }
  if (value.find("place")) {
    any = true;
    WorldInput& input = add(Kind::kPlace, -1,
                            value.number("yaw", 0, {-3600, 3600}) * static_cast<double>(kDegToRad));
    input.vector = value.point("place", {});
    input.vector.y = scene_.ground.height;
  }
  any = read_rig_action(value, def, out) || any;
  if (value.flag("despawn", false)) {
    any = true;
    add(Kind::kDespawn, -1);
  }
  return any;
}

void SceneReader::read_step(const JsonValue& value, const CharacterDef& def, SceneCharacter& out) {
  if (!value.object({"at", "set", "trigger", "play", "from", "cross_fade", "seconds", "offset",
                     "speed", "place", "yaw", "rig", "rig_nodes", "reset_rig", "despawn"})) {
    return;
  }
  if (!value.require("at")) return;
  const double at = value.number("at", 0, {0, 1e6});
  if (at > scene_.duration) {
    faults_.warning("scene.late_step", value.place(),
                    format_text("at %g s, but the scene ends at %g s", at, scene_.duration));
  }
  std::vector<WorldInput> inputs;
  if (!read_action(value, def, inputs)) {
    value.error("scene.empty_step", "does nothing",
                "give one of set, trigger, play, cross_fade, speed, place, despawn");
  }
  constexpr std::pair<const char*, const char*> kBelongs[] = {
      {"from", "play"}, {"seconds", "cross_fade"}, {"offset", "cross_fade"}, {"yaw", "place"}};
  for (const auto& [key, action] : kBelongs) {
    if (value.find(key) && !value.find(action)) {
      value.error("scene.idle_key",
                  std::string("'") + key + "' means something only beside '" + action + "'");
    }
  }
  for (const WorldInput& input : inputs) out.script.push_back({at, input});
}

void SceneReader::read_script(const JsonValue& owner, const CharacterDef& def,
                              SceneCharacter& out) {
  for (const JsonValue& value : owner.items("script")) read_step(value, def, out);
  // Steps of one time keep their order in the file.
  std::stable_sort(out.script.begin(), out.script.end(),
                   [](const ScriptStep& a, const ScriptStep& b) { return a.at < b.at; });
}

std::optional<WayPoint> SceneReader::read_point(const JsonValue& value, float speed) {
  WayPoint point;
  point.speed = speed;
  const int before = faults_.error_count();
  if (value.json().is_array()) {
    point.position = value.as_point({});
  } else if (value.object({"at", "speed", "wait"})) {
    value.require("at");
    point.position = value.point("at", {});
    point.speed = value.number_f("speed", speed, {0.01, 100});
    point.wait = value.number_f("wait", 0, {0, 36000});
  }
  point.position.y = scene_.ground.height;
  if (faults_.error_count() != before) return std::nullopt;
  return point;
}

void SceneReader::read_patrol(const JsonValue& value, const CharacterDef& def,
                              SceneCharacter& out) {
  if (!value.object({"points", "speed", "speed_parameter", "move", "reach", "turn_half_life",
                     "speed_half_life", "loop"})) {
    return;
  }
  PatrolDef& patrol = out.patrol;
  const float speed = value.number_f("speed", 1.4f, {0.01, 100});
  patrol.move = static_cast<PatrolDef::Move>(value.choice("move", {"root_motion", "parameter"}, 0));
  patrol.reach = value.number_f("reach", patrol.reach, {0.01, 1000});
  patrol.turn_half_life = value.number_f("turn_half_life", patrol.turn_half_life, {0, 100});
  patrol.speed_half_life = value.number_f("speed_half_life", patrol.speed_half_life, {0, 100});
  patrol.loop = value.flag("loop", true);
  value.require("points");
  for (const JsonValue& item : value.items("points")) {
    if (const auto point = read_point(item, speed)) patrol.points.push_back(*point);
  }
  if (patrol.points.empty() && value.find("points")) {
    value.error("scene.patrol", "needs at least one point");
  }
  if (const auto name = value.find("speed_parameter")) {
    if (const auto text = name->as_text()) {
      Result<ParamId> id = def.controller().find_param(*text);
      if (!id) {
        name->error("scene.parameter", id.error().message);
      } else if (def.controller().tables().parameters[static_cast<std::size_t>(id->index)].type !=
                 ParameterType::kFloat) {
        name->error("scene.parameter", "'" + *text + "' must be a float parameter");
      } else {
        patrol.speed_parameter = *id;
      }
    }
  }
}

void SceneReader::read_character(const JsonValue& value) {
  if (!value.object(
          {"name", "character", "position", "yaw", "spawn_at", "parameters", "patrol", "script"})) {
    return;
  }
  SceneCharacter one;
  one.name = value.text("name", format_text("character%zu", scene_.characters.size()));
  one.position = value.point("position", {});
  one.position.y = scene_.ground.height;
  one.yaw = wrap_angle(value.number_f("yaw", 0, {-3600, 3600}) * kDegToRad);
  one.spawn_at = value.number("spawn_at", 0, {0, 36000});
  const auto reference = value.require("character");
  const auto definition = reference ? read_definition(*reference) : std::nullopt;
  if (definition) {
    one.definition = *definition;
    const CharacterDef& def = scene_.definitions[static_cast<std::size_t>(*definition)].def;
    read_parameters(value, "parameters", def, one.parameters);
    if (const auto patrol = value.find("patrol")) read_patrol(*patrol, def, one);
    read_script(value, def, one);
  }
  scene_.characters.push_back(std::move(one));
}

void SceneReader::check_names(const JsonValue& root) {
  const auto values = root.items("characters");
  for (std::size_t i = 0; i < scene_.characters.size() && i < values.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (scene_.characters[i].name != scene_.characters[j].name) continue;
      values[i].error("scene.name",
                      "the name '" + scene_.characters[i].name + "' is taken already");
      break;
    }
  }
}

std::optional<Scene> SceneReader::read() {
  if (!open()) return std::nullopt;
  const JsonValue root(json_, "", faults_);
  if (!root.header("scene", 1)) return std::nullopt;
  root.object({"sinew", "name", "seed", "tick_rate", "duration", "pose_rate", "max_characters",
               "ground", "camera", "characters"});
  read_settings(root);
  root.require("characters");
  for (const JsonValue& value : root.items("characters")) {
    if (scene_.characters.size() >= kMaxSceneCharacters) {
      value.error("scene.limit", format_text("more than %d characters", kMaxSceneCharacters));
      break;
    }
    read_character(value);
  }
  if (scene_.characters.empty() && root.find("characters")) {
    root.error("scene.empty", "has no characters");
  }
  check_names(root);
  read_camera(root);
  const int count = static_cast<int>(scene_.characters.size());
  if (scene_.max_characters != 0 && scene_.max_characters < count) {
    root.error("scene.limit",
               format_text("max_characters is %d, the scene has %d", scene_.max_characters, count));
  }
  scene_.max_characters = std::max(scene_.max_characters, count);
  if (faults_.error_count() > 0 || has_errors(findings_)) return std::nullopt;
  return std::move(scene_);
}

}  // namespace

Result<Scene> load_scene(const fs::path& file, const LoadOptions& options, Findings* findings) {
  Findings own;
  SceneReader reader(file, options, own);
  std::optional<Scene> scene = reader.read();
  if (findings) findings->insert(findings->end(), own.begin(), own.end());
  if (!scene) return first_error(own);
  return std::move(*scene);
}

}  // namespace sinew
