// Handles of instances: a 32-bit index and a generation, so that a stale one is recognized.
#pragma once

#include <cstdint>

namespace sinew {

template <class Tag>
struct Id {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;  // 0: null

  explicit operator bool() const { return generation != 0; }
  friend bool operator==(Id, Id) = default;
};

}  // namespace sinew
