// Every glTF file of SINEW_DATA has the joints, clips and lengths that its TABLE.tsv lists.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/asset/clip.hpp>
#include <sinew/import/gltf.hpp>
#include <sinew/import/import.hpp>

namespace sinew {
namespace {

const std::string kData = SINEW_DATA_DIR;

std::vector<std::string> split(const std::string& text, const std::string& by) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t at; (at = text.find(by, from)) != std::string::npos; from = at + by.size()) {
    parts.push_back(text.substr(from, at - from));
  }
  parts.push_back(text.substr(from));
  return parts;
}

struct Row {
  std::string file;
  std::vector<std::size_t> skin_joints;
  std::vector<std::pair<std::string, double>> clips;
};

std::vector<Row> read_rows() {
  std::vector<Row> rows;
  std::ifstream stream(kData + "/TABLE.tsv");
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    const std::vector<std::string> cells = split(line, "\t");
    const std::string& file = cells[0];
    if (!file.ends_with(".glb") && !file.ends_with(".gltf")) continue;
    Row row{file, {}, {}};
    if (cells[4] != "0") {
      for (const std::string& n : split(cells[4], "/")) row.skin_joints.push_back(std::stoul(n));
    }
    for (const std::string& clip :
         cells[5].empty() ? std::vector<std::string>() : split(cells[5], "; ")) {
      const std::size_t space = clip.rfind(' ');
      row.clips.emplace_back(space == std::string::npos ? "" : clip.substr(0, space),
                             std::stod(clip.substr(space + 1)));
    }
    rows.push_back(row);
  }
  return rows;
}

class DataGltfTable : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kData.empty()) GTEST_SKIP() << "SKIPPED: SINEW_DATA is not set";
  }
};

// The table leaves out the armature in front of some names: "Armature|Walk".
std::string without_owner(const std::string& name) {
  return name.substr(name.find('|') == std::string::npos ? 0 : name.find('|') + 1);
}

void check_row(const Row& row, const Model& model, const gltf::Source& source) {
  ASSERT_EQ(model.skins.size(), row.skin_joints.size());
  std::set<int> joints;
  for (std::size_t i = 0; i < model.skins.size(); ++i) {
    EXPECT_EQ(model.skins[i].joints.size(), row.skin_joints[i]);
    EXPECT_EQ(model.skins[i].inverse_bind.size(), row.skin_joints[i]);
    for (std::size_t j = 0; j < row.skin_joints[i]; ++j) {
      const int joint = model.skins[i].joints[j];
      EXPECT_EQ(joint, source.joint_of_node[static_cast<std::size_t>(source.skin_nodes[i][j])]);
      joints.insert(joint);
    }
  }
  // In every file of the table the skins share all their joints, and nothing else moves.
  if (!row.skin_joints.empty()) {
    EXPECT_EQ(joints.size(), row.skin_joints[0]);
    EXPECT_EQ(static_cast<std::size_t>(model.skeleton.joint_count()), joints.size());
  }
  ASSERT_EQ(model.clips.size(), row.clips.size());
  for (std::size_t i = 0; i < model.clips.size(); ++i) {
    const auto& [name, duration] = row.clips[i];
    EXPECT_EQ(without_owner(model.clips[i].name),
              name.empty() ? "animation_" + std::to_string(i) : name);
    EXPECT_NEAR(static_cast<double>(model.clips[i].duration), duration, 0.00501) << name;
    EXPECT_TRUE(validate(model.clips[i], model.skeleton).ok());
    EXPECT_FALSE(model.clips[i].loop);
  }
}

TEST_F(DataGltfTable, JointsClipsAndLengthsAreThoseOfTheTable) {
  const std::vector<Row> rows = read_rows();
  EXPECT_GE(rows.size(), 30u);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.file);
    gltf::Source source;
    const Result<Model> model = gltf::load(kData + "/" + row.file, {}, source);
    if (row.file == "gltf_khronos/RiggedFigure_draco/RiggedFigure.gltf") {
      ASSERT_FALSE(model.ok());
      EXPECT_EQ(model.error().code, ErrorCode::kUnsupported);
      EXPECT_EQ(model.error().where, kData + "/" + row.file + ": extensionsRequired");
      EXPECT_NE(model.error().message.find("KHR_draco_mesh_compression"), std::string::npos);
      continue;
    }
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    check_row(row, *model, source);
    EXPECT_FALSE(has_errors(model->findings));
  }
}

TEST_F(DataGltfTable, EveryFileOutsideMalformedLoadsThroughTheRegistry) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kData)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".glb") && !path.ends_with(".gltf")) continue;
    if (path.find("/malformed/") != std::string::npos || path.find("draco") != std::string::npos)
      continue;
    const Result<Model> model = import_model(path);
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    EXPECT_EQ(model->name, entry.path().filename().string());
    ++files;
  }
  EXPECT_GE(files, 30);
}

Model load(const std::string& file) {
  Result<Model> model = gltf::load(kData + "/" + file);
  EXPECT_TRUE(model.ok()) << file;
  return model.ok() ? std::move(*model) : Model{};
}

bool scales(const Model& model) {
  return std::any_of(model.clips.begin(), model.clips.end(), [](const RawClip& clip) {
    return std::any_of(clip.tracks.begin(), clip.tracks.end(),
                       [](const JointTrack& track) { return !track.scale.empty(); });
  });
}

TEST_F(DataGltfTable, ScaleChannelsThatStayAtOneLeaveNoTrace) {
  for (const char* file : {"gltf_humanoid/kaykit_adventurers/Barbarian.glb",
                           "gltf_humanoid/kaykit_rig_medium/Med_MovementBasic.glb",
                           "gltf_humanoid/raylib/robot.glb"}) {
    const Model model = load(file);
    EXPECT_FALSE(scales(model)) << file;
    EXPECT_FALSE(model.skeleton.has_rest_scale()) << file;
  }
}

TEST_F(DataGltfTable, ArmatureScaleIsFoldedIntoMetres) {
  for (const char* file :
       {"gltf_humanoid/quaternius/Character.glb", "gltf_humanoid/quaternius/KnightCharacter.glb",
        "gltf_animals/quaternius/Horse.glb", "gltf_animals/quaternius/Wolf.glb"}) {
    const Model model = load(file);
    EXPECT_FALSE(model.skeleton.has_rest_scale()) << file;
    EXPECT_GT(model.skeleton.height(), 1.5f) << file;
    EXPECT_LT(model.skeleton.height(), 6.0f) << file;
  }
}

TEST_F(DataGltfTable, BodiesHaveTheirRoles) {
  for (const char* file : {"gltf_humanoid/kaykit_adventurers/Barbarian.glb",
                           "gltf_humanoid/quaternius/Character.glb"}) {
    const Model model = load(file);
    EXPECT_EQ(model.roles.plan, BodyPlan::kBiped) << file;
    for (const JointRole role :
         {JointRole::kHips, JointRole::kHead, JointRole::kLeftHand, JointRole::kRightUpperLeg}) {
      EXPECT_TRUE(model.roles.has(role)) << file << ' ' << to_string(role);
    }
  }
}

// Where rest and bind pose are one, skinning changes nothing, whatever was folded.
TEST_F(DataGltfTable, SkinningInTheBindPoseLeavesVerticesInPlace) {
  for (const char* file :
       {"gltf_humanoid/kaykit_adventurers/Barbarian.glb",
        "gltf_humanoid/kaykit_rig_medium/manny_med_mod.gltf", "gltf_humanoid/raylib/robot.glb"}) {
    const Model model = load(file);
    int vertices = 0;
    for (const Mesh& mesh : model.meshes) {
      if (mesh.skin < 0) continue;
      const Skin& skin = model.skins[static_cast<std::size_t>(mesh.skin)];
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const std::size_t j = mesh.joints[v][0];
        const Mat3x4 m = model.skeleton.rest_model()[static_cast<std::size_t>(skin.joints[j])] *
                         skin.inverse_bind[j];
        ASSERT_LT(distance(transform_point(m, mesh.positions[v]), mesh.positions[v]), 2e-4f)
            << file;
        ++vertices;
      }
    }
    EXPECT_GT(vertices, 1000) << file;
  }
}

TEST_F(DataGltfTable, WeaponsHangOnHandsAndTheSkinHasItsTexture) {
  const Model model = load("gltf_humanoid/kaykit_adventurers/Barbarian.glb");
  int rigid = 0, skinned = 0;
  for (const Mesh& mesh : model.meshes) {
    (mesh.skin >= 0 ? skinned : rigid) += 1;
    EXPECT_EQ(mesh.positions.size(), mesh.uvs.size());
    if (mesh.name == "1H_Axe") {
      ASSERT_NE(mesh.joint, kNoJoint);
      EXPECT_EQ(model.skeleton.name(mesh.joint), "handslot.r");
    }
    EXPECT_EQ(mesh.joint == kNoJoint, mesh.skin >= 0) << mesh.name;
    ASSERT_GE(mesh.material, 0);
    EXPECT_EQ(model.materials[static_cast<std::size_t>(mesh.material)].base_color_image, 0);
  }
  EXPECT_EQ(rigid, 7);
  EXPECT_EQ(skinned, 6);
  ASSERT_EQ(model.images.size(), 1u);
  const Image& image = model.images[0];
  EXPECT_GE(image.width, 64);
  EXPECT_EQ(image.rgba.size(),
            static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4);
}

}  // namespace
}  // namespace sinew
