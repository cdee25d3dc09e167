// The decoder's inner loops, written once for four lanes.
#pragma once

#include "payload.hpp"

namespace sinew::codec {

// Four unsigned words, with just the operations that unpacking needs. A shift by 32 or more gives
// 0.
#if defined(SINEW_VECTOR_EXTENSIONS) && defined(__SSE2__)
struct Words {
  __m128i v;
};
inline Words load_words(const std::byte* p) {
  return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))};
}
inline Words shift_right(Words a, unsigned n) {
  return {_mm_srl_epi32(a.v, _mm_cvtsi32_si128(static_cast<int>(n)))};
}
inline Words shift_left(Words a, unsigned n) {
  return {_mm_sll_epi32(a.v, _mm_cvtsi32_si128(static_cast<int>(n)))};
}
inline Words operator|(Words a, Words b) { return {_mm_or_si128(a.v, b.v)}; }
inline Words operator&(Words a, Words b) { return {_mm_and_si128(a.v, b.v)}; }
inline Words operator+(Words a, Words b) { return {_mm_add_epi32(a.v, b.v)}; }
inline Words low_mask(unsigned width) {
  return {_mm_set1_epi32(static_cast<int>((1u << width) - 1u))};
}
inline Float4 to_float(Words a) { return Float4Register(_mm_cvtepi32_ps(a.v)); }
inline Words load_base(const std::int32_t* p) {
  return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))};
}
inline Words load_base(const std::int16_t* p) {
  const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
  return {_mm_srai_epi32(_mm_unpacklo_epi16(low, low), 16)};
}
#else
struct Words {
  std::uint32_t v[4];
};
template <class F>
inline Words each_word(F f) {
  return {{f(0), f(1), f(2), f(3)}};
}
inline Words load_words(const std::byte* p) { return read<Words>(p); }
inline Words shift_right(Words a, unsigned n) {
  return each_word([&](int i) { return n < 32 ? a.v[i] >> n : 0; });
}
inline Words shift_left(Words a, unsigned n) {
  return each_word([&](int i) { return n < 32 ? a.v[i] << n : 0; });
}
inline Words operator|(Words a, Words b) {
  return each_word([&](int i) { return a.v[i] | b.v[i]; });
}
inline Words operator&(Words a, Words b) {
  return each_word([&](int i) { return a.v[i] & b.v[i]; });
}
inline Words operator+(Words a, Words b) {
  return each_word([&](int i) { return a.v[i] + b.v[i]; });
}
inline Words low_mask(unsigned width) {
  return each_word([&](int) { return (1u << width) - 1u; });
}
inline Float4 to_float(Words a) {
  const auto lane = [&](int i) { return static_cast<float>(static_cast<std::int32_t>(a.v[i])); };
  return {lane(0), lane(1), lane(2), lane(3)};
}
template <class T>
inline Words load_base(const T* p) {
  return each_word(
      [&](int i) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(p[i])); });
}
#endif

// The 32 bits from bit `at` on of the four lanes' streams. The words behind the last one exist.
inline Words bits_at(const std::byte* stream, std::size_t at) {
  const std::byte* word = stream + (at >> 5) * 16;
  const auto s = static_cast<unsigned>(at & 31);
  return shift_right(load_words(word), s) | shift_left(load_words(word + 16), 32 - s);
}

// Two neighbouring values of `width` bits (or twice the same: ahead = 0).
struct Pair {
  Words a, b;
};
inline Pair unpack_pair(const std::byte* stream, std::size_t at, unsigned width,
                        std::size_t ahead) {
  const Words mask = low_mask(width);
  const Words first = bits_at(stream, at);
  if (width <= 16)
    return {first & mask, shift_right(first, width * static_cast<unsigned>(ahead)) & mask};
  return {first & mask, bits_at(stream, at + ahead * width) & mask};
}

// Where a decode reads: one key and the fraction of the way to the next.
struct Cursor {
  const std::byte* segment = nullptr;
  std::size_t keys = 0;   // in this segment
  std::size_t key = 0;    // in [0, keys - 2], or 0 if there is one key
  std::size_t ahead = 0;  // 1, or 0 if there is one key
  float fraction = 0;
};

void decode_generic(const Header& header, const GroupTable* tables, const Cursor& cursor,
                    float* pose);
void decode_avx2(const Header& header, const GroupTable* tables, const Cursor& cursor, float* pose);

// Strides of a pose seen as floats.
inline constexpr int kGroupFloats = 40;
inline constexpr int kTranslationFloat = 0, kRotationFloat = 12, kScaleFloat = 28;
static_assert(sizeof(SoaTransform) == kGroupFloats * sizeof(float));

template <int Count>
inline void scatter(const GroupTable& table, const Float4* v, float* pose) {
  // Through memory: four wide stores and scalar loads cost less than as many shuffles.
  alignas(16) float lanes[Count][4];
  for (int c = 0; c < Count; ++c) v[c].store(lanes[c]);
#pragma GCC unroll 4
  for (int lane = 0; lane < 4; ++lane) {
    float* out = pose + table.destination[lane];
#pragma GCC unroll 4
    for (int c = 0; c < Count; ++c) out[4 * c] = lanes[c][lane];
  }
}

}  // namespace sinew::codec
