// An update takes no memory: counted by replacing the global operator new of this executable.
#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include <sinew/character/world.hpp>

#include "rigged_walker.hpp"

namespace {
std::atomic<long> allocations{0};

void* counted(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::malloc(size ? size : 1)) return p;
  std::abort();
}
void* counted(std::size_t size, std::align_val_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  const auto align = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(align, (size + align - 1) / align * align)) return p;
  std::abort();
}
}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted(size, alignment);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace sinew {
namespace {

TEST(Allocations, NoneInAnUpdate) {
  World world({.max_characters = 16});
  const CharacterDef def = testing::walker();
  std::vector<CharacterId> ids;
  for (int i = 0; i < 16; ++i) ids.push_back(world.spawn(def));
  const ParamId speed = def.param("speed"), jump = def.param("jump");
  long in_updates = 0, in_inputs = 0;
  std::size_t events = 0;
  for (Tick tick : fixed_steps(1 / 60.f, 900)) {
    const long before_inputs = allocations.load();
    for (const CharacterId id : ids) {
      const std::uint64_t phase = tick.index + 11 * id.index;
      world.move(id, {.velocity = {}, .turn = 0.01f});
      if (phase % 60 == 0) world.set(id, speed, 0.04 * static_cast<double>(phase % 70));
      if (phase % 45 == 0) world.trigger(id, jump);
      if (phase % 100 == 0) world.cross_fade(id, def.state("Idle"), 0.3);
    }
    const long before = allocations.load();
    world.update(tick);
    const long after = allocations.load();
    events += world.event_order().size();
    // From the first update on, not only after a warm-up.
    in_updates += after - before;
    in_inputs += before - before_inputs;
  }
  EXPECT_EQ(in_updates, 0);
  EXPECT_EQ(in_inputs, 0);
  EXPECT_GT(events, 1000u) << "the run must do something";
  EXPECT_GT(allocations.load(), 0) << "the counter counts";
}

TEST(Allocations, NoneInAnUpdateWithARig) {
  World world({.max_characters = 8});
  const CharacterDef def = testing::rigged_walker();
  std::vector<CharacterId> ids;
  for (int i = 0; i < 8; ++i) ids.push_back(world.spawn(def));
  const ParamId speed = def.param("speed"), jump = def.param("jump");
  const RigChannel leg = *def.rig()->channel("leg.weight");
  const RigNodeId target = *def.rig()->node("foot_target");
  long taken = 0;
  for (Tick tick : fixed_steps(1 / 60.f, 300)) {
    const long before = allocations.load();
    for (const CharacterId id : ids) {
      const std::uint64_t phase = tick.index + 11 * id.index;
      if (phase % 60 == 0) world.set(id, speed, 0.04 * static_cast<double>(phase % 70));
      if (phase % 45 == 0) world.trigger(id, jump);
      world.set_rig(id, leg, static_cast<double>(phase % 10) / 10);
      world.set_rig_node(id, target, world.position(id), {});
      if (phase % 50 == 0) world.place(id, {}, 0);
    }
    world.update(tick);
    taken += allocations.load() - before;
  }
  EXPECT_EQ(taken, 0);
}

}  // namespace
}  // namespace sinew
