// Shapes of Sinew as Bullet's.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <btBulletDynamicsCommon.h>

#include <sinew/physics/shape.hpp>

namespace sinew {

inline btVector3 to_bullet(Vec3 v) { return {v.x, v.y, v.z}; }
inline btQuaternion to_bullet(Quat q) { return {q.x, q.y, q.z, q.w}; }
inline Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
inline Quat from_bullet(const btQuaternion& q) { return {q.x(), q.y(), q.z(), q.w()}; }
inline btTransform to_bullet(Vec3 position, Quat rotation) {
  return btTransform(to_bullet(rotation), to_bullet(position));
}

// The shapes of one body: the whole, and the parts that a compound refers to. They hold the terrain
// that they walk over.
struct BulletShapes {
  std::vector<std::unique_ptr<btCollisionShape>> parts;
  std::unique_ptr<btCompoundShape> compound;
  btCollisionShape* whole = nullptr;
  float thickness = 0;  // least half width of a part, metres: for continuous collision
};

BulletShapes make_bullet_shapes(std::span<const Shape> shapes);

}  // namespace sinew
