// A real character whose clips walk on the spot.
#include <gtest/gtest.h>

#include <sinew/pose/model_pose.hpp>
#include <sinew/scene/scene_run.hpp>

#include "temp_folder.hpp"

namespace sinew {
namespace {

constexpr const char* kController = R"json({
  "sinew": "controller/1",
  "parameters": [{"name": "speed", "type": "float"}],
  "layers": [{"name": "base", "states": [{"name": "Locomotion", "motion": {"blend": "1d", "x": "speed", "children": [
    {"motion": "Idle", "threshold": 0}, {"motion": "Walking_A", "threshold": 0.8}, {"motion": "Running_A", "threshold": 3.9}]}}]}]
})json";

constexpr const char* kCharacter = R"json({
  "sinew": "character/1", "model": "Barbarian.glb", "controller": "b.controller.json",
  "motions": {"Idle": {"loop": true}, "Walking_A": {"loop": true, "travel": "feet"},
              "Running_A": {"loop": true, "travel": "feet"}}
})json";

constexpr const char* kScene = R"json({
  "sinew": "scene/1", "duration": 25,
  "characters": [{"name": "guard", "character": "b.character.json",
    "patrol": {"points": [[0, 5], {"at": [6, 5], "speed": 3.9}, {"at": [6, -1], "wait": 2}, [0, -1]],
               "speed": 0.8, "speed_parameter": "speed"}}]
})json";

// Ways over the ground of the lowest sole point and of the body, while that point is on the ground.
struct Slide {
  double foot = 0, body = 0;
};

Slide measure_slide(SceneRun& run) {
  Slide slide;
  std::vector<Vec3> last;
  Vec3 last_body;
  while (!run.done()) {
    run.step();
    const World& world = run.world();
    const CharacterId id = run.id(0);
    const CharacterDef& def = *world.definition(id);
    const Mat3x4 root = to_matrix(world.world_transform(id));
    std::vector<Vec3> now;
    for (JointRole role : {JointRole::kLeftFoot, JointRole::kRightFoot, JointRole::kLeftToes,
                           JointRole::kRightToes}) {
      const int joint = def.roles().joint(role);
      if (joint >= 0)
        now.push_back(transform_point(
            root, translation_of(world.model_matrices(id)[static_cast<std::size_t>(joint)])));
    }
    if (!last.empty()) {
      std::size_t lowest = 0;
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i].y + last[i].y < now[lowest].y + last[lowest].y) lowest = i;
      }
      const Vec3 step = now[lowest] - last[lowest];
      if (max(now[lowest].y, last[lowest].y) < 0.04f) {
        slide.foot += static_cast<double>(length(Vec3{step.x, 0, step.z}));
        slide.body += static_cast<double>(distance(world.position(id), last_body));
      }
    }
    last = now;
    last_body = world.position(id);
  }
  return slide;
}

TEST(DataPatrol, FeetOfInPlaceClipsRoughlyMatchTheGround) {
  if (std::string(SINEW_DATA_DIR).empty()) GTEST_SKIP() << "SKIPPED: SINEW_DATA is not set";
  testing::TempFolder folder;
  std::filesystem::copy_file(
      std::filesystem::path(SINEW_DATA_DIR) / "gltf_humanoid/kaykit_adventurers/Barbarian.glb",
      folder / "Barbarian.glb");
  folder.write("b.controller.json", kController);
  folder.write("b.character.json", kCharacter);
  const Result<Scene> scene = load_scene(folder.write("patrol.scene.json", kScene));
  ASSERT_TRUE(scene.ok()) << to_string(scene.error());
  const CharacterDef& def = scene->definitions[0].def;
  double walk = 0, run_speed = 0;
  for (std::size_t i = 0; i < def.clips().size(); ++i) {
    const double speed = static_cast<double>(length(def.travel_velocity(static_cast<int>(i))));
    if (def.clips()[i].name() == "Walking_A") walk = speed;
    if (def.clips()[i].name() == "Running_A") run_speed = speed;
  }
  EXPECT_GT(walk, 0.5);
  EXPECT_GT(run_speed, 1.5 * walk);

  SceneRun run(*scene);
  const Slide slide = measure_slide(run);
  const SceneSummary summary = run.summary();
  EXPECT_GE(summary.characters[0].way_points, 4);
  EXPECT_GT(slide.body, 8);
  EXPECT_GT(summary.characters[0].distance, 15);
  // Not less: the walk's planted foot moves at 0.6 to 1.5 m/s against the body, which goes
  // steadily.
  EXPECT_LT(slide.foot, 0.45 * slide.body)
      << "the standing foot moves little while the body passes over it";
}

}  // namespace
}  // namespace sinew
