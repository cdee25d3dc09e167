#include "light_fit.hpp"

#include <cmath>

namespace sinew::render {
namespace {

float snapped(float x, float step) { return std::floor(x / step) * step; }

}  // namespace

ShadowFit fit_shadow(const Bounds& casters, Vec3 to_light, float softness) {
  ShadowFit fit;
  if (casters.empty()) {
    fit.matrix.at(0, 3) = 1e6f;  // every place lies outside the map
    return fit;
  }
  softness = is_finite(softness) ? clamp(softness, 0.005f, 1.0f) : 0.035f;
  float radius = 0.25f;
  while (radius < casters.radius() + softness && radius < 1e4f) radius *= 1.15f;

  // The filter takes 4 x 4 samples over twice the softness; its step should be about 1.7 texels:
  // less wastes samples, more shows them one by one.
  float step = softness / 1.5f;
  fit.resolution = 256;
  while (fit.resolution < 2048 &&
         step < 1.2f * 2.0f * radius / static_cast<float>(fit.resolution)) {
    fit.resolution *= 2;
  }
  const float texel = 2.0f * radius / static_cast<float>(fit.resolution);
  step = clamp(step, 0.8f * texel, 2.2f * texel);
  fit.step = step / (2.0f * radius);
  fit.offset = 0.55f * step + 0.8f * texel;

  const Vec3 centre = casters.centre();
  const ViewAxes axes = view_axes(to_light, {}, kAxisY);
  const Vec3 eye = axes.right * snapped(dot(centre, axes.right), texel) +
                   axes.up * snapped(dot(centre, axes.up), texel) +
                   axes.back * dot(centre, axes.back);
  // Receivers may lie far behind (the ground below a jump); casters before the near plane are
  // clamped onto it.
  const float behind = radius + max(10.0f, 4.0f * radius);
  fit.matrix = orthographic(radius, radius, -radius, behind) * look_at(eye, axes);
  fit.any = true;
  return fit;
}

ContactFit fit_contact(const Bounds& casters, float ground_height) {
  ContactFit fit;
  if (casters.empty() || casters.low.y > ground_height + kContactReach) return fit;
  constexpr float kMargin = 0.4f, kLargest = 60.0f, kBlur = 0.022f;
  const Vec3 size = casters.size();
  float extent = 1.0f;
  while (extent < max(size.x, size.z) + 2.0f * kMargin) extent *= 1.2f;
  if (extent > kLargest) return fit;
  fit.resolution = extent < 4.0f ? 192 : (extent < 12.0f ? 384 : 768);
  const float texel = extent / static_cast<float>(fit.resolution);
  fit.blur_step = clamp(kBlur, 0.8f * texel, 1.6f * texel) / extent;

  const Vec3 centre = casters.centre();
  const float scale = 1.0f / extent;
  fit.place = {scale, scale, 0.5f - snapped(centre.x, texel) * scale,
               0.5f - snapped(centre.z, texel) * scale};
  // x, z to the map's plane; depth is not needed.
  fit.matrix.m.fill(0);
  fit.matrix.at(0, 0) = 2.0f * fit.place.x;
  fit.matrix.at(0, 3) = 2.0f * fit.place.z - 1.0f;
  fit.matrix.at(1, 2) = 2.0f * fit.place.y;
  fit.matrix.at(1, 3) = 2.0f * fit.place.w - 1.0f;
  fit.matrix.at(3, 3) = 1;
  fit.any = true;
  return fit;
}

}  // namespace sinew::render
