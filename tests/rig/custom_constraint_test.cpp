// A constraint of a program's own, made and registered without a change to Sinew.
#include <gtest/gtest.h>

#include "rig_fixture.hpp"

namespace {

using namespace sinew;
using namespace sinew::rig;

// Data, bind and evaluate: keeps a joint's height above its bind height and counts its calls.
struct KeepAbove {
  static constexpr const char* kName = "keep_above";
  static constexpr const char* kSummary = "Keeps a joint at or above a height";

  NodeRef driven, floor;
  Value margin{0};

  void fields(FieldVisitor& v) {
    v.node("driven", driven, NodeUse::kDriven);
    v.node("floor", floor, NodeUse::kReadOptional);
    v.value("margin", margin, -1, 1);
  }
  void bind(BindContext& b) {
    bind_height_ = b.model(driven).translation.y;
    if (bind_height_ < 0) b.report(Severity::kError, "keep_above.low", "bound below the ground");
  }
  struct State {
    int calls;
  };
  RigStatus evaluate(RigEval& e) const {
    ++e.state<State>().calls;
    Vec3 at = e.position(driven);
    const float least = (floor.given() ? e.position(floor).y : bind_height_) + e.value(margin);
    if (at.y >= least) return RigStatus::kIdle;
    at.y = lerp(at.y, least, e.weight());
    e.set_position(driven, at);
    return RigStatus::kSatisfied;
  }
  void draw(RigEval& e, DebugDraw& d) const { d.point(e.position(driven), 0.1f, {}); }

 private:
  float bind_height_ = 0;
};

struct Counter final : DebugDraw {
  void line(Vec3, Vec3, DebugColor) override { ++lines; }
  void point(Vec3 at, float, DebugColor) override {
    ++points;
    last = at;
  }
  void plane(Vec3, Vec3, float, DebugColor) override { ++planes; }
  int lines = 0, points = 0, planes = 0;
  Vec3 last;
};

KeepAbove keep(const char* joint) {
  KeepAbove k;
  k.driven = joint;
  return k;
}

TEST(CustomConstraint, RunsLikeAnyOther) {
  RigSource source;
  source.add_layer("l").add("keep", keep("j"));
  RigRun run(source, make_skeleton({{"root", nullptr, {0, 1, 0}}, {"j", "root", {0, 1, 0}}}));
  run.set_local("j", {{0, 0, 0}, {}, {1, 1, 1}});
  run.evaluate_here();
  EXPECT_EQ(run.model("j").translation.y, 2);
  EXPECT_EQ(run.status("keep"), RigStatus::kSatisfied);
  run.set("keep.margin", 0.5f);
  run.set("keep.weight", 0.5f);
  run.evaluate();
  EXPECT_EQ(run.model("j").translation.y, 2.25f);
  Counter counter;
  run.draw = &counter;
  run.evaluate();
  EXPECT_EQ(counter.points, 1);
  EXPECT_EQ(counter.last.y, 2.25f);
}

TEST(CustomConstraint, ReportsItsOwnFaults) {
  RigSource source;
  source.add_layer("l").add("keep", keep("j"));
  Findings findings;
  const Skeleton low = make_skeleton({{"j", nullptr, {0, -1, 0}}});
  EXPECT_FALSE(RigDef::compile(source, low, {}, findings).ok());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "keep_above.low");
  EXPECT_EQ(findings[0].place, "layer 'l': constraint 'keep'");
}

TEST(CustomConstraint, IsFoundInTheRegistry) {
  ConstraintRegistry registry;
  EXPECT_EQ(registry.find("keep_above"), nullptr);
  registry.add<KeepAbove>();
  registry.add<KeepAbove>();
  EXPECT_EQ(registry.find("keep_above"), &constraint_type<KeepAbove>());
  EXPECT_EQ(registry.types().size(), ConstraintRegistry().types().size() + 1);
}

TEST(CustomConstraint, DrawsInTheWorldThroughTheWrapper) {
  Counter counter;
  WorldDebugDraw world(counter, {{1, 2, 3}, {}, {1, 1, 1}});
  world.point({1, 0, 0}, 1, {});
  EXPECT_EQ(counter.last, (Vec3{2, 2, 3}));
}

}  // namespace
