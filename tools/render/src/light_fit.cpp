#include "light_fit.hpp"

#include <cmath>

namespace sinew::render {
namespace {

float snapped(float x, float step) { return std::floor(x / step) * step; }

}  // namespace

float Casters::softness(float asked) const {
  const float by_size = 0.028f * clamp(largest, 0.05f, 1e4f);
  return asked > 0.0f && is_finite(asked) ? clamp(asked, 0.05f * by_size, 20.0f * by_size)
                                          : by_size;
}

float Casters::contact_reach() const { return 0.24f * clamp(largest, 0.05f, 1e4f); }

ShadowFit fit_shadow(const Casters& casters, Vec3 to_light, float softness) {
  ShadowFit fit;
  if (casters.box.empty()) {
    fit.matrix.at(0, 3) = 1e6f;  // every place lies outside the map
    return fit;
  }
  softness = casters.softness(softness);
  float radius = 0.25f;
  while (radius < casters.box.radius() + softness && radius < 1e4f) radius *= 1.15f;

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

  const Vec3 centre = casters.box.centre();
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

GroundFit fit_ground(const Casters& all, float ground_height, Vec3 to_light, float softness,
                     Vec3 focus, float radius) {
  GroundFit fit;
  const Bounds& casters = all.box;
  if (casters.empty() || casters.high.y <= ground_height) return fit;
  softness = all.softness(softness);
  // The casters' own place, and where the light carries their highest points.
  const float down = 1.0f / max(to_light.y, 0.08f);
  const float drop = casters.high.y - ground_height;
  Bounds area = casters;
  for (Vec3 corner : {casters.low, casters.high}) {
    area.add(corner - Vec3{to_light.x, 0, to_light.z} * (down * drop));
  }
  const float reach = radius + softness;
  area.low = max(area.low, focus - Vec3{reach, 1e9f, reach});
  area.high = min(area.high, focus + Vec3{reach, 1e9f, reach});
  if (area.empty()) return fit;

  const Vec3 size = area.size();
  float extent = 0.5f;
  while (extent < max(size.x, size.z) + 8.0f * softness) extent *= 1.2f;
  const float step = softness / 2.2f;
  fit.resolution = 128;
  while (fit.resolution < 1024 && static_cast<float>(fit.resolution) * step < 0.9f * extent) {
    fit.resolution += fit.resolution / 2;
  }
  const float texel = extent / static_cast<float>(fit.resolution);
  fit.blur_step = clamp(step, 0.75f * texel, 1.6f * texel) / extent;

  const Vec3 centre = area.centre();
  const float scale = 1.0f / extent;
  fit.place = {scale, scale, 0.5f - snapped(centre.x, texel) * scale,
               0.5f - snapped(centre.z, texel) * scale};
  Mat4 flat;  // x, z to the map's plane
  flat.m.fill(0);
  flat.at(0, 0) = 2.0f * fit.place.x;
  flat.at(0, 3) = 2.0f * fit.place.z - 1.0f;
  flat.at(1, 2) = 2.0f * fit.place.y;
  flat.at(1, 3) = 2.0f * fit.place.w - 1.0f;
  flat.at(3, 3) = 1;
  const float reach_up = all.contact_reach();
  fit.contact = flat;
  fit.contact.at(2, 1) = 1.0f / reach_up;
  fit.contact.at(2, 3) = -ground_height / reach_up;

  Mat4 slide;  // along the light down to the plane; what lies under the plane is clipped
  slide.at(0, 1) = -to_light.x * down;
  slide.at(0, 3) = to_light.x * down * ground_height;
  slide.at(2, 1) = -to_light.z * down;
  slide.at(2, 3) = to_light.z * down * ground_height;
  fit.shadow = flat * slide;
  fit.shadow.at(2, 1) = 1e-3f;
  fit.shadow.at(2, 3) = -1.0f - 1e-3f * ground_height;
  fit.any = true;
  return fit;
}

}  // namespace sinew::render
