#include "pool_memory.hpp"

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include <LinearMath/btAlignedAllocator.h>

namespace sinew {

namespace {

// Blocks are powers of two from 64 bytes; what is larger than 2^30 goes past the pool. Each begins
// with a header of 16 bytes, so that what Bullet gets is aligned to 16.
constexpr int kFirst = 6, kLast = 30;
constexpr std::size_t kHeader = 16;

struct Block {
  Block* next;
};

// Lists of free blocks, one set per thread: a world belongs to one thread at a time. A block that
// is freed on another thread joins that one's lists.
struct Pool {
  Block* free[kLast + 1] = {};
  std::size_t bytes = 0;
  ~Pool();
};

thread_local bool pool_gone = false;
thread_local Pool pool;

Pool::~Pool() {
  pool_gone = true;
  for (Block*& list : free) {
    while (list) {
      Block* block = list;
      list = block->next;
      std::free(block);
    }
  }
}

void* take(std::size_t size, int alignment) {
  if (alignment > 16) return nullptr;  // Bullet asks for 16 at most
  const std::size_t whole = size + kHeader;
  int k = static_cast<int>(std::bit_width(whole - 1));
  if (k < kFirst) k = kFirst;
  void* raw = nullptr;
  if (k <= kLast && !pool_gone && pool.free[k]) {
    Block* block = pool.free[k];
    pool.free[k] = block->next;
    raw = block;
  } else {
    const std::size_t bytes = k <= kLast ? std::size_t{1} << k : whole;
    raw = std::malloc(bytes);
    if (!raw) return nullptr;
    if (!pool_gone) pool.bytes += bytes;
  }
  *static_cast<std::uint64_t*>(raw) = static_cast<std::uint64_t>(k);
  return static_cast<char*>(raw) + kHeader;
}

void give_back(void* memory) {
  if (!memory) return;
  void* raw = static_cast<char*>(memory) - kHeader;
  const auto k = *static_cast<std::uint64_t*>(raw);
  if (k > kLast || pool_gone) return std::free(raw);
  auto* block = static_cast<Block*>(raw);
  block->next = pool.free[k];
  pool.free[k] = block;
}

}  // namespace

void use_pool_for_bullet() {
  static std::atomic<bool> done = false;
  if (!done.exchange(true)) btAlignedAllocSetCustomAligned(take, give_back);
}

std::size_t pool_bytes_of_thread() { return pool_gone ? 0 : pool.bytes; }

}  // namespace sinew
