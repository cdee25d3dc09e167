// Scenes of one model, made in memory.
#pragma once

#include <string>

#include <sinew/scene/scene_def.hpp>

namespace sinew::cli {

// The model stands in its rest pose for a moment.
Result<Scene> rest_scene(Model model);

// The model plays one clip `loops` times (once where it does not loop and loops is 0).
struct ClipScene {
  std::string clip;
  double loops = 0;          // 0: about four seconds of whole loops
  double speed = 1;          // of the clip
  bool root_motion = false;  // the clip's own travel moves the model
  bool walk = false;         // travel measured from the feet
};
Result<Scene> clip_scene(Model model, const ClipScene& wanted);

}  // namespace sinew::cli
