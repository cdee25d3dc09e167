#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sinew/rig/full_body_ik.hpp>

#include "every_constraint.hpp"

namespace sinew::rig {
namespace {

using Method = FullBodyIk::Method;

FullBodyIk body_ik(Method method) {
  FullBodyIk ik;
  ik.root = "hips";
  ik.method = method;
  ik.iterations = 50;
  for (const auto& [joint, target] :
       {std::pair{"hand.L", "left"}, {"hand.R", "right"}, {"head", "top"}}) {
    FullBodyIk::Effector e;
    e.joint = joint;
    e.target = target;
    ik.effectors.push_back(e);
  }
  return ik;
}

RigSource rig_of(const FullBodyIk& ik) {
  RigSource source;
  for (const char* node : {"left", "right", "top", "pole"}) source.add_node(node);
  source.add_layer("layer").add("body", ik);
  return source;
}

void put_targets_on_effectors(RigRun& run) {
  run.move("left", run.model("hand.L").translation, run.model("hand.L").rotation);
  run.move("right", run.model("hand.R").translation, run.model("hand.R").rotation);
  run.move("top", run.model("head").translation, run.model("head").rotation);
}

const Method kMethods[] = {Method::kLeastSquares, Method::kFabrik};

TEST(FullBodyIk, StaysWhereTheGoalsAreMet) {
  for (const Method method : kMethods) {
    RigRun run(rig_of(body_ik(method)), body_skeleton());
    put_targets_on_effectors(run);
    run.evaluate();
    EXPECT_EQ(run.status("body"), RigStatus::kSatisfied);
    for (int j = 0; j < run.skeleton().joint_count(); ++j) {
      EXPECT_TRUE(close(get_rotation(run.skeleton(), run.pose, j), Quat{}, 1e-3f));
    }
  }
}

// Goals taken from a pose that the body can have are met, and bones keep their lengths.
TEST(FullBodyIk, MeetsGoalsOfAPossiblePose) {
  for (const Method method : kMethods) {
    EXPECT_TRUE(rc::check([method] {
      RigRun run(rig_of(body_ik(method)), body_skeleton());
      const auto turn = [](int degrees) {
        const auto a = [&] {
          return kDegToRad * static_cast<float>(*rc::gen::inRange(-degrees, degrees + 1));
        };
        return from_rotation_vector({a(), a(), a()});
      };
      std::vector<float> lengths;
      for (int j = 0; j < run.skeleton().joint_count(); ++j) {
        const Transform rest = run.skeleton().rest(j);
        lengths.push_back(length(rest.translation));
        set_joint(run.skeleton(), run.pose, j, {rest.translation, turn(20), {1, 1, 1}});
      }
      // hips stay: they are the root of the tree.
      set_joint(run.skeleton(), run.pose, 0, run.skeleton().rest(0));
      put_targets_on_effectors(run);
      run.evaluate();
      RC_ASSERT(run.status("body") == RigStatus::kSatisfied);
      for (const auto& [joint, node] :
           {std::pair{"hand.L", "left"}, {"hand.R", "right"}, {"head", "top"}}) {
        RC_ASSERT(distance(run.model(joint).translation, run.node(node).translation) < 1.5e-3f);
      }
      for (int j = 1; j < run.skeleton().joint_count(); ++j) {
        RC_ASSERT(get_joint(run.skeleton(), run.pose, j).translation ==
                  run.skeleton().rest(j).translation);
      }
    }));
  }
}

TEST(FullBodyIk, ReportsWhatIsOutOfReach) {
  for (const Method method : kMethods) {
    RigRun run(rig_of(body_ik(method)), body_skeleton());
    put_targets_on_effectors(run);
    run.move("left", {5, 1, 0});
    run.evaluate();
    EXPECT_EQ(run.status("body"), RigStatus::kOutOfReach);
    EXPECT_GT(run.model("hand.L").translation.x, 0.7f);  // but it goes that way
  }
}

TEST(FullBodyIk, RootFollowsIfItMay) {
  for (const Method method : kMethods) {
    FullBodyIk ik = body_ik(method);
    ik.root_weight = 1;
    RigRun run(rig_of(ik), body_skeleton());
    put_targets_on_effectors(run);
    for (const char* node : {"left", "right", "top"}) {
      const Transform at = run.def.get_node(run.state, *run.def.node(node));
      run.move(node, at.translation + Vec3{0, -0.3f, 0.1f}, at.rotation);
    }
    run.evaluate();
    EXPECT_EQ(run.status("body"), RigStatus::kSatisfied);
    EXPECT_LT(run.model("hips").translation.y, 0.9f);
  }
}

TEST(FullBodyIk, KeepsItsLimits) {
  for (const Method method : kMethods) {
    FullBodyIk ik = body_ik(method);
    JointLimit limit;
    limit.joint = "spine";
    limit.swing = 5;
    limit.twist_min = limit.twist_max = 0;
    ik.limits = {limit};
    limit.joint = "chest";
    limit.swing = 180;
    limit.twist_min = -180;
    limit.twist_max = 180;
    limit.stiffness = 1;  // does not move at all
    ik.limits.push_back(limit);
    RigRun run(rig_of(ik), body_skeleton());
    put_targets_on_effectors(run);
    run.move("top", {0.3f, 1.4f, 0.4f});
    run.evaluate();
    EXPECT_LT(angle_of(run.local("spine").rotation), 5.01f * kDegToRad);
    if (method == Method::kLeastSquares) {
      EXPECT_GT(angle_of(run.local("spine").rotation), 1 * kDegToRad);
    }
    EXPECT_LT(angle_of(run.local("chest").rotation), 1e-3f);
  }
}

TEST(FullBodyIk, AnEffectorTakesItsTargetsRotationIfAsked) {
  FullBodyIk ik = body_ik(Method::kLeastSquares);
  ik.effectors[0].rotation_weight = 1;
  RigRun run(rig_of(ik), body_skeleton());
  put_targets_on_effectors(run);
  run.move("left", run.model("hand.L").translation + Vec3{-0.1f, 0.1f, 0.1f}, yaw(40));
  run.evaluate();
  EXPECT_TRUE(close(run.model("hand.L").rotation, yaw(40), 1e-4f));
  EXPECT_TRUE(close(run.model("hand.R").rotation, Quat{}, 1e-4f));
}

TEST(FullBodyIk, PolesPointTheElbow) {
  FullBodyIk ik = body_ik(Method::kLeastSquares);
  FullBodyIk::Pole pole;
  pole.root = "upper.L";
  pole.mid = "lower.L";
  pole.tip = "hand.L";
  pole.pole = "pole";
  ik.poles = {pole};
  RigRun run(rig_of(ik), body_skeleton());
  put_targets_on_effectors(run);
  run.move("left", {0.5f, 1.5f, 0.2f});
  for (const float up : {1.0f, -1.0f}) {
    run.move("pole", {0.4f, 1.5f + 2 * up, 0});
    run.evaluate();
    const Vec3 a = run.model("upper.L").translation, c = run.model("hand.L").translation;
    EXPECT_GT(up * (run.model("lower.L").translation.y - 0.5f * (a.y + c.y)), 0.05f);
  }
}

TEST(FullBodyIk, RefusesBadTrees) {
  FullBodyIk ik = body_ik(Method::kFabrik);
  ik.effectors[1].joint = "hand.L";
  Findings findings;
  EXPECT_FALSE(RigDef::compile(rig_of(ik), body_skeleton(), {}, findings).ok());
  ik.effectors.clear();
  EXPECT_FALSE(RigDef::compile(rig_of(ik), body_skeleton(), {}, findings).ok());
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].message, "'hand.L' is an effector twice");
}

TEST(JointLimit, ClampsSwingAndTwistApart) {
  const Quat twist = from_axis_angle(kAxisY, 1.0f), swing = from_axis_angle(kAxisX, 0.8f);
  EXPECT_TRUE(close(clamp_swing_twist(swing * twist, kAxisY, 2, -2, 2), swing * twist, 1e-4f));
  EXPECT_TRUE(close(clamp_swing_twist(swing * twist, kAxisY, 0.3f, -2, 2),
                    from_axis_angle(kAxisX, 0.3f) * twist, 1e-4f));
  EXPECT_TRUE(close(clamp_swing_twist(swing * twist, kAxisY, 2, -0.1f, 0.25f),
                    swing * from_axis_angle(kAxisY, 0.25f), 1e-4f));
  EXPECT_TRUE(close(clamp_swing_twist(swing * conjugate(twist), kAxisY, 2, -0.1f, 0.25f),
                    swing * from_axis_angle(kAxisY, -0.1f), 1e-4f));
}

}  // namespace
}  // namespace sinew::rig
