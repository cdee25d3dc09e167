#include <algorithm>
#include <cassert>

#include <sinew/codec/decode.hpp>
#include <sinew/math/instruction_set.hpp>

#include "decode_kernel.hpp"
#include "tables.hpp"

namespace sinew {
namespace codec {
namespace {

// Both keys of one group, scaled.
struct Keys {
  Float4 a[4], b[4];
};

template <int Count, class Base>
inline void unpack_group(const GroupTable& table, const SegmentReader::Group& group,
                         const Cursor& cursor, Keys& out) {
  std::size_t first = 0;
#pragma GCC unroll 4
  for (int c = 0; c < Count; ++c) {
    const unsigned width = group.widths[c];
    const Words base = load_base(reinterpret_cast<const Base*>(group.bases) + 4 * c);
    const Pair pair = unpack_pair(group.stream, first + cursor.key * width, width, cursor.ahead);
    out.a[c] = to_float(pair.a + base) * table.step[c];
    out.b[c] = to_float(pair.b + base) * table.step[c];
    first += cursor.keys * width;
  }
}

inline Float4 rebuild_w(Float4 x, Float4 y, Float4 z) {
  const Float4 zero(0.0f);
  const Float4 rest = Float4(1.0f) - (x * x + y * y + z * z);
  return sqrt(select(zero < rest, rest, zero));
}

// Unit length. Payloads that are not ours may hold anything: no length gives no length, never NaN.
inline SoaQuat unit(const SoaQuat& q) {
  const Float4 l2 = dot(q, q), tiny(1e-24f);
  return q * (Float4(1.0f) / sqrt(select(tiny < l2, l2, tiny)));
}

inline void write_rotation(const GroupTable& table, const SoaQuat& q, float* pose) {
  const Float4 v[4] = {q.x, q.y, q.z, q.w};
  scatter<4>(table, v, pose);
}

inline void finish_rotation(const GroupTable& table, const Keys& k, Float4 t, float* pose) {
  const Float4 x = lerp(k.a[0], k.b[0], t), y = lerp(k.a[1], k.b[1], t),
               z = lerp(k.a[2], k.b[2], t);
  write_rotation(table, table.mean * SoaQuat{x, y, z, rebuild_w(x, y, z)}, pose);
}

inline void finish_fast_rotation(const GroupTable& table, const Keys& k, Float4 t, float* pose) {
  const Float4 wa = rebuild_w(k.a[0], k.a[1], k.a[2]), wb = rebuild_w(k.b[0], k.b[1], k.b[2]);
  const SoaQuat q{lerp(k.a[0], k.b[0], t), lerp(k.a[1], k.b[1], t), lerp(k.a[2], k.b[2], t),
                  lerp(wa, wb, t)};
  write_rotation(table, table.mean * unit(q), pose);
}

inline void finish_whole_rotation(const GroupTable& table, const Keys& k, Float4 t, float* pose) {
  write_rotation(table,
                 unit({lerp(k.a[0], k.b[0], t), lerp(k.a[1], k.b[1], t), lerp(k.a[2], k.b[2], t),
                       lerp(k.a[3], k.b[3], t)}),
                 pose);
}

inline void finish_vector(const GroupTable& table, const Keys& k, Float4 t, float* pose) {
  const Float4 v[3] = {lerp(k.a[0], k.b[0], t), lerp(k.a[1], k.b[1], t), lerp(k.a[2], k.b[2], t)};
  scatter<3>(table, v, pose);
}

}  // namespace

void decode_group(int kind, const GroupTable& table, const SegmentReader::Group& group,
                  const Cursor& cursor, float* pose) {
  const Float4 t(cursor.fraction);
  Keys keys;
  switch (kind) {
    case kRotation:
      unpack_group<3, std::int16_t>(table, group, cursor, keys);
      finish_rotation(table, keys, t, pose);
      break;
    case kFastRotation:
      unpack_group<3, std::int16_t>(table, group, cursor, keys);
      finish_fast_rotation(table, keys, t, pose);
      break;
    case kWholeRotation:
      unpack_group<4, std::int16_t>(table, group, cursor, keys);
      finish_whole_rotation(table, keys, t, pose);
      break;
    default:
      unpack_group<3, std::int32_t>(table, group, cursor, keys);
      finish_vector(table, keys, t, pose);
      break;
  }
}

void decode_generic(const Header& header, const GroupTable* tables, const Cursor& cursor,
                    float* pose) {
  SegmentReader reader(header, cursor);
  for (int g = 0; g < header.groups[kRotation]; ++g) {
    decode_group(kRotation, *tables++, reader.next<kRotation>(), cursor, pose);
  }
  for (int g = 0; g < header.groups[kFastRotation]; ++g) {
    decode_group(kFastRotation, *tables++, reader.next<kFastRotation>(), cursor, pose);
  }
  for (int g = 0; g < header.groups[kWholeRotation]; ++g) {
    decode_group(kWholeRotation, *tables++, reader.next<kWholeRotation>(), cursor, pose);
  }
  for (int g = 0; g < header.groups[kTranslation] + header.groups[kScale]; ++g) {
    decode_group(kTranslation, *tables++, reader.next<kTranslation>(), cursor, pose);
  }
}

}  // namespace codec

namespace codec {
namespace {

// The same place as in uncompressed clips.
Cursor cursor_at(const Clip& clip, const Header& header, float time) {
  std::size_t key = 0;
  Cursor cursor;
  if (time > 0.0f && header.sample_count > 1) {
    if (time >= clip.duration()) {
      key = header.sample_count - 2;
      cursor.fraction = 1.0f;
    } else {
      const float at = time / clip.interval();
      key =
          std::min(static_cast<std::size_t>(at), static_cast<std::size_t>(header.sample_count) - 2);
      cursor.fraction = clamp01(at - static_cast<float>(key));
    }
  }
  const std::size_t segment = key / header.segment_length;
  const std::size_t first = segment * header.segment_length;
  const std::byte* payload = clip.payload().data();
  cursor.segment = payload + read<std::uint32_t>(payload + header.segments + segment * 4);
  cursor.keys = std::min<std::size_t>(header.segment_length + 1, header.sample_count - first);
  cursor.key = key - first;
  cursor.ahead = header.sample_count > 1 ? 1 : 0;
  return cursor;
}

const GroupTable* group_tables(const Clip& clip, const Header& header) {
  return reinterpret_cast<const GroupTable*>(clip.decode_tables().data() +
                                             header.pose_groups * sizeof(SoaTransform));
}

template <int kind>
const GroupTable* decode_matching(const Header& header, const GroupTable* tables,
                                  SegmentReader& reader, const Cursor& cursor,
                                  std::uint32_t slot_float, float* group) {
  constexpr auto channel = static_cast<std::uint32_t>(kind == kTranslation ? kTranslationFloat
                                                      : kind == kScale     ? kScaleFloat
                                                                           : kRotationFloat);
  for (int g = 0; g < header.groups[kind]; ++g, ++tables) {
    const SegmentReader::Group found = reader.next<kind>();
    for (std::size_t lane = 0; lane < 4; ++lane) {
      if (tables->destination[lane] != slot_float + channel) continue;
      // The other lanes are sent to the same group's last lane, which nobody reads.
      GroupTable one = *tables;
      for (std::uint32_t& destination : one.destination) destination = channel + 3;
      one.destination[lane] = channel;
      decode_group(kind, one, found, cursor, group);
      break;
    }
  }
  return tables;
}

}  // namespace
}  // namespace codec

Transform decode_slot(const Clip& clip, int slot, float time) {
  using namespace codec;
  assert(clip.is_compressed());
  const Header header = read<Header>(clip.payload().data());
  const Cursor cursor = cursor_at(clip, header, time);
  SoaTransform base;
  std::memcpy(static_cast<void*>(&base),
              clip.decode_tables().data() + static_cast<std::size_t>(slot / 4) * sizeof base,
              sizeof base);
  SoaTransform group = SoaTransform::identity();
  set_lane(group, 0, get_lane(base, slot % 4));
  const auto slot_float = static_cast<std::uint32_t>((slot / 4) * kGroupFloats + slot % 4);
  auto* out = reinterpret_cast<float*>(&group);
  SegmentReader reader(header, cursor);
  const GroupTable* tables = group_tables(clip, header);
  tables = decode_matching<kRotation>(header, tables, reader, cursor, slot_float, out);
  tables = decode_matching<kFastRotation>(header, tables, reader, cursor, slot_float, out);
  tables = decode_matching<kWholeRotation>(header, tables, reader, cursor, slot_float, out);
  tables = decode_matching<kTranslation>(header, tables, reader, cursor, slot_float, out);
  decode_matching<kScale>(header, tables, reader, cursor, slot_float, out);
  return get_lane(group, 0);
}

void decode(const Clip& clip, float time, std::span<SoaTransform> out) {
  using namespace codec;
  assert(clip.is_compressed());
  const Header header = read<Header>(clip.payload().data());
  assert(out.size() == header.pose_groups);
  std::memcpy(static_cast<void*>(out.data()), clip.decode_tables().data(),
              out.size() * sizeof(SoaTransform));
  const Cursor cursor = cursor_at(clip, header, time);
  const GroupTable* groups = group_tables(clip, header);
  auto* pose = reinterpret_cast<float*>(out.data());
#if defined(SINEW_HAS_AVX2)
  if (instruction_set() == InstructionSet::kAvx2) return decode_avx2(header, groups, cursor, pose);
#endif
  decode_generic(header, groups, cursor, pose);
}

}  // namespace sinew
