#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/asset/clip.hpp>
#include <sinew/base/text.hpp>

#include "generators.hpp"

namespace sinew {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Skeleton chain(int n) {
  std::vector<JointDef> joints;
  for (int i = 0; i < n; ++i) {
    joints.push_back({format_text("j%d", i), i - 1, {{0, 1, 0}, {}, {1, 1, 1}}});
  }
  return Skeleton::build(joints).value();
}

KeyTrack<float> ramp() { return {Interpolation::kLinear, {1, 2, 4}, {10, 20, 0}, {}, {}}; }

TEST(KeyTrack, HoldsOutsideItsKeys) {
  const KeyTrack<float> track = ramp();
  EXPECT_EQ(sample(track, 0.0f, -1.0f), 10.0f);
  EXPECT_EQ(sample(track, 1.0f, -1.0f), 10.0f);
  EXPECT_EQ(sample(track, 4.0f, -1.0f), 0.0f);
  EXPECT_EQ(sample(track, 9.0f, -1.0f), 0.0f);
  EXPECT_EQ(sample(track, kNan, -1.0f), 10.0f);
  EXPECT_EQ(sample(KeyTrack<float>{}, 1.0f, -1.0f), -1.0f);
}

TEST(KeyTrack, Interpolations) {
  KeyTrack<float> track = ramp();
  EXPECT_FLOAT_EQ(sample(track, 1.5f, 0.0f), 15.0f);
  EXPECT_FLOAT_EQ(sample(track, 3.0f, 0.0f), 10.0f);
  track.interpolation = Interpolation::kStep;
  EXPECT_EQ(sample(track, 1.99f, 0.0f), 10.0f);
  EXPECT_EQ(sample(track, 2.0f, 0.0f), 20.0f);
  // A cubic through t^3: exact, its tangents are per second.
  KeyTrack<float> cubic{Interpolation::kCubicSpline, {0, 1, 3}, {0, 1, 27}, {0, 3, 27}, {0, 3, 27}};
  for (float t : {0.25f, 0.5f, 1.0f, 1.7f, 2.9f}) {
    EXPECT_NEAR(sample(cubic, t, 0.0f), t * t * t, 1e-4f);
  }
}

TEST(KeyTrack, RotationsTakeTheShorterWayAtAConstantRate) {
  const Quat a = from_axis_angle(kAxisY, 0.2f), b = from_axis_angle(kAxisY, 2.6f);
  const KeyTrack<Quat> track{Interpolation::kLinear, {0, 1}, {a, -b}, {}, {}};
  for (float t : {0.0f, 0.3f, 0.5f, 1.0f}) {
    EXPECT_LT(
        testing::difference(sample(track, t, Quat{}), from_axis_angle(kAxisY, 0.2f + 2.4f * t)),
        2e-6f);
  }
}

TEST(RawClip, FaultsAreNamed) {
  const Skeleton s = chain(3);
  RawClip good{"Walk", 2.0f, false, {}, {}, {}};
  good.tracks.push_back({1, {Interpolation::kLinear, {0, 1}, {{}, {}}, {}, {}}, {}, {}});
  good.tracks.push_back({2, {}, {Interpolation::kLinear, {0}, {Quat{}}, {}, {}}, {}});
  ASSERT_TRUE(validate(good, s).ok());
  const auto fault = [&](auto change) {
    RawClip clip = good;
    change(clip);
    const Status status = validate(clip, s);
    EXPECT_FALSE(status.ok());
    EXPECT_FALSE(Clip::build(clip, s).ok());
    return status.ok() ? std::string() : to_string(status.error());
  };
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(fault([](RawClip& c) { c.duration = kNan; }), "clip 'Walk'");
  has(fault([](RawClip& c) { c.duration = -1; }), "duration");
  has(fault([](RawClip& c) { c.tracks[1].joint = 3; }), "track 1");
  has(fault([](RawClip& c) { c.tracks[1].joint = 1; }), "joint 'j1'");
  has(fault([](RawClip& c) { c.tracks[0].joint = -1; }), "track 0");
  has(fault([](RawClip& c) { c.tracks[0].translation.times = {1, 1}; }), "key 1");
  has(fault([](RawClip& c) { c.tracks[0].translation.times = {0, kNan}; }), "key 1");
  has(fault([](RawClip& c) { c.tracks[0].translation.times = {-1, 1}; }), "key 0");
  has(fault([](RawClip& c) { c.tracks[0].translation.times.pop_back(); }), "translation");
  has(fault([](RawClip& c) { c.tracks[0].translation.values[1].y = kNan; }), "key 1");
  has(fault([](RawClip& c) { c.tracks[1].rotation.values[0].w = kNan; }), "rotation: key 0");
  has(fault([](RawClip& c) { c.tracks[1].rotation.interpolation = Interpolation::kCubicSpline; }),
      "tangents");
  has(fault([](RawClip& c) {
        c.curves.push_back({"grip", {Interpolation::kLinear, {0}, {kNan}, {}, {}}, 0});
      }),
      "curve 'grip'");
}

TEST(RawClip, ChannelsWithoutKeysKeepTheRestPose) {
  const Skeleton s = chain(3);
  RawClip clip{"c", 1, false, {}, {}, {}};
  clip.tracks.push_back({1, {}, {}, {Interpolation::kLinear, {0}, {{2, 2, 2}}, {}, {}}});
  std::vector<Transform> local(3);
  sample(clip, s, 0.5f, local);
  EXPECT_EQ(local[0], s.rest(0));
  EXPECT_EQ(local[1].translation, s.rest(1).translation);
  EXPECT_EQ(local[1].scale, (Vec3{2, 2, 2}));
}

TEST(Clip, TakesTheRateOfItsKeys) {
  const Skeleton s = chain(1);
  RawClip raw{"c", 1.0f, true, {}, {}, {}};
  raw.tracks.push_back({0, {Interpolation::kLinear, {}, {}, {}, {}}, {}, {}});
  for (int i = 0; i <= 24; ++i) {
    raw.tracks[0].translation.times.push_back(static_cast<float>(i) / 24.0f);
    raw.tracks[0].translation.values.push_back({static_cast<float>(i % 5), 0, 0});
  }
  const auto clip = Clip::build(raw, s);
  ASSERT_TRUE(clip.ok());
  EXPECT_EQ(clip->sample_count(), 25);
  EXPECT_TRUE(clip->loop());
  const auto fine = Clip::build(raw, s, {.sample_rate = 120});
  ASSERT_TRUE(fine.ok());
  EXPECT_EQ(fine->sample_count(), 121);
}

// Files write the frame time with few digits, so that keys drift from the grid of the rate that is
// meant: 0.0083333 s is one 120th.
TEST(Clip, ARoundedFrameTimeKeepsTheNumberOfKeys) {
  const Skeleton s = chain(1);
  for (const double frame : {0.0083333, 0.008333, 0.00833, 0.0083, 0.0333333, 0.033, 0.0166667,
                             1001 / 30000.0, 1 / 59.94, 0.01, 0.04}) {
    for (const int keys : {2, 31, 300, 4511}) {
      SCOPED_TRACE(::testing::Message() << keys << " keys of " << frame << " s");
      RawClip raw{"c", static_cast<float>((keys - 1) * frame), false, {}, {}, {}};
      raw.tracks.push_back({0, {Interpolation::kLinear, {}, {}, {}, {}}, {}, {}});
      for (int i = 0; i < keys; ++i) {
        raw.tracks[0].translation.times.push_back(static_cast<float>(i * frame));
        raw.tracks[0].translation.values.push_back({static_cast<float>(i % 5), 0, 0});
      }
      const auto clip = Clip::build(raw, s);
      ASSERT_TRUE(clip.ok());
      const int most = keys == 2 ? 3 : keys;  // at least 24 a second
      EXPECT_GE(clip->sample_count(), keys);
      EXPECT_LE(clip->sample_count(), most);
      const int stride = (clip->sample_count() - 1) / (keys - 1);
      for (int i = 0; i < keys; ++i) {
        EXPECT_NEAR(get_lane(clip->sample(i * stride)[0], s.slot(0)).translation.x, i % 5, 5e-3f);
      }
    }
  }
}

// A jump of a quarter turn gets a sample between its keys where these are far apart. At 120 keys a
// second it is a fault of the recording, for which the whole clip would pay.
TEST(Clip, AJumpDoublesSparseSamplesAlone) {
  const Skeleton s = chain(1);
  for (const auto& [rate, samples] : {std::pair{30, 61}, std::pair{60, 61}, std::pair{120, 121}}) {
    RawClip raw{"c", 1, false, {}, {}, {}};
    raw.tracks.push_back({0, {}, {Interpolation::kLinear, {}, {}, {}, {}}, {}});
    for (int i = 0; i <= rate; ++i) {
      raw.tracks[0].rotation.times.push_back(static_cast<float>(i) / static_cast<float>(rate));
      raw.tracks[0].rotation.values.push_back(from_axis_angle(kAxisX, i == 7 ? 2.0f : 0.0f));
    }
    const auto clip = Clip::build(raw, s);
    ASSERT_TRUE(clip.ok());
    EXPECT_EQ(clip->sample_count(), samples) << rate;
  }
}

// Keys that are left out do not hide the grid of the others.
TEST(Clip, SparseKeysOfAnOddRateAreMet) {
  const Skeleton s = chain(1);
  const double frame = 1001 / 30000.0;
  RawClip raw{"c", static_cast<float>(2000 * frame), false, {}, {}, {}};
  raw.tracks.push_back({0, {Interpolation::kLinear, {}, {}, {}, {}}, {}, {}});
  for (const int i : {0, 1, 2, 700, 701, 2000}) {
    raw.tracks[0].translation.times.push_back(static_cast<float>(i * frame));
    raw.tracks[0].translation.values.push_back({static_cast<float>(i), 0, 0});
  }
  const auto clip = Clip::build(raw, s);
  ASSERT_TRUE(clip.ok());
  EXPECT_EQ(clip->sample_count(), 2001);
}

TEST(Clip, NeighboursLieOnOneHalfSphere) {
  testing::Random random(3);
  const Skeleton s = chain(5);
  RawClip raw{"c", 2.0f, false, {}, {}, {}};
  for (int j = 0; j < 5; ++j) {
    JointTrack track{j, {}, {}, {}};
    for (int i = 0; i <= 20; ++i) {
      track.rotation.times.push_back(static_cast<float>(i) * 0.1f);
      track.rotation.values.push_back(random.rotation());
    }
    raw.tracks.push_back(track);
  }
  const auto clip = Clip::build(raw, s);
  ASSERT_TRUE(clip.ok());
  EXPECT_FLOAT_EQ(static_cast<float>(clip->sample_count() - 1) * clip->interval(), 2.0f);
  for (int i = 1; i < clip->sample_count(); ++i) {
    for (int g = 0; g < s.group_count(); ++g) {
      const Float4 d = dot(clip->sample(i - 1)[static_cast<std::size_t>(g)].rotation,
                           clip->sample(i)[static_cast<std::size_t>(g)].rotation);
      for (int lane = 0; lane < 4; ++lane) EXPECT_GE(d[lane], 0.0f);
    }
  }
}

TEST(Clip, OfNoLengthHasOneSample) {
  const Skeleton s = chain(2);
  RawClip raw{"pose", 0, false, {}, {}, {}};
  raw.tracks.push_back({1, {Interpolation::kLinear, {0}, {{5, 6, 7}}, {}, {}}, {}, {}});
  const auto clip = Clip::build(raw, s);
  ASSERT_TRUE(clip.ok());
  EXPECT_EQ(clip->sample_count(), 1);
  EXPECT_EQ(
      get_lane(clip->sample(0)[static_cast<std::size_t>(s.slot(1) / 4)], s.slot(1) % 4).translation,
      (Vec3{5, 6, 7}));
}

TEST(Clip, TooLongIsAnError) {
  const auto clip = Clip::build({"day", 3e9f, false, {}, {}, {}}, chain(40));
  ASSERT_FALSE(clip.ok());
  EXPECT_EQ(clip.error().code, ErrorCode::kLimit);
  EXPECT_NE(to_string(clip.error()).find("clip 'day'"), std::string::npos);
}

TEST(Clip, StepChannelsAreKeptAsKeys) {
  const Skeleton s = chain(2);
  RawClip raw{"c", 1, false, {}, {}, {}};
  raw.tracks.push_back(
      {0, {Interpolation::kStep, {0, 0.51f}, {{1, 0, 0}, {2, 0, 0}}, {}, {}}, {}, {}});
  raw.tracks.push_back(
      {1, {Interpolation::kStep, {0, 0.5f}, {{3, 0, 0}, {3, 0, 0}}, {}, {}}, {}, {}});
  const auto clip = Clip::build(raw, s);
  ASSERT_TRUE(clip.ok());
  ASSERT_EQ(clip->step_tracks().size(), 1u) << "a constant needs no keys";
  EXPECT_EQ(clip->step_tracks()[0].joint, 0);
  EXPECT_EQ(clip->step_tracks()[0].times, (std::vector<float>{0, 0.51f}));
  EXPECT_GT(clip->size_in_bytes(), sizeof(Clip));
}

}  // namespace
}  // namespace sinew
