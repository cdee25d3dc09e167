#include <sinew/codec/decode.hpp>

#include <algorithm>
#include <cassert>

#include <sinew/base/text.hpp>

#include "decode_kernel.hpp"
#include "tables.hpp"

namespace sinew {
namespace codec {
namespace {

// Both keys of one group, scaled.
struct Keys {
  Float4 a[4], b[4];
};

template <class Base>
void unpack_group(const GroupTable& table, const std::byte* stream, const std::uint8_t* widths, const std::byte* bases,
                  int count, std::size_t key, std::size_t bits, bool two, Keys& out) {
  std::size_t at = key * bits;
  const std::size_t next = two ? bits : 0;
  for (int c = 0; c < count; ++c) {
    Base lanes[4];
    std::memcpy(lanes, bases + static_cast<std::size_t>(c) * sizeof lanes, sizeof lanes);
    const SInt4 base = load_base(lanes);
    out.a[c] = to_float(unpack(stream, at, widths[c]), base) * table.step[c];
    out.b[c] = to_float(unpack(stream, at + next, widths[c]), base) * table.step[c];
    at += widths[c];
  }
}

void finish_rotation3(const GroupTable& table, const Keys& k, Float4 t, float* pose) {
  const Float4 zero(0.0f), one(1.0f);
  const auto rebuild_w = [&](const Float4* v) {
    const Float4 rest = one - (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return sqrt(select(zero < rest, rest, zero));
  };
  const Float4 wa = rebuild_w(k.a), wb = rebuild_w(k.b);
  const SoaQuat q = normalize(SoaQuat{lerp(k.a[0], k.b[0], t), lerp(k.a[1], k.b[1], t), lerp(k.a[2], k.b[2], t),
                                      lerp(wa, wb, t)});
  const SoaQuat r = table.mean * q;
  const Float4 v[4] = {r.x, r.y, r.z, r.w};
  scatter(table, v, 4, pose);
}

void finish_rotation4(const GroupTable& table, const Keys& k, Float4 t, float* pose) {
  const SoaQuat q = normalize(SoaQuat{lerp(k.a[0], k.b[0], t), lerp(k.a[1], k.b[1], t), lerp(k.a[2], k.b[2], t),
                                      lerp(k.a[3], k.b[3], t)});
  const Float4 v[4] = {q.x, q.y, q.z, q.w};
  scatter(table, v, 4, pose);
}

void finish_vector(const GroupTable& table, const Keys& k, Float4 t, float* pose) {
  const Float4 v[3] = {lerp(k.a[0], k.b[0], t), lerp(k.a[1], k.b[1], t), lerp(k.a[2], k.b[2], t)};
  scatter(table, v, 3, pose);
}

}  // namespace

void decode_generic(const Header& header, const GroupTable* tables, const Cursor& cursor, float* pose) {
  SegmentReader reader(header, cursor);
  const Float4 t(cursor.fraction);
  const bool two = cursor.keys > 1;
  for (int kind = 0; kind < kKindCount; ++kind) {
    const int count = components(kind);
    for (int g = 0; g < header.groups[kind]; ++g, ++tables) {
      const SegmentReader::Group group = reader.next(kind);
      Keys keys;
      if (short_base(kind)) {
        unpack_group<std::int16_t>(*tables, group.stream, group.widths, group.bases, count, cursor.key, group.bits, two, keys);
      } else {
        unpack_group<std::int32_t>(*tables, group.stream, group.widths, group.bases, count, cursor.key, group.bits, two, keys);
      }
      switch (kind) {
        case kRotation3: finish_rotation3(*tables, keys, t, pose); break;
        case kRotation4: finish_rotation4(*tables, keys, t, pose); break;
        default: finish_vector(*tables, keys, t, pose); break;
      }
    }
  }
}

namespace {

InstructionSet best_set() {
  return is_available(InstructionSet::kAvx2)   ? InstructionSet::kAvx2
         : is_available(InstructionSet::kSse2) ? InstructionSet::kSse2
                                               : InstructionSet::kPortable;
}

DecodeKernel kernel_for(InstructionSet set) {
#if defined(SINEW_CODEC_AVX2)
  if (set == InstructionSet::kAvx2) return decode_avx2;
#endif
  (void)set;
  return decode_generic;
}

DecodeKernel g_kernel = kernel_for(best_set());

}  // namespace
}  // namespace codec

bool is_available(InstructionSet set) {
  switch (set) {
    case InstructionSet::kPortable: return true;
#if defined(__SSE2__)
    case InstructionSet::kSse2: return true;
#else
    case InstructionSet::kSse2: return false;
#endif
    case InstructionSet::kAvx2:
#if defined(SINEW_CODEC_AVX2)
      return __builtin_cpu_supports("avx2") != 0;
#else
      return false;
#endif
  }
  return false;
}

void force_instruction_set(InstructionSet set) { codec::g_kernel = codec::kernel_for(set); }

void decode(const Clip& clip, float time, std::span<SoaTransform> out) {
  using namespace codec;
  assert(clip.is_compressed());
  const std::byte* payload = clip.payload().data();
  const Header header = read<Header>(payload);
  assert(out.size() == header.pose_groups);
  const auto tables = clip.decode_tables();
  std::memcpy(static_cast<void*>(out.data()), tables.data(), out.size() * sizeof(SoaTransform));
  const auto* groups = reinterpret_cast<const GroupTable*>(tables.data() + out.size() * sizeof(SoaTransform));

  // The same place as in uncompressed clips.
  std::size_t key = 0;
  float fraction = 0;
  if (time > 0.0f && header.sample_count > 1) {
    if (time >= clip.duration()) {
      key = header.sample_count - 2;
      fraction = 1.0f;
    } else {
      const float at = time / clip.interval();
      key = std::min(static_cast<std::size_t>(at), static_cast<std::size_t>(header.sample_count) - 2);
      fraction = clamp01(at - static_cast<float>(key));
    }
  }
  const std::size_t segment = key / header.segment_length;
  const std::size_t first = segment * header.segment_length;
  Cursor cursor;
  cursor.segment = payload + read<std::uint32_t>(payload + header.segments + segment * 4);
  cursor.keys = std::min<std::size_t>(header.segment_length + 1, header.sample_count - first);
  cursor.key = key - first;
  cursor.fraction = fraction;
  g_kernel(header, groups, cursor, reinterpret_cast<float*>(out.data()));
}

}  // namespace sinew
