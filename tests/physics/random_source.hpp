// Seeded numbers for tests: the same on every machine.
#pragma once

#include <sinew/math/quat.hpp>

namespace sinew::testing {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}
  std::uint64_t bits() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545f4914f6cdd1dull;
  }
  float unit() { return static_cast<float>(bits() >> 40) / 16777216.0f; }
  float in(float low, float high) { return low + (high - low) * unit(); }
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  Vec3 vec(float size) { return {in(-size, size), in(-size, size), in(-size, size)}; }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vec(1);
      if (length(v) > 0.1f && length(v) <= 1) return normalize_or(v, kAxisX);
    }
  }
  Quat rotation() { return normalize(Quat{in(-1, 1), in(-1, 1), in(-1, 1), in(-1, 1) + 0.01f}); }

 private:
  std::uint64_t state_;
};

}  // namespace sinew::testing
