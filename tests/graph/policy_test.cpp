// Every field of ControllerPolicy, its usual value and the other one. U1, U4, U5, U8 and U20 are in
// update_test.cpp, U7 is in its layers, 9.3 in blend_weights_test.cpp.
#include <cmath>

#include "graph_run.hpp"

namespace sinew {
namespace {

using namespace sinew::build;

ControllerPolicy with(bool ControllerPolicy::* field, bool value) {
  ControllerPolicy policy;
  policy.*field = value;
  return policy;
}

ControllerBuilder bench(MachineSource root, const ControllerPolicy& policy) {
  return ControllerBuilder("bench")
      .policy(policy)
      .trigger("tAB")
      .trigger("tAC")
      .trigger("tX")
      .bool_parameter("go")
      .motion("A", 4, true, 0)
      .motion("B", 4, true, 10)
      .motion("C", 4, true, 20)
      .motion("D", 4, true, 30)
      .layer("base", std::move(root));
}

StateSource plain(const char* name) { return state(name).plays(name); }

TEST(Policy, ExitTimesBackwards) {
  for (bool backwards : {true, false}) {
    GraphRun run(
        bench(machine("")
                  .add(plain("A").at_speed(-1).to(transition("B").at_exit(0.25).seconds(0)))
                  .add(plain("B")),
              with(&ControllerPolicy::exit_time_backwards, backwards)));
    run.state().play(run.def.state("A"), 0.5);
    run.step(0);
    run.step(0);
    run.step(1.5);
    EXPECT_EQ(run.current(), backwards ? "B" : "A");
  }
}

TEST(Policy, ExitTimesOfAnyStateInATransition) {
  for (bool next_too : {false, true}) {
    GraphRun run(bench(machine("")
                           .add(plain("A").to(transition("B").when("tAB").seconds(10)))
                           .add(plain("B"))
                           .add(plain("D"))
                           .from_any(transition("D").when("tX").at_exit(0.5).seconds(1)),
                       with(&ControllerPolicy::any_exit_time_of_next, next_too)));
    run.step(0);
    run.state().set_trigger(run.param("tAB"));
    run.step(2.5);  // A .625
    run.state().set_trigger(run.param("tX"));
    run.step(0.5);  // A .75, B .125
    EXPECT_EQ(run.next(), "B");
    run.step(1.75);  // A 1.1875, B .5625: only B crosses .5
    EXPECT_EQ(run.next(), next_too ? "D" : "B");
  }
}

TEST(Policy, ExitTimesByMotionTime) {
  for (bool by_parameter : {false, true}) {
    StateSource a = plain("A").timed_by("t").to(transition("B").at_exit(0.5).seconds(0));
    GraphRun run(bench(machine("").add(a).add(plain("B")),
                       with(&ControllerPolicy::motion_time_drives_exit, by_parameter))
                     .float_parameter("t", 0.25f));
    run.step(0);
    run.step(2.2);  // the state's own time passes .5, the parameter does not
    EXPECT_EQ(run.current(), by_parameter ? "A" : "B");
    run.state().set_float(run.param("t"), 0.6f);
    run.step(0.1);
    EXPECT_EQ(run.current(), "B");
  }
}

TEST(Policy, OrderOfAnyStateInNestedMachines) {
  for (bool inner_first : {false, true}) {
    GraphRun run(bench(machine("")
                           .add(plain("A"))
                           .add(plain("B"))
                           .add(plain("C"))
                           .add(plain("D"))
                           .from_any(transition("B").when("tX").seconds(1))
                           .add(machine("M")
                                    .add(state("X"))
                                    .from_any(transition("C").when("tX").seconds(1))
                                    .add(machine("N")
                                             .add(state("Y"))
                                             .from_any(transition("D").when("tX").seconds(1)))),
                       with(&ControllerPolicy::inner_any_first, inner_first)));
    run.step(0);
    run.state().set_trigger(run.param("tX"));
    run.step(0.1);
    EXPECT_EQ(run.next(), inner_first ? "D" : "B");
  }
}

TEST(Policy, TheSelfRuleAndTheCurrentState) {
  for (bool covers : {false, true}) {
    GraphRun run(bench(machine("")
                           .add(plain("A").to(transition("B").when("tAB").seconds(1)))
                           .add(plain("B"))
                           .from_any(transition("A").when("tX").seconds(1)),
                       with(&ControllerPolicy::self_rule_covers_current, covers)));
    run.step(0);
    run.state().set_trigger(run.param("tAB"));
    run.step(0.1);
    run.state().set_trigger(run.param("tX"));
    run.step(0.1);
    EXPECT_EQ(run.next(), covers ? "B" : "A");
  }
}

TEST(Policy, OrderedStopsTheWholeQueue) {
  for (bool whole : {false, true}) {
    GraphRun run(bench(machine("")
                           .add(plain("A").to(transition("B").when("tAB").seconds(1).interrupted_by(
                               Interruption::kCurrentThenNext, true)))
                           .add(plain("B").to(transition("C").when("tAC").seconds(1)))
                           .add(plain("C")),
                       with(&ControllerPolicy::ordered_stops_whole_queue, whole)));
    run.step(0);
    run.state().set_trigger(run.param("tAB"));
    run.step(0.1);
    run.state().set_trigger(run.param("tAC"));
    run.step(0.1);
    EXPECT_EQ(run.next(), whole ? "B" : "C");
  }
}

TEST(Policy, TheTravelOfAFrozenPose) {
  for (bool still : {true, false}) {
    GraphRun run(bench(machine("")
                           .add(plain("A").to(transition("B").when("tAB").seconds(1)))
                           .add(plain("B"))
                           .add(plain("D"))
                           .from_any(transition("D").when("tX").seconds(1)),
                       with(&ControllerPolicy::frozen_pose_stands_still, still)));
    run.step(0);
    run.state().set_trigger(run.param("tAB"));
    run.step(0.25);
    run.state().set_trigger(run.param("tX"));
    run.step(0.25);
    run.step(0.25);
    ASSERT_TRUE(run.state().frozen(0));
    ASSERT_EQ(run.out().root_motion_count, 1u);
    EXPECT_FLOAT_EQ(run.out().root_motions[0].weight, still ? 0.25f : 1.0f);
    // Two metres a second ahead: clip 3 is 4 s long.
    const RootPath path = RootPath::uniform(4, {0, 0, 2});
    const RootPath* paths[] = {nullptr, nullptr, nullptr, &path};
    const RootDelta delta =
        reduce_root_motion(run.def, run.state(), run.out().root_motions.first(1), paths);
    EXPECT_NEAR(delta.translation.z, still ? 0.125f : 0.5f, 1e-6f);
  }
}

TEST(Policy, EmptyStatesOfUpperLayers) {
  for (bool through : {true, false}) {
    LayerSource over = layer("over").weighing(0.5);
    over.root.add(state("Empty").to(transition("Play").when("go").seconds(1)));
    over.root.add(plain("Play"));
    GraphRun run(ControllerBuilder()
                     .policy(with(&ControllerPolicy::empty_states_let_through, through))
                     .bool_parameter("go")
                     .motion("Base", 1, true, 50)
                     .motion("Play", 1, true, 100)
                     .layer("base", machine("").add(plain("Base")))
                     .layer(over));
    EXPECT_FLOAT_EQ(run.step(0), through ? 50 : 25);
    run.state().set_bool(run.param("go"), true);
    run.step(0);
    // Half way: Play counts a half; with the default pose the layer shows 50.
    EXPECT_FLOAT_EQ(run.step(0.5), through ? 62.5f : 50);
  }
}

TEST(Policy, MixedWriteDefaults) {
  for (bool off : {false, true}) {
    MotionSource still;
    still.name = "Still";
    LayerSource over = layer("over");
    StateSource holds = state("Holds");
    holds.write_defaults = false;
    over.root.add(state("Writes").to(transition("Holds").when("go").seconds(0))).add(holds);
    GraphRun run(ControllerBuilder()
                     .policy(with(&ControllerPolicy::mixed_write_defaults_off, off))
                     .bool_parameter("go")
                     .motion("Up", 1, true, 40)
                     .motion(still)
                     .layer("base", machine("").add(plain("Up")).add(plain("Still")))
                     .layer(over));
    run.step(0);
    run.state().play(run.def.state("Still"));
    EXPECT_EQ(run.step(0.1), 0) << "write defaults are on";
    run.state().play(run.def.state("Up"));
    run.step(0.1);
    run.state().set_bool(run.param("go"), true);
    run.step(0.1);
    run.state().play(run.def.state("Still"));
    // A state without them plays on the other layer.
    EXPECT_EQ(run.step(0.1), off ? 40 : 0);
  }
}

TEST(Policy, AnyStateAndACrossFade) {
  for (bool allowed : {true, false}) {
    GraphRun run(bench(machine("")
                           .add(plain("A"))
                           .add(plain("B"))
                           .add(plain("D"))
                           .from_any(transition("D").when("tX").seconds(1)),
                       with(&ControllerPolicy::any_interrupts_cross_fade, allowed)));
    run.step(0);
    run.state().cross_fade_seconds(run.def.state("B"), 1);
    run.step(0.1);
    EXPECT_TRUE(run.state().transition(0).any_state) << "rules, 12.5";
    EXPECT_EQ(run.state().transition(0).kind, TransitionKind::kCrossFade);
    run.state().set_trigger(run.param("tX"));
    run.step(0.1);
    EXPECT_EQ(run.next(), allowed ? "D" : "B");
    EXPECT_EQ(run.state().get_bool(run.param("tX")), !allowed);
    run.step(1);
    EXPECT_EQ(run.next(), allowed ? "" : "D") << "once it is through, the list counts again";
  }
}

TEST(Policy, TimeInTheUpdateOfACommand) {
  for (bool advances : {false, true}) {
    GraphRun run(bench(machine("").add(plain("A")).add(plain("B")),
                       with(&ControllerPolicy::advance_on_command, advances)));
    run.step(0);
    run.state().play(run.def.state("B"), 0.5);
    run.step(1);
    EXPECT_EQ(run.state().current_time(0), advances ? 0.75 : 0.5);
    run.state().cross_fade_seconds(run.def.state("A"), 2);
    run.step(1);
    EXPECT_EQ(run.state().progress(0), advances ? 0.5 : 0);
    EXPECT_EQ(run.state().next_time(0), advances ? 0.25 : 0);
    run.state().seek(0, 0.25);
    run.step(1);
    EXPECT_EQ(run.state().current_time(0), advances ? 0.5 : 0.25);
    EXPECT_EQ(run.next(), "");
  }
}

TEST(Policy, DampedNumbers) {
  ControllerPolicy policy;
  for (auto damping :
       {ControllerPolicy::Damping::kExponential, ControllerPolicy::Damping::kProportional}) {
    policy.damping = damping;
    const bool exponential = damping == ControllerPolicy::Damping::kExponential;
    GraphRun run(
        bench(machine("").add(plain("A")), policy).float_parameter("x", 1).float_parameter("y", 1));
    for (int i = 0; i < 10; ++i) run.state().set_float_damped(run.param("x"), 0, 1, 0.1f);
    for (int i = 0; i < 100; ++i) run.state().set_float_damped(run.param("y"), 0, 1, 0.01f);
    const float x = run.state().get_float(run.param("x")),
                y = run.state().get_float(run.param("y"));
    // The one does not depend on dt; the other does.
    EXPECT_NEAR(x, exponential ? std::exp(-4.0) : std::pow(0.9, 10), 1e-5);
    EXPECT_NEAR(y, exponential ? std::exp(-4.0) : std::pow(0.99, 100), 1e-5);
    EXPECT_FALSE(run.state().set_float_damped(run.param("x"), NAN, 1, 0.1f));
    EXPECT_TRUE(run.state().set_float_damped(run.param("x"), 5, 0, 0.1f));
    EXPECT_EQ(run.state().get_float(run.param("x")), 5);
  }
}

TEST(Policy, EnterAndExitOfAnInstantTransition) {
  for (bool enter_first : {true, false}) {
    GraphRun run(bench(
        machine("").add(plain("A").to(transition("B").when("tAB").seconds(0))).add(plain("B")),
        with(&ControllerPolicy::enter_before_exit, enter_first)));
    run.step(0);
    run.state().set_trigger(run.param("tAB"));
    run.step(0.1);
    EXPECT_EQ(run.events(), enter_first ? "start B, enter B, exit A, complete B"
                                        : "start B, exit A, enter B, complete B");
  }
}

TEST(Policy, EventsOfSeveralLoops) {
  for (bool every : {true, false}) {
    for (double speed : {1.0, -1.0}) {
      MotionSource m;
      m.name = "A";
      m.length = 1;
      m.events = {{0.25, "a"}, {0.75, "b"}};
      GraphRun run(ControllerBuilder()
                       .policy(with(&ControllerPolicy::events_of_every_loop, every))
                       .motion(m)
                       .layer("base", machine("").add(plain("A").at_speed(speed))));
      run.step(0);
      run.step(2.5);
      EXPECT_EQ(run.out().clip_event_count, every ? 5u : 2u);
      // The last ones: forward a at 2.25 and b at 1.75, backwards b at 2.25 and a at 1.75.
      const ClipEventOut& last = run.out().clip_events[run.out().clip_event_count - 1];
      EXPECT_NEAR(last.time, 2.25, 1e-9);
      EXPECT_EQ(run.motions.event_names[static_cast<std::size_t>(last.event)],
                speed > 0 ? "a" : "b");
    }
  }
}

TEST(Events, MayBeMutedAltogether) {
  MotionSource m;
  m.name = "A";
  m.length = 1;
  m.events = {{0.25, "a"}};
  GraphRun run(ControllerBuilder().motion(m).layer("base", machine("").add(plain("A"))));
  run.step(0);
  run.state().set_fire_events(false);
  run.step(0.5);
  EXPECT_EQ(run.out().clip_event_count, 0u);
  run.state().set_fire_events(true);
  run.step(1);
  EXPECT_EQ(run.out().clip_event_count, 1u);
}

}  // namespace
}  // namespace sinew
