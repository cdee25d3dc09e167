// One vector or quaternion in a Float4, for code that works on single joints: (x, y, z, any) or
// (x, y, z, w). The same bits on every machine, as all of simd.hpp; not the same as the functions
// of vec.hpp and quat.hpp, whose sums are ordered otherwise.
#pragma once

#include <sinew/math/simd.hpp>

namespace sinew {

// Lanes A, B, C, D of `a`.
template <int A, int B, int C, int D>
inline Float4 shuffle(Float4 a) {
#if defined(SINEW_VECTOR_EXTENSIONS)
#if defined(__SSE2__)
  // As integers, since that form of the instruction needs no copy of its source.
  return Float4(Float4Register(_mm_castsi128_ps(
      _mm_shuffle_epi32(_mm_castps_si128(__m128(a.v)), A | B << 2 | C << 4 | D << 6))));
#else
  return Float4(Float4Register(__builtin_shufflevector(a.v, a.v, A, B, C, D)));
#endif
#else
  return {a.v[A], a.v[B], a.v[C], a.v[D]};
#endif
}
template <int Lane>
inline Float4 splat(Float4 a) {
  return shuffle<Lane, Lane, Lane, Lane>(a);
}
// True if every lane of the mask is set.
inline bool all(Mask4 mask) {
#if defined(SINEW_VECTOR_EXTENSIONS) && defined(__SSE2__)
  return _mm_movemask_ps(__m128(Float4Register(mask.v))) == 15;
#else
  return mask.v[0] && mask.v[1] && mask.v[2] && mask.v[3];
#endif
}
// True if every lane is a finite number: what is not stays NaN under a product with zero.
inline bool all_finite(Float4 a) { return all(a * Float4(0.0f) < Float4(1.0f)); }

inline Float4 to_wide(Vec3 v) { return {v.x, v.y, v.z, 0}; }
inline Float4 to_wide(Quat q) { return {q.x, q.y, q.z, q.w}; }
inline Vec3 to_vec3(Float4 v) { return {v[0], v[1], v[2]}; }
inline Quat to_quat(Float4 q) { return {q[0], q[1], q[2], q[3]}; }

// Of x, y, z, in every lane.
inline Float4 dot3(Float4 a, Float4 b) {
  const Float4 p = a * b;
  return (splat<0>(p) + splat<1>(p)) + splat<2>(p);
}
// Of all four lanes, in every lane.
inline Float4 dot4(Float4 a, Float4 b) {
  const Float4 p = a * b;
  const Float4 q = p + shuffle<2, 3, 0, 1>(p);
  return q + shuffle<1, 0, 3, 2>(q);
}
// Lane w is w * w - w * w: 0 where both are finite.
inline Float4 cross3(Float4 a, Float4 b) {
  return shuffle<1, 2, 0, 3>(a * shuffle<1, 2, 0, 3>(b) - shuffle<1, 2, 0, 3>(a) * b);
}

// Changes the sign of x, y and z (of a quaternion: its conjugate).
inline Float4 negate_xyz(Float4 a) { return flip_sign(a, Float4(-1.0f, -1.0f, -1.0f, 1.0f)); }

// The product a * b of quaternions: first b, then a. In the order of terms that lets all shuffles
// of b be done before a is known, for chains.
inline Float4 quat_product(Float4 a, Float4 b) {
  const Float4 x = flip_sign(shuffle<3, 2, 1, 0>(b), Float4(1.0f, -1.0f, 1.0f, -1.0f));
  const Float4 y = flip_sign(shuffle<2, 3, 0, 1>(b), Float4(1.0f, 1.0f, -1.0f, -1.0f));
  const Float4 z = flip_sign(shuffle<1, 0, 3, 2>(b), Float4(-1.0f, 1.0f, 1.0f, -1.0f));
  return (splat<3>(a) * b + splat<0>(a) * x) + (splat<1>(a) * y + splat<2>(a) * z);
}
// v turned by the unit quaternion q; lane w of v stays.
inline Float4 quat_rotate(Float4 q, Float4 v) {
  const Float4 c = cross3(q, v);
  const Float4 t = c + c;
  return v + splat<3>(q) * t + cross3(q, t);
}
// Unit length; a quaternion without a direction (zero, not finite) gives the identity.
inline Float4 quat_normalize(Float4 q) {
  const Float4 l2 = dot4(q, q);
  const Mask4 good = (l2 > Float4(1e-24f)) & (l2 < Float4(std::numeric_limits<float>::infinity()));
  if (!all(good)) return {0, 0, 0, 1};
  return q * (Float4(1.0f) / sqrt(l2));
}
// The same for a quaternion that has drifted from unit length by roundings: one Newton step.
inline Float4 quat_renormalize(Float4 q) {
  const Float4 l2 = dot4(q, q);
  const float off = l2[0] - 1.0f;
  if (!(off < 1e-4f && off > -1e-4f)) return quat_normalize(q);
  return q * (Float4(1.5f) - Float4(0.5f) * l2);
}
// b with its sign chosen so that it lies on a's half sphere.
inline Float4 quat_align(Float4 a, Float4 b) { return flip_sign(b, dot4(a, b)); }
// Normalized linear blend along the shorter way, t in [0, 1].
inline Float4 quat_nlerp(Float4 a, Float4 b, float t) {
  return quat_normalize(a * (1.0f - t) + quat_align(a, b) * t);
}

}  // namespace sinew
