// What this library's own writer leaves in `extras`: annotations of clips, roles of joints. The
// shape is given in gltf_writer.hpp.
#pragma once

#include "gltf/rig.hpp"

namespace sinew::gltf {

// Of animation `index`, into its clip. Extras that break their shape are left out as a whole, with
// a warning: the clip plays without them.
void read_clip_extras(Document& document, const Rig& rig, int index, RawClip& clip);

// Body plan and roles, into `model`; the same for broken ones. Without them nothing changes.
void read_model_extras(Document& document, const Rig& rig, Model& model);

}  // namespace sinew::gltf
