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
  // Size of one level, and of one stored pose's curves.
  std::size_t level_size() const { return 2 * channels_.size(); }

  // Runs the program of an update on curves instead of poses, and keys the rig with what is left.
  // `stored`: a level for each stored pose. `stack`: room for the depth of the program.
  void run(std::span<const PoseTask> program, std::span<const float> weights,
           std::span<const Clip* const> clips, std::span<float> stored, std::span<float> stack,
           const RigDef& rig, std::span<std::byte> state) const;

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
