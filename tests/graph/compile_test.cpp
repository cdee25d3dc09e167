#include <limits>

#include "graph_run.hpp"

namespace sinew {
namespace {

using namespace sinew::build;

bool has(const Findings& findings, Severity severity, const std::string& place,
         const std::string& message) {
  for (const Finding& f : findings) {
    if (f.severity == severity && f.place == place &&
        f.message.find(message) != std::string::npos) {
      return true;
    }
  }
  return false;
}

TEST(Compile, CollectsEveryFaultWithPlaceAndNearestName) {
  Findings findings;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Result<ControllerDef> def =
      ControllerBuilder("c")
          .float_parameter("speed")
          .trigger("die")
          .bool_parameter("speed")
          .layer("base", machine("")
                             .add(state("Idle")
                                      .to(transition("Walk").when("sped", greater, 0.1))
                                      .to(transition("Wlak").when("speed"))
                                      .to(transition("Walk").when("die", is_not_set))
                                      .to(transition("Walk").when("speed", greater, nan))
                                      .to(transition("Walk").at_exit(nan).seconds(-1)))
                             .add(state("Walk").scaled_by("die").plays(tree_1d(
                                 "spede", {child(motion("A"), 0), child(motion("B"), nan)})))
                             .add(state("Walk"))
                             .starts_in("Ildle"))
          .compile(&findings);
  ASSERT_FALSE(def.ok());
  const auto error = [&](const std::string& place, const std::string& message) {
    EXPECT_TRUE(has(findings, Severity::kError, place, message)) << place << ": " << message << "\n"
                                                                 << text_of(findings);
  };
  error("parameter 'speed'", "declared twice");
  error("layer 'base': transition Idle -> Walk",
        "parameter 'sped' is not declared; did you mean 'speed'?");
  error("layer 'base': transition Idle -> Wlak",
        "there is no state or machine 'Wlak'; did you mean 'Walk'?");
  error("layer 'base': transition Idle -> Wlak", "of type float and cannot be tested by 'if'");
  error("layer 'base': transition Idle -> Walk",
        "of type trigger and cannot be tested by 'if_not'");
  error("layer 'base': transition Idle -> Walk", "a threshold is not a finite number");
  error("layer 'base': transition Idle -> Walk", "its exit time is not a finite number");
  error("layer 'base': transition Idle -> Walk", "its duration is negative");
  error("layer 'base': state 'Walk'", "speed parameter 'die' is of type trigger, not float");
  error("layer 'base': state 'Walk': blend tree", "'spede' is not declared; did you mean 'speed'?");
  error("layer 'base': state 'Walk': blend tree: child 1", "not a finite number");
  error("layer 'base': state 'Walk'", "two states have this name");
  error("layer 'base': default", "did you mean 'Idle'?");
  EXPECT_EQ(def.error().where, "parameter 'speed'");
  EXPECT_NE(def.error().message.find("more)"), std::string::npos);
}

TEST(Compile, WarnsOfWhatCannotHappen) {
  Findings findings;
  const auto def =
      ControllerBuilder()
          .float_parameter("x")
          .float_parameter("y")
          .motion("Idle", 1)
          .layer("base", machine("")
                             .add(state("A").plays("Idel").to(transition("B")))
                             .add(state("B").plays(tree_2d(
                                 TreeType::kFreeformCartesian, "x", "y",
                                 {child(motion("Idle"), 1, 1), child(motion("Idle"), 1, 1)}))))
          .layer("empty", machine(""))
          .compile(&findings);
  ASSERT_TRUE(def.ok()) << text_of(findings);
  const auto warning = [&](const std::string& place, const std::string& message) {
    EXPECT_TRUE(has(findings, Severity::kWarning, place, message)) << text_of(findings);
  };
  warning("layer 'base': transition A -> B", "neither a condition nor an exit time");
  warning("layer 'base': state 'A'", "did you mean 'Idle'?");
  warning("layer 'base': state 'B': blend tree", "children 0 and 1 lie on one point");
  warning("layer 'empty'", "an empty one stands in");
}

TEST(Compile, ResolvesNamesInsideMachines) {
  const ControllerDef def = compiled(ControllerBuilder().bool_parameter("go").layer(
      "base", machine("")
                  .add(state("A").to(transition("Up.B").when("go")))
                  .add(machine("Up")
                           .add(state("B").to(transition("C").when("go")))
                           .add(state("C").to(transition("Down").when("go"))))
                  .add(machine("Down").add(state("C")).add(state("D")))));
  const ControllerTables& t = def.tables();
  const auto target = [&](const char* from) {
    const StateDef& s = t.states[static_cast<std::size_t>(def.state(from).index)];
    return t.transitions[s.first_transition].target;
  };
  EXPECT_EQ(target("A").index, def.state("Up.B").index);
  EXPECT_EQ(target("Up.B").index, def.state("Up.C").index);  // the member of the same machine
  EXPECT_EQ(target("Up.C").kind, TargetDef::Kind::kMachine);
  EXPECT_EQ(def.state_path(def.state("Down.C")), "base.Down.C");

  Findings findings;
  EXPECT_FALSE(ControllerBuilder()
                   .bool_parameter("go")
                   .layer("base", machine("")
                                      .add(state("A").to(transition("C").when("go")))
                                      .add(machine("Up").add(state("C")))
                                      .add(machine("Down").add(state("C"))))
                   .compile(&findings)
                   .ok());
  EXPECT_NE(text_of(findings).find("more than one"), std::string::npos);
}

TEST(Compile, AnEntryThatLeadsOutOfItsMachineIsRefused) {
  Findings findings;
  EXPECT_FALSE(ControllerBuilder()
                   .layer("base", machine("")
                                      .add(machine("M").add(state("X")).enters(route("N")))
                                      .add(machine("N").add(state("Y")).enters(route("M"))))
                   .compile(&findings)
                   .ok());
  EXPECT_NE(text_of(findings).find("an entry must lead"), std::string::npos);
}

TEST(Compile, TheHashChangesWithWhatMatters) {
  const auto build = [](double duration, const char* name) {
    return compiled(
               ControllerBuilder().bool_parameter("go").layer(
                   "base", machine("")
                               .add(state("A").to(transition(name).when("go").seconds(duration)))
                               .add(state(name))))
        .hash();
  };
  EXPECT_EQ(build(1, "B"), build(1, "B"));
  EXPECT_NE(build(1, "B"), build(1.5, "B"));
  EXPECT_NE(build(1, "B"), build(1, "C"));
}

TEST(Compile, FindsByName) {
  const ControllerDef def = compiled(ControllerBuilder("zombie").float_parameter("speed").layer(
      "base", machine("").add(state("Idle"))));
  EXPECT_EQ(def.param("speed").index, 0);
  EXPECT_FALSE(def.param("sped"));
  const auto missing = def.find_param("sped");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(to_string(missing.error()),
            "zombie: there is no parameter 'sped'; did you mean 'speed'?");
  EXPECT_FALSE(def.find_state("Idel").ok());
  EXPECT_EQ(def.layer("base"), 0);
  EXPECT_EQ(def.layer("none"), -1);
}

// Working memory is cut into equal shares: a small layer before a large one once got too little.
TEST(Compile, EveryLayerHasRoomForTheLargestTree) {
  std::vector<TreeChildSource> children;
  ControllerBuilder builder;
  for (int i = 0; i < 9; ++i) {
    builder.float_parameter("w" + std::to_string(i), 1);
    children.push_back(child(motion("m"), "w" + std::to_string(i)));
  }
  const auto def = builder.layer("small", machine("").add(state("A").plays("m")))
                       .layer("large", machine("").add(state("B").plays(tree_direct(children))))
                       .compile();
  ASSERT_TRUE(def.ok());
  EXPECT_EQ(def->tables().max_leaves, 9u);
  EXPECT_GE(def->limits().leaves, 2u * 6 * 9);
}

}  // namespace
}  // namespace sinew
