// The chunks of a recording: type, size, payload, checksum.
#pragma once

#include <array>
#include <cstdint>

#include <sinew/base/bytes.hpp>
#include <sinew/base/hash.hpp>
#include <sinew/character/world.hpp>
#include <sinew/scene/recording.hpp>

namespace sinew {

inline constexpr std::array<char, 8> kRecordingMagic = {'S', 'W',  'R',  'E',
                                                        'C', '\r', '\n', '\x1a'};

enum class Chunk : std::uint32_t {
  kHeader = 0x44414548,  // "HEAD"
  kName = 0x454d414e,    // "NAME"
  kTick = 0x4b434954,    // "TICK"
  kPose = 0x45534f50,    // "POSE"
  kEnd = 0x20444e45,     // "END "
};

inline constexpr std::size_t kChunkHead = 8;  // type, size
inline constexpr std::size_t kChunkTail = 8;  // checksum
// Kind, flag, character, index, number, extra, vector: see put_input.
inline constexpr std::size_t kInputSize = 1 + 1 + 8 + 4 + 8 + 8 + 12;

// Of type, size and payload.
inline std::uint64_t chunk_checksum(Chunk type, std::span<const std::byte> payload) {
  Hasher hasher;
  hasher.u64(static_cast<std::uint64_t>(type));
  hasher.u64(payload.size());
  hasher.bytes(payload.data(), payload.size());
  return hasher.value();
}

inline void put_vec3(ByteWriter& out, Vec3 v) {
  out.put(v.x);
  out.put(v.y);
  out.put(v.z);
}
inline Vec3 get_vec3(ByteReader& in) {
  Vec3 v;
  v.x = in.get<float>();
  v.y = in.get<float>();
  v.z = in.get<float>();
  return v;
}
inline void put_id(ByteWriter& out, CharacterId id) {
  out.put(id.index);
  out.put(id.generation);
}
inline CharacterId get_id(ByteReader& in) {
  CharacterId id;
  id.index = in.get<std::uint32_t>();
  id.generation = in.get<std::uint32_t>();
  return id;
}

// A short hash of one matrix.
inline std::uint16_t joint_check(const Mat3x4& m) {
  Hasher hasher;
  for (const Vec4& row : m.row) hasher.floats(std::array{row.x, row.y, row.z, row.w});
  const std::uint64_t h = hasher.value();
  return static_cast<std::uint16_t>(h ^ (h >> 16) ^ (h >> 32) ^ (h >> 48));
}

}  // namespace sinew
