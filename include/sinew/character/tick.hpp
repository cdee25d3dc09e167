// The fixed step that a world advances by.
#pragma once

#include <cstdint>

namespace sinew {

struct Tick {
  std::uint64_t index = 0;  // 0 for the first
  float dt = 1 / 60.f;      // seconds, the same for every tick of a run

  // Time after this tick, seconds: a product, not a sum, so that it does not drift.
  double time() const { return static_cast<double>(index + 1) * static_cast<double>(dt); }
};

// `for (Tick tick : fixed_steps(1 / 60.f))` counts for ever; with a count it ends after as many.
class FixedSteps {
 public:
  class Iterator {
   public:
    Iterator(std::uint64_t index, float dt) : tick_{index, dt} {}
    Tick operator*() const { return tick_; }
    Iterator& operator++() {
      ++tick_.index;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return tick_.index != other.tick_.index; }

   private:
    Tick tick_;
  };

  FixedSteps(float dt, std::uint64_t first, std::uint64_t last)
      : dt_(dt), first_(first), last_(last) {}
  Iterator begin() const { return {first_, dt_}; }
  Iterator end() const { return {last_, dt_}; }

 private:
  float dt_;
  std::uint64_t first_, last_;
};

inline constexpr std::uint64_t kForever = ~std::uint64_t{0};

// Ticks first, first + 1, ... of dt seconds each (dt > 0), `count` of them.
inline FixedSteps fixed_steps(float dt, std::uint64_t count = kForever, std::uint64_t first = 0) {
  return {dt, first, count == kForever ? kForever : first + count};
}

}  // namespace sinew
