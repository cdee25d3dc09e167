// Questions to a physics world: rays, sphere and capsule casts, overlaps.
#pragma once

#include <sinew/physics/body.hpp>

namespace sinew {

// What a query looks at.
struct QueryFilter {
  LayerMask layers = kAllLayers;
  BodyId ignore_body;              // itself
  std::uint32_t ignore_group = 0;  // all bodies of the own ragdoll
};

struct Hit {
  BodyId body;
  int shape = 0;       // of the body
  int triangle = -1;   // of a height field or mesh
  float distance = 0;  // along the cast, metres
  Vec3 point;          // world, on the shape
  Vec3 normal;         // unit, out of the shape
  float depth = 0;     // > 0: the cast began inside, this far along the normal
  SurfaceId surface = kDefaultSurface;
  std::uint64_t user = 0;  // BodyDef::user
};

// Directions need not be unit; a direction or length that is not finite, or zero, hits nothing.
// A ray does not see a shape that it begins inside of.
struct RayCast {
  Vec3 origin;
  Vec3 direction;
  float length = 0;  // metres
  QueryFilter filter;
};

// A sphere swept along `direction`. A cast that begins inside a shape hits it at distance 0, unless
// it moves out of it.
struct SphereCast {
  Vec3 centre;
  float radius = 0;  // >= 0
  Vec3 direction;
  float length = 0;
  QueryFilter filter;
};

// A capsule between the centres `a` and `b` of its caps, swept.
struct CapsuleCast {
  Vec3 a, b;
  float radius = 0;
  Vec3 direction;
  float length = 0;
  QueryFilter filter;
};

struct CapsuleOverlap {
  Vec3 a, b;  // equal: a sphere
  float radius = 0;
  QueryFilter filter;
};

}  // namespace sinew
