// What a graph asks of the pose phase: a flat program for a small stack of poses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <sinew/asset/clip.hpp>
#include <sinew/asset/mask.hpp>
#include <sinew/asset/mirror_map.hpp>
#include <sinew/pose/pose.hpp>
#include <sinew/pose/root_motion.hpp>

namespace sinew {

// One step. The program is in postfix order: sources push a pose, operators take the topmost ones.
struct PoseTask {
  enum class Op : std::uint8_t {
    kRest,    // push the default pose
    kClip,    // push clip `index` at `time` seconds (root motion removed where it has a path)
    kStored,  // push stored pose `index` (a frozen pose of this instance)
    kStore,   // copy the top into stored pose `index`; the stack is unchanged
    kBlend,   // take `count` poses, whose weights are weights[first .. first + count), push the sum
              // (of none: the default pose)
    kLerp,    // take two (from, to), push from + (to - from) * weight
    kOverride,      // take two (base, layer), push base blended to layer by weight and mask `index`
    kAdditive,      // take two (base, difference), push base + weight * difference, mask `index`
    kMakeAdditive,  // take two (pose, reference), push the difference
    kMirror,        // replace the top by its reflection
  };
  Op op = Op::kRest;
  std::uint8_t count = 0;
  std::int16_t index = -1;  // clip, stored pose or mask (-1: none)
  float time = 0;           // seconds
  float weight = 0;
  std::uint32_t first = 0;
};

// What the indices of a program mean; made once per definition.
struct PoseContext {
  const Skeleton* skeleton = nullptr;
  std::span<const Clip* const> clips;           // null: missing, plays the rest pose
  std::span<const RootPath* const> root_paths;  // parallel to clips; null: none
  std::span<const JointMask* const> masks;
  const MirrorMap* mirror = nullptr;  // null: kMirror does nothing
  ConstPoseSpan default_pose;         // empty: the skeleton's rest pose
};

// Scratch for running programs, shared by all characters of a thread.
class PoseStack {
 public:
  // Room for `depth` poses of `groups` groups.
  PoseStack(int groups, int depth);
  PoseSpan at(int level);
  int depth() const { return depth_; }

 private:
  std::vector<SoaTransform> groups_;
  int group_count_ = 0, depth_ = 0;
};

// The deepest stack that a program needs, scratch included; 0 for an empty one. -1 if it takes more
// than is there or does not leave exactly one.
int stack_depth(std::span<const PoseTask> program);

// Runs a program; `out` gets the pose that is left (the default pose for an empty program).
// `stored`: this instance's stored poses, each skeleton.group_count() groups, one after another.
// The program must be sound (stack_depth() >= 0) and stack.depth() large enough; both are asserted.
void run_pose_tasks(const PoseContext& context, std::span<const PoseTask> program,
                    std::span<const float> weights, PoseSpan stored, PoseStack& stack,
                    PoseSpan out);

}  // namespace sinew
