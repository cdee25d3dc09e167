// Properties that hold for any controller, tried on random ones: 3 layers, 20 states.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "count_new.hpp"
#include "graph_run.hpp"

namespace sinew {
namespace {

using namespace sinew::build;

class RandomController {
 public:
  explicit RandomController(std::uint32_t seed) : random_(seed) {}

  ControllerBuilder build() {
    ControllerBuilder builder("random");
    builder.float_parameter("x", 0.3f).float_parameter("y", -0.2f).float_parameter("z", 0.5f);
    for (const char* name : {"t0", "t1", "t2", "t3"}) builder.trigger(name);
    for (const char* name : {"b0", "b1"}) builder.bool_parameter(name);
    builder.int_parameter("i", 0);
    for (int i = 0; i < 12; ++i) {
      MotionSource m;
      m.name = "m" + std::to_string(i);
      m.length = real(0.7, 3);
      m.loop = chance(0.7);
      m.value = real(-100, 100);
      m.events = {{real(0, 0.7), "step"}};
      builder.motion(m);
    }
    builder.layer("base", layer_root(8, false));
    LayerSource over;
    over.name = "over";
    over.weight = 0.6;
    over.root = layer_root(6, true);
    builder.layer(over);
    LayerSource more;
    more.name = "more";
    more.weight = 0.4;
    more.blending = LayerBlending::kAdditive;
    more.root = layer_root(6, true);
    builder.layer(more);
    return builder;
  }

  double real(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(double p) { return real(0, 1) < p; }

 private:
  MachineSource layer_root(int states, bool with_empty) {
    MachineSource root = machine(""), inner = machine("inner");
    for (int i = 0; i < states; ++i) {
      StateSource s = state("s" + std::to_string(i));
      if (!(with_empty && i == 0)) s.motion = random_motion();
      s.speed = chance(0.8) ? real(0.5, 1.5) : -1;
      const int count = integer(1, 4);
      for (int k = 0; k < count; ++k) {
        s.to(random_transition("s" + std::to_string(integer(0, states - 1)), false));
      }
      if (i % 3 == 2) {
        s.to(random_transition(kExitName, false));
        inner.add(std::move(s));
      } else {
        if (i == 0) s.to(random_transition("inner", false));
        root.add(std::move(s));
      }
    }
    inner.leaves(route("s1").when("b0"));
    inner.enters(route("s5").when("b1"));
    for (int k = 0; k < 2; ++k) {
      TransitionSource t = random_transition("s" + std::to_string(integer(0, states - 1)), true);
      t.to_self = chance(0.5);
      root.from_any(std::move(t));
    }
    root.add(std::move(inner));
    return root;
  }

  std::string any_motion() { return "m" + std::to_string(integer(0, 11)); }

  MotionNodeSource random_motion() {
    const int kind = integer(0, 4);
    if (kind < 2) return motion(any_motion());
    if (kind == 2) {
      MotionNodeSource inner =
          tree_1d("y", {child(motion(any_motion()), -1), child(motion(any_motion()), 1)});
      return tree_1d(
          "x", {child(motion(any_motion()), -1), child(inner, 0), child(motion(any_motion()), 1)});
    }
    return tree_2d(kind == 3 ? TreeType::kFreeformCartesian : TreeType::kSimpleDirectional, "x",
                   "y",
                   {child(motion(any_motion()), 0, 0), child(motion(any_motion()), 0, 1),
                    child(motion(any_motion()), 1, 0), child(motion(any_motion()), -1, -0.5)});
  }

  TransitionSource random_transition(const std::string& to, bool any) {
    TransitionSource t = transition(to);
    if (any || chance(0.6)) t.when("t" + std::to_string(integer(0, 3)));
    if (chance(0.3)) t.when("b" + std::to_string(integer(0, 1)), chance(0.5) ? is_set : is_not_set);
    if (chance(0.2)) t.when("z", greater, real(0, 1));
    if (chance(0.2)) t.when("i", not_equal, integer(0, 2));
    if (t.conditions.empty() || (!any && chance(0.3))) t.at_exit(real(0, 1.4));
    t.duration = chance(0.7) ? real(0.2, 1) : real(0.4, 1);
    t.fixed = chance(0.7);
    t.offset = real(0, 0.9);
    t.interrupted_by(static_cast<Interruption>(integer(0, 4)), chance(0.5));
    return t;
  }

  std::mt19937 random_;
};

// Changes some parameters as a game would; the trees' ones slowly.
void play_with(GraphRun& run, std::mt19937& random, double dt) {
  ControllerState s = run.state();
  const auto unit = [&] { return static_cast<double>(random() % 10000) / 10000.0; };
  for (const char* name : {"x", "y", "z"}) {
    const float value = s.get_float(run.param(name)) + static_cast<float>((unit() - 0.5) * dt);
    s.set_float(run.param(name), std::clamp(value, -1.5f, 1.5f));
  }
  if (unit() < 8 * dt) s.set_trigger(run.param(("t" + std::to_string(random() % 4)).c_str()));
  if (unit() < 2 * dt)
    s.set_bool(run.param(("b" + std::to_string(random() % 2)).c_str()), unit() < 0.5);
  if (unit() < dt) s.set_int(run.param("i"), static_cast<int>(random() % 3));
}

TEST(ControllerProperties, TheOutputNeverJumps) {
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    GraphRun run(RandomController(seed).build());
    std::mt19937 random(seed);
    constexpr double kDt = 0.001;
    // The fastest transition takes 0.2 s and the motions lie within 200 of each other; two layers
    // of override and one that adds; trees follow parameters that move at most 0.5 a second.
    constexpr float kMost = 200 * (0.001f / 0.2f) * 2 + 200 * 0.0005f * 8 + 0.01f;
    float before = run.step(0);
    int interruptions = 0;
    for (int i = 0; i < 12000; ++i) {
      play_with(run, random, kDt);
      const float now = run.step(kDt);
      ASSERT_LE(std::abs(now - before), kMost) << "seed " << seed << " update " << i;
      before = now;
      for (int layer = 0; layer < 3; ++layer)
        interruptions += run.out().layers[static_cast<std::size_t>(layer)].capture;
    }
    EXPECT_GT(interruptions, 0) << seed;
  }
}

TEST(ControllerProperties, WeightsSumToOne) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    GraphRun run(RandomController(seed).build());
    std::mt19937 random(seed);
    run.step(0);
    for (int i = 0; i < 600; ++i) {
      play_with(run, random, 1 / 60.0);
      run.step(1 / 60.0);
      const ControllerOutput& out = run.out();
      for (std::size_t k = 0; k < out.task_count; ++k) {
        if (out.tasks[k].op != PoseTask::Op::kBlend) continue;
        float sum = 0;
        for (std::size_t w = 0; w < out.tasks[k].count; ++w)
          sum += out.weights[out.tasks[k].first + w];
        ASSERT_NEAR(sum, 1, 1e-4f);
      }
      float base = 0;
      for (std::size_t k = 0; k < out.playing_count; ++k) {
        if (out.playing[k].layer == 0) base += out.playing[k].weight;
      }
      const auto p = static_cast<float>(run.state().progress(0));
      ASSERT_NEAR(base, run.state().frozen(0) ? p : 1.0f, 2e-4f);
      ASSERT_GT(stack_depth(out.program()), 0);
      ASSERT_LE(stack_depth(out.program()), static_cast<int>(run.def.limits().stack_depth));
      ASSERT_EQ(out.dropped_events, 0u);
    }
  }
}

TEST(ControllerProperties, ARestoredStateGoesOnAlike) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    GraphRun run(RandomController(seed).build());
    std::mt19937 random(seed);
    run.step(0);
    for (int i = 0; i < static_cast<int>(seed) * 7; ++i) {
      play_with(run, random, 0.05);
      run.step(0.05);
    }
    run.state().cross_fade(run.def.state("over.s1"), 0.3, 0.1);  // a command that waits
    const std::vector<std::byte> saved(run.state().bytes().begin(), run.state().bytes().end());
    const std::vector<float> stored = run.stored;
    const std::mt19937 saved_random = random;
    std::vector<float> first;
    for (int i = 0; i < 200; ++i) {
      play_with(run, random, 0.05);
      first.push_back(run.step(0.05));
    }
    const std::vector<std::byte> end(run.state().bytes().begin(), run.state().bytes().end());
    ASSERT_TRUE(run.state().restore(saved).ok());
    run.stored = stored;
    random = saved_random;
    for (int i = 0; i < 200; ++i) {
      play_with(run, random, 0.05);
      ASSERT_EQ(run.step(0.05), first[static_cast<std::size_t>(i)]) << "seed " << seed;
    }
    EXPECT_EQ(std::memcmp(run.state().bytes().data(), end.data(), end.size()), 0);
  }
}

TEST(ControllerProperties, UpdatesDoNotAllocate) {
  GraphRun run(RandomController(5).build(), true);
  std::mt19937 random(5);
  run.step(0);
  for (int i = 0; i < 2000; ++i) {
    play_with(run, random, 1 / 60.0);
    start_counting_new();
    run.step(1 / 60.0);
    ASSERT_EQ(stop_counting_new(), 0);
  }
  start_counting_new();
  const std::vector<int> one(static_cast<std::size_t>(random() % 3 + 1));
  EXPECT_EQ(stop_counting_new(), 1) << one.size();  // the counter itself works
}

TEST(ControllerProperties, SplittingAStepKeepsTheExit) {
  RandomController random(77);
  for (int i = 0; i < 300; ++i) {
    const double length = random.real(0.3, 3), exit = random.real(0, 2.5),
                 total = random.real(0.1, 8);
    const double crossing = (exit == 0 ? 1 : exit) * length;
    if (std::abs(crossing - total) < 0.01) continue;
    const auto left = [&](int pieces) {
      GraphRun run(ControllerBuilder()
                       .motion("A", length, random.chance(0.5))
                       .motion("B", 1)
                       .layer("base", machine("")
                                          .add(state("A").plays("A").to(
                                              transition("B").at_exit(exit).seconds(0)))
                                          .add(state("B").plays("B"))));
      run.step(0);
      run.steps(pieces, total / pieces);
      return run.current() == "B";
    };
    const bool whole = left(1);
    EXPECT_EQ(whole, crossing < total) << exit << " " << length << " " << total;
    for (int pieces : {2, 3, 7, 60}) EXPECT_EQ(left(pieces), whole);
  }
}

// Rulings, 1: neither single precision nor long running moves a window's edge.
TEST(ControllerProperties, EdgesFallOnTheRightUpdate) {
  GraphRun run(ControllerBuilder().motion("A", 1).motion("B", 1).layer(
      "base", machine("")
                  .add(state("A").plays("A").to(transition("B").at_exit(0.9).seconds(0.25)))
                  .add(state("B").plays("B"))));
  for (double start : {0.0, 100000.0}) {
    run.state().play(run.def.state("A"), start);
    run.step(0);
    run.step(0);
    int update = 0;
    while (run.next().empty()) {
      run.step(0.1);
      ++update;
      ASSERT_LT(update, 20);
    }
    EXPECT_EQ(update, 9);
    int fade = 0;
    while (run.current() == "A") {
      run.step(1 / 60.0);
      ++fade;
      ASSERT_LT(fade, 20);
    }
    EXPECT_EQ(fade, 15);
  }
}

}  // namespace
}  // namespace sinew
