// Phase matching by sync markers.
#include <algorithm>
#include <cmath>
#include <random>

#include "graph_run.hpp"
// The mapping itself, which no public header shows.
#include "../../src/graph/sync_phase.hpp"

namespace sinew {
namespace {

using namespace sinew::build;
using graph_detail::map_phase;
using graph_detail::PhaseMap;

using Markers = std::vector<MotionEventSource>;

MotionSource gait(const char* name, double length, Markers markers, double value = 0) {
  MotionSource m;
  m.name = name;
  m.length = length;
  m.value = value;
  m.markers = std::move(markers);
  return m;
}

TEST(SyncPhase, MarkersMeetAndTimeBetweenThemRunsInProportion) {
  const double walk[] = {0.1, 0.6}, run[] = {0.3, 0.7};
  EXPECT_NEAR(map_phase(walk, run, 0, 0.1), 0.3, 1e-12);
  EXPECT_NEAR(map_phase(walk, run, 0, 0.6), 0.7, 1e-12);
  EXPECT_NEAR(map_phase(walk, run, 0, 0.35), 0.5, 1e-12);
  EXPECT_NEAR(map_phase(walk, run, 0, 0.05), 0.24, 1e-12) << "across the loop";
  EXPECT_NEAR(map_phase(walk, run, 0, 3.35), 3.5, 1e-12);
  EXPECT_NEAR(map_phase(walk, run, 0, -0.4), -0.3, 1e-12);
  EXPECT_NEAR(map_phase(walk, run, 1, 0.1), 0.7, 1e-12) << "one marker on";
}

TEST(SyncPhase, IsContinuousRisingAndUndoneByItsReverse) {
  std::mt19937 random(3);
  const auto unit = [&] { return static_cast<double>(random() % 100000) / 100000.0; };
  for (int i = 0; i < 200; ++i) {
    std::vector<double> a(1 + random() % 6), b(1 + random() % 6);
    for (double& x : a) x = unit();
    for (double& x : b) x = unit();
    for (auto* row : {&a, &b}) {
      std::sort(row->begin(), row->end());
      for (std::size_t k = 1; k < row->size(); ++k) {
        if ((*row)[k] - (*row)[k - 1] < 1e-3) (*row)[k] = (*row)[k - 1] + 1e-3;
      }
      if (row->back() >= 1) *row = {0.5};
    }
    const auto shift = static_cast<std::int64_t>(random() % 7) - 3;
    double before = map_phase(a, b, shift, -2);
    for (double t = -2 + 1e-4; t < 2; t += 0.0137) {
      const double now = map_phase(a, b, shift, t);
      ASSERT_GT(now, before - 1e-9);
      ASSERT_NEAR(map_phase(b, a, -shift, now), t, 1e-6);
      ASSERT_NEAR(map_phase(a, b, shift, t + 1e-9), now, 1e-4);
      before = now;
    }
  }
}

// Walk: left, right; run: right, left, and a different rhythm; amble: two strides a loop; pace has
// markers of its own; idle has none.
ControllerBuilder gaits() {
  return ControllerBuilder()
      .float_parameter("x")
      .trigger("go")
      .bool_parameter("flip")
      .motion(gait("Walk", 1, {{0.1, "left_foot"}, {0.6, "right_foot"}}, 10))
      .motion(gait("Run", 0.6, {{0.12, "right_foot"}, {0.42, "left_foot"}}, 20))
      .motion(
          gait("Amble", 2,
               {{0.0, "left_foot"}, {0.5, "right_foot"}, {1.0, "left_foot"}, {1.5, "right_foot"}}))
      .motion(gait("Hop", 0.5, {{0.25, "left_foot"}}))
      .motion(gait("Pace", 1, {{0.2, "hoof"}}))
      .motion(gait("Idle", 3, {}));
}

std::int32_t index_of(const GraphRun& run, const char* motion) {
  for (std::size_t i = 0; i < run.def.tables().motions.size(); ++i) {
    if (run.def.tables().motions[i].name == motion) return static_cast<std::int32_t>(i);
  }
  return -1;
}

TEST(SyncPhase, MotionsMatchByTheOrderOfTheirMarkers) {
  GraphRun run(gaits().layer("base", machine("").add(state("A").plays("Walk"))));
  const auto map = [&](const char* a, const char* b, bool ma = false, bool mb = false) {
    return PhaseMap(run.motions, index_of(run, a), ma, index_of(run, b), mb);
  };
  // Left foot down in both.
  EXPECT_NEAR(map("Walk", "Run").forward(0.1), 0.7, 1e-9);
  EXPECT_NEAR(map("Walk", "Run").forward(0.6), 1.2, 1e-9);
  EXPECT_NEAR(map("Walk", "Run").back(0.7), 0.1, 1e-9);
  // Two strides: one loop of it is two of the walk.
  EXPECT_NEAR(map("Walk", "Amble").forward(0.1), 0.0, 1e-9);
  EXPECT_NEAR(map("Walk", "Amble").forward(1.1), 0.5, 1e-9);
  EXPECT_NEAR(map("Walk", "Amble").forward(2.6), 1.25, 1e-9);
  // Mirrored, the right foot stands for the left one.
  EXPECT_NEAR(map("Walk", "Walk", false, true).forward(0.1), 0.6, 1e-9);
  // Where the rows differ, one common name a stride.
  EXPECT_NEAR(map("Walk", "Hop").forward(0.1), 0.5, 1e-9);
  EXPECT_NEAR(map("Walk", "Hop").forward(0.6), 1.0, 1e-9);
  EXPECT_FALSE(map("Walk", "Pace").matched());
  EXPECT_FALSE(map("Walk", "Idle").matched());
  EXPECT_EQ(map("Walk", "Idle").forward(0.37), 0.37);
}

// A walk sets its four feet one by one, a trot in diagonal pairs: they meet at one foot.
TEST(SyncPhase, GaitsOfFourLegsMeet) {
  GraphRun run(ControllerBuilder()
                   .motion(gait("Walk", 1,
                                {{0, "hind_left_foot"},
                                 {0.25, "front_left_foot"},
                                 {0.5, "hind_right_foot"},
                                 {0.75, "front_right_foot"}}))
                   .motion(gait("Trot", 0.6,
                                {{0.1, "hind_left_foot"},
                                 {0.1, "front_right_foot"},
                                 {0.4, "hind_right_foot"},
                                 {0.4, "front_left_foot"}}))
                   .layer("base", machine("").add(state("A").plays("Walk"))));
  EXPECT_EQ(run.motions.motions[1].marker_count, 2u) << "feet that come down together are one";
  const PhaseMap map(run.motions, 0, false, 1, false);
  ASSERT_TRUE(map.matched());
  EXPECT_NEAR(map.forward(0), 0.1 / 0.6, 1e-9);
  EXPECT_NEAR(map.forward(1), 1 + 0.1 / 0.6, 1e-9);
}

StateSource in_step_tree() {
  return state("Move")
      .plays(tree_1d(
          "x", {child(motion("Walk"), 0), child(motion("Run"), 1), child(motion("Amble"), 2)}))
      .in_step();
}

double playing_at(const GraphRun& run, const char* motion) {
  for (std::size_t i = 0; i < run.out().playing_count; ++i) {
    if (run.out().playing[i].motion == index_of(run, motion)) return run.out().playing[i].n;
  }
  return -1;
}

TEST(SyncMarkers, AllMotionsOfAStateFollowTheHeaviest) {
  GraphRun run(gaits().layer("base", machine("").add(in_step_tree())));
  run.state().set_float(run.param("x"), 0.25f);
  run.step(0);
  run.step(0.3);
  const double walk = playing_at(run, "Walk");
  EXPECT_NEAR(walk, run.state().current_time(0), 1e-12) << "the leader's time is the state's";
  // Left foot at .1 and .7, right foot at .6 and .2 (of the next loop).
  const double phase = (walk - 0.1) / 0.5;
  const double led = 0.7 + phase * 0.5;
  EXPECT_NEAR(playing_at(run, "Run"), led - std::floor(led), 1e-9);
}

// When another motion becomes the heaviest, no motion's time jumps, and no event is lost or
// doubled.
TEST(SyncMarkers, ANewLeaderChangesNothingThatOneSees) {
  std::mt19937 random(5);
  GraphRun run(gaits().layer("base", machine("").add(in_step_tree())));
  const double lengths[] = {1, 0.6, 2};
  const char* const names[] = {"Walk", "Run", "Amble"};
  run.state().set_float(run.param("x"), 0.5f);
  run.step(0);
  double before[3] = {-1, -1, -1};
  int leaders = 0;
  std::int32_t leader = -1;
  float x = 0.5f;
  for (int i = 0; i < 5000; ++i) {
    x = std::clamp(x + (static_cast<float>(random() % 1000) / 1000 - 0.5f) * 0.08f, 0.01f, 1.99f);
    run.state().set_float(run.param("x"), x);
    run.step(1 / 120.0);
    if (run.state().layer(0).current.leader != leader) ++leaders;
    leader = run.state().layer(0).current.leader;
    for (std::size_t k = 0; k < 3; ++k) {
      const double now = playing_at(run, names[k]);
      if (now >= 0 && before[k] >= 0) {
        double step = now - before[k];
        step -= std::round(step);
        ASSERT_GT(step, -1e-9) << names[k] << " runs backwards in update " << i;
        // No faster than the quickest of the gaits, told by its own length.
        ASSERT_LT(step * lengths[k], 4 / 120.0) << names[k] << " jumps in update " << i;
      }
      before[k] = now;
    }
  }
  EXPECT_GT(leaders, 20);
}

TEST(SyncMarkers, EventsOfEveryMotionComeOncePerLoopOfIt) {
  ControllerBuilder builder = gaits();
  MotionSource walk = gait("W", 1, {{0.1, "left_foot"}, {0.6, "right_foot"}});
  MotionSource jog = gait("J", 0.7, {{0.35, "right_foot"}, {0.05, "left_foot"}});
  walk.events = {{0.1, "w_left"}};
  jog.events = {{0.05, "j_left"}};
  builder.motion(walk).motion(jog);
  GraphRun run(builder.layer(
      "base",
      machine("").add(state("Move")
                          .plays(tree_1d("x", {child(motion("W"), 0), child(motion("J"), 1)}))
                          .in_step())));
  run.state().set_float(run.param("x"), 0.5f);
  run.step(0);
  int walked = 0, jogged = 0;
  for (int i = 0; i < 4000; ++i) {
    run.state().set_float(run.param("x"), i % 7 < 3 ? 0.4f : 0.6f);  // the leader changes often
    run.step(0.01);
    for (std::size_t k = 0; k < run.out().clip_event_count; ++k) {
      const auto event = static_cast<std::size_t>(run.out().clip_events[k].event);
      (run.motions.event_names[event] == "w_left" ? walked : jogged) += 1;
    }
    // A foot comes down in both at the same time.
    ASSERT_LE(std::abs(walked - jogged), 0) << i;
  }
  EXPECT_NEAR(walked, run.state().current_time(0), 1.5);
  EXPECT_GT(walked, 40);
}

// An exit time that the change of leaders passes over is offered all the same.
TEST(SyncMarkers, NoExitTimeIsSkippedByANewLeader) {
  GraphRun run(
      gaits().layer("base", machine("")
                                .add(in_step_tree().to(transition("Out").at_exit(0.65).seconds(0)))
                                .add(state("Out"))));
  run.state().set_float(run.param("x"), 0.4f);
  run.step(0);
  // Just behind .1 of the walk; of the run that is just behind .7.
  double length = 0.6 * 1 + 0.4 * 0.6;
  run.step(0.11 * length);
  EXPECT_EQ(run.current(), "Move");
  run.state().set_float(run.param("x"), 0.6f);
  run.step(0.001);
  EXPECT_EQ(run.current(), "Out");
}

TEST(SyncMarkers, MotionsWithoutCommonMarkersGoByTime) {
  GraphRun run(gaits().layer(
      "base",
      machine("").add(state("Mix")
                          .plays(tree_1d("x", {child(motion("Walk"), 0), child(motion("Pace"), 1)}))
                          .in_step())));
  run.state().set_float(run.param("x"), 0.5f);
  run.step(0);
  run.step(0.3);
  EXPECT_NEAR(playing_at(run, "Walk"), 0.3, 1e-9);
  EXPECT_NEAR(playing_at(run, "Pace"), 0.3, 1e-9);
  run.state().set_float(run.param("x"), 0.7f);
  run.step(0.1);
  EXPECT_NEAR(playing_at(run, "Pace"), 0.4, 1e-9);
}

TEST(MatchPhase, TheTargetStartsAndGoesOnInStep) {
  GraphRun run(gaits().layer("base", machine("")
                                         .add(state("Walk").plays("Walk").to(
                                             transition("Run").when("go").seconds(1).in_phase()))
                                         .add(state("Run").plays("Run"))));
  run.step(0);
  run.step(0.35);  // half way from left to right
  run.state().set_trigger(run.param("go"));
  run.step(0);
  // Half way from left (.7) to right (1.2).
  EXPECT_NEAR(run.state().next_time(0), 0.95, 1e-9);
  const PhaseMap map(run.motions, index_of(run, "Walk"), false, index_of(run, "Run"), false);
  double next_before = run.state().next_time(0), current_before = run.state().current_time(0);
  for (int i = 0; i < 19; ++i) {
    run.step(0.05);
    const double walk = run.state().current_time(0), gallop = run.state().next_time(0);
    double apart = map.forward(walk) - gallop;
    apart -= std::round(apart);
    ASSERT_NEAR(apart, 0, 1e-9) << i;
    // The heavier one goes at its own pace.
    if (run.state().progress(0) <= 0.5) {
      EXPECT_NEAR(walk - current_before, 0.05, 1e-9) << i;
    } else if (run.state().progress(0) > 0.56) {
      EXPECT_NEAR(gallop - next_before, 0.05 / 0.6, 1e-9) << i;
    }
    EXPECT_GT(walk, current_before);
    EXPECT_GT(gallop, next_before);
    current_before = walk;
    next_before = gallop;
  }
  run.step(0.05);
  EXPECT_EQ(run.current(), "Run");
  EXPECT_NEAR(run.state().current_time(0), next_before + 0.05 / 0.6, 1e-9);
}

TEST(MatchPhase, WorksFromAndToTreesAndMirroredStates) {
  StateSource mirrored = state("Back").plays("Walk");
  mirrored.mirror_parameter = "flip";
  GraphRun run(gaits().layer(
      "base", machine("")
                  .add(in_step_tree().to(transition("Back").when("go").seconds(1).in_phase()))
                  .add(mirrored.to(transition("Move").when("go").seconds(1).in_phase()))));
  run.state().set_float(run.param("x"), 0.25f);
  run.state().set_bool(run.param("flip"), true);
  run.step(0);
  run.step(0.3);
  run.state().set_trigger(run.param("go"));
  run.step(0);
  EXPECT_NEAR(run.state().next_time(0), run.state().current_time(0) + 0.5, 1e-9);
  run.state().set_float(run.param("x"), 0.75f);  // the run leads the tree from now on
  for (int i = 0; i < 9; ++i) {
    run.step(0.05);
    const double phase = playing_at(run, "Walk");  // of the tree, being its first
    double apart = run.state().next_time(0) - phase - 0.5;
    apart -= std::round(apart);
    ASSERT_NEAR(apart, 0, 1e-9) << i;
  }
}

TEST(MatchPhase, WithoutMarkersTheOffsetCounts) {
  Findings findings;
  const ControllerBuilder builder = gaits().layer(
      "base", machine("")
                  .add(state("Walk").plays("Walk").to(
                      transition("Idle").when("go").seconds(1).starting_at(0.25).in_phase()))
                  .add(state("Idle").plays("Idle")));
  ASSERT_TRUE(builder.compile(&findings).ok());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "controller.unused_offset");
  GraphRun run(builder);
  run.step(0);
  run.step(0.35);
  run.state().set_trigger(run.param("go"));
  run.step(0);
  EXPECT_EQ(run.state().next_time(0), 0.25);
}

TEST(SyncMarkers, TooManyAreAnError) {
  Markers many;
  for (int i = 0; i < 65; ++i) many.push_back({i / 100.0, "m"});
  Findings findings;
  EXPECT_FALSE(ControllerBuilder()
                   .motion(gait("A", 1, many))
                   .layer("base", machine("").add(state("A").plays("A")))
                   .compile(&findings)
                   .ok());
  EXPECT_EQ(findings[0].code, "controller.too_many_markers");
}

// Names of the other side, for mirrored motions.
TEST(SyncMarkers, KnowTheirOtherSide) {
  const std::vector<std::pair<const char*, const char*>> table = {
      {"left_foot", "right_foot"},
      {"LeftFoot", "RightFoot"},
      {"foot.L", "foot.R"},
      {"foot_l", "foot_r"},
      {"hind_left_foot", "hind_right_foot"},
      {"Leftover", "Leftover"},
      {"heel", "heel"},
      {"R toe", "L toe"}};
  for (const auto& [name, other] : table) {
    GraphRun run(ControllerBuilder()
                     .motion(gait("A", 1, {{0.2, name}}))
                     .motion(gait("B", 1, {{0.4, other}}))
                     .layer("base", machine("").add(state("A").plays("A"))));
    const PhaseMap map(run.motions, 0, true, 1, false);
    ASSERT_TRUE(map.matched()) << name;
    EXPECT_NEAR(map.forward(0.2), 0.4, 1e-9);
    EXPECT_EQ(PhaseMap(run.motions, 0, false, 1, false).matched(), std::string(name) == other);
  }
}

}  // namespace
}  // namespace sinew
