#include "body.hpp"

#include <array>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "person.hpp"

namespace sinew::make_assets {
namespace {

const Model& body() {
  static const Model model = make_body();
  return model;
}

using Key = std::array<float, 3>;
Key key_of(Vec3 p) { return {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f}; }

bool is_part(const Mesh& mesh) {
  const std::set<std::string> parts{"skin", "shirt", "trousers", "shoes", "hair", "sole"};
  return parts.count(mesh.name) > 0;
}

TEST(Body, RolesAreFoundByTheirNames) {
  const RoleMap mine = make_roles(), found = find_roles(make_skeleton());
  EXPECT_EQ(found.plan, BodyPlan::kBiped);
  for (int i = 1; i < kJointRoleCount; ++i) {
    const auto role = static_cast<JointRole>(i);
    EXPECT_EQ(found.joint(role), mine.joint(role)) << to_string(role);
  }
}

TEST(Body, MassPartsAddUpToAWholeBody) {
  float sum = 0;
  for (const MassPart& part : mass_parts()) sum += part.share;
  EXPECT_NEAR(sum, 1.0f, 1e-3f);
}

TEST(Body, SkeletonIsSymmetricAndStandsOnTheGround) {
  const Skeleton skeleton = make_skeleton();
  ASSERT_EQ(skeleton.joint_count(), kBoneCount);
  EXPECT_GE(kBoneCount, 20);
  for (const BoneInfo& info : bones()) {
    EXPECT_EQ(translation_of(skeleton.rest_model()[static_cast<std::size_t>(index(info.bone))]).y,
              info.position.y)
        << info.name;
  }
  for (Bone b = Bone::kLeftEye; b < Bone::kRightEye; b = static_cast<Bone>(index(b) + 1)) {
    EXPECT_EQ(on_side(false, bind_position(b)), bind_position(on_side(false, b)));
    EXPECT_GT(bind_position(b).x, 0);
  }
}

TEST(Body, FitsItsBudgetAndItsStature) {
  std::size_t triangles = 0;
  Vec3 low{9, 9, 9}, high{-9, -9, -9};
  for (const Mesh& mesh : body().meshes) {
    triangles += mesh.indices.size() / 3;
    for (Vec3 p : mesh.positions) {
      low = min(low, p);
      high = max(high, p);
    }
  }
  EXPECT_LE(triangles, 6000u);
  EXPECT_GE(triangles, 4000u);
  EXPECT_NEAR(low.y, 0, 0.003f);
  EXPECT_NEAR(high.y, kStature, 0.03f);
  EXPECT_NEAR(low.x, -high.x, 1e-5f);
}

// Every edge of the body's surface belongs to two triangles that run along it in opposite
// directions, over the seams of its parts too.
TEST(Body, SurfaceIsClosed) {
  std::map<std::pair<Key, Key>, int> edges;
  for (const Mesh& mesh : body().meshes) {
    if (!is_part(mesh)) continue;
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Key a = key_of(mesh.positions[mesh.indices[i + k]]);
        const Key b = key_of(mesh.positions[mesh.indices[i + (k + 1) % 3]]);
        ASSERT_NE(a, b);
        ++edges[{a, b}];
      }
    }
  }
  ASSERT_FALSE(edges.empty());
  for (const auto& [edge, count] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    ASSERT_NE(back, edges.end()) << edge.first[0] << " " << edge.first[1] << " " << edge.first[2];
    EXPECT_EQ(back->second, count);
  }
}

// Parts meet in vertices of the same weights, so that no pose opens a crack between them.
TEST(Body, SeamsMoveAsOne) {
  std::map<Key, std::pair<std::array<std::uint16_t, 4>, Vec4>> seen;
  int shared = 0;
  for (const Mesh& mesh : body().meshes) {
    if (!is_part(mesh)) continue;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const auto value = std::make_pair(mesh.joints[v], mesh.weights[v]);
      const auto [it, is_new] = seen.try_emplace(key_of(mesh.positions[v]), value);
      if (is_new) continue;
      ++shared;
      EXPECT_EQ(it->second.first, value.first);
      EXPECT_EQ(it->second.second, value.second);
    }
  }
  EXPECT_GT(shared, 100);
}

TEST(Body, WeightsSumToOneAndStayNearTheirBone) {
  for (const Mesh& mesh : body().meshes) {
    ASSERT_EQ(mesh.weights.size(), mesh.positions.size());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Vec4 w = mesh.weights[v];
      EXPECT_NEAR(w.x + w.y + w.z + w.w, 1, 1e-5f);
      EXPECT_GE(min(min(w.x, w.y), min(w.z, w.w)), 0);
      // The first is the greatest; no vertex follows the other side's limbs.
      EXPECT_GE(w.x, max(w.y, max(w.z, w.w)));
      const JointRole role = body().roles.role(mesh.joints[v][0]);
      if (abs(mesh.positions[v].x) > 0.05f && side_of(role) != 0) {
        EXPECT_EQ(side_of(role) < 0, mesh.positions[v].x > 0) << to_string(role);
      }
      const Vec3 bone = bind_position(static_cast<Bone>(mesh.joints[v][0]));
      EXPECT_LT(distance(bone, mesh.positions[v]), 0.48f) << mesh.name << " " << to_string(role);
    }
  }
}

TEST(Body, NormalsPointOutward) {
  int wrong = 0, all = 0;
  for (const Mesh& mesh : body().meshes) {
    for (Vec3 n : mesh.normals) EXPECT_NEAR(length(n), 1, 1e-4f);
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
      const auto v = [&](std::size_t k) { return mesh.indices[i + k]; };
      const Vec3 face = cross(mesh.positions[v(1)] - mesh.positions[v(0)],
                              mesh.positions[v(2)] - mesh.positions[v(0)]);
      const Vec3 sum = mesh.normals[v(0)] + mesh.normals[v(1)] + mesh.normals[v(2)];
      ++all;
      if (dot(face, sum) <= 0) ++wrong;
    }
  }
  // Hems turn sharply: there a smooth normal may lean away from a small triangle.
  EXPECT_LT(wrong, all / 200) << all;
}

TEST(Body, LooksForward) {
  const Vec3 eye = bind_position(Bone::kLeftEye);
  EXPECT_GT(eye.z, bind_position(Bone::kHead).z);
  for (const Mesh& mesh : body().meshes) {
    if (mesh.name.rfind("pupil", 0) != 0) continue;
    for (Vec3 p : mesh.positions) EXPECT_GT(p.z, eye.z);
  }
}

}  // namespace
}  // namespace sinew::make_assets
