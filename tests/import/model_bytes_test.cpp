// Models on their way between processes.
#include "../../src/import/model_bytes.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <sinew/import/gltf.hpp>

#include "mocap_testing.hpp"

namespace sinew {
namespace {

// Something of everything.
Model full_model() {
  Model model;
  model.name = "hero.fbx";
  model.unit = {LengthSource::From::kFile, 0.01};
  std::vector<JointDef> joints = {
      {"hips", kNoJoint, {{0, 1, 0}, normalize(Quat{0.1f, 0.2f, 0.3f, 0.9f}), {1, 1, 1}}},
      {"spine", 0, {{0, 0.2f, 0}, normalize(Quat{0.7f, 0, 0, 0.7f}), {1, 1, 1}}}};
  model.skeleton = Skeleton::build(joints).value();
  model.roles.plan = BodyPlan::kBiped;
  model.roles.set(JointRole::kHips, 0);
  model.roles.set(JointRole::kSpine, 1);
  RawClip clip{"Walk", 2, true, {}, {}, {}};
  JointTrack track{1, {}, {}, {}};
  track.translation = {Interpolation::kStep, {0, 1}, {{0, 0, 0}, {0, 1, 0}}, {}, {}};
  track.rotation = {Interpolation::kCubicSpline, {0, 2}, {{}, {}}, {{}, {}}, {{}, {}}};
  clip.tracks.push_back(track);
  clip.curves.push_back({"blink", {Interpolation::kLinear, {0}, {1}, {}, {}}, 0.5f});
  clip.annotations.events.push_back({0.5f, "footstep", 1.5f, 3, "left"});
  clip.annotations.contacts.push_back({JointRole::kLeftFoot, "", 1.5f, 0.5f});
  clip.annotations.sync_markers.push_back({1, "left"});
  clip.annotations.root_motion.enabled = true;
  clip.annotations.root_motion.xz_basis = RootMotionSettings::Basis::kFeet;
  clip.annotations.loop_pose = true;
  model.clips.push_back(clip);
  model.skins.push_back({"body", {0, 1}, {Mat3x4{}, Mat3x4{}}});
  Mesh mesh;
  mesh.name = "Body";
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  mesh.uvs = {{0, 0}, {1, 0}, {0, 1}};
  mesh.colors = {{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}};
  mesh.joints = {{0, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}};
  mesh.weights = {{1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}};
  mesh.indices = {0, 1, 2};
  mesh.morphs.push_back({"smile", {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}}, {}});
  mesh.morph_weights = {0.25f};
  mesh.material = 0;
  mesh.skin = 0;
  model.meshes.push_back(mesh);
  Material material;
  material.name = "Red";
  material.base_color_image = 0;
  material.double_sided = true;
  material.alpha = Material::Alpha::kBlend;
  model.materials.push_back(material);
  model.images.push_back({"red.png", 1, 2, {255, 0, 0, 255, 0, 255, 0, 255}});
  model.sockets.push_back({"grip", 1, {}});
  model.findings.push_back({Severity::kInfo, "a.code", "message", "place", "hint", "file"});
  return model;
}

TEST(ModelBytes, SurviveTheWay) {
  const Model model = full_model();
  const std::string bytes = encode_model(model);
  const Result<Model> back = decode_model(bytes);
  ASSERT_TRUE(back.ok()) << to_string(back.error());
  EXPECT_EQ(encode_model(*back), bytes);
  EXPECT_EQ(back->skeleton.hash(), model.skeleton.hash());
  EXPECT_EQ(back->roles.joint(JointRole::kSpine), 1);
  EXPECT_EQ(back->roles.count(), 2);
  EXPECT_EQ(back->roles.plan, BodyPlan::kBiped);
  EXPECT_EQ(back->unit.from, LengthSource::From::kFile);
  EXPECT_EQ(back->clips.at(0).annotations.events.at(0).text, "left");
  EXPECT_EQ(back->clips.at(0).annotations.root_motion.xz_basis, RootMotionSettings::Basis::kFeet);
  EXPECT_EQ(back->clips.at(0).tracks.at(0).rotation.out_tangents.size(), 2u);
  EXPECT_EQ(back->meshes.at(0).morphs.at(0).name, "smile");
  EXPECT_EQ(back->materials.at(0).alpha, Material::Alpha::kBlend);
  EXPECT_EQ(back->images.at(0).rgba.size(), 8u);
  EXPECT_EQ(back->findings.at(0).hint, "hint");
}

TEST(ModelBytes, ErrorsSurviveTheWay) {
  const Result<Model> error =
      decode_model(encode_model_error({ErrorCode::kLimit, "too many nodes", "a.fbx: byte 12"}));
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.error().code, ErrorCode::kLimit);
  EXPECT_EQ(to_string(error.error()), "a.fbx: byte 12: too many nodes");
  EXPECT_EQ(decode_model("").error().code, ErrorCode::kInternal);
  EXPECT_EQ(decode_model("something else").error().code, ErrorCode::kInternal);
}

TEST(ModelBytes, EveryDamageIsFoundOrHarmless) {
  const std::string good = encode_model(full_model());
  for (std::size_t i = 0; i < good.size(); ++i)
    ASSERT_FALSE(decode_model(std::string_view(good).substr(0, i)).ok()) << i;
  int refused = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char v : {'\0', '\x01', '\x7f', '\xff'}) {
      std::string damaged = good;
      damaged[i] = v;
      const Result<Model> model = decode_model(damaged);
      if (!model.ok()) {
        ++refused;
        continue;
      }
      for (const RawClip& clip : model->clips)
        EXPECT_TRUE(validate(clip, model->skeleton).ok()) << i;
      for (const std::uint32_t index : model->meshes.at(0).indices) EXPECT_LT(index, 3u) << i;
    }
  }
  EXPECT_GT(refused, 500);
}

TEST(ModelBytes, IndicesAndNumbersAreChecked) {
  const auto refused = [](auto change) {
    Model model = full_model();
    change(model);
    return !decode_model(encode_model(model)).ok();
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(refused([](Model&) {}));
  EXPECT_TRUE(refused([](Model& m) { m.roles.set(JointRole::kHead, 2); }));
  EXPECT_TRUE(refused([](Model& m) { m.unit.metres_per_unit = 0; }));
  EXPECT_TRUE(refused([&](Model& m) { m.clips[0].duration = nan; }));
  EXPECT_TRUE(refused([](Model& m) { m.clips[0].tracks[0].joint = 2; }));
  EXPECT_TRUE(refused([](Model& m) { m.clips[0].annotations.root_motion.joint = 7; }));
  EXPECT_TRUE(refused([&](Model& m) { m.clips[0].annotations.events[0].time = nan; }));
  EXPECT_TRUE(refused([](Model& m) { m.skins[0].joints[0] = -1; }));
  EXPECT_TRUE(refused([](Model& m) { m.skins[0].inverse_bind.pop_back(); }));
  EXPECT_TRUE(refused([](Model& m) { m.meshes[0].indices[0] = 3; }));
  EXPECT_TRUE(refused([](Model& m) { m.meshes[0].indices.pop_back(); }));
  EXPECT_TRUE(refused([](Model& m) { m.meshes[0].joints[2][3] = 2; }));
  EXPECT_TRUE(refused([](Model& m) { m.meshes[0].weights.pop_back(); }));
  EXPECT_TRUE(refused([&](Model& m) { m.meshes[0].positions[1].y = nan; }));
  EXPECT_TRUE(refused([](Model& m) { m.meshes[0].morphs[0].positions.pop_back(); }));
  EXPECT_TRUE(refused([](Model& m) { m.meshes[0].material = 1; }));
  EXPECT_TRUE(refused([](Model& m) { m.meshes[0].skin = -2; }));
  EXPECT_TRUE(refused([](Model& m) { m.materials[0].base_color_image = 1; }));
  EXPECT_TRUE(refused([](Model& m) { m.images[0].height = 3; }));
  EXPECT_TRUE(refused([](Model& m) { m.sockets[0].joint = kNoJoint; }));
}

// Real characters keep all that they hold.
TEST(DataModelBytes, RealCharactersSurviveTheWay) {
  SINEW_SKIP_WITHOUT_DATA();
  for (const char* file : {"gltf_humanoid/kaykit_adventurers/Barbarian.glb",
                           "gltf_khronos/CesiumMan.glb", "gltf_animals/quaternius/Wolf.glb"}) {
    SCOPED_TRACE(file);
    const Result<Model> model = gltf::load(testing::data_path(file));
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    const std::string bytes = encode_model(*model);
    const Result<Model> back = decode_model(bytes);
    ASSERT_TRUE(back.ok()) << to_string(back.error());
    EXPECT_EQ(back->skeleton.hash(), model->skeleton.hash());
    EXPECT_TRUE(encode_model(*back) == bytes);
  }
}

}  // namespace
}  // namespace sinew
