#include <algorithm>

#include <sinew/graph/update.hpp>
#include <sinew/math/scalar.hpp>

#include "runtime.hpp"

namespace sinew {
namespace {

// The parts of one layer, summed by weight.
struct LayerTravel {
  Vec3 translation;
  float yaw_y = 0, yaw_w = 0;
  float weight = 0;

  void add(RootDelta delta, float part_weight, bool mirror) {
    if (mirror) {
      delta.translation.x = -delta.translation.x;
      delta.rotation.y = -delta.rotation.y;
    }
    const float sign = delta.rotation.w < 0 ? -1.0f : 1.0f;
    translation = translation + delta.translation * part_weight;
    yaw_y += delta.rotation.y * sign * part_weight;
    yaw_w += delta.rotation.w * sign * part_weight;
    weight += part_weight;
  }

  // Among `presence` in all: what is missing to it stands still, what is beyond it is scaled down.
  RootDelta result(float presence) const {
    const float total = max(weight, presence);
    if (total <= 0) return {};
    const float w = yaw_w + (total - weight);
    const float length = sqrt(yaw_y * yaw_y + w * w);
    RootDelta delta;
    delta.translation = translation * (1.0f / total);
    if (length > 0) delta.rotation = {0, yaw_y / length, 0, w / length};
    return delta;
  }
};

float frozen_share(const ControllerDef& def, const ControllerState& state, int layer) {
  const ControllerTables& t = def.tables();
  if (!state.frozen(layer) || !t.policy.frozen_pose_stands_still) return 0;
  const int sync = t.layers[static_cast<std::size_t>(layer)].sync;
  const RunningTransition& run = state.layer(sync >= 0 ? sync : layer).transition;
  const auto weight = static_cast<float>(graph_detail::target_weight(t, run));
  return (1 - weight) * state.layer(layer).frozen_presence;
}

}  // namespace

RootDelta reduce_root_motion(const ControllerDef& def, ControllerState state,
                             std::span<const RootMotionPart> parts,
                             std::span<const RootPath* const> paths) {
  RootDelta result;
  std::size_t i = 0;
  for (int layer = 0; layer < def.layer_count(); ++layer) {
    LayerTravel travel;
    for (; i < parts.size() && parts[i].layer == layer; ++i) {
      const RootMotionPart& part = parts[i];
      const auto clip = static_cast<std::size_t>(part.clip);
      const RootPath* path = part.clip >= 0 && clip < paths.size() ? paths[clip] : nullptr;
      const RootDelta delta = path ? path->delta(part.n0, part.n1, part.loop) : RootDelta{};
      travel.add(delta, part.weight, part.mirror);
    }
    if (layer == 0) {
      result = travel.result(1);
      continue;
    }
    const LayerDef& layer_def = def.tables().layers[static_cast<std::size_t>(layer)];
    if (!layer_def.root_motion) continue;
    // An upper layer counts as far as it plays anything: an empty state leaves those below alone.
    const float still = min(max(1 - travel.weight, 0.0f), frozen_share(def, state, layer));
    const float presence = min(travel.weight + still, 1.0f);
    const float weight = state.layer_weight(layer) * presence;
    if (weight <= 0) continue;
    const RootDelta own = travel.result(presence);
    result = layer_def.blending == LayerBlending::kAdditive
                 ? compose(result, blend(RootDelta{}, own, weight))
                 : blend(result, own, weight);
  }
  return result;
}

}  // namespace sinew
