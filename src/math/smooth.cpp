#include <sinew/math/smooth.hpp>

namespace sinew {

Quat smooth(Quat x, Quat goal, float half_life, float dt) {
  return slerp(x, goal, 1.0f - decay(half_life, dt));
}

float wrap_angle(float x) {
  if (!is_finite(x)) return 0.0f;
  if (x > -kPi && x <= kPi) return x;
  const double turns = static_cast<double>(x) / 6.28318530717958647693;
  if (turns > 1e9 || turns < -1e9) return 0.0f;
  const auto whole =
      static_cast<double>(static_cast<std::int64_t>(turns < 0 ? turns - 0.5 : turns + 0.5));
  const auto wrapped = static_cast<float>((turns - whole) * 6.28318530717958647693);
  return wrapped <= -kPi ? kPi : wrapped;
}

float smooth_angle(float x, float goal, float half_life, float dt) {
  const float offset = wrap_angle(x - goal);
  return wrap_angle(goal + offset * decay(half_life, dt));
}

Spring spring(Spring state, float goal, float half_life, float dt) {
  if (!(half_life > 0.0f)) return {goal, 0.0f};
  const float y = 2.0f * kLn2 / half_life;
  const float e = exp(-y * dt);
  // Nothing is left; the products below may overflow there.
  if (!(e > 0.0f)) return {goal, 0.0f};
  const float j0 = state.x - goal;
  const float j1 = state.v + j0 * y;
  return {goal + e * (j0 + j1 * dt), e * (state.v - j1 * y * dt)};
}

SpringVec3 spring(const SpringVec3& state, Vec3 goal, float half_life, float dt) {
  if (!(half_life > 0.0f)) return {goal, {}};
  const float y = 2.0f * kLn2 / half_life;
  const float e = exp(-y * dt);
  if (!(e > 0.0f)) return {goal, {}};
  const Vec3 j0 = state.x - goal;
  const Vec3 j1 = state.v + j0 * y;
  return {goal + (j0 + j1 * dt) * e, (state.v - j1 * (y * dt)) * e};
}

}  // namespace sinew
