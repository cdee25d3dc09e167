#include <gtest/gtest.h>

#include <sinew/math/smooth.hpp>
#include <sinew/scene/scene_run.hpp>
#include <sinew/scene/thread_jobs.hpp>

#include "walker_project.hpp"

namespace sinew {
namespace {

using testing::walker_scene;

std::uint64_t run_hash(const Scene& scene, int workers) {
  ThreadJobs jobs(workers);
  SceneRun run(scene, &jobs);
  while (!run.done()) run.step();
  return run.summary().run_hash;
}

// The hash over every tick of a minute. It is the same for every compiler, build type and number of
// workers; where it changes, results have changed: say so in the changelog, and set it anew.
constexpr std::uint64_t kGoldenHash = 0xab97260b5e25278bull;

TEST(SceneRun, AMinuteHasTheGoldenHash) {
  const Scene scene = walker_scene(60);
  for (int workers : {1, 2, 4}) {
    const std::uint64_t hash = run_hash(scene, workers);
    EXPECT_EQ(hash, kGoldenHash) << std::hex << "0x" << hash << " with " << workers << " workers";
  }
}

TEST(SceneRun, ASnapshotOnTheWayGoesOnWithTheSameBits) {
  const Scene scene = walker_scene(20);
  SceneRun run(scene), other(scene);
  for (int start : {5, 130, 333}) {
    while (run.tick().index + 1 < static_cast<std::uint64_t>(start)) run.step();
    std::vector<std::byte> saved;
    run.save(saved);
    std::vector<std::uint64_t> expected;
    for (int i = 0; i < 200; ++i) run.step(), expected.push_back(run.state_hash());
    for (SceneRun* again : {&run, &other}) {
      ASSERT_TRUE(again->restore(saved).ok());
      for (int i = 0; i < 200; ++i) {
        again->step();
        ASSERT_EQ(again->state_hash(), expected[static_cast<std::size_t>(i)])
            << start << " + " << i;
      }
    }
    ASSERT_TRUE(run.restore(saved).ok());
  }
  std::vector<std::byte> saved;
  run.save(saved);
  for (std::size_t size = 0; size < saved.size(); size += 1 + size / 20) {
    EXPECT_FALSE(other.restore(std::span(saved).first(size)).ok());
  }
  Scene fewer = walker_scene(20);
  fewer.characters.pop_back();
  SceneRun wrong(fewer);
  EXPECT_FALSE(wrong.restore(saved).ok());
}

TEST(SceneRun, PatrolsReachTheirPointsAtTheirSpeed) {
  Scene scene = walker_scene(40);
  scene.characters.resize(1);
  scene.characters[0].script.clear();
  PatrolDef& patrol = scene.characters[0].patrol;
  for (WayPoint& point : patrol.points) point.speed = 1.2f, point.wait = 0;
  SceneRun run(scene);
  float nearest_miss = 100;
  while (!run.done()) {
    run.step();
    for (const WayPoint& point : patrol.points) {
      nearest_miss = min(nearest_miss, distance(point.position, run.world().position(run.id(0))));
    }
  }
  const SceneSummary summary = run.summary();
  EXPECT_GE(summary.characters[0].way_points, 8) << "two rounds of 16 m and more";
  EXPECT_LT(nearest_miss, patrol.reach);
  EXPECT_GT(summary.characters[0].distance, 40);
  EXPECT_LT(summary.characters[0].distance, 40 * 1.25);
  EXPECT_EQ(summary.ticks, 2400u);
  EXPECT_EQ(summary.cost.ticks, 2400u);
  EXPECT_LE(summary.cost.min, summary.cost.median);
  EXPECT_LE(summary.cost.median, summary.cost.p99);
  EXPECT_GT(summary.characters[0].events.at("step"), 60);
}

// Whatever the speeds, turning never becomes circling: the slow-down while facing away sees to it.
TEST(SceneRun, NoPatrolCirclesAPoint) {
  for (const float speed : {0.5f, 1.4f, 3.0f, 6.0f}) {
    for (const float half_life : {0.05f, 0.15f, 0.3f}) {
      for (int start = 0; start < 12; ++start) {
        PatrolDef patrol;
        patrol.turn_half_life = half_life;
        patrol.points.resize(1);
        Vec3 at{1.2f, 0, 0.3f};
        float yaw = static_cast<float>(start) * 0.55f - kPi, v = speed;
        int ticks = 0;
        for (; ticks < 60 * 30 && length(at) >= patrol.reach; ++ticks) {
          const PatrolStep step = step_patrol(patrol, yaw, -at, speed, v, 1 / 60.f);
          yaw = wrap_angle(yaw + step.turn);
          v = step.speed;
          at += rotate(from_yaw(yaw), {0, 0, v / 60});
        }
        EXPECT_LT(ticks, 60 * 30) << speed << " m/s, half-life " << half_life << ", start "
                                  << start;
      }
    }
  }
}

TEST(SceneRun, ByParameterItMovesAtExactlyThatSpeed) {
  Scene scene = walker_scene(10);
  scene.characters = {scene.characters[4]};
  SceneCharacter& one = scene.characters[0];
  one.spawn_at = 0;
  one.script.clear();
  one.patrol.points = {{one.position + Vec3{0, 0, 100}, 2.0f, 0}};
  one.yaw = 0;
  SceneRun run(scene);
  while (!run.done()) run.step();
  EXPECT_NEAR(run.summary().characters[0].top_speed, 2.0, 1e-4);
}

TEST(SceneRun, ScriptsActAtTheirTicks) {
  testing::TempFolder folder;
  testing::write_walker_project(folder);
  const Result<Scene> scene = load_scene(folder / "course.scene.json");
  ASSERT_TRUE(scene.ok()) << to_string(scene.error());
  SceneRun run(*scene);
  bool jumped = false;
  int idler_ticks = 0;
  while (!run.done()) {
    run.step();
    const std::uint64_t tick = run.tick().index;
    for (const WorldInput& input : run.inputs()) {
      if (input.kind == WorldInput::Kind::kTrigger) {
        EXPECT_EQ(tick, 120u);
        jumped = true;
      }
    }
    if (run.world().alive(run.id(1))) {
      ++idler_ticks;
      EXPECT_GE(tick, 60u);
    }
  }
  EXPECT_TRUE(jumped);
  EXPECT_EQ(idler_ticks, 240) << "from 1 s to 5 s";
  const SceneSummary summary = run.summary();
  EXPECT_FALSE(summary.characters[1].alive);
  EXPECT_EQ(summary.characters[0].name, "guard");
}

TEST(TickCost, IsOfTheNearestRank) {
  EXPECT_EQ(tick_cost({}).ticks, 0u);
  std::vector<float> seconds;
  for (int i = 100; i >= 1; --i) seconds.push_back(static_cast<float>(i));
  const TickCost cost = tick_cost(seconds);
  EXPECT_EQ(cost.min, 1);
  EXPECT_EQ(cost.median, 50);
  EXPECT_EQ(cost.p99, 99);
  EXPECT_EQ(cost.max, 100);
}

TEST(ThreadJobs, DoEveryItemOnceInEveryRound) {
  for (int workers : {1, 2, 4}) {
    ThreadJobs jobs(workers);
    EXPECT_EQ(jobs.workers(), workers);
    for (int count : {0, 1, 2, 7, 100, 1000}) {
      std::vector<int> seen(static_cast<std::size_t>(count), 0);
      jobs.parallel_for(
          count,
          [](void* user, int i) {
            ++(*static_cast<std::vector<int>*>(user))[static_cast<std::size_t>(i)];
          },
          &seen);
      for (int times : seen) EXPECT_EQ(times, 1);
    }
  }
  EXPECT_EQ(ThreadJobs(-3).workers(), 1);
  EXPECT_GE(ThreadJobs::hardware_workers(), 1);
}

}  // namespace
}  // namespace sinew
