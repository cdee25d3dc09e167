#include <cmath>

#include "graph_run.hpp"

namespace sinew {
namespace {

using namespace sinew::build;

ControllerBuilder jumper(bool loop) {
  return ControllerBuilder()
      .trigger("out")
      .motion("Jump", 2, loop)
      .layer("base",
             machine("")
                 .add(state("Jump").plays("Jump").to(transition("Rest").when("out").seconds(0.5)))
                 .add(state("Rest")));
}

MatchTarget target(double start, double end) {
  MatchTarget t;
  t.joint = 3;
  t.position = {1, 0, 2};
  t.start = start;
  t.end = end;
  return t;
}

// Corrects a number that is 1 away from its goal by the shares of each update; how much is left.
double missing_after(GraphRun& run, int updates, double dt, double missing = 1) {
  for (int i = 0; i < updates; ++i) {
    run.step(dt);
    if (run.out().match.active) missing *= 1 - static_cast<double>(run.out().match.share);
  }
  return missing;
}

TEST(MatchTarget, CorrectsLinearlyInsideItsWindow) {
  GraphRun run(jumper(false));
  EXPECT_FALSE(run.state().match_target(target(0.25, 0.75)));  // before the start
  run.step(0);
  EXPECT_TRUE(run.state().match_target(target(0.25, 0.75)));
  EXPECT_FALSE(run.state().match_target(target(0.25, 0.75)));  // one at a time
  EXPECT_EQ(missing_after(run, 2, 0.25), 1);                   // n .25
  EXPECT_NEAR(missing_after(run, 2, 0.25), 0.5, 1e-6);         // n .5
  EXPECT_NEAR(missing_after(run, 1, 0.25, 0.5), 0.25, 1e-6);   // n .625
  EXPECT_EQ(missing_after(run, 1, 0.25, 0.25), 0);             // n .75
  run.step(0.25);
  EXPECT_FALSE(run.out().match.active);
}

TEST(MatchTarget, ALateOneWaitsForTheNextLoopOrBeginsAtOnce) {
  for (bool loop : {true, false}) {
    GraphRun run(jumper(loop));
    run.step(0);
    run.step(1);
    ASSERT_TRUE(run.state().match_target(target(0.25, 1)));
    run.step(0.5);
    EXPECT_EQ(run.out().match.active, !loop);
    EXPECT_EQ(run.state().header().match.start, loop ? 1.25 : 0.5);
  }
}

TEST(MatchTarget, IsEndedByATransition) {
  for (bool complete : {true, false}) {
    GraphRun run(jumper(true));
    run.step(0);
    MatchTarget t = target(0, 0.9);
    t.complete = complete;
    ASSERT_TRUE(run.state().match_target(t));
    run.step(0.5);
    EXPECT_TRUE(run.out().match.active);
    run.state().set_trigger(run.param("out"));
    run.step(0.5);
    EXPECT_EQ(run.out().match.active, complete);
    EXPECT_EQ(run.out().match.share, complete ? 1.0f : 0.0f);
    EXPECT_FALSE(run.state().match_target(t));  // not in a transition
    run.step(0.1);
    EXPECT_FALSE(run.out().match.active);
  }
}

TEST(MatchTarget, RefusesWhatIsNotFinite) {
  GraphRun run(jumper(true));
  run.step(0);
  MatchTarget t = target(0, 1);
  t.position.y = std::nanf("");
  EXPECT_FALSE(run.state().match_target(t));
  EXPECT_FALSE(run.state().match_target(target(0.5, 0.5)));
  EXPECT_TRUE(run.state().match_target(target(0, 1)));
  run.state().cancel_match();
  run.step(0.1);
  EXPECT_FALSE(run.out().match.active);
}

TEST(MatchTarget, MovesTheRootSoThatTheJointArrives) {
  MatchOut match;
  match.active = true;
  match.share = 1;
  match.position = {3, 1, 2};
  match.position_weight = {1, 1, 1};
  match.rotation = {0, std::sin(0.6f), 0, std::cos(0.6f)};
  match.rotation_weight = 1;
  Transform root, predicted;
  root.translation = {1, 0, 0};
  predicted.translation = {1.5f, 1.2f, 0.4f};
  predicted.rotation = {0, std::sin(0.1f), 0, std::cos(0.1f)};
  const MatchCorrection c = correct_for_match(match, root, predicted);
  const Vec3 place =
      root.translation + rotate(c.turn, predicted.translation - root.translation) + c.translation;
  EXPECT_NEAR(place.x, 3, 1e-5f);
  EXPECT_NEAR(place.y, 1, 1e-5f);
  EXPECT_NEAR(place.z, 2, 1e-5f);
  EXPECT_NEAR((c.turn * predicted.rotation).y, match.rotation.y, 1e-5f);
  match.position_weight = {0, 1, 0};
  match.rotation_weight = 0;
  match.share = 0.5f;
  const MatchCorrection half = correct_for_match(match, root, predicted);
  EXPECT_EQ(half.translation.x, 0);
  EXPECT_NEAR(half.translation.y, -0.1f, 1e-6f);
  EXPECT_EQ(half.turn, Quat{});
}

TEST(MatchTarget, ProjectsTheCurrentState) {
  GraphRun run(jumper(true));
  run.step(0);
  run.step(0.5);
  project_current(run.def, run.motions, run.state(), 0.75, run.buffers.output());
  ASSERT_EQ(run.out().task_count, 1u);
  EXPECT_NEAR(run.out().tasks[0].time, 1.5f, 1e-6f);
  ASSERT_EQ(run.out().root_motion_count, 1u);
  EXPECT_EQ(run.out().root_motions[0].n0, 0.25);
  EXPECT_EQ(run.out().root_motions[0].n1, 0.75);
  EXPECT_EQ(run.state().current_time(0), 0.25);
}

}  // namespace
}  // namespace sinew
