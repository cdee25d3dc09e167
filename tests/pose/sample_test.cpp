#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/pose/sample.hpp>

#include "random_pose.hpp"

namespace sinew {
namespace {

using testing::Random;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Reference {
  Skeleton skeleton;
  RawClip raw;
  Clip clip;

  // Largest difference from the keys as authored, at time t.
  float error(float t) const {
    std::vector<Transform> local(static_cast<std::size_t>(skeleton.joint_count()));
    sample(raw, skeleton, t, local);
    Pose want(skeleton), got(skeleton);
    to_pose(skeleton, local, want);
    sample_clip(clip, skeleton, t, got);
    return testing::difference(skeleton, want, got);
  }
};

Reference make(std::uint64_t seed, int joints, int frames, float rate = 0) {
  Random random(seed);
  Reference r{testing::random_skeleton(random, joints, true), {}, {}};
  r.raw = testing::random_clip(random, r.skeleton, frames, true);
  r.clip = Clip::build(r.raw, r.skeleton, {.sample_rate = rate}).value();
  return r;
}

TEST(Sample, MeetsTheKeys) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Reference r = make(seed, 1 + static_cast<int>(seed) * 7, 30);
    for (float time : r.raw.tracks[0].translation.times) EXPECT_LT(r.error(time), 2e-6f);
    for (int i = 0; i < r.clip.sample_count(); ++i) {
      EXPECT_LT(r.error(static_cast<float>(i) * r.clip.interval()), 5e-6f);
    }
    EXPECT_LT(r.error(r.clip.duration()), 1e-7f);
  }
}

TEST(Sample, BetweenKeysStaysNear) {
  const Reference r = make(42, 30, 60);
  Random random(1);
  for (int i = 0; i < 500; ++i) EXPECT_LT(r.error(random.real(0, r.clip.duration())), 5e-5f);
}

TEST(Sample, TimesAreClamped) {
  const Reference r = make(7, 9, 15);
  Pose first(r.skeleton), last(r.skeleton), got(r.skeleton);
  sample_clip(r.clip, r.skeleton, 0, first);
  sample_clip(r.clip, r.skeleton, r.clip.duration(), last);
  for (float t : {-1.0f, kNan, -std::numeric_limits<float>::infinity()}) {
    sample_clip(r.clip, r.skeleton, t, got);
    EXPECT_TRUE(testing::equal(r.skeleton, got, first));
  }
  for (float t : {100.0f, std::numeric_limits<float>::infinity()}) {
    sample_clip(r.clip, r.skeleton, t, got);
    EXPECT_TRUE(testing::equal(r.skeleton, got, last));
  }
}

TEST(Sample, OneJointIsTheSameAsAllOfThem) {
  const Reference r = make(11, 23, 20);
  Random random(2);
  Pose pose(r.skeleton);
  for (int i = 0; i < 50; ++i) {
    const float t = random.real(0, r.clip.duration());
    sample_clip(r.clip, r.skeleton, t, pose);
    for (int j = 0; j < r.skeleton.joint_count(); ++j) {
      EXPECT_LT(testing::difference(sample_joint(r.clip, r.skeleton, j, t),
                                    get_joint(r.skeleton, pose, j)),
                1e-6f);
    }
  }
}

TEST(Sample, StepChannelsJumpExactly) {
  const Skeleton s = Skeleton::build(std::vector<JointDef>{{"a", kNoJoint, {}}}).value();
  RawClip raw{"c", 1, false, {}, {}, {}};
  JointTrack track;
  track.joint = 0;
  track.translation = {Interpolation::kStep, {0, 0.503f}, {{1, 0, 0}, {2, 0, 0}}, {}, {}};
  track.rotation = {Interpolation::kStep, {0.25f, 0.75f}, {{0, 1, 0, 0}, {1, 0, 0, 0}}, {}, {}};
  raw.tracks.push_back(track);
  const Clip clip = Clip::build(raw, s).value();
  Pose pose(s);
  const auto at = [&](float t) {
    sample_clip(clip, s, t, pose);
    EXPECT_EQ(get_joint(s, pose, 0), sample_joint(clip, s, 0, t));
    return get_joint(s, pose, 0);
  };
  EXPECT_EQ(at(0.5029f).translation.x, 1.0f);
  EXPECT_EQ(at(0.503f).translation.x, 2.0f);
  EXPECT_EQ(at(0.749f).rotation, (Quat{0, 1, 0, 0}));
  EXPECT_EQ(at(0.75f).rotation, (Quat{1, 0, 0, 0}));
  EXPECT_EQ(at(0.0f).rotation, (Quat{0, 1, 0, 0}));
}

TEST(Sample, PaddingStaysAtTheIdentity) {
  const Reference r = make(3, 6, 10);
  Pose pose(r.skeleton);
  sample_clip(r.clip, r.skeleton, 0.123f, pose);
  EXPECT_TRUE(testing::equal(r.skeleton, pose, pose));
}

}  // namespace
}  // namespace sinew
