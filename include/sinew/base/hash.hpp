// A 64-bit hash for golden tests, snapshots and names: the same value on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace sinew {

// FNV-1a over bytes, 64 bits wide. Not for hostile input.
constexpr std::uint64_t hash_name(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ull;
  }
  return hash;
}

// Feeds bytes one piece after another. The value depends on the bytes alone, not on how they were
// cut into pieces.
class Hasher {
 public:
  void bytes(const void* data, std::size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) byte(p[i]);
  }
  void text(std::string_view value) {
    u64(value.size());
    bytes(value.data(), value.size());
  }
  void u64(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) byte(static_cast<unsigned char>(value >> (8 * i)));
  }
  // The bits of the number; -0 counts as 0.
  void f32(float value) {
    value += 0.0f;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 4; ++i) byte(static_cast<unsigned char>(bits >> (8 * i)));
  }
  void f64(double value) {
    value += 0.0;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    u64(bits);
  }
  void floats(std::span<const float> values) {
    for (float value : values) f32(value);
  }
  std::uint64_t value() const { return hash_; }

 private:
  void byte(unsigned char b) {
    hash_ ^= b;
    hash_ *= 0x100000001b3ull;
  }
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

}  // namespace sinew
