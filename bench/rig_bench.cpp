// Time of single constraints and of a stack, each as a whole evaluate_rig() on one character.
#include <cstdio>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <sinew/pose/two_bone.hpp>
#include <sinew/rig/constraints.hpp>
#include <sinew/rig/rig_def.hpp>

namespace {

using namespace sinew;
using namespace sinew::rig;

// hips, a spine of 5, a head, two arms of 4, two legs of 3, and a tail of 10: 31 joints.
Skeleton body() {
  std::vector<JointDef> joints;
  const auto add = [&](const std::string& name, int parent, Vec3 at) {
    joints.push_back({name, parent, {at, {}, {1, 1, 1}}});
    return static_cast<int>(joints.size()) - 1;
  };
  const int hips = add("hips", -1, {0, 1, 0});
  int spine = hips;
  for (int i = 0; i < 5; ++i) spine = add("spine" + std::to_string(i), spine, {0, 0.12f, 0.01f});
  add("head", spine, {0, 0.2f, 0});
  for (const auto& [side, x] : {std::pair{".L", 1.0f}, {".R", -1.0f}}) {
    int arm = add(std::string("clavicle") + side, spine, {0.05f * x, 0, 0});
    arm = add(std::string("upper") + side, arm, {0.15f * x, 0, 0});
    arm = add(std::string("lower") + side, arm, {0.28f * x, 0, -0.02f});
    add(std::string("hand") + side, arm, {0.26f * x, 0, 0.02f});
    int leg = add(std::string("thigh") + side, hips, {0.1f * x, 0, 0});
    leg = add(std::string("shin") + side, leg, {0, -0.45f, 0.02f});
    add(std::string("foot") + side, leg, {0, -0.45f, -0.02f});
  }
  int tail = hips;
  for (int i = 0; i < 10; ++i) {
    tail = add("tail" + std::to_string(i), tail, {0, 0.01f * static_cast<float>(i), -0.1f});
  }
  return std::move(*Skeleton::build(joints));
}

class Run {
 public:
  explicit Run(const RigSource& source) : skeleton_(body()) {
    Findings findings;
    Result<RigDef> def = RigDef::compile(source, skeleton_, {}, findings);
    if (!def) {
      std::fprintf(stderr, "%s\n", to_string(def.error()).c_str());
      std::abort();
    }
    def_ = std::move(*def);
    state_ = RigState(def_);
    pose_ = start_ = Pose(skeleton_);
    scratch_ = RigScratch(def_);
    for (int i = 0; i < def_.node_count(); ++i) {
      nodes_.push_back(def_.get_node(state_, RigNodeId{static_cast<std::int16_t>(i)}));
    }
  }
  // One evaluation on the rest pose; the nodes move a little each time.
  void tick() {
    copy_pose(start_, pose_);
    ++tick_;
    const float wave = 0.02f * static_cast<float>(tick_ % 64) / 64;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Transform at = nodes_[i];
      at.translation.y += wave;
      def_.set_node(state_, RigNodeId{static_cast<std::int16_t>(i)}, at);
    }
    evaluate_rig(def_, state_, pose_, {}, 1.0f / 60, scratch_);
    benchmark::DoNotOptimize(pose_.span().data());
  }

 private:
  Skeleton skeleton_;
  RigDef def_;
  RigState state_;
  Pose start_, pose_;
  RigScratch scratch_;
  std::vector<Transform> nodes_;
  int tick_ = 0;
};

TwoBoneIk limb(const char* root, const char* mid, const char* tip, const char* target) {
  TwoBoneIk ik;
  ik.root = root;
  ik.mid = mid;
  ik.tip = tip;
  ik.target = target;
  return ik;
}

void run(benchmark::State& state, const RigSource& source) {
  Run r(source);
  for (auto _ : state) r.tick();
}

// What every evaluation costs before the first constraint does anything.
void EmptyStack(benchmark::State& state) {
  RigSource s;
  s.add_node("t", {{0.4f, 1.3f, 0.2f}, {}, {1, 1, 1}});
  s.add_layer("l").add("ik", limb("upper.L", "lower.L", "hand.L", "t"), 0);
  run(state, s);
}
BENCHMARK(EmptyStack);

void TwoBoneKernel(benchmark::State& state) {
  TwoBoneChain chain{{0.2f, 1.5f, 0}, {0.48f, 1.5f, -0.02f}, {0.74f, 1.5f, 0}, {}, {}, {}};
  TwoBoneGoal goal;
  goal.target = {0.4f, 1.3f, 0.2f};
  goal.hint = {0.5f, 1, -1};
  goal.hint_weight = 1;
  for (auto _ : state) {
    goal.target.y += 1e-7f;
    benchmark::DoNotOptimize(solve_two_bone(chain, goal));
  }
}
BENCHMARK(TwoBoneKernel);

void TwoBone(benchmark::State& state) {
  RigSource s;
  s.add_node("t", {{0.4f, 1.3f, 0.2f}, {}, {1, 1, 1}});
  s.add_layer("l").add("ik", limb("upper.L", "lower.L", "hand.L", "t"));
  run(state, s);
}
BENCHMARK(TwoBone);

void Aim(benchmark::State& state) {
  RigSource s;
  s.add_node("t", {{0.4f, 1.7f, 1}, {}, {1, 1, 1}});
  MultiAim aim;
  aim.driven = "head";
  aim.sources = {{"t"}};
  s.add_layer("l").add("aim", aim);
  run(state, s);
}
BENCHMARK(Aim);

// 10 joints; the goal moves, so that all of the 15 passes may be needed.
void Chain10(benchmark::State& state) {
  RigSource s;
  s.add_node("t", {{0.3f, 1.2f, -0.5f}, {}, {1, 1, 1}});
  ChainIk chain;
  chain.root = "tail0";
  chain.tip = "tail9";
  chain.target = "t";
  chain.tolerance = 0;
  s.add_layer("l").add("chain", chain);
  run(state, s);
}
BENCHMARK(Chain10);

void HeightLimit(benchmark::State& state) {
  RigSource s;
  s.add_node("t", {{0.4f, 1.3f, 0.2f}, {}, {1, 1, 1}});
  HeightLimitedTwoBoneIk ik;
  ik.root = "upper.L";
  ik.mid = "lower.L";
  ik.tip = "hand.L";
  ik.target = "t";
  ik.limit = 1.35f;
  s.add_layer("l").add("ik", ik);
  run(state, s);
}
BENCHMARK(HeightLimit);

// 20 joints, 4 effectors: hands and feet.
void FullBody(benchmark::State& state, FullBodyIk::Method method) {
  RigSource s;
  FullBodyIk body;
  body.root = "hips";
  body.method = method;
  body.root_weight = 0.3f;
  const std::pair<const char*, Vec3> goals[] = {{"hand.L", {0.5f, 1.4f, 0.4f}},
                                                {"hand.R", {-0.4f, 1.2f, 0.3f}},
                                                {"foot.L", {0.12f, 0.15f, 0.2f}},
                                                {"foot.R", {-0.1f, 0.1f, -0.1f}}};
  for (const auto& [joint, at] : goals) {
    s.add_node(std::string("to.") + joint, {at, {}, {1, 1, 1}});
    FullBodyIk::Effector e;
    e.joint = joint;
    e.target = std::string("to.") + joint;
    body.effectors.push_back(e);
  }
  s.add_layer("l").add("body", body);
  run(state, s);
}
BENCHMARK_CAPTURE(FullBody, LeastSquares, FullBodyIk::Method::kLeastSquares);
BENCHMARK_CAPTURE(FullBody, Fabrik, FullBodyIk::Method::kFabrik);

void SpringTail10(benchmark::State& state) {
  RigSource s;
  SpringBone tail;
  tail.root = "tail0";
  tail.tip = "tail9";
  SpringCollider sphere;
  sphere.node = "hips";
  tail.colliders = {sphere};
  s.add_layer("l").add("tail", tail);
  run(state, s);
}
BENCHMARK(SpringTail10);

void Stack10(benchmark::State& state) {
  RigSource s;
  for (const char* node : {"a", "b", "c", "d"}) {
    s.add_node(node, {{0.3f, 1.1f, 0.3f}, {}, {1, 1, 1}});
  }
  s.nodes[1].bind.translation.x = -0.3f;
  s.nodes[2].bind.translation = {0.1f, 0.15f, 0.1f};
  s.nodes[3].bind.translation = {-0.1f, 0.15f, 0.1f};
  RigLayerSource& l = s.add_layer("l");
  l.add("arm.L", limb("upper.L", "lower.L", "hand.L", "a"));
  l.add("arm.R", limb("upper.R", "lower.R", "hand.R", "b"));
  l.add("leg.L", limb("thigh.L", "shin.L", "foot.L", "c"));
  l.add("leg.R", limb("thigh.R", "shin.R", "foot.R", "d"));
  MultiAim aim;
  aim.driven = "head";
  aim.sources = {{"a", 0.5f}, {"b", 0.5f}};
  l.add("look", aim);
  MultiRotation turn;
  turn.driven = "spine2";
  turn.sources = {{"a"}};
  l.add("turn", turn, 0.1f);
  TwistCorrection twist;
  twist.source = "hand.L";
  twist.nodes = {{"lower.L", 0.5f}};
  l.add("twist", twist);
  DampedTransform damped;
  damped.driven = "tail1";
  damped.source = "tail0";
  l.add("damped", damped);
  MultiPosition follow;
  follow.driven = "c";
  follow.sources = {{"hand.L"}};
  l.add("follow", follow);
  Blend blend;
  blend.driven = "d";
  blend.a = "a";
  blend.b = "b";
  l.add("blend", blend);
  run(state, s);
}
BENCHMARK(Stack10);

}  // namespace

BENCHMARK_MAIN();
