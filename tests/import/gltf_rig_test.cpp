// Which nodes become joints, and that folding changes no place of any joint, vertex or socket.
#include <random>

#include <gtest/gtest.h>

#include "gltf_builder.hpp"

namespace sinew {
namespace {

using sinew::testing::error_of;
using sinew::testing::GltfBuilder;
using sinew::testing::has_finding;
using sinew::testing::Json;

Json identity_skin(std::vector<int> joints) { return {{"joints", joints}}; }

int triangle(GltfBuilder& file) {
  const int positions = file.accessor<float>("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  file.json["meshes"].push_back({{"primitives", {{{"attributes", {{"POSITION", positions}}}}}}});
  return static_cast<int>(file.json["meshes"].size()) - 1;
}

void expect_near(Vec3 a, Vec3 b, float tolerance = 1e-5f) {
  EXPECT_LT(distance(a, b), tolerance)
      << a.x << ' ' << a.y << ' ' << a.z << " but " << b.x << ' ' << b.y << ' ' << b.z;
}

TEST(GltfRig, ScaledAndTurnedArmaturesEndInMetres) {
  GltfBuilder file;
  file.node({{"name", "Armature"},
             {"scale", {100, 100, 100}},
             {"rotation", {-0.70710678, 0, 0, 0.70710678}},
             {"translation", {0, 0, 5}},
             {"children", {1}}});
  file.node({{"name", "hips"}, {"translation", {0, 0, 0.01}}, {"children", {2}}});
  file.node({{"name", "spine"}, {"translation", {0, 0, 0.005}}});
  // Bind pose: spine at height 1.5 in the mesh.
  const int bind = file.accessor<float>(
      "MAT4", {1,     0, 0, 0, 0, 1, 0,     0, 0, 0,      1, 0, 0, 0, 0,       1,  //
               0.01f, 0, 0, 0, 0, 0, 0.01f, 0, 0, -0.01f, 0, 0, 0, 0, -0.015f, 1});
  file.json["skins"] = {{{"joints", {1, 2}}, {"inverseBindMatrices", bind}}};
  const int input = file.accessor<float>("SCALAR", {0, 1});
  file.channel(0, 1, "translation", input,
               file.accessor<float>("VEC3", {0, 0, 0.01f, 0, 0.02f, 0.01f}));
  file.channel(0, 1, "rotation", input,
               file.accessor<float>("VEC4", {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f}));
  gltf::Source source;
  const Result<Model> model = file.parse(source);
  ASSERT_TRUE(model.ok()) << error_of(model);
  const Skeleton& skeleton = model->skeleton;
  ASSERT_EQ(skeleton.joint_count(), 2);
  EXPECT_FALSE(skeleton.has_rest_scale());
  EXPECT_EQ(source.joint_of_node, (std::vector<int>{kNoJoint, 0, 1}));
  EXPECT_FLOAT_EQ(source.folded_scale[1], 100);
  expect_near(translation_of(skeleton.rest_model()[0]), {0, 1, 5});
  expect_near(translation_of(skeleton.rest_model()[1]), {0, 1.5f, 5});

  std::vector<Transform> local(2);
  sample(model->clips[0], skeleton, 1, local);
  expect_near(local[0].translation, {0, 1, 3});
  expect_near(rotate(local[0].rotation, {1, 0, 0}), {0, 0, -1});
  // A vertex at the spine's place in the mesh is where the spine is.
  const Mat3x4 skinning = skeleton.rest_model()[1] * model->skins[0].inverse_bind[1];
  expect_near(transform_point(skinning, {0, 1.5f, 0}), {0, 1.5f, 5});
  expect_near(transform_point(skinning, {0.25f, 1.5f, 0}), {0.25f, 1.5f, 5});
}

TEST(GltfRig, UnevenAndMirroredAncestorsBecomeJoints) {
  for (const Json& scale : {Json{2, 1, 1}, Json{-1, 1, 1}, Json{-1, -1, -1}}) {
    GltfBuilder file;
    file.node({{"name", "top"}, {"scale", {3, 3, 3}}, {"children", {1}}});
    file.node({{"name", "uneven"}, {"scale", scale}, {"children", {2}}});
    file.node({{"name", "between"}, {"translation", {1, 0, 0}}, {"children", {3}}});
    file.node({{"name", "joint"}, {"translation", {1, 0, 0}}});
    file.json["skins"] = Json::array({identity_skin({3})});
    const Result<Model> model = file.parse();
    ASSERT_TRUE(model.ok()) << error_of(model);
    EXPECT_EQ(model->skeleton.joint_count(), 3);
    EXPECT_FALSE(model->skeleton.find("top").has_value());
    const int joint = *model->skeleton.find("joint");
    expect_near(translation_of(model->skeleton.rest_model()[static_cast<std::size_t>(joint)]),
                {6 * scale[0].get<float>(), 0, 0});
  }
}

TEST(GltfRig, AnimatedAncestorsBecomeJointsAndStillOnesDoNot) {
  for (const float turn : {0.0f, 1.0f}) {
    GltfBuilder file;
    file.node({{"name", "top"}, {"children", {1}}});
    file.node({{"name", "between"}, {"translation", {0, 1, 0}}, {"children", {2}}});
    file.node({{"name", "joint"}, {"translation", {1, 0, 0}}});
    file.json["skins"] = Json::array({identity_skin({2})});
    const int input = file.accessor<float>("SCALAR", {0, 1});
    const Quat q = from_yaw(turn);
    file.channel(0, 0, "rotation", input,
                 file.accessor<float>("VEC4", {0, 0, 0, 1, q.x, q.y, q.z, q.w}));
    const Result<Model> model = file.parse();
    ASSERT_TRUE(model.ok()) << error_of(model);
    EXPECT_EQ(model->skeleton.joint_count(), turn == 0.0f ? 1 : 3);
    EXPECT_EQ(model->clips[0].tracks.size(), turn == 0.0f ? 0u : 1u);
    EXPECT_EQ(model->clips[0].duration, 1.0f);
  }
}

TEST(GltfRig, AttachmentsAreMeshesSocketsOrJoints) {
  GltfBuilder file;
  const int mesh = triangle(file);
  file.node({{"name", "hand"}, {"scale", {2, 2, 2}}, {"children", {1, 3, 4, 5}}});
  file.node({{"name", "grip"}, {"translation", {0, 1, 0}}, {"children", {2}}});
  file.node({{"name", "sword"}, {"translation", {1, 0, 0}}, {"mesh", mesh}});
  file.node({{"name", "lamp"}, {"mesh", mesh}, {"translation", {0, 0, 1}}});
  file.node({{"translation", {9, 9, 9}}});
  file.node({{"name", "eye"}});
  file.node({{"name", "ground"}, {"mesh", mesh}, {"translation", {7, 0, 0}}});
  file.node({{"name", "camera"}});
  file.json["skins"] = Json::array({identity_skin({0})});
  const int input = file.accessor<float>("SCALAR", {0, 1});
  const int moved = file.accessor<float>("VEC3", {0, 0, 1, 0, 0, 2});
  for (int node : {3, 5, 7}) file.channel(0, node, "translation", input, moved);
  gltf::Source source;
  const Result<Model> model = file.parse(source);
  ASSERT_TRUE(model.ok()) << error_of(model);
  // The hand, and what moves below it. The camera carries nothing.
  EXPECT_EQ(model->skeleton.joint_count(), 3);
  EXPECT_TRUE(model->skeleton.find("lamp").has_value());
  EXPECT_TRUE(model->skeleton.find("eye").has_value());
  EXPECT_TRUE(has_finding(*model, "gltf.ignored_motion"));

  ASSERT_EQ(model->sockets.size(), 1u);  // the node without a name is none
  EXPECT_EQ(model->sockets[0].name, "grip");
  EXPECT_EQ(model->sockets[0].joint, *model->skeleton.find("hand"));
  expect_near(model->sockets[0].offset.translation, {0, 1, 0});

  ASSERT_EQ(model->meshes.size(), 3u);
  for (const Mesh& m : model->meshes) {
    if (m.name == "sword") {
      EXPECT_EQ(m.joint, *model->skeleton.find("hand"));
      expect_near(m.offset.translation, {1, 1, 0});
    } else if (m.name == "lamp") {
      EXPECT_EQ(m.joint, *model->skeleton.find("lamp"));
      EXPECT_EQ(m.offset, Transform{});
    } else {
      EXPECT_EQ(m.name, "ground");
      EXPECT_EQ(m.joint, kNoJoint);
      expect_near(m.offset.translation, {7, 0, 0});
    }
  }
}

TEST(GltfRig, WithoutSkinsTheAnimatedNodesAreTheSkeletonElseAllNodes) {
  GltfBuilder file;
  file.node({{"name", "scene"}, {"scale", {2, 2, 2}}, {"children", {1, 4}}});
  file.node({{"name", "body"}, {"translation", {0, 1, 0}}, {"children", {2}}});
  file.node({{"name", "shoulder"}, {"translation", {0, 1, 0}}, {"children", {3}}});
  file.node({{"name", "arm"}, {"translation", {1, 0, 0}}});
  file.node({{"name", "tree"}});
  const Result<Model> still = file.parse();
  ASSERT_TRUE(still.ok()) << error_of(still);
  EXPECT_EQ(still->skeleton.joint_count(), 5);

  const int input = file.accessor<float>("SCALAR", {0, 1});
  const int moved = file.accessor<float>("VEC3", {0, 0, 1, 0, 0, 2});
  for (int node : {1, 3}) file.channel(0, node, "translation", input, moved);
  const Result<Model> animated = file.parse();
  ASSERT_TRUE(animated.ok()) << error_of(animated);
  EXPECT_EQ(animated->skeleton.joint_count(), 3);
  EXPECT_FALSE(animated->skeleton.has_rest_scale());
  const int arm = *animated->skeleton.find("arm");
  expect_near(translation_of(animated->skeleton.rest_model()[static_cast<std::size_t>(arm)]),
              {2, 4, 0});
}

TEST(GltfRig, MatrixNodesAreTakenApartAndShearIsTold) {
  GltfBuilder file;
  // Turned a quarter about Z, twice as large, at (1, 2, 3).
  file.node({{"matrix", {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1}}});
  file.node({{"matrix", {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}});
  const Result<Model> model = file.parse();
  ASSERT_TRUE(model.ok()) << error_of(model);
  const Transform& rest = model->skeleton.rest(0);
  expect_near(rest.translation, {1, 2, 3});
  expect_near(rest.scale, {2, 2, 2});
  EXPECT_LT(angle_between(rest.rotation, from_axis_angle(kAxisZ, kPi / 2)), 1e-5f);
  ASSERT_EQ(model->findings.size(), 1u);
  EXPECT_EQ(model->findings[0].code, "gltf.sheared_matrix");
  EXPECT_EQ(model->findings[0].place, "node 1");
}

TEST(GltfRig, BrokenTreesAreErrors) {
  GltfBuilder two;
  two.node({{"children", {2}}});
  two.node({{"children", {2}}});
  two.node({{"name", "child"}});
  EXPECT_EQ(error_of(two.parse()),
            "test.gltf: node 2 'child': it has two parents, node 0 and node 1");
  GltfBuilder self;
  self.node({{"children", {0}}});
  EXPECT_EQ(error_of(self.parse()), "test.gltf: node 0: its parents form a cycle");
  GltfBuilder turn;
  turn.node({{"rotation", {0, 0, 0, 0}}});
  EXPECT_EQ(error_of(turn.parse()), "test.gltf: node 0: 'rotation' has no direction");
}

TEST(GltfRig, AVeryDeepTreeIsALimitNotACrash) {
  GltfBuilder file;
  for (int i = 0; i < 100000; ++i) file.json["nodes"].push_back({{"children", {i + 1}}});
  file.json["nodes"].push_back(Json::object());
  const Result<Model> model = file.parse();
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(to_string(model.error()), "test.gltf: node 1024: nodes are nested deeper than 1024");
}

TEST(GltfRig, MissingNamesAreMadeAndEqualNamesKept) {
  GltfBuilder file;
  file.node({{"children", {1, 2}}});
  file.node({{"name", "x"}});
  file.node({{"name", "x"}});
  const Result<Model> model = file.parse();
  ASSERT_TRUE(model.ok()) << error_of(model);
  EXPECT_EQ(model->skeleton.name(0), "node_0");
  EXPECT_EQ(model->skeleton.name(1), "x");
  EXPECT_EQ(model->skeleton.name(2), "x");
  EXPECT_TRUE(has_finding(*model, "gltf.duplicate_name"));
}

TEST(GltfRig, VrmNamesTheRoles) {
  GltfBuilder file;
  file.node({{"name", "J_1"}, {"children", {1, 2}}});
  file.node({{"name", "J_2"}});
  file.node({{"name", "J_3"}});
  file.json["skins"] = Json::array({identity_skin({0, 1, 2})});
  file.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"] = {
      {"hips", {{"node", 0}}},
      {"leftUpperLeg", {{"node", 1}}},
      {"leftThumbProximal", {{"node", 2}}}};
  const Result<Model> model = file.parse();
  ASSERT_TRUE(model.ok()) << error_of(model);
  EXPECT_EQ(model->roles.count(), 3);
  EXPECT_EQ(model->roles.joint(JointRole::kHips), 0);
  EXPECT_EQ(model->roles.joint(JointRole::kLeftUpperLeg), 1);
  EXPECT_EQ(model->roles.joint(JointRole::kLeftThumbProximal), 2);

  file.json["extensions"] = {
      {"VRM",
       {{"humanoid",
         {{"humanBones",
           {{{"bone", "hips"}, {"node", 0}}, {{"bone", "leftThumbProximal"}, {"node", 2}}}}}}}}};
  const Result<Model> old = file.parse();
  ASSERT_TRUE(old.ok()) << error_of(old);
  EXPECT_EQ(old->roles.count(), 2);
  EXPECT_EQ(old->roles.joint(JointRole::kLeftThumbMetacarpal), 2);
  EXPECT_EQ(old->roles.plan, BodyPlan::kBiped);
}

// Trees of nodes at random: every joint, skinned vertex and rigid mesh is where the nodes' own
// transforms put it, at any time, whatever was folded.
class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : random_(seed) {
    const int count = 2 + static_cast<int>(random_() % 8);
    const int mesh = triangle(file);
    for (int i = 0; i < count; ++i) {
      Transform t{{number(), number(), number()}, turn(), {1, 1, 1}};
      const unsigned kind = random_() % 8;
      if (kind < 3) t.scale = Vec3{1, 1, 1} * (0.5f + abs(number()));
      if (kind == 3) t.scale = {1.5f, 0.75f, 1};
      if (kind == 4) t.scale = {-1, -1, -1};
      rest.push_back(t);
      parent.push_back(i == 0 || random_() % 6 == 0
                           ? -1
                           : static_cast<int>(random_() % static_cast<unsigned>(i)));
      Json node = {{"translation", {t.translation.x, t.translation.y, t.translation.z}},
                   {"rotation", {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w}},
                   {"scale", {t.scale.x, t.scale.y, t.scale.z}}};
      if (random_() % 3 == 0) node["mesh"] = mesh;
      file.node(node);
      if (parent.back() >= 0) {
        file.json["nodes"][static_cast<std::size_t>(parent.back())]["children"].push_back(i);
      }
      if (random_() % 2 == 0) skin.push_back(i);
    }
    if (!skin.empty()) add_skin();
    add_animation(count);
  }

  Mat3x4 world(int node, float t) const {
    Mat3x4 m;
    for (int i = node; i >= 0; i = parent[static_cast<std::size_t>(i)]) {
      Transform local = rest[static_cast<std::size_t>(i)];
      const auto& keys = moved[static_cast<std::size_t>(i)];
      if (!keys.empty()) local.translation = lerp(keys[0], keys[1], t);
      const auto& turns = turned[static_cast<std::size_t>(i)];
      if (!turns.empty()) local.rotation = slerp(turns[0], turns[1], t);
      m = to_matrix(local) * m;
    }
    return m;
  }

  GltfBuilder file;
  std::vector<Transform> rest;
  std::vector<int> parent, skin;
  std::vector<Mat3x4> bind;
  std::vector<std::vector<Vec3>> moved;
  std::vector<std::vector<Quat>> turned;

 private:
  float number() { return static_cast<float>(random_() % 2001) / 1000.0f - 1.0f; }
  Quat turn() { return normalize(Quat{number(), number(), number(), 0.1f + number()}); }

  void add_skin() {
    std::vector<float> values;
    for (std::size_t i = 0; i < skin.size(); ++i) {
      Mat3x4 m = to_matrix({{number(), number(), number()}, turn(), {1, 1, 1}});
      bind.push_back(m);
      for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 3; ++r) {
          const Vec3 column = c < 3 ? axis_of(m, c) : translation_of(m);
          values.push_back(column[r]);
        }
        values.push_back(c < 3 ? 0.0f : 1.0f);
      }
    }
    file.json["skins"] = {
        {{"joints", skin}, {"inverseBindMatrices", file.accessor<float>("MAT4", values)}}};
  }

  void add_animation(int count) {
    const int input = file.accessor<float>("SCALAR", {0, 1});
    moved.resize(static_cast<std::size_t>(count));
    turned.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      if (random_() % 3 == 0) {
        const Vec3 a{number(), number(), number()}, b{number(), number(), number()};
        moved[static_cast<std::size_t>(i)] = {a, b};
        file.channel(0, i, "translation", input,
                     file.accessor<float>("VEC3", {a.x, a.y, a.z, b.x, b.y, b.z}));
      }
      if (random_() % 3 == 0) {
        const Quat a = turn(), b = turn();
        turned[static_cast<std::size_t>(i)] = {a, b};
        file.channel(0, i, "rotation", input,
                     file.accessor<float>("VEC4", {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}));
      }
    }
  }

  std::mt19937 random_;
};

void expect_same(const Mat3x4& a, const Mat3x4& b, unsigned seed) {
  for (const Vec3 p : {Vec3{}, kAxisX, kAxisY, kAxisZ}) {
    ASSERT_LT(distance(transform_point(a, p), transform_point(b, p)),
              2e-5f * (1 + length(transform_point(b, p))) + 5e-5f)
        << "seed " << seed;
  }
}

Mat3x4 scaled(const Mat3x4& m, float scale) {
  return m * to_matrix({{}, {}, Vec3{1, 1, 1} * scale});
}

TEST(GltfRig, FoldingMovesNothing) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const RandomTree tree(seed);
    gltf::Source source;
    const Result<Model> model = tree.file.parse(source);
    ASSERT_TRUE(model.ok()) << error_of(model);
    for (const float t : {0.0f, 0.3f, 1.0f}) {
      std::vector<Transform> local(model->skeleton.rest_pose().begin(),
                                   model->skeleton.rest_pose().end());
      std::vector<Mat3x4> pose(local.size());
      if (!model->clips.empty()) sample(model->clips[0], model->skeleton, t, local);
      for (std::size_t j = 0; j < local.size(); ++j) {
        const int up = model->skeleton.parent(static_cast<int>(j));
        pose[j] =
            up < 0 ? to_matrix(local[j]) : pose[static_cast<std::size_t>(up)] * to_matrix(local[j]);
      }
      for (std::size_t n = 0; n < source.joint_of_node.size(); ++n) {
        const int joint = source.joint_of_node[n];
        if (joint == kNoJoint) continue;
        expect_same(scaled(pose[static_cast<std::size_t>(joint)],
                           source.folded_scale[static_cast<std::size_t>(joint)]),
                    tree.world(static_cast<int>(n), t), seed);
      }
      for (std::size_t i = 0; i < tree.skin.size(); ++i) {
        const Skin& skin = model->skins[0];
        expect_same(pose[static_cast<std::size_t>(skin.joints[i])] * skin.inverse_bind[i],
                    tree.world(tree.skin[i], t) * tree.bind[i], seed);
      }
      for (std::size_t m = 0; m < model->meshes.size(); ++m) {
        const Mesh& mesh = model->meshes[m];
        const Mat3x4 offset = to_matrix(mesh.offset);
        const Mat3x4 at =
            mesh.joint == kNoJoint ? offset : pose[static_cast<std::size_t>(mesh.joint)] * offset;
        const Mat3x4 world = tree.world(source.node_of_mesh[m], t);
        const std::vector<Vec3> original = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
        for (std::size_t v = 0; v < 3; ++v) {
          ASSERT_LT(
              distance(transform_point(at, mesh.positions[v]), transform_point(world, original[v])),
              1e-3f)
              << "seed " << seed;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sinew
