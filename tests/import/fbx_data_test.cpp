// Every FBX file at hand, against the table that describes them.
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/import/fbx.hpp>

#include "mocap_testing.hpp"

namespace sinew {
namespace {

using testing::data_path;
using testing::expect_near;
using testing::positions_at;

struct Row {
  std::string file;
  int joints = 0;
  std::vector<std::pair<std::string, double>> clips;  // seconds; below 0 where the table has none
};

// "walk 1.33s; run 0.67s": a name may hold blanks, a duration may be missing.
std::vector<Row> table() {
  std::vector<Row> out;
  std::ifstream in(data_path("TABLE.tsv"));
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> columns;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) columns.push_back(cell);
    if (columns.size() < 6 || !columns[0].ends_with(".fbx")) continue;
    Row row{columns[0], std::stoi(columns[4]), {}};
    std::istringstream clips(columns[5]);
    for (std::string clip; std::getline(clips >> std::ws, clip, ';');) {
      const std::size_t blank = clip.find_last_of(' ');
      const bool has_time = clip.ends_with('s') && blank != std::string::npos;
      row.clips.emplace_back(has_time ? clip.substr(0, blank) : clip,
                             has_time ? std::stod(clip.substr(blank + 1)) : -1);
    }
    out.push_back(std::move(row));
  }
  return out;
}

// The table counts the bones of ASCII files twice: once for the node and once for its attribute.
constexpr const char* kBonesCountedTwice[] = {
    "fbx/ufbx/maya_anim_no_inherit_scale_7700_ascii.fbx",
    "fbx/ufbx/maya_skinned_pivot_7700_ascii.fbx",
};

// Files without bones, 0 in the table: a joint for each node that moves or carries a mesh.
constexpr std::pair<const char*, int> kNodesAsJoints[] = {
    {"fbx/assimp/close_to_identity_transforms.fbx", 4},
    {"fbx/assimp/cubes_with_mirroring_and_pivot.fbx", 4},
    {"fbx/ufbx/maya_rotation_order_7500_binary.fbx", 6},
    {"fbx/ufbx/maya_anim_pivot_rotate_7700_ascii.fbx", 1},
    {"fbx/ufbx/maya_anim_layers_over_acc_7500_binary.fbx", 1},
    {"fbx/ufbx/max2009_cube_anim_6100_ascii.fbx", 1},
    {"fbx/ufbx/blender_340_z_up_7400_binary.fbx", 2},
    {"fbx/ufbx/maya_anim_interpolation_7700_ascii.fbx", 1},
};

const RawClip* clip_named(const Model& model, const std::string& name) {
  for (const RawClip& clip : model.clips) {
    if (clip.name == name) return &clip;
  }
  return nullptr;
}

TEST(DataFbx, EveryFileHasTheJointsAndClipsOfTheTable) {
  SINEW_SKIP_WITHOUT_DATA();
  const std::vector<Row> rows = table();
  ASSERT_GE(rows.size(), 22u);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.file);
    const Result<Model> model = load_fbx(data_path(row.file));
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    int joints = row.joints;
    for (const char* twice : kBonesCountedTwice) joints = row.file == twice ? joints / 2 : joints;
    for (const auto& [file, nodes] : kNodesAsJoints) joints = row.file == file ? nodes : joints;
    EXPECT_EQ(model->skeleton.joint_count(), joints);
    EXPECT_EQ(model->clips.size(), row.clips.size());
    for (const auto& [name, seconds] : row.clips) {
      const RawClip* clip = clip_named(*model, name);
      ASSERT_NE(clip, nullptr) << name;
      EXPECT_TRUE(validate(*clip, model->skeleton).ok());
      EXPECT_GT(clip->duration, 0);
      if (seconds >= 0) {
        EXPECT_NEAR(clip->duration, seconds, 0.0051) << name;
      }
    }
  }
}

// The bind pose of a skin, applied to its own mesh at rest, keeps the mesh where the rest pose is
// the bind pose; it stays near it elsewhere.
TEST(DataFbx, SkinsFitTheirSkeletons) {
  SINEW_SKIP_WITHOUT_DATA();
  int checked = 0;
  for (const Row& row : table()) {
    SCOPED_TRACE(row.file);
    const Result<Model> model = load_fbx(data_path(row.file));
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    for (const Mesh& mesh : model->meshes) {
      if (mesh.skin < 0) continue;
      const Skin& skin = model->skins.at(static_cast<std::size_t>(mesh.skin));
      Vec3 low = mesh.positions.at(0), high = low, bound_low = low, bound_high = low;
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec4 w = mesh.weights[v];
        EXPECT_NEAR(w.x + w.y + w.z + w.w, 1, 1e-5);
        const float weights[4] = {w.x, w.y, w.z, w.w};
        Vec3 p;
        for (std::size_t k = 0; k < 4; ++k) {
          const std::size_t joint = mesh.joints[v][k];
          const Mat3x4 m =
              model->skeleton.rest_model()[static_cast<std::size_t>(skin.joints.at(joint))] *
              skin.inverse_bind[joint];
          p += weights[k] * transform_point(m, mesh.positions[v]);
        }
        low = v == 0 ? p : min(low, p);
        high = v == 0 ? p : max(high, p);
        bound_low = min(bound_low, mesh.positions[v]);
        bound_high = max(bound_high, mesh.positions[v]);
      }
      const float size = length(bound_high - bound_low);
      EXPECT_NEAR(length(high - low), size, 0.35f * size);
      // In this file the skeleton was moved by two units after the bind.
      const float moved = row.file.find("maya_skinned_pivot") != std::string::npos ? 0.02f : 0;
      EXPECT_LT(distance((low + high) / 2, (bound_low + bound_high) / 2), moved + 0.5f * size);
      ++checked;
    }
  }
  EXPECT_GE(checked, 6);
}

// One motion in two files, with other bones keyed: the same body.
TEST(DataFbx, TheSameWalkInTwoFiles) {
  SINEW_SKIP_WITHOUT_DATA();
  const Result<Model> one = load_fbx(data_path("fbx/ozz_pab/walk.fbx"));
  Result<Model> two = load_fbx(data_path("fbx/ozz_pab/locomotions.fbx"));
  ASSERT_TRUE(one.ok() && two.ok());
  const RawClip* walk = clip_named(*two, "walk");
  ASSERT_NE(walk, nullptr);
  const RawClip copy = *walk;
  two->clips = {copy};
  float worst = 0;
  for (int frame = 0; frame <= 40; ++frame) {
    const float t = static_cast<float>(frame) / 30;
    const std::vector<Vec3> a = positions_at(*one, t), b = positions_at(*two, t);
    for (int j = 0; j < one->skeleton.joint_count(); ++j) {
      const Result<int> other = two->skeleton.require(one->skeleton.name(j));
      ASSERT_TRUE(other.ok()) << to_string(other.error());
      // Ends of fingers and toes that one of the files does not animate.
      if (one->skeleton.name(j).find("Nub") != std::string::npos) continue;
      worst =
          max(worst, distance(a[static_cast<std::size_t>(j)], b[static_cast<std::size_t>(*other)]));
    }
  }
  EXPECT_LT(worst, 1e-4f * one->skeleton.height());
}

// A person walks 1.42 m along +Z on the ground, upright, in metres.
TEST(DataFbx, TheWalkerWalksOnTheGround) {
  SINEW_SKIP_WITHOUT_DATA();
  const Result<Model> model = load_fbx(data_path("fbx/ozz_pab/walk.fbx"));
  ASSERT_TRUE(model.ok());
  const int head = *model->skeleton.find("Head"), hips = *model->skeleton.find("Hips");
  for (int frame = 0; frame <= 40; ++frame) {
    const std::vector<Vec3> p = positions_at(*model, static_cast<float>(frame) / 30);
    float lowest = 10;
    for (const Vec3& one : p) lowest = min(lowest, one.y);
    EXPECT_NEAR(lowest, 0, 0.04f);
    EXPECT_NEAR(p[static_cast<std::size_t>(head)].y, 1.6f, 0.05f);
    EXPECT_NEAR(p[static_cast<std::size_t>(hips)].y, 1.0f, 0.05f);
  }
  const float travel = positions_at(*model, 4 / 3.0f)[static_cast<std::size_t>(hips)].z -
                       positions_at(*model, 0)[static_cast<std::size_t>(hips)].z;
  EXPECT_NEAR(travel, 1.42f, 0.01f);
}

// Keys of every kind along X, in centimetres: the values between keys follow from the kinds.
TEST(DataFbx, KindsOfKeys) {
  SINEW_SKIP_WITHOUT_DATA();
  FbxOptions options;
  options.metres_per_unit = 1;
  options.sample_rate = 240;
  const Result<Model> model =
      load_fbx(data_path("fbx/ufbx/maya_anim_interpolation_7700_ascii.fbx"), options);
  ASSERT_TRUE(model.ok()) << to_string(model.error());
  const auto x = [&](float t) { return positions_at(*model, t)[0].x; };
  EXPECT_NEAR(x(0.5f), -3, 1e-4);    // linear from -2 to -4
  EXPECT_NEAR(x(0.75f), -4, 1e-4);   // holds
  EXPECT_NEAR(x(0.9f), -8, 1e-4);    // holds the next
  EXPECT_NEAR(x(1.1f), -8, 1e-4);    // holds
  EXPECT_NEAR(x(1.25f), -11, 1e-4);  // linear from -10 to -12
  EXPECT_NEAR(x(1.4f), -14, 1e-4);   // holds the next
  EXPECT_NEAR(x(1.6f), -14, 1e-4);   // holds
  EXPECT_NEAR(x(2.0f), -14, 1e-4);   // behind the last key
}

// Segment scale compensation (Rrs): a joint's own scale alone makes its thickness, whatever those
// above it do. Rest scales are folded into the lengths, so that they count as 1.
TEST(DataFbx, CompensatedScale) {
  SINEW_SKIP_WITHOUT_DATA();
  const Result<Model> model =
      load_fbx(data_path("fbx/ufbx/maya_anim_no_inherit_scale_7700_ascii.fbx"));
  ASSERT_TRUE(model.ok()) << to_string(model.error());
  std::vector<Transform> pose(static_cast<std::size_t>(model->skeleton.joint_count()));
  bool grows = false;
  for (int frame = 0; frame <= 24; ++frame) {
    sample(model->clips.at(0), model->skeleton, static_cast<float>(frame) / 24, pose);
    // joint3 has 1 until frame 18 and 1.5 at the end: nothing else must come out in the world.
    ASSERT_EQ(model->skeleton.name(2), "joint3");
    const float product = pose[0].scale.x * pose[1].scale.x * pose[2].scale.x;
    if (frame <= 18) {
      EXPECT_NEAR(product, 1, 1e-4) << frame;
    }
    if (frame == 24) {
      EXPECT_NEAR(product, 1.5, 1e-4);
    }
    grows = grows || pose[1].scale.x > 1.2f || pose[1].scale.x < 0.8f;
  }
  EXPECT_TRUE(grows);
}

}  // namespace
}  // namespace sinew
