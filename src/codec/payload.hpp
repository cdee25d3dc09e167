// The bytes of a compressed clip. Everything is little endian; offsets count from the start.
//
//   Header
//   constants   per track: slot (u16), channel (u16), value (3 floats; rotations w >= 0)
//   tracks      per group of four: slots (4 x u16), then per lane its steps and, for rotations,
//               its mean rotation
//   segments    u32 offsets
//   segment     widths (u8 per group and component), bases (i16 for rotations, i32 for the others,
//               per group, component and lane), then per group a vertical bit stream: lane l's bits
//               lie in the l-th 32-bit word of each 16 bytes; component after component, key after
//               key, so that two neighbouring keys of a component come with one load
//
// A rotation is kept as the vector part of mean^-1 * q, whose w is positive. Where neighbouring
// keys lie close, w is rebuilt after interpolation (kRotation); where that would be off by more
// than a share of the allowed error, for each key (kFastRotation). Tracks that turn too far from
// their mean keep all four components (kWholeRotation).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <sinew/asset/clip.hpp>

namespace sinew::codec {

inline constexpr std::uint32_t kMagic = 0x31435753;  // "SWC1"
inline constexpr int kMaxWidth = 24;

enum Kind : int { kRotation, kFastRotation, kWholeRotation, kTranslation, kScale, kKindCount };
constexpr int components(int kind) { return kind == kWholeRotation ? 4 : 3; }
constexpr bool short_base(int kind) { return kind <= kWholeRotation; }
constexpr bool has_mean(int kind) { return kind == kRotation || kind == kFastRotation; }

struct Header {
  std::uint32_t magic;
  std::uint32_t size;
  std::uint16_t pose_groups;
  std::uint16_t constant_count;
  std::uint16_t groups[kKindCount];
  std::uint32_t sample_count;
  std::uint32_t segment_length;               // intervals
  std::uint32_t constants, tracks, segments;  // offsets
};

struct Constant {
  std::uint16_t slot;
  std::uint16_t channel;  // StepTrack::Channel
  float value[3];
};

// Bytes of one group in the track section.
constexpr std::size_t track_bytes(int kind) {
  // slots; steps; mean rotation as 3 x i16 per lane.
  return 8 + 4 * sizeof(float) * static_cast<std::size_t>(components(kind) == 4 ? 1 : 3) +
         (has_mean(kind) ? 24 : 0);
}

constexpr std::size_t base_bytes(int kind) {
  return static_cast<std::size_t>(components(kind)) * 4 * (short_base(kind) ? 2 : 4);
}

// 16-byte words of a group's stream.
constexpr std::size_t stream_words(std::size_t keys, std::size_t bits_per_key) {
  return (keys * bits_per_key + 31) / 32;
}

constexpr std::size_t align_up(std::size_t x, std::size_t to) { return (x + to - 1) / to * to; }

template <class T>
T read(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

// A mean rotation in 6 bytes: its vector part over 32767, w >= 0 rebuilt.
inline Quat unpack_mean(const std::int16_t* v) {
  const float s = 1.0f / 32767.0f;
  const float x = static_cast<float>(v[0]) * s, y = static_cast<float>(v[1]) * s,
              z = static_cast<float>(v[2]) * s;
  return normalize(Quat{x, y, z, sqrt(max(0.0f, 1.0f - (x * x + y * y + z * z)))});
}

// What decode() reads beside the payload: expanded once, when a clip is opened.
struct GroupTable {
  Float4 step[4];                // per component
  SoaQuat mean;                  // where the kind has one
  std::uint32_t destination[4];  // index of the first float of each lane in the pose
};

}  // namespace sinew::codec
