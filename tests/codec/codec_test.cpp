#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <sinew/codec/compress.hpp>
#include <sinew/codec/decode.hpp>
#include <sinew/math/instruction_set.hpp>

namespace sinew {
namespace {

// A tree of joints with dense motion: sines on every axis, a travelling root, and what the options
// ask for.
struct Options {
  int joints = 23;
  int samples = 91;
  bool spin = false;   // one joint turns round and round
  bool scale = false;  // one joint breathes
  unsigned seed = 7;
};

struct Made {
  Skeleton skeleton;
  RawClip clip;
};

Made make(const Options& options) {
  std::mt19937 random(options.seed);
  const auto unit = [&] { return static_cast<float>(random() % 2001) / 1000.0f - 1.0f; };
  std::vector<JointDef> defs;
  for (int j = 0; j < options.joints; ++j) {
    JointDef def;
    def.name = "joint" + std::to_string(j);
    def.parent = j == 0
                     ? kNoJoint
                     : (j - 1) - static_cast<int>(random() % static_cast<unsigned>(std::min(j, 3)));
    def.rest.translation = {0.2f * unit(), 0.3f * unit(), 0.1f * unit()};
    def.rest.rotation = normalize(Quat{0.3f * unit(), 0.3f * unit(), 0.3f * unit(), 1});
    defs.push_back(def);
  }
  Made made{*Skeleton::build(defs), {}};
  made.clip.name = "made";
  made.clip.duration = static_cast<float>(options.samples - 1) / 30.0f;
  for (int j = 0; j < options.joints; ++j) {
    if (j % 7 == 5) continue;  // some stay at rest
    JointTrack track;
    track.joint = j;
    const Vec3 size{0.4f * unit(), 0.4f * unit(), 0.4f * unit()},
        rate{3 * unit(), 3 * unit(), 3 * unit()};
    const Quat rest = made.skeleton.rest(j).rotation;
    for (int i = 0; i < options.samples; ++i) {
      const float t = static_cast<float>(i) / 30.0f;
      track.rotation.times.push_back(t);
      Quat q = rest * from_rotation_vector({size.x * sin(rate.x * t), size.y * sin(rate.y * t),
                                            size.z * sin(rate.z * t)});
      if (options.spin && j == 4) q = from_axis_angle(kAxisY, 5.0f * t);
      track.rotation.values.push_back(q);
      if (j == 0) {
        track.translation.times.push_back(t);
        track.translation.values.push_back({1.5f * t, 1 + 0.05f * sin(4 * t), 0.1f * sin(t)});
      }
      if (options.scale && j == 6) {
        track.scale.times.push_back(t);
        track.scale.values.push_back({1 + 0.2f * sin(t), 1, 1 - 0.1f * sin(t)});
      }
    }
    made.clip.tracks.push_back(std::move(track));
  }
  return made;
}

// Largest distance between shell points of two clips' poses at one time, in double by the naive
// way.
double shell_error(const Skeleton& skeleton, const std::vector<Transform>& a,
                   const std::vector<Transform>& b) {
  std::vector<Mat3x4> ma(a.size()), mb(a.size());
  double worst = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const int parent = skeleton.parent(static_cast<int>(j));
    ma[j] = to_matrix(a[j]);
    mb[j] = to_matrix(b[j]);
    if (parent != kNoJoint) {
      ma[j] = ma[static_cast<std::size_t>(parent)] * ma[j];
      mb[j] = mb[static_cast<std::size_t>(parent)] * mb[j];
    }
    for (Vec3 axis : {kAxisX, kAxisY, kAxisZ}) {
      worst = std::max(worst, static_cast<double>(distance(transform_point(ma[j], axis * 0.03f),
                                                           transform_point(mb[j], axis * 0.03f))));
    }
  }
  return worst;
}

std::vector<Transform> decoded(const Skeleton& skeleton, const Clip& clip, float t) {
  std::vector<SoaTransform> groups(static_cast<std::size_t>(skeleton.group_count()));
  decode(clip, t, groups);
  std::vector<Transform> out;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    out.push_back(
        get_lane(groups[static_cast<std::size_t>(skeleton.slot(j) / 4)], skeleton.slot(j) % 4));
  }
  return out;
}

double worst_at_samples(const Made& made, const Clip& clip) {
  double worst = 0;
  std::vector<Transform> truth(static_cast<std::size_t>(made.skeleton.joint_count()));
  for (int i = 0; i < clip.sample_count(); ++i) {
    const float t = std::min(static_cast<float>(i) * clip.interval(), clip.duration());
    sample(made.clip, made.skeleton, t, truth);
    worst = std::max(worst, shell_error(made.skeleton, truth, decoded(made.skeleton, clip, t)));
  }
  return worst;
}

TEST(Codec, KeepsTheErrorAskedFor) {
  for (float bound : {1e-3f, 1e-4f, 5e-5f}) {
    for (const Options& options : {Options{}, Options{.spin = true}, Options{.scale = true},
                                   Options{.joints = 70, .samples = 200}, Options{.joints = 1},
                                   Options{.joints = 5, .samples = 2}, Options{.samples = 1}}) {
      const Made made = make(options);
      CompressionReport report;
      const Result<Clip> clip = compress(made.clip, made.skeleton, {.max_error = bound}, &report);
      ASSERT_TRUE(clip) << to_string(clip.error());
      // The decoder works in single precision: a few millionths of a metre beside the bound.
      EXPECT_LE(worst_at_samples(made, *clip), bound + 4e-6f)
          << options.joints << " joints, " << options.samples;
      EXPECT_LE(report.max_error, bound);
    }
  }
}

TEST(Codec, IsMuchSmallerThanRawSamples) {
  const Made made = make({.joints = 60, .samples = 300});
  CompressionReport report;
  ASSERT_TRUE(compress(made.clip, made.skeleton, {}, &report));
  EXPECT_GT(report.ratio(), 7.0);
}

TEST(Codec, SameBitsOnEveryInstructionSet) {
  for (const Options& options :
       {Options{.joints = 70}, Options{.joints = 33, .spin = true, .scale = true},
        Options{.joints = 3}}) {
    const Made made = make(options);
    const Result<Clip> clip = compress(made.clip, made.skeleton);
    ASSERT_TRUE(clip);
    for (int i = 0; i <= 300; ++i) {
      const float t = made.clip.duration * static_cast<float>(i) / 293.0f;
      force_instruction_set(InstructionSet::kPortable);
      const auto reference = decoded(made.skeleton, *clip, t);
      for (InstructionSet set : {InstructionSet::kSse2, InstructionSet::kAvx2}) {
        if (!is_available(set)) continue;
        force_instruction_set(set);
        const auto other = decoded(made.skeleton, *clip, t);
        ASSERT_EQ(std::memcmp(reference.data(), other.data(), reference.size() * sizeof(Transform)),
                  0)
            << "time " << t;
      }
      for (int j = 0; j < made.skeleton.joint_count(); ++j) {
        ASSERT_EQ(decode_slot(*clip, made.skeleton.slot(j), t),
                  reference[static_cast<std::size_t>(j)])
            << j;
      }
    }
    force_instruction_set(InstructionSet::kAvx2);
  }
}

TEST(Codec, BetweenSamplesItFollowsTheSource) {
  const Made made = make({.joints = 40});
  const Result<Clip> clip = compress(made.clip, made.skeleton);
  const Result<Clip> raw = Clip::build(made.clip, made.skeleton);
  ASSERT_TRUE(clip && raw);
  std::vector<Transform> truth(40);
  for (int i = 0; i < 500; ++i) {
    const float t = made.clip.duration * static_cast<float>((i * 7919) % 500) / 500.0f;
    sample(made.clip, made.skeleton, t, truth);
    EXPECT_LE(shell_error(made.skeleton, truth, decoded(made.skeleton, *clip, t)), 2.5e-4);
  }
}

TEST(Codec, TimesOutsideAreClamped) {
  const Made made = make({});
  const Result<Clip> clip = compress(made.clip, made.skeleton);
  ASSERT_TRUE(clip);
  EXPECT_EQ(decoded(made.skeleton, *clip, -3.0f), decoded(made.skeleton, *clip, 0.0f));
  EXPECT_EQ(decoded(made.skeleton, *clip, std::nanf("")), decoded(made.skeleton, *clip, 0.0f));
  EXPECT_EQ(decoded(made.skeleton, *clip, 1e9f), decoded(made.skeleton, *clip, made.clip.duration));
}

TEST(Codec, ErrorsThatCannotBeMetAreSaid) {
  const Made made = make({});
  const Result<Clip> impossible = compress(made.clip, made.skeleton, {.max_error = 1e-12f});
  ASSERT_FALSE(impossible);
  EXPECT_EQ(impossible.error().code, ErrorCode::kLimit);
  EXPECT_FALSE(compress(made.clip, made.skeleton, {.max_error = 0}));
  EXPECT_FALSE(compress(made.clip, made.skeleton, {.max_error = -1}));
  EXPECT_FALSE(compress(made.clip, made.skeleton, {.max_error = std::nanf("")}));
  EXPECT_FALSE(compress(made.clip, made.skeleton, {.shell_distance = 0}));
}

TEST(Codec, StepChannelsStayExact) {
  Made made = make({.joints = 4});
  made.clip.tracks[1].translation = {
      Interpolation::kStep, {0.0f, 0.7f, 1.3f}, {{0, 0, 0}, {0.5f, 0, 0}, {0, 0.25f, 0}}, {}, {}};
  const Result<Clip> clip = compress(made.clip, made.skeleton);
  ASSERT_TRUE(clip);
  ASSERT_EQ(clip->step_tracks().size(), 1u);
  EXPECT_EQ(clip->step_tracks()[0].values[1], (Vec4{0.5f, 0, 0, 0}));
}

// A damaged payload is refused, or decodes to something finite: never a read outside it.
TEST(Codec, EveryFlippedByteIsHarmless) {
  const Made made = make({.joints = 9, .samples = 20, .spin = true, .scale = true});
  const Result<Clip> clip = compress(made.clip, made.skeleton);
  ASSERT_TRUE(clip);
  const std::vector<std::byte> good(clip->payload().begin(), clip->payload().end());
  ASSERT_TRUE(validate_payload(good, made.skeleton.group_count()));
  int refused = 0, accepted = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (unsigned flip : {0x01u, 0x80u, 0xffu}) {
      std::vector<std::byte> bad = good;
      bad[i] ^= static_cast<std::byte>(flip);
      Result<Clip> opened = open_payload(*clip, made.skeleton, bad);
      if (!opened) {
        ++refused;
        continue;
      }
      ++accepted;
      for (float t : {0.0f, 0.31f, made.clip.duration}) {
        for (const Transform& local : decoded(made.skeleton, *opened, t))
          ASSERT_TRUE(is_finite(local)) << "byte " << i;
      }
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_GT(accepted, 0);
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::vector<std::byte> cut(good.begin(),
                                     good.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(open_payload(*clip, made.skeleton, cut)) << size;
  }
}

}  // namespace
}  // namespace sinew
