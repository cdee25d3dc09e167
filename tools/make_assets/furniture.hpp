// A desk and a chair: boxes on one joint, so that a scene can place them like a character.
#pragma once

#include <sinew/asset/model.hpp>

namespace sinew::make_assets {

inline constexpr float kDeskTop = 0.74f;  // height of the top's upper side, metres

// Stands on the ground at the origin, made for someone who sits there and looks along +Z.
Model make_desk();

}  // namespace sinew::make_assets
