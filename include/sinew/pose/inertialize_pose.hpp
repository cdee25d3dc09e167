// Inertialization of whole poses: the offset at a switch decays while only the new motion is
// evaluated. Source: Bollo, "Inertialization" (GDC 2018); motion rules.
#pragma once

#include <span>
#include <vector>

#include <sinew/math/inertialize.hpp>
#include <sinew/math/smooth.hpp>
#include <sinew/pose/pose.hpp>

namespace sinew {

// What is left of one joint's offset: the direction of the translation's, the axis of the
// rotation's (parent space), and the curve of either. Plain bytes, so that a state that holds them
// can be copied.
struct JointInertia {
  Vec3 translation_axis, rotation_axis;
  InertializeCurve translation, rotation;  // metres, radians
};

// How far an inertialization has gone, seconds.
struct InertializationClock {
  float elapsed = 0;
  float duration = 0;
  bool active() const { return elapsed < duration; }
};

// At the switch: `previous` and `current` are the last two poses shown (dt seconds apart; a dt that
// is not above 0 leaves velocities out), `target` the new motion's pose at this instant. Offsets
// and their velocities along them start curves of at most `duration` seconds. As the offsets are
// taken from what was shown, an inertialization that is still running goes on without a jump.
// Scales are not carried over. offsets: joint_count() entries.
void start_inertialization(const Skeleton& skeleton, ConstPoseSpan previous, ConstPoseSpan current,
                           float dt, ConstPoseSpan target, float duration,
                           std::span<JointInertia> offsets, InertializationClock& clock);

// Goes `dt` seconds on and adds what is left of the offsets to the new motion's pose. Directly
// after the start and with dt = 0 it gives the pose that was shown. Cost: O(joints) while active,
// else none.
void apply_inertialization(const Skeleton& skeleton, float dt,
                           std::span<const JointInertia> offsets, InertializationClock& clock,
                           PoseSpan pose);

// The two functions above with storage of their own, sized once.
class PoseInertializer {
 public:
  PoseInertializer() = default;
  explicit PoseInertializer(const Skeleton& skeleton);

  void start(const Skeleton& skeleton, ConstPoseSpan previous, ConstPoseSpan current, float dt,
             ConstPoseSpan target, float duration);
  void apply(const Skeleton& skeleton, float dt, PoseSpan pose);
  bool active() const { return clock_.active(); }

 private:
  std::vector<JointInertia> offsets_;
  InertializationClock clock_;
};

}  // namespace sinew
