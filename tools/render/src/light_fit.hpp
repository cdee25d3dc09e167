// The cameras of the two shadows.
#pragma once

#include <sinew/render/renderer.hpp>

#include "mat4.hpp"

namespace sinew::render {

// The key light's depth map.
struct ShadowFit {
  bool any = false;
  Mat4 matrix;         // world -> [-1, 1]
  int resolution = 0;  // pixels a side
  float step = 0;      // between samples of the filter, share of the map
  float offset = 0;    // of receivers along their normal, metres
};

// Around the sphere of `casters`. Size and place go in steps, so that a moving character's shadow
// does not swim. `to_light`: unit.
ShadowFit fit_shadow(const Bounds& casters, Vec3 to_light, float softness);

// The map of what stands on the ground plane, seen from below.
struct ContactFit {
  bool any = false;
  Mat4 matrix;
  int resolution = 0;
  float blur_step = 0;  // between samples, share of the map
  Vec4 place;           // world x, z -> map: xy scale, zw offset
};

// Heights above ground up to this are seen by the contact shadow.
inline constexpr float kContactReach = 0.30f;

ContactFit fit_contact(const Bounds& casters, float ground_height);

}  // namespace sinew::render
