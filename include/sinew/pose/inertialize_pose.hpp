// Inertialization of whole poses: the offset at a switch decays while only the new motion is
// evaluated. Source: Bollo, GDC 2018; motion rules.
#pragma once

#include <span>
#include <vector>

#include <sinew/math/inertialize.hpp>
#include <sinew/pose/pose.hpp>

namespace sinew {

// Per joint: axis and curve of the translation's and the rotation's offset. Sized once.
class PoseInertializer {
 public:
  PoseInertializer() = default;
  explicit PoseInertializer(const Skeleton& skeleton);

  // At the switch: `previous` and `current` are the last two poses shown (dt apart, dt > 0),
  // `target` the new motion's pose at this instant. Offsets and their velocities along them start
  // curves of at most `duration` seconds. A running inertialization goes on from what was shown.
  void start(const Skeleton& skeleton, ConstPoseSpan previous, ConstPoseSpan current, float dt,
             ConstPoseSpan target, float duration);
  // Adds what is left of the offsets, `dt` seconds further, to the new motion's pose.
  void apply(const Skeleton& skeleton, float dt, PoseSpan pose);
  bool active() const { return elapsed_ < duration_; }

 private:
  struct JointOffset {
    Vec3 translation_axis, rotation_axis;
    InertializeCurve translation, rotation;
  };
  std::vector<JointOffset> offsets_;
  float elapsed_ = 0, duration_ = 0;
};

}  // namespace sinew
