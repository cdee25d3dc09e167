#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <sinew/render/camera.hpp>

#include "mat4.hpp"

namespace sinew::render {
namespace {

// Largest |x| and |y| of the box's corners on the picture, in [-1, 1] where they are in sight.
Vec2 extent_on_picture(const Camera& camera, const Bounds& box, float aspect) {
  const Mat4 m = perspective_flipped(camera.fov_y, aspect, 0.01f, 100) *
                 look_at(camera.eye, view_axes(camera.eye, camera.target, camera.up));
  Vec2 most;
  for (int i = 0; i < 8; ++i) {
    const Vec4 p =
        m * Vec4{(i & 1) != 0 ? box.high.x : box.low.x, (i & 2) != 0 ? box.high.y : box.low.y,
                 (i & 4) != 0 ? box.high.z : box.low.z, 1};
    EXPECT_GT(p.w, 0.0f);
    most = {max(most.x, abs(p.x / p.w)), max(most.y, abs(p.y / p.w))};
  }
  return most;
}

TEST(Bounds, GrowsAndIgnoresWhatIsNotFinite) {
  Bounds box;
  EXPECT_TRUE(box.empty());
  EXPECT_EQ(box.radius(), 0.0f);
  box.add(Vec3{1, 2, 3});
  box.add(Vec3{std::numeric_limits<float>::quiet_NaN(), 0, 0});
  box.add(Vec3{-1, 0, 3});
  EXPECT_EQ(box.low, (Vec3{-1, 0, 3}));
  EXPECT_EQ(box.high, (Vec3{1, 2, 3}));
  EXPECT_EQ(box.centre(), (Vec3{0, 1, 3}));
  box.add(Bounds{});
  EXPECT_EQ(box.high, (Vec3{1, 2, 3}));
}

TEST(Frame, FitsTheBoxExactly) {
  const Bounds box{{-0.4f, 0, -0.3f}, {0.4f, 1.8f, 0.3f}};
  for (float aspect : {0.5f, 1.0f, 1.78f}) {
    for (float yaw : {0.0f, 0.7f, 3.0f, -1.5f}) {
      for (float pitch : {-0.4f, 0.0f, 0.2f, 1.4f}) {
        View view;
        view.yaw = yaw;
        view.pitch = pitch;
        view.margin = 0.1f;
        const Vec2 most = extent_on_picture(frame(box, view, aspect), box, aspect);
        EXPECT_LE(most.x, 0.901f);
        EXPECT_LE(most.y, 0.901f);
        EXPECT_NEAR(max(most.x, most.y), 0.9f, 1e-3f) << yaw << " " << pitch << " " << aspect;
      }
    }
  }
}

TEST(Frame, YawZeroLooksAtTheFace) {
  View view;
  view.yaw = 0;
  view.pitch = 0;
  const Camera camera = frame({{-1, 0, -1}, {1, 2, 1}}, view, 1);
  EXPECT_GT(camera.eye.z, 1.0f);
  EXPECT_NEAR(camera.eye.x, 0, 1e-5f);
  view.yaw = kHalfPi;
  EXPECT_GT(frame({{-1, 0, -1}, {1, 2, 1}}, view, 1).eye.x, 1.0f);
}

TEST(Frame, BadValuesStillGiveACamera) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Camera camera = frame({}, {nan, nan, nan, nan}, nan);
  EXPECT_TRUE(is_finite(camera.eye));
  EXPECT_GT(distance(camera.eye, camera.target), 0.5f);
}

TEST(FollowCamera, ArrivesWithoutJumpingAndKeepsItsDistance) {
  Camera start;
  start.eye = {0, 1, 4};
  start.target = {0, 1, 0};
  FollowCamera follow(start, 0.1f);
  follow.update({0, 1, 0}, 0);
  float last = 0, fastest = 0;
  for (int i = 0; i < 120; ++i) {
    follow.update({2, 1, 0}, 1.0f / 60);
    const float x = follow.camera().target.x;
    fastest = max(fastest, abs(x - last));
    last = x;
    EXPECT_NEAR(distance(follow.camera().eye, follow.camera().target), 4, 1e-4f);
  }
  EXPECT_NEAR(last, 2, 1e-3f);
  EXPECT_LT(fastest, 0.2f);
  follow.update({std::numeric_limits<float>::infinity(), 0, 0}, 0.1f);
  EXPECT_NEAR(follow.camera().target.x, last, 1e-6f);
}

}  // namespace
}  // namespace sinew::render
