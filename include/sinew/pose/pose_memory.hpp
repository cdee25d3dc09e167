// Poses that a character keeps from one update to the next: frozen ones, those that states without
// write defaults hold, and what is left of inertialized transitions. Flat floats of the caller, so
// that copying them saves them.
#pragma once

#include <cstddef>
#include <span>

#include <sinew/pose/dead_blend_pose.hpp>
#include <sinew/pose/inertialize_pose.hpp>
#include <sinew/pose/partial.hpp>
#include <sinew/pose/pose.hpp>

namespace sinew {

struct PoseMemoryShape {
  int poses = 0;         // 28 bytes a joint each, with scales 40 (rulings, 12)
  int offsets = 0;       // inertialized or dead-blended layers: 88 bytes a joint each
  bool scales = true;    // false: nothing scales; the default pose's scales are given back
  bool partial = false;  // poses also keep how much of each channel is there: 12 bytes a joint

  friend bool operator==(const PoseMemoryShape&, const PoseMemoryShape&) = default;
};

// Floats that a memory of this shape takes.
std::size_t pose_memory_size(const Skeleton& skeleton, const PoseMemoryShape& shape);

// A view of such memory; cheap to copy. Pose spans have skeleton.group_count() groups; indices are
// below those of the shape (asserted).
class PoseMemory {
 public:
  PoseMemory(const Skeleton& skeleton, const PoseMemoryShape& shape, std::span<float> floats);

  // All poses as `pose`, whole; no offsets.
  void reset(ConstPoseSpan pose);
  // An empty `there` means that all of the pose is there.
  void save(int index, ConstPoseSpan pose, std::span<const ChannelWeights> there = {});
  // False: only part of it is there; then `there` (if not empty) says how much. `defaults` gives
  // the scales where the memory keeps none.
  bool load(int index, ConstPoseSpan defaults, PoseSpan pose,
            std::span<ChannelWeights> there = {}) const;
  void copy(int from, int to);

  // The same bytes under two names: a layer's transition uses one of them.
  std::span<JointInertia> inertia(int index) const;
  std::span<JointDrift> drift(int index) const;

 private:
  float* pose_at(int index) const;
  float* offsets_at(int index) const;

  PoseMemoryShape shape_;
  std::size_t groups_, joints_, pose_stride_, offset_stride_;
  std::span<float> floats_;
};

}  // namespace sinew
