// Properties that hold for every limb and every goal.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sinew/rig/math.hpp>

#include "every_constraint.hpp"

namespace sinew::rig {
namespace {

float uniform(float low, float high) {
  const int steps = 100000;
  return low + (high - low) * static_cast<float>(*rc::gen::inRange(0, steps + 1)) /
                   static_cast<float>(steps);
}
Vec3 in_box(float size) {
  return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
}
Quat any_rotation() { return from_rotation_vector(in_box(3.14f)); }

// base - root - mid - tip - end with random bones and rotations.
std::vector<TestJoint> random_limb() {
  const auto bone = [] { return rotate(any_rotation(), Vec3{0, uniform(0.1f, 0.5f), 0}); };
  return {{"base", nullptr, in_box(1), any_rotation()},
          {"root", "base", in_box(0.5f), any_rotation()},
          {"mid", "root", bone(), any_rotation()},
          {"tip", "mid", bone(), any_rotation()},
          {"end", "tip", bone(), any_rotation()}};
}

template <class Ik>
Ik limb_ik() {
  Ik ik;
  ik.root = "root";
  ik.mid = "mid";
  ik.tip = "tip";
  ik.target = "target";
  ik.hint = "hint";
  return ik;
}

RigSource one(ConstraintBox box, float weight = 1) {
  RigSource source;
  source.add_node("target");
  source.add_node("hint");
  source.add_layer("layer").add("ik", std::move(box), weight);
  return source;
}

struct Limb {
  Vec3 root, mid, tip;
  float upper() const { return distance(root, mid); }
  float lower() const { return distance(mid, tip); }
};
Limb limb_of(const RigRun& run) {
  return {run.model("root").translation, run.model("mid").translation,
          run.model("tip").translation};
}

void check(const char* what, bool ok) {
  EXPECT_TRUE(ok) << "property of " << what << " failed (see above)";
}

TEST(RigProperties, TwoBoneReachesWhatIsInReachAndKeepsBones) {
  check("two-bone IK", rc::check([] {
          TwoBoneIk ik = limb_ik<TwoBoneIk>();
          ik.hint_weight = uniform(0, 1);
          RigRun run(one(ik), make_skeleton(random_limb()));
          const Limb before = limb_of(run);
          const float reach = before.upper() + before.lower();
          const float least = abs(before.upper() - before.lower());
          const float share = uniform(0, 1.5f);
          const Vec3 goal = before.root + rotate(any_rotation(), Vec3{reach * share, 0, 0});
          const Quat turn = any_rotation();
          run.move("target", goal, turn);
          run.move("hint", in_box(2));
          run.evaluate();
          const Limb after = limb_of(run);
          RC_ASSERT(abs(after.upper() - before.upper()) < 1e-5f);
          RC_ASSERT(abs(after.lower() - before.lower()) < 1e-5f);
          const float d = distance(before.root, goal);
          if (d < reach * 0.9999f && d > least + 1e-4f) {
            RC_ASSERT(distance(after.tip, goal) < 2e-5f);
            RC_ASSERT(run.status("ik") == RigStatus::kSatisfied);
          }
          if (d > reach * 1.001f) {
            RC_ASSERT(run.status("ik") == RigStatus::kOutOfReach);
            const Vec3 straight = before.root + (goal - before.root) * (reach / d);
            RC_ASSERT(distance(after.tip, straight) < 1e-3f * reach);
          }
          RC_ASSERT(sinew::angle_between(run.model("tip").rotation, turn) < 1e-3f);
        }));
}

// Goals that move inside reach move the elbow at most twice as fast. Near the line of a straight or
// folded limb no two-bone limb can do that, so goals stay between 35 % and 90 % of reach for bones
// whose lengths differ by at most a fifth.
TEST(RigProperties, TwoBoneMovesAtMostTwiceAsFastAsItsGoal) {
  check("two-bone speed", rc::check([] {
          const float upper = 0.3f, lower = 0.3f * uniform(0.8f, 1.25f);
          RigRun run(one(limb_ik<TwoBoneIk>()),
                     make_skeleton({{"root", nullptr, {}, any_rotation()},
                                    {"mid", "root", {upper, 0.01f, 0}, any_rotation()},
                                    {"tip", "mid", rotate(any_rotation(), {lower, 0, 0})}}));
          const Quat frame = any_rotation();
          const float reach = upper + lower;
          const auto goal_at = [&](float t, float speed) {
            const float angle = 0.8f * sin(speed * t), rise = 0.5f * cos(1.3f * speed * t);
            const float share = 0.625f + 0.275f * sin(0.7f * speed * t);
            return rotate(frame, Vec3{cos(angle) * cos(rise), sin(rise), sin(angle) * cos(rise)}) *
                   (reach * share);
          };
          run.move("hint", rotate(frame, Vec3{0.2f, -2, 0}));  // away from where goals go
          const float dt = 1.0f / 60, speed = uniform(0.2f, 3);
          Limb last;
          Vec3 last_goal;
          for (int i = 0; i < 240; ++i) {
            const Vec3 goal = goal_at(static_cast<float>(i) * dt, speed);
            run.move("target", goal);
            run.evaluate(dt);
            const Limb now = limb_of(run);
            if (i > 0) {
              const float step = distance(goal, last_goal);
              RC_ASSERT(distance(now.mid, last.mid) <= 2 * step + 1e-5f);
              RC_ASSERT(distance(now.tip, last.tip) <= 2 * step + 1e-5f);
            }
            last = now;
            last_goal = goal;
          }
        }));
}

TEST(RigProperties, WeightZeroKeepsEveryBit) {
  check("weight 0", rc::check([] {
          RigSource source = every_constraint();
          for (RigConstraintSource& c : source.layers[0].constraints) c.weight = 0;
          RigRun run(source, body_skeleton());
          for (int j = 0; j < run.skeleton().joint_count(); ++j) {
            set_joint(run.skeleton(), run.pose, j, {in_box(1), any_rotation(), {1, 1, 1}});
          }
          const std::string before = bytes_of(run.pose);
          run.evaluate_here();
          RC_ASSERT(bytes_of(run.pose) == before);
          for (int i = 0; i < run.def.constraint_count(); ++i) {
            run.def.set(run.state, *run.def.channel(run.def.constraint_name(i) + ".weight"), 1);
          }
          run.set("layer.active", 0);
          run.evaluate_here();
          RC_ASSERT(bytes_of(run.pose) == before);
        }));
}

// Joints that no constraint drives keep their bits while others move.
TEST(RigProperties, OthersAreLeftAlone) {
  RigRun run(one(limb_ik<TwoBoneIk>()), make_skeleton({{"base", nullptr, {}, yaw(10)},
                                                       {"root", "base", {0, 1, 0}, yaw(20)},
                                                       {"mid", "root", {0, 1, 0.1f}, yaw(30)},
                                                       {"tip", "mid", {0, 1, 0}, yaw(40)},
                                                       {"end", "tip", {0, 1, 0}, yaw(50)}}));
  const Transform base = run.local("base"), end = run.local("end");
  const Vec3 mid = run.local("mid").translation;
  run.move("target", {1, 1, 0});
  run.evaluate();
  EXPECT_EQ(run.local("base"), base);
  EXPECT_EQ(run.local("end"), end);
  EXPECT_EQ(run.local("mid").translation, mid);
}

// Random broken configurations: nothing but numbers comes out.
TEST(RigProperties, NothingProducesNotANumber) {
  check("finiteness", rc::check([] {
          RigRun run(every_constraint(), body_skeleton());
          const float scales[] = {0, 1e-20f, 1e-3f, 1, 1e6f};
          for (int j = 0; j < run.skeleton().joint_count(); ++j) {
            const float scale = scales[*rc::gen::inRange(0, 5)];
            set_joint(run.skeleton(), run.pose, j, {in_box(scale), any_rotation(), {1, 1, 1}});
          }
          const char* joints[] = {"hips", "upper.L", "hand.L", "upper.R"};
          for (const char* node : {"t", "h", "u", "d"}) {
            if (*rc::gen::arbitrary<bool>()) {
              run.move(node, in_box(scales[*rc::gen::inRange(0, 5)]), any_rotation());
            } else {  // exactly on a joint
              run.move(node, run.model(joints[*rc::gen::inRange(0, 4)]).translation);
            }
          }
          for (int i = 0; i < 3; ++i) {
            run.evaluate_here(uniform(0, 0.2f));
            for (int j = 0; j < run.skeleton().joint_count(); ++j) {
              RC_ASSERT(is_finite(get_joint(run.skeleton(), run.pose, j)));
            }
          }
        }));
}

TEST(RigProperties, ChainKeepsLinksAndReaches) {
  check("chain IK", rc::check([] {
          std::vector<TestJoint> joints{{"j0", nullptr, in_box(1), any_rotation()}};
          static const char* const kNames[] = {"j0", "j1", "j2", "j3", "j4", "j5", "j6", "j7"};
          const int count = *rc::gen::inRange(3, 9);
          for (int i = 1; i < count; ++i) {
            joints.push_back(
                {kNames[i], kNames[i - 1], in_box(0.2f) + Vec3{0, 0.3f, 0}, any_rotation()});
          }
          ChainIk ik;
          ik.root = "j0";
          ik.tip = kNames[count - 1];
          ik.target = "target";
          ik.iterations = 50;
          RigRun run(one(ik), make_skeleton(joints));
          std::vector<float> lengths;
          for (int i = 1; i < count; ++i) {
            lengths.push_back(
                distance(run.model(kNames[i]).translation, run.model(kNames[i - 1]).translation));
          }
          const Vec3 root = run.model("j0").translation;
          const Vec3 goal = root + in_box(0.5f);
          run.move("target", goal);
          run.evaluate();
          for (int i = 1; i < count; ++i) {
            const float now =
                distance(run.model(kNames[i]).translation, run.model(kNames[i - 1]).translation);
            RC_ASSERT(abs(now - lengths[static_cast<std::size_t>(i - 1)]) < 1e-5f);
          }
          if (run.status("ik") == RigStatus::kSatisfied) {
            RC_ASSERT(distance(run.model(ik.tip.name.c_str()).translation, goal) < 2e-4f);
          }
        }));
}

}  // namespace
}  // namespace sinew::rig
