// When a key counts as equal to the rest pose.
#pragma once

#include <algorithm>

#include <sinew/asset/raw_clip.hpp>

namespace sinew::gltf {

inline constexpr float kSameAsRest = 1e-6f;
// Exporters that decompose matrices leave scales that are off by a few units of the last place for
// every joint above. As scales they would cost every frame; left out they move a joint by less than
// 3e-5 of the bone above it.
inline constexpr float kSameScale = 3e-5f;

inline bool near(float a, float b, float tolerance) {
  return abs(a - b) <= tolerance * max(1.0f, abs(b));
}
inline bool near(Vec3 a, Vec3 b, float tolerance) {
  return near(a.x, b.x, tolerance) && near(a.y, b.y, tolerance) && near(a.z, b.z, tolerance);
}
inline bool near(Quat a, Quat b, float tolerance) {
  const Quat c = align(b, a);
  return near(c.x, b.x, tolerance) && near(c.y, b.y, tolerance) && near(c.z, b.z, tolerance) &&
         near(c.w, b.w, tolerance);
}

inline float largest_part(Vec3 v) { return max(abs(v.x), max(abs(v.y), abs(v.z))); }
inline float largest_part(Quat q) { return max(max(abs(q.x), abs(q.y)), max(abs(q.z), abs(q.w))); }

// Whether a track ever leaves the rest pose.
template <class T>
bool moves(const KeyTrack<T>& track, const T& rest, float tolerance = kSameAsRest) {
  const auto off = [&](const T& value) { return !near(value, rest, tolerance); };
  const auto bends = [&](const T& tangent) { return largest_part(tangent) > tolerance; };
  return std::any_of(track.values.begin(), track.values.end(), off) ||
         std::any_of(track.in_tangents.begin(), track.in_tangents.end(), bends) ||
         std::any_of(track.out_tangents.begin(), track.out_tangents.end(), bends);
}

struct NodeTrack;
// Whether a node ever leaves its own rest pose; morph weights do not count.
bool moves(const NodeTrack& track, const Transform& rest);

}  // namespace sinew::gltf
