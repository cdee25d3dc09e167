// From an implicit shape to triangles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shape.hpp"

namespace sinew::make_assets {

struct Surface {
  std::vector<Vec3> positions;
  std::vector<std::array<std::uint32_t, 3>> triangles;  // counter-clockwise from outside
  std::vector<int> labels;                              // one per triangle: its part
};

// The half x >= 0 of the body's surface, cut along x = 0 and along the seams of its parts, so that
// every triangle belongs to one part. `cell`: size of the grid, metres.
Surface half_surface(const BodyShape& shape, float cell);

// Fewer triangles where the surface is flat, more near `dense` points, which bend. Seams and the
// border at x = 0 keep their course. Source: Garland and Heckbert, "Surface simplification using
// quadric error metrics" (1997); boundary planes as there; a length term keeps edges even.
struct DensePoint {
  Vec3 centre;
  float radius = 0;
};
void simplify(Surface& surface, std::size_t triangle_count, const std::vector<DensePoint>& dense);

// Adds the reflection at x = 0 and joins both along the border.
Surface mirror_join(const Surface& half);

}  // namespace sinew::make_assets
