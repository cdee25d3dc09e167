#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <sinew/character/world.hpp>

#include "test_jobs.hpp"
#include "walker.hpp"

namespace sinew {
namespace {

using testing::walker;

void run(World& world, int ticks, float dt = 1 / 60.f) {
  for (Tick tick : fixed_steps(dt, static_cast<std::uint64_t>(ticks), world.tick_count()))
    world.update(tick);
}

TEST(FixedSteps, CountTicksAndTimeWithoutDrift) {
  int count = 0;
  Tick last;
  for (Tick tick : fixed_steps(0.1f, 50, 7)) {
    EXPECT_EQ(tick.index, 7u + static_cast<std::uint64_t>(count));
    ++count;
    last = tick;
  }
  EXPECT_EQ(count, 50);
  EXPECT_EQ(last.time(), 57 * static_cast<double>(0.1f));
}

TEST(World, IdsOfTheGoneAreRecognized) {
  World world({.max_characters = 2});
  const CharacterDef def = walker();
  const CharacterId a = world.spawn(def);
  const CharacterId b = world.spawn(def, {.position = {1, 0, 0}});
  ASSERT_TRUE(a);
  ASSERT_TRUE(b);
  EXPECT_FALSE(world.spawn(def)) << "the world is full";
  EXPECT_TRUE(world.despawn(a));
  EXPECT_FALSE(world.alive(a));
  EXPECT_FALSE(world.despawn(a));
  const CharacterId c = world.spawn(def);
  EXPECT_EQ(c.index, a.index) << "the lowest free slot is used again";
  EXPECT_NE(c.generation, a.generation);
  EXPECT_FALSE(world.set(a, def.param("speed"), 1));
  EXPECT_TRUE(world.model_matrices(a).empty());
  EXPECT_TRUE(world.skinning(a).empty());
  EXPECT_EQ(world.definition(a), nullptr);
  EXPECT_EQ(world.character_hash(a), 0u);
  EXPECT_TRUE(world.set(c, def.param("speed"), 1));
  EXPECT_FALSE(world.alive(CharacterId{}));
  EXPECT_FALSE(world.alive({99, 1}));
  ASSERT_EQ(world.characters().size(), 2u);
  EXPECT_EQ(world.characters()[0], c);
  EXPECT_EQ(world.characters()[1], b);
}

TEST(World, RefusesBadInputsAndKeepsItsState) {
  World world;
  const CharacterDef def = walker();
  const CharacterId id = world.spawn(def, {.position = {1, 2, 3}, .yaw = 0.5f});
  const ParamId speed = def.param("speed");
  ASSERT_TRUE(world.set(id, speed, 1.5));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(world.set(id, speed, nan));
  EXPECT_FALSE(world.set(id, ParamId{}, 1));
  EXPECT_FALSE(world.set(id, ParamId{77}, 1));
  EXPECT_FALSE(world.trigger(id, speed)) << "a float is no trigger";
  EXPECT_FALSE(world.play(id, StateId{}));
  EXPECT_FALSE(world.play(id, StateId{50}));
  EXPECT_FALSE(world.cross_fade(id, def.state("Move"), -1));
  EXPECT_FALSE(world.place(id, {inf, 0, 0}, 0));
  EXPECT_FALSE(world.move(id, {.velocity = {0, inf, 0}}));
  EXPECT_FALSE(world.set_layer_weight(id, 0, 0.5f)) << "the base layer's weight is fixed";
  EXPECT_FALSE(world.set_speed(id, -1));
  EXPECT_FALSE(world.spawn(def, {.position = {0, inf, 0}}));
  EXPECT_EQ(world.get(id, speed), 1.5);
  EXPECT_EQ(world.position(id), (Vec3{1, 2, 3}));
  EXPECT_EQ(world.inputs().size(), 2u) << "refused inputs are not recorded";
  run(world, 3);
  EXPECT_TRUE(is_finite(world.position(id)));
  EXPECT_TRUE(world.inputs().empty());
}

TEST(World, ABadStepIsNoStep) {
  World world;
  const CharacterDef def = walker();
  const CharacterId id = world.spawn(def);
  world.set(id, def.param("speed"), 1.2);
  run(world, 30);
  const Vec3 before = world.position(id);
  for (float dt :
       {-1.0f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    world.update({world.tick_count(), dt});
    EXPECT_EQ(world.position(id), before);
  }
}

TEST(World, ClipsMoveTheCharacterAlongItsHeading) {
  World world;
  const CharacterDef def = walker();
  const CharacterId id = world.spawn(def, {.position = {2, 0, 1}, .yaw = kHalfPi});
  world.set(id, def.param("speed"), 1.2);
  run(world, 60);  // the transition is over
  const Vec3 start = world.position(id);
  run(world, 600);
  const Vec3 moved = world.position(id) - start;
  EXPECT_NEAR(moved.x, 10 * testing::kWalkSpeed, 1e-3f);
  EXPECT_NEAR(moved.z, 0, 1e-3f);
  EXPECT_EQ(moved.y, 0);
}

TEST(World, ABlendMovesAtTheBlendOfSpeeds) {
  World world;
  const CharacterDef def = walker();
  const CharacterId id = world.spawn(def);
  world.set(id, def.param("speed"), 2.1);  // half walk, half run
  run(world, 60);
  const float start = world.position(id).z;
  run(world, 480);  // ten cycles of (1.0 + 0.6) / 2 s
  // Both clips run at the common length of 0.8 s: 1.2 / 0.8 and 1.8 / 0.8 m/s.
  const float expected = 8 * (0.5f * 1.2f / 0.8f + 0.5f * 1.8f / 0.8f);
  EXPECT_NEAR(world.position(id).z - start, expected, 2e-3f);
}

TEST(World, ScaleAndSpeedOfADefinitionScaleItsTravel) {
  CharacterParts parts = testing::walker_parts();
  parts.scale = 2;
  parts.speed = 0.5f;
  const CharacterDef def = CharacterDef::build(std::move(parts)).value();
  World world;
  const CharacterId id = world.spawn(def);
  world.set(id, def.param("speed"), 1.2);
  run(world, 120);
  const float start = world.position(id).z;
  run(world, 600);
  EXPECT_NEAR(world.position(id).z - start, 10 * testing::kWalkSpeed, 2e-3f);
  EXPECT_EQ(world.world_transform(id).scale, (Vec3{2, 2, 2}));
  EXPECT_NEAR(def.travel_velocity(1).z, 2 * testing::kWalkSpeed, 1e-4f);
}

TEST(World, WithoutRootMotionItStays) {
  CharacterParts parts = testing::walker_parts();
  parts.root_motion = false;
  const CharacterDef def = CharacterDef::build(std::move(parts)).value();
  World world;
  const CharacterId id = world.spawn(def);
  world.set(id, def.param("speed"), 1.2);
  run(world, 120);
  EXPECT_EQ(world.position(id), Vec3{});
  EXPECT_GT(world.root_delta(id).translation.z, 0) << "the delta is there for the host";
}

TEST(World, MoveCommandsLastOneUpdate) {
  World world;
  const CharacterDef def = walker();
  const CharacterId id = world.spawn(def);
  world.move(id, {.velocity = {6, 0, 0}, .turn = 0.25f});
  run(world, 1);
  EXPECT_NEAR(world.position(id).x, 0.1f, 1e-6f);
  EXPECT_NEAR(world.yaw(id), 0.25f, 1e-6f);
  run(world, 5);
  EXPECT_NEAR(world.position(id).x, 0.1f, 1e-6f);
  world.set(id, def.param("speed"), 1.2);
  run(world, 60);
  const Vec3 before = world.position(id);
  world.move(id, {.velocity = {0, 0, 3}, .with_root_motion = false});
  run(world, 1);
  EXPECT_NEAR(world.position(id).z - before.z, 0.05f, 1e-5f);
  EXPECT_NEAR(world.position(id).x, before.x, 1e-6f);
}

TEST(World, SkinningIsModelTimesInverseBind) {
  World world;
  const CharacterDef def = walker();
  const CharacterId id = world.spawn(def);
  for (const Mat3x4& m : world.skinning(id)) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(m.row[i].x, i == 0 ? 1 : 0, 1e-5f) << "at rest a skin is where it was bound";
      EXPECT_NEAR(m.row[i].w, 0, 1e-5f);
    }
  }
  world.set(id, def.param("speed"), 1.2);
  run(world, 40);
  const std::span<const Mat3x4> model = world.model_matrices(id), skin = world.skinning(id);
  ASSERT_EQ(model.size(), static_cast<std::size_t>(def.skeleton().joint_count()));
  ASSERT_EQ(skin.size(), def.skins()[0].joints.size());
  for (std::size_t i = 0; i < skin.size(); ++i) {
    const Mat3x4 expected =
        model[static_cast<std::size_t>(def.skins()[0].joints[i])] * def.skins()[0].inverse_bind[i];
    EXPECT_EQ(skin[i], expected);
  }
  EXPECT_TRUE(world.skinning(id, 1).empty());
  EXPECT_TRUE(world.skinning(id, -1).empty());
}

// A crowd in which everyone does something else, some come and some go.
std::vector<std::uint64_t> crowd_hashes(JobSystem* jobs, int ticks) {
  World world({.max_characters = 64, .seed = 5, .jobs = jobs});
  const CharacterDef def = walker();
  CharacterParts parts = testing::walker_parts();
  parts.scale = 1.5f;
  const CharacterDef big = CharacterDef::build(std::move(parts)).value();
  std::mt19937 random(7);
  const auto number = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 8) / 16777216.0;
  };
  std::vector<CharacterId> ids;
  for (int i = 0; i < 40; ++i) {
    ids.push_back(world.spawn(i % 3 ? def : big, {.position = {static_cast<float>(i), 0, 0}}));
  }
  std::vector<std::uint64_t> hashes;
  for (Tick tick : fixed_steps(1 / 60.f, static_cast<std::uint64_t>(ticks))) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto what = random() % 64;
      if (what == 0) world.set(ids[i], def.param("speed"), number(0, 3));
      if (what == 1) world.trigger(ids[i], def.param("jump"));
      if (what == 2) world.move(ids[i], {.turn = static_cast<float>(number(-1, 1))});
      if (what == 3) world.cross_fade(ids[i], def.state("Move"), 0.2);
      if (what == 4 && random() % 32 == 0) {
        world.despawn(ids[i]);
        ids[i] = world.spawn(random() % 2 ? def : big);
      }
    }
    world.update(tick);
    hashes.push_back(world.state_hash());
  }
  return hashes;
}

TEST(WorldDeterminism, TheSameBitsInAnyOrderAndOnAnyNumberOfThreads) {
  constexpr int kTicks = 300;
  const std::vector<std::uint64_t> expected = crowd_hashes(nullptr, kTicks);
  EXPECT_NE(expected.front(), expected.back());
  testing::ReverseJobs reverse;
  EXPECT_EQ(crowd_hashes(&reverse, kTicks), expected);
  for (int workers : {1, 2, 4}) {
    testing::FreshThreads threads(workers);
    EXPECT_EQ(crowd_hashes(&threads, kTicks), expected) << workers << " workers";
  }
}

TEST(World, RecordedInputsGiveTheSameRun) {
  World world({.max_characters = 8}), again({.max_characters = 8});
  const CharacterDef def = walker();
  again.add_definition(def);
  const CharacterId id = world.spawn(def);
  for (Tick tick : fixed_steps(1 / 60.f, 200)) {
    if (tick.index == 3) world.set(id, def.param("speed"), 2.0);
    if (tick.index == 50) world.trigger(id, def.param("jump"));
    if (tick.index == 90) world.spawn(def, {.position = {3, 0, 0}});
    if (tick.index == 120) world.play(id, def.state("Idle"), 0.4);
    if (tick.index == 150) world.place(id, {1, 0, 1}, 1);
    for (const WorldInput& input : world.inputs()) EXPECT_TRUE(again.apply(input));
    world.update(tick);
    again.update(tick);
    ASSERT_EQ(world.state_hash(), again.state_hash()) << "tick " << tick.index;
  }
}

}  // namespace
}  // namespace sinew
