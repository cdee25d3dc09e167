// The decoder on 256-bit registers: two groups side by side. Same operations in the same order as
// decode_generic(), hence the same bits.
#include <sinew/math/instruction_set.hpp>

#include "decode_kernel.hpp"
#include "tables.hpp"

#if defined(SINEW_HAS_AVX2)
#include <type_traits>

#include <immintrin.h>

SINEW_AVX2_BEGIN

namespace sinew::codec {
namespace {

using F8 = __m256;
using I8 = __m256i;

// Shift counts and masks by value, as loads cost less here than building vectors.
struct alignas(32) CountTable {
  std::int32_t right[64][4];
  std::int32_t mask[32][4];
};
constexpr CountTable make_counts() {
  CountTable t{};
  for (int i = 0; i < 64; ++i) {
    for (int lane = 0; lane < 4; ++lane) t.right[i][lane] = i;
  }
  for (int i = 0; i < 32; ++i) {
    for (int lane = 0; lane < 4; ++lane)
      t.mask[i][lane] = static_cast<std::int32_t>((1u << i) - 1u);
  }
  return t;
}
constexpr CountTable kCounts = make_counts();

inline I8 join(const void* low, const void* high) {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128(static_cast<const __m128i*>(low))),
      _mm_loadu_si128(static_cast<const __m128i*>(high)), 1);
}
inline F8 join(Float4 low, Float4 high) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(__m128(low.v)), __m128(high.v), 1);
}

struct Keys8 {
  F8 a[3], b[3];
};

// widths up to 16: both keys come out of one extraction.
template <class Base>
inline void unpack_two(const GroupTable* tables, const SegmentReader::Group& p,
                       const SegmentReader::Group& q, const Cursor& cursor, Keys8& out) {
  std::size_t first_p = 0, first_q = 0;
#pragma GCC unroll 3
  for (int c = 0; c < 3; ++c) {
    const std::size_t wp = p.widths[c], wq = q.widths[c];
    const std::size_t at_p = first_p + cursor.key * wp, at_q = first_q + cursor.key * wq;
    const std::byte* word_p = p.stream + (at_p >> 5) * 16;
    const std::byte* word_q = q.stream + (at_q >> 5) * 16;
    const I8 right = join(kCounts.right[at_p & 31], kCounts.right[at_q & 31]);
    const I8 left = _mm256_sub_epi32(_mm256_set1_epi32(32), right);
    const I8 bits = _mm256_or_si256(_mm256_srlv_epi32(join(word_p, word_q), right),
                                    _mm256_sllv_epi32(join(word_p + 16, word_q + 16), left));
    const I8 mask = join(kCounts.mask[wp], kCounts.mask[wq]);
    const I8 next = join(kCounts.right[wp * cursor.ahead], kCounts.right[wq * cursor.ahead]);
    I8 base;
    if constexpr (sizeof(Base) == 2) {
      const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p.bases + 8 * c));
      const __m128i high = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(q.bases + 8 * c));
      base = _mm256_cvtepi16_epi32(_mm_unpacklo_epi64(low, high));
    } else {
      base = join(p.bases + 16 * c, q.bases + 16 * c);
    }
    const F8 step = join(tables[0].step[c], tables[1].step[c]);
    const I8 a = _mm256_add_epi32(_mm256_and_si256(bits, mask), base);
    const I8 b = _mm256_add_epi32(_mm256_and_si256(_mm256_srlv_epi32(bits, next), mask), base);
    out.a[c] = _mm256_mul_ps(_mm256_cvtepi32_ps(a), step);
    out.b[c] = _mm256_mul_ps(_mm256_cvtepi32_ps(b), step);
    first_p += cursor.keys * wp;
    first_q += cursor.keys * wq;
  }
}

inline F8 mul(F8 a, F8 b) { return _mm256_mul_ps(a, b); }
inline F8 add(F8 a, F8 b) { return _mm256_add_ps(a, b); }
inline F8 sub(F8 a, F8 b) { return _mm256_sub_ps(a, b); }
inline F8 mix(F8 a, F8 b, F8 t) { return add(a, mul(sub(b, a), t)); }

inline F8 rebuild_w(F8 x, F8 y, F8 z) {
  const F8 zero = _mm256_setzero_ps();
  const F8 sum =
      _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(x, x), _mm256_mul_ps(y, y)), _mm256_mul_ps(z, z));
  const F8 rest = _mm256_sub_ps(_mm256_set1_ps(1.0f), sum);
  return _mm256_sqrt_ps(_mm256_and_ps(rest, _mm256_cmp_ps(zero, rest, _CMP_LT_OQ)));
}

template <int Count>
inline void scatter_two(const GroupTable* tables, const F8* v, float* pose) {
  alignas(32) float lanes[Count][8];
  for (int c = 0; c < Count; ++c) _mm256_store_ps(lanes[c], v[c]);
#pragma GCC unroll 8
  for (int lane = 0; lane < 8; ++lane) {
    float* out = pose + tables[lane / 4].destination[lane % 4];
#pragma GCC unroll 4
    for (int c = 0; c < Count; ++c) out[4 * c] = lanes[c][lane];
  }
}

inline void write_two(const GroupTable* tables, F8 x, F8 y, F8 z, F8 w, float* pose) {
  const F8 mx = join(tables[0].mean.x, tables[1].mean.x),
           my = join(tables[0].mean.y, tables[1].mean.y);
  const F8 mz = join(tables[0].mean.z, tables[1].mean.z),
           mw = join(tables[0].mean.w, tables[1].mean.w);
  const F8 v[4] = {sub(add(add(mul(mw, x), mul(mx, w)), mul(my, z)), mul(mz, y)),
                   add(add(sub(mul(mw, y), mul(mx, z)), mul(my, w)), mul(mz, x)),
                   add(sub(add(mul(mw, z), mul(mx, y)), mul(my, x)), mul(mz, w)),
                   sub(sub(sub(mul(mw, w), mul(mx, x)), mul(my, y)), mul(mz, z))};
  scatter_two<4>(tables, v, pose);
}

inline bool narrow(const SegmentReader::Group& g) {
  return g.widths[0] <= 16 && g.widths[1] <= 16 && g.widths[2] <= 16;
}

template <int kind>
inline void finish_two(const GroupTable* tables, const Keys8& k, F8 t, float* pose) {
  const F8 x = mix(k.a[0], k.b[0], t), y = mix(k.a[1], k.b[1], t), z = mix(k.a[2], k.b[2], t);
  if constexpr (kind == kRotation) {
    write_two(tables, x, y, z, rebuild_w(x, y, z), pose);
  } else if constexpr (kind == kFastRotation) {
    const F8 w = mix(rebuild_w(k.a[0], k.a[1], k.a[2]), rebuild_w(k.b[0], k.b[1], k.b[2]), t);
    const F8 l2 = add(add(add(mul(x, x), mul(y, y)), mul(z, z)), mul(w, w));
    const F8 tiny = _mm256_set1_ps(1e-24f);
    const F8 safe = _mm256_blendv_ps(tiny, l2, _mm256_cmp_ps(tiny, l2, _CMP_LT_OQ));
    const F8 inv = _mm256_div_ps(_mm256_set1_ps(1.0f), _mm256_sqrt_ps(safe));
    write_two(tables, mul(x, inv), mul(y, inv), mul(z, inv), mul(w, inv), pose);
  } else {
    const F8 v[3] = {x, y, z};
    scatter_two<3>(tables, v, pose);
  }
}

// One kind: pairs by 256 bits, what is left over, or too wide, by the generic code.
template <int kind>
inline const GroupTable* decode_kind(const Header& header, const GroupTable* tables,
                                     SegmentReader& reader, const Cursor& cursor, F8 t,
                                     float* pose) {
  using Base = std::conditional_t<short_base(kind), std::int16_t, std::int32_t>;
  int g = 0;
  Keys8 keys;
  for (; g + 1 < header.groups[kind]; g += 2, tables += 2) {
    const SegmentReader::Group p = reader.next<kind>(), q = reader.next<kind>();
    if (narrow(p) && narrow(q)) {
      unpack_two<Base>(tables, p, q, cursor, keys);
      finish_two<kind>(tables, keys, t, pose);
    } else {
      decode_group(kind, tables[0], p, cursor, pose);
      decode_group(kind, tables[1], q, cursor, pose);
    }
  }
  if (g < header.groups[kind]) decode_group(kind, *tables++, reader.next<kind>(), cursor, pose);
  return tables;
}

}  // namespace

void decode_avx2(const Header& header, const GroupTable* tables, const Cursor& cursor,
                 float* pose) {
  SegmentReader reader(header, cursor);
  const F8 t = _mm256_set1_ps(cursor.fraction);
  tables = decode_kind<kRotation>(header, tables, reader, cursor, t, pose);
  tables = decode_kind<kFastRotation>(header, tables, reader, cursor, t, pose);
  for (int g = 0; g < header.groups[kWholeRotation]; ++g) {
    decode_group(kWholeRotation, *tables++, reader.next<kWholeRotation>(), cursor, pose);
  }
  tables = decode_kind<kTranslation>(header, tables, reader, cursor, t, pose);
  decode_kind<kScale>(header, tables, reader, cursor, t, pose);
}

}  // namespace sinew::codec

SINEW_AVX2_END
#endif
