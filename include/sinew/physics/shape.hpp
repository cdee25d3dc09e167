// Shapes of bodies: values with a place in the body's space.
#pragma once

#include <memory>
#include <span>

#include <sinew/physics/terrain.hpp>

namespace sinew {

inline constexpr int kMaxShapesPerBody = 8;

enum class ShapeKind : std::uint8_t {
  kSphere,       // radius
  kCapsule,      // radius, half_height along Y: from the middle to the centre of a cap
  kBox,          // half_extents
  kPlane,        // through the origin with normal +Y, solid below. Static bodies only
  kHeightField,  // static bodies only
  kMesh,         // static and kinematic bodies only
};

constexpr std::string_view to_string(ShapeKind kind) {
  constexpr std::string_view kNames[] = {"sphere", "capsule",      "box",
                                         "plane",  "height_field", "mesh"};
  return kNames[static_cast<std::size_t>(kind)];
}

struct Shape {
  ShapeKind kind = ShapeKind::kSphere;
  Vec3 position;     // body <- shape, metres
  Quat rotation;     // body <- shape, unit
  float radius = 0;  // metres
  float half_height = 0;
  Vec3 half_extents;
  SurfaceId surface = kDefaultSurface;  // of shapes that are not made of triangles
  std::shared_ptr<const HeightField> height_field;
  std::shared_ptr<const TriangleMesh> mesh;

  static Shape sphere(float radius, Vec3 position = {});
  static Shape capsule(float radius, float half_height, Vec3 position = {}, Quat rotation = {});
  static Shape box(Vec3 half_extents, Vec3 position = {}, Quat rotation = {});
  static Shape plane();
  static Shape terrain(std::shared_ptr<const HeightField> field);
  static Shape terrain(std::shared_ptr<const TriangleMesh> mesh);
};

// Errors: sizes that are not finite, not positive (half_height: negative) or above 1e4 m, a
// rotation that is no rotation (its length may be off: it is normalized by whoever takes it), a
// missing field or mesh.
Status validate(const Shape& shape);

// The box around a shape whose body stands at `position`, `rotation` (world). Planes: the half
// space cut at 1e6 m.
Aabb bounds_of(const Shape& shape, Vec3 position, Quat rotation);

// Volume in m^3; 0 for planes, fields and meshes.
float volume_of(const Shape& shape);

// Of a solid of even density: centre in the body's space; inertia about the centre along the body's
// axes, as the diagonal of the tensor (products are dropped), kg m^2. Shapes are weighted by
// volume. Shapes without volume do not count; if none has any, inertia is that of a sphere of 0.1
// m.
struct MassProperties {
  Vec3 centre;
  Vec3 inertia;
};
MassProperties mass_properties(std::span<const Shape> shapes, float mass);

// Signed distance from a point (body's space) to the shape's surface, negative inside; metres.
// Spheres, capsules, boxes; others: the distance to the plane, or 1e6.
float distance_to(const Shape& shape, Vec3 point);

}  // namespace sinew
