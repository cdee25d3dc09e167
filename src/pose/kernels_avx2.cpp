#include "kernels.hpp"

#if defined(SINEW_HAS_AVX2)
#include <limits>

#include <immintrin.h>

SINEW_AVX2_BEGIN

namespace sinew::kernels {
namespace {

using F8 = __m256;

inline F8 add(F8 a, F8 b) { return _mm256_add_ps(a, b); }
inline F8 sub(F8 a, F8 b) { return _mm256_sub_ps(a, b); }
inline F8 mul(F8 a, F8 b) { return _mm256_mul_ps(a, b); }
inline F8 mix(F8 a, F8 b, F8 t) { return add(a, mul(sub(b, a), t)); }

// As in math/simd.hpp.
inline F8 slerp_time(F8 t, F8 d) {
  const F8 a =
      add(_mm256_set1_ps(1.0904f),
          mul(d, add(_mm256_set1_ps(-3.2452f),
                     mul(d, sub(_mm256_set1_ps(3.55645f), mul(d, _mm256_set1_ps(1.43519f)))))));
  const F8 b = add(_mm256_set1_ps(0.848013f),
                   mul(d, add(_mm256_set1_ps(-1.06021f), mul(d, _mm256_set1_ps(0.215638f)))));
  const F8 middle = sub(t, _mm256_set1_ps(0.5f));
  const F8 k = add(mul(a, mul(middle, middle)), b);
  return add(t, mul(mul(mul(t, middle), sub(t, _mm256_set1_ps(1.0f))), k));
}

inline const float* floats(const SoaTransform* g) { return reinterpret_cast<const float*>(g); }
inline float* floats(SoaTransform* g) { return reinterpret_cast<float*>(g); }

// The same four lanes of two neighbouring groups (40 floats apart).
inline F8 load_two(const float* p) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(p)), _mm_load_ps(p + 40), 1);
}
inline void store_two(float* p, F8 v) {
  _mm_store_ps(p, _mm256_castps256_ps128(v));
  _mm_store_ps(p + 40, _mm256_extractf128_ps(v, 1));
}

struct Quat8 {
  F8 x, y, z, w;
};
inline Quat8 load_rotations(const float* p) {
  return {load_two(p + 12), load_two(p + 16), load_two(p + 20), load_two(p + 24)};
}
inline void store_rotations(float* p, const Quat8& q) {
  store_two(p + 12, q.x);
  store_two(p + 16, q.y);
  store_two(p + 20, q.z);
  store_two(p + 24, q.w);
}
inline F8 dot(const Quat8& a, const Quat8& b) {
  return add(add(add(mul(a.x, b.x), mul(a.y, b.y)), mul(a.z, b.z)), mul(a.w, b.w));
}
inline Quat8 normalize(const Quat8& q) {
  const F8 l2 = dot(q, q);
  const F8 one = _mm256_set1_ps(1.0f);
  const F8 good = _mm256_and_ps(
      _mm256_cmp_ps(_mm256_set1_ps(1e-24f), l2, _CMP_LT_OQ),
      _mm256_cmp_ps(l2, _mm256_set1_ps(std::numeric_limits<float>::infinity()), _CMP_LT_OQ));
  const F8 inv = _mm256_div_ps(one, _mm256_sqrt_ps(_mm256_blendv_ps(one, l2, good)));
  Quat8 r{mul(q.x, inv), mul(q.y, inv), mul(q.z, inv), mul(q.w, inv)};
  if (_mm256_movemask_ps(good) != 0xff) {  // never with rotations of unit length
    const F8 zero = _mm256_setzero_ps();
    r = {_mm256_blendv_ps(zero, r.x, good), _mm256_blendv_ps(zero, r.y, good),
         _mm256_blendv_ps(zero, r.z, good), _mm256_blendv_ps(one, r.w, good)};
  }
  return r;
}

inline Quat8 blend_rotations(const Quat8& a, const Quat8& b, F8 w, F8 v) {
  const F8 sign = _mm256_and_ps(dot(a, b), _mm256_set1_ps(-0.0f));
  const F8 bx = _mm256_xor_ps(b.x, sign), by = _mm256_xor_ps(b.y, sign);
  const F8 bz = _mm256_xor_ps(b.z, sign), bw = _mm256_xor_ps(b.w, sign);
  return normalize({add(mul(a.x, v), mul(bx, w)), add(mul(a.y, v), mul(by, w)),
                    add(mul(a.z, v), mul(bz, w)), add(mul(a.w, v), mul(bw, w))});
}

// Translation and scale of one group: 12 floats each, one wide and one narrow register.
inline void mix_twelve(const float* a, const float* b, F8 t, float* out) {
  const __m128 t4 = _mm256_castps256_ps128(t);
  const F8 a8 = _mm256_loadu_ps(a), b8 = _mm256_loadu_ps(b);
  const __m128 a4 = _mm_load_ps(a + 8), b4 = _mm_load_ps(b + 8);
  _mm256_storeu_ps(out, mix(a8, b8, t));
  _mm_store_ps(out + 8, _mm_add_ps(a4, _mm_mul_ps(_mm_sub_ps(b4, a4), t4)));
}
inline void mix_translation_scale(const float* a, const float* b, F8 t, float* out) {
  mix_twelve(a, b, t, out);
  mix_twelve(a + 28, b + 28, t, out + 28);
}

}  // namespace

void blend_avx2(const SoaTransform* from, const SoaTransform* to, float weight, SoaTransform* out,
                std::size_t count) {
  const F8 w = _mm256_set1_ps(weight), v = _mm256_set1_ps(1.0f - weight);
  std::size_t i = 0;
  for (; i + 1 < count; i += 2) {
    const float *a = floats(from + i), *b = floats(to + i);
    float* o = floats(out + i);
    const Quat8 q = blend_rotations(load_rotations(a), load_rotations(b), w, v);
    mix_translation_scale(a, b, w, o);
    mix_translation_scale(a + 40, b + 40, w, o + 40);
    store_rotations(o, q);
  }
  if (i < count) blend_sse(from + i, to + i, weight, out + i, 1);
}

void interpolate_avx2(const SoaTransform* from, const SoaTransform* to, float t, SoaTransform* out,
                      std::size_t count) {
  const F8 w = _mm256_set1_ps(t);
  std::size_t i = 0;
  for (; i + 1 < count; i += 2) {
    const float *a = floats(from + i), *b = floats(to + i);
    float* o = floats(out + i);
    const Quat8 p = load_rotations(a), q = load_rotations(b);
    const F8 u = slerp_time(w, dot(p, q));
    const Quat8 r =
        normalize({mix(p.x, q.x, u), mix(p.y, q.y, u), mix(p.z, q.z, u), mix(p.w, q.w, u)});
    mix_translation_scale(a, b, w, o);
    mix_translation_scale(a + 40, b + 40, w, o + 40);
    store_rotations(o, r);
  }
  if (i < count) interpolate_sse(from + i, to + i, t, out + i, 1);
}

void blend_masked_avx2(const SoaTransform* from, const SoaTransform* to, float weight,
                       const Float4* mask, SoaTransform* out, std::size_t count) {
  const F8 zero = _mm256_setzero_ps(), one = _mm256_set1_ps(1.0f), scale = _mm256_set1_ps(weight);
  std::size_t i = 0;
  for (; i + 1 < count; i += 2) {
    const float *a = floats(from + i), *b = floats(to + i);
    float* o = floats(out + i);
    const F8 w = mul(_mm256_loadu_ps(reinterpret_cast<const float*>(mask + i)), scale);
    const F8 not_full = _mm256_cmp_ps(w, one, _CMP_LT_OQ),
             some = _mm256_cmp_ps(zero, w, _CMP_LT_OQ);
    const Quat8 p = load_rotations(a), q = load_rotations(b);
    const Quat8 r = blend_rotations(p, q, w, sub(one, w));
    const F8 rotations[4] = {r.x, r.y, r.z, r.w}, ps[4] = {p.x, p.y, p.z, p.w},
             qs[4] = {q.x, q.y, q.z, q.w};
    for (int c = 0; c < 3; ++c) {
      for (int offset : {0, 28}) {
        const F8 x = load_two(a + offset + 4 * c), y = load_two(b + offset + 4 * c);
        const F8 partial = _mm256_blendv_ps(x, mix(x, y, w), some);
        store_two(o + offset + 4 * c, _mm256_blendv_ps(y, partial, not_full));
      }
    }
    for (int c = 0; c < 4; ++c) {
      const F8 partial = _mm256_blendv_ps(ps[c], rotations[c], some);
      store_two(o + 12 + 4 * c, _mm256_blendv_ps(qs[c], partial, not_full));
    }
  }
  if (i < count) blend_masked_sse(from + i, to + i, weight, mask + i, out + i, 1);
}

namespace {

inline __m128 add4(__m128 a, __m128 b) { return _mm_add_ps(a, b); }
inline __m128 sub4(__m128 a, __m128 b) { return _mm_sub_ps(a, b); }
inline __m128 mul4(__m128 a, __m128 b) { return _mm_mul_ps(a, b); }

// One row of four joints' matrices, from four columns to one row a joint.
inline void store_rows(__m128 a, __m128 b, __m128 c, __m128 d, float* out) {
  _MM_TRANSPOSE4_PS(a, b, c, d);
  _mm_store_ps(out, a);
  _mm_store_ps(out + 12, b);
  _mm_store_ps(out + 24, c);
  _mm_store_ps(out + 36, d);
}

// The local matrices of four joints, 12 floats each: the formulas of to_matrix().
inline void local_matrices(const float* g, float* out) {
  const __m128 x = _mm_load_ps(g + 12), y = _mm_load_ps(g + 16), z = _mm_load_ps(g + 20),
               w = _mm_load_ps(g + 24);
  const __m128 sx = _mm_load_ps(g + 28), sy = _mm_load_ps(g + 32), sz = _mm_load_ps(g + 36);
  const __m128 one = _mm_set1_ps(1.0f), two = _mm_set1_ps(2.0f);
  const __m128 xx = mul4(x, x), yy = mul4(y, y), zz = mul4(z, z);
  const __m128 xy = mul4(x, y), xz = mul4(x, z), yz = mul4(y, z);
  const __m128 wx = mul4(w, x), wy = mul4(w, y), wz = mul4(w, z);
  store_rows(mul4(sub4(one, mul4(two, add4(yy, zz))), sx), mul4(mul4(two, sub4(xy, wz)), sy),
             mul4(mul4(two, add4(xz, wy)), sz), _mm_load_ps(g), out);
  store_rows(mul4(mul4(two, add4(xy, wz)), sx), mul4(sub4(one, mul4(two, add4(xx, zz))), sy),
             mul4(mul4(two, sub4(yz, wx)), sz), _mm_load_ps(g + 4), out + 4);
  store_rows(mul4(mul4(two, sub4(xz, wy)), sx), mul4(mul4(two, add4(yz, wx)), sy),
             mul4(sub4(one, mul4(two, add4(xx, yy))), sz), _mm_load_ps(g + 8), out + 8);
}

// parent * local: two rows of the product in one wide register, the third in a narrow one.
inline void multiply(const float* parent, const float* local, float* out) {
  const F8 l0 = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(local));
  const F8 l1 = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(local + 4));
  const F8 l2 = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(local + 8));
  const F8 p = _mm256_loadu_ps(parent);
  const __m128 q = _mm_loadu_ps(parent + 8);
  const F8 sum = add(add(mul(_mm256_permute_ps(p, 0x00), l0), mul(_mm256_permute_ps(p, 0x55), l1)),
                     mul(_mm256_permute_ps(p, 0xaa), l2));
  const __m128 sum2 = add4(add4(mul4(_mm_permute_ps(q, 0x00), _mm256_castps256_ps128(l0)),
                                mul4(_mm_permute_ps(q, 0x55), _mm256_castps256_ps128(l1))),
                           mul4(_mm_permute_ps(q, 0xaa), _mm256_castps256_ps128(l2)));
  _mm256_storeu_ps(out, add(sum, _mm256_blend_ps(_mm256_setzero_ps(), p, 0x88)));
  _mm_storeu_ps(out + 8, add4(sum2, _mm_blend_ps(_mm_setzero_ps(), q, 0x8)));
}

}  // namespace

void local_to_model_avx2(const Skeleton& skeleton, const SoaTransform* local, Mat3x4* out,
                         const Mat3x4& root) {
  const std::int16_t* joint_of_slot = skeleton.joint_of_slot().data();
  const std::int16_t* parents = skeleton.parents().data();
  const int groups = skeleton.group_count();
  alignas(32) float matrices[48];
  for (int g = 0; g < groups; ++g, joint_of_slot += 4) {
    local_matrices(floats(local + g), matrices);
#pragma GCC unroll 4
    for (int lane = 0; lane < 4; ++lane) {
      const int joint = joint_of_slot[lane];
      if (joint < 0) break;  // padding comes last
      const int parent = parents[joint];
      const Mat3x4& above = parent < 0 ? root : out[parent];
      multiply(&above.row[0].x, matrices + 12 * lane, &out[joint].row[0].x);
    }
  }
}

}  // namespace sinew::kernels

SINEW_AVX2_END
#endif
