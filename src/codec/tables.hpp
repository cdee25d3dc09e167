// Reading the sections of a payload.
#pragma once

#include <vector>

#include "decode_kernel.hpp"

namespace sinew::codec {

// Walks the groups of one segment in the order of their kinds.
class SegmentReader {
 public:
  struct Group {
    const std::uint8_t* widths;
    const std::byte* bases;
    const std::byte* stream;
    std::size_t bits;  // of one key, all components
  };

  SegmentReader(const Header& header, const Cursor& cursor) : keys_(cursor.keys) {
    std::size_t widths = 0, bases = 0;
    for (int kind = 0; kind < kKindCount; ++kind) {
      widths += static_cast<std::size_t>(components(kind)) * header.groups[kind];
      bases += base_bytes(kind) * header.groups[kind];
    }
    widths_ = reinterpret_cast<const std::uint8_t*>(cursor.segment);
    bases_ = cursor.segment + align_up(widths, 4);
    stream_ = bases_ + bases;
  }

  template <int kind>
  Group next() {
    constexpr int count = components(kind);
    Group group{widths_, bases_, stream_, 0};
    for (int c = 0; c < count; ++c) group.bits += widths_[c];
    widths_ += count;
    bases_ += base_bytes(kind);
    stream_ += stream_words(keys_, group.bits) * 16;
    return group;
  }
  const std::byte* end() const { return stream_; }

 private:
  std::size_t keys_;
  const std::uint8_t* widths_;
  const std::byte* bases_;
  const std::byte* stream_;
};

// One group of any kind into its places in the pose, in four lanes.
void decode_group(int kind, const GroupTable& table, const SegmentReader::Group& group,
                  const Cursor& cursor, float* pose);

// The base pose (rest pose and constants) and a GroupTable per group, as bytes.
std::vector<std::byte> make_tables(std::span<const std::byte> payload,
                                   std::span<const SoaTransform> rest);

}  // namespace sinew::codec
