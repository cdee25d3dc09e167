#include "tables.hpp"

#include <algorithm>

#include <sinew/base/text.hpp>
#include <sinew/codec/decode.hpp>

namespace sinew {
namespace codec {
namespace {

int channel_float(StepTrack::Channel channel) {
  switch (channel) {
    case StepTrack::Channel::kTranslation:
      return kTranslationFloat;
    case StepTrack::Channel::kRotation:
      return kRotationFloat;
    case StepTrack::Channel::kScale:
      return kScaleFloat;
  }
  return 0;
}

int kind_float(int kind) {
  return kind == kTranslation ? kTranslationFloat : kind == kScale ? kScaleFloat : kRotationFloat;
}

GroupTable make_table(const std::byte* tracks, int kind) {
  GroupTable table{};
  for (std::size_t lane = 0; lane < 4; ++lane) {
    const std::uint32_t slot = read<std::uint16_t>(tracks + 2 * lane);
    table.destination[lane] = (slot / 4) * static_cast<std::uint32_t>(kGroupFloats) + slot % 4 +
                              static_cast<std::uint32_t>(kind_float(kind));
  }
  const std::byte* steps = tracks + 8;
  const std::size_t distinct = kind == kWholeRotation ? 1 : 3;
  for (std::size_t c = 0; c < 4; ++c) {
    float lanes[4];
    std::memcpy(lanes, steps + (distinct == 1 ? 0 : (c < 3 ? c : 2)) * sizeof lanes, sizeof lanes);
    table.step[c] = Float4::load(lanes);
  }
  if (has_mean(kind)) {
    const std::byte* means = steps + 48;
    for (std::size_t lane = 0; lane < 4; ++lane) {
      std::int16_t v[3];
      std::memcpy(v, means + lane * sizeof v, sizeof v);
      const Quat mean = unpack_mean(v);
      table.mean.x.set(static_cast<int>(lane), mean.x);
      table.mean.y.set(static_cast<int>(lane), mean.y);
      table.mean.z.set(static_cast<int>(lane), mean.z);
      table.mean.w.set(static_cast<int>(lane), mean.w);
    }
  }
  return table;
}

}  // namespace

std::vector<std::byte> make_tables(std::span<const std::byte> payload,
                                   std::span<const SoaTransform> rest) {
  const Header header = read<Header>(payload.data());
  std::vector<SoaTransform> base(rest.begin(), rest.end());
  auto* floats = reinterpret_cast<float*>(base.data());
  for (std::size_t i = 0; i < header.constant_count; ++i) {
    const auto constant = read<Constant>(payload.data() + header.constants + i * sizeof(Constant));
    const auto channel = static_cast<StepTrack::Channel>(constant.channel);
    float* out = floats + static_cast<std::size_t>(constant.slot / 4) * kGroupFloats +
                 constant.slot % 4 + channel_float(channel);
    const float* v = constant.value;
    for (int c = 0; c < 3; ++c) out[4 * c] = v[c];
    if (channel == StepTrack::Channel::kRotation)
      out[12] = sqrt(max(0.0f, 1.0f - (v[0] * v[0] + v[1] * v[1] + v[2] * v[2])));
  }
  std::vector<GroupTable> tables;
  const std::byte* tracks = payload.data() + header.tracks;
  for (int kind = 0; kind < kKindCount; ++kind) {
    for (int g = 0; g < header.groups[kind]; ++g) {
      tables.push_back(make_table(tracks, kind));
      tracks += track_bytes(kind);
    }
  }
  std::vector<std::byte> bytes(base.size() * sizeof(SoaTransform) +
                               tables.size() * sizeof(GroupTable));
  std::memcpy(bytes.data(), base.data(), base.size() * sizeof(SoaTransform));
  if (!tables.empty()) {
    std::memcpy(bytes.data() + base.size() * sizeof(SoaTransform), tables.data(),
                tables.size() * sizeof(GroupTable));
  }
  return bytes;
}

}  // namespace codec

Status validate_payload(std::span<const std::byte> payload, int group_count) {
  using namespace codec;
  const auto bad = [](std::string reason) {
    return make_error(ErrorCode::kMalformed, std::move(reason), "clip payload");
  };
  if (payload.size() < sizeof(Header)) return bad("it is shorter than its header");
  const Header header = read<Header>(payload.data());
  if (header.magic != kMagic) return bad("it does not begin with its mark");
  if (header.size != payload.size())
    return bad(format_text("it says %u bytes but has %zu", header.size, payload.size()));
  if (header.pose_groups != group_count) return bad("it was made for another skeleton");
  if (header.sample_count < 1 || header.segment_length < 1 || header.segment_length > 4096)
    return bad("its counts are out of range");
  const auto fits = [&](std::size_t offset, std::size_t size) {
    return offset <= payload.size() && size <= payload.size() - offset;
  };

  if (!fits(header.constants, header.constant_count * sizeof(Constant)))
    return bad("its constants lie outside it");
  const std::size_t slots = static_cast<std::size_t>(group_count) * 4;
  for (std::size_t i = 0; i < header.constant_count; ++i) {
    const auto constant = read<Constant>(payload.data() + header.constants + i * sizeof(Constant));
    if (constant.slot >= slots || constant.channel > 2)
      return bad(format_text("constant %zu has no place in the pose", i));
    for (float value : constant.value) {
      if (!is_finite(value)) return bad(format_text("constant %zu is not finite", i));
    }
  }
  std::size_t track_size = 0;
  for (int kind = 0; kind < kKindCount; ++kind)
    track_size += track_bytes(kind) * header.groups[kind];
  if (!fits(header.tracks, track_size)) return bad("its tracks lie outside it");
  const std::byte* tracks = payload.data() + header.tracks;
  for (int kind = 0; kind < kKindCount; ++kind) {
    for (int g = 0; g < header.groups[kind]; ++g, tracks += track_bytes(kind)) {
      for (std::size_t lane = 0; lane < 4; ++lane) {
        if (read<std::uint16_t>(tracks + 2 * lane) >= slots)
          return bad("a track has no place in the pose");
      }
      const std::size_t steps = kind == kWholeRotation ? 4 : 12;
      for (std::size_t i = 0; i < steps; ++i) {
        const float step = read<float>(tracks + 8 + 4 * i);
        if (!(step > 0.0f) || !(step < 1e6f)) return bad("a step is out of range");
      }
    }
  }
  const std::size_t intervals = header.sample_count - 1;
  const std::size_t segments =
      intervals == 0 ? 1 : (intervals + header.segment_length - 1) / header.segment_length;
  if (!fits(header.segments, segments * 4)) return bad("its segments lie outside it");
  std::size_t widths = 0, bases = 0;
  for (int kind = 0; kind < kKindCount; ++kind) {
    widths += static_cast<std::size_t>(components(kind)) * header.groups[kind];
    bases += base_bytes(kind) * header.groups[kind];
  }
  for (std::size_t s = 0; s < segments; ++s) {
    const std::size_t offset = read<std::uint32_t>(payload.data() + header.segments + 4 * s);
    if (!fits(offset, align_up(widths, 4) + bases))
      return bad(format_text("segment %zu lies outside it", s));
    Cursor cursor;
    cursor.segment = payload.data() + offset;
    cursor.keys = std::min<std::size_t>(header.segment_length + 1,
                                        header.sample_count - s * header.segment_length);
    for (std::size_t i = 0; i < widths; ++i) {
      if (read<std::uint8_t>(cursor.segment + i) > kMaxWidth)
        return bad(format_text("segment %zu has a width above %d", s, kMaxWidth));
    }
    SegmentReader reader(header, cursor);
    std::size_t size = 0;
    const auto add = [&](const SegmentReader::Group& group) {
      size += stream_words(cursor.keys, group.bits) * 16;
    };
    for (int g = 0; g < header.groups[kRotation]; ++g) add(reader.next<kRotation>());
    for (int g = 0; g < header.groups[kFastRotation]; ++g) add(reader.next<kFastRotation>());
    for (int g = 0; g < header.groups[kWholeRotation]; ++g) add(reader.next<kWholeRotation>());
    for (int g = 0; g < header.groups[kTranslation]; ++g) add(reader.next<kTranslation>());
    for (int g = 0; g < header.groups[kScale]; ++g) add(reader.next<kScale>());
    // unpack() reads up to two words behind the last one.
    if (!fits(offset, align_up(widths, 4) + bases + size + 32))
      return bad(format_text("segment %zu lies outside it", s));
  }
  return {};
}

Result<Clip> open_payload(const Clip& clip, const Skeleton& skeleton,
                          std::vector<std::byte> payload) {
  if (Status s = validate_payload(payload, skeleton.group_count()); !s) return std::move(s).error();
  const auto header = codec::read<codec::Header>(payload.data());
  if (header.sample_count != static_cast<std::uint32_t>(clip.sample_count())) {
    return make_error(ErrorCode::kMismatch, "its number of samples is not that of the clip",
                      "clip '" + clip.name() + "'");
  }
  std::vector<std::byte> tables = codec::make_tables(payload, skeleton.rest_groups());
  return clip.with_payload(std::move(payload), std::move(tables));
}

}  // namespace sinew
