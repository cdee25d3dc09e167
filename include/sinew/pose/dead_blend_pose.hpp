// Dead blending of whole poses: the old motion goes on by itself, slowing down, while it is faded
// into the new one, so that only the new one is evaluated. Source: Holden, "Dead Blending" (2023);
// motion rules.
#pragma once

#include <span>

#include <sinew/pose/pose.hpp>

namespace sinew {

// The old motion's velocity halves in this time, seconds.
inline constexpr float kDeadBlendHalfLife = 0.1f;

// Where one joint was at the switch and how it moved. Plain bytes.
struct JointDrift {
  Vec3 translation, velocity;  // metres, metres a second
  Quat rotation;
  Vec3 spin;  // parent space, radians a second
};

// At the switch: the last two poses of the old motion, dt seconds apart (a dt that is not above 0:
// it stands still). drifts: joint_count() entries.
void start_dead_blend(const Skeleton& skeleton, ConstPoseSpan previous, ConstPoseSpan current,
                      float dt, std::span<JointDrift> drifts);

// `pose` is the new motion's, and becomes the blend: the old one, `elapsed` seconds after the
// switch, at share 0, the new one at share 1 (unchanged). Scales are the new motion's.
// x + v / y (1 - e^(-y t)), y = ln 2 / half-life; rotations likewise along their spin, then nlerp.
void apply_dead_blend(const Skeleton& skeleton, float elapsed, float share,
                      std::span<const JointDrift> drifts, PoseSpan pose);

// The factor of the velocity in the above: (1 - e^(-y t)) / y, seconds.
float drift_time(float elapsed);

}  // namespace sinew
