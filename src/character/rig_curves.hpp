// What clips key of a rig: their float curves, blended as the poses are.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <sinew/pose/pose_task.hpp>
#include <sinew/rig/rig_def.hpp>

namespace sinew {

// A level of the stack holds for each channel that any clip keys its value and the share of it that
// is keyed, [0, 1]: what a clip without the curve contributes is the host's value. Values are
// premultiplied by their shares.
class RigCurves {
 public:
  RigCurves() = default;
  RigCurves(const RigDef& rig, std::span<const Clip> clips);

  bool empty() const { return channels_.empty(); }
  std::size_t level_size() const { return 2 * channels_.size(); }
  // Floats that a character keeps: a level for each stored pose, and a level and a duration for
  // each of the offsets.
  std::size_t stored_size(const PoseMemoryShape& shape) const {
    return static_cast<std::size_t>(shape.poses) * level_size() +
           static_cast<std::size_t>(shape.offsets) * (level_size() + 1);
  }

  // Runs the program of an update on curves instead of poses, and keys the rig with what is left.
  // `stored`: stored_size() floats. `stack`: room for the depth of the program. Inertialized
  // transitions carry the offset of the curves on with a smooth decay; dead-blended ones hold the
  // source.
  void run(std::span<const PoseTask> program, std::span<const float> weights,
           std::span<const Clip* const> clips, const PoseMemoryShape& shape,
           std::span<float> stored, std::span<float> stack, const RigDef& rig,
           std::span<std::byte> state) const;

 private:
  struct Link {
    std::int32_t curve, slot;
  };
  // The four components of a node's rotation, which have to agree in sign.
  struct Rotation {
    std::array<std::int32_t, 4> slots;
    Quat reference;
  };
  void sample(const Clip& clip, int index, float time, float* level) const;
  void align(float* values) const;
  void key(const float* level, const RigDef& rig, std::span<std::byte> state) const;

  std::vector<RigChannel> channels_;
  std::vector<std::vector<Link>> links_;  // per clip
  std::vector<Rotation> rotations_;
};

}  // namespace sinew
