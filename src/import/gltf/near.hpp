// When a key counts as equal to the rest pose.
#pragma once

#include <algorithm>

#include <sinew/asset/raw_clip.hpp>

namespace sinew::gltf {

inline constexpr float kSameAsRest = 1e-6f;

inline bool near(float a, float b) { return abs(a - b) <= kSameAsRest * max(1.0f, abs(b)); }
inline bool near(Vec3 a, Vec3 b) { return near(a.x, b.x) && near(a.y, b.y) && near(a.z, b.z); }
inline bool near(Quat a, Quat b) {
  const Quat c = align(b, a);
  return near(c.x, b.x) && near(c.y, b.y) && near(c.z, b.z) && near(c.w, b.w);
}

inline float largest_part(Vec3 v) { return max(abs(v.x), max(abs(v.y), abs(v.z))); }
inline float largest_part(Quat q) {
  return max(max(abs(q.x), abs(q.y)), max(abs(q.z), abs(q.w)));
}

// Whether a track ever leaves the rest pose.
template <class T>
bool moves(const KeyTrack<T>& track, const T& rest) {
  const auto off = [&](const T& value) { return !near(value, rest); };
  const auto bends = [](const T& tangent) { return largest_part(tangent) > kSameAsRest; };
  return std::any_of(track.values.begin(), track.values.end(), off) ||
         std::any_of(track.in_tangents.begin(), track.in_tangents.end(), bends) ||
         std::any_of(track.out_tangents.begin(), track.out_tangents.end(), bends);
}

}  // namespace sinew::gltf
