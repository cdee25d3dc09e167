#include <sinew/math/inertialize.hpp>
#include <sinew/math/smooth.hpp>

namespace sinew {

InertializeCurve InertializeCurve::make(float x0, float v0, float t1) {
  InertializeCurve k;
  if (!is_finite(x0) || !is_finite(v0) || !is_finite(t1) || t1 <= 0.0f) return k;
  k.sign = x0 < 0.0f ? -1.0f : 1.0f;
  x0 *= k.sign;
  v0 *= k.sign;
  if (x0 < 1e-6f) return k;
  if (v0 > 0.0f) v0 = 0.0f;
  if (v0 < 0.0f) t1 = min(t1, -5.0f * x0 / v0);
  if (!(t1 > 0.0f)) return k;
  // For s = t / t1 instead of t: the powers of a short t1 cancel, so that nothing overflows.
  const double t = static_cast<double>(t1), x = static_cast<double>(x0),
               v = static_cast<double>(v0);
  double a0 = (-8.0 * v * t - 20.0 * x) / (t * t);
  if (a0 < 0.0) a0 = 0.0;
  k.a = static_cast<float>(-(a0 * t * t + 6.0 * v * t + 12.0 * x) / 2.0);
  k.b = static_cast<float>((3.0 * a0 * t * t + 16.0 * v * t + 30.0 * x) / 2.0);
  k.c = static_cast<float>(-(3.0 * a0 * t * t + 12.0 * v * t + 20.0 * x) / 2.0);
  k.half_a0 = static_cast<float>(0.5 * a0 * t * t);
  k.v0 = static_cast<float>(v * t);
  k.x0 = x0;
  k.t1 = t1;
  return k;
}

float InertializeCurve::value(float t) const {
  if (!(t < t1)) return 0.0f;
  const float s = t > 0.0f ? t / t1 : 0.0f;
  return sign * (((((a * s + b) * s + c) * s + half_a0) * s + v0) * s + x0);
}

float InertializeCurve::velocity(float t) const {
  if (!(t < t1)) return 0.0f;
  const float s = t > 0.0f ? t / t1 : 0.0f;
  return sign * ((((5.0f * a * s + 4.0f * b) * s + 3.0f * c) * s + 2.0f * half_a0) * s + v0) / t1;
}

float dead_blend(float x, float v, float decay_rate, float blend_time, float target, float t) {
  const float travelled =
      decay_rate > 0.0f ? v / decay_rate * (1.0f - exp(-decay_rate * t)) : v * t;
  const float s = blend_time > 0.0f ? smoothstep(t / blend_time) : 1.0f;
  return (1.0f - s) * (x + travelled) + s * target;
}

void OffsetSpring::step(float half_life, float dt) {
  const SpringVec3 next = spring(SpringVec3{offset, velocity}, Vec3{}, half_life, dt);
  offset = next.x;
  velocity = next.v;
}

float soft_distance(float distance, float reach, float soft_start) {
  const float room = reach - soft_start;
  if (distance <= soft_start) return distance;
  if (!(room > 0.0f)) return min(distance, reach);
  return soft_start + room * (1.0f - exp(-(distance - soft_start) / room));
}

}  // namespace sinew
