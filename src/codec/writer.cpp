// From quantized tracks to bytes.
#include <algorithm>

#include "encoder.hpp"

namespace sinew::codec {
namespace {

template <class T>
void append(std::vector<std::byte>& out, const T& value) {
  const auto* p = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), p, p + sizeof value);
}

void pad(std::vector<std::byte>& out, std::size_t to) { out.resize(align_up(out.size(), to)); }

int width_of(std::int32_t range) {
  int width = 0;
  while (range >> width) ++width;
  return width;
}

struct Range {
  std::int32_t low = 0, high = 0;
};

Range range_of(const Track& track, std::size_t c, std::size_t first, std::size_t keys) {
  const auto n = static_cast<std::size_t>(components(track.kind));
  Range r{track.q[first * n + c], track.q[first * n + c]};
  for (std::size_t k = 1; k < keys; ++k) {
    const std::int32_t v = track.q[(first + k) * n + c];
    r.low = std::min(r.low, v);
    r.high = std::max(r.high, v);
  }
  return r;
}

// Lane l's bits go to the l-th word of each 16 bytes.
class VerticalWriter {
 public:
  VerticalWriter(std::vector<std::byte>& out, std::size_t words)
      : words_(words * 4, 0), out_(out) {}
  void put(std::size_t lane, std::size_t at, std::uint32_t value, int width) {
    const std::uint64_t shifted = static_cast<std::uint64_t>(value) << (at & 31);
    words_[(at >> 5) * 4 + lane] |= static_cast<std::uint32_t>(shifted);
    if ((at & 31) + static_cast<std::size_t>(width) > 32) {
      words_[((at >> 5) + 1) * 4 + lane] |= static_cast<std::uint32_t>(shifted >> 32);
    }
  }
  ~VerticalWriter() {
    for (std::uint32_t word : words_) append(out_, word);
  }

 private:
  std::vector<std::uint32_t> words_;
  std::vector<std::byte>& out_;
};

// Tracks of one kind in groups of four that want like widths.
std::vector<std::array<const Track*, 4>> make_groups(const std::vector<Track>& tracks, int kind,
                                                     std::size_t samples,
                                                     std::size_t segment_length) {
  struct Wanted {
    const Track* track;
    double key;
  };
  std::vector<Wanted> wanted;
  for (const Track& track : tracks) {
    if (track.kind != kind) continue;
    double bits = 0;
    for (std::size_t first = 0; first == 0 || first + 1 < samples; first += segment_length) {
      const std::size_t keys = std::min(segment_length + 1, samples - first);
      for (int c = 0; c < components(kind); ++c) {
        const Range r = range_of(track, static_cast<std::size_t>(c), first, keys);
        bits += width_of(r.high - r.low);
      }
    }
    wanted.push_back({&track, bits});
  }
  std::sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) {
    return a.key != b.key ? a.key < b.key : a.track < b.track;  // tracks lie in one array
  });
  std::vector<std::array<const Track*, 4>> groups;
  for (std::size_t i = 0; i < wanted.size(); i += 4) {
    std::array<const Track*, 4> group;
    // A last group that is not full repeats its last track: written twice, the same.
    for (std::size_t lane = 0; lane < 4; ++lane)
      group[lane] = wanted[std::min(i + lane, wanted.size() - 1)].track;
    groups.push_back(group);
  }
  return groups;
}

}  // namespace

std::vector<std::byte> Encoder::write(std::size_t segment_length) const {
  const auto samples = static_cast<std::size_t>(clip_.sample_count());
  std::vector<std::byte> out(sizeof(Header));
  Header header{};
  header.magic = kMagic;
  header.pose_groups = static_cast<std::uint16_t>(skeleton_.group_count());
  header.sample_count = static_cast<std::uint32_t>(samples);
  header.segment_length = static_cast<std::uint32_t>(segment_length);

  header.constants = static_cast<std::uint32_t>(out.size());
  std::uint16_t constants = 0;
  for (int j = 0; j < skeleton_.joint_count(); ++j) {
    const JointPlan& plan = plans_[static_cast<std::size_t>(j)];
    const Transform &c = plan.constant, &rest = skeleton_.rest(j);
    const auto add = [&](StepTrack::Channel channel, Vec3 v) {
      append(out, Constant{static_cast<std::uint16_t>(skeleton_.slot(j)),
                           static_cast<std::uint16_t>(channel),
                           {v.x, v.y, v.z}});
      ++constants;
    };
    if (plan.translation < 0 && c.translation != rest.translation)
      add(StepTrack::Channel::kTranslation, c.translation);
    if (plan.rotation < 0 && c.rotation != rest.rotation)
      add(StepTrack::Channel::kRotation, {c.rotation.x, c.rotation.y, c.rotation.z});
    if (plan.scale < 0 && c.scale != rest.scale) add(StepTrack::Channel::kScale, c.scale);
  }
  header.constant_count = constants;

  header.tracks = static_cast<std::uint32_t>(out.size());
  std::vector<std::array<const Track*, 4>> groups[kKindCount];
  for (int kind = 0; kind < kKindCount; ++kind) {
    groups[kind] = make_groups(tracks_, kind, samples, segment_length);
    header.groups[kind] = static_cast<std::uint16_t>(groups[kind].size());
    for (const auto& group : groups[kind]) {
      for (const Track* track : group)
        append(out, static_cast<std::uint16_t>(skeleton_.slot(track->joint)));
      const int distinct = kind == kWholeRotation ? 1 : 3;
      for (int c = 0; c < distinct; ++c) {
        for (const Track* track : group) append(out, track->step[c]);
      }
      if (has_mean(kind)) {
        for (const Track* track : group) append(out, track->mean_bits);
      }
    }
  }

  pad(out, 4);
  header.segments = static_cast<std::uint32_t>(out.size());
  const std::size_t segments = samples < 2 ? 1 : (samples - 2) / segment_length + 1;
  out.resize(out.size() + segments * 4);
  for (std::size_t s = 0; s < segments; ++s) {
    const std::size_t first = s * segment_length;
    const std::size_t keys = std::min(segment_length + 1, samples - first);
    const auto offset = static_cast<std::uint32_t>(out.size());
    std::memcpy(out.data() + header.segments + 4 * s, &offset, sizeof offset);
    std::vector<std::byte> bases;
    std::vector<std::array<int, 4>> widths;
    for (int kind = 0; kind < kKindCount; ++kind) {
      for (const auto& group : groups[kind]) {
        std::array<int, 4> width{};
        for (std::size_t c = 0; c < static_cast<std::size_t>(components(kind)); ++c) {
          for (const Track* track : group) {
            const Range r = range_of(*track, c, first, keys);
            width[c] = std::max(width[c], width_of(r.high - r.low));
            if (short_base(kind)) {
              append(bases, static_cast<std::int16_t>(r.low));
            } else {
              append(bases, r.low);
            }
          }
          out.push_back(static_cast<std::byte>(width[c]));
        }
        widths.push_back(width);
      }
    }
    out.resize(offset + align_up(out.size() - offset, 4));
    out.insert(out.end(), bases.begin(), bases.end());
    std::size_t g = 0;
    for (int kind = 0; kind < kKindCount; ++kind) {
      const auto n = static_cast<std::size_t>(components(kind));
      for (const auto& group : groups[kind]) {
        const std::array<int, 4>& width = widths[g++];
        const auto bits = static_cast<std::size_t>(width[0] + width[1] + width[2] + width[3]);
        VerticalWriter writer(out, stream_words(keys, bits));
        for (std::size_t lane = 0; lane < 4; ++lane) {
          const Track& track = *group[lane];
          std::size_t at = 0;
          for (std::size_t c = 0; c < n; ++c) {
            const Range r = range_of(track, c, first, keys);
            for (std::size_t k = 0; k < keys; ++k, at += static_cast<std::size_t>(width[c])) {
              writer.put(lane, at, static_cast<std::uint32_t>(track.q[(first + k) * n + c] - r.low),
                         width[c]);
            }
          }
        }
      }
    }
  }
  out.resize(out.size() + 32);  // unpack() reads up to two words behind the last one
  header.size = static_cast<std::uint32_t>(out.size());
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

}  // namespace sinew::codec
