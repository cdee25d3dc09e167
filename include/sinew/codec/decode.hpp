// Decoding compressed clips: any time at the same cost, without state.
#pragma once

#include <span>

#include <sinew/asset/clip.hpp>

namespace sinew {

// Writes the pose of a compressed clip at `time` seconds, clamped to [0, duration] (NaN: 0), into the
// slots of its skeleton. out: as many groups as the skeleton has. STEP channels are not applied here
// (sample_clip does). Cost: O(joints), no state, no allocation.
void decode(const Clip& clip, float time, std::span<SoaTransform> out);

// Checks a payload before its first use: sizes, offsets, counts, widths, so that decode() cannot read
// outside it. Clips made by compress() need no check; those read from files do.
Status validate_payload(std::span<const std::byte> payload, int group_count);

}  // namespace sinew
