// What a scene file says, checked against the characters it names: who stands where, what each does
// and when. Angles are radians here and degrees in files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <sinew/base/finding.hpp>
#include <sinew/character/world.hpp>
#include <sinew/scene/character_json.hpp>

namespace sinew {

// A place to walk to.
struct WayPoint {
  Vec3 position;    // world, metres; its height is the ground's
  float speed = 0;  // metres per second on the way to it
  float wait = 0;   // seconds to stand when it is reached
};

// Walks from point to point: turns about +Y toward the next one by exact smoothing, drives a speed
// parameter, and moves by what the clips travel or by that parameter alone.
struct PatrolDef {
  enum class Move : std::uint8_t {
    kRootMotion,  // by the clips: authored or measured travel (the feet stay where they are)
    kParameter,   // at exactly the speed that the parameter says, whatever the clips do
  };
  std::vector<WayPoint> points;
  Move move = Move::kRootMotion;
  ParamId speed_parameter;       // null: none is driven
  float reach = 0.5f;            // metres: nearer than this counts as reached
  float turn_half_life = 0.15f;  // seconds
  float speed_half_life = 0.2f;  // seconds, of the parameter's change
  bool loop = true;              // after the last point to the first, else it stands there

  bool active() const { return !points.empty(); }
};

// Something that happens at a time of the scene: an input of the world.
struct ScriptStep {
  double at = 0;     // seconds; it takes part in the first tick that begins at or after it
  WorldInput input;  // its character is filled in when it runs
};

struct SceneCharacter {
  std::string name;
  int definition = 0;                  // into Scene::definitions
  Vec3 position;                       // world, metres, on the ground
  float yaw = 0;                       // radians
  double spawn_at = 0;                 // seconds
  std::vector<WorldInput> parameters;  // set at its spawn
  PatrolDef patrol;
  std::vector<ScriptStep> script;  // by time
};

// The plane y = height. Terrain and surfaces come in beside it.
struct GroundDef {
  float height = 0;
};

// How pictures of the scene are taken, where the command line does not say.
struct CameraDef {
  enum class Mode : std::uint8_t {
    kAuto,    // follow a single character, frame several
    kFollow,  // keep `character` in the middle
    kFrame,   // one fixed view of everything that happens
  };
  Mode mode = Mode::kAuto;
  int character = 0;
  float yaw = 0.6f;     // radians, 0 looks at the face of someone who faces +Z
  float pitch = 0.25f;  // radians, from above
  float distance = 0;   // metres; 0: chosen so that a character fills much of the picture
};

struct Scene {
  std::string name;
  std::filesystem::path file;
  std::string file_name;  // relative to the project's root
  std::uint64_t seed = 0;
  float dt = 1 / 60.f;   // seconds
  double duration = 10;  // seconds
  int max_characters = 0;
  double pose_rate = 30;  // pose frames a second in recordings
  GroundDef ground;
  CameraDef camera;
  std::vector<LoadedCharacter> definitions;
  std::vector<SceneCharacter> characters;

  std::uint64_t tick_count() const;
};

// Reads a scene and everything it names. All faults go to `findings` if given (warnings too); the
// error is the first of them, with file, place in the file, and the nearest right name.
Result<Scene> load_scene(const std::filesystem::path& file, const LoadOptions& options = {},
                         Findings* findings = nullptr);

}  // namespace sinew
