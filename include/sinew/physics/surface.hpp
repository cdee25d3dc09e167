// What the ground is made of: an index into one table of a scene. Footsteps, dust and friction ask
// for it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

using SurfaceId = std::uint16_t;
// Entry 0 of every table: what is not known.
inline constexpr SurfaceId kDefaultSurface = 0;

class SurfaceTable {
 public:
  // Entry 0 is "default".
  SurfaceTable() : names_{"default"} {}

  // The index of the name, which is added if it is new; kDefaultSurface if the table is full
  // (65,536 names) or the name is empty.
  SurfaceId add(std::string_view name);
  // The index of the name, or kDefaultSurface where there is none.
  SurfaceId find(std::string_view name) const;
  // The name of an index; that of the default one where the index is out of range.
  const std::string& name(SurfaceId id) const {
    return names_[id < names_.size() ? id : kDefaultSurface];
  }
  int count() const { return static_cast<int>(names_.size()); }

 private:
  std::vector<std::string> names_;
};

// Material index -> surface, with anything out of the list being the default.
inline SurfaceId surface_of(std::span<const SurfaceId> materials, std::uint32_t material) {
  return material < materials.size() ? materials[material] : kDefaultSurface;
}

}  // namespace sinew
