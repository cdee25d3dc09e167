// The walker of walker.hpp as a project of files, and as scenes in memory.
#pragma once

#include <sinew/import/gltf_writer.hpp>
#include <sinew/scene/controller_json.hpp>
#include <sinew/scene/scene_def.hpp>

#include "temp_folder.hpp"
#include "walker.hpp"

namespace sinew::testing {

inline constexpr const char* kWalkerCharacter = R"json({
  "sinew": "character/1",
  "name": "walker",
  "model": "models/walker.glb",
  "controller": "walker.controller.json"
})json";

inline constexpr const char* kWalkerScene = R"json({
  "sinew": "scene/1",
  "name": "course",
  "seed": 4,
  "duration": 6,
  "characters": [
    {
      "name": "guard",
      "character": "walker.character.json",
      "position": [0, 0],
      "yaw": 90,
      "patrol": {"points": [[0, 3], {"at": [3, 3], "speed": 2.5}, {"at": [3, 0], "wait": 0.5}],
                 "speed": 1.2, "speed_parameter": "speed"},
      "script": [{"at": 2, "trigger": "jump"}]
    },
    {
      "name": "idler",
      "character": "walker.character.json",
      "position": [5, 0, 5],
      "spawn_at": 1,
      "parameters": {"speed": 0},
      "script": [{"at": 3, "set": {"speed": 3}}, {"at": 4, "play": "Idle"}, {"at": 5, "despawn": true}]
    }
  ]
})json";

// walker.glb, controller, character and scene in a fresh folder.
inline void write_walker_project(const TempFolder& folder) {
  folder.write("sinew.project.json", "{}");
  std::filesystem::create_directories(folder / "models");
  const Status saved = save_glb(walker_model(), folder / "models/walker.glb");
  if (!saved) throw std::runtime_error(to_string(saved.error()));
  folder.write("walker.controller.json", write_controller(walker_controller_source()));
  folder.write("walker.character.json", kWalkerCharacter);
  folder.write("course.scene.json", kWalkerScene);
}

// Several walkers with patrols and scripts, no files.
inline Scene walker_scene(double seconds) {
  Scene scene;
  scene.name = "procedural";
  scene.file_name = "procedural.scene.json";
  scene.seed = 11;
  scene.duration = seconds;
  LoadedCharacter loaded;
  loaded.def = walker();
  loaded.model = std::make_shared<const Model>(walker_model());
  loaded.file_name = "walker.character.json";
  scene.definitions.push_back(std::move(loaded));
  const CharacterDef& def = scene.definitions[0].def;
  for (int i = 0; i < 5; ++i) {
    const float f = static_cast<float>(i);
    SceneCharacter one;
    one.name = "walker" + std::to_string(i);
    one.position = {2 * f, 0, -f};
    one.yaw = 0.7f * f - 1;
    one.spawn_at = 0.5 * i;
    if (i != 3) {
      one.patrol.speed_parameter = def.param("speed");
      one.patrol.move = i == 4 ? PatrolDef::Move::kParameter : PatrolDef::Move::kRootMotion;
      for (int p = 0; p < 4; ++p) {
        WayPoint point;
        point.position = {2 * f + (p == 1 || p == 2 ? 4.0f : 0.0f), 0, p >= 2 ? 4.0f + f : -f};
        point.speed = 0.8f + 0.7f * static_cast<float>((i + p) % 4);
        point.wait = p == 3 ? 0.8f : 0;
        one.patrol.points.push_back(point);
      }
    }
    for (int k = 0; k < 12; ++k) {
      ScriptStep step;
      step.at = 1.3 + 4.7 * k + 0.37 * i;
      step.input.kind = k % 3 == 2 ? WorldInput::Kind::kCrossFade : WorldInput::Kind::kTrigger;
      step.input.index = k % 3 == 2 ? def.state("Move").index : def.param("jump").index;
      step.input.number = k % 3 == 2 ? 0.3 : 0;
      one.script.push_back(step);
    }
    scene.characters.push_back(std::move(one));
  }
  scene.max_characters = static_cast<int>(scene.characters.size());
  return scene;
}

}  // namespace sinew::testing
