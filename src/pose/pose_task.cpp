#include <algorithm>
#include <array>
#include <bitset>
#include <cassert>
#include <limits>

#include <sinew/pose/blend.hpp>
#include <sinew/pose/mirror.hpp>
#include <sinew/pose/pose_task.hpp>
#include <sinew/pose/sample.hpp>

namespace sinew {
namespace {

// How many poses a step takes off the stack, and how many it puts there.
struct Arity {
  int takes, gives;
};

Arity arity(const PoseTask& task) {
  switch (task.op) {
    case PoseTask::Op::kRest:
    case PoseTask::Op::kClip:
    case PoseTask::Op::kStored:
      return {0, 1};
    case PoseTask::Op::kStore:
    case PoseTask::Op::kMirror:
    case PoseTask::Op::kFill:
    case PoseTask::Op::kInertia:
    case PoseTask::Op::kDeadBlend:
      return {1, 1};
    case PoseTask::Op::kKeep:
      return {0, 0};
    case PoseTask::Op::kFillBelow:
      return {task.count + 1, task.count + 1};
    case PoseTask::Op::kBelow:
      return {task.count, task.count + 1};
    case PoseTask::Op::kBlend:
      return {task.count, 1};
    case PoseTask::Op::kLerp:
    case PoseTask::Op::kOverride:
    case PoseTask::Op::kAdditive:
    case PoseTask::Op::kMakeAdditive:
      return {2, 1};
    case PoseTask::Op::kStartInertia:
    case PoseTask::Op::kStartDeadBlend:
      return {task.count == 1 ? 2 : 3, 1};
  }
  return {0, 0};
}

constexpr std::size_t kMostPoses = 256;  // of a blend, and of a stack

class Machine {
 public:
  Machine(const PoseContext& context, std::span<const float> weights, std::span<float> memory,
          PoseStack& stack)
      : context_(context),
        weights_(weights),
        memory_(*context.skeleton, context.memory, memory),
        stack_(stack) {}

  void step(const PoseTask& task) {
    const Arity a = arity(task);
    assert(top_ >= a.takes);
    top_ -= a.takes;
    apply(task);
    top_ += a.gives;
  }

 private:
  // The poses that a step takes lie from level top_ on; its result replaces the lowest.
  void apply(const PoseTask& task) {
    switch (task.op) {
      case PoseTask::Op::kRest:
        copy_pose(context_.defaults(), pose(0));
        return set_whole(0);
      case PoseTask::Op::kClip:
        return sample(task);
      case PoseTask::Op::kStored:
        return load(task.index);
      case PoseTask::Op::kStore:
        return memory_.save(task.index, pose(0), known(0));
      case PoseTask::Op::kKeep:
        return memory_.copy(static_cast<int>(task.first), task.index);
      case PoseTask::Op::kBlend:
        return blend(task);
      case PoseTask::Op::kLerp:
        return lerp(task);
      case PoseTask::Op::kOverride:
        return override_base(task);
      case PoseTask::Op::kAdditive: {
        const JointMask* mask = mask_of(task);
        return apply_additive(pose(1), task.weight,
                              mask ? mask->groups() : std::span<const Float4>{}, pose(0));
      }
      case PoseTask::Op::kMakeAdditive:
        // What the pose lacks makes no difference.
        if (!is_whole(0)) fill_pose(pose(1), there(0), pose(0));
        make_additive(pose(0), pose(1), pose(0));
        return set_whole(0);
      case PoseTask::Op::kMirror:
        return mirror();
      case PoseTask::Op::kFill:
        return fill(task);
      case PoseTask::Op::kFillBelow:
        if (!is_whole(task.count)) fill_pose(pose(0), there(task.count), pose(task.count));
        return set_whole(task.count);
      case PoseTask::Op::kBelow:
        copy_pose(pose(0), pose(task.count));
        return set_whole(task.count);
      case PoseTask::Op::kStartInertia:
      case PoseTask::Op::kStartDeadBlend:
        return start(task);
      case PoseTask::Op::kInertia: {
        InertializationClock clock{task.time, std::numeric_limits<float>::infinity()};
        return apply_inertialization(*context_.skeleton, 0, memory_.inertia(task.index), clock,
                                     pose(0));
      }
      case PoseTask::Op::kDeadBlend:
        return apply_dead_blend(*context_.skeleton, task.time, task.weight,
                                memory_.drift(task.index), pose(0));
    }
  }

  // Of level top_ + i.
  PoseSpan pose(int i) { return stack_.at(top_ + i); }
  std::span<ChannelWeights> there(int i) { return stack_.there(top_ + i); }
  bool is_whole(int i) const { return !partial_[static_cast<std::size_t>(top_ + i)]; }
  void set_whole(int i, bool whole = true) {
    partial_[static_cast<std::size_t>(top_ + i)] = !whole;
  }
  // How much of it is there; empty: all.
  std::span<const ChannelWeights> known(int i) {
    return is_whole(i) ? std::span<const ChannelWeights>() : there(i);
  }

  void sample(const PoseTask& task) {
    const PoseSpan out = pose(0);
    set_whole(0);
    const auto i = static_cast<std::size_t>(task.index);
    const Clip* clip = task.index >= 0 && i < context_.clips.size() ? context_.clips[i] : nullptr;
    if (!clip) return copy_pose(context_.defaults(), out);
    sample_clip(*clip, *context_.skeleton, task.time, out);
    const RootPath* path = i < context_.root_paths.size() ? context_.root_paths[i] : nullptr;
    if (path) remove_root_motion(*path, task.time, *context_.skeleton, out);
    if (i >= context_.channels.size() || context_.channels[i].empty()) return;
    const std::span<const ChannelWeights> animated = context_.channels[i];
    if (task.count == 1 && stack_.partial()) {
      std::copy(animated.begin(), animated.end(), there(0).begin());
      set_whole(0, false);
    } else if (!context_.default_pose.empty()) {
      fill_pose(context_.default_pose, animated, out);
    }
  }

  void load(int index) {
    const std::span<ChannelWeights> part =
        stack_.partial() ? there(0) : std::span<ChannelWeights>();
    const bool whole = memory_.load(index, context_.defaults(), pose(0), part);
    set_whole(0, whole || part.empty());
  }

  void blend(const PoseTask& task) {
    const std::size_t count = task.count;
    if (count == 0) {
      copy_pose(context_.defaults(), pose(0));
      return set_whole(0);
    }
    assert(task.first + count <= weights_.size());
    const std::span<const float> weights = weights_.subspan(task.first, count);
    bool whole = true;
    for (int i = 0; i < task.count; ++i) whole = whole && is_whole(i);
    if (whole) {
      std::array<ConstPoseSpan, kMostPoses> poses;
      for (std::size_t i = 0; i < count; ++i) poses[i] = pose(static_cast<int>(i));
      return blend_poses(std::span<const ConstPoseSpan>(poses.data(), count), weights, pose(0));
    }
    std::array<PartialPose, kMostPoses> poses;
    for (std::size_t i = 0; i < count; ++i) {
      poses[i] = {pose(static_cast<int>(i)), known(static_cast<int>(i))};
    }
    blend_partial(std::span<const PartialPose>(poses.data(), count), weights, context_.defaults(),
                  pose(0), there(0));
    set_whole(0, false);
  }

  void lerp(const PoseTask& task) {
    if (is_whole(0) && is_whole(1)) return blend_poses(pose(0), pose(1), task.weight, pose(0));
    const PartialPose poses[2] = {{pose(0), known(0)}, {pose(1), known(1)}};
    const float weights[2] = {1 - task.weight, task.weight};
    blend_partial(poses, weights, context_.defaults(), pose(0), there(0));
    set_whole(0, false);
  }

  // The base is whole.
  void override_base(const PoseTask& task) {
    const JointMask* mask = mask_of(task);
    const std::span<const Float4> lanes = mask ? mask->groups() : std::span<const Float4>();
    if (!is_whole(1)) {
      blend_partial(pose(0), pose(1), task.weight, there(1), lanes, pose(0));
    } else if (mask) {
      blend_poses(pose(0), pose(1), task.weight, lanes, pose(0));
    } else {
      blend_poses(pose(0), pose(1), task.weight, pose(0));
    }
  }

  void mirror() {
    if (!context_.mirror) return;
    const PoseSpan scratch = pose(1);
    copy_pose(pose(0), scratch);
    mirror_pose(*context_.skeleton, *context_.mirror, scratch, pose(0));
    if (is_whole(0)) return;
    std::copy(there(0).begin(), there(0).end(), there(1).begin());
    const auto slots = context_.mirror->partner_slots();
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto from = static_cast<std::size_t>(slots[i]);
      const ChannelWeights& partner = there(1)[from / 4];
      ChannelWeights& own = there(0)[i / 4];
      const int to_lane = static_cast<int>(i % 4), from_lane = static_cast<int>(from % 4);
      own.translation.set(to_lane, partner.translation[from_lane]);
      own.rotation.set(to_lane, partner.rotation[from_lane]);
      own.scale.set(to_lane, partner.scale[from_lane]);
    }
  }

  void fill(const PoseTask& task) {
    if (is_whole(0)) return;
    const PoseSpan scratch = pose(1);
    memory_.load(task.index, context_.defaults(), scratch);
    fill_pose(scratch, there(0), pose(0));
    set_whole(0);
  }

  void start(const PoseTask& task) {
    const bool still = task.count == 1;
    const PoseSpan before = pose(0), now = pose(still ? 0 : 1), target = pose(still ? 1 : 2);
    const float dt = still ? 0.0f : task.time;
    if (task.op == PoseTask::Op::kStartInertia) {
      InertializationClock clock;
      const std::span<JointInertia> offsets = memory_.inertia(task.index);
      start_inertialization(*context_.skeleton, before, now, dt, target, task.weight, offsets,
                            clock);
      copy_pose(target, pose(0));
      apply_inertialization(*context_.skeleton, 0, offsets, clock, pose(0));
    } else {
      const std::span<JointDrift> drifts = memory_.drift(task.index);
      start_dead_blend(*context_.skeleton, before, now, dt, drifts);
      copy_pose(target, pose(0));
      apply_dead_blend(*context_.skeleton, 0, 0, drifts, pose(0));
    }
    set_whole(0);
  }

  const JointMask* mask_of(const PoseTask& task) const {
    const auto i = static_cast<std::size_t>(task.index);
    return task.index >= 0 && i < context_.masks.size() ? context_.masks[i] : nullptr;
  }

  const PoseContext& context_;
  std::span<const float> weights_;
  PoseMemory memory_;
  PoseStack& stack_;
  int top_ = 0;
  std::bitset<kMostPoses> partial_;  // by level
};

}  // namespace

PoseStack::PoseStack(int groups, int depth, bool partial)
    : groups_(static_cast<std::size_t>(groups) * static_cast<std::size_t>(depth),
              SoaTransform::identity()),
      there_(partial ? groups_.size() : 0, ChannelWeights::uniform(0)),
      group_count_(groups),
      depth_(depth) {
  assert(static_cast<std::size_t>(depth) <= kMostPoses);
}

PoseSpan PoseStack::at(int level) {
  assert(level >= 0 && level < depth_);
  const auto groups = static_cast<std::size_t>(group_count_);
  return PoseSpan(groups_).subspan(static_cast<std::size_t>(level) * groups, groups);
}

std::span<ChannelWeights> PoseStack::there(int level) {
  assert(level >= 0 && level < depth_ && partial());
  const auto groups = static_cast<std::size_t>(group_count_);
  return std::span<ChannelWeights>(there_).subspan(static_cast<std::size_t>(level) * groups,
                                                   groups);
}

int stack_depth(std::span<const PoseTask> program) {
  if (program.empty()) return 0;
  int top = 0, deepest = 0;
  for (const PoseTask& task : program) {
    const Arity a = arity(task);
    if (a.takes > top) return -1;
    top += a.gives - a.takes;
    // These need a pose of scratch above the one that they replace.
    const bool scratch = task.op == PoseTask::Op::kMirror || task.op == PoseTask::Op::kFill;
    deepest = std::max(deepest, top + (scratch ? 1 : 0));
  }
  return top == 1 ? deepest : -1;
}

void run_pose_tasks(const PoseContext& context, std::span<const PoseTask> program,
                    std::span<const float> weights, std::span<float> memory, PoseStack& stack,
                    PoseSpan out) {
  assert(context.skeleton);
  assert(static_cast<int>(out.size()) == context.skeleton->group_count());
  assert(stack_depth(program) >= 0 && stack_depth(program) <= stack.depth());
  if (program.empty()) return copy_pose(context.defaults(), out);
  Machine machine(context, weights, memory, stack);
  for (const PoseTask& task : program) machine.step(task);
  copy_pose(stack.at(0), out);
}

}  // namespace sinew
