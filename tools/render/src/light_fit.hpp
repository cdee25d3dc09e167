// The cameras of the two shadows.
#pragma once

#include <sinew/render/renderer.hpp>

#include "mat4.hpp"

namespace sinew::render {

// What throws shadows.
struct Casters {
  Bounds box;         // around all
  float largest = 0;  // radius of the largest one, metres

  void add(const Bounds& one) {
    box.add(one);
    largest = max(largest, one.radius());
  }
  // Half width of a shadow's edge: what was asked for, or by size.
  float softness(float asked) const;
  // Heights above ground up to this are seen by the contact shadow.
  float contact_reach() const;
};

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
ShadowFit fit_shadow(const Casters& casters, Vec3 to_light, float softness);

// The map of the ground plane: one channel for the key light's shadow, one for the contact shadow.
// A plane needs no depth map: what casts a shadow is projected onto it along the light, which needs
// no bias, blurs well, and costs one look-up per pixel of the ground.
struct GroundFit {
  bool any = false;
  Mat4 shadow, contact;  // world -> [-1, 1] of the map; clips what is below, or above the reach
  int resolution = 0;    // pixels a side
  float blur_step = 0;   // between samples, share of the map
  Vec4 place;            // world x, z -> [0, 1]: xy scale, zw offset
};

// `focus` and `radius`: the part of the ground that matters, in case the shadows reach far.
GroundFit fit_ground(const Casters& casters, float ground_height, Vec3 to_light, float softness,
                     Vec3 focus, float radius);

}  // namespace sinew::render
