// Animations: keys, odd times, morph weights.
#include <gtest/gtest.h>

#include "gltf_builder.hpp"

namespace sinew {
namespace {

using sinew::testing::error_of;
using sinew::testing::GltfBuilder;
using sinew::testing::has_finding;
using sinew::testing::Json;

Result<Model> with_keys(const std::vector<float>& times, const std::vector<float>& values,
                        const std::string& interpolation = "LINEAR") {
  GltfBuilder file;
  file.node({{"name", "a"}, {"translation", {5, 5, 5}}});
  const int input = file.accessor<float>("SCALAR", times);
  file.channel(0, 0, "translation", input, file.accessor<float>("VEC3", values), interpolation);
  return file.parse();
}

const KeyTrack<Vec3>& keys_of(const Result<Model>& model) {
  return model->clips.at(0).tracks.at(0).translation;
}

TEST(GltfClip, LateFirstKeysKeepTheirTimes) {
  const Result<Model> model = with_keys({0.5f, 1}, {1, 0, 0, 2, 0, 0});
  ASSERT_TRUE(model.ok()) << error_of(model);
  EXPECT_EQ(model->clips[0].duration, 1.0f);
  EXPECT_EQ(keys_of(model).times, (std::vector<float>{0.5f, 1}));
  EXPECT_EQ(sample(keys_of(model), 0, Vec3{}), (Vec3{1, 0, 0}));
}

TEST(GltfClip, InterpolationsAreKept) {
  const std::vector<float> spline = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6};
  const Result<Model> cubic = with_keys({0, 1}, spline, "CUBICSPLINE");
  ASSERT_TRUE(cubic.ok()) << error_of(cubic);
  EXPECT_EQ(keys_of(cubic).interpolation, Interpolation::kCubicSpline);
  EXPECT_EQ(keys_of(cubic).in_tangents, (std::vector<Vec3>{{1, 1, 1}, {4, 4, 4}}));
  EXPECT_EQ(keys_of(cubic).values, (std::vector<Vec3>{{2, 2, 2}, {5, 5, 5}}));
  EXPECT_EQ(keys_of(cubic).out_tangents, (std::vector<Vec3>{{3, 3, 3}, {6, 6, 6}}));
  EXPECT_EQ(keys_of(with_keys({0, 1}, {0, 0, 0, 1, 1, 1}, "STEP")).interpolation,
            Interpolation::kStep);
  EXPECT_EQ(error_of(with_keys({0, 1}, {0, 0, 0, 1, 1, 1}, "STEPS")),
            "test.gltf: animation 0 'clip': channel 0: sampler 0: interpolation 'STEPS' does not "
            "exist; did you mean 'STEP'?");
  EXPECT_EQ(error_of(with_keys({0}, {0, 0, 0, 1, 1, 1, 2, 2, 2}, "CUBICSPLINE")),
            "test.gltf: animation 0 'clip': channel 0: sampler 0: CUBICSPLINE needs at least 2 "
            "keys, but there is 1");
}

TEST(GltfClip, KeysAtOneTimeAreAJump) {
  const Result<Model> model =
      with_keys({0, 1, 1, 1, 2}, {0, 0, 0, 1, 0, 0, 7, 7, 7, 3, 0, 0, 4, 0, 0});
  ASSERT_TRUE(model.ok()) << error_of(model);
  EXPECT_TRUE(has_finding(*model, "gltf.equal_times"));
  EXPECT_EQ(keys_of(model).times.size(), 4u);
  EXPECT_NEAR(sample(keys_of(model), 0.5f, Vec3{}).x, 0.5f, 1e-6f);
  EXPECT_EQ(sample(keys_of(model), 1, Vec3{}).x, 3.0f);
  EXPECT_NEAR(sample(keys_of(model), 1.5f, Vec3{}).x, 3.5f, 1e-6f);
  // At 0 there is no room before.
  const Result<Model> start = with_keys({0, 0}, {1, 0, 0, 2, 0, 0});
  ASSERT_TRUE(start.ok()) << error_of(start);
  EXPECT_EQ(keys_of(start).times, (std::vector<float>{0}));
  EXPECT_EQ(keys_of(start).values, (std::vector<Vec3>{{2, 0, 0}}));
}

TEST(GltfClip, TimesThatFallOrAreNegativeAreErrors) {
  EXPECT_EQ(
      error_of(with_keys({0, 2, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 0})),
      "test.gltf: animation 0 'clip': channel 0: sampler 0: input: key 2: its time, 1 s, comes "
      "before that of the key before, 2 s");
  EXPECT_EQ(error_of(with_keys({-1, 2}, {0, 0, 0, 0, 0, 0})),
            "test.gltf: animation 0 'clip': channel 0: sampler 0: input: key 0: its time, -1 s, is "
            "negative");
  EXPECT_EQ(
      error_of(with_keys({0, 2}, {0, 0, 0})),
      "test.gltf: animation 0 'clip': channel 0: sampler 0: 2 keys need 2 output elements, but "
      "there are 1");
}

TEST(GltfClip, ChannelsThatEqualTheRestPoseAreDropped) {
  const Result<Model> rest = with_keys({0, 3}, {5, 5, 5, 5, 5, 5.000001f});
  ASSERT_TRUE(rest.ok()) << error_of(rest);
  EXPECT_TRUE(rest->clips[0].tracks.empty());
  EXPECT_EQ(rest->clips[0].duration, 3.0f);
  // Constant, but elsewhere: one key is enough.
  const Result<Model> constant = with_keys({0, 1, 2}, {1, 2, 3, 1, 2, 3, 1, 2, 3}, "STEP");
  ASSERT_TRUE(constant.ok()) << error_of(constant);
  EXPECT_EQ(keys_of(constant).times, (std::vector<float>{0}));
  // A spline through the rest pose that leaves it between the keys stays.
  const Result<Model> spline =
      with_keys({0, 1}, {0, 0, 0, 5, 5, 5, 1, 0, 0, 0, 0, 0, 5, 5, 5, 0, 0, 0}, "CUBICSPLINE");
  ASSERT_TRUE(spline.ok()) << error_of(spline);
  EXPECT_EQ(spline->clips[0].tracks.size(), 1u);
}

TEST(GltfClip, RotationKeysAreNormalizedAndZeroOnesAreErrors) {
  const auto with = [](const std::vector<float>& values) {
    GltfBuilder file;
    file.node({{"name", "a"}});
    const int input = file.accessor<float>("SCALAR", {0, 1});
    file.channel(0, 0, "rotation", input, file.accessor<float>("VEC4", values));
    return file.parse();
  };
  const Result<Model> model = with({0, 0, 0, 1, 0, 2, 0, 0});
  ASSERT_TRUE(model.ok()) << error_of(model);
  EXPECT_TRUE(has_finding(*model, "gltf.unnormalized_rotation"));
  EXPECT_EQ(model->clips[0].tracks[0].rotation.values[1], (Quat{0, 1, 0, 0}));
  EXPECT_EQ(
      error_of(with({0, 0, 0, 1, 0, 0, 0, 0})),
      "test.gltf: animation 0 'clip': channel 0: sampler 0: output: key 1: the rotation has no "
      "direction");
}

TEST(GltfClip, ClipsWithoutANameGetOneAndEqualNamesAreTold) {
  GltfBuilder file;
  file.node({{"name", "a"}});
  const int input = file.accessor<float>("SCALAR", {0, 1});
  const int output = file.accessor<float>("VEC3", {0, 0, 0, 1, 1, 1});
  for (std::size_t i = 0; i < 3; ++i) file.channel(i, 0, "translation", input, output);
  file.json["animations"][1].erase("name");
  const Result<Model> model = file.parse();
  ASSERT_TRUE(model.ok()) << error_of(model);
  EXPECT_EQ(model->clips[1].name, "animation_1");
  EXPECT_EQ(model->clips[2].name, "clip");
  EXPECT_TRUE(has_finding(*model, "gltf.duplicate_name"));
}

// A mesh with two morph targets.
GltfBuilder face(bool named) {
  GltfBuilder file;
  const int positions = file.accessor<float>("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  const int smile = file.accessor<float>("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1});
  file.json["meshes"] = {{{"name", "Face"},
                          {"primitives",
                           {{{"attributes", {{"POSITION", positions}}},
                             {"targets", {{{"POSITION", smile}}, Json::object()}}}}},
                          {"weights", {0.25, 0.5}}}};
  if (named) file.json["meshes"][0]["extras"] = {{"targetNames", {"smile", "blink"}}};
  return file;
}

TEST(GltfClip, MorphWeightsAreCurvesNamedByMeshAndTarget) {
  GltfBuilder file = face(true);
  file.node({{"name", "Head"}, {"mesh", 0}});
  const int input = file.accessor<float>("SCALAR", {0, 1});
  file.channel(0, 0, "weights", input,
               file.accessor<std::uint8_t>("SCALAR", {0, 255, 51, 0}, true));
  const Result<Model> model = file.parse();
  ASSERT_TRUE(model.ok()) << error_of(model);
  const RawClip& clip = model->clips.at(0);
  ASSERT_EQ(clip.curves.size(), 2u);
  EXPECT_EQ(clip.curves[0].name, "morph/Face/smile");
  EXPECT_EQ(clip.curves[1].name, "morph/Face/blink");
  EXPECT_FLOAT_EQ(clip.curves[0].default_value, 0.25f);
  EXPECT_FLOAT_EQ(sample(clip.curves[0].keys, 1, 0), 0.2f);
  EXPECT_FLOAT_EQ(sample(clip.curves[1].keys, 0.5f, 0), 0.5f);
  const Mesh& mesh = model->meshes.at(0);
  EXPECT_EQ(mesh.name, "Face");
  EXPECT_EQ(mesh.morphs.at(0).name, "smile");
  EXPECT_EQ(mesh.morphs.at(0).positions.at(1), kAxisZ);
  EXPECT_EQ(mesh.morphs.at(1).positions, (std::vector<Vec3>(3)));
  EXPECT_EQ(mesh.morph_weights, (std::vector<float>{0.25f, 0.5f}));
}

TEST(GltfClip, AMeshShownTwiceTakesTheNamesOfItsNodes) {
  GltfBuilder file = face(false);
  file.node({{"name", "left"}, {"mesh", 0}, {"weights", {1, 0}}});
  file.node({{"name", "left"}, {"mesh", 0}});
  const int input = file.accessor<float>("SCALAR", {0, 1});
  std::vector<float> values;  // two keys of in-tangents, values and out-tangents of two targets
  for (int i = 0; i < 12; ++i) values.push_back(static_cast<float>(i));
  file.channel(0, 1, "weights", input, file.accessor<float>("SCALAR", values), "CUBICSPLINE");
  const Result<Model> model = file.parse();
  ASSERT_TRUE(model.ok()) << error_of(model);
  EXPECT_EQ(model->meshes.at(0).name, "left");
  EXPECT_EQ(model->meshes.at(1).name, "left_1");
  EXPECT_EQ(model->meshes.at(0).morph_weights, (std::vector<float>{1, 0}));
  const FloatCurve& second = model->clips.at(0).curves.at(1);
  EXPECT_EQ(second.name, "morph/left_1/1");
  EXPECT_EQ(second.keys.in_tangents, (std::vector<float>{1, 7}));
  EXPECT_EQ(second.keys.values, (std::vector<float>{3, 9}));
  EXPECT_EQ(second.keys.out_tangents, (std::vector<float>{5, 11}));
}

}  // namespace
}  // namespace sinew
