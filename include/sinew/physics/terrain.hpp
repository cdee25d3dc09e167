// Ground made of triangles: height fields and meshes. Immutable once built, shared by any number of
// worlds. Both give the same triangles to queries and to the simulation.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <sinew/base/result.hpp>
#include <sinew/physics/aabb.hpp>
#include <sinew/physics/surface.hpp>

namespace sinew {

// Corners counter-clockwise seen from the side that the normal points to.
struct Triangle {
  Vec3 a, b, c;
};

// Called for one triangle; false ends the walk.
using TriangleVisitor = bool (*)(void* user, int index, const Triangle& triangle);

struct HeightFieldDef {
  int columns = 0, rows = 0;            // samples along X and Z, each [2, 8192]
  float cell = 1;                       // metres between samples, > 0
  Vec3 origin;                          // of sample (0, 0), in the shape's space
  std::vector<float> heights;           // rows * columns, row after row (Z), metres above origin
  std::vector<std::uint8_t> materials;  // per cell, (rows-1) * (columns-1); empty: all 0
  std::vector<SurfaceId> surfaces;      // by material
};

// Samples on a grid in X and Z; solid below. Cell (x, z) is cut along the diagonal from sample
// (x + 1, z) to (x, z + 1) into triangles 2 * (z * (columns - 1) + x) and the one after it.
class HeightField {
 public:
  // Errors: sizes out of range or that disagree, heights that are not finite.
  static Result<std::shared_ptr<const HeightField>> build(HeightFieldDef def);

  int columns() const { return def_.columns; }
  int rows() const { return def_.rows; }
  float cell() const { return def_.cell; }
  const Aabb& bounds() const { return bounds_; }
  int triangle_count() const { return 2 * (def_.columns - 1) * (def_.rows - 1); }
  Triangle triangle(int index) const;
  // The cell's surface; the default one for an index out of range.
  SurfaceId surface(int triangle) const;
  // The triangle above or below the point (x, z) of the shape's space, -1 outside the field.
  int triangle_at(float x, float z) const;
  // Height of the ground at (x, z), in the shape's space; false outside the field.
  bool height_at(float x, float z, float& height) const;
  // All triangles whose box overlaps `box`, by rising index.
  void visit(const Aabb& box, TriangleVisitor visitor, void* user) const;

 private:
  HeightFieldDef def_;
  Aabb bounds_;
};

struct TriangleMeshDef {
  std::vector<Vec3> positions;           // shape's space, metres
  std::vector<std::uint32_t> indices;    // three per triangle
  std::vector<std::uint16_t> materials;  // per triangle; empty: all 0
  std::vector<SurfaceId> surfaces;       // by material
  bool two_sided = true;                 // false: what comes from behind passes through
};

class TriangleMesh {
 public:
  // Errors: no triangle, an index out of range, lists that disagree, positions that are not finite,
  // more than 2^24 triangles. Triangles without area are kept (their index must not shift) and
  // never hit.
  static Result<std::shared_ptr<const TriangleMesh>> build(TriangleMeshDef def);

  int triangle_count() const { return static_cast<int>(def_.indices.size() / 3); }
  Triangle triangle(int index) const;
  SurfaceId surface(int triangle) const;
  bool two_sided() const { return def_.two_sided; }
  const Aabb& bounds() const { return bounds_; }
  // All triangles whose box overlaps `box`, in a fixed order.
  void visit(const Aabb& box, TriangleVisitor visitor, void* user) const;

 private:
  // A tree of boxes over the triangles in `order_`; leaves hold up to four.
  struct Node {
    Aabb box;
    std::uint32_t first = 0;  // leaf: into order_; inner: the right child (the left one follows)
    std::uint32_t count = 0;  // 0: an inner node
  };
  void build_tree();

  TriangleMeshDef def_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
  Aabb bounds_;
};

}  // namespace sinew
