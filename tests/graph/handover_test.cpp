// Transitions by a curve, by inertialization and by dead blending.
#include <cmath>

#include <sinew/math/inertialize.hpp>
#include <sinew/pose/dead_blend_pose.hpp>

#include "graph_run.hpp"

namespace sinew {
namespace {

using namespace sinew::build;

ControllerBuilder to_b(TransitionSource to, double value_of_b = 10) {
  return ControllerBuilder()
      .trigger("go")
      .trigger("stop")
      .motion("A", 4, true, 0)
      .motion("B", 4, true, value_of_b)
      .motion("C", 4, true, 100)
      .layer(
          "base",
          machine("")
              .add(state("A").plays("A").to(std::move(to)))
              .add(state("B").plays("B").to(transition("A").when("stop").seconds(1).inertialized()))
              .add(state("C").plays("C")));
}

TEST(TransitionCurve, MapsProgressToWeight) {
  struct Row {
    TransitionCurve curve;
    float quarter, half;
  };
  for (const Row& row :
       {Row{TransitionCurve::kLinear, 2.5f, 5}, Row{TransitionCurve::kSmooth, 1.5625f, 5},
        Row{TransitionCurve::kEaseIn, 0.625f, 2.5f},
        Row{TransitionCurve::kEaseOut, 4.375f, 7.5f}}) {
    GraphRun run(to_b(transition("B").when("go").seconds(1).eased(row.curve)));
    run.step(0);
    run.state().set_trigger(run.param("go"));
    EXPECT_EQ(run.step(0.25), 0);
    EXPECT_FLOAT_EQ(run.step(0.25), row.quarter) << to_string(row.curve);
    EXPECT_FLOAT_EQ(run.step(0.25), row.half);
    EXPECT_EQ(run.state().progress(0), 0.5) << "progress itself is linear";
    // Travel and events weigh by the curve too.
    EXPECT_FLOAT_EQ(run.out().root_motions[1].weight, row.half / 10);
    EXPECT_FLOAT_EQ(run.out().playing[1].weight, row.half / 10);
    EXPECT_FLOAT_EQ(run.step(0.5), 10);
    EXPECT_EQ(run.current(), "B");
  }
}

TEST(TransitionCurve, OfPoints) {
  GraphRun run(
      to_b(transition("B").when("go").seconds(1).eased({{0, 0}, {0.5, 0.1}, {0.75, 0.9}, {1, 1}})));
  run.step(0);
  run.state().set_trigger(run.param("go"));
  run.step(0);
  for (const float want : {0.5f, 1.0f, 9.0f, 10.0f}) EXPECT_NEAR(run.step(0.25), want, 1e-5f);
}

TEST(TransitionCurve, FaultsAreReported) {
  for (const auto& points :
       std::vector<std::vector<std::pair<double, double>>>{{},
                                                           {{0, 0}},
                                                           {{0, 0}, {1, 0.5}},
                                                           {{0, 0}, {0.5, 2}, {1, 1}},
                                                           {{0, 0}, {0, 1}, {1, 1}},
                                                           {{0.1, 0}, {1, 1}},
                                                           {{0, 0}, {NAN, 0.5}, {1, 1}}}) {
    Findings findings;
    EXPECT_FALSE(to_b(transition("B").when("go").eased(points)).compile(&findings).ok());
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].code, "controller.bad_curve");
    EXPECT_EQ(findings[0].place, "layer 'base': transition A -> B");
  }
  Findings findings;
  EXPECT_TRUE(to_b(transition("B").when("go").inertialized().eased(TransitionCurve::kSmooth))
                  .compile(&findings)
                  .ok());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "controller.unused_curve");
}

// From 0, where nothing moves, to 10: the quintic of the motion rules.
TEST(Inertialize, FollowsTheCurveOfItsOffset) {
  GraphRun run(to_b(transition("B").when("go").seconds(1).inertialized()));
  run.step(0);
  run.state().set_trigger(run.param("go"));
  EXPECT_EQ(run.step(0.25), 0) << "at the start what was shown";
  const InertializeCurve curve = InertializeCurve::make(-10, 0, 1);
  for (int i = 1; i < 8; ++i) {
    const float t = static_cast<float>(i) / 8;
    EXPECT_NEAR(run.step(0.125), 10 + curve.value(t), 1e-5f) << i;
    EXPECT_EQ(run.current(), "A") << "the machine is in a transition";
    EXPECT_EQ(run.next(), "B");
    EXPECT_NEAR(run.state().progress(0), i / 8.0, 1e-12);
    EXPECT_FALSE(run.state().frozen(0));
    // Only the target plays.
    ASSERT_EQ(run.out().playing_count, 1u);
    EXPECT_EQ(run.out().playing[0].weight, 1);
    EXPECT_EQ(run.out().root_motions[0].weight, 1);
    ASSERT_EQ(run.out().task_count, 2u);
  }
  EXPECT_FLOAT_EQ(run.step(0.125), 10);
  EXPECT_EQ(run.current(), "B");
  EXPECT_EQ(run.state().transition(0).kind, TransitionKind::kNone);
}

// The values of motions are constant, but a transition moves: its velocity goes on.
TEST(Inertialize, TakesTheVelocityOfARunningTransitionAlong) {
  for (bool dead : {false, true}) {
    StateSource a = state("A").plays("A").to(
        transition("B").when("go").seconds(1).interrupted_by(Interruption::kNext, false));
    TransitionSource out = transition("C").when("stop").seconds(0.5);
    out.blend = dead ? TransitionBlend::kDeadBlend : TransitionBlend::kInertialize;
    GraphRun run(
        ControllerBuilder()
            .trigger("go")
            .trigger("stop")
            .motion("A", 4, true, 0)
            .motion("B", 4, true, 10)
            .motion("C", 4, true, 20)
            .layer(
                "base",
                machine("").add(a).add(state("B").plays("B").to(out)).add(state("C").plays("C"))));
    run.step(0);
    run.state().set_trigger(run.param("go"));
    run.step(0);
    for (int i = 0; i < 50; ++i) run.step(0.01);
    EXPECT_NEAR(run.value, 5, 1e-4f);
    run.state().set_trigger(run.param("stop"));
    float before = run.value, value = run.step(0.01);
    EXPECT_NEAR(value, 5.1f, 1e-4f) << "no jump: the transition's next value";
    EXPECT_FALSE(run.state().frozen(0));
    EXPECT_EQ(run.name_of(run.state().interrupted(0)), "B");
    EXPECT_EQ(run.next(), "C");
    const float step = value - before;
    before = value;
    value = run.step(0.01);
    EXPECT_NEAR(value - before, step, 0.04f) << "no kink";
    float largest = 0;
    for (int i = 0; i < 60; ++i) {
      before = value;
      value = run.step(0.01);
      largest = std::max(largest, std::abs(value - before));
    }
    EXPECT_EQ(value, 20);
    EXPECT_EQ(run.current(), "C");
    EXPECT_LT(largest, 1);  // 15 in 50 steps
  }
}

TEST(Inertialize, MayBeInterruptedByEachKind) {
  for (auto blend :
       {TransitionBlend::kCrossFade, TransitionBlend::kInertialize, TransitionBlend::kDeadBlend}) {
    for (auto first : {TransitionBlend::kInertialize, TransitionBlend::kDeadBlend}) {
      TransitionSource one = transition("B").when("go").seconds(0.4);
      one.blend = first;
      TransitionSource two = transition("C").when("stop").seconds(0.4);
      two.blend = blend;
      GraphRun run(ControllerBuilder()
                       .trigger("go")
                       .trigger("stop")
                       .motion("A", 4, true, 0)
                       .motion("B", 4, true, 10)
                       .motion("C", 4, true, -30)
                       .layer("base", machine("")
                                          .add(state("A").plays("A").to(one))
                                          .add(state("B").plays("B"))
                                          .add(state("C").plays("C"))
                                          .from_any(two)));
      run.step(0);
      run.state().set_trigger(run.param("go"));
      run.step(0);
      float before = run.value;
      for (int i = 0; i < 20; ++i) before = run.step(0.01);
      EXPECT_NE(before, 0);
      EXPECT_NE(before, 10);
      run.state().set_trigger(run.param("stop"));
      float largest = 0;
      for (int i = 0; i < 42; ++i) {
        const float now = run.step(0.01);
        if (i == 0) {
          EXPECT_EQ(run.state().frozen(0), blend == TransitionBlend::kCrossFade);
        }
        largest = std::max(largest, std::abs(now - before));
        before = now;
      }
      EXPECT_EQ(run.current(), "C");
      EXPECT_FLOAT_EQ(run.value, -30);
      EXPECT_LT(largest, 2.5f);  // 40 in 40 steps, at most 15 / 8 of the average
    }
  }
}

// On an upper layer the offset runs from what the layers below show.
TEST(Inertialize, FadesAnUpperLayerInAndOut) {
  LayerSource over = layer("over").weighing(0.5);
  over.root.add(state("Empty").to(transition("Play").when("go").seconds(1).inertialized()));
  over.root.add(
      state("Play").plays("Play").to(transition("Empty").when("stop").seconds(1).inertialized()));
  GraphRun run(ControllerBuilder()
                   .trigger("go")
                   .trigger("stop")
                   .motion("Base", 1, true, 50)
                   .motion("Play", 1, true, 100)
                   .layer("base", machine("").add(state("Base").plays("Base")))
                   .layer(over));
  EXPECT_EQ(run.step(0), 50);
  run.state().set_trigger(run.param("go"));
  EXPECT_EQ(run.step(0.25), 50);
  EXPECT_NEAR(run.step(0.5), 50 + 0.5f * (50 + InertializeCurve::make(-50, 0, 1).value(0.5f)),
              1e-4f);
  EXPECT_FLOAT_EQ(run.step(0.75), 75);
  run.state().set_trigger(run.param("stop"));
  EXPECT_FLOAT_EQ(run.step(0.25), 75);
  run.step(0.5);
  EXPECT_LT(run.value, 70);
  EXPECT_GT(run.value, 55);
  EXPECT_FLOAT_EQ(run.step(0.75), 50);
}

TEST(Inertialize, AnUpperLayerTouchesOnlyWhatItsMotionsMove) {
  MotionSource still;
  still.name = "Still";
  LayerSource over = layer("over");
  over.root.add(
      state("Still").plays("Still").to(transition("Play").when("go").seconds(1).dead_blended()));
  over.root.add(state("Play").plays("Play"));
  GraphRun run(ControllerBuilder()
                   .trigger("go")
                   .motion("Base", 1, true, 50)
                   .motion("Play", 1, true, 100)
                   .motion(still)
                   .layer("base", machine("").add(state("Base").plays("Base")))
                   .layer(over));
  EXPECT_EQ(run.step(0), 50);
  run.state().set_trigger(run.param("go"));
  EXPECT_EQ(run.step(0.25), 50);
  EXPECT_FLOAT_EQ(run.step(0.5), 75);  // smoothstep of a half
  EXPECT_FLOAT_EQ(run.step(0.75), 100);
}

TEST(DeadBlend, MayFollowACurveOfItsOwn) {
  TransitionSource t = transition("B").when("go").seconds(1).dead_blended();
  GraphRun smooth(to_b(t)), eased(to_b(t.eased(TransitionCurve::kEaseIn)));
  for (GraphRun* run : {&smooth, &eased}) {
    run->step(0);
    run->state().set_trigger(run->param("go"));
    run->step(0);
    run->step(0.25);
  }
  EXPECT_FLOAT_EQ(smooth.value, 10 * 0.15625f);
  EXPECT_FLOAT_EQ(eased.value, 10 * 0.0625f);
}

TEST(Inertialize, ANormalizedDurationIsThatOfTheSource) {
  // A half of A's 4 s at double speed: 1 s.
  GraphRun run(ControllerBuilder()
                   .trigger("go")
                   .motion("A", 4, true, 0)
                   .motion("B", 4, true, 10)
                   .layer("base", machine("")
                                      .add(state("A").plays("A").at_speed(2).to(
                                          transition("B").when("go").cycles(0.5).inertialized()))
                                      .add(state("B").plays("B"))));
  run.step(0);
  run.state().set_trigger(run.param("go"));
  run.step(0);
  EXPECT_NEAR(run.step(0.5), 10 + InertializeCurve::make(-10, 0, 1).value(0.5f), 1e-5f);
  EXPECT_EQ(run.state().progress(0), 0.5);
}

TEST(Inertialize, OnlyLayersThatAskForItKeepOffsets) {
  GraphRun none(to_b(transition("B").when("go").seconds(1)));  // B has one
  EXPECT_EQ(none.def.limits().offsets, 1u);
  GraphRun plain(
      ControllerBuilder().motion("A", 1).layer("base", machine("").add(state("A").plays("A"))));
  EXPECT_EQ(plain.def.limits().offsets, 0u);
  EXPECT_EQ(plain.def.limits().scalar_memory, 2u);
}

}  // namespace
}  // namespace sinew
