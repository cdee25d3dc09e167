// Axis-aligned boxes, metres.
#pragma once

#include <sinew/math/transform.hpp>

namespace sinew {

struct Aabb {
  Vec3 low{1, 1, 1};
  Vec3 high{-1, -1, -1};

  bool empty() const { return !(low.x <= high.x && low.y <= high.y && low.z <= high.z); }
  Vec3 centre() const { return (low + high) * 0.5f; }
  Vec3 half_size() const { return (high - low) * 0.5f; }
};

inline Aabb join(const Aabb& a, const Aabb& b) { return {min(a.low, b.low), max(a.high, b.high)}; }
inline Aabb grown(const Aabb& a, float by) {
  return {a.low - Vec3{by, by, by}, a.high + Vec3{by, by, by}};
}
inline Aabb grown(const Aabb& a, Vec3 by) { return {a.low - by, a.high + by}; }
// Touching counts.
inline bool overlaps(const Aabb& a, const Aabb& b) {
  return a.low.x <= b.high.x && a.low.y <= b.high.y && a.low.z <= b.high.z && b.low.x <= a.high.x &&
         b.low.y <= a.high.y && b.low.z <= a.high.z;
}
inline bool holds(const Aabb& outer, const Aabb& inner) {
  return outer.low.x <= inner.low.x && outer.low.y <= inner.low.y && outer.low.z <= inner.low.z &&
         outer.high.x >= inner.high.x && outer.high.y >= inner.high.y &&
         outer.high.z >= inner.high.z;
}

}  // namespace sinew
