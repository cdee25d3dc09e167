// Every motion file at hand through the registry of formats, against what is known of it from
// elsewhere: the table of the data, the sources that files were made of, the raw text.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/asset/clip.hpp>
#include <sinew/import/import.hpp>

#include "mocap_testing.hpp"
#include "worker_testing.hpp"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::data_path;
using testing::expect_near;
using testing::positions_at;

constexpr const char* kFolders[] = {"bvh", "derived_bvh", "asf_amc", "fbx", "collada"};

// Files of which the table of the data has no figures (for the others see bvh_data_test.cpp and
// fbx_data_test.cpp): joints, clips, seconds of the first one.
struct Known {
  int joints;
  int clips;
  double seconds;
};

const std::map<std::string, Known>& known_files() {
  static const std::map<std::string, Known> kKnown = {
      {"asf_amc/cmu/02.asf", {31, 0, 0}},
      {"asf_amc/cmu/02_01.amc", {31, 1, 2.85}},
      {"asf_amc/cmu/02_02.amc", {31, 1, 2.475}},
      {"asf_amc/cmu/03.asf", {31, 0, 0}},
      {"asf_amc/cmu/03_01.amc", {31, 1, 3.592}},
      {"asf_amc/cmu/03_02.amc", {31, 1, 3.033}},
      {"collada/magnum/skin.dae", {4, 0, 0}},
      {"collada/magnum/exported-animation.dae", {3, 1, 7.5}},
      {"collada/assimp/anims_with_full_rotations_between_keys.DAE", {128, 1, 11.967}},
      {"collada/assimp/library_animation_clips.dae", {5, 2, 0.583}},
  };
  return kKnown;
}

// The importer looks for its worker beside the program; tests lie elsewhere.
class DataMotion : public ::testing::Test {
 protected:
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DATA();
    if (!std::string_view(SINEW_IMPORT_WORKER_PATH).empty())
      ::setenv("SINEW_IMPORT_WORKER", SINEW_IMPORT_WORKER_PATH, 1);
  }
  void TearDown() override { ::unsetenv("SINEW_IMPORT_WORKER"); }
};

std::vector<std::string> motion_files() {
  std::vector<std::string> out;
  for (const char* folder : kFolders) {
    for (const auto& entry : fs::recursive_directory_iterator(data_path(folder))) {
      std::string extension = entry.path().extension().string();
      for (char& c : extension) c = static_cast<char>(std::tolower(c));
      for (const char* known : {".bvh", ".asf", ".amc", ".fbx", ".dae"}) {
        if (extension == known)
          out.push_back(entry.path().lexically_relative(data_path("")).generic_string());
      }
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST_F(DataMotion, EveryFileOpensAndPlays) {
  SINEW_SKIP_WITHOUT_WORKER();
  const std::vector<std::string> files = motion_files();
  EXPECT_GE(files.size(), 50u);
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    const Result<Model> model = import_model(data_path(file));
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    EXPECT_GT(model->skeleton.joint_count(), 0);
    for (const RawClip& clip : model->clips) {
      EXPECT_TRUE(validate(clip, model->skeleton).ok());
      const Result<Clip> built = Clip::build(clip, model->skeleton);
      ASSERT_TRUE(built.ok()) << to_string(built.error());
      // Every key is met: no more samples than twice the keys of the fullest track, and 24 a
      // second.
      std::size_t keys = 1;
      for (const JointTrack& track : clip.tracks)
        keys = std::max({keys, track.rotation.times.size(), track.translation.times.size(),
                         track.scale.times.size()});
      EXPECT_LE(built->sample_count(),
                std::max<double>(2.0 * static_cast<double>(keys),
                                 240.0 * static_cast<double>(clip.duration) + 2));
    }
    if (!known_files().contains(file)) continue;
    const Known& known = known_files().at(file);
    EXPECT_EQ(model->skeleton.joint_count(), known.joints);
    ASSERT_EQ(static_cast<int>(model->clips.size()), known.clips);
    if (known.clips == 0) continue;
    EXPECT_NEAR(model->clips[0].duration, known.seconds, 0.001);
  }
}

// Each motion file under malformed/ has its stated outcome; the glTF files there have a test of
// their own. Texts that are refused say in which line.
TEST_F(DataMotion, MalformedFilesHaveTheirOutcome) {
  struct Outcome {
    const char* place;    // of the error; null: it loads
    const char* finding;  // the only finding beside the unit; null: none
    int joints;
    double seconds;
  };
  const std::map<std::string, Outcome> table = {
      {"b01_mixed_rotation_orders.bvh", {nullptr, nullptr, 2, 0.0333333}},
      {"b03_name_ends_with_End_zero_end_site.bvh", {nullptr, nullptr, 2, 0}},
      {"b05_frame_count_wrong.bvh", {nullptr, "bvh.frame_count", 2, 0.0333333}},
      {"b07_root_without_position.bvh", {nullptr, nullptr, 2, 0.0333333}},
      {"b08_nan_and_comma_decimals.bvh", {"line 18, column 13", nullptr, 0, 0}},
      {"b11_empty_motion.bvh", {nullptr, nullptr, 2, 0}},
  };
  std::set<std::string> met;
  for (const auto& entry : fs::recursive_directory_iterator(data_path("malformed"))) {
    const std::string name = entry.path().filename().string(),
                      extension = entry.path().extension().string();
    bool motion = false;
    for (const char* known : {".bvh", ".asf", ".amc", ".fbx", ".dae"})
      motion = motion || extension == known;
    if (!motion) continue;
    SCOPED_TRACE(name);
    ASSERT_TRUE(table.contains(name)) << "a new file: say what is to become of it";
    met.insert(name);
    const Outcome& outcome = table.at(name);
    const Result<Model> model = import_model(entry.path().string());
    ASSERT_EQ(model.ok(), outcome.place == nullptr);
    if (!model.ok()) {
      EXPECT_EQ(model.error().where, entry.path().string() + ": " + outcome.place);
      continue;
    }
    EXPECT_EQ(model->skeleton.joint_count(), outcome.joints);
    EXPECT_NEAR(model->clips.at(0).duration, outcome.seconds, 1e-6);
    std::vector<std::string> findings;
    for (const Finding& finding : model->findings) {
      if (finding.code != "bvh.unit") findings.push_back(finding.code);
    }
    EXPECT_EQ(findings, outcome.finding ? std::vector<std::string>{outcome.finding}
                                        : std::vector<std::string>{});
  }
  EXPECT_EQ(met.size(), table.size());
}

// The first and the last line of the root, by plain reading: the number of a CMU file is 1 / 0.45
// inch.
TEST_F(DataMotion, TheRootsOfAcclaimMotionsTravelAsTheirTextSays) {
  int checked = 0;
  for (const auto& entry : fs::directory_iterator(data_path("asf_amc/cmu"))) {
    if (entry.path().extension() != ".amc") continue;
    SCOPED_TRACE(entry.path().string());
    std::ifstream in(entry.path());
    std::vector<Vec3> places;
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string name;
      Vec3 p;
      if (words >> name >> p.x >> p.y >> p.z && name == "root") places.push_back(p);
    }
    const Result<Model> model = import_model(entry.path().string());
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    ASSERT_GE(places.size(), 2u);
    const float unit = 0.0254f / 0.45f;
    const float duration = model->clips.at(0).duration;
    EXPECT_NEAR(duration, static_cast<double>(places.size() - 1) / 120, 1e-5);
    const int root = *model->skeleton.find("root");
    const auto at = [&](float t) {
      return positions_at(*model, t)[static_cast<std::size_t>(root)];
    };
    expect_near(at(duration) - at(0), (places.back() - places.front()) * unit, 2e-5f);
    ++checked;
  }
  EXPECT_EQ(checked, 4);
}

// The BVH files that were made of DeepMimic's motions: joints of its humanoid, frames, durations
// and the travel of the root as these say, in metres.
TEST_F(DataMotion, DeepMimicsTakesAreTheirSources) {
  int checked = 0;
  for (const auto& entry : fs::directory_iterator(data_path("derived_bvh"))) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".bvh" || !stem.starts_with("dm_")) continue;
    SCOPED_TRACE(stem);
    std::ifstream in(data_path("deepmimic/humanoid3d_" + stem.substr(3) + ".txt"));
    const nlohmann::json source = nlohmann::json::parse(in, nullptr, false);
    ASSERT_TRUE(source.is_object());
    const auto& frames = source["Frames"];
    const Result<Model> model = import_model(entry.path().string());
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    EXPECT_EQ(model->skeleton.joint_count(), 15);
    EXPECT_EQ(model->unit.metres_per_unit, 1) << "found by the height of the body";
    const RawClip& clip = model->clips.at(0);
    ASSERT_EQ(clip.tracks.at(0).rotation.times.size(), frames.size());
    double seconds = 0;
    for (std::size_t i = 0; i + 1 < frames.size(); ++i) seconds += frames[i][0].get<double>();
    // The source's last steps differ from the even frame time of the BVH file.
    EXPECT_NEAR(clip.duration, seconds, 0.02);
    const auto place = [&](const nlohmann::json& frame) {
      return Vec3{frame[1].get<float>(), frame[2].get<float>(), frame[3].get<float>()};
    };
    expect_near(positions_at(*model, 0)[0], place(frames.front()), 2e-5f);
    expect_near(positions_at(*model, clip.duration)[0], place(frames.back()), 2e-5f);
    ++checked;
  }
  EXPECT_EQ(checked, 6);
}

// Takes of the CMU database, converted at half the rate: every second frame of the source.
TEST_F(DataMotion, CmuTakesAsBvhLastAsLongAsTheirSources) {
  for (const auto& [bvh, frames] :
       std::map<std::string, int>{{"cmu_02_01_walk_60hz", 343},
                                  {"cmu_03_01_uneven_walk_60hz", 432},
                                  {"cmu_03_02_uneven_walk_60hz", 365}}) {
    SCOPED_TRACE(bvh);
    const Result<Model> model = import_model(data_path("derived_bvh/" + bvh + ".bvh"));
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    EXPECT_EQ(model->skeleton.joint_count(), 31);
    EXPECT_NEAR(model->clips.at(0).duration, (frames - 1) / 2 / 60.0, 2e-4);
    EXPECT_EQ(Clip::build(model->clips.at(0), model->skeleton)->sample_count(),
              (frames - 1) / 2 + 1);
  }
}

// 2752 and 4511 rows of 0.0083333 s: 120 a second, not 240.
TEST_F(DataMotion, ARoundedFrameTimeDoesNotDoubleTheSamples) {
  for (const auto& [file, rows] :
       std::map<std::string, int>{{"bvh/cmu_cgspeed/01_01.bvh", 2752},
                                  {"bvh/cmu_cgspeed/01_03.bvh", 4511},
                                  {"bvh/boxing/Boxing_Toes.bvh", 3070},
                                  {"bvh/pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh", 1064}}) {
    SCOPED_TRACE(file);
    const Result<Model> model = import_model(data_path(file));
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    const Result<Clip> clip = Clip::build(model->clips.at(0), model->skeleton);
    ASSERT_TRUE(clip.ok());
    EXPECT_EQ(clip->sample_count(), rows);
  }
}

}  // namespace
}  // namespace sinew
