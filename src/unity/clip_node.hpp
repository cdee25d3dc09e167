// Clips that lie in a file beside other things.
#pragma once

#include <sinew/unity/clip.hpp>

#include "document.hpp"

namespace sinew::unity {

AnimClip read_clip_node(const Node& body, const std::string& file);

}  // namespace sinew::unity
