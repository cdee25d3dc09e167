#include <sinew/rig/eval.hpp>
#include <sinew/rig/rig_def.hpp>

namespace sinew {

void RigScratch::reserve(const RigDef& def) {
  if (nodes_.size() < def.nodes_.size()) {
    nodes_.resize(def.nodes_.size());
    flags_.resize(def.nodes_.size());
  }
  if (values_.size() < def.channels_.size()) values_.resize(def.channels_.size());
}

namespace rig {

void RigEval::load(int node) {
  const NodeInfo& info = info_[node];
  if (info.slot >= 0) {
    work_[node].local = get_lane(pose_[info.slot / 4], info.slot % 4);
  } else {
    const Transform& input = rig_nodes_[info.rig_node];
    work_[node].local = info.world
                            ? Transform{point_to_model(input.translation),
                                        conjugate(root_.rotation) * input.rotation, input.scale}
                            : input;
  }
  flags_[node] = static_cast<std::uint8_t>(flags_[node] | kLoaded);
}

void RigEval::compute_model(int node) {
  const Transform& own = local(node);
  const int p = info_[node].parent;
  work_[node].model = p >= 0 ? model(p) * own : own;
  flags_[node] = static_cast<std::uint8_t>(flags_[node] | kModel);
}

void RigEval::set_position(int node, Vec3 p) {
  const int up = info_[node].parent;
  set_local_position(node, up >= 0 ? transform_point(inverse(model(up)), p) : p);
}

}  // namespace rig

// Drives the constraints of one evaluation.
class RigEvaluator {
 public:
  RigEvaluator(const RigDef& def, std::span<std::byte> state, PoseSpan pose, const Transform& root,
               float dt, RigScratch& scratch)
      : def_(def), state_(state), pose_(pose), scratch_(scratch) {
    assert(static_cast<int>(pose.size()) == def.group_count_);
    scratch.reserve(def);
    std::memset(scratch.flags_.data(), 0, def.nodes_.size());
    def.read_values(state, scratch.values_.data());
    eval_.info_ = def.nodes_.data();
    eval_.work_ = scratch.nodes_.data();
    eval_.flags_ = scratch.flags_.data();
    eval_.values_ = scratch.values_.data();
    eval_.rig_nodes_ = reinterpret_cast<const Transform*>(state.data() + def.node_inputs_at_) +
                       def.rig_nodes_.size();
    eval_.pose_ = pose.data();
    eval_.root_ = is_finite(root) ? root : Transform{};
    eval_.root_.rotation = normalize(eval_.root_.rotation);
    const float scale = eval_.root_.scale.x;
    eval_.root_inverse_scale_ = scale != 0.0f && is_finite(1.0f / scale) ? 1.0f / scale : 1.0f;
    eval_.dt_ = is_finite(dt) && dt > 0.0f ? dt : 0.0f;
  }

  void run(DebugDraw* draw) {
    const float* values = scratch_.values_.data();
    std::byte* status = state_.data() + def_.status_at_;
    for (std::size_t i = 0; i < def_.constraints_.size(); ++i) {
      const RigDef::Constraint& c = def_.constraints_[i];
      const RigDef::Layer& layer = def_.layers_[static_cast<std::size_t>(c.layer)];
      const bool active = values[layer.active_channel] >= 0.5f;
      eval_.weight_ = active ? values[c.weight_channel] * values[layer.weight_channel] : 0.0f;
      const rig::ConstraintType& type = *c.box.type();
      RigStatus result = RigStatus::kIdle;
      eval_.compat_ = c.compat;
      eval_.state_ = state_.data() + def_.history_at_ + c.state_offset;
      eval_.state_bytes_ = c.state_bytes;
      if (eval_.weight_ > 0.0f || type.runs_idle) {
        eval_.fault_ = false;
        result = type.evaluate(c.box.data(), eval_);
        if (eval_.fault_) result = RigStatus::kDegenerate;
        if (draw && type.draw && eval_.weight_ > 0.0f) type.draw(c.box.data(), eval_, *draw);
      }
      status[i] = static_cast<std::byte>(result);
    }
  }

  // Puts what changed back into the pose; a channel that nobody set keeps its bits.
  void store() {
    using E = rig::RigEval;
    for (std::size_t n = 0; n < def_.nodes_.size(); ++n) {
      const rig::NodeInfo& info = def_.nodes_[n];
      const std::uint8_t flags = scratch_.flags_[n];
      if (info.slot < 0 || !(flags & E::kDirty)) continue;
      SoaTransform& group = pose_[static_cast<std::size_t>(info.slot / 4)];
      const int lane = info.slot % 4;
      const Transform& t = scratch_.nodes_[n].local;
      if (flags & E::kRotation) {
        group.rotation.x.set(lane, t.rotation.x);
        group.rotation.y.set(lane, t.rotation.y);
        group.rotation.z.set(lane, t.rotation.z);
        group.rotation.w.set(lane, t.rotation.w);
      }
      if (flags & E::kPosition) {
        group.translation.x.set(lane, t.translation.x);
        group.translation.y.set(lane, t.translation.y);
        group.translation.z.set(lane, t.translation.z);
      }
      if (flags & E::kScale) {
        group.scale.x.set(lane, t.scale.x);
        group.scale.y.set(lane, t.scale.y);
        group.scale.z.set(lane, t.scale.z);
      }
    }
    auto* results = reinterpret_cast<Transform*>(state_.data() + def_.node_results_at_);
    for (std::size_t k = 0; k < def_.rig_nodes_.size(); ++k) {
      results[k] = eval_.model(def_.rig_nodes_[k].node);
    }
  }

 private:
  const RigDef& def_;
  std::span<std::byte> state_;
  PoseSpan pose_;
  RigScratch& scratch_;
  rig::RigEval eval_;
};

void evaluate_rig(const RigDef& def, std::span<std::byte> state, PoseSpan pose,
                  const Transform& root_to_world, float dt, RigScratch& scratch, DebugDraw* draw) {
  assert(def.owns(state));
  RigEvaluator evaluator(def, state, pose, root_to_world, dt, scratch);
  evaluator.run(draw);
  evaluator.store();
}

}  // namespace sinew
