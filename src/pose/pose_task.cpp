#include <algorithm>
#include <array>
#include <cassert>

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
      return {1, 1};
    case PoseTask::Op::kBlend:
      return {task.count, 1};
    case PoseTask::Op::kLerp:
    case PoseTask::Op::kOverride:
    case PoseTask::Op::kAdditive:
    case PoseTask::Op::kMakeAdditive:
      return {2, 1};
  }
  return {0, 0};
}

class Machine {
 public:
  Machine(const PoseContext& context, std::span<const float> weights, PoseSpan stored,
          PoseStack& stack)
      : context_(context), weights_(weights), stored_(stored), stack_(stack) {}

  void step(const PoseTask& task) {
    const Arity a = arity(task);
    assert(top_ >= a.takes && top_ - a.takes < stack_.depth());
    top_ -= a.takes;
    const PoseSpan out = stack_.at(top_);
    switch (task.op) {
      case PoseTask::Op::kRest:
        copy_pose(default_pose(), out);
        break;
      case PoseTask::Op::kClip:
        sample(task, out);
        break;
      case PoseTask::Op::kStored:
        copy_pose(stored(task.index), out);
        break;
      case PoseTask::Op::kStore:
        copy_pose(out, stored(task.index));
        break;
      case PoseTask::Op::kBlend:
        blend(task, out);
        break;
      case PoseTask::Op::kLerp:
        blend_poses(out, stack_.at(top_ + 1), task.weight, out);
        break;
      case PoseTask::Op::kOverride:
        if (const JointMask* mask = mask_of(task)) {
          blend_poses(out, stack_.at(top_ + 1), task.weight, mask->groups(), out);
        } else {
          blend_poses(out, stack_.at(top_ + 1), task.weight, out);
        }
        break;
      case PoseTask::Op::kAdditive: {
        const JointMask* mask = mask_of(task);
        apply_additive(stack_.at(top_ + 1), task.weight,
                       mask ? mask->groups() : std::span<const Float4>{}, out);
        break;
      }
      case PoseTask::Op::kMakeAdditive:
        make_additive(out, stack_.at(top_ + 1), out);
        break;
      case PoseTask::Op::kMirror:
        if (context_.mirror) {
          const PoseSpan scratch = stack_.at(top_ + 1);
          copy_pose(out, scratch);
          mirror_pose(*context_.skeleton, *context_.mirror, scratch, out);
        }
        break;
    }
    top_ += a.gives;
  }

  ConstPoseSpan default_pose() const {
    return context_.default_pose.empty() ? context_.skeleton->rest_groups() : context_.default_pose;
  }

 private:
  void sample(const PoseTask& task, PoseSpan out) const {
    const auto i = static_cast<std::size_t>(task.index);
    const Clip* clip = task.index >= 0 && i < context_.clips.size() ? context_.clips[i] : nullptr;
    if (!clip) return copy_pose(default_pose(), out);
    sample_clip(*clip, *context_.skeleton, task.time, out);
    const RootPath* path = i < context_.root_paths.size() ? context_.root_paths[i] : nullptr;
    if (path) remove_root_motion(*path, task.time, *context_.skeleton, out);
  }

  // The taken poses lie side by side from `out` upward; the sum replaces the lowest.
  void blend(const PoseTask& task, PoseSpan out) const {
    if (task.count == 0) return copy_pose(default_pose(), out);
    assert(task.first + task.count <= weights_.size());
    std::array<ConstPoseSpan, 255> poses;
    for (int i = 0; i < task.count; ++i) {
      poses[static_cast<std::size_t>(i)] = stack_.at(top_ + i);
    }
    blend_poses(std::span<const ConstPoseSpan>(poses.data(), task.count),
                weights_.subspan(task.first, task.count), out);
  }

  PoseSpan stored(int index) const {
    const auto groups = static_cast<std::size_t>(context_.skeleton->group_count());
    assert(index >= 0 && (static_cast<std::size_t>(index) + 1) * groups <= stored_.size());
    return stored_.subspan(static_cast<std::size_t>(index) * groups, groups);
  }

  const JointMask* mask_of(const PoseTask& task) const {
    const auto i = static_cast<std::size_t>(task.index);
    return task.index >= 0 && i < context_.masks.size() ? context_.masks[i] : nullptr;
  }

  const PoseContext& context_;
  std::span<const float> weights_;
  PoseSpan stored_;
  PoseStack& stack_;
  int top_ = 0;
};

}  // namespace

PoseStack::PoseStack(int groups, int depth)
    : groups_(static_cast<std::size_t>(groups) * static_cast<std::size_t>(depth),
              SoaTransform::identity()),
      group_count_(groups),
      depth_(depth) {}

PoseSpan PoseStack::at(int level) {
  assert(level >= 0 && level < depth_);
  const auto groups = static_cast<std::size_t>(group_count_);
  return PoseSpan(groups_).subspan(static_cast<std::size_t>(level) * groups, groups);
}

int stack_depth(std::span<const PoseTask> program) {
  if (program.empty()) return 0;
  int top = 0, deepest = 0;
  for (const PoseTask& task : program) {
    const Arity a = arity(task);
    if (a.takes > top) return -1;
    top += a.gives - a.takes;
    // A reflection needs a pose of scratch above the one that it replaces.
    deepest = std::max(deepest, top + (task.op == PoseTask::Op::kMirror ? 1 : 0));
  }
  return top == 1 ? deepest : -1;
}

void run_pose_tasks(const PoseContext& context, std::span<const PoseTask> program,
                    std::span<const float> weights, PoseSpan stored, PoseStack& stack,
                    PoseSpan out) {
  assert(context.skeleton);
  assert(static_cast<int>(out.size()) == context.skeleton->group_count());
  assert(stack_depth(program) >= 0 && stack_depth(program) <= stack.depth());
  Machine machine(context, weights, stored, stack);
  if (program.empty()) return copy_pose(machine.default_pose(), out);
  for (const PoseTask& task : program) machine.step(task);
  copy_pose(stack.at(0), out);
}

}  // namespace sinew
