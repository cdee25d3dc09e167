// Random values for property tests.
#pragma once

#include <cstdint>

#include <rapidcheck.h>

#include <sinew/math/transform.hpp>

namespace sinew::testing {

// A number in [low, high], in steps of a millionth of the range; shrinks toward low.
inline rc::Gen<float> real(float low, float high) {
  return rc::gen::map(rc::gen::inRange<int>(0, 1000001), [=](int i) {
    return low + (high - low) * (static_cast<float>(i) / 1000000.0f);
  });
}

// Components in [-size, size].
inline rc::Gen<Vec3> any_vec3(float size) {
  return rc::gen::apply([](float x, float y, float z) { return Vec3{x, y, z}; }, real(-size, size),
                        real(-size, size), real(-size, size));
}

inline rc::Gen<Vec3> any_direction() {
  return rc::gen::map(any_vec3(1), [](Vec3 v) { return normalize_or(v, kAxisZ); });
}

inline rc::Gen<Quat> any_rotation() {
  return rc::gen::apply([](Vec3 v, float w) { return normalize(Quat{v.x, v.y, v.z, w}); },
                        any_vec3(1), real(-1, 1));
}

// Scales in [1/4, 4], per axis.
inline rc::Gen<Transform> any_transform(float size = 2) {
  return rc::gen::apply(
      [](Vec3 t, Quat r, Vec3 s) {
        const auto stretch = [](float x) { return x < 0 ? 1 / (1 - x) : 1 + x; };
        return Transform{t, r, {stretch(s.x), stretch(s.y), stretch(s.z)}};
      },
      any_vec3(size), any_rotation(), any_vec3(3));
}

// A plain source of numbers for bulk data: the same on every machine. Source: Vigna, splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  float real(float low, float high) {
    return low + (high - low) * static_cast<float>(bits() >> 40) * 0x1p-24f;
  }
  Vec3 vec3(float size) {
    const float x = real(-size, size), y = real(-size, size), z = real(-size, size);
    return {x, y, z};
  }
  Quat rotation() {
    const Vec3 v = vec3(1);
    return normalize(Quat{v.x, v.y, v.z, real(-1, 1)});
  }
  Transform transform(float size, bool scaled) {
    Transform t;
    t.translation = vec3(size);
    t.rotation = rotation();
    if (scaled) t.scale = Vec3{1, 1, 1} + vec3(0.5f);
    return t;
  }

 private:
  std::uint64_t state_;
};

// Largest difference of any component.
inline float difference(Vec3 a, Vec3 b) {
  const Vec3 d = a - b;
  return max(abs(d.x), max(abs(d.y), abs(d.z)));
}
// The same up to the sign of a quaternion.
inline float difference(Quat a, Quat b) {
  const Quat d = a + -align(a, b);
  return max(max(abs(d.x), abs(d.y)), max(abs(d.z), abs(d.w)));
}
inline float difference(const Mat3x4& a, const Mat3x4& b) {
  float largest = 0;
  for (int i = 0; i < 3; ++i) {
    largest = max(largest, max(max(abs(a.row[i].x - b.row[i].x), abs(a.row[i].y - b.row[i].y)),
                               max(abs(a.row[i].z - b.row[i].z), abs(a.row[i].w - b.row[i].w))));
  }
  return largest;
}

}  // namespace sinew::testing
