#include <vector>

#include <gtest/gtest.h>

#include <sinew/pose/blend.hpp>
#include <sinew/pose/mirror.hpp>
#include <sinew/pose/pose_task.hpp>
#include <sinew/pose/sample.hpp>

#include "bodies.hpp"
#include "random_pose.hpp"

namespace sinew {
namespace {

using Op = PoseTask::Op;
using testing::Random;

PoseTask clip(int index, float time) {
  PoseTask t;
  t.op = Op::kClip;
  t.index = static_cast<std::int16_t>(index);
  t.time = time;
  return t;
}
PoseTask blend(int count, int first) {
  PoseTask t;
  t.op = Op::kBlend;
  t.count = static_cast<std::uint8_t>(count);
  t.first = static_cast<std::uint32_t>(first);
  return t;
}
PoseTask op(Op what, float weight = 0, int index = -1) {
  PoseTask t;
  t.op = what;
  t.weight = weight;
  t.index = static_cast<std::int16_t>(index);
  return t;
}

TEST(PoseTask, StackDepth) {
  using Program = std::vector<PoseTask>;
  const PoseTask push = op(Op::kRest), mirror = op(Op::kMirror), lerp2 = op(Op::kLerp, 0.5f);
  const std::vector<std::pair<Program, int>> table = {
      {{}, 0},
      {{push}, 1},
      {{push, push, lerp2}, 2},
      {{push, push, push, lerp2, lerp2}, 3},
      {{push, push, lerp2, push, lerp2}, 2},
      {{push, mirror}, 2},  // a reflection needs scratch
      {{push, push, mirror, lerp2}, 3},
      {{push, push, push, blend(3, 0)}, 3},
      {{push, op(Op::kStore, 0, 0)}, 1},
      {{blend(0, 0)}, 1},
      {{push, push}, -1},  // leaves two
      {{lerp2}, -1},       // takes what is not there
      {{push, lerp2}, -1},
      {{mirror}, -1},
      {{push, blend(2, 0)}, -1},
      {{op(Op::kStore, 0, 0)}, -1},
  };
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(stack_depth(table[i].first), table[i].second) << "row " << i;
  }
}

struct World {
  testing::Body body;
  std::vector<Clip> clips;
  std::vector<const Clip*> clip_pointers;
  RootPath path;
  std::vector<const RootPath*> path_pointers;
  JointMask mask;
  std::vector<const JointMask*> mask_pointers;
  MirrorMap mirror;
  PoseContext context;

  const Skeleton& skeleton() const { return body.skeleton; }
  Pose sampled(int i, float t) const {
    Pose pose(skeleton());
    sample_clip(clips[static_cast<std::size_t>(i)], skeleton(), t, pose);
    return pose;
  }
  Pose run(const std::vector<PoseTask>& program, std::vector<float> weights = {},
           PoseSpan stored = {}) const {
    PoseStack stack(skeleton().group_count(), std::max(1, stack_depth(program)));
    Pose out(skeleton());
    run_pose_tasks(context, program, weights, stored, stack, out);
    return out;
  }
  bool same(const Pose& a, const Pose& b) const { return testing::equal(skeleton(), a, b); }
};

// Clips 0 to 2, the last with root motion; mask 0; the rest pose as default.
const World& world() {
  static const World w = [] {
    World out;
    out.body =
        testing::make_body(testing::person_parts(), testing::role_names(testing::person_parts()));
    Random random(7);
    for (int i = 0; i < 3; ++i) {
      out.clips.push_back(
          Clip::build(testing::random_clip(random, out.body.skeleton, 20, true), out.body.skeleton)
              .value());
    }
    RootMotionSettings settings;
    settings.enabled = true;
    out.path = RootPath::build(out.clips[2], out.body.skeleton, settings);
    out.mask =
        JointMask::subtree(out.body.skeleton, out.body.joints.at(JointRole::kChest), 1, 0.25f);
    out.mirror = MirrorMap::build(out.body.skeleton, roles_of(out.body, BodyPlan::kBiped));
    return out;
  }();
  static const bool linked = [] {
    World& m = const_cast<World&>(w);
    for (const Clip& c : m.clips) m.clip_pointers.push_back(&c);
    m.clip_pointers.push_back(nullptr);
    m.path_pointers = {nullptr, nullptr, &m.path, nullptr};
    m.mask_pointers = {&m.mask};
    m.context.skeleton = &m.body.skeleton;
    m.context.clips = m.clip_pointers;
    m.context.root_paths = m.path_pointers;
    m.context.masks = m.mask_pointers;
    m.context.mirror = &m.mirror;
    return true;
  }();
  (void)linked;
  return w;
}

TEST(PoseTask, Sources) {
  const World& w = world();
  const Pose rest(w.skeleton());
  EXPECT_TRUE(w.same(w.run({}), rest));
  EXPECT_TRUE(w.same(w.run({op(Op::kRest)}), rest));
  EXPECT_TRUE(w.same(w.run({clip(1, 0.3f)}), w.sampled(1, 0.3f)));
  EXPECT_TRUE(w.same(w.run({clip(3, 0.3f)}), rest)) << "a missing clip plays the default pose";
  EXPECT_TRUE(w.same(w.run({clip(-1, 0)}), rest));
  EXPECT_TRUE(w.same(w.run({clip(99, 0)}), rest));
  Pose in_place = w.sampled(2, 0.4f);
  remove_root_motion(w.path, 0.4f, w.skeleton(), in_place);
  EXPECT_TRUE(w.same(w.run({clip(2, 0.4f)}), in_place));
}

TEST(PoseTask, DefaultPose) {
  World w = world();
  const Pose own = w.sampled(0, 0.1f);
  w.context.skeleton = &w.body.skeleton;
  w.context.default_pose = own;
  EXPECT_TRUE(w.same(w.run({}), own));
  EXPECT_TRUE(w.same(w.run({op(Op::kRest)}), own));
  EXPECT_TRUE(w.same(w.run({blend(0, 0)}), own));
}

TEST(PoseTask, Operators) {
  const World& w = world();
  const Pose a = w.sampled(0, 0.2f), b = w.sampled(1, 0.5f);
  Pose want(w.skeleton());
  blend_poses(a, b, 0.3f, want);
  EXPECT_TRUE(w.same(w.run({clip(0, 0.2f), clip(1, 0.5f), op(Op::kLerp, 0.3f)}), want));
  EXPECT_TRUE(w.same(w.run({clip(0, 0.2f), clip(1, 0.5f), op(Op::kOverride, 0.3f)}), want));
  blend_poses(a, b, 0.3f, w.mask.groups(), want);
  EXPECT_TRUE(w.same(w.run({clip(0, 0.2f), clip(1, 0.5f), op(Op::kOverride, 0.3f, 0)}), want));
  make_additive(b, a, want);
  EXPECT_TRUE(w.same(w.run({clip(1, 0.5f), clip(0, 0.2f), op(Op::kMakeAdditive)}), want));
  Pose sum = a;
  apply_additive(want, 0.7f, w.mask.groups(), sum);
  EXPECT_TRUE(w.same(w.run({clip(0, 0.2f), clip(1, 0.5f), clip(0, 0.2f), op(Op::kMakeAdditive),
                            op(Op::kAdditive, 0.7f, 0)}),
                     sum));
  mirror_pose(w.skeleton(), w.mirror, a, want);
  EXPECT_TRUE(w.same(w.run({clip(0, 0.2f), op(Op::kMirror)}), want));
}

TEST(PoseTask, BlendsOfMany) {
  const World& w = world();
  const Pose a = w.sampled(0, 0.2f), b = w.sampled(1, 0.5f), c = w.sampled(0, 0.6f);
  const std::vector<ConstPoseSpan> poses = {a, b, c};
  const std::vector<float> weights = {9, 0.5f, 0.3f, 0.2f};
  Pose want(w.skeleton());
  blend_poses(poses, std::span<const float>(weights).subspan(1), want);
  const std::vector<PoseTask> program = {clip(0, 0.2f), clip(1, 0.5f), clip(0, 0.6f), blend(3, 1)};
  EXPECT_TRUE(w.same(w.run(program, weights), want));
  // The same above another pose, which must stay as it is.
  const std::vector<PoseTask> nested = {clip(1, 0.1f), clip(0, 0.2f), clip(1, 0.5f),
                                        clip(0, 0.6f), blend(3, 1),   op(Op::kLerp, 0.0f)};
  EXPECT_TRUE(w.same(w.run(nested, weights), w.sampled(1, 0.1f)));
}

TEST(PoseTask, StoredPoses) {
  const World& w = world();
  const auto groups = static_cast<std::size_t>(w.skeleton().group_count());
  std::vector<SoaTransform> stored(2 * groups, SoaTransform::identity());
  const Pose a = w.sampled(0, 0.2f), b = w.sampled(1, 0.5f);
  EXPECT_TRUE(w.same(w.run({clip(0, 0.2f), op(Op::kStore, 0, 1)}, {}, stored), a));
  Pose want(w.skeleton());
  blend_poses(a, b, 0.4f, want);
  PoseTask load = op(Op::kStored, 0, 1);
  EXPECT_TRUE(w.same(w.run({load, clip(1, 0.5f), op(Op::kLerp, 0.4f)}, {}, stored), want));
  // A frozen pose may be taken and replaced in one program (an interrupted transition).
  EXPECT_TRUE(w.same(
      w.run({load, clip(1, 0.5f), op(Op::kLerp, 0.4f), op(Op::kStore, 0, 1)}, {}, stored), want));
  Pose kept(w.skeleton());
  copy_pose(ConstPoseSpan(stored).subspan(groups), kept);
  EXPECT_TRUE(w.same(kept, want));
  copy_pose(ConstPoseSpan(stored).subspan(0, groups), kept);
  EXPECT_EQ(get_joint(w.skeleton(), kept, 0), Transform{}) << "the other one is untouched";
}

TEST(PoseTask, MirrorWithoutAMapDoesNothing) {
  World w = world();
  w.context.skeleton = &w.body.skeleton;
  w.context.mirror = nullptr;
  EXPECT_TRUE(w.same(w.run({clip(0, 0.2f), op(Op::kMirror)}), w.sampled(0, 0.2f)));
}

}  // namespace
}  // namespace sinew
