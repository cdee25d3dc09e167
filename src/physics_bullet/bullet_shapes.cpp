#include "bullet_shapes.hpp"

#include <algorithm>

#include <BulletCollision/CollisionShapes/btConcaveShape.h>

namespace sinew {

namespace {

// Bullet walks over the very triangles that queries see: its own height field is cut another way
// and moved to its middle height.
template <class Terrain>
class TerrainShape final : public btConcaveShape {
 public:
  explicit TerrainShape(std::shared_ptr<const Terrain> terrain) : terrain_(std::move(terrain)) {
    // CUSTOM_CONCAVE_SHAPE_TYPE has the number of signed distance fields, which take another way.
    m_shapeType = FAST_CONCAVE_MESH_PROXYTYPE;
  }
  void getAabb(const btTransform& t, btVector3& low, btVector3& high) const override {
    const Aabb& box = terrain_->bounds();
    btTransformAabb(to_bullet(box.low), to_bullet(box.high), getMargin(), t, low, high);
  }
  void processAllTriangles(btTriangleCallback* callback, const btVector3& low,
                           const btVector3& high) const override {
    terrain_->visit(
        {from_bullet(low), from_bullet(high)},
        [](void* user, int index, const Triangle& t) {
          // Triangles without area have no normal, and the solver no use for them.
          if (length_squared(cross(t.b - t.a, t.c - t.a)) < 1e-20f) return true;
          btVector3 corners[3] = {to_bullet(t.a), to_bullet(t.b), to_bullet(t.c)};
          static_cast<btTriangleCallback*>(user)->processTriangle(corners, 0, index);
          return true;
        },
        callback);
  }
  void setLocalScaling(const btVector3&) override {}
  const btVector3& getLocalScaling() const override { return scaling_; }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override {
    inertia.setValue(0, 0, 0);
  }
  const char* getName() const override { return "terrain"; }

 private:
  std::shared_ptr<const Terrain> terrain_;
  btVector3 scaling_{1, 1, 1};
};

std::unique_ptr<btCollisionShape> make_part(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return std::make_unique<btSphereShape>(shape.radius);
    case ShapeKind::kCapsule:
      return std::make_unique<btCapsuleShape>(shape.radius, 2 * shape.half_height);
    case ShapeKind::kBox: {
      auto box = std::make_unique<btBoxShape>(to_bullet(shape.half_extents));
      const Vec3 h = shape.half_extents;
      // The margin rounds the box inside its size; thin boxes need a thin one.
      box->setMargin(std::min(0.04f, 0.2f * std::min({h.x, h.y, h.z})));
      return box;
    }
    case ShapeKind::kPlane:
      return std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), 0.0f);
    case ShapeKind::kHeightField: {
      auto field = std::make_unique<TerrainShape<HeightField>>(shape.height_field);
      field->setMargin(0);
      return field;
    }
    case ShapeKind::kMesh: {
      auto mesh = std::make_unique<TerrainShape<TriangleMesh>>(shape.mesh);
      mesh->setMargin(0);
      return mesh;
    }
  }
  return nullptr;
}

float thickness_of(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
    case ShapeKind::kCapsule:
      return shape.radius;
    case ShapeKind::kBox:
      return std::min({shape.half_extents.x, shape.half_extents.y, shape.half_extents.z});
    default:
      return 1;
  }
}

}  // namespace

BulletShapes make_bullet_shapes(std::span<const Shape> shapes) {
  BulletShapes out;
  out.thickness = 1e9f;
  for (const Shape& shape : shapes) {
    out.parts.push_back(make_part(shape));
    out.thickness = std::min(out.thickness, thickness_of(shape));
  }
  const bool plain =
      shapes.size() == 1 && shapes[0].position == Vec3{} && angle_of(shapes[0].rotation) < 1e-6f;
  if (plain) {
    out.whole = out.parts[0].get();
    return out;
  }
  out.compound = std::make_unique<btCompoundShape>();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    out.compound->addChildShape(to_bullet(shapes[i].position, normalize(shapes[i].rotation)),
                                out.parts[i].get());
  }
  out.whole = out.compound.get();
  return out;
}

}  // namespace sinew
