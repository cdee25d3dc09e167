// Parameters, commands and the bytes of an instance.
#include <cmath>
#include <cstring>
#include <random>

#include <sinew/graph/state.hpp>

#include "graph_run.hpp"

namespace sinew {
namespace {

using namespace sinew::build;

ControllerBuilder two_states() {
  return ControllerBuilder("two")
      .float_parameter("speed", 0.5f)
      .int_parameter("count", 2)
      .bool_parameter("go", true)
      .trigger("hit")
      .motion("A", 1, true, 0)
      .motion("B", 2, true, 10)
      .layer("base", machine("").add(state("A").plays("A")).add(state("B").plays("B")));
}

TEST(ControllerState, SettersRefuseWhatDoesNotFit) {
  GraphRun run(two_states());
  ControllerState s = run.state();
  const ParamId speed = run.param("speed"), count = run.param("count"), go = run.param("go"),
                hit = run.param("hit");
  EXPECT_EQ(s.get_float(speed), 0.5f);
  EXPECT_EQ(s.get_int(count), 2);
  EXPECT_TRUE(s.get_bool(go));
  EXPECT_FALSE(s.set_float(speed, std::nanf("")));
  EXPECT_FALSE(s.set_float(speed, INFINITY));
  EXPECT_EQ(s.get_float(speed), 0.5f);
  EXPECT_FALSE(s.set_float(count, 1));
  EXPECT_FALSE(s.set_int(speed, 1));
  EXPECT_FALSE(s.set_bool(hit, true));
  EXPECT_FALSE(s.set_trigger(go));
  EXPECT_FALSE(s.set_float(ParamId{}, 1));
  EXPECT_FALSE(s.set(count, 1e12));
  EXPECT_TRUE(s.set(count, 7));
  EXPECT_EQ(s.get_int(count), 7);
  EXPECT_TRUE(s.set_trigger(hit));
  EXPECT_TRUE(s.set_trigger(hit));
  EXPECT_TRUE(s.get_bool(hit));
  EXPECT_TRUE(s.reset_trigger(hit));
  EXPECT_FALSE(s.get_bool(hit));
  EXPECT_FALSE(s.set_layer_weight(0, 0.5f));
  EXPECT_FALSE(s.set_speed(-1));
  EXPECT_FALSE(s.play(StateId{}));
  EXPECT_FALSE(s.play(run.def.state("B"), std::nan("")));
  EXPECT_FALSE(s.cross_fade(run.def.state("B"), -1));
  s.reset();
  EXPECT_EQ(s.get_int(count), 2);
}

TEST(ControllerState, DampedFloatsApproach) {
  GraphRun run(two_states());
  ControllerState s = run.state();
  const ParamId speed = run.param("speed");
  for (int i = 0; i < 60; ++i) EXPECT_TRUE(s.set_float_damped(speed, 2, 1, 1 / 60.0f));
  EXPECT_NEAR(s.get_float(speed), 2 - 1.5f * std::exp(-4.0f), 1e-4f);
  EXPECT_TRUE(s.set_float_damped(speed, 3, 0, 1));
  EXPECT_EQ(s.get_float(speed), 3);
}

TEST(ControllerState, RestoringNeedsTheSameDefinition) {
  GraphRun run(two_states());
  run.step(0);
  const std::vector<std::byte> saved(run.state().bytes().begin(), run.state().bytes().end());
  run.state().play(run.def.state("B"), 0.5);
  run.step(0.1);
  EXPECT_EQ(run.current(), "B");
  ASSERT_TRUE(run.state().restore(saved).ok());
  EXPECT_EQ(run.current(), "A");

  GraphRun other(two_states().trigger("more"));
  const Status status = other.state().restore(saved);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kMismatch);
  std::vector<std::byte> wrong = saved;
  wrong[0] ^= std::byte{1};
  EXPECT_FALSE(run.state().restore(wrong).ok());
  EXPECT_FALSE(run.state().restore(std::span(saved).first(8)).ok());
}

// Whatever bytes restore() accepts, updates get along with them.
TEST(ControllerState, DamagedBytesAreRefusedOrHarmless) {
  GraphRun run(two_states());
  run.step(0);
  run.state().cross_fade_seconds(run.def.state("B"), 5);
  run.step(0.1);
  run.state().cross_fade_seconds(run.def.state("A"), 5);
  run.step(0.1);
  run.state().play(run.def.state("B"), 0.5);
  const std::vector<std::byte> saved(run.state().bytes().begin(), run.state().bytes().end());
  std::mt19937 random(5);
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::vector<std::byte> damaged = saved;
    for (int k = 0; k < 3; ++k) {
      damaged[16 + random() % (damaged.size() - 16)] = static_cast<std::byte>(random() % 256);
    }
    if (!run.state().restore(damaged).ok()) {
      ++refused;
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      run.step(0.3);
      ASSERT_TRUE(std::isfinite(run.value));
      ASSERT_TRUE(run.state().current(0));
    }
  }
  EXPECT_GT(refused, 500);
  EXPECT_LT(refused, 5000);
}

TEST(ControllerState, BadTimeStepsCountAsNone) {
  GraphRun run(two_states());
  run.step(0);
  run.step(0.25);
  for (double dt : {-1.0, std::nan(""), static_cast<double>(INFINITY)}) {
    run.step(dt);
    EXPECT_EQ(run.state().current_time(0), 0.25);
    EXPECT_EQ(run.state().header().bad_dt, 1);
  }
  run.step(0.25);
  EXPECT_EQ(run.state().header().bad_dt, 0);
  EXPECT_EQ(run.state().current_time(0), 0.5);
}

TEST(ControllerState, SpeedScalesEverything) {
  GraphRun run(two_states());
  run.step(0);
  EXPECT_TRUE(run.state().set_speed(0.5f));
  run.state().cross_fade_seconds(run.def.state("B"), 1);
  run.step(0.5);
  run.step(0.5);
  EXPECT_NEAR(run.state().progress(0), 0.25, 1e-12);
  EXPECT_NEAR(run.state().next_time(0), 0.125, 1e-12);
}

TEST(ControllerState, SeekMovesTheCurrentState) {
  GraphRun run(two_states());
  run.step(0);
  EXPECT_TRUE(run.state().seek(0, 3.25));
  run.step(0.1);
  EXPECT_EQ(run.state().current_time(0), 3.25);
  EXPECT_EQ(run.events(), "");
  EXPECT_TRUE(run.state().play_at_seconds(run.def.state("B"), 1));
  run.step(0.1);
  EXPECT_EQ(run.state().current_time(0), 0.5);
  EXPECT_EQ(run.events(), "enter B, exit A");
}

TEST(ControllerState, APlayBeforeTheStartIsTheStart) {
  GraphRun run(two_states());
  run.state().play(run.def.state("B"));
  run.step(0);
  EXPECT_EQ(run.current(), "B");
  EXPECT_EQ(run.events(), "enter B");
}

TEST(Playhead, StaysExactAfterDays) {
  Playhead p = Playhead::from(-0.25);
  EXPECT_EQ(p.loops, -1);
  EXPECT_EQ(p.fraction, 0.75);
  p = {};
  for (int i = 0; i < 60 * 60 * 24; ++i) p.advance(10.125);
  EXPECT_EQ(p.loops, 60 * 60 * 24 * 10 + 60 * 60 * 24 / 8);
  EXPECT_EQ(p.fraction, 0);
  p.advance(-1e300);
  EXPECT_TRUE(std::isfinite(p.value()));
  p.advance(std::nan(""));
  EXPECT_TRUE(std::isfinite(p.value()));
}

}  // namespace
}  // namespace sinew
