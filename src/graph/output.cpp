#include <sinew/graph/output.hpp>

namespace sinew {

ControllerBuffers::ControllerBuffers(const ControllerDef& def, bool explain)
    : tasks_(def.limits().tasks),
      weights_(def.limits().weights),
      root_motions_(def.limits().root_motions),
      playing_(def.limits().root_motions),
      clip_events_(def.limits().clip_events),
      state_events_(def.limits().state_events),
      consumed_(def.limits().consumed),
      verdicts_(explain ? def.limits().verdicts : 0),
      leaves_(def.limits().leaves),
      layers_(def.tables().layers.size()),
      layer_outs_(def.tables().layers.size()) {
  output_.tasks = tasks_;
  output_.weights = weights_;
  output_.root_motions = root_motions_;
  output_.playing = playing_;
  output_.clip_events = clip_events_;
  output_.state_events = state_events_;
  output_.consumed = consumed_;
  output_.verdicts = verdicts_;
  output_.leaves = leaves_;
  output_.layers = layers_;
  output_.layer_outs = layer_outs_;
}

}  // namespace sinew
