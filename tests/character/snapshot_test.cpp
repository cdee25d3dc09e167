#include <gtest/gtest.h>

#include <sinew/character/world.hpp>

#include "walker.hpp"

namespace sinew {
namespace {

// What the host does at a tick, so that two runs get the same inputs.
void give_inputs(World& world, const CharacterDef& def, std::uint64_t tick) {
  for (const CharacterId id : world.characters()) {
    const std::uint64_t phase = tick + 37 * id.index;
    if (phase % 90 == 10)
      world.set(id, def.param("speed"), 0.5 + static_cast<double>(phase % 4) * 0.8);
    if (phase % 200 == 150) world.set(id, def.param("speed"), 0);
    if (phase % 130 == 60) world.trigger(id, def.param("jump"));
    if (phase % 77 == 0) world.move(id, {.turn = 0.3f});
  }
}

std::vector<std::uint64_t> run(World& world, const CharacterDef& def, int ticks) {
  std::vector<std::uint64_t> hashes;
  for (Tick tick : fixed_steps(1 / 60.f, static_cast<std::uint64_t>(ticks), world.tick_count())) {
    give_inputs(world, def, tick.index);
    world.update(tick);
    hashes.push_back(world.state_hash());
  }
  return hashes;
}

TEST(Snapshot, ARestoredWorldGoesOnWithTheSameBits) {
  const CharacterDef def = testing::walker();
  World world({.max_characters = 6, .seed = 3});
  for (int i = 0; i < 4; ++i) world.spawn(def, {.position = {static_cast<float>(i), 0, 0}});
  world.despawn(world.characters()[1]);
  // At several moments, some of them inside transitions and behind interruptions.
  for (int start : {1, 17, 64, 71, 140}) {
    run(world, def, start);
    std::vector<std::byte> saved;
    world.save(saved);
    const std::vector<std::uint64_t> expected = run(world, def, 180);
    ASSERT_TRUE(world.restore(saved).ok());
    EXPECT_EQ(run(world, def, 180), expected) << "in the same world";
    World other({.max_characters = 9});
    other.add_definition(def);
    ASSERT_TRUE(other.restore(saved).ok());
    EXPECT_EQ(other.characters().size(), 3u);
    EXPECT_EQ(run(other, def, 180), expected) << "in another world";
  }
}

TEST(Snapshot, RestoringShowsThePoseAtOnceAndNoOldEvents) {
  const CharacterDef def = testing::walker();
  World world;
  const CharacterId id = world.spawn(def);
  world.set(id, def.param("speed"), 1.2);
  run(world, def, 100);
  const std::vector<Mat3x4> pose(world.model_matrices(id).begin(), world.model_matrices(id).end());
  const std::uint64_t hash = world.character_hash(id);
  std::vector<std::byte> saved;
  world.save(saved);
  run(world, def, 55);
  EXPECT_NE(world.character_hash(id), hash);
  ASSERT_TRUE(world.restore(saved).ok());
  EXPECT_EQ(world.character_hash(id), hash);
  EXPECT_TRUE(std::equal(pose.begin(), pose.end(), world.model_matrices(id).begin()));
  EXPECT_TRUE(world.event_order().empty());
  EXPECT_EQ(world.tick_count(), 100u);
}

TEST(Snapshot, IdsKeepTheirGenerations) {
  const CharacterDef def = testing::walker();
  World world;
  const CharacterId a = world.spawn(def);
  std::vector<std::byte> saved;
  world.save(saved);
  world.despawn(a);
  const CharacterId b = world.spawn(def);
  ASSERT_TRUE(world.restore(saved).ok());
  EXPECT_TRUE(world.alive(a));
  EXPECT_FALSE(world.alive(b));
}

TEST(Snapshot, AnotherDefinitionIsAnErrorAndChangesNothing) {
  const CharacterDef def = testing::walker();
  CharacterParts parts = testing::walker_parts();
  parts.speed = 1.1f;
  const CharacterDef faster = CharacterDef::build(std::move(parts)).value();
  ASSERT_NE(def.hash(), faster.hash());
  World world, other;
  world.spawn(def);
  run(world, def, 20);
  other.spawn(faster);
  run(other, faster, 33);
  std::vector<std::byte> saved;
  world.save(saved);
  const std::uint64_t before = other.state_hash();
  const Status status = other.restore(saved);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kMismatch);
  EXPECT_NE(status.error().message.find("definition"), std::string::npos);
  EXPECT_EQ(other.state_hash(), before);
}

TEST(Snapshot, DamagedBytesAreErrorsAndChangeNothing) {
  const CharacterDef def = testing::walker();
  World world({.max_characters = 3});
  world.spawn(def);
  world.spawn(def);
  run(world, def, 30);
  std::vector<std::byte> saved;
  world.save(saved);
  const std::uint64_t before = world.state_hash();
  for (std::size_t size = 0; size < saved.size(); size += 1 + size / 40) {
    EXPECT_FALSE(world.restore(std::span(saved).first(size)).ok())
        << size << " of " << saved.size();
  }
  std::vector<std::byte> longer = saved;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(world.restore(longer).ok());
  std::vector<std::byte> version = saved;
  version[4] = std::byte{99};
  const Status status = world.restore(version);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(world.state_hash(), before);
  World small({.max_characters = 1});
  small.add_definition(def);
  const Status full = small.restore(saved);
  ASSERT_FALSE(full.ok());
  EXPECT_EQ(full.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace sinew
