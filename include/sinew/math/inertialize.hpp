// Curves that carry an offset to zero: how a motion is handed over without a jump.
#pragma once

#include <sinew/math/quat.hpp>

namespace sinew {

// Quintic that starts at offset x0 with velocity v0 and reaches 0 with zero velocity and
// acceleration at t1, without overshoot. Source: Bollo, "Inertialization" (GDC 2018).
// A negative x0 is mirrored. A velocity away from zero is dropped, one that would overshoot
// shortens t1. |x0| < 1e-6: zero.
struct InertializeCurve {
  float a = 0, b = 0, c = 0, half_a0 = 0, v0 = 0, x0 = 0;
  float t1 = 0;    // seconds, after shortening
  float sign = 1;  // of the given x0

  static InertializeCurve make(float x0, float v0, float t1);
  // Offset, velocity at t seconds after the start. 0 for t >= t1; t < 0 counts as 0.
  float value(float t) const;
  float velocity(float t) const;
};

// Dead blending: the source goes on with decaying velocity and is cross-faded by smoothstep.
// x(t) = x + v / y (1 - e^(-y t)), result = (1 - s) x(t) + s target, s = smoothstep(t /
// blend_time). Source: Holden, "Dead Blending" (2023).
float dead_blend(float x, float v, float decay_rate, float blend_time, float target, float t);

// An offset that decays as a critically damped spring toward zero and keeps its velocity; for
// hand-overs whose velocity must not be dropped. Rotations are held as rotation vectors.
struct OffsetSpring {
  Vec3 offset;
  Vec3 velocity;
  void step(float half_life, float dt);
};

// Soft reach: beyond `soft_start` (a distance below `reach`) the distance approaches reach
// asymptotically, so that a limb never snaps straight. Source: Nicholas, "Soft IK" (2009).
float soft_distance(float distance, float reach, float soft_start);

}  // namespace sinew
