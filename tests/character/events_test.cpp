#include <gtest/gtest.h>

#include <sinew/character/world.hpp>

#include "walker.hpp"

namespace sinew {
namespace {

TEST(Events, StepsComeOncePerContactWithTheirTime) {
  World world;
  const CharacterDef def = testing::walker();
  const CharacterId id = world.spawn(def);
  world.set(id, def.param("speed"), 1.2);
  int steps = 0;
  for (Tick tick : fixed_steps(1 / 60.f, 60)) world.update(tick);
  for (Tick tick : fixed_steps(1 / 60.f, 600, 60)) {
    world.update(tick);
    for (const ClipEventFired& e : world.events<ClipEventFired>()) {
      EXPECT_EQ(e.character, id);
      EXPECT_EQ(def.event_name(e.event), "step");
      EXPECT_GE(e.time, 0);
      EXPECT_LE(e.time, 1 / 60.0 + 1e-6);
      if (e.weight > 0.5f) ++steps;
    }
  }
  EXPECT_EQ(steps, 20) << "two a second";
}

TEST(Events, StatesAreEnteredAndLeftInPairs) {
  World world;
  const CharacterDef def = testing::walker();
  const CharacterId id = world.spawn(def);
  std::vector<std::string> log;
  for (Tick tick : fixed_steps(1 / 60.f, 240)) {
    if (tick.index == 10) world.set(id, def.param("speed"), 1.2);
    if (tick.index == 60) world.trigger(id, def.param("jump"));
    if (tick.index == 61) world.set(id, def.param("speed"), 0);
    world.update(tick);
    for (const StateEvent& e : world.events<StateEvent>()) {
      const std::string& name = def.controller().state_name(e.state);
      if (e.kind == StateEventOut::Kind::kEntered) log.push_back("+" + name);
      if (e.kind == StateEventOut::Kind::kExited) log.push_back("-" + name);
    }
  }
  const std::vector<std::string> expected = {"+Idle", "+Move", "-Idle", "+Jump",
                                             "-Move", "+Idle", "-Jump"};
  EXPECT_EQ(log, expected);
}

TEST(Events, OrderIsByCharacterThenTimeThenLayer) {
  World world({.max_characters = 8});
  const CharacterDef def = testing::walker();
  for (int i = 0; i < 6; ++i) {
    const CharacterId id = world.spawn(def);
    world.set(id, def.param("speed"), 1.0 + 0.3 * i);
  }
  std::size_t seen = 0;
  for (Tick tick : fixed_steps(0.4f, 40)) {  // a long step, so that many meet in one tick
    for (const CharacterId id : world.characters()) {
      if ((tick.index + id.index) % 5 == 0) world.trigger(id, def.param("jump"));
    }
    world.update(tick);
    CharacterId last_id;
    double last_time = 0;
    bool first = true;
    std::size_t states = 0, clips = 0;
    for (const EventRef& ref : world.event_order()) {
      const bool is_state = ref.type == EventRef::Type::kState;
      EXPECT_EQ(ref.index, is_state ? states++ : clips++) << "typed lists have the same order";
      const CharacterId id = is_state ? world.events<StateEvent>()[ref.index].character
                                      : world.events<ClipEventFired>()[ref.index].character;
      const double time = is_state ? 0 : world.events<ClipEventFired>()[ref.index].time;
      if (!first && id == last_id) {
        EXPECT_LE(last_time, time);
      } else if (!first) {
        EXPECT_LT(last_id.index, id.index);
      }
      last_id = id;
      last_time = time;
      first = false;
      ++seen;
    }
    EXPECT_EQ(states, world.events<StateEvent>().size());
    EXPECT_EQ(clips, world.events<ClipEventFired>().size());
  }
  EXPECT_GT(seen, 100u);
}

}  // namespace
}  // namespace sinew
