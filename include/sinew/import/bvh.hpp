// Reads BVH (Biovision hierarchy) motion files.
//
// Source of the format: the layout that Biovision published with its files, as described in
// M. Meredith, S. Maddock, "Motion Capture File Formats Explained", University of Sheffield, 2001;
// what real files do differently: docs/import/bvh.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sinew/asset/model.hpp>
#include <sinew/base/result.hpp>
#include <sinew/import/length_unit.hpp>

namespace sinew {

// What becomes of the End Site of a chain.
enum class EndSites : std::uint8_t {
  kSockets,  // Model::sockets, named "<joint>_End" (or by the name that stands behind End Site)
  kJoints,   // joints of that name, never animated
  kDrop,
};

// The axis of the file that points up; Sinew's is +Y.
enum class UpAxis : std::uint8_t { kY, kZ };

// All zero: what most files need.
struct BvhOptions {
  LengthUnit unit = LengthUnit::kAuto;
  double metres_per_unit = 0;  // > 0: taken in place of `unit`
  EndSites end_sites = EndSites::kSockets;
  UpAxis up = UpAxis::kY;  // kZ: the whole body is turned by -90 degrees about X
  // Position channels hold the joint's place in its parent. true: they are added to its OFFSET, as
  // a few programs write them.
  bool add_offset = false;
  double frame_time = 0;        // seconds, > 0: taken in place of the file's
  std::uint64_t max_bytes = 0;  // larger files are refused; 0: 512 MiB
};

// The skeleton (rest rotations identity, rest translations the OFFSETs), one clip that is named
// like the file, with a linear key per frame, and sockets. Lengths in metres. Each joint's
// rotations are applied in the order of its own channels: R = R_first * R_second * R_third,
// computed in double. Neighbouring rotation keys lie on one half sphere. A channel that never
// changes has one key, or none if it equals the rest pose. The clip lasts (frames - 1) * frame
// time; "Frames: 0" gives a clip of no length.
//
// Warnings (Model::findings) where reading can go on: another number of frames than announced (the
// rows that are there count), a last row cut off, no OFFSET, names that occur twice, a body that
// seems to stand along Z. The unit chosen by height is an info ("bvh.unit").
//
// Errors carry line and column: a missing brace, keywords and channels that do not exist, more than
// kMaxJoints joints or 1024 levels, numbers that are not finite decimals, rows of a wrong length, a
// frame time that is not positive. Memory grows with the bytes read, never with a count that the
// file claims. Time is linear in the size.
Result<Model> load_bvh(const std::string& path, const BvhOptions& options = {});

// The same from text in memory. `name` is the file's name, with or without folders and extension.
Result<Model> parse_bvh(std::string_view text, std::string_view name,
                        const BvhOptions& options = {});

}  // namespace sinew
