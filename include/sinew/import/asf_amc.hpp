// Reads Acclaim motion capture: a skeleton (.asf) and its motion (.amc).
//
// Source of the format: J. Lander, "Working with Motion Capture File Formats", Game Developer,
// January 1998; M. Meredith, S. Maddock, "Motion Capture File Formats Explained", University of
// Sheffield, 2001; docs/import/asf-amc.md says what is done where these leave it open.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sinew/asset/model.hpp>
#include <sinew/base/result.hpp>
#include <sinew/import/bvh.hpp>
#include <sinew/import/length_unit.hpp>

namespace sinew {

// All zero: what the files of the CMU database need.
struct AsfAmcOptions {
  // kAuto: 1 / length inch, `length` being the number in the file's :units section, if that makes a
  // person of it; else guessed by height. Anything else is taken in place of the file's number.
  LengthUnit unit = LengthUnit::kAuto;
  double metres_per_unit = 0;               // > 0: taken in place of `unit`
  double frame_rate = 0;                    // per second; 0: the file's, else 120
  EndSites end_sites = EndSites::kSockets;  // the free ends of bones: "<bone>_End"
  std::uint64_t max_bytes = 0;              // of each file; 0: 512 MiB
};

// One joint per bone, at the end nearer to the root, and "root". Rest rotations are identity, so
// that a rest translation is the parent bone's direction times its length. With C the bone's `axis`
// and M its degrees of freedom, both turned in the order of the axis' letters (the first letter
// first), the local rotation is C M C^-1, computed in double. One clip named like the .amc file, a
// linear key per frame at (number - first number) / rate; constant channels have one key or none.
//
// Warnings (Model::findings): bones outside the hierarchy (left out), frame numbers with gaps (the
// time passes), bones that a frame lacks (they hold), lines of bones that the skeleton does not
// know or that cannot move (left out), the degree of freedom `l` (left out).
//
// Errors carry file, line and column: sections, keywords and bones that do not exist, bones with
// two parents, numbers that are not finite decimals, lines with another number of values than the
// bone has degrees of freedom, frame numbers that do not rise, a motion without a single bone of
// the skeleton. Memory grows with the bytes read.
Result<Model> load_asf_amc(const std::string& asf_path, const std::string& amc_path,
                           const AsfAmcOptions& options = {});

// Finds the skeleton beside the motion: "02_01.amc" looks for "02_01.asf", "02.asf", then for the
// only .asf file in the folder.
Result<Model> load_amc(const std::string& amc_path, const AsfAmcOptions& options = {});

// The skeleton alone: no clip.
Result<Model> load_asf(const std::string& asf_path, const AsfAmcOptions& options = {});

// The same from text in memory; the names are those of the files.
Result<Model> parse_asf_amc(std::string_view asf_text, std::string_view asf_name,
                            std::string_view amc_text, std::string_view amc_name,
                            const AsfAmcOptions& options = {});

}  // namespace sinew
