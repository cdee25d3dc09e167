// Decoding compressed clips: any time at the same cost, without state.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <sinew/asset/clip.hpp>

namespace sinew {

// Writes the pose of a compressed clip at `time` seconds, clamped to [0, duration] (NaN: 0), into
// the slots of its skeleton. out: as many groups as the skeleton has. STEP channels are not applied
// here (sample_clip does). Cost: O(joints), no state, no allocation.
void decode(const Clip& clip, float time, std::span<SoaTransform> out);

// One slot alone: the same bits as decode() puts there. Cost: O(groups) to find it.
Transform decode_slot(const Clip& clip, int slot, float time);

// A clip like `clip`, of the same skeleton and sampling, that plays `payload`: how clips are opened
// from files. Errors: those of validate_payload(), or a payload of another sample count.
Result<Clip> open_payload(const Clip& clip, const Skeleton& skeleton,
                          std::vector<std::byte> payload);

// Checks a payload before its first use: sizes, offsets, counts, widths, so that decode() cannot
// read outside it, and values, so that it stays finite.
Status validate_payload(std::span<const std::byte> payload, int group_count);

}  // namespace sinew
