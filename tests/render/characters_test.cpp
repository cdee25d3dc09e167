// Real characters: each is read, posed in the middle of a clip, framed and drawn. The pictures are
// left in the build folder (pictures/), to be looked at.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include <sinew/import/gltf.hpp>
#include <sinew/pose/model_pose.hpp>
#include <sinew/render/renderer.hpp>
#include <sinew/render/sheet.hpp>

namespace sinew::render {
namespace {

constexpr int kWidth = 480, kHeight = 270;

std::vector<Mat3x4> pose_at(const Model& model, const RawClip& clip, float time) {
  const Skeleton& skeleton = model.skeleton;
  std::vector<Transform> local(static_cast<std::size_t>(skeleton.joint_count()));
  sample(clip, skeleton, time, local);
  Pose pose(skeleton);
  to_pose(skeleton, local, pose);
  std::vector<Mat3x4> out(local.size());
  local_to_model(skeleton, pose, out);
  return out;
}

// Columns and rows in which two pictures differ.
struct Area {
  int left = kWidth, right = -1, top = kHeight, bottom = -1, pixels = 0;
};
Area difference(const Image& a, const Image& b) {
  Area area;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const std::size_t i = static_cast<std::size_t>(y * kWidth + x) * 4;
      int d = 0;
      for (std::size_t c = i; c < i + 3; ++c) d = std::max(d, std::abs(a.rgba[c] - b.rgba[c]));
      if (d < 16) continue;
      area.left = std::min(area.left, x);
      area.right = std::max(area.right, x);
      area.top = std::min(area.top, y);
      area.bottom = std::max(area.bottom, y);
      ++area.pixels;
    }
  }
  return area;
}

class DataCharacters : public testing::TestWithParam<const char*> {};

TEST_P(DataCharacters, AreInThePictureAsAWhole) {
  const std::string data = SINEW_DATA_DIR;
  if (data.empty()) GTEST_SKIP() << "SKIPPED: SINEW_DATA is not set";
  RendererSettings settings;
  settings.width = kWidth;
  settings.height = kHeight;
  auto renderer = Renderer::create(settings);
  if (!renderer) GTEST_SKIP() << "SKIPPED: no EGL: " << to_string(renderer.error());
  auto model = gltf::load(data + "/" + GetParam());
  ASSERT_TRUE(model.ok()) << to_string(model.error());
  auto id = (*renderer)->upload(*model);
  ASSERT_TRUE(id.ok()) << to_string(id.error());

  Instance instance;
  instance.model = *id;
  std::vector<Mat3x4> joints;
  if (!model->clips.empty()) {
    joints = pose_at(*model, model->clips[0], 0.4f * model->clips[0].duration);
    instance.joints = joints;
  }
  auto box = (*renderer)->bounds(instance);
  ASSERT_TRUE(box.ok());
  ASSERT_FALSE(box->empty());
  Frame frame_;
  frame_.camera = frame(*box, {}, static_cast<float>(kWidth) / kHeight);
  frame_.light.shadows = false;
  frame_.ground.contact_shadow = false;
  Image empty, character, bones, whole;
  ASSERT_TRUE((*renderer)->render(frame_, empty).ok());
  frame_.instances = {instance};
  ASSERT_TRUE((*renderer)->render(frame_, character).ok());
  const Area area = difference(empty, character);
  EXPECT_GT(area.pixels, kWidth * kHeight / 100);
  EXPECT_LT(area.pixels, kWidth * kHeight * 6 / 10);
  EXPECT_GT(area.left, 5);
  EXPECT_LT(area.right, kWidth - 6);
  EXPECT_GT(area.top, 2);
  EXPECT_LT(area.bottom, kHeight - 3);
  EXPECT_GT(std::max((area.right - area.left) * kHeight / kWidth, area.bottom - area.top),
            kHeight * 4 / 10)
      << "framed too small";

  const bool has_bones = model->skeleton.joint_count() > 4;
  frame_.instances[0].show_bones = has_bones;
  ASSERT_TRUE((*renderer)->render(frame_, bones).ok());
  if (has_bones) {
    EXPECT_GT(difference(character, bones).pixels, 40);
  }

  frame_.instances[0].show_bones = false;
  frame_.light.shadows = true;
  frame_.ground.contact_shadow = true;
  frame_.ground.height = box->low.y;
  ASSERT_TRUE((*renderer)->render(frame_, whole).ok());
  EXPECT_GT(difference(character, whole).pixels, 100) << "it throws a shadow";

  ContactSheet sheet(kWidth, kHeight, 2, {model->name});
  sheet.add(whole, "as it is");
  sheet.add(bones, "with its bones");
  const std::filesystem::path folder = std::filesystem::path(SINEW_BINARY_DIR) / "pictures";
  std::filesystem::create_directories(folder);
  const Status written = write_png(sheet.compose(), folder / (model->name + ".png"));
  EXPECT_TRUE(written.ok());
}

INSTANTIATE_TEST_SUITE_P(Data, DataCharacters,
                         testing::Values("gltf_humanoid/kaykit_adventurers/Barbarian.glb",
                                         "gltf_humanoid/quaternius/Character.glb",
                                         "gltf_humanoid/quaternius/KnightCharacter.glb",
                                         "gltf_animals/quaternius/Wolf.glb",
                                         "gltf_animals/quaternius/Horse.glb",
                                         "gltf_khronos/Fox.glb", "gltf_khronos/CesiumMan.glb",
                                         "gltf_khronos/BoxAnimated.glb",
                                         "gltf_khronos/AnimatedMorphCube.glb"));

}  // namespace
}  // namespace sinew::render
