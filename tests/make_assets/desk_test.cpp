// The desk example: a program's own constraint, one rig file on three builds of body and two clips.
#include <filesystem>

#include <gtest/gtest.h>

#include <sinew/import/gltf_writer.hpp>
#include <sinew/pose/model_pose.hpp>
#include <sinew/rig/constraints.hpp>
#include <sinew/scene/rig_json.hpp>
#include <sinew/scene/scene_run.hpp>

#include "build.hpp"
#include "clips.hpp"
#include "depth.hpp"
#include "desk_arm.hpp"
#include "furniture.hpp"
#include "random_pose.hpp"
#include "temp_folder.hpp"

namespace sinew::make_assets {
namespace {

namespace fs = std::filesystem;

// The example's files with bodies that have no surface, which takes long to make.
class Project {
 public:
  Project() {
    folder_.write("sinew.project.json", "{}");
    const fs::path example = fs::path(SINEW_SOURCE_DIR) / "examples/03_desk";
    fs::create_directories(folder_ / "examples/03_desk");
    for (const auto& entry : fs::directory_iterator(example)) {
      if (entry.path().extension() != ".json") continue;
      fs::copy_file(entry.path(), folder_ / "examples/03_desk" / entry.path().filename());
    }
    Model person;
    person.name = "person";
    person.skeleton = make_skeleton();
    person.roles = make_roles();
    person.clips = {make_desk_type(), make_desk_reach()};
    save(person);
    save(make_build(person, tall_build()));
    save(make_build(person, stout_build()));
    save(make_desk());
    constraints.add<desk::DeskArm>();
  }
  Result<Scene> load(const fs::path& file) const {
    return load_scene(folder_ / file.string(), {.constraints = &constraints});
  }
  const testing::TempFolder& folder() const { return folder_; }

  rig::ConstraintRegistry constraints;

 private:
  void save(const Model& model) {
    const fs::path assets = folder_ / "build/release/assets";
    fs::create_directories(assets);
    const Status status = save_glb(model, assets / (model.name + ".glb"));
    if (!status) throw std::runtime_error(to_string(status.error()));
  }
  testing::TempFolder folder_;
};

Vec3 joint_of(const World& world, CharacterId id, JointRole role) {
  const auto joint = static_cast<std::size_t>(world.definition(id)->roles().joint(role));
  return translation_of(world.model_matrices(id)[joint]);
}

TEST(Desk, NoArmGoesThroughTheTableOnThreeBuildsAndTwoClips) {
  const Project project;
  const Result<Scene> scene = project.load("examples/03_desk/desk.scene.json");
  ASSERT_TRUE(scene.ok()) << to_string(scene.error());
  SceneRun before(*scene), after(*scene);
  desk::Depths without(*scene), with(*scene);
  std::vector<Vec3> last;
  float fastest = 0;
  while (!after.done()) {
    for (const CharacterId id : before.world().characters()) {
      const ParamId weight = before.world().definition(id)->param("rig");
      if (weight) before.world().set(id, weight, 0);
    }
    before.step();
    after.step();
    without.look(before);
    with.look(after);
    std::vector<Vec3> elbows;
    for (const CharacterId id : after.world().characters()) {
      if (!after.world().definition(id)->rig()) continue;
      for (const JointRole role : {JointRole::kLeftLowerArm, JointRole::kRightLowerArm}) {
        elbows.push_back(joint_of(after.world(), id, role));
      }
    }
    for (std::size_t i = 0; i < last.size(); ++i) {
      fastest = max(fastest, distance(last[i], elbows[i]));
    }
    last = elbows;
  }
  int builds = 0;
  for (std::size_t i = 0; i < scene->characters.size(); ++i) {
    const desk::Depth &a = without.of(i), &b = with.of(i);
    if (!a.has_arms) continue;
    ++builds;
    const std::string& name = scene->characters[i].name;
    EXPECT_GT(a.wrist, 0.1f) << name << ": the animation goes through the table";
    EXPECT_GT(a.elbow, 0.01f) << name;
    EXPECT_LE(b.wrist, 0.001f) << name;
    EXPECT_LE(b.elbow, 0.001f) << name;
    EXPECT_EQ(b.out_of_reach, 0) << name;
    const CharacterSummary& summary = after.summary().characters[i];
    EXPECT_EQ(summary.states.size(), 2u) << name << ": both clips";
  }
  EXPECT_EQ(builds, 3);
  EXPECT_LT(fastest, 0.04f) << "metres in a tick: no elbow jumps";
}

TEST(Desk, TheBuildsDifferAndStandOnTheGround) {
  Model person;
  person.skeleton = make_skeleton();
  person.roles = make_roles();
  const auto length_of = [](const Model& model, Bone a, Bone b) {
    const auto rest = model.skeleton.rest_model();
    return distance(translation_of(rest[static_cast<std::size_t>(index(a))]),
                    translation_of(rest[static_cast<std::size_t>(index(b))]));
  };
  for (const Build& build : {tall_build(), stout_build()}) {
    const Model other = make_build(person, build);
    EXPECT_NEAR(length_of(other, Bone::kLeftUpperArm, Bone::kLeftLowerArm),
                build.arms * length_of(person, Bone::kLeftUpperArm, Bone::kLeftLowerArm), 1e-5f);
    EXPECT_NEAR(length_of(other, Bone::kRightLowerLeg, Bone::kRightFoot),
                build.legs * length_of(person, Bone::kRightLowerLeg, Bone::kRightFoot), 1e-5f);
    const auto foot = static_cast<std::size_t>(index(Bone::kLeftFoot));
    EXPECT_NEAR(translation_of(other.skeleton.rest_model()[foot]).y,
                translation_of(person.skeleton.rest_model()[foot]).y, 1e-6f);
  }
}

TEST(Desk, TheOwnConstraintIsWrittenAndReadBack) {
  const Project project;
  Findings findings;
  const Result<RigSource> source =
      load_rig((project.folder() / "examples/03_desk/desk.rig.json").string(), findings,
               &project.constraints);
  ASSERT_TRUE(source.ok()) << to_string(source.error());
  const std::string text = write_rig_json(*source);
  const Result<RigSource> again =
      parse_rig_json(text, "again.rig.json", findings, &project.constraints);
  ASSERT_TRUE(again.ok()) << to_string(again.error());
  EXPECT_EQ(write_rig_json(*again), text);
  const auto* arm = again->layers[1].constraints[1].constraint.get<desk::DeskArm>();
  ASSERT_NE(arm, nullptr);
  EXPECT_FALSE(arm->left);
  EXPECT_EQ(arm->target.name, "right_goal");
  EXPECT_NE(rig_json_schema(project.constraints).find("desk_arm"), std::string::npos);
  // Without the program's registry it is a fault with its name.
  EXPECT_FALSE(parse_rig_json(text, "again.rig.json", findings).ok());
  EXPECT_NE(findings.back().message.find("desk_arm"), std::string::npos);
}

// The walk-through's constraint and the one that Sinew brings take the elbow to the same place.
TEST(Desk, TheOwnConstraintAgreesWithTheBuiltInOne) {
  const Skeleton skeleton = make_skeleton();
  const RoleMap roles = make_roles();
  const auto rig_with = [&](rig::ConstraintBox arm) {
    RigSource source;
    source.add_node("table", {{0, 1.15f, 0}, {}, {1, 1, 1}});
    source.add_node("goal", {{0.3f, 1.2f, 0.3f}, {}, {1, 1, 1}});
    source.add_layer("l").add("arm", std::move(arm));
    RigCompileOptions options;
    options.roles = &roles;
    Findings findings;
    return RigDef::compile(source, skeleton, options, findings).value();
  };
  const auto name = [](auto& arm) {
    arm.root = "@left_upper_arm";
    arm.mid = "@left_lower_arm";
    arm.tip = "@left_hand";
    arm.target = "goal";
  };
  desk::DeskArm own;
  name(own);
  own.table = "table";
  rig::HeightLimitedTwoBoneIk built_in;
  name(built_in);
  built_in.plane = "table";
  built_in.radius = 0.03f;
  const RigDef a = rig_with(own), b = rig_with(built_in);
  testing::Random random(5);
  RigScratch scratch(a);
  int held = 0, compared = 0;
  for (int i = 0; i < 400; ++i) {
    const Vec3 goal{random.real(0.05f, 0.5f), random.real(0.9f, 1.35f), random.real(0.05f, 0.5f)};
    Vec3 elbows[2];
    RigStatus status[2];
    for (const RigDef* def : {&a, &b}) {
      RigState state(*def);
      Pose pose(skeleton);
      def->set_node(state, *def->node("goal"), {goal, {}, {1, 1, 1}});
      evaluate_rig(*def, state, pose, {}, 1, scratch);
      const std::size_t k = def == &a ? 0 : 1;
      elbows[k] = model_transform(skeleton, pose, index(Bone::kLeftLowerArm)).translation;
      status[k] = def->status(state, 0);
    }
    if (status[0] != RigStatus::kSatisfied || status[1] != RigStatus::kSatisfied) continue;
    ++compared;
    if (elbows[0].y < 1.1801f) ++held;
    EXPECT_LT(distance(elbows[0], elbows[1]), 2e-3f) << goal.x << " " << goal.y << " " << goal.z;
  }
  EXPECT_GT(compared, 200);
  EXPECT_GT(held, 100);
}

// Real motion capture, whose arms hang at the sides, at a table as high as its elbows.
TEST(DataDesk, NoArmGoesThroughTheTableInMotionCapture) {
  const fs::path data = SINEW_DATA_DIR;
  if (data.empty()) GTEST_SKIP() << "SKIPPED: SINEW_DATA is not set";
  const Project project;
  const struct {
    const char* file;
    const char* also;
    const char* clip;
  } motions[] = {{"asf_amc/cmu/02_01.amc", "asf_amc/cmu/02.asf", "02_01"},
                 {"bvh/cmu_cgspeed/01_01.bvh", nullptr, "01_01"}};
  for (const auto& motion : motions) {
    const fs::path folder = project.folder() / "examples/03_desk";
    for (const char* file : {motion.file, motion.also}) {
      if (!file) continue;
      fs::copy_file(data / file, folder / fs::path(file).filename());
    }
    const std::string name = fs::path(motion.file).filename().string();
    project.folder().write("examples/03_desk/mocap.character.json",
                           R"({"sinew": "character/1", "model": ")" + name +
                               R"(", "controller": "sitter.controller.json", "rig": "desk.rig.json",
                               "motions": {"desk_type": ")" +
                               motion.clip + R"(", "desk_reach": ")" + motion.clip + R"("}})");
    const auto loaded =
        load_character_file(folder / "mocap.character.json", {.constraints = &project.constraints});
    ASSERT_TRUE(loaded.ok()) << to_string(loaded.error());
    const CharacterDef& def = loaded->def;
    // As high as the elbows are when the motion begins.
    World start;
    const CharacterId first = start.spawn(def);
    start.set(first, def.param("rig"), 0);
    start.update({});
    const float top = joint_of(start, first, JointRole::kLeftLowerArm).y;
    float wrist[2] = {}, elbow[2] = {};
    int reachable = 0, ticks = 0;
    for (const bool on : {false, true}) {
      World world;
      const CharacterId id = world.spawn(def);
      world.set(id, def.param("rig"), on ? 1 : 0);
      // Feet stay as captured here.
      world.set_rig(id, *def.rig()->channel("feet.weight"), 0);
      world.set_rig_position(id, *def.rig()->node("table"), {0, top, 0});
      for (Tick tick : fixed_steps(1 / 60.f, 480)) {
        world.update(tick);
        for (const bool left : {true, false}) {
          const int arm = *def.rig()->find_constraint(left ? "left_arm" : "right_arm");
          ticks += on ? 1 : 0;
          if (on && world.rig_status(id, arm) != RigStatus::kSatisfied) continue;
          reachable += on ? 1 : 0;
          const float w =
              top - joint_of(world, id, left ? JointRole::kLeftHand : JointRole::kRightHand).y;
          const float e =
              top -
              joint_of(world, id, left ? JointRole::kLeftLowerArm : JointRole::kRightLowerArm).y;
          wrist[on] = max(wrist[on], w);
          elbow[on] = max(elbow[on], e);
        }
      }
    }
    EXPECT_GT(wrist[0], 0.1f) << name << ": the motion goes through the table";
    EXPECT_LE(wrist[1], 0.001f) << name;
    EXPECT_LE(elbow[1], 0.001f) << name;
    // The rest are moments at which the shoulder itself is too low.
    EXPECT_GT(reachable, ticks * 3 / 4) << name;
  }
}

}  // namespace
}  // namespace sinew::make_assets
