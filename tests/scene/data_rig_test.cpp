// One rig file on real characters of different build: arms that must not go through a desk.
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include <sinew/import/gltf.hpp>
#include <sinew/pose/model_pose.hpp>
#include <sinew/pose/sample.hpp>
#include <sinew/rig/rig_def.hpp>
#include <sinew/scene/rig_json.hpp>

namespace sinew {
namespace {

constexpr const char* kDeskRig = R"({"sinew": "rig/1", "name": "desk",
  "nodes": [{"name": "left_goal"}, {"name": "right_goal"}],
  "layers": [{"name": "arms", "constraints": [
    {"type": "multi_parent", "name": "left_follow", "driven": "left_goal", "sources": ["@left_hand"]},
    {"type": "multi_parent", "name": "right_follow", "driven": "right_goal", "sources": ["@right_hand"]},
    {"type": "height_limited_two_bone_ik", "name": "left", "side": "left", "root": "@left_upper_arm",
     "mid": "@left_lower_arm", "tip": "@left_hand", "target": "left_goal", "radius": 0.02},
    {"type": "height_limited_two_bone_ik", "name": "right", "side": "right",
     "root": "@right_upper_arm", "mid": "@right_lower_arm", "tip": "@right_hand",
     "target": "right_goal", "radius": 0.02}]}],
  "parameters": [{"parameter": "desk", "channel": "left.limit"},
                 {"parameter": "desk", "channel": "right.limit"}]})";

struct Arm {
  int root, mid, tip;
  int constraint;
};

struct Tally {
  int ticks = 0, held = 0;
};

// Runs one clip with a desk at elbow height and checks every tick.
void run_clip(const Model& model, const RigDef& def, const Clip& clip, const Arm (&arms)[2],
              float desk, Tally& tally) {
  Pose pose(model.skeleton);
  RigState state(def);
  RigScratch scratch(def);
  ASSERT_TRUE(def.set_parameter(state, 0, desk));
  for (float t = 0; t <= clip.duration(); t += 1.0f / 30) {
    sample_clip(clip, model.skeleton, t, pose);
    float lengths[2][2];
    Vec3 hands[2];
    for (int i = 0; i < 2; ++i) {
      const Vec3 a = model_transform(model.skeleton, pose, arms[i].root).translation;
      const Vec3 b = model_transform(model.skeleton, pose, arms[i].mid).translation;
      hands[i] = model_transform(model.skeleton, pose, arms[i].tip).translation;
      lengths[i][0] = distance(a, b);
      lengths[i][1] = distance(b, hands[i]);
    }
    evaluate_rig(def, state, pose, {}, 1.0f / 30, scratch);
    for (int i = 0; i < 2; ++i) {
      const Vec3 a = model_transform(model.skeleton, pose, arms[i].root).translation;
      const Vec3 b = model_transform(model.skeleton, pose, arms[i].mid).translation;
      const Vec3 c = model_transform(model.skeleton, pose, arms[i].tip).translation;
      const float arm = lengths[i][0] + lengths[i][1];
      ASSERT_TRUE(is_finite(b) && is_finite(c));
      EXPECT_NEAR(distance(a, b), lengths[i][0], 1e-4f * arm);
      EXPECT_NEAR(distance(b, c), lengths[i][1], 1e-4f * arm);
      const RigStatus status = def.status(state, arms[i].constraint);
      ++tally.ticks;
      if (status != RigStatus::kSatisfied) continue;
      EXPECT_GE(b.y, desk + 0.02f - 1e-4f * arm) << clip.name() << " at " << t;
      EXPECT_GE(c.y, desk - 1e-4f * arm) << clip.name() << " at " << t;
      // A hand that was above the desk and in reach is where it was.
      if (hands[i].y > desk + 0.02f) {
        EXPECT_LT(distance(c, hands[i]), 2e-3f * arm);
      }
      if (b.y < desk + 0.0201f) ++tally.held;
    }
  }
}

TEST(DataRig, OneDeskRigForManyCharacters) {
  const std::filesystem::path data = SINEW_DATA_DIR;
  if (data.empty()) GTEST_SKIP() << "SKIPPED: SINEW_DATA is not set";
  Findings findings;
  const Result<RigSource> source = parse_rig_json(kDeskRig, "desk.rig.json", findings);
  ASSERT_TRUE(source.ok()) << to_string(source.error());
  int characters = 0;
  for (const char* file : {"kaykit_adventurers/Barbarian.glb", "mesh2motion/model-human.glb",
                           "quaternius/Character.glb", "quaternius/KnightCharacter.glb",
                           "gdquest/mannequiny-0.3.0.glb"}) {
    gltf::Options options;
    options.meshes = false;
    const Result<Model> model = gltf::load((data / "gltf_humanoid" / file).string(), options);
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    const RoleMap roles = find_roles(model->skeleton);
    RigCompileOptions compile;
    compile.roles = &roles;
    Findings faults;
    const Result<RigDef> def = RigDef::compile(*source, model->skeleton, compile, faults);
    if (!def) continue;  // no arms found on this one
    ++characters;
    const Arm arms[2] = {
        {roles.joint(JointRole::kLeftUpperArm), roles.joint(JointRole::kLeftLowerArm),
         roles.joint(JointRole::kLeftHand), *def->find_constraint("left")},
        {roles.joint(JointRole::kRightUpperArm), roles.joint(JointRole::kRightLowerArm),
         roles.joint(JointRole::kRightHand), *def->find_constraint("right")}};
    const float shoulder =
        translation_of(model->skeleton.rest_model()[static_cast<std::size_t>(arms[0].root)]).y;
    Tally tally;
    for (const RawClip& raw : model->clips) {
      const Result<Clip> clip = Clip::build(raw, model->skeleton);
      ASSERT_TRUE(clip.ok());
      run_clip(*model, *def, *clip, arms, 0.8f * shoulder, tally);
    }
    if (!model->clips.empty()) {
      EXPECT_GT(tally.held, tally.ticks / 100) << file;
    }
  }
  EXPECT_GE(characters, 3);
}

}  // namespace
}  // namespace sinew
