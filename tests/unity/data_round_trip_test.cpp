#include <algorithm>

#include <sinew/unity/clip.hpp>

#include "source_text.hpp"
#include "unity_testing.hpp"

namespace sinew::unity {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const char* extension) {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(SINEW_DATA_DIR) / "unity_yaml")) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool no_data() { return std::string_view(SINEW_DATA_DIR).empty(); }

TEST(DataUnity, EveryControllerLoadsCompilesAndComesBack) {
  if (no_data()) GTEST_SKIP() << "SINEW_DATA is not set";
  const std::vector<fs::path> files = files_of(".controller");
  EXPECT_GE(files.size(), 10u);
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.string());
    const Result<Controller> first = load_controller(file);
    ASSERT_TRUE(first) << to_string(first.error());
    for (const Finding& f : first->findings) EXPECT_NE(f.severity, Severity::kError) << f.message;
    Findings findings;
    EXPECT_TRUE(compile_controller(first->source, &findings)) << listing(findings);
    const Result<WrittenController> written = write_controller(*first);
    ASSERT_TRUE(written) << to_string(written.error());
    const Result<Controller> second = read_controller(written->text, "written");
    ASSERT_TRUE(second) << to_string(second.error());
    EXPECT_EQ(SourceText::of(first->source), SourceText::of(second->source));
    ASSERT_EQ(first->behaviours.size(), second->behaviours.size());
    for (std::size_t i = 0; i < first->behaviours.size(); ++i) {
      EXPECT_EQ(first->behaviours[i].fields, second->behaviours[i].fields);
    }
    // The source alone is enough for the graph: unnamed motions bear their references as names.
    const Result<WrittenController> alone = write_controller(first->source);
    ASSERT_TRUE(alone) << to_string(alone.error());
    const Result<Controller> third = read_controller(alone->text, "alone");
    ASSERT_TRUE(third);
    EXPECT_EQ(SourceText::of(first->source), SourceText::of(third->source));
  }
}

TEST(DataUnity, ClipsLoad) {
  if (no_data()) GTEST_SKIP() << "SINEW_DATA is not set";
  const fs::path folder = fs::path(SINEW_DATA_DIR) / "unity_yaml";
  const Result<Model> model = load_clip_model(folder / "pikmin/pikminMove.anim");
  ASSERT_TRUE(model) << to_string(model.error());
  ASSERT_EQ(model->skeleton.joint_count(), 2);
  const RawClip& clip = model->clips.front();
  EXPECT_FLOAT_EQ(clip.duration, 2.5f);
  EXPECT_TRUE(clip.loop);
  ASSERT_EQ(clip.tracks.size(), 1u);
  const Vec3 key = sample(clip.tracks[0].translation, 0.56666666f, Vec3{});
  EXPECT_NEAR(key.x, -0.648f, 1e-6f);  // mirrored
  EXPECT_NEAR(key.y, -0.4f, 1e-6f);
  EXPECT_NEAR(key.z, -1.774f, 1e-6f);

  const Result<AnimClip> fist = load_clip(folder / "gesture_manager/gesture_fist.anim");
  ASSERT_TRUE(fist) << to_string(fist.error());
  EXPECT_TRUE(fist->humanoid());
  EXPECT_EQ(fist->muscle_curves, 40);
  const Finding* finding = find_code(fist->findings, "unity.humanoid");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->place.substr(0, 5), "line ");
}

}  // namespace
}  // namespace sinew::unity
