#include "prepared_model.hpp"

#include <limits>

#include <gtest/gtest.h>

#include <sinew/render/renderer.hpp>
#include <sinew/render/shapes.hpp>

#include "test_character.hpp"

namespace sinew::render {
namespace {

Bounds skin_all(const PreparedModel& model, std::span<const Mat3x4> joints, const Mat3x4& root,
                std::vector<SkinnedVertex>& out) {
  Bounds box;
  std::vector<Mat3x4> palette;
  out.clear();
  for (const PreparedMesh& mesh : model.meshes) {
    const std::size_t first = out.size();
    out.resize(first + mesh.positions.size());
    skin_mesh(model, mesh, joints, root, mesh.morph_defaults, palette,
              std::span(out).subspan(first), box);
  }
  return box;
}

TEST(Skinning, RestPoseGivesTheMeshAndTheRootMovesIt) {
  const Model model = make_test_character();
  auto prepared = prepare_model(model);
  ASSERT_TRUE(prepared.ok()) << to_string(prepared.error());
  std::vector<SkinnedVertex> out;
  const Bounds box = skin_all(*prepared, model.skeleton.rest_model(), {}, out);
  for (std::size_t v = 0; v < out.size(); ++v) {
    EXPECT_LT(distance(out[v].position, model.meshes[0].positions[v]), 1e-5f);
    EXPECT_LT(distance(normalize_or(out[v].normal, {}), model.meshes[0].normals[v]), 1e-5f);
  }
  EXPECT_NEAR(box.low.y, 0, 1e-5f);
  EXPECT_NEAR(box.high.y, 1.8f, 1e-5f);
  Mat3x4 root;
  root.row[0].w = 5;
  EXPECT_NEAR(skin_all(*prepared, model.skeleton.rest_model(), root, out).centre().x, 5, 1e-4f);
}

TEST(Skinning, AJointMovesItsVerticesOnly) {
  const Model model = make_test_character();
  auto prepared = prepare_model(model);
  ASSERT_TRUE(prepared.ok());
  std::vector<SkinnedVertex> out;
  const Quat raised = from_axis_angle(kAxisZ, kHalfPi);
  const auto joints = posed(model, "left_arm", raised);
  const Bounds box = skin_all(*prepared, joints, {}, out);
  EXPECT_NEAR(box.high.x, 0.26f + 0.65f,
              1e-3f);  // the arm, 0.65 m below its joint, now points to +X
  const Mesh& mesh = model.meshes[0];
  const int arm = model.skeleton.find("left_arm").value_or(-1);
  for (std::size_t v = 0; v < out.size(); ++v) {
    if (mesh.joints[v][0] == arm) {
      EXPECT_LT(distance(normalize_or(out[v].normal, {}), rotate(raised, mesh.normals[v])), 1e-4f);
    } else {
      EXPECT_LT(distance(out[v].position, mesh.positions[v]), 1e-5f);
    }
  }
}

TEST(Skinning, NormalsStayRightUnderUnevenAndMirroringScale) {
  Mat3x4 squash;
  squash.row[1].y = 0.25f;
  const Vec3 n = normalize_or({0, 1, 1}, {});
  const Vec3 tangent{0, 1, -1};
  EXPECT_NEAR(dot(transform_vector(normal_map(squash), n), transform_vector(squash, tangent)), 0,
              1e-6f);
  Mat3x4 mirror;
  mirror.row[0].x = -1;
  EXPECT_GT(transform_vector(normal_map(mirror), kAxisY).y, 0.5f);
  EXPECT_LT(transform_vector(normal_map(mirror), kAxisX).x, -0.5f);
}

TEST(Skinning, MorphTargetsAddUp) {
  Model model = make_test_character();
  Mesh& mesh = model.meshes[0];
  for (float height : {0.5f, 0.25f}) {
    MorphTarget morph;
    morph.name = height > 0.3f ? "tall" : "small";
    morph.positions.assign(mesh.positions.size(), {0, height, 0});
    mesh.morphs.push_back(morph);
  }
  mesh.morph_weights = {1.0f, 2.0f};
  auto prepared = prepare_model(model);
  ASSERT_TRUE(prepared.ok());
  EXPECT_EQ(prepared->morph_count, 2);
  EXPECT_EQ(morph_curve_names(model),
            (std::vector<std::string>{"morph/body/tall", "morph/body/small"}));
  std::vector<SkinnedVertex> out;
  EXPECT_NEAR(skin_all(*prepared, model.skeleton.rest_model(), {}, out).low.y, 1.0f, 1e-5f);
}

TEST(Skinning, WeightsAreMadeToSumToOne) {
  Model model = make_test_character();
  for (Vec4& w : model.meshes[0].weights) w = w * 0.5f;
  model.meshes[0].weights[0] = {0, 0, 0, 0};
  model.meshes[0].weights[1].x = std::numeric_limits<float>::quiet_NaN();
  auto prepared = prepare_model(model);
  ASSERT_TRUE(prepared.ok());
  std::vector<SkinnedVertex> out;
  const Bounds box = skin_all(*prepared, model.skeleton.rest_model(), {}, out);
  EXPECT_NEAR(box.high.y, 1.8f, 1e-4f);
  for (const SkinnedVertex& v : out) EXPECT_TRUE(is_finite(v.position));
}

TEST(Prepare, MissingNormalsAreMade) {
  Mesh box;
  add_box(box, {}, {1, 1, 1});
  const std::vector<Vec3> normals = box.normals;
  box.normals.clear();
  const std::vector<Vec3> made = make_normals(box.positions, box.indices);
  for (std::size_t v = 0; v < made.size(); ++v) EXPECT_LT(distance(made[v], normals[v]), 1e-5f);
}

TEST(Prepare, ShapesAreWoundOutward) {
  Mesh shapes[3];
  add_sphere(shapes[0], {1, 2, 3}, 0.5f);
  add_capsule(shapes[1], {}, 0.3f, 0.6f);
  add_terrain(shapes[2], 2, 8, [](float x, float z) { return 0.1f * x * z; });
  for (const Mesh& mesh : shapes) {
    const std::vector<Vec3> made = make_normals(mesh.positions, mesh.indices);
    for (std::size_t v = 0; v < made.size(); ++v) {
      EXPECT_NEAR(length(mesh.normals[v]), 1, 1e-4f);
      if (length(made[v]) > 0.5f) {
        EXPECT_GT(dot(made[v], mesh.normals[v]), 0.8f) << v << " of " << made.size();
      }
    }
  }
}

// Each fault is an error that names the mesh, never a crash.
TEST(Prepare, FaultsAreNamed) {
  const struct {
    const char* what;
    void (*spoil)(Model&);
  } faults[] = {
      {"normals", [](Model& m) { m.meshes[0].normals.pop_back(); }},
      {"texture coordinates", [](Model& m) { m.meshes[0].uvs.resize(3); }},
      {"colours", [](Model& m) { m.meshes[0].colors.resize(1); }},
      {"multiple of three", [](Model& m) { m.meshes[0].indices.pop_back(); }},
      {"index 9999", [](Model& m) { m.meshes[0].indices[4] = 9999; }},
      {"its material", [](Model& m) { m.meshes[0].material = 7; }},
      {"its skin is missing", [](Model& m) { m.meshes[0].skin = 7; }},
      {"its joint is missing", [](Model& m) { m.meshes[0].joint = 99; }},
      {"no joints and weights", [](Model& m) { m.meshes[0].weights.clear(); }},
      {"uses joint 40", [](Model& m) { m.meshes[0].joints[5][0] = 40; }},
      {"morph displacements",
       [](Model& m) {
         m.meshes[0].morphs.resize(1);
         m.meshes[0].morphs[0].positions.resize(2);
       }},
  };
  for (const auto& fault : faults) {
    Model model = make_test_character();
    fault.spoil(model);
    const auto prepared = prepare_model(model);
    ASSERT_FALSE(prepared.ok()) << fault.what;
    const std::string text = to_string(prepared.error());
    EXPECT_NE(text.find(fault.what), std::string::npos) << text;
    EXPECT_NE(text.find("mesh 0 'body'"), std::string::npos) << text;
  }
  Model model = make_test_character();
  model.skins[0].inverse_bind.pop_back();
  EXPECT_FALSE(prepare_model(model).ok());
  model = make_test_character();
  model.skins[0].joints[0] = -4;
  EXPECT_FALSE(prepare_model(model).ok());
}

}  // namespace
}  // namespace sinew::render
