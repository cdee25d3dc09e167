// The run-time form of a clip: evenly spaced samples in the pose's own layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <sinew/asset/raw_clip.hpp>

namespace sinew {

struct ClipSettings {
  // Samples a second. 0: the rate of the authored keys where these lie on an even grid, so that
  // every key is met exactly ((keys - 1) / duration where no usual rate does it); else 60.
  float sample_rate = 0;
};

// A joint channel that jumps: kept as keys, so that it stays exact.
struct StepTrack {
  enum class Channel : std::uint8_t { kTranslation, kRotation, kScale };
  int joint = kNoJoint;
  Channel channel = Channel::kTranslation;
  std::vector<float> times;
  std::vector<Vec4> values;  // xyz, or xyzw for rotations
};

// The channels of a joint, as bits.
inline constexpr std::uint8_t kTranslationChannel = 1, kRotationChannel = 2, kScaleChannel = 4;

// Immutable; shared by any number of characters and threads. Rotations of neighbouring samples
// lie on one half sphere, so that blending them needs no sign test.
class Clip {
 public:
  // The raw clip must be valid for the skeleton (validate()); otherwise its error is returned.
  static Result<Clip> build(const RawClip& raw, const Skeleton& skeleton,
                            const ClipSettings& settings = {});

  const std::string& name() const { return name_; }
  float duration() const { return duration_; }  // seconds
  bool loop() const { return loop_; }
  int joint_count() const { return joint_count_; }
  // Hash of the skeleton that it was built for; pose functions assert that it matches.
  std::uint64_t skeleton_hash() const { return skeleton_hash_; }
  const ClipAnnotations& annotations() const { return annotations_; }
  std::span<const FloatCurve> curves() const { return curves_; }
  std::span<const StepTrack> step_tracks() const { return step_tracks_; }
  // Per joint, the channels that have keys; the others hold the rest pose.
  std::span<const std::uint8_t> channels() const { return channels_; }

  // Compressed clips hold a payload (see codec/compress.hpp) in place of samples.
  bool is_compressed() const { return !payload_.empty(); }
  std::span<const std::byte> payload() const { return payload_; }
  // The same clip with a payload in place of its samples.
  Clip with_payload(std::vector<std::byte> payload, std::vector<std::byte> decode_tables) const;
  // What the decoder needs beside the payload, expanded from it.
  std::span<const std::byte> decode_tables() const { return decode_tables_; }

  // Samples: at least one; sample i lies at i * interval() seconds, the last at duration().
  int sample_count() const { return sample_count_; }
  float interval() const { return interval_; }
  // The groups of one sample, as in a pose of the skeleton. Not for compressed clips.
  std::span<const SoaTransform> sample(int i) const {
    return {samples_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(group_count_),
            static_cast<std::size_t>(group_count_)};
  }
  std::size_t size_in_bytes() const;

 private:
  std::string name_;
  float duration_ = 0, interval_ = 0;
  bool loop_ = false;
  int joint_count_ = 0, group_count_ = 0, sample_count_ = 0;
  std::uint64_t skeleton_hash_ = 0;
  std::vector<SoaTransform> samples_;
  std::vector<std::byte> payload_, decode_tables_;
  std::vector<StepTrack> step_tracks_;
  std::vector<std::uint8_t> channels_;
  std::vector<FloatCurve> curves_;
  ClipAnnotations annotations_;
};

}  // namespace sinew
