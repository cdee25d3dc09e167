#include <vector>

#include <gtest/gtest.h>

#include <sinew/math/smooth.hpp>
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
      {{push, op(Op::kFill, 0, 0)}, 2},  // scratch
      {{op(Op::kKeep, 0, 0), push}, 1},
      {{push, push, push, op(Op::kStartInertia)}, 3},
      {{push, push, op(Op::kStartInertia)}, -1},
      {{push, op(Op::kInertia)}, 1},
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
           std::span<float> memory = {}) const {
    PoseStack stack(skeleton().group_count(), std::max(1, stack_depth(program)),
                    !context.channels.empty());
    Pose out(skeleton());
    run_pose_tasks(context, program, weights, memory, stack, out);
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

PoseTask timed(Op what, int index, float time, float weight = 0, int count = 0) {
  PoseTask t = op(what, weight, index);
  t.time = time;
  t.count = static_cast<std::uint8_t>(count);
  return t;
}

// A world with room for stored poses and offsets.
struct Memory {
  Memory(World& w, PoseMemoryShape wanted) : shape(wanted) {
    w.context.skeleton = &w.body.skeleton;
    w.context.memory = shape;
    floats.resize(pose_memory_size(w.skeleton(), shape));
    PoseMemory(w.skeleton(), shape, floats).reset(w.context.defaults());
  }
  PoseMemoryShape shape;
  std::vector<float> floats;
};

TEST(PoseTask, StoredPoses) {
  World w = world();
  Memory memory(w, {.poses = 2});
  const Pose a = w.sampled(0, 0.2f), b = w.sampled(1, 0.5f);
  EXPECT_TRUE(w.same(w.run({clip(0, 0.2f), op(Op::kStore, 0, 1)}, {}, memory.floats), a));
  Pose want(w.skeleton());
  blend_poses(a, b, 0.4f, want);
  PoseTask load = op(Op::kStored, 0, 1);
  EXPECT_TRUE(w.same(w.run({load, clip(1, 0.5f), op(Op::kLerp, 0.4f)}, {}, memory.floats), want));
  // A frozen pose may be taken and replaced in one program (an interrupted transition).
  EXPECT_TRUE(w.same(
      w.run({load, clip(1, 0.5f), op(Op::kLerp, 0.4f), op(Op::kStore, 0, 1)}, {}, memory.floats),
      want));
  EXPECT_TRUE(w.same(w.run({load}, {}, memory.floats), want));
  EXPECT_TRUE(w.same(w.run({op(Op::kStored, 0, 0)}, {}, memory.floats), Pose(w.skeleton())))
      << "the other one is untouched";
  PoseTask keep = op(Op::kKeep, 0, 0);
  keep.first = 1;
  EXPECT_TRUE(w.same(w.run({keep, op(Op::kStored, 0, 0)}, {}, memory.floats), want));
}

// Rulings, 12: 28 bytes a joint, 40 where the skeleton scales.
TEST(PoseTask, StoredPosesAreSmallWhereNothingScales) {
  World w = world();
  const int slots = w.skeleton().group_count() * 4;
  const auto bytes = [&](PoseMemoryShape shape) {
    return static_cast<int>(pose_memory_size(w.skeleton(), shape) * sizeof(float)) - 16;
  };
  EXPECT_EQ(bytes({.poses = 1, .scales = false}), 28 * slots);
  EXPECT_EQ(bytes({.poses = 1, .scales = true}), 40 * slots);
  Memory memory(w, {.poses = 1, .scales = false});
  Pose scaled = w.sampled(0, 0.2f);
  for (SoaTransform& g : scaled.span()) g.scale = {Float4(2), Float4(3), Float4(4)};
  PoseMemory view(w.skeleton(), memory.shape, memory.floats);
  view.save(0, scaled);
  Pose back(w.skeleton());
  EXPECT_TRUE(view.load(0, w.context.defaults(), back));
  for (int j = 0; j < w.skeleton().joint_count(); ++j) {
    EXPECT_EQ(get_joint(w.skeleton(), back, j).translation,
              get_joint(w.skeleton(), scaled, j).translation);
    EXPECT_EQ(get_joint(w.skeleton(), back, j).scale, w.skeleton().rest(j).scale);
  }
}

// Clip 0 animates joint 1 wholly and joint 2's rotation, clip 1 all of joint 2 and nothing else.
struct PartialWorld {
  PartialWorld() : w(world()) {
    const auto groups = static_cast<std::size_t>(w.skeleton().group_count());
    parts.resize(4);
    for (int i = 0; i < 2; ++i) {
      parts[static_cast<std::size_t>(i)].assign(groups, ChannelWeights::uniform(0));
    }
    set(0, 1, 1, 1, 1);
    set(0, 2, 0, 1, 0);
    set(1, 2, 1, 1, 1);
    spans.assign(parts.begin(), parts.end());
    w.context.skeleton = &w.body.skeleton;
    w.context.channels = spans;
  }
  void set(std::size_t clip_index, int joint, float t, float r, float s) {
    const int slot = w.skeleton().slot(joint);
    ChannelWeights& group = parts[clip_index][static_cast<std::size_t>(slot / 4)];
    group.translation.set(slot % 4, t);
    group.rotation.set(slot % 4, r);
    group.scale.set(slot % 4, s);
  }
  World w;
  std::vector<std::vector<ChannelWeights>> parts;
  std::vector<std::span<const ChannelWeights>> spans;
};

PoseTask part(int index, float time) {
  PoseTask t = clip(index, time);
  t.count = 1;
  return t;
}

TEST(PoseTask, AnOverrideTouchesOnlyWhatItsClipsAnimate) {
  PartialWorld p;
  const Pose base = p.w.sampled(1, 0.1f), layer = p.w.sampled(0, 0.3f);
  const Pose got = p.w.run({clip(1, 0.1f), part(0, 0.3f), op(Op::kOverride, 0.5f)});
  const Skeleton& s = p.w.skeleton();
  for (int j = 0; j < s.joint_count(); ++j) {
    const Transform from = get_joint(s, base, j), to = get_joint(s, layer, j);
    const Transform now = get_joint(s, got, j);
    if (j > 2 || j == 0) {
      EXPECT_EQ(now, from) << j;
      continue;
    }
    EXPECT_NEAR(distance(now.translation,
                         j == 1 ? lerp(from.translation, to.translation, 0.5f) : from.translation),
                0, 1e-6f);
    EXPECT_NEAR(angle_between(now.rotation, nlerp(from.rotation, to.rotation, 0.5f)), 0, 1e-3f);
  }
}

TEST(PoseTask, APartThatIsBlendedCountsByWhatIsThere) {
  PartialWorld p;
  const Skeleton& s = p.w.skeleton();
  const Pose base = p.w.sampled(2, 0), a = p.w.sampled(0, 0.3f), b = p.w.sampled(1, 0.4f);
  // A quarter of clip 0 and three of clip 1, over the base.
  for (bool by_lerp : {true, false}) {
    const std::vector<PoseTask> program = {clip(2, 0), part(0, 0.3f), part(1, 0.4f),
                                           by_lerp ? op(Op::kLerp, 0.75f) : blend(2, 0),
                                           op(Op::kOverride, 1)};
    World& w = p.w;
    w.context.root_paths = {};
    const Pose got = w.run(program, {0.25f, 0.75f});
    // Joint 1: only clip 0 has it, so that a quarter of it lies over the base.
    const Vec3 one = get_joint(s, got, 1).translation;
    EXPECT_NEAR(distance(one, lerp(get_joint(s, base, 1).translation,
                                   get_joint(s, a, 1).translation, 0.25f)),
                0, 1e-5f);
    // Joint 2: translation from clip 1 alone, rotation from both.
    const Transform two = get_joint(s, got, 2);
    EXPECT_NEAR(distance(two.translation, lerp(get_joint(s, base, 2).translation,
                                               get_joint(s, b, 2).translation, 0.75f)),
                0, 1e-5f);
    EXPECT_NEAR(angle_between(two.rotation, nlerp(get_joint(s, a, 2).rotation,
                                                  get_joint(s, b, 2).rotation, 0.75f)),
                0, 2e-3f);
    EXPECT_EQ(get_joint(s, got, 3), get_joint(s, base, 3));
  }
}

TEST(PoseTask, WhatIsMissingIsFilledFromAStoredPoseOrFromBelow) {
  PartialWorld p;
  const Skeleton& s = p.w.skeleton();
  Memory memory(p.w, {.poses = 1, .partial = true});
  const Pose held = p.w.sampled(1, 0.2f), a = p.w.sampled(0, 0.3f);
  p.w.run({clip(1, 0.2f), op(Op::kStore, 0, 0)}, {}, memory.floats);
  const Pose filled = p.w.run({part(0, 0.3f), op(Op::kFill, 0, 0)}, {}, memory.floats);
  EXPECT_EQ(get_joint(s, filled, 1), get_joint(s, a, 1));
  EXPECT_EQ(get_joint(s, filled, 3), get_joint(s, held, 3));
  EXPECT_EQ(get_joint(s, filled, 2).translation, get_joint(s, held, 2).translation);
  const Pose below = p.w.run(
      {clip(1, 0.2f), part(0, 0.3f), timed(Op::kFillBelow, -1, 0, 0, 1), op(Op::kOverride, 1)});
  EXPECT_TRUE(p.w.same(below, filled));
  const Pose copied = p.w.run({clip(1, 0.2f), timed(Op::kBelow, -1, 0, 0, 1), op(Op::kLerp, 1)});
  EXPECT_TRUE(p.w.same(copied, held));
  // A stored part is given back as a part.
  p.w.run({clip(1, 0.2f), part(0, 0.3f), op(Op::kStore, 0, 0), op(Op::kOverride, 1)}, {},
          memory.floats);
  EXPECT_TRUE(p.w.same(
      p.w.run({clip(1, 0.2f), op(Op::kStored, 0, 0), op(Op::kOverride, 1)}, {}, memory.floats),
      filled));
}

TEST(PoseTask, APartOfADifferenceAddsNothingElsewhere) {
  PartialWorld p;
  const Skeleton& s = p.w.skeleton();
  const Pose base = p.w.sampled(1, 0.2f);
  const Pose got = p.w.run(
      {clip(1, 0.2f), part(0, 0.3f), clip(1, 0.5f), op(Op::kMakeAdditive), op(Op::kAdditive, 1)});
  for (int j = 3; j < s.joint_count(); ++j) {
    EXPECT_NEAR(angle_between(get_joint(s, got, j).rotation, get_joint(s, base, j).rotation), 0,
                1e-3f);
    EXPECT_NEAR(distance(get_joint(s, got, j).translation, get_joint(s, base, j).translation), 0,
                1e-6f);
  }
}

TEST(PoseTask, InertiaStartsAtTheSourceAndEndsAtTheTarget) {
  World w = world();
  Memory memory(w, {.poses = 0, .offsets = 1});
  const float dt = 1 / 60.0f, lasts = 0.4f;
  for (bool dead : {false, true}) {
    const Op start = dead ? Op::kStartDeadBlend : Op::kStartInertia;
    const Op go_on = dead ? Op::kDeadBlend : Op::kInertia;
    const Pose first =
        w.run({clip(0, 0.3f - dt), clip(0, 0.3f), clip(1, 0.5f), timed(start, 0, dt, lasts)}, {},
              memory.floats);
    float largest = 0, sum = 0;
    Pose before = first;
    for (int j = 0; j < w.skeleton().joint_count(); ++j) {
      EXPECT_NEAR(angle_between(get_joint(w.skeleton(), first, j).rotation,
                                get_joint(w.skeleton(), w.sampled(0, 0.3f), j).rotation),
                  0, 2e-3f);
    }
    for (int i = 1; i <= 240; ++i) {
      const float t = lasts * static_cast<float>(i) / 240, share = smoothstep(t / lasts);
      const Pose now =
          w.run({clip(1, 0.5f), timed(go_on, 0, t, dead ? share : 0.0f)}, {}, memory.floats);
      for (int j = 0; j < w.skeleton().joint_count(); ++j) {
        const float step = angle_between(get_joint(w.skeleton(), now, j).rotation,
                                         get_joint(w.skeleton(), before, j).rotation);
        largest = max(largest, step);
        sum += step;
      }
      before = now;
    }
    EXPECT_GT(sum, 0.5f);
    // 240 steps from the source to the target: none is a jump.
    EXPECT_LT(largest, 0.2f) << dead;
    const Pose target = w.sampled(1, 0.5f);
    for (int j = 0; j < w.skeleton().joint_count(); ++j) {
      EXPECT_NEAR(angle_between(get_joint(w.skeleton(), before, j).rotation,
                                get_joint(w.skeleton(), target, j).rotation),
                  0, 2e-3f);
    }
    // Without a pose before: the same place, no velocity.
    const Pose still =
        w.run({clip(0, 0.3f), clip(1, 0.5f), timed(start, 0, 0, lasts, 1)}, {}, memory.floats);
    EXPECT_NEAR(distance(get_joint(w.skeleton(), still, 0).translation,
                         get_joint(w.skeleton(), first, 0).translation),
                0, 1e-5f);
  }
}

TEST(PoseTask, MirrorWithoutAMapDoesNothing) {
  World w = world();
  w.context.skeleton = &w.body.skeleton;
  w.context.mirror = nullptr;
  EXPECT_TRUE(w.same(w.run({clip(0, 0.2f), op(Op::kMirror)}), w.sampled(0, 0.2f)));
}

}  // namespace
}  // namespace sinew
