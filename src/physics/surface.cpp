#include <sinew/physics/surface.hpp>

namespace sinew {

SurfaceId SurfaceTable::add(std::string_view name) {
  if (name.empty()) return kDefaultSurface;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == name) return static_cast<SurfaceId>(i);
  }
  if (names_.size() > 0xffff) return kDefaultSurface;
  names_.emplace_back(name);
  return static_cast<SurfaceId>(names_.size() - 1);
}

SurfaceId SurfaceTable::find(std::string_view name) const {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == name) return static_cast<SurfaceId>(i);
  }
  return kDefaultSurface;
}

}  // namespace sinew
