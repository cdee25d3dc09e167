// State behaviours: whom a host tells what, and in which order (rules, section 14 and 10.11).
#include "graph_run.hpp"

namespace sinew {
namespace {

using namespace sinew::build;

StateSource told(const char* name) { return state(name).plays(name).behaves_as("watch"); }

ControllerBuilder bench(MachineSource root) {
  return ControllerBuilder()
      .trigger("tAB")
      .trigger("tAC")
      .trigger("tAD")
      .motion("A", 4)
      .motion("B", 4)
      .motion("C", 4)
      .motion("D", 4)
      .layer("base", std::move(root));
}

TEST(Behaviours, AreUpdatedButForTheFirstAndTheLastUpdate) {
  GraphRun run(bench(
      machine("").add(told("A").to(transition("B").when("tAB").seconds(0.5))).add(told("B"))));
  run.step(0);
  EXPECT_EQ(run.events(), "enter M , enter A, move A");
  run.step(0.25);
  EXPECT_EQ(run.events(), "update A, move A");
  run.state().set_trigger(run.param("tAB"));
  run.step(0.25);
  EXPECT_EQ(run.events(), "update A, start B, enter B, move A, move B");
  run.step(0.25);
  EXPECT_EQ(run.events(), "update A, update B, move A, move B");
  run.step(0.25);  // the exit of A comes before the update of B (14.3)
  EXPECT_EQ(run.events(), "exit A, complete B, update B, move B");
}

TEST(Behaviours, FollowAnInterruptionInTheirOrder) {
  GraphRun run(bench(machine("")
                         .add(told("A")
                                  .to(transition("B").when("tAB").seconds(1).interrupted_by(
                                      Interruption::kCurrentThenNext, false))
                                  .to(transition("C").when("tAC").seconds(1).interrupted_by(
                                      Interruption::kCurrent, false))
                                  .to(transition("D").when("tAD").seconds(1)))
                         .add(told("B"))
                         .add(told("C"))
                         .add(told("D"))));
  run.step(0);
  run.state().set_trigger(run.param("tAB"));
  run.step(0.25);
  run.state().set_trigger(run.param("tAC"));
  run.step(0.25);
  EXPECT_EQ(run.events(),
            "update A, update B, interrupt B, start C, enter C, move A, move B, move C");
  run.step(0.25);  // current, interrupted, next (14.1)
  EXPECT_EQ(run.events(), "update A, update B, update C, move A, move B, move C");
  run.state().set_trigger(run.param("tAD"));
  run.step(0.25);  // B is evicted: its last update
  EXPECT_EQ(run.events(),
            "update A, update C, interrupt C, start D, exit B, enter D, move A, move C, move D");
  run.step(1);
  EXPECT_EQ(run.events(), "exit A, exit C, complete D, update D, move D");
}

TEST(Behaviours, OfAnInstantTransitionAndOfCommands) {
  GraphRun run(
      bench(machine("").add(told("A").to(transition("B").when("tAB").seconds(0))).add(told("B"))));
  run.step(0);
  run.state().set_trigger(run.param("tAB"));
  run.step(0.1);  // no update for either (14.5)
  EXPECT_EQ(run.events(), "start B, enter B, exit A, complete B, move B");
  run.state().play(run.def.state("A"));
  run.step(0.1);
  EXPECT_EQ(run.events(), "enter A, exit B, move A");
  run.state().play(run.def.state("A"), 0.5);
  run.step(0.1);  // only its time changes
  EXPECT_EQ(run.events(), "update A, move A");
  run.state().cross_fade_seconds(run.def.state("B"), 1);
  run.step(0.1);
  EXPECT_EQ(run.events(), "update A, start B, enter B, move A, move B");
}

TEST(Behaviours, AMachinesOwnComeBeforeItsStatesTheOutermostFirst) {
  const GraphRun run(ControllerBuilder().layer(
      "base", machine("")
                  .behaves_as("root")
                  .add(state("Free").behaves_as("free"))
                  .add(machine("Out").behaves_as("out").add(
                      machine("In").behaves_as("in").behaves_as("watch").add(
                          state("X").behaves_as("own"))))));
  const auto names = [&](std::span<const BehaviourDef> list) {
    std::string text;
    for (const BehaviourDef& b : list) text += run.def.behaviour_name(b) + " ";
    return text;
  };
  EXPECT_EQ(names(run.def.behaviours(run.def.state("X"))), "root out in watch own ");
  EXPECT_EQ(names(run.def.behaviours(run.def.state("Free"))), "root free ");
  EXPECT_EQ(run.def.behaviours(run.def.state("X")).back().machine, -1);
  const auto machines = run.def.tables().machine_names;
  const auto inner =
      static_cast<int>(std::find(machines.begin(), machines.end(), "Out.In") - machines.begin());
  EXPECT_EQ(names(run.def.machine_behaviours(inner)), "in watch ");
}

TEST(Behaviours, OfASharedStateAreToldOncePerLayer) {
  LayerSource synced = layer("synced").following("base").with_ik_pass();
  GraphRun run(ControllerBuilder()
                   .trigger("go")
                   .motion("A", 1)
                   .motion("B", 1)
                   .layer("base", machine("")
                                      .add(told("A").to(transition("B").when("go").seconds(0)))
                                      .add(state("B").plays("B")))
                   .layer(synced));
  run.step(0);
  EXPECT_EQ(run.events(), "enter M , enter A, enter A, move A, move A, ik A");
  EXPECT_EQ(run.out().state_events[2].layer, 1);
  run.step(0.1);
  EXPECT_EQ(run.events(), "update A, update A, move A, move A, ik A");
  run.state().set_trigger(run.param("go"));
  run.step(0.1);  // B has none: only its own layer tells of it
  EXPECT_EQ(run.events(), "start B, enter B, exit A, complete B, exit A");
}

TEST(Behaviours, NothingIsToldOfStatesWithout) {
  GraphRun run(bench(machine("").add(state("A").plays("A"))));
  run.step(0);
  EXPECT_EQ(run.events(), "enter M , enter A");
  run.step(0.1);
  EXPECT_EQ(run.events(), "");
}

TEST(Ik, FlagsAndWeightsReachTheHost) {
  GraphRun run(ControllerBuilder()
                   .trigger("go")
                   .trigger("back")
                   .motion("A", 1)
                   .motion("B", 1)
                   .layer(layer("base", machine("")
                                            .add(state("A").plays("A").with_foot_ik().to(
                                                transition("B").when("go").seconds(1)))
                                            .add(state("B").plays("B"))
                                            .from_any(transition("A").when("back").seconds(1)))
                              .with_ik_pass())
                   .layer(layer("over", machine("").add(state("B").plays("B"))).weighing(0.25)));
  run.step(0);
  EXPECT_TRUE(run.out().layer_outs[0].ik_pass);
  EXPECT_EQ(run.out().layer_outs[0].foot_ik, 1);
  EXPECT_FALSE(run.out().layer_outs[1].ik_pass);
  EXPECT_EQ(run.out().layer_outs[1].foot_ik, 0);
  EXPECT_EQ(run.out().layer_outs[1].weight, 0.25f);
  run.state().set_trigger(run.param("go"));
  run.step(0.25);
  run.step(0.25);
  EXPECT_FLOAT_EQ(run.out().layer_outs[0].foot_ik, 0.75f);
  run.state().set_trigger(run.param("back"));
  run.step(0.25);  // frozen at a half
  EXPECT_FLOAT_EQ(run.out().layer_outs[0].foot_ik, 0.5f);
  run.step(0.5);
  EXPECT_FLOAT_EQ(run.out().layer_outs[0].foot_ik, 0.75f);
  run.step(0.5);
  EXPECT_FLOAT_EQ(run.out().layer_outs[0].foot_ik, 1);
}

// Nobody sees the character: everything goes on but the pose; what must be kept is.
TEST(Culling, OnlyThePoseIsLeftOut) {
  GraphRun seen(bench(machine("")
                          .add(told("A")
                                   .to(transition("B").when("tAB").seconds(1).interrupted_by(
                                       Interruption::kCurrent, false))
                                   .to(transition("C").when("tAC").seconds(1)))
                          .add(told("B"))
                          .add(told("C"))));
  GraphRun hidden(seen.def);
  for (int i = 0; i < 12; ++i) {
    for (GraphRun* run : {&seen, &hidden}) {
      if (i == 2) run->state().set_trigger(run->param("tAB"));
      if (i == 5) run->state().set_trigger(run->param("tAC"));
    }
    seen.step(0.1);
    update_controller(hidden.def, hidden.motions, hidden.state(), 0.1, hidden.buffers.output(),
                      {.pose = false});
    const ControllerOutput& out = hidden.out();
    EXPECT_EQ(out.stores, i == 5) << i;
    EXPECT_EQ(out.task_count > 0, out.stores);
    EXPECT_EQ(out.root_motion_count, seen.out().root_motion_count);
    EXPECT_EQ(hidden.events(), seen.events());
    if (out.stores) {
      run_scalar_tasks(hidden.def, out.program(), out.program_weights(), hidden.motions.values,
                       hidden.stored);
    }
    EXPECT_EQ(hidden.state().current_time(0), seen.state().current_time(0));
    EXPECT_EQ(hidden.state().progress(0), seen.state().progress(0));
  }
  EXPECT_EQ(hidden.step(0.1), seen.step(0.1)) << "the frozen pose was kept";
}

}  // namespace
}  // namespace sinew
