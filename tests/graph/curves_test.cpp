// Parameters that curves drive (rules, 2.11).
#include <cmath>

#include "graph_run.hpp"

namespace sinew {
namespace {

using namespace sinew::build;

MotionSource with_curve(const char* name, double from, double to) {
  MotionSource m;
  m.name = name;
  m.length = 1;
  m.value = 0;
  m.curves = {{"stiff", {{0, from}, {1, to}}}};
  return m;
}

ControllerBuilder bench(MachineSource root) {
  return ControllerBuilder()
      .float_parameter("stiff", 5)
      .float_parameter("x", 0.25f)
      .trigger("go")
      .trigger("back")
      .motion(with_curve("Rise", 0, 1))
      .motion(with_curve("Ten", 10, 10))
      .motion("Plain", 1)
      .layer("base", std::move(root));
}

float stiff(GraphRun& run) { return run.state().get_float(run.param("stiff")); }

TEST(Curves, DriveTheParameterOfTheirName) {
  GraphRun run(bench(machine("").add(state("Rise").plays("Rise"))));
  EXPECT_EQ(stiff(run), 5);
  EXPECT_TRUE(run.state().set_float(run.param("stiff"), 3));
  run.step(0);
  EXPECT_EQ(stiff(run), 0);
  run.step(0.25);
  EXPECT_FLOAT_EQ(stiff(run), 0.25f);
  EXPECT_TRUE(run.state().is_driven(run.param("stiff")));
  EXPECT_FALSE(run.state().set_float(run.param("stiff"), 3)) << "read-only";
  EXPECT_FALSE(run.state().set_float_damped(run.param("stiff"), 3, 0.1f, 0.1f));
  EXPECT_FALSE(run.state().set(run.param("stiff"), 3.0));
  EXPECT_TRUE(run.state().set_float(run.param("x"), 3));
  EXPECT_FALSE(run.state().is_driven(run.param("x")));
}

TEST(Curves, FallBackToTheDefaultWhereTheyAreMissing) {
  GraphRun run(
      bench(machine("")
                .add(state("Plain").plays("Plain").to(transition("Ten").when("go").seconds(1)))
                .add(state("Ten").plays("Ten"))
                .add(state("Mix").plays(
                    tree_1d("x", {child(motion("Plain"), 0), child(motion("Ten"), 1)})))));
  run.step(0);
  EXPECT_EQ(stiff(run), 5);
  run.state().set_trigger(run.param("go"));
  run.step(0);
  run.step(0.25);
  EXPECT_FLOAT_EQ(stiff(run), 5 + (10 - 5) * 0.25f);
  run.step(1);
  EXPECT_EQ(stiff(run), 10);
  run.state().play(run.def.state("Mix"));
  run.step(0.1);
  EXPECT_FLOAT_EQ(stiff(run), 5 + (10 - 5) * 0.25f) << "a quarter of the tree has the curve";
}

TEST(Curves, AreFrozenWithThePose) {
  for (bool inertial : {false, true}) {
    TransitionSource back = transition("Plain").when("back").seconds(1);
    if (inertial) back.inertialized();
    GraphRun run(
        bench(machine("")
                  .add(state("Plain").plays("Plain").to(transition("Ten").when("go").seconds(1)))
                  .add(state("Ten").plays("Ten"))
                  .from_any(back.self())));
    run.step(0);
    run.state().set_trigger(run.param("go"));
    run.step(0);
    run.step(0.5);
    EXPECT_FLOAT_EQ(stiff(run), 7.5f);
    run.state().set_trigger(run.param("back"));
    run.step(0.1);
    EXPECT_FLOAT_EQ(stiff(run), 8) << "no jump";
    run.step(0.5);
    EXPECT_FLOAT_EQ(stiff(run), 6.5f);
    run.step(0.6);
    EXPECT_EQ(stiff(run), 5);
  }
}

TEST(Curves, OfUpperLayersGoOverThoseBelow) {
  LayerSource over = layer("over").weighing(0.5);
  over.root.add(state("Plain").plays("Plain")).add(state("Ten").plays("Ten"));
  LayerSource add = layer("add").additive();
  add.root.add(state("Rise").plays("Rise"));
  GraphRun run(bench(machine("").add(state("Rise").plays("Rise"))).layer(over).layer(add));
  run.step(0);
  run.step(0.5);
  EXPECT_FLOAT_EQ(stiff(run), 0.5f + 0.5f) << "a layer without the curve lets it through";
  run.state().play(run.def.state("over.Ten"));
  run.step(0);
  EXPECT_FLOAT_EQ(stiff(run), 0.5f + (10 - 0.5f) * 0.5f + 0.5f);
}

TEST(Curves, DriveConditionsInTheNextUpdate) {
  GraphRun run(bench(machine("")
                         .add(state("Rise").plays("Rise").to(
                             transition("Plain").when("stiff", greater, 0.45).seconds(0)))
                         .add(state("Plain").plays("Plain"))));
  run.step(0);
  EXPECT_EQ(run.current(), "Plain") << "the first update still sees the default";
  run.state().play(run.def.state("Rise"), 0);
  run.step(0);
  run.step(0.25);
  run.step(0.25);
  EXPECT_EQ(run.current(), "Rise");
  EXPECT_FLOAT_EQ(stiff(run), 0.5f);
  run.step(0);
  EXPECT_EQ(run.current(), "Plain");
}

TEST(Curves, FaultsAreReported) {
  const auto first = [](MotionCurveSource curve) {
    MotionSource m;
    m.name = "A";
    m.length = 1;
    m.curves = {std::move(curve)};
    Findings findings;
    const auto def = ControllerBuilder()
                         .float_parameter("stiff")
                         .bool_parameter("flag")
                         .motion(m)
                         .layer("base", machine("").add(state("A").plays("A")))
                         .compile(&findings);
    EXPECT_FALSE(def.ok());
    return findings.empty() ? std::string() : findings[0].place + ": " + findings[0].message;
  };
  EXPECT_EQ(first({"stif", {{0, 0}}}),
            "motion 'A': curve 'stif': parameter 'stif' is not declared; did you mean 'stiff'?");
  EXPECT_EQ(first({"flag", {{0, 0}}}),
            "motion 'A': curve 'flag': parameter 'flag' is of type bool, not float");
  EXPECT_EQ(first({"stiff", {}}), "motion 'A': curve 'stiff': it has no keys");
  EXPECT_EQ(first({"stiff", {{0, 0}, {0, 1}}}),
            "motion 'A': curve 'stiff': the times of its keys do not rise");
  EXPECT_EQ(first({"stiff", {{0, NAN}}}),
            "motion 'A': curve 'stiff': the value of a key is not a finite number");
}

}  // namespace
}  // namespace sinew
