// Properties that hold for any controller, tried on random ones: 3 layers, 20 states.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

#include "count_new.hpp"
#include "graph_run.hpp"

namespace sinew {
namespace {

using namespace sinew::build;

// More seeds by hand: SINEW_SEEDS=200 test_graph --gtest_filter=ControllerProperties.*
std::uint32_t seeds(std::uint32_t usual) {
  const char* asked = std::getenv("SINEW_SEEDS");
  return asked ? static_cast<std::uint32_t>(std::max(1, std::atoi(asked))) : usual;
}

class RandomController {
 public:
  // `all`: every kind of transition and state, partial motions and sync markers too.
  explicit RandomController(std::uint32_t seed, bool all = true) : all_(all), random_(seed) {}

  ControllerBuilder build() {
    ControllerBuilder builder("random");
    builder.float_parameter("x", 0.3f).float_parameter("y", -0.2f).float_parameter("z", 0.5f);
    if (all_) builder.float_parameter("curve", 0.1f);
    for (const char* name : {"t0", "t1", "t2", "t3"}) builder.trigger(name);
    for (const char* name : {"b0", "b1"}) builder.bool_parameter(name);
    builder.int_parameter("i", 0);
    for (int i = 0; i < 12; ++i) {
      MotionSource m;
      m.name = "m" + std::to_string(i);
      m.length = real(0.7, 3);
      m.loop = chance(0.7);
      if (!all_ || chance(0.85)) m.value = real(-100, 100);
      m.events = {{real(0, 0.7), "step"}};
      if (all_ && chance(0.7)) m.markers = {{real(0, 0.3), "left"}, {real(0.35, 0.7), "right"}};
      if (all_ && chance(0.3)) m.curves = {{"curve", {{0, real(-1, 1)}, {0.7, real(-1, 1)}}}};
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
      if (all_) {
        s.write_defaults = chance(0.7);
        s.sync_markers = chance(0.5);
        s.foot_ik = chance(0.5);
        if (chance(0.3)) s.behaves_as("watch");
      }
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
    if (!all_) return t;
    const int blend = integer(0, 5);
    if (blend < 2)
      t.blend = blend == 0 ? TransitionBlend::kInertialize : TransitionBlend::kDeadBlend;
    if (chance(0.3)) t.curve = static_cast<TransitionCurve>(integer(1, 3));
    if (t.blend == TransitionBlend::kInertialize) t.curve = TransitionCurve::kLinear;
    if (chance(0.3)) t.eased({{0, 0}, {0.3, 0.2}, {0.6, 0.8}, {1, 1}});
    if (t.blend == TransitionBlend::kInertialize) t.curve = TransitionCurve::kLinear;
    t.match_phase = chance(0.3);
    if (t.match_phase) t.offset = 0;
    return t;
  }

  bool all_;
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
  for (std::uint32_t seed = 1; seed <= seeds(12); ++seed) {
    GraphRun run(RandomController(seed).build());
    std::mt19937 random(seed);
    constexpr double kDt = 0.001;
    // The fastest transition takes 0.2 s, an inertialized or curved one at up to 2.1 times the
    // average, and the motions lie within 200 of each other; two layers of override and one that
    // adds; trees follow parameters that move at most 0.5 a second.
    constexpr float kMost = 200 * (0.001f / 0.2f) * 2.1f * 2 + 200 * 0.0005f * 8 + 0.01f;
    float before = run.step(0);
    int interruptions = 0, inertial = 0;
    for (int i = 0; i < 12000; ++i) {
      play_with(run, random, kDt);
      const float now = run.step(kDt);
      ASSERT_LE(std::abs(now - before), kMost) << "seed " << seed << " update " << i;
      before = now;
      for (const LayerScratch& layer : run.out().layers) {
        interruptions += layer.capture;
        inertial += layer.inertia;
      }
    }
    EXPECT_GT(interruptions + inertial, 0) << seed;
  }
}

// The output of an update in which an interruption starts is the one that it would have had
// without: two instances, one of which is not told of the trigger.
TEST(ControllerProperties, AnInterruptionStartsWhereThePoseIs) {
  int seen = 0;
  for (std::uint32_t seed = 1; seed <= seeds(30); ++seed) {
    GraphRun run(RandomController(seed).build());
    GraphRun without(run.def);
    std::mt19937 random(seed);
    run.step(0);
    for (int i = 0; i < 2000; ++i) {
      play_with(run, random, 1 / 60.0);
      ASSERT_TRUE(without.state().restore(run.state().bytes()).ok());
      without.stored = run.stored;
      run.step(1 / 60.0);
      bool started = false, instant = false;
      for (std::size_t k = 0; k < run.out().state_event_count; ++k) {
        const StateEventOut& e = run.out().state_events[k];
        started = started || e.kind == StateEventOut::Kind::kTransitionInterrupted;
        instant = instant || e.kind == StateEventOut::Kind::kTransitionCompleted;
      }
      if (!started || instant) continue;
      // The same update with nothing that could start: conditions fail.
      for (const char* name : {"t0", "t1", "t2", "t3"}) {
        without.state().reset_trigger(without.param(name));
      }
      without.step(1 / 60.0);
      bool any = false;
      for (std::size_t k = 0; k < without.out().state_event_count; ++k) {
        any = any || without.out().state_events[k].kind == StateEventOut::Kind::kTransitionStarted;
      }
      if (any) continue;
      ++seen;
      ASSERT_NEAR(run.value, without.value, 2e-3f) << "seed " << seed << " update " << i;
    }
  }
  EXPECT_GT(seen, 100);
}

// Time runs by exactly dt: in every state that stays, and in every transition.
TEST(ControllerProperties, NoTimeIsLost) {
  int states = 0, transitions = 0;
  for (std::uint32_t seed = 1; seed <= seeds(20); ++seed) {
    GraphRun run(RandomController(seed, false).build());
    std::mt19937 random(seed);
    run.step(0);
    const ControllerTables& t = run.def.tables();
    for (int i = 0; i < 1500; ++i) {
      LayerState before[3];
      for (int layer = 0; layer < 3; ++layer) before[layer] = run.state().layer(layer);
      play_with(run, random, 1 / 60.0);
      const double dt = 0.001 * static_cast<double>(1 + random() % 60);
      run.step(dt);
      for (int layer = 0; layer < 3; ++layer) {
        const LayerState& after = run.state().layer(layer);
        for (const LiveState* live : {&after.current, &after.next, &after.interrupted}) {
          if (live->state < 0 || live->entered) continue;
          const StateDef& def = t.states[static_cast<std::size_t>(live->state)];
          const bool single = def.node >= 0 && t.nodes[static_cast<std::size_t>(def.node)].kind ==
                                                   MotionNodeDef::Kind::kMotion;
          if (!single && def.node >= 0) continue;  // a tree's length changes
          const double length = single
                                    ? run.motions
                                          .motions[static_cast<std::size_t>(
                                              t.nodes[static_cast<std::size_t>(def.node)].motion)]
                                          .length
                                    : 1.0;
          ASSERT_NEAR(live->now.value() - live->before.value(), dt * def.speed / length, 1e-9);
          // Where it came from: it was live before, at just that time.
          const LayerState& was = before[layer];
          bool found = false;
          for (const LiveState* old : {&was.current, &was.next, &was.interrupted}) {
            found = found || (old->state == live->state &&
                              std::abs(old->now.value() - live->before.value()) < 1e-12);
          }
          ASSERT_TRUE(found) << "seed " << seed << " update " << i;
          ++states;
        }
        const RunningTransition& is = after.transition;
        const bool same = is.kind == TransitionKind::kDefined &&
                          is.index == before[layer].transition.index && !after.next.entered;
        if (same && is.fixed) {
          ASSERT_NEAR(is.progress - before[layer].transition.progress, dt / is.duration, 1e-9);
          ++transitions;
        }
      }
    }
  }
  EXPECT_GT(states, 10000);
  EXPECT_GT(transitions, 1000);
}

TEST(ControllerProperties, WeightsSumToOne) {
  for (std::uint32_t seed = 1; seed <= seeds(20); ++seed) {
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
      const auto p = static_cast<float>(run.state().transition(0).weight);
      ASSERT_NEAR(base, run.state().frozen(0) ? p : 1.0f, 2e-4f);
      ASSERT_GT(stack_depth(out.program()), 0);
      ASSERT_LE(stack_depth(out.program()), static_cast<int>(run.def.limits().stack_depth));
      ASSERT_EQ(out.dropped_events, 0u);
    }
  }
}

// In every single update another instance takes over from the bytes of the one before.
TEST(ControllerProperties, ARestoredStateGoesOnAlikeFromAnyUpdate) {
  for (std::uint32_t seed = 1; seed <= seeds(20); ++seed) {
    GraphRun run(RandomController(seed).build());
    GraphRun relay[2] = {GraphRun(run.def), GraphRun(run.def)};
    std::mt19937 random(seed), relay_random(seed);
    for (int i = 0; i < 1500; ++i) {
      GraphRun& from = relay[i % 2];
      GraphRun& to = relay[(i + 1) % 2];
      // Traces of another life, which must not show.
      to.state().reset();
      to.step(0.3);
      ASSERT_TRUE(to.state().restore(from.state().bytes()).ok()) << "seed " << seed << " " << i;
      to.stored = from.stored;
      if (i % 100 == 50) {  // a command that waits is saved too
        run.state().cross_fade(run.def.state("over.s1"), 0.3, 0.1);
        to.state().cross_fade(run.def.state("over.s1"), 0.3, 0.1);
        ASSERT_TRUE(from.state().restore(to.state().bytes()).ok());
        ASSERT_TRUE(to.state().restore(from.state().bytes()).ok());
      }
      play_with(run, random, 0.03);
      play_with(to, relay_random, 0.03);
      ASSERT_EQ(run.step(0.03), to.step(0.03)) << "seed " << seed << " update " << i;
      ASSERT_EQ(run.events(), to.events());
      ASSERT_EQ(run.out().clip_event_count, to.out().clip_event_count);
      const auto a = run.state().bytes(), b = to.state().bytes();
      ASSERT_EQ(std::memcmp(a.data(), b.data(), a.size()), 0) << "seed " << seed << " update " << i;
    }
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
