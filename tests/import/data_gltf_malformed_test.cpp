// Every file of SINEW_DATA/malformed has one outcome: an error with file, place and reason, or a
// model, perhaps with a warning. The outcomes follow the validator's reports and the index beside
// the files; where a file that the validator refuses can be read in one sane way only, the table
// says so with the finding that is expected.
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <sinew/import/gltf.hpp>

#include "gltf_builder.hpp"

namespace sinew {
namespace {

const std::string kFolder = std::string(SINEW_DATA_DIR) + "/malformed/";

struct Outcome {
  const char* file;
  const char* place;    // of the error; null: the file loads
  const char* message;  // a part of the error's message, or the code of the finding ("": none)
};

const Outcome kOutcomes[] = {
    {"assimp_gltf2/RecursiveNodes.gltf", "node 0", "cycle"},

    {"constructed/m01_scalar_output_on_translation.gltf",
     "animation 0 'clip': channel 0: sampler 0: output: accessor 6", "VEC3 of FLOAT is needed"},
    {"constructed/m03_joint_index_out_of_range.gltf", "mesh 0 'mesh': primitive 0: JOINTS_0",
     "joint 7, but the skin has 2"},
    {"constructed/m04_joints_ushort.gltf", nullptr, ""},
    {"constructed/m06_quat_sign_flip_full_turn.gltf", nullptr, ""},
    {"constructed/m07_single_key_linear.gltf", nullptr, ""},
    {"constructed/m09_cubicspline_large_tangent.gltf", nullptr, ""},
    {"constructed/m10_two_armatures_same_bone_names.gltf", nullptr, "gltf.duplicate_name"},
    {"constructed/m12_no_inverse_bind_matrices.gltf", nullptr, ""},
    {"constructed/m13_joint_scale_minus_one.gltf", nullptr, ""},
    {"constructed/m15_rest_ne_bind_ne_first_frame.gltf", nullptr, ""},
    // A skeleton may have several roots.
    {"constructed/m17_joint_forest_no_common_root.gltf", nullptr, "gltf.no_common_root"},
    {"constructed/m19_duplicate_channel_target.gltf", "animation 0 'clip': channel 1",
     "a second channel for 'rotation' of node 2"},
    {"constructed/m20_channel_without_node.gltf", nullptr, "gltf.channel_without_node"},
    {"constructed/m22_glb_truncated.glb", "GLB header", "declared length is 1980"},
    // The matrix is decomposed.
    {"constructed/m24_animated_matrix_node.gltf", nullptr, "gltf.animated_matrix"},
    {"constructed/m26_normalized_short_rotation.gltf", nullptr, ""},

    {"khronos_validator/animation/channel_duplicate_targets.gltf", "animation 0: channel 1",
     "a second channel for 'scale' of node 0"},
    {"khronos_validator/animation/channel_node_matrix.gltf", nullptr, "gltf.animated_matrix"},
    // Nothing that the channel could move: it is skipped.
    {"khronos_validator/animation/channel_node_no_morphs.gltf", nullptr,
     "gltf.weights_without_targets"},
    {"khronos_validator/animation/custom_property.gltf", nullptr, ""},
    {"khronos_validator/animation/empty_array.gltf", nullptr, "gltf.empty_list"},
    {"khronos_validator/animation/empty_objects.gltf", "animation 0", "'channels' is missing"},
    // Beside the byte stride, which can be read, its buffer has no data at all.
    {"khronos_validator/animation/sampler_bufferview_bytestride.gltf",
     "animation 0: channel 0: sampler 0: output: accessor 1: bufferView 1: buffer 0",
     "it has no data"},
    {"khronos_validator/animation/sampler_input_format_invalid.gltf",
     "animation 0: channel 0: sampler 0: input: accessor 0", "SCALAR of UNSIGNED_INT"},
    {"khronos_validator/animation/sampler_input_no_bounds.gltf", nullptr, "gltf.missing_bounds"},
    {"khronos_validator/animation/sampler_output_count_invalid.gltf",
     "animation 0: channel 0: sampler 0", "1 keys need 1 output elements, but there are 2"},
    {"khronos_validator/animation/sampler_output_format_invalid.gltf",
     "animation 0: channel 0: sampler 0: output: accessor 1", "VEC4 of FLOAT"},
    {"khronos_validator/animation/sampler_too_few_cubic_frames.gltf",
     "animation 0: channel 0: sampler 0", "at least 2 keys"},
    {"khronos_validator/animation/unresolved_channel_sampler.gltf", "animation 0: channel 0",
     "'sampler' refers to 1"},
    {"khronos_validator/animation/unresolved_channel_target.gltf", "animation 0: channel 0: target",
     "'node' refers to 0"},
    {"khronos_validator/animation/unresolved_sampler_input.gltf",
     "animation 0: channel 0: sampler 0", "'input' refers to 1"},
    {"khronos_validator/animation/unresolved_sampler_output.gltf",
     "animation 0: channel 0: sampler 0", "'output' refers to 1"},
    // Valid to the validator, which does not look at times without data: all of them are 0.
    {"khronos_validator/animation/valid.gltf", nullptr, "gltf.equal_times"},

    // What follows the mark is plain JSON.
    {"khronos_validator/glb/bom.glb", nullptr, "gltf.byte_order_mark"},
    {"khronos_validator/glb/chunk_too_big.glb", "GLB header", "declared length, 13, is too short"},
    {"khronos_validator/glb/empty_json_chunk.glb", "GLB chunk 0", "the JSON is empty"},
    {"khronos_validator/glb/empty_json_object.glb", "", "'asset' is missing"},
    {"khronos_validator/glb/extra_data.glb", nullptr, "gltf.extra_data"},
    {"khronos_validator/glb/invalid_json_chunk.glb", "", "not valid JSON: line 1, column 2"},
    {"khronos_validator/glb/invalid_magic.glb", "GLB header", "0x00000000 instead of 'glTF'"},
    {"khronos_validator/glb/invalid_version.glb", "GLB header", "version 0"},
    {"khronos_validator/glb/json_and_two_buffers.glb", "GLB chunk 2", "second chunk of type BIN"},
    {"khronos_validator/glb/length_mismatch.glb", "GLB header", "declared length is 49"},
    {"khronos_validator/glb/misplaced_bin_chunk.glb", "GLB chunk 2", "must come second"},
    {"khronos_validator/glb/no_header.glb", "GLB header", "ends after 1 of 12 bytes"},
    {"khronos_validator/glb/only_bin_chunk.glb", "GLB chunk 0", "must be of type JSON"},
    {"khronos_validator/glb/only_header.glb", "GLB header", "declared length, 12, is too short"},
    {"khronos_validator/glb/truncated_chunk_data.glb", "GLB header", "file has 47 bytes"},
    {"khronos_validator/glb/truncated_chunk_header.glb", "GLB header",
     "declared length, 13, is too short"},
    {"khronos_validator/glb/two_bin_chunks.glb", "GLB chunk 0", "must be of type JSON"},
    {"khronos_validator/glb/two_empty_bin_chunks.glb", "GLB chunk 0", "must be of type JSON"},
    {"khronos_validator/glb/two_empty_json_chunks.glb", "GLB chunk 0", "the JSON is empty"},
    {"khronos_validator/glb/two_images.glb", nullptr, ""},
    {"khronos_validator/glb/two_valid_json_chunks.glb", "GLB chunk 1", "second chunk of type JSON"},
    // Where the chunk ends is plain from its length.
    {"khronos_validator/glb/unaligned_chunk.glb", nullptr, "gltf.unaligned_chunk"},
    {"khronos_validator/glb/unknown_chunk.glb", "GLB chunk 0", "must be of type JSON"},
    {"khronos_validator/glb/valid.glb", nullptr, ""},
    {"khronos_validator/glb/valid_buffer.glb", nullptr, ""},
    {"khronos_validator/glb/zero_chunk_header.glb", "GLB chunk 0", "must be of type JSON"},
    {"khronos_validator/glb/zero_length.glb", "GLB header", "declared length, 0, is too short"},

    {"khronos_validator/skin/buffer_view_bytestride.gltf",
     "skin 0: inverseBindMatrices: accessor 0: bufferView 0: buffer 0", "it has no data"},
    {"khronos_validator/skin/custom_property.gltf", nullptr, ""},
    {"khronos_validator/skin/empty_array.gltf", nullptr, "gltf.empty_list"},
    {"khronos_validator/skin/empty_joints_array.gltf", "skin 0", "'joints' is missing or empty"},
    {"khronos_validator/skin/empty_object.gltf", "skin 0", "'joints' is missing or empty"},
    {"khronos_validator/skin/ibm_invalid_count.gltf", "skin 2: inverseBindMatrices",
     "2 matrices for 3 joints"},
    {"khronos_validator/skin/ibm_invalid_format.gltf", "skin 0: inverseBindMatrices: accessor 0",
     "MAT3 of FLOAT"},
    {"khronos_validator/skin/ignored_animated_transform.gltf", nullptr, "gltf.ignored_motion"},
    {"khronos_validator/skin/ignored_local_transform.gltf", nullptr, "gltf.no_weights"},
    {"khronos_validator/skin/ignored_parent_transform.gltf", nullptr, "gltf.no_weights"},
    {"khronos_validator/skin/no_common_root.gltf", nullptr, "gltf.no_common_root"},
    {"khronos_validator/skin/no_joints_in_scene.gltf", nullptr, "gltf.joints_outside_scene"},
    // "skeleton" is a hint that nothing here depends on.
    {"khronos_validator/skin/skeleton_invalid.gltf", nullptr, "gltf.skeleton_root"},
    {"khronos_validator/skin/unresolved_ibm.gltf", "skin 0", "'inverseBindMatrices' refers to 0"},
    {"khronos_validator/skin/unresolved_joint.gltf", "skin 0", "'joints' refers to 0"},
    {"khronos_validator/skin/unresolved_skeleton.gltf", "skin 0", "'skeleton' refers to 1"},
    {"khronos_validator/skin/valid.gltf", nullptr, ""},
};

class DataGltfMalformed : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::string(SINEW_DATA_DIR).empty()) GTEST_SKIP() << "SKIPPED: SINEW_DATA is not set";
  }
  Model load(const std::string& file) {
    Result<Model> model = gltf::load(kFolder + "constructed/" + file);
    EXPECT_TRUE(model.ok()) << sinew::testing::error_of(model);
    return model.ok() ? std::move(*model) : Model{};
  }
};

TEST_F(DataGltfMalformed, EachFileHasItsOutcome) {
  for (const Outcome& outcome : kOutcomes) {
    SCOPED_TRACE(outcome.file);
    const std::string path = kFolder + outcome.file;
    const Result<Model> model = gltf::load(path);
    if (outcome.place != nullptr) {
      ASSERT_FALSE(model.ok());
      const std::string place = outcome.place;
      EXPECT_EQ(model.error().where, path + (place.empty() ? "" : ": " + place));
      EXPECT_NE(model.error().message.find(outcome.message), std::string::npos)
          << model.error().message;
      continue;
    }
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    const std::string code = outcome.message;
    if (code.empty()) {
      EXPECT_TRUE(model->findings.empty()) << model->findings[0].code;
    } else {
      EXPECT_TRUE(sinew::testing::has_finding(*model, code));
    }
    for (const RawClip& clip : model->clips) {
      EXPECT_TRUE(validate(clip, model->skeleton).ok());
    }
  }
}

TEST_F(DataGltfMalformed, TheTableNamesEveryFile) {
  std::set<std::string> named;
  for (const Outcome& outcome : kOutcomes) named.insert(outcome.file);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFolder)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".glb" && extension != ".gltf") continue;
    const std::string name = entry.path().string().substr(kFolder.size());
    EXPECT_TRUE(named.contains(name)) << name;
  }
}

Quat spine_rotation(const Model& model, float t, const char* name = "spine") {
  std::vector<Transform> local(model.skeleton.rest_pose().size());
  sample(model.clips[0], model.skeleton, t, local);
  return local[static_cast<std::size_t>(*model.skeleton.find(name))].rotation;
}

TEST_F(DataGltfMalformed, SignFlipsTakeTheShorterWayAtAConstantRate) {
  const Model model = load("m06_quat_sign_flip_full_turn.gltf");
  for (int i = 0; i < 40; ++i) {
    const float t = static_cast<float>(i) / 40;
    const float step = angle_between(spine_rotation(model, t), spine_rotation(model, t + 0.025f));
    EXPECT_NEAR(step, 2 * kPi / 40, 1e-3f) << t;
  }
}

TEST_F(DataGltfMalformed, ASingleKeyHoldsForTheWholeClip) {
  const Model model = load("m07_single_key_linear.gltf");
  EXPECT_EQ(model.clips[0].duration, 2.0f);
  EXPECT_GT(angle_of(spine_rotation(model, 0)), 0.1f);
  EXPECT_LT(angle_between(spine_rotation(model, 0), spine_rotation(model, 2)), 1e-6f);
}

TEST_F(DataGltfMalformed, SplineTangentsScaleWithTheKeySpacing) {
  const Model model = load("m09_cubicspline_large_tangent.gltf");
  const KeyTrack<Quat>& track = model.clips[0].tracks[0].rotation;
  ASSERT_EQ(track.times.size(), 2u);
  // Hermite at the middle: the mean of the values plus an eighth of span * (out - in).
  const float span = track.times[1] - track.times[0];
  const Quat expected = normalize((track.values[0] + track.values[1]) * 0.5f +
                                  (track.out_tangents[0] + -track.in_tangents[1]) * (span / 8));
  EXPECT_LT(angle_between(spine_rotation(model, 1), expected), 1e-5f);
  EXPECT_NEAR(dot(spine_rotation(model, 0.3f), spine_rotation(model, 0.3f)), 1.0f, 1e-5f);
}

TEST_F(DataGltfMalformed, EqualNamesAreBoundByNode) {
  const Model model = load("m10_two_armatures_same_bone_names.gltf");
  ASSERT_EQ(model.clips[0].tracks.size(), 2u);
  std::vector<Transform> local(4);
  sample(model.clips[0], model.skeleton, 1, local);
  std::vector<Quat> spines;
  for (int j = 0; j < 4; ++j) {
    if (model.skeleton.name(j) == "spine")
      spines.push_back(local[static_cast<std::size_t>(j)].rotation);
  }
  ASSERT_EQ(spines.size(), 2u);
  EXPECT_GT(angle_of(spines[0]), 0.1f);
  EXPECT_LT(angle_between(spines[0], conjugate(spines[1])), 1e-5f);
}

TEST_F(DataGltfMalformed, MissingInverseBindMatricesAreIdentities) {
  const Model model = load("m12_no_inverse_bind_matrices.gltf");
  ASSERT_EQ(model.skins[0].inverse_bind.size(), 2u);
  for (const Mat3x4& bind : model.skins[0].inverse_bind) EXPECT_EQ(bind, Mat3x4{});
}

TEST_F(DataGltfMalformed, AMirroredJointStaysMirrored) {
  const Model model = load("m13_joint_scale_minus_one.gltf");
  const int spine = *model.skeleton.find("spine");
  EXPECT_EQ(model.skeleton.rest(spine).scale, (Vec3{-1, -1, -1}));
  EXPECT_EQ(model.skeleton.rest(spine).rotation, Quat{});
  EXPECT_LT(determinant(model.skeleton.rest_model()[static_cast<std::size_t>(spine)]), 0.0f);
}

TEST_F(DataGltfMalformed, RestBindAndFirstFrameAreKeptApart) {
  const Model model = load("m15_rest_ne_bind_ne_first_frame.gltf");
  const int spine = *model.skeleton.find("spine");
  EXPECT_NEAR(angle_of(model.skeleton.rest(spine).rotation), kPi / 2, 1e-4f);
  EXPECT_GT(angle_between(model.skeleton.rest(spine).rotation, spine_rotation(model, 0)), 0.1f);
  const Mat3x4 skinning =
      model.skeleton.rest_model()[static_cast<std::size_t>(spine)] * model.skins[0].inverse_bind[1];
  EXPECT_GT(distance(transform_point(skinning, {0, 2, 0}), Vec3{0, 2, 0}), 0.5f);
}

TEST_F(DataGltfMalformed, NormalizedShortsAreRotations) {
  const Model model = load("m26_normalized_short_rotation.gltf");
  for (const Quat& q : model.clips[0].tracks[0].rotation.values) {
    EXPECT_NEAR(dot(q, q), 1.0f, 1e-5f);
  }
  EXPECT_GT(angle_between(spine_rotation(model, 0), spine_rotation(model, 1)), 0.1f);
}

}  // namespace
}  // namespace sinew
