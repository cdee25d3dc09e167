// Units of length of formats that do not state theirs.
#pragma once

#include <cstdint>
#include <string_view>

namespace sinew {

enum class LengthUnit : std::uint8_t {
  kAuto,  // the one that makes the body most nearly as tall as a person; reported as a finding
  kMetre,
  kCentimetre,
  kMillimetre,
  kInch,
  kCmu,  // 1 / 0.45 inch: the CMU recordings, and the BVH files made of them
};

// Metres per unit; 0 for kAuto.
constexpr double metres_per(LengthUnit unit) {
  switch (unit) {
    case LengthUnit::kAuto:
      return 0;
    case LengthUnit::kMetre:
      return 1;
    case LengthUnit::kCentimetre:
      return 0.01;
    case LengthUnit::kMillimetre:
      return 0.001;
    case LengthUnit::kInch:
      return 0.0254;
    case LengthUnit::kCmu:
      return 0.0254 / 0.45;
  }
  return 0;
}

constexpr std::string_view to_string(LengthUnit unit) {
  switch (unit) {
    case LengthUnit::kAuto:
      return "auto";
    case LengthUnit::kMetre:
      return "m";
    case LengthUnit::kCentimetre:
      return "cm";
    case LengthUnit::kMillimetre:
      return "mm";
    case LengthUnit::kInch:
      return "inch";
    case LengthUnit::kCmu:
      return "cmu";
  }
  return "auto";
}

}  // namespace sinew
