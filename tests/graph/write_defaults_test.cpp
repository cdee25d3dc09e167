// State-machine rules, section 11, and what upper layers leave alone (10.3, 10.4, 10.5).
#include <cmath>

#include "graph_run.hpp"

namespace sinew {
namespace {

using namespace sinew::build;

// Move drives the number; Pose, without a value, does not.
ControllerBuilder two_states(bool write_defaults, double seconds, ControllerPolicy policy = {}) {
  MotionSource still;
  still.name = "Still";
  still.length = 1;
  StateSource pose =
      state("Pose").plays("Still").to(transition("Move").when("go").seconds(seconds));
  pose.write_defaults = write_defaults;
  return ControllerBuilder()
      .policy(policy)
      .trigger("go")
      .motion("Move", 1, true, 80)
      .motion(still)
      .layer(
          "base",
          machine("")
              .add(state("Move").plays("Move").to(transition("Pose").when("go").seconds(seconds)))
              .add(pose));
}

TEST(WriteDefaults, OnWritesTheDefaultWhereTheMotionSaysNothing) {
  GraphRun run(two_states(true, 1));
  EXPECT_FLOAT_EQ(run.step(0), 80);
  run.state().set_trigger(run.param("go"));
  EXPECT_FLOAT_EQ(run.step(0.25), 80);
  EXPECT_FLOAT_EQ(run.step(0.25), 60);
  EXPECT_FLOAT_EQ(run.step(0.75), 0);
  EXPECT_EQ(run.def.limits().stored_poses, 1u) << "nothing is held";
}

TEST(WriteDefaults, OffKeepsWhatWasShownWhenTheStateWasEntered) {
  for (double seconds : {1.0, 0.0}) {
    GraphRun run(two_states(false, seconds));
    run.step(0);
    run.state().set_trigger(run.param("go"));
    for (int i = 0; i < 8; ++i) EXPECT_FLOAT_EQ(run.step(0.25), 80) << i;
    EXPECT_EQ(run.current(), "Pose");
    // And back: from what it holds to the motion, without a jump.
    run.state().set_trigger(run.param("go"));
    for (int i = 0; i < 8; ++i) EXPECT_FLOAT_EQ(run.step(0.25), 80) << i;
  }
}

TEST(WriteDefaults, AStateThatIsEnteredFirstHoldsTheDefault) {
  MotionSource still;
  still.name = "Still";
  StateSource pose = state("Pose").plays("Still");
  pose.write_defaults = false;
  GraphRun run(ControllerBuilder()
                   .motion(still)
                   .motion("Up", 1, true, 40)
                   .layer("base", machine("").add(pose).add(state("Up").plays("Up"))));
  EXPECT_EQ(run.step(0), 0);
  run.state().play(run.def.state("Up"));
  EXPECT_EQ(run.step(0.1), 40);
  run.state().play(run.def.state("Pose"));
  EXPECT_EQ(run.step(0.1), 40) << "left as it was";
  EXPECT_EQ(run.step(0.1), 40);
}

// A held value is taken once: it does not creep, however many updates a transition takes.
TEST(WriteDefaults, AHeldValueDoesNotDependOnTheRateOfUpdates) {
  for (int updates : {4, 40, 400}) {
    GraphRun run(two_states(false, 1));
    run.step(0);
    run.state().set_trigger(run.param("go"));
    run.steps(updates * 2, 1.0 / updates);  // Pose holds 80
    run.state().play(run.def.state("Move"));
    run.step(0);
    EXPECT_EQ(run.value, 80);
    EXPECT_EQ(run.current(), "Move");
  }
}

// Interrupting a transition to a state that holds: the frozen pose uses what that one held, and
// only then is its place given to the new state.
TEST(WriteDefaults, AnInterruptionFreezesWhatWasHeld) {
  MotionSource still;
  still.name = "Still";
  StateSource pose = state("Pose").plays("Still"), other = state("Other").plays("Still");
  pose.write_defaults = other.write_defaults = false;
  GraphRun run(ControllerBuilder()
                   .trigger("a")
                   .trigger("b")
                   .motion("Move", 1, true, 80)
                   .motion("Low", 1, true, -80)
                   .motion(still)
                   .layer("base", machine("")
                                      .add(state("Low").plays("Low").to(
                                          transition("Pose").when("a").seconds(1)))
                                      .add(pose)
                                      .add(other)
                                      .from_any(transition("Other").when("b").seconds(1))));
  run.step(0);
  run.state().set_trigger(run.param("a"));
  EXPECT_EQ(run.step(0.25), -80);
  EXPECT_EQ(run.step(0.25), -80);
  run.state().set_trigger(run.param("b"));
  EXPECT_EQ(run.step(0.25), -80);
  EXPECT_TRUE(run.state().frozen(0));
  EXPECT_EQ(run.step(0.5), -80);
  EXPECT_EQ(run.step(0.75), -80);
  EXPECT_EQ(run.current(), "Other");
}

TEST(WriteDefaults, AnUnfilledDirectTreeIsFilledWithWhatIsHeld) {
  MotionNodeSource tree = tree_direct({child(motion("Move"), "w")});
  for (bool on : {true, false}) {
    StateSource s = state("Tree").plays(tree);
    s.write_defaults = on;
    GraphRun run(ControllerBuilder()
                     .float_parameter("w", 0.25f)
                     .motion("Move", 1, true, 80)
                     .motion("Up", 1, true, 40)
                     .layer("base", machine("").add(state("Up").plays("Up")).add(s)));
    run.step(0);
    run.state().play(run.def.state("Tree"));
    const float want = on ? 20 : 20 + 0.75f * 40;
    for (int i = 0; i < 20; ++i) EXPECT_FLOAT_EQ(run.step(0.1), want);  // it does not pile up
  }
}

TEST(WriteDefaults, AnEmptyStateHoldsToo) {
  StateSource empty = state("Empty");
  empty.write_defaults = false;
  GraphRun run(ControllerBuilder()
                   .motion("Up", 1, true, 40)
                   .layer("base", machine("").add(state("Up").plays("Up")).add(empty)));
  run.step(0);
  run.state().cross_fade_seconds(run.def.state("Empty"), 1);
  run.step(0);
  EXPECT_FLOAT_EQ(run.step(0.5), 40);
  EXPECT_FLOAT_EQ(run.step(0.75), 40);
}

TEST(Layers, AnOverrideLeavesAloneWhatItsMotionDoesNotMove) {
  MotionSource still;
  still.name = "Still";
  LayerSource over = layer("over");
  over.root.add(state("Still").plays("Still").to(transition("Wave").when("go").seconds(1)));
  over.root.add(state("Wave").plays("Wave").to(transition("Still").when("go").seconds(1)));
  over.root.from_any(transition("Still").when("stop").seconds(1));
  GraphRun run(ControllerBuilder()
                   .trigger("go")
                   .trigger("stop")
                   .motion("Base", 1, true, 50)
                   .motion("Wave", 1, true, 100)
                   .motion(still)
                   .layer("base", machine("").add(state("Base").plays("Base")))
                   .layer(over));
  EXPECT_FLOAT_EQ(run.step(0), 50);
  EXPECT_FALSE(run.layers[1].shown);
  run.state().set_trigger(run.param("go"));
  run.step(0.25);
  EXPECT_FLOAT_EQ(run.step(0.25), 62.5f);
  EXPECT_FLOAT_EQ(run.step(0.25), 75);
  // Frozen half way: the layer's value is there by half, whatever happens below.
  run.state().set_trigger(run.param("stop"));
  EXPECT_FLOAT_EQ(run.step(0), 75);
  EXPECT_TRUE(run.state().frozen(1));
  EXPECT_TRUE(run.layers[1].shown);
  EXPECT_FLOAT_EQ(run.layers[1].value, 100);
  EXPECT_FLOAT_EQ(run.step(0.5), 62.5f);
  EXPECT_FLOAT_EQ(run.step(0.5), 50);
}

TEST(Layers, AdditiveOnesSubtractTheirReference) {
  MotionSource lean, base_pose;
  lean.name = "Lean";
  lean.value = 30;
  lean.reference = "Neutral";
  base_pose.name = "Neutral";
  base_pose.value = 20;
  LayerSource add = layer("add").additive();
  add.root.add(state("Lean").plays("Lean"));
  GraphRun run(ControllerBuilder()
                   .motion("Base", 1, true, 50)
                   .motion(lean)
                   .motion(base_pose)
                   .layer("base", machine("").add(state("Base").plays("Base")))
                   .layer(add));
  EXPECT_FLOAT_EQ(run.step(0), 60);
  run.state().set_layer_weight(1, 0.5f);
  EXPECT_FLOAT_EQ(run.step(0.1), 55);
  EXPECT_FLOAT_EQ(run.layers[1].value, 10);
}

TEST(Layers, AReferenceThatIsNotDeclaredIsNamed) {
  MotionSource lean;
  lean.name = "Lean";
  lean.length = 1;
  lean.reference = "Nuetral";
  MotionSource neutral;
  neutral.name = "Neutral";
  neutral.length = 1;
  Findings findings;
  ASSERT_TRUE(ControllerBuilder()
                  .motion(lean)
                  .motion(neutral)
                  .layer("base", machine("").add(state("A").plays("Lean")))
                  .compile(&findings)
                  .ok());
  ASSERT_EQ(findings.size(), 1u) << text_of(findings);
  EXPECT_NE(findings[0].message.find("did you mean 'Neutral'?"), std::string::npos);
  EXPECT_EQ(findings[0].place, "motion 'Lean': reference");
}

}  // namespace
}  // namespace sinew
