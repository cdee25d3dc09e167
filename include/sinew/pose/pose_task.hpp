// What a graph asks of the pose phase: a flat program for a small stack of poses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <sinew/asset/clip.hpp>
#include <sinew/asset/mask.hpp>
#include <sinew/asset/mirror_map.hpp>
#include <sinew/pose/partial.hpp>
#include <sinew/pose/pose.hpp>
#include <sinew/pose/pose_memory.hpp>
#include <sinew/pose/root_motion.hpp>

namespace sinew {

// One step. The program is in postfix order: sources push a pose, operators take the topmost ones.
// A pose may be there in part (PoseContext::channels); operators carry that along.
struct PoseTask {
  enum class Op : std::uint8_t {
    kRest,    // push the default pose
    kClip,    // push clip `index` at `time` seconds (root motion removed where it has a path).
              // `count` 1: only what the clip animates is there; else the rest is the default pose
    kStored,  // push stored pose `index` (of the instance's PoseMemory)
    kStore,   // copy the top into stored pose `index`; the stack is unchanged
    kBlend,   // take `count` poses, whose weights are weights[first .. first + count), push the sum
              // (of none: the default pose)
    kLerp,    // take two (from, to), push from + (to - from) * weight
    kOverride,  // take two (base, layer), push base blended to layer by weight and mask `index`;
                // `count`: the layer's number
    kAdditive,  // take two (base, difference), push base + weight * difference, mask `index`;
                // `count`: the layer's number
    kMakeAdditive,  // take two (pose, reference), push the difference
    kMirror,        // replace the top by its reflection
    kKeep,          // copy stored pose `first` into stored pose `index`; the stack is unchanged
    kFill,          // what the top lacks is taken from stored pose `index`
    kFillBelow,     // ... from the pose that lies `count` below the top
    kBelow,         // push a copy of the pose that lies `count` below the new top
    // Transitions of which only the target is evaluated; `index`: of the memory's offsets.
    kStartInertia,    // take three (source one step ago, source, target), push the source, and keep
                      // its offset from the target. `time`: the step, seconds; `weight`: how long
                      // the offset lasts, seconds. `count` 1: take two, without velocity
    kInertia,         // add to the top what is left of the offset `time` seconds after the start
    kStartDeadBlend,  // take and push as kStartInertia; keeps the source and its velocity
    kDeadBlend,       // blend from the source, gone on for `time` seconds, to the top by `weight`
  };
  Op op = Op::kRest;
  std::uint8_t count = 0;
  std::int16_t index = -1;  // clip, stored pose, offsets or mask (-1: none)
  float time = 0;           // seconds
  float weight = 0;
  std::uint32_t first = 0;
};

// What the indices of a program mean; made once per definition.
struct PoseContext {
  const Skeleton* skeleton = nullptr;
  std::span<const Clip* const> clips;           // null: missing, plays the rest pose
  std::span<const RootPath* const> root_paths;  // parallel to clips; null: none
  // Parallel to clips: what each animates, for those that leave out something that another clip
  // animates; empty: it animates all of that.
  std::span<const std::span<const ChannelWeights>> channels;
  std::span<const JointMask* const> masks;
  const MirrorMap* mirror = nullptr;  // null: kMirror does nothing
  ConstPoseSpan default_pose;         // empty: the skeleton's rest pose
  PoseMemoryShape memory;             // of every instance

  ConstPoseSpan defaults() const {
    return default_pose.empty() ? ConstPoseSpan(skeleton->rest_groups()) : default_pose;
  }
};

// Scratch for running programs, shared by all characters of a thread.
class PoseStack {
 public:
  // Room for `depth` poses of `groups` groups; `partial`: some of these may be there in part.
  PoseStack(int groups, int depth, bool partial = false);
  PoseSpan at(int level);
  std::span<ChannelWeights> there(int level);
  bool partial() const { return !there_.empty() || groups_.empty(); }
  int depth() const { return depth_; }

 private:
  std::vector<SoaTransform> groups_;
  std::vector<ChannelWeights> there_;
  int group_count_ = 0, depth_ = 0;
};

// The deepest stack that a program needs, scratch included; 0 for an empty one. -1 if it takes more
// than is there or does not leave exactly one.
int stack_depth(std::span<const PoseTask> program);

// Runs a program; `out` gets the pose that is left (the default pose for an empty program).
// `memory`: this instance's, of the context's shape (see PoseMemory), reset at its start.
// The program must be sound (stack_depth() >= 0) and stack.depth() large enough; both are asserted.
void run_pose_tasks(const PoseContext& context, std::span<const PoseTask> program,
                    std::span<const float> weights, std::span<float> memory, PoseStack& stack,
                    PoseSpan out);

}  // namespace sinew
