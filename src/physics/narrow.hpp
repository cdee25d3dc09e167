// One shape against a ray, a swept capsule, or a capsule that may overlap it.
#pragma once

#include <sinew/physics/query.hpp>

#include "geometry.hpp"

namespace sinew::physics_detail {

struct Ray {
  D3 origin, dir;  // unit
  double length = 0;
};

// Where a shape was met. distance < 0: not at all.
struct Meeting {
  double distance = -1;
  D3 point, normal;
  double depth = 0;
  int triangle = -1;
};

// How a capsule stands to a shape: depth > 0 overlaps, else minus the distance.
struct Touch {
  D3 point, normal;
  double depth = -1e300;
  int triangle = -1;
};
using TouchVisitor = void (*)(void* user, const Touch& touch);

// `place`: world <- shape. The nearest meeting within the length; at equal distance the lower
// triangle.
Meeting ray_shape(const Shape& shape, const Place& place, const Ray& ray);
Meeting sweep_shape(const Shape& shape, const Place& place, const Sweep& sweep);
// All overlaps with the capsule (its sweep's length does not count).
void touch_shape(const Shape& shape, const Place& place, const Sweep& capsule, TouchVisitor visitor,
                 void* user);

}  // namespace sinew::physics_detail
