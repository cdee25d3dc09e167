#include "single_clip.hpp"

#include <algorithm>
#include <cmath>

#include <sinew/graph/builder.hpp>

namespace sinew::cli {

namespace {

Result<Scene> one_character(Model model, CharacterParts parts, double duration) {
  Scene scene;
  scene.name = model.name.substr(0, model.name.find('.'));
  scene.duration = duration;
  scene.max_characters = 1;
  parts.name = scene.name;
  parts.skeleton = model.skeleton;
  parts.roles = model.roles;
  parts.skins = model.skins;
  Result<CharacterDef> def = CharacterDef::build(std::move(parts));
  if (!def) return std::move(def).error();
  scene.definitions.push_back(
      {std::move(def).value(), std::make_shared<const Model>(std::move(model)), {}, {}});
  SceneCharacter one;
  one.name = scene.name;
  scene.characters.push_back(std::move(one));
  return scene;
}

}  // namespace

Result<Scene> rest_scene(Model model) {
  using namespace build;
  MachineSource root;
  root.add(state("Rest"));
  Result<ControllerDef> controller = ControllerBuilder("rest").layer("base", root).compile();
  if (!controller) return std::move(controller).error();
  CharacterParts parts;
  parts.controller = std::move(controller).value();
  return one_character(std::move(model), std::move(parts), 0.05);
}

Result<Scene> clip_scene(Model model, const ClipScene& wanted) {
  using namespace build;
  Result<int> index = model.find_clip(wanted.clip);
  if (!index) return std::move(index).error();
  MotionPart part;
  part.name = wanted.clip;
  part.clip = model.clips[static_cast<std::size_t>(*index)];
  part.clip.loop = true;
  part.travel = wanted.walk ? Travel::kMeasured : Travel::kAuthored;
  part.clip.annotations.root_motion.enabled = wanted.root_motion;
  const double length = std::max(0.05, static_cast<double>(part.clip.duration));
  const double loops =
      wanted.loops > 0 ? wanted.loops : std::max(1.0, std::ceil(4 / (length / wanted.speed)));

  MachineSource root;
  root.add(state(wanted.clip).plays(wanted.clip));
  Result<ControllerDef> controller = ControllerBuilder("clip").layer("base", root).compile();
  if (!controller) return std::move(controller).error();
  CharacterParts parts;
  parts.controller = std::move(controller).value();
  parts.speed = static_cast<float>(wanted.speed);
  parts.motions.push_back(std::move(part));
  return one_character(std::move(model), std::move(parts), loops * length / wanted.speed);
}

}  // namespace sinew::cli
