// Distances and sweeps between simple shapes, in double: a query far from the origin keeps its
// tenth of a millimetre.
#pragma once

#include <sinew/physics/terrain.hpp>

namespace sinew::physics_detail {

struct D3 {
  double x = 0, y = 0, z = 0;
  D3() = default;
  constexpr D3(double px, double py, double pz) : x(px), y(py), z(pz) {}
  constexpr D3(Vec3 v)
      : x(static_cast<double>(v.x)), y(static_cast<double>(v.y)), z(static_cast<double>(v.z)) {}
};
constexpr D3 operator+(D3 a, D3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr D3 operator-(D3 a, D3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr D3 operator-(D3 a) { return {-a.x, -a.y, -a.z}; }
constexpr D3 operator*(D3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr double dot(D3 a, D3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr D3 cross(D3 a, D3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(D3 a) { return sinew::sqrt(dot(a, a)); }
constexpr Vec3 to_vec(D3 a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
constexpr double clamp_unit(double t) { return t < 0 ? 0 : (t > 1 ? 1 : t); }

// A place of a body or shape, with the rotation as a matrix.
struct Place {
  D3 origin;
  D3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

  Place() = default;
  Place(Vec3 position, Quat rotation);
  D3 out(D3 local) const { return origin + x * local.x + y * local.y + z * local.z; }
  D3 turn_out(D3 v) const { return x * v.x + y * v.y + z * v.z; }
  D3 in(D3 world) const { return turn_in(world - origin); }
  D3 turn_in(D3 v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
};

// A capsule's axis with its radius, swept along the unit vector `dir` for `length`.
struct Sweep {
  D3 a, b;
  double radius = 0;
  D3 dir;
  double length = 0;
};

// The nearest points of two shapes.
struct Near {
  D3 on_a, on_b;
  double distance = 0;  // >= 0
};

// Source of the closest-point formulas: Ericson, "Real-Time Collision Detection" (2005), 5.1.
D3 closest_on_triangle(D3 p, D3 a, D3 b, D3 c);
Near nearest_segments(D3 p1, D3 q1, D3 p2, D3 q2);
// Distance 0 where the segment passes through the triangle.
Near nearest_segment_triangle(D3 p, D3 q, D3 a, D3 b, D3 c);

// Distance along the unit direction `d` from `o` at which the ray enters the solid; negative if it
// does not within `limit`. A ray that begins inside: 0 for `inside_hits`, else it sees nothing.
double ray_sphere(D3 o, D3 d, double limit, D3 centre, double radius, bool inside_hits);
double ray_capsule(D3 o, D3 d, double limit, D3 p, D3 q, double radius, bool inside_hits);
// The box's own space. `normal`: of the face that was met.
double ray_box(D3 o, D3 d, double limit, D3 half, D3& normal);
// Either side; edges count.
double ray_triangle(D3 o, D3 d, double limit, D3 a, D3 b, D3 c);

// The distance at which the swept capsule first touches, negative if it does not. It is taken for
// granted that it does not overlap at the start.
double sweep_segment(const Sweep& sweep, D3 p, D3 q, double radius);
double sweep_triangle(const Sweep& sweep, D3 a, D3 b, D3 c);

}  // namespace sinew::physics_detail
