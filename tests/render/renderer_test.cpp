#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

#include <sinew/render/renderer.hpp>
#include <sinew/render/shapes.hpp>

#include "test_character.hpp"

namespace sinew::render {
namespace {

struct Pixel {
  int r, g, b;
  int sum() const { return r + g + b; }
  bool red() const { return r > 60 && r > 2 * g && r > 2 * b; }
};

Pixel at(const Image& image, int x, int y) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) {
    ADD_FAILURE() << x << ", " << y << " lies outside the picture";
    return {};
  }
  const std::size_t i = static_cast<std::size_t>(y * image.width + x) * 4;
  return {image.rgba[i], image.rgba[i + 1], image.rgba[i + 2]};
}

template <class Test>
int count(const Image& image, Test test) {
  int n = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) n += test(at(image, x, y)) ? 1 : 0;
  }
  return n;
}

int differing(const Image& a, const Image& b, int tolerance = 12) {
  int n = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    int d = 0;
    for (std::size_t c = 0; c < 3; ++c) d = std::max(d, std::abs(a.rgba[i + c] - b.rgba[i + c]));
    n += d > tolerance ? 1 : 0;
  }
  return n;
}

// The pixel of a world position, from the documented camera model alone.
Vec2 pixel_of(const Camera& camera, Vec3 p, int width, int height) {
  const Vec3 back = normalize_or(camera.eye - camera.target, kAxisZ);
  const Vec3 right = normalize_or(cross(camera.up, back), kAxisX);
  const Vec3 d = p - camera.eye;
  const float f = 0.5f * static_cast<float>(height) / tan(0.5f * camera.fov_y) / -dot(d, back);
  return {0.5f * static_cast<float>(width) + dot(d, right) * f,
          0.5f * static_cast<float>(height) - dot(d, cross(back, right)) * f};
}

class Pictures : public testing::Test {
 protected:
  static constexpr int kWidth = 320, kHeight = 240;

  void SetUp() override {
    RendererSettings settings;
    settings.width = kWidth;
    settings.height = kHeight;
    auto made = Renderer::create(settings);
    if (!made) GTEST_SKIP() << "SKIPPED: no EGL: " << to_string(made.error());
    renderer_ = std::move(*made);
    model_ = make_test_character();
    auto id = renderer_->upload(model_);
    ASSERT_TRUE(id.ok()) << to_string(id.error());
    instance_.model = *id;
    frame_.instances.push_back(instance_);
    frame_.ground.axes = false;  // one of them is red, as the character is
    auto box = renderer_->bounds(instance_);
    ASSERT_TRUE(box.ok());
    View view;
    view.yaw = 0;
    frame_.camera = frame(*box, view, static_cast<float>(kWidth) / kHeight);
  }

  Image draw(const Frame& frame) {
    Image image;
    const Status drawn = renderer_->render(frame, image);
    EXPECT_TRUE(drawn.ok()) << (drawn.ok() ? "" : to_string(drawn.error()));
    EXPECT_EQ(image.width, kWidth);
    EXPECT_EQ(image.height, kHeight);
    EXPECT_EQ(image.rgba.size(), static_cast<std::size_t>(kWidth * kHeight * 4));
    return image;
  }

  Pixel world(const Image& image, Vec3 p) {
    const Vec2 xy = pixel_of(frame_.camera, p, kWidth, kHeight);
    return at(image, static_cast<int>(xy.x), static_cast<int>(xy.y));
  }

  std::unique_ptr<Renderer> renderer_;
  Model model_;
  Instance instance_;
  Frame frame_;
};

TEST_F(Pictures, TheCharacterStandsInTheMiddle) {
  const Image image = draw(frame_);
  EXPECT_TRUE(world(image, {0, 1.2f, 0.12f}).red());
  EXPECT_TRUE(world(image, {0, 1.66f, 0.11f}).red());
  EXPECT_TRUE(world(image, {0.11f, 0.1f, 0.08f}).red()) << "the left leg";
  EXPECT_FALSE(world(image, {0, 0.4f, 0.0f}).red()) << "between the legs";
  const int red = count(image, [](Pixel p) { return p.red(); });
  EXPECT_GT(red, kWidth * kHeight / 40);
  EXPECT_LT(red, kWidth * kHeight / 3);
  for (int x : {2, kWidth - 3}) EXPECT_FALSE(at(image, x, kHeight / 2).red());
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) ASSERT_EQ(image.rgba[i], 255);
}

TEST_F(Pictures, LeftIsOnTheRightOfAFrontView) {
  const auto joints = posed(model_, "left_arm", from_axis_angle(kAxisZ, kHalfPi));
  frame_.instances[0].joints = joints;
  const Image image = draw(frame_);
  EXPECT_TRUE(world(image, {0.7f, 1.45f, 0.06f}).red()) << "the raised arm";
  EXPECT_FALSE(world(image, {0.26f, 0.9f, 0.06f}).red()) << "where it hung";
  const Vec2 arm = pixel_of(frame_.camera, {0.7f, 1.45f, 0.06f}, kWidth, kHeight);
  EXPECT_GT(arm.x, kWidth / 2 + 20);
}

TEST_F(Pictures, TheSkyIsAboveTheGround) {
  frame_.instances.clear();
  frame_.ground.color = rgb(0x00aa00);
  frame_.ground.grid_step = 0;
  frame_.backdrop = {rgb(0x0000ff), rgb(0x0000ff)};
  const Image image = draw(frame_);
  EXPECT_GT(at(image, kWidth / 2, 2).b, 200);
  EXPECT_NEAR(world(image, {0.5f, 0, 0.1f}).g, 0xaa, 3) << "open ground has the colour asked for";
  EXPECT_LT(world(image, {0.5f, 0, 0.1f}).b, 20);
}

TEST_F(Pictures, GridLinesLieOnWholeMetres) {
  frame_.instances.clear();
  frame_.camera = {{0.5f, 4, 0.51f}, {0.5f, 0, 0.5f}, {0, 1, 0}, 0.6f};
  const Image image = draw(frame_);
  const int plain = world(image, {0.5f, 0, 0.5f}).sum();
  for (Vec3 on : {Vec3{0, 0, 0.5f}, Vec3{1, 0, 0.5f}, Vec3{0.5f, 0, 0}, Vec3{0.5f, 0, 1}}) {
    int darkest = plain;
    for (float d : {-0.02f, -0.01f, 0.0f, 0.01f, 0.02f}) {
      darkest = std::min(darkest, world(image, on + Vec3{d, 0, d}).sum());
    }
    EXPECT_LT(darkest, plain - 30);
  }
  EXPECT_NEAR(world(image, {0.25f, 0, 0.7f}).sum(), plain, 6);
}

TEST_F(Pictures, TheShadowIsDarkerThanTheGround) {
  frame_.ground.grid_step = 0;
  frame_.light.direction = {1, 1, 0.4f};  // from the left: the shadow falls toward -X
  const Image lit = draw(frame_);
  const Vec3 in_shadow{-1.0f, 0, -0.4f};  // of the trunk, 1 m up
  const Vec3 in_light{1.0f, 0, -0.4f};
  EXPECT_LT(world(lit, in_shadow).sum(), world(lit, in_light).sum() - 60);

  frame_.light.shadows = false;
  frame_.ground.contact_shadow = false;
  const Image without = draw(frame_);
  EXPECT_NEAR(world(without, in_shadow).sum(), world(without, in_light).sum(), 12);
}

TEST_F(Pictures, FeetHaveAContactShadowEvenWithoutTheKeyLight) {
  frame_.ground.grid_step = 0;
  frame_.light.shadows = false;
  const Image image = draw(frame_);
  const int near_foot = world(image, {0.11f, 0, 0.095f}).sum();
  const int open = world(image, {0.8f, 0, 0.1f}).sum();
  EXPECT_LT(near_foot, open - 40);
}

TEST_F(Pictures, AShadowFallsOnTerrainAndOnOthers) {
  Mesh slope;
  add_terrain(slope, 4, 16, [](float, float z) { return 0.1f * z - 0.2f; });
  auto id = renderer_->upload(make_prop(slope, {1, 1, 1, 1}));
  ASSERT_TRUE(id.ok());
  Instance terrain;
  terrain.model = *id;
  terrain.as_ground = true;
  frame_.instances.push_back(terrain);
  frame_.ground.visible = false;
  frame_.ground.grid_step = 0;
  frame_.light.direction = {1, 1, 0.4f};
  const Image image = draw(frame_);
  const auto on_slope = [](float x, float z) { return Vec3{x, 0.1f * z - 0.2f, z}; };
  EXPECT_LT(world(image, on_slope(-1.2f, -0.45f)).sum(),
            world(image, on_slope(1.2f, -0.45f)).sum() - 60);
}

TEST_F(Pictures, BonesAreDrawnOverTheMesh) {
  const Image without = draw(frame_);
  frame_.instances[0].show_bones = true;
  const Image with = draw(frame_);
  EXPECT_GT(differing(without, with), 200);
  const Pixel spine = world(with, {0, 1.25f, 0});
  EXPECT_FALSE(spine.red());
  EXPECT_GT(spine.g, 80) << "bones are amber";
  frame_.instances[0].show_mesh = false;
  const Image alone = draw(frame_);
  EXPECT_EQ(count(alone, [](Pixel p) { return p.red(); }), 0);
}

TEST_F(Pictures, BothSidesOfASurfaceAreLitAndShown) {
  // A sheet seen from the front and from behind, normals right and wrong way round.
  for (float facing : {1.0f, -1.0f}) {
    Mesh sheet;
    sheet.positions = {{-0.5f, 0.5f, 0}, {0.5f, 0.5f, 0}, {-0.5f, 1.5f, 0}, {0.5f, 1.5f, 0}};
    sheet.normals.assign(4, Vec3{0, 0, facing});
    sheet.indices = {0, 1, 2, 2, 1, 3};
    auto id = renderer_->upload(make_prop(sheet, {0.6f, 0.03f, 0.03f, 1}));
    ASSERT_TRUE(id.ok());
    frame_.instances = {Instance{}};
    frame_.instances[0].model = *id;
    const Pixel p = world(draw(frame_), {0.2f, 1, 0});
    EXPECT_TRUE(p.red());
    EXPECT_GT(p.r, 140) << "lit from the front";
  }
}

TEST_F(Pictures, TexturesAreShownAsPainted) {
  Model prop;
  {
    Mesh sheet;
    sheet.positions = {{-0.5f, 0.5f, 0}, {0.5f, 0.5f, 0}, {-0.5f, 1.5f, 0}, {0.5f, 1.5f, 0}};
    sheet.uvs = {{0, 1}, {1, 1}, {0, 0}, {1, 0}};
    sheet.indices = {0, 1, 2, 2, 1, 3};
    prop = make_prop(sheet, {1, 1, 1, 1});
    Image image = make_image(64, 64, rgb(0x2060c0));
    fill_rect(image, 0, 0, 64, 32, rgb(0x30b040));  // upper half green
    prop.images.push_back(image);
    prop.materials[0].base_color_image = 0;
  }
  auto id = renderer_->upload(prop);
  ASSERT_TRUE(id.ok());
  frame_.instances = {Instance{}};
  frame_.instances[0].model = *id;
  const Image image = draw(frame_);
  const Pixel upper = world(image, {0.1f, 1.3f, 0}), lower = world(image, {0.1f, 0.7f, 0});
  EXPECT_GT(upper.g, upper.b + 60);
  EXPECT_GT(lower.b, lower.r + 60);
  EXPECT_NEAR(lower.b, 0xc0, 45);
}

TEST_F(Pictures, GhostsLetTheBackgroundThrough) {
  const Image solid = draw(frame_);
  frame_.instances[0].tint.a = 0.4f;
  const Image ghost = draw(frame_);
  const Vec3 chest{0, 1.2f, 0.12f};
  EXPECT_GT(world(ghost, chest).g, world(solid, chest).g + 40);
  EXPECT_GT(world(ghost, chest).r, world(ghost, chest).g + 15);
}

TEST_F(Pictures, MarksAreDrawnWhereTheyShouldBe) {
  frame_.debug.set_depth(DebugDraw::Depth::kOnTop);
  frame_.debug.set_width(4);
  frame_.debug.line({-0.9f, 1.7f, 0}, {-0.5f, 1.7f, 0}, rgb(0x0000ff));
  frame_.debug.point({0.7f, 1.0f, 0}, rgb(0x00ff00), 16);
  frame_.debug.line({-0.9f, 1.7f, 500}, {-0.9f, 1.7f, -500},
                    rgb(0x0000ff));  // through the eye's plane
  const Image image = draw(frame_);
  const Pixel line = world(image, {-0.7f, 1.7f, 0}), point = world(image, {0.7f, 1.0f, 0});
  EXPECT_GT(line.b, 200);
  EXPECT_LT(line.r, 60);
  EXPECT_GT(point.g, 200);
  EXPECT_LT(point.r, 60);
}

TEST_F(Pictures, HiddenMarksShowThroughFaintlyOrNotAtAll) {
  const Vec3 a{0, 1.0f, -0.5f}, b{0, 1.4f, -0.5f}, middle{0, 1.2f, -0.5f};
  const Image plain = draw(frame_);
  int blue[3] = {};
  for (auto depth :
       {DebugDraw::Depth::kHidden, DebugDraw::Depth::kSeeThrough, DebugDraw::Depth::kOnTop}) {
    frame_.debug.clear();
    frame_.debug.set_width(6);
    frame_.debug.set_depth(depth);
    frame_.debug.line(a, b, rgb(0x0000ff));
    const Image image = draw(frame_);
    blue[depth == DebugDraw::Depth::kHidden ? 0
                                            : (depth == DebugDraw::Depth::kSeeThrough ? 1 : 2)] =
        world(image, middle).b;
  }
  EXPECT_NEAR(blue[0], world(plain, middle).b, 3);
  EXPECT_GT(blue[1], blue[0] + 25);
  EXPECT_GT(blue[2], blue[1] + 50);
}

TEST_F(Pictures, TextsAndLabels) {
  const Image plain = draw(frame_);
  OverlayText text;
  text.text = "0.35 s";
  text.style.color = rgb(0x000000);
  frame_.texts.push_back(text);
  text.corner = OverlayText::Corner::kBottomRight;
  frame_.texts.push_back(text);
  frame_.debug.label({0.6f, 1, 0}, "target", rgb(0x000000));
  frame_.debug.label({0, 0, 100}, "behind the eye");
  const Image image = draw(frame_);
  const auto dark = [](Pixel p) { return p.sum() < 120; };
  EXPECT_GT(count(image, dark), count(plain, dark) + 150);
  Image corner = make_image(90, 30, rgb(0xffffff));
  blit(corner, -(kWidth - 95), -(kHeight - 40), image);
  EXPECT_GT(count(corner, dark), 40);
}

TEST_F(Pictures, BadInputIsAnErrorOrLeftOut) {
  Frame bad = frame_;
  bad.instances[0].model = ModelId{77};
  Image image;
  EXPECT_EQ(renderer_->render(bad, image).error().code, ErrorCode::kNotFound);

  const std::vector<Mat3x4> three(3);
  bad = frame_;
  bad.instances[0].joints = three;
  EXPECT_EQ(renderer_->render(bad, image).error().code, ErrorCode::kMismatch);

  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  auto joints = posed(model_, "head", {});
  joints[2].row[1].w = nan;
  bad = frame_;
  bad.instances[0].joints = joints;
  bad.debug.line({nan, 0, 0}, {1, inf, 0}, rgb(0xff0000));
  bad.debug.point({0, nan, 0}, rgb(0xff0000));
  bad.debug.label({0, nan, 0}, "x");
  bad.light.direction = {nan, 0, 0};
  const Image left_out = draw(bad);
  EXPECT_EQ(count(left_out, [](Pixel p) { return p.red(); }), 0);

  bad = frame_;
  bad.camera = {{nan, 0, 0}, {inf, 0, 0}, {0, 0, 0}, nan};
  draw(bad);
  bad.camera = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, 0.5f};
  draw(bad);
  bad.camera = {{0, 3, 0}, {0, 0, 0}, {0, 1, 0}, 0.5f};  // straight down along up
  draw(bad);
}

TEST_F(Pictures, TheSameFrameTwiceIsTheSamePicture) {
  frame_.instances[0].show_bones = true;
  EXPECT_EQ(draw(frame_).rgba, draw(frame_).rgba);
}

TEST_F(Pictures, SeveralRenderersAndReleasedModels) {
  RendererSettings settings;
  settings.width = 64;
  settings.height = 48;
  settings.samples = 1;
  auto other = Renderer::create(settings);
  ASSERT_TRUE(other.ok());
  EXPECT_EQ((*other)->samples(), 1);
  auto id = (*other)->upload(model_);
  ASSERT_TRUE(id.ok());
  Frame small = frame_;
  small.instances[0].model = *id;
  Image image;
  ASSERT_TRUE((*other)->render(small, image).ok());
  EXPECT_TRUE(at(image, 32, 20).red());
  EXPECT_TRUE(world(draw(frame_), {0, 1.2f, 0.12f}).red());
  (*other)->release(*id);
  EXPECT_FALSE((*other)->render(small, image).ok());
  other->reset();
  EXPECT_TRUE(world(draw(frame_), {0, 1.2f, 0.12f}).red());
}

TEST(RendererSettings, SizesOutOfRangeAreErrors) {
  for (auto [w, h] : {std::pair{0, 10}, std::pair{10, -1}, std::pair{100000, 10}}) {
    RendererSettings settings;
    settings.width = w;
    settings.height = h;
    const auto made = Renderer::create(settings);
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().code, ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace sinew::render
