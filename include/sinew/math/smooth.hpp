// Exact smoothing: the same result whatever the frame rate, since each step is the exact solution
// of the differential equation. Source: spec of the field's springs, Holden, "Spring-It-On" (2021).
#pragma once

#include <sinew/math/quat.hpp>

namespace sinew {

// ln 2, the tie between half-life and decay rate.
inline constexpr float kLn2 = 0.69314718055994530942f;

// Share of the way left after dt seconds at the given half-life: 2^(-dt / half_life).
// half_life <= 0 gives 0 (arrive at once).
inline float decay(float half_life, float dt) {
  return half_life > 0.0f ? exp(-kLn2 * dt / half_life) : 0.0f;
}

// First order: toward `goal`, half the way in each half-life.
inline float smooth(float x, float goal, float half_life, float dt) {
  return goal + (x - goal) * decay(half_life, dt);
}
inline Vec3 smooth(Vec3 x, Vec3 goal, float half_life, float dt) {
  return goal + (x - goal) * decay(half_life, dt);
}
// Along the shorter way; exact for a fixed goal.
Quat smooth(Quat x, Quat goal, float half_life, float dt);
// Angles in radians, along the shorter way; result in (-pi, pi].
float smooth_angle(float x, float goal, float half_life, float dt);
// The angle wrapped into (-pi, pi].
float wrap_angle(float x);

// Critically damped spring: second order, keeps velocity. y = 2 ln 2 / half_life (ground.md,
// section 2): x(t) = goal + e^(-y t) (j0 + j1 t), j0 = x - goal, j1 = v + y j0.
struct Spring {
  float x = 0;
  float v = 0;
};
Spring spring(Spring state, float goal, float half_life, float dt);

struct SpringVec3 {
  Vec3 x;
  Vec3 v;
};
SpringVec3 spring(const SpringVec3& state, Vec3 goal, float half_life, float dt);

// 3 t^2 - 2 t^3 on [0, 1], clamped.
constexpr float smoothstep(float t) {
  const float c = clamp01(t);
  return c * c * (3.0f - 2.0f * c);
}

}  // namespace sinew
