// The two halves of the Acclaim reader.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/import/asf_amc.hpp>

#include "mocap_model.hpp"

namespace sinew {

// A degree of freedom: 0 to 2 rotation about X, Y, Z; 3 to 5 translation along them; 6 length.
using Freedom = std::uint8_t;
inline constexpr Freedom kFreedomTranslation = 3;
inline constexpr Freedom kFreedomLength = 6;

struct AsfBone {
  std::string name;
  int parent = -1;                       // an earlier bone; -1 for the root
  Double3 direction;                     // unit, model space
  double length = 0;                     // file units
  Quat64 axis;                           // C
  std::array<int, 3> order = {0, 1, 2};  // of turning about the axes
  std::vector<Freedom> freedoms;         // in the order of the values
  Double3 position;                      // of the root
};

// Bones parent before child; the root is the first.
struct AsfSkeleton {
  std::vector<AsfBone> bones;
  double length_unit = 1;  // the number in :units
  bool degrees = true;
};

Result<AsfSkeleton> parse_asf(std::string_view text, Findings& findings);

struct AmcContext {
  const AsfSkeleton& skeleton;
  const MocapSkeleton& joints;  // the same bones as joints, with the unit
  double frame_rate;            // 0: the file's
};
Result<MocapMotion> parse_amc(std::string_view text, const AmcContext& context, Findings& findings);

}  // namespace sinew
