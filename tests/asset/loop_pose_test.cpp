// Loop pose (state-machine rules, 13.8).
#include <vector>

#include <gtest/gtest.h>

#include <sinew/asset/clip.hpp>

#include "generators.hpp"

namespace sinew {
namespace {

// A root that travels, sways and turns, and a spine that ends bent.
struct Walker {
  Skeleton skeleton =
      Skeleton::build(
          std::vector<JointDef>{{"root", kNoJoint, {}}, {"spine", 0, {{0, 1, 0}, {}, {1, 1, 1}}}})
          .value();
  RawClip clip;

  Walker() {
    clip.name = "walk";
    clip.duration = 2;
    clip.loop = true;
    clip.annotations.loop_pose = true;
    JointTrack root{0, {}, {}, {}}, spine{1, {}, {}, {}};
    root.translation = {Interpolation::kLinear, {0, 2}, {{0, 1, 0}, {0.1f, 1.2f, 3}}, {}, {}};
    root.rotation = {Interpolation::kLinear,
                     {0, 2},
                     {Quat{}, from_axis_angle(kAxisY, 0.5f) * from_axis_angle(kAxisX, 0.3f)},
                     {},
                     {}};
    spine.rotation = {Interpolation::kLinear,
                      {0, 1, 2},
                      {from_axis_angle(kAxisX, 0.1f), from_axis_angle(kAxisX, 0.6f),
                       from_axis_angle(kAxisX, 0.5f)},
                      {},
                      {}};
    clip.tracks = {root, spine};
  }

  Transform at(const Clip& built, int sample, int joint) const {
    const int slot = skeleton.slot(joint);
    return get_lane(built.sample(sample)[static_cast<std::size_t>(slot / 4)], slot % 4);
  }
};

TEST(LoopPose, EndsWhereItBegan) {
  Walker w;
  const Clip clip = Clip::build(w.clip, w.skeleton).value();
  const int last = clip.sample_count() - 1;
  for (int j = 0; j < 2; ++j) {
    const Transform first = w.at(clip, 0, j), end = w.at(clip, last, j);
    EXPECT_LT(length(end.translation - first.translation), 1e-6f) << j;
    EXPECT_LT(testing::difference(end.rotation, first.rotation), 2e-6f) << j;
  }
  // Half way half of the jump of 0.4 rad is taken out of 0.6 rad.
  EXPECT_LT(testing::difference(w.at(clip, last / 2, 1).rotation, from_axis_angle(kAxisX, 0.4f)),
            2e-6f);
}

TEST(LoopPose, LeavesWhatMovesTheRoot) {
  Walker w;
  w.clip.annotations.root_motion.enabled = true;  // rotation and XZ not baked, Y baked
  const Clip clip = Clip::build(w.clip, w.skeleton).value();
  const Transform end = w.at(clip, clip.sample_count() - 1, 0);
  EXPECT_LT(length(end.translation - Vec3{0.1f, 1.0f, 3}), 1e-6f);
  // The turn stays, the nod goes.
  EXPECT_LT(testing::difference(end.rotation, from_axis_angle(kAxisY, 0.5f)), 3e-6f);
}

TEST(LoopPose, NeedsALoop) {
  Walker w;
  w.clip.loop = false;
  const Clip clip = Clip::build(w.clip, w.skeleton).value();
  EXPECT_LT(length(w.at(clip, clip.sample_count() - 1, 0).translation - Vec3{0.1f, 1.2f, 3}),
            1e-6f);
}

}  // namespace
}  // namespace sinew
