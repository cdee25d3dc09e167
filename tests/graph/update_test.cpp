// What the vectors of one scalar layer do not reach: callbacks, layers, sync, events, travel,
// explanations, policies.
#include <cmath>

#include "graph_run.hpp"

namespace sinew {
namespace {

using namespace sinew::build;

// A, B, C, D of values 0, 10, 20, 30, each 4 s long; state-machine rules, section 16.
ControllerBuilder bench(MachineSource root) {
  return ControllerBuilder("bench")
      .trigger("tAB")
      .trigger("tAC")
      .trigger("tAD")
      .bool_parameter("go")
      .motion("A", 4, true, 0)
      .motion("B", 4, true, 10)
      .motion("C", 4, true, 20)
      .motion("D", 4, true, 30)
      .layer("base", std::move(root));
}

TEST(StateEvents, FollowADoubleInterruption) {
  // S12 of the rules.
  GraphRun run(bench(machine("")
                         .add(state("A")
                                  .plays("A")
                                  .to(transition("B").when("tAB").seconds(1).interrupted_by(
                                      Interruption::kCurrentThenNext, false))
                                  .to(transition("C").when("tAC").seconds(1).interrupted_by(
                                      Interruption::kCurrent, false))
                                  .to(transition("D").when("tAD").seconds(1)))
                         .add(state("B").plays("B"))
                         .add(state("C").plays("C"))
                         .add(state("D").plays("D"))));
  run.step(0);
  EXPECT_EQ(run.events(), "enter M , enter A");
  run.state().set_trigger(run.param("tAB"));
  run.step(0.25);
  EXPECT_EQ(run.events(), "start B, enter B");
  run.steps(2, 0.25);
  EXPECT_EQ(run.events(), "");
  run.state().set_trigger(run.param("tAC"));
  EXPECT_FLOAT_EQ(run.step(0.25), 7.5f);
  EXPECT_EQ(run.events(), "interrupt B, start C, enter C");
  EXPECT_EQ(run.name_of(run.state().interrupted(0)), "B");
  run.step(0.25);
  run.state().set_trigger(run.param("tAD"));
  EXPECT_FLOAT_EQ(run.step(0.25), 13.75f);
  EXPECT_EQ(run.events(), "interrupt C, start D, exit B, enter D");
  EXPECT_FLOAT_EQ(run.step(0.5), 21.875f);
  EXPECT_FLOAT_EQ(run.step(0.5), 30);
  EXPECT_EQ(run.events(), "exit A, exit C, complete D");
}

TEST(StateEvents, OfAnInstantTransition) {
  GraphRun run(bench(machine("")
                         .add(state("A").plays("A").to(transition("B").when("tAB").seconds(0)))
                         .add(state("B").plays("B"))));
  run.step(0);
  run.state().set_trigger(run.param("tAB"));
  run.step(0.1);
  EXPECT_EQ(run.events(), "start B, enter B, exit A, complete B");
  EXPECT_EQ(run.out().consumed_count, 1u);
  EXPECT_EQ(run.out().consumed[0], run.param("tAB").index);
}

LayerSource upper(const char* name, const char* motion_name, double weight,
                  LayerBlending blending = LayerBlending::kOverride) {
  LayerSource layer;
  layer.name = name;
  layer.weight = weight;
  layer.blending = blending;
  layer.root.add(state("Play").plays(motion_name));
  return layer;
}

TEST(Layers, OverrideAndAddInOrder) {
  // S15 of the rules.
  GraphRun run(ControllerBuilder()
                   .motion("Base", 1, true, 50)
                   .motion("Over", 1, true, 100)
                   .motion("More", 1, true, 10)
                   .layer("base", machine("").add(state("Base").plays("Base")))
                   .layer(upper("over", "Over", 0.5))
                   .layer(upper("more", "More", 0.5, LayerBlending::kAdditive)));
  EXPECT_FLOAT_EQ(run.step(0), 80);
  EXPECT_TRUE(run.state().set_layer_weight(1, 2));  // clamped
  EXPECT_FLOAT_EQ(run.step(0.1), 105);
  EXPECT_TRUE(run.state().set_layer_weight(1, 0));
  EXPECT_FLOAT_EQ(run.step(0.1), 55);
  EXPECT_FALSE(run.state().set_layer_weight(1, NAN));
}

ControllerBuilder empty_to_wave(Interruption interruption) {
  LayerSource layer;
  layer.name = "arm";
  layer.root.add(state("None").to(
      transition("Wave").when("wave").seconds(1).interrupted_by(interruption, false)));
  layer.root.add(state("Wave").plays("Wave").to(transition("None").when("stop").seconds(1)));
  return ControllerBuilder()
      .bool_parameter("wave")
      .trigger("stop")
      .motion("Base", 1, true, 50)
      .motion("Wave", 4, true, 100)
      .layer("base", machine("").add(state("Base").plays("Base")))
      .layer(layer);
}

TEST(Layers, AnEmptyStateLetsLowerLayersThrough) {
  GraphRun run(empty_to_wave(Interruption::kNone));
  EXPECT_FLOAT_EQ(run.step(0), 50);
  run.state().set_bool(run.param("wave"), true);
  EXPECT_FLOAT_EQ(run.step(0.25), 50);
  EXPECT_FLOAT_EQ(run.step(0.25), 62.5f);
  EXPECT_FLOAT_EQ(run.step(0.75), 100);
}

TEST(Layers, AFrozenPoseKeepsItsShareOfAnEmptyState) {
  GraphRun run(empty_to_wave(Interruption::kNext));
  run.step(0);
  run.state().set_bool(run.param("wave"), true);
  run.step(0.5);
  EXPECT_FLOAT_EQ(run.step(0.5), 75);
  run.state().set_bool(run.param("wave"), false);
  run.state().set_trigger(run.param("stop"));
  const float before = run.step(0.25);
  EXPECT_TRUE(run.state().frozen(1));
  EXPECT_FLOAT_EQ(before, 87.5f);
  EXPECT_FLOAT_EQ(run.step(0.5), 50 + 37.5f * 0.5f);
  EXPECT_FLOAT_EQ(run.step(0.5), 50);
}

// Just before an empty state has faded in by a curve, its source's weight rounds to nothing; the
// source's pose was once left on the stack then.
TEST(Layers, AFadeToAnEmptyStateEndsSoundly) {
  LayerSource arm = layer("arm");
  arm.root.add(state("Wave").plays("Wave").to(
      transition("None").when("stop").seconds(1).eased(TransitionCurve::kEaseOut)));
  arm.root.add(state("None"));
  GraphRun run(ControllerBuilder()
                   .trigger("stop")
                   .motion("Base", 1, true, 50)
                   .motion("Wave", 4, true, 100)
                   .layer("base", machine("").add(state("Base").plays("Base")))
                   .layer(arm));
  EXPECT_EQ(run.step(0), 100);
  run.state().set_trigger(run.param("stop"));
  run.step(0);
  run.step(0.99998);
  EXPECT_TRUE(run.state().in_transition(1));
  EXPECT_EQ(static_cast<float>(run.state().transition(1).weight), 1);
  EXPECT_EQ(run.value, 50);
  EXPECT_GT(stack_depth(run.out().program()), 0);
}

TEST(Layers, ATriggerServesEveryLayerOfAnUpdate) {
  LayerSource second;
  second.name = "second";
  second.root.add(state("A").plays("A").to(transition("B").when("go").seconds(0)));
  second.root.add(state("B").plays("B"));
  for (bool visible : {true, false}) {
    ControllerPolicy policy;
    policy.triggers_visible_to_all_layers = visible;
    GraphRun run(ControllerBuilder()
                     .trigger("go")
                     .motion("A", 1)
                     .motion("B", 1)
                     .policy(policy)
                     .layer("first", second.root)
                     .layer(second));
    run.step(0);
    run.state().set_trigger(run.param("go"));
    run.step(0.1);
    EXPECT_EQ(run.current(0), "B");
    EXPECT_EQ(run.current(1), visible ? "B" : "A");
    EXPECT_FALSE(run.state().get_bool(run.param("go")));
    EXPECT_EQ(run.out().consumed_count, 1u);
  }
}

TEST(Layers, SyncedOnesFollowTimesAndMayStretchThem) {
  // S16 of the rules: 2 s and 4 s at weight .5: 2 s, with timing 3 s.
  for (bool timing : {false, true}) {
    LayerSource synced;
    synced.name = "wounded";
    synced.weight = 0.5;
    synced.sync = "base";
    synced.sync_timing = timing;
    synced.synced_motions.push_back({"A", motion("Limp")});
    GraphRun run(ControllerBuilder()
                     .trigger("go")
                     .motion("Walk", 2, true, 10)
                     .motion("Limp", 4, true, 30)
                     .motion("B", 1, true, 0)
                     .layer("base", machine("")
                                        .add(state("A").plays("Walk").to(
                                            transition("B").when("go").seconds(1)))
                                        .add(state("B").plays("B")))
                     .layer(synced));
    EXPECT_FLOAT_EQ(run.step(0), 20);
    run.step(0.6);
    EXPECT_NEAR(run.state().current_time(0), timing ? 0.2 : 0.3, 1e-12);
    EXPECT_EQ(run.current(1), "A");
    EXPECT_FALSE(run.state().seek(1, 0));
    run.state().set_trigger(run.param("go"));
    run.step(0.1);
    // Half way: base 5; the layer's B is empty, so that it counts half of its weight.
    EXPECT_FLOAT_EQ(run.step(0.5), 5 + (30 - 5) * 0.25f);
    EXPECT_FLOAT_EQ(run.step(0.5), 0);
  }
}

TEST(BlendTrees, SetTheLengthOfTheirState) {
  ControllerBuilder builder;
  MotionNodeSource tree = tree_1d("x", {child(motion("Slow"), 0), child(motion("Fast"), 1)});
  tree.children[1].time_scale = 2;
  tree.children[1].cycle_offset = 0.5;
  GraphRun run(builder.float_parameter("x")
                   .motion("Slow", 2, true, 10)
                   .motion("Fast", 1, true, 20)
                   .layer("base", machine("").add(state("Move").plays(tree))));
  run.step(0);
  EXPECT_FLOAT_EQ(run.step(0.5), 10);
  EXPECT_NEAR(run.state().current_time(0), 0.25, 1e-12);
  run.state().set_float(run.param("x"), 0.5f);
  EXPECT_FLOAT_EQ(run.step(0.5), 15);
  // .5 x 2 s + .5 x (1 s / 2) = 1.25 s.
  EXPECT_NEAR(run.state().current_time(0), 0.25 + 0.4, 1e-9);
  ASSERT_EQ(run.out().playing_count, 2u);
  EXPECT_NEAR(run.out().playing[0].n, 0.65, 1e-9);
  EXPECT_NEAR(run.out().playing[1].n, 0.15, 1e-9);
}

TEST(BlendTrees, ADirectTreeIsFilledWithTheDefaultPose) {
  MotionNodeSource tree;
  tree.kind = MotionNodeSource::Kind::kTree;
  tree.type = TreeType::kDirect;
  tree.children = {child(motion("A"), 0), child(motion("B"), 0)};
  tree.children[0].parameter = "a";
  tree.children[1].parameter = "b";
  GraphRun run(ControllerBuilder()
                   .float_parameter("a", 0.25f)
                   .float_parameter("b", 0)
                   .motion("A", 1, true, 100)
                   .motion("B", 1, true, 10)
                   .layer("base", machine("").add(state("S").plays(tree))));
  EXPECT_FLOAT_EQ(run.step(0), 25);
  EXPECT_EQ(run.out().weights[0] + run.out().weights[1], 1);
  run.state().set_float(run.param("b"), 1.5f);
  EXPECT_FLOAT_EQ(run.step(0.1), 40);
  run.state().set_float(run.param("a"), 0);
  run.state().set_float(run.param("b"), -1);
  EXPECT_FLOAT_EQ(run.step(0.1), 0);
}

// Times of the events of an update, and their weights.
std::string clip_events(const GraphRun& run) {
  std::string text;
  for (std::size_t i = 0; i < run.out().clip_event_count; ++i) {
    const ClipEventOut& event = run.out().clip_events[i];
    char line[64];
    std::snprintf(line, sizeof line, "%s%s@%.3f*%.2f", i ? " " : "",
                  run.motions.event_names[static_cast<std::size_t>(event.event)].c_str(),
                  event.time, static_cast<double>(event.weight));
    text += line;
  }
  return text;
}

MotionSource with_events(const char* name, double length, bool loop,
                         std::vector<MotionEventSource> events) {
  MotionSource m;
  m.name = name;
  m.length = length;
  m.loop = loop;
  m.events = std::move(events);
  return m;
}

TEST(ClipEvents, FireOncePerCrossing) {
  // S17 of the rules.
  GraphRun run(ControllerBuilder()
                   .motion(with_events("A", 1, true, {{0.1, "e"}}))
                   .layer("base", machine("").add(state("A").plays("A"))));
  run.state().play(run.def.state("A"), 0.9);
  run.step(0);
  EXPECT_EQ(clip_events(run), "");
  run.step(0.25);
  EXPECT_EQ(clip_events(run), "e@0.200*1.00");
  run.state().play(run.def.state("A"), 0);
  run.step(0);
  run.step(2.5);
  EXPECT_EQ(clip_events(run), "e@0.100*1.00 e@1.100*1.00 e@2.100*1.00");
}

TEST(ClipEvents, AtTheEntryAndAtTheEnd) {
  GraphRun run(
      ControllerBuilder()
          .motion(with_events("A", 1, true, {{0, "first"}, {1, "last"}}))
          .motion(with_events("Once", 1, false, {{0, "first"}, {1, "last"}}))
          .layer("base", machine("").add(state("A").plays("A")).add(state("Once").plays("Once"))));
  run.step(0);
  EXPECT_EQ(clip_events(run), "first@0.000*1.00");
  run.step(0.5);
  EXPECT_EQ(clip_events(run), "");
  run.step(0.5);
  EXPECT_EQ(clip_events(run), "last@0.500*1.00 first@0.500*1.00");
  run.step(0.25);
  EXPECT_EQ(clip_events(run), "");
  run.state().play(run.def.state("Once"));
  run.step(0.1);
  EXPECT_EQ(clip_events(run), "");
  run.step(0.75);
  EXPECT_EQ(clip_events(run), "first@0.000*1.00");
  run.step(0.75);
  EXPECT_EQ(clip_events(run), "last@0.250*1.00");
  run.step(3);
  EXPECT_EQ(clip_events(run), "");
}

TEST(ClipEvents, RunBackwardsAndMirrored) {
  GraphRun run(ControllerBuilder()
                   .motion(with_events("A", 1, true, {{0.25, "a"}, {0.5, "b"}}))
                   .layer("base", machine("").add(state("A").plays("A").at_speed(-1))));
  run.step(0);
  run.step(0.8);
  EXPECT_EQ(clip_events(run), "b@0.500*1.00 a@0.750*1.00");

  MotionNodeSource tree = tree_1d("x", {child(motion("A"), 0)});
  tree.children[0].time_scale = -1;
  GraphRun mirrored(ControllerBuilder()
                        .float_parameter("x")
                        .motion(with_events("A", 1, true, {{0.25, "a"}, {0.5, "b"}}))
                        .layer("base", machine("").add(state("A").plays(tree))));
  mirrored.step(0);
  mirrored.step(0.8);
  EXPECT_EQ(clip_events(mirrored), "b@0.500*1.00 a@0.750*1.00");
}

TEST(ClipEvents, OfStatesThatLeave) {
  GraphRun run(
      ControllerBuilder()
          .trigger("go")
          .trigger("on")
          .motion(with_events("A", 1, true, {{0.95, "a"}}))
          .motion(with_events("B", 1, true, {{0.05, "b"}, {0.3, "c"}}))
          .motion(with_events("C", 1, true, {}))
          .layer("base", machine("")
                             .add(state("A").plays("A").to(transition("B").when("go").seconds(0.4)))
                             .add(state("B").plays("B"))
                             .add(state("C").plays("C"))
                             .from_any(transition("C").when("on").seconds(1))));
  run.step(0);
  run.step(0.5);
  run.state().set_trigger(run.param("go"));
  run.step(0.1);  // A .6 -> B 0
  run.step(0.2);  // A .8, B .2, p .5: B's event at .05
  EXPECT_EQ(clip_events(run), "b@0.050*0.50");
  run.step(0.2);  // completes; A passed .95 by its weight from before
  EXPECT_EQ(run.current(), "B");
  EXPECT_EQ(clip_events(run), "c@0.100*1.00 a@0.150*0.50");
}

TEST(ClipEvents, NeverOverflowTheirBuffer) {
  GraphRun run(ControllerBuilder()
                   .motion(with_events("A", 0.001, true, {{0.0005, "e"}}))
                   .layer("base", machine("").add(state("A").plays("A"))));
  run.step(0);
  run.step(1e9);
  EXPECT_EQ(run.out().clip_event_count, run.def.limits().clip_events);
  EXPECT_GT(run.out().dropped_events, 0u);
}

TEST(ClipEvents, NoneFromALayerOfNoWeight) {
  LayerSource layer = upper("arm", "A", 0);
  for (bool fire : {false, true}) {
    ControllerPolicy policy;
    policy.events_at_zero_weight = fire;
    GraphRun run(ControllerBuilder()
                     .policy(policy)
                     .motion(with_events("A", 1, true, {{0, "e"}}))
                     .motion("B", 1)
                     .layer("base", machine("").add(state("B").plays("B")))
                     .layer(layer));
    run.step(0);
    EXPECT_EQ(run.out().clip_event_count, fire ? 1u : 0u);
  }
}

TEST(MotionTime, SamplesWhereTheParameterSays) {
  StateSource s = state("Aim").plays("Aim");
  s.time_parameter = "t";
  s.cycle_offset = 0.2;
  for (bool offset : {true, false}) {
    ControllerPolicy policy;
    policy.cycle_offset_on_motion_time = offset;
    GraphRun run(ControllerBuilder()
                     .policy(policy)
                     .float_parameter("t", 0.5f)
                     .motion("Aim", 2, false)
                     .layer("base", machine("").add(s)));
    run.step(0);
    EXPECT_NEAR(run.out().tasks[0].time, offset ? 1.4f : 1.0f, 1e-6f);
    run.step(1);
    EXPECT_NEAR(run.out().tasks[0].time, offset ? 1.4f : 1.0f, 1e-6f);
    EXPECT_EQ(run.state().current_time(0), 0.5);
  }
}

TEST(Mirror, IsTheExclusiveOrOfAllFlags) {
  StateSource s = state("S").plays(tree_1d("x", {child(motion("M"), 0)}));
  s.motion.children[0].mirror = true;
  s.mirror_parameter = "m";
  GraphRun run(ControllerBuilder().float_parameter("x").bool_parameter("m").motion("M", 1).layer(
      "base", machine("").add(s)));
  run.step(0);
  ASSERT_EQ(run.out().task_count, 2u);
  EXPECT_EQ(run.out().tasks[1].op, PoseTask::Op::kMirror);
  EXPECT_TRUE(run.out().root_motions[0].mirror);
  run.state().set_bool(run.param("m"), true);
  run.step(0.1);
  EXPECT_EQ(run.out().task_count, 1u);
  EXPECT_FALSE(run.out().root_motions[0].mirror);
}

TEST(Travel, IsOfTheStatesThatMoved) {
  GraphRun run(bench(machine("")
                         .add(state("A")
                                  .plays("A")
                                  .to(transition("B").when("tAB").seconds(1).interrupted_by(
                                      Interruption::kCurrent, false))
                                  .to(transition("C").when("tAC").seconds(1)))
                         .add(state("B").plays("B"))
                         .add(state("C").plays("C"))));
  const auto weights = [&] {
    std::string text;
    for (std::size_t i = 0; i < run.out().root_motion_count; ++i) {
      const RootMotionPart& part = run.out().root_motions[i];
      char line[64];
      std::snprintf(line, sizeof line, "%s%d:%.4f-%.4f*%.2f", i ? " " : "", part.clip, part.n0,
                    part.n1, static_cast<double>(part.weight));
      text += line;
    }
    return text;
  };
  run.step(0);
  run.state().set_trigger(run.param("tAB"));
  run.step(0.25);  // starts: all source
  EXPECT_EQ(weights(), "0:0.0000-0.0625*1.00");
  run.step(0.25);
  EXPECT_EQ(weights(), "0:0.0625-0.1250*0.75 1:0.0000-0.0625*0.25");
  run.state().set_trigger(run.param("tAC"));
  run.step(0.25);  // interrupts: what the frozen pose was made of
  EXPECT_EQ(weights(), "0:0.1250-0.1875*0.50 1:0.0625-0.1250*0.50");
  run.step(0.25);  // the frozen pose does not travel
  EXPECT_EQ(weights(), "2:0.0000-0.0625*0.25");
  run.step(0.75);  // completes: all target
  EXPECT_EQ(weights(), "2:0.0625-0.2500*1.00");
  run.state().play(run.def.state("A"));
  run.step(0.25);  // a command: none
  EXPECT_EQ(weights(), "");
}

TEST(Explain, SaysWhyEachTransitionWasNotTaken) {
  StateSource a = state("A").plays("A");
  a.to(transition("B").when("tAB").when("go").seconds(1));
  a.to(transition("C").at_exit(0.9).seconds(1));
  a.to(transition("D").when("tAD").seconds(1));
  a.transitions[2].mute = true;
  a.to(transition("D").when("go").seconds(1));
  a.to(transition("C").when("go").seconds(1));
  GraphRun run(bench(machine("")
                         .add(a)
                         .add(state("B").plays("B"))
                         .add(state("C").plays("C"))
                         .add(state("D").plays("D").to(transition("A").when("tAB")))
                         .from_any(transition("A").when("go"))),
               true);
  using V = TransitionVerdict;
  const auto bits = [&](const char* name) -> int {
    for (std::size_t i = 0; i < run.out().verdict_count; ++i) {
      const V& v = run.out().verdicts[i];
      if (run.def.tables().transition_names[static_cast<std::size_t>(v.transition)] == name) {
        return v.taken ? -1 : v.bits;
      }
    }
    return -2;
  };
  run.step(0);
  EXPECT_EQ(run.out().verdict_count, 6u);
  EXPECT_EQ(bits("A -> B"), V::kConditionFalse);
  EXPECT_EQ(run.out().verdicts[1].condition, 0);
  EXPECT_EQ(bits("A -> C"), V::kExitTimeFalse);
  EXPECT_EQ(bits("any -> A"), V::kConditionFalse | V::kSelf);
  run.state().set_bool(run.param("go"), true);
  run.state().set_trigger(run.param("tAD"));
  run.step(0.1);
  EXPECT_EQ(bits("any -> A"), V::kSelf);
  EXPECT_EQ(run.out().verdicts[1].condition, 0);
  EXPECT_EQ(run.out().verdicts[3].bits, V::kMuted);
  EXPECT_TRUE(run.out().verdicts[4].taken);
  EXPECT_EQ(run.out().verdicts[5].bits, V::kOutranked);
  EXPECT_EQ(run.next(), "D");
  run.state().set_bool(run.param("go"), false);
  run.step(0.1);
  EXPECT_EQ(bits("D -> A"), V::kConditionFalse | V::kNotInterrupting);
  EXPECT_EQ(run.out().verdicts[4].bits,
            V::kConditionFalse | V::kOrder | V::kNotInterrupting);  // itself, running
}

TEST(Policy, LatchedExitOfAMotionThatEnds) {
  // S5 of the rules, with and without.
  for (bool latched : {false, true}) {
    ControllerPolicy policy;
    if (latched) policy.non_loop_exit = ControllerPolicy::NonLoopExit::kLatched;
    GraphRun run(ControllerBuilder()
                     .policy(policy)
                     .bool_parameter("go")
                     .motion("A", 1, false)
                     .motion("B", 1)
                     .layer("base", machine("")
                                        .add(state("A").plays("A").to(
                                            transition("B").when("go").at_exit(0.9).seconds(0)))
                                        .add(state("B").plays("B"))));
    run.step(0);
    run.step(0.5);
    run.step(0.45);
    run.state().set_bool(run.param("go"), true);
    run.step(0.2);
    EXPECT_EQ(run.current(), latched ? "B" : "A");
  }
}

TEST(Policy, CarriedOvershootSplitsTheUpdateAtTheExit) {
  ControllerPolicy policy;
  policy.carry_exit_overshoot = true;
  GraphRun run(ControllerBuilder()
                   .policy(policy)
                   .motion("A", 1, true, 0)
                   .motion("B", 2, true, 10)
                   .layer("base", machine("")
                                      .add(state("A").plays("A").to(
                                          transition("B").at_exit(0.75).seconds(0.5)))
                                      .add(state("B").plays("B"))));
  run.step(0);
  EXPECT_FLOAT_EQ(run.step(1), 5);
  EXPECT_NEAR(run.state().progress(0), 0.5, 1e-12);
  EXPECT_NEAR(run.state().next_time(0), 0.125, 1e-12);
}

TEST(Policy, NoStartInTheUpdateOfACompletion) {
  for (bool allowed : {true, false}) {
    ControllerPolicy policy;
    policy.start_after_completion = allowed;
    GraphRun run(bench(machine("")
                           .add(state("A").plays("A").to(transition("B").when("go").seconds(0.5)))
                           .add(state("B").plays("B").to(transition("C").when("go").seconds(0.5)))
                           .add(state("C").plays("C")))
                     .policy(policy));
    run.state().set_bool(run.param("go"), true);
    run.step(0);
    run.step(0.5);
    EXPECT_EQ(run.current(), "B");
    EXPECT_EQ(run.next(), allowed ? "C" : "");
    run.step(0.1);
    EXPECT_EQ(run.next(), "C");
  }
}

TEST(StateEvents, OfMachinesThatAWalkPasses) {
  GraphRun run(ControllerBuilder().bool_parameter("go").layer(
      "base", machine("")
                  .add(state("A").to(transition("Out").when("go").seconds(0)))
                  .add(machine("Out").add(machine("In").add(
                      state("X").to(transition(kExitName).when("go").seconds(0)))))));
  run.step(0);
  run.state().set_bool(run.param("go"), true);
  run.step(0.1);
  EXPECT_EQ(run.events(), "enter M Out, enter M Out.In, start X, enter X, exit A, complete X");
  run.step(0.1);
  // No route after the exit: the machine around is entered anew.
  EXPECT_EQ(run.events(),
            "leave M Out.In, enter M Out, enter M Out.In, start X, enter X, exit X, complete X");
}

TEST(Machines, TriggersOfTheWholeWalkAreUsed) {
  GraphRun run(
      ControllerBuilder().trigger("in").trigger("left").trigger("other").motion("A", 1).layer(
          "base", machine("")
                      .add(state("A").plays("A").to(transition("M").when("in").seconds(0)))
                      .add(machine("M")
                               .add(state("R"))
                               .add(state("L"))
                               .enters(route("L").when("left").when("in")))));
  run.step(0);
  for (const char* name : {"in", "left", "other"}) run.state().set_trigger(run.param(name));
  run.step(0.1);
  EXPECT_EQ(run.current(), "L");
  EXPECT_FALSE(run.state().get_bool(run.param("in")));
  EXPECT_FALSE(run.state().get_bool(run.param("left")));
  EXPECT_TRUE(run.state().get_bool(run.param("other")));
}

}  // namespace
}  // namespace sinew
