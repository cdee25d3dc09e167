// Four floats side by side, by the compilers' vector extensions or, elsewhere, by an array of four.
// Both give the same bits: only IEEE operations (+ - * / sqrt, compare, select), no estimates.
#pragma once

#include <limits>

#include <sinew/math/transform.hpp>

#if !defined(SINEW_SCALAR_FLOAT4) && (defined(__GNUC__) || defined(__clang__))
#define SINEW_VECTOR_EXTENSIONS 1
#endif
#if defined(SINEW_VECTOR_EXTENSIONS) && defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sinew {

#if defined(SINEW_VECTOR_EXTENSIONS)

using Float4Register = float __attribute__((vector_size(16)));
using Int4Register = int __attribute__((vector_size(16)));

struct alignas(16) Float4 {
  Float4Register v;

  Float4() = default;
  Float4(Float4Register value) : v(value) {}
  Float4(float a, float b, float c, float d) : v{a, b, c, d} {}
  explicit Float4(float s) : v{s, s, s, s} {}
  float operator[](int lane) const { return v[lane]; }
  void set(int lane, float value) { v[lane] = value; }
  static Float4 load(const float* p) {
    Float4 out;
    std::memcpy(&out.v, p, 16);
    return out;
  }
  void store(float* p) const { std::memcpy(p, &v, 16); }
};
// One bit pattern a lane: all ones or zero.
struct alignas(16) Mask4 {
  Int4Register v;
};

inline Float4 operator+(Float4 a, Float4 b) { return a.v + b.v; }
inline Float4 operator-(Float4 a, Float4 b) { return a.v - b.v; }
inline Float4 operator*(Float4 a, Float4 b) { return a.v * b.v; }
inline Float4 operator/(Float4 a, Float4 b) { return a.v / b.v; }
inline Float4 operator-(Float4 a) { return -a.v; }
inline Mask4 operator<(Float4 a, Float4 b) { return {a.v < b.v}; }
inline Mask4 operator>(Float4 a, Float4 b) { return {a.v > b.v}; }
inline Mask4 operator&(Mask4 a, Mask4 b) { return {a.v & b.v}; }
inline Mask4 operator|(Mask4 a, Mask4 b) { return {a.v | b.v}; }
inline Float4 select(Mask4 mask, Float4 yes, Float4 no) {
  return (Float4Register)((mask.v & (Int4Register)yes.v) | (~mask.v & (Int4Register)no.v));
}
inline Float4 sqrt(Float4 a) {
#if defined(__SSE2__)
  return Float4(Float4Register(_mm_sqrt_ps(__m128(a.v))));
#else
  return Float4(std::sqrt(a.v[0]), std::sqrt(a.v[1]), std::sqrt(a.v[2]), std::sqrt(a.v[3]));
#endif
}
// a with the sign flipped where b is negative (by the sign bit; -0 counts as negative).
inline Float4 flip_sign(Float4 a, Float4 b) {
  const Int4Register sign =
      (Int4Register)b.v & (Int4Register){INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
  return (Float4Register)((Int4Register)a.v ^ sign);
}
// Rows to columns.
inline void transpose(Float4& a, Float4& b, Float4& c, Float4& d) {
#if defined(__SSE2__)
  __m128 r0 = __m128(a.v), r1 = __m128(b.v), r2 = __m128(c.v), r3 = __m128(d.v);
  _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
  a.v = Float4Register(r0);
  b.v = Float4Register(r1);
  c.v = Float4Register(r2);
  d.v = Float4Register(r3);
#else
  const Float4 a0 = a, b0 = b, c0 = c, d0 = d;
  a = Float4(a0[0], b0[0], c0[0], d0[0]);
  b = Float4(a0[1], b0[1], c0[1], d0[1]);
  c = Float4(a0[2], b0[2], c0[2], d0[2]);
  d = Float4(a0[3], b0[3], c0[3], d0[3]);
#endif
}

#else  // the portable twin

struct alignas(16) Float4 {
  float v[4];

  Float4() = default;
  Float4(float a, float b, float c, float d) : v{a, b, c, d} {}
  explicit Float4(float s) : v{s, s, s, s} {}
  float operator[](int lane) const { return v[lane]; }
  void set(int lane, float value) { v[lane] = value; }
  static Float4 load(const float* p) { return {p[0], p[1], p[2], p[3]}; }
  void store(float* p) const { std::memcpy(p, v, 16); }
};
struct Mask4 {
  bool v[4];
};

template <class F>
inline Float4 each_lane(F f) {
  return {f(0), f(1), f(2), f(3)};
}
inline Float4 operator+(Float4 a, Float4 b) {
  return each_lane([&](int i) { return a.v[i] + b.v[i]; });
}
inline Float4 operator-(Float4 a, Float4 b) {
  return each_lane([&](int i) { return a.v[i] - b.v[i]; });
}
inline Float4 operator*(Float4 a, Float4 b) {
  return each_lane([&](int i) { return a.v[i] * b.v[i]; });
}
inline Float4 operator/(Float4 a, Float4 b) {
  return each_lane([&](int i) { return a.v[i] / b.v[i]; });
}
inline Float4 operator-(Float4 a) {
  return each_lane([&](int i) { return -a.v[i]; });
}
inline Mask4 operator<(Float4 a, Float4 b) {
  return {{a.v[0] < b.v[0], a.v[1] < b.v[1], a.v[2] < b.v[2], a.v[3] < b.v[3]}};
}
inline Mask4 operator>(Float4 a, Float4 b) { return b < a; }
inline Mask4 operator&(Mask4 a, Mask4 b) {
  return {{a.v[0] && b.v[0], a.v[1] && b.v[1], a.v[2] && b.v[2], a.v[3] && b.v[3]}};
}
inline Mask4 operator|(Mask4 a, Mask4 b) {
  return {{a.v[0] || b.v[0], a.v[1] || b.v[1], a.v[2] || b.v[2], a.v[3] || b.v[3]}};
}
inline Float4 select(Mask4 mask, Float4 yes, Float4 no) {
  return each_lane([&](int i) { return mask.v[i] ? yes.v[i] : no.v[i]; });
}
inline Float4 sqrt(Float4 a) {
  return each_lane([&](int i) { return std::sqrt(a.v[i]); });
}
inline Float4 flip_sign(Float4 a, Float4 b) {
  return each_lane([&](int i) { return std::signbit(b.v[i]) ? -a.v[i] : a.v[i]; });
}
inline void transpose(Float4& a, Float4& b, Float4& c, Float4& d) {
  const Float4 a0 = a, b0 = b, c0 = c, d0 = d;
  a = Float4(a0[0], b0[0], c0[0], d0[0]);
  b = Float4(a0[1], b0[1], c0[1], d0[1]);
  c = Float4(a0[2], b0[2], c0[2], d0[2]);
  d = Float4(a0[3], b0[3], c0[3], d0[3]);
}

#endif

inline Float4 operator*(Float4 a, float s) { return a * Float4(s); }
inline Float4 lerp(Float4 a, Float4 b, Float4 t) { return a + (b - a) * t; }

// ---- structure-of-arrays types: lane i belongs to joint i of a group of four -------------------

struct SoaVec3 {
  Float4 x, y, z;
};
struct SoaQuat {
  Float4 x, y, z, w;
};

// Local transforms of four joints: the unit of every pose buffer (160 bytes).
struct SoaTransform {
  SoaVec3 translation;
  SoaQuat rotation;
  SoaVec3 scale;

  static SoaTransform identity() {
    const Float4 zero(0.0f), one(1.0f);
    return {{zero, zero, zero}, {zero, zero, zero, one}, {one, one, one}};
  }
};

inline SoaVec3 operator+(const SoaVec3& a, const SoaVec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline SoaVec3 operator-(const SoaVec3& a, const SoaVec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline SoaVec3 operator*(const SoaVec3& a, Float4 s) { return {a.x * s, a.y * s, a.z * s}; }
inline SoaVec3 operator*(const SoaVec3& a, const SoaVec3& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
inline SoaVec3 lerp(const SoaVec3& a, const SoaVec3& b, Float4 t) { return a + (b - a) * t; }
inline SoaVec3 cross(const SoaVec3& a, const SoaVec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline Float4 dot(const SoaQuat& a, const SoaQuat& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
inline SoaQuat operator+(const SoaQuat& a, const SoaQuat& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
inline SoaQuat operator*(const SoaQuat& a, Float4 s) {
  return {a.x * s, a.y * s, a.z * s, a.w * s};
}
inline SoaQuat operator*(const SoaQuat& a, const SoaQuat& b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
inline SoaQuat conjugate(const SoaQuat& q) { return {-q.x, -q.y, -q.z, q.w}; }
// b with its sign chosen so that it lies on a's half sphere.
inline SoaQuat align(const SoaQuat& a, const SoaQuat& b) {
  const Float4 d = dot(a, b);
  return {flip_sign(b.x, d), flip_sign(b.y, d), flip_sign(b.z, d), flip_sign(b.w, d)};
}
// Unit length; lanes without a direction (zero, not finite) become the identity.
inline SoaQuat normalize(const SoaQuat& q) {
  const Float4 l2 = dot(q, q);
  const Mask4 good = (l2 > Float4(1e-24f)) & (l2 < Float4(std::numeric_limits<float>::infinity()));
  const Float4 zero(0.0f), one(1.0f);
  const Float4 inv = one / sqrt(select(good, l2, one));
  return {select(good, q.x * inv, zero), select(good, q.y * inv, zero),
          select(good, q.z * inv, zero), select(good, q.w * inv, one)};
}
inline SoaVec3 rotate(const SoaQuat& q, const SoaVec3& v) {
  const SoaVec3 u{q.x, q.y, q.z};
  const SoaVec3 c = cross(u, v);
  const SoaVec3 t = c + c;
  return v + t * q.w + cross(u, t);
}

// Where a normalized linear blend has to stop to lie where slerp would at t, for unit quaternions
// with dot product d >= 0: t + t (t - 1/2) (t - 1) k, k a polynomial in d. Off by less than 1e-3
// rad at half a turn, 1e-5 at 60 degrees. Source: Kapoulkine, "Approximating slerp" (2018).
inline Float4 slerp_time(Float4 t, Float4 d) {
  const Float4 half(0.5f);
  const Float4 a =
      Float4(1.0904f) + d * (Float4(-3.2452f) + d * (Float4(3.55645f) - d * Float4(1.43519f)));
  const Float4 b = Float4(0.848013f) + d * (Float4(-1.06021f) + d * Float4(0.215638f));
  const Float4 middle = t - half;
  const Float4 k = a * (middle * middle) + b;
  return t + t * middle * (t - Float4(1.0f)) * k;
}

// One lane out of, and into, a group.
inline Transform get_lane(const SoaTransform& g, int lane) {
  return {{g.translation.x[lane], g.translation.y[lane], g.translation.z[lane]},
          {g.rotation.x[lane], g.rotation.y[lane], g.rotation.z[lane], g.rotation.w[lane]},
          {g.scale.x[lane], g.scale.y[lane], g.scale.z[lane]}};
}
inline void set_lane(SoaTransform& g, int lane, const Transform& t) {
  g.translation.x.set(lane, t.translation.x);
  g.translation.y.set(lane, t.translation.y);
  g.translation.z.set(lane, t.translation.z);
  g.rotation.x.set(lane, t.rotation.x);
  g.rotation.y.set(lane, t.rotation.y);
  g.rotation.z.set(lane, t.rotation.z);
  g.rotation.w.set(lane, t.rotation.w);
  g.scale.x.set(lane, t.scale.x);
  g.scale.y.set(lane, t.scale.y);
  g.scale.z.set(lane, t.scale.z);
}

}  // namespace sinew
