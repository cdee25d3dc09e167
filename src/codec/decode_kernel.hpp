// The decoder's inner loops, written once for four lanes.
#pragma once

#include "payload.hpp"

namespace sinew::codec {

#if defined(SINEW_VECTOR_EXTENSIONS)
using UInt4 = std::uint32_t __attribute__((vector_size(16)));
using SInt4 = std::int32_t __attribute__((vector_size(16)));

inline UInt4 load_words(const std::byte* p) {
  UInt4 v;
  std::memcpy(&v, p, 16);
  return v;
}
inline UInt4 shift_right(UInt4 v, unsigned n) { return v >> n; }
inline UInt4 shift_left(UInt4 v, unsigned n) { return v << n; }
inline UInt4 bit_or(UInt4 a, UInt4 b) { return a | b; }
inline UInt4 mask_low(UInt4 v, std::uint32_t mask) { return v & UInt4{mask, mask, mask, mask}; }
inline Float4 to_float(UInt4 v, SInt4 base) { return __builtin_convertvector((SInt4)v + base, Float4Register); }
inline SInt4 load_base(const std::int32_t* p) {
  SInt4 v;
  std::memcpy(&v, p, 16);
  return v;
}
inline SInt4 load_base(const std::int16_t* p) {
  using Short4 = std::int16_t __attribute__((vector_size(8)));
  Short4 v;
  std::memcpy(&v, p, 8);
  return __builtin_convertvector(v, SInt4);
}
#else
struct UInt4 { std::uint32_t v[4]; };
struct SInt4 { std::int32_t v[4]; };
template <class F>
inline UInt4 each_word(F f) { return {{f(0), f(1), f(2), f(3)}}; }
inline UInt4 load_words(const std::byte* p) { return read<UInt4>(p); }
inline UInt4 shift_right(UInt4 a, unsigned n) { return each_word([&](int i) { return a.v[i] >> n; }); }
inline UInt4 shift_left(UInt4 a, unsigned n) { return each_word([&](int i) { return a.v[i] << n; }); }
inline UInt4 bit_or(UInt4 a, UInt4 b) { return each_word([&](int i) { return a.v[i] | b.v[i]; }); }
inline UInt4 mask_low(UInt4 a, std::uint32_t mask) { return each_word([&](int i) { return a.v[i] & mask; }); }
inline Float4 to_float(UInt4 a, SInt4 base) {
  const auto lane = [&](int i) { return static_cast<float>(static_cast<std::int32_t>(a.v[i]) + base.v[i]); };
  return {lane(0), lane(1), lane(2), lane(3)};
}
inline SInt4 load_base(const std::int32_t* p) { return {{p[0], p[1], p[2], p[3]}}; }
inline SInt4 load_base(const std::int16_t* p) { return {{p[0], p[1], p[2], p[3]}}; }
#endif

// The `width` bits at bit `at` of the four lanes' streams. The words behind the last one exist.
inline UInt4 unpack(const std::byte* stream, std::size_t at, unsigned width) {
  const std::byte* word = stream + (at >> 5) * 16;
  const auto s = static_cast<unsigned>(at & 31);
  // Shifts by 32 are undefined: the upper word is shifted twice.
  const UInt4 low = shift_right(load_words(word), s);
  const UInt4 high = shift_left(shift_left(load_words(word + 16), 1), 31 - s);
  return mask_low(bit_or(low, high), (1u << width) - 1u);
}

// Where a decode reads: one key and the fraction of the way to the next.
struct Cursor {
  const std::byte* segment = nullptr;
  std::size_t keys = 0;  // in this segment
  std::size_t key = 0;   // in [0, keys - 2], or 0 if there is one key
  float fraction = 0;
};

using DecodeKernel = void (*)(const Header& header, const GroupTable* tables, const Cursor& cursor, float* pose);

void decode_generic(const Header& header, const GroupTable* tables, const Cursor& cursor, float* pose);
void decode_avx2(const Header& header, const GroupTable* tables, const Cursor& cursor, float* pose);

// Strides of a pose seen as floats.
inline constexpr int kGroupFloats = 40;
inline constexpr int kTranslationFloat = 0, kRotationFloat = 12, kScaleFloat = 28;
static_assert(sizeof(SoaTransform) == kGroupFloats * sizeof(float));

inline void scatter(const GroupTable& table, const Float4* v, int count, float* pose) {
  for (int lane = 0; lane < 4; ++lane) {
    float* out = pose + table.destination[lane];
    for (int c = 0; c < count; ++c) out[4 * c] = v[c][lane];
  }
}

}  // namespace sinew::codec
