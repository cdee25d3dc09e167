#include <cstring>

#include <sinew/rig/eval.hpp>
#include <sinew/rig/rig_def.hpp>

namespace sinew {

void RigScratch::reserve(const RigDef& def) {
  const std::size_t count = def.nodes_.size();
  if (nodes_.size() >= count) return;
  nodes_.resize(count);
  flags_.resize(count);
  changed_.resize(count);
}

namespace rig {
namespace {

// A lane of translation x, y, z, rotation x, y, z, w, scale x, y, z.
inline void gather(const float* lane, Float4* local) {
  local[0] = {lane[0], lane[4], lane[8], 0};
  local[1] = {lane[12], lane[16], lane[20], lane[24]};
  local[2] = {lane[28], lane[32], lane[36], 0};
}

// model = parent * local.
inline void compose(const Float4* parent, const Float4* local, Float4* model) {
  model[0] = parent[0] + quat_rotate(parent[1], parent[2] * local[0]);
  model[1] = quat_product(parent[1], local[1]);
  model[2] = parent[2] * local[2];
}

}  // namespace

void RigEval::load_rig_node(int node) {
  const NodeInfo& info = info_[node];
  const Transform& input = rig_nodes_[info.rig_node];
  Float4* local = work_[node].local;
  local[0] = to_wide(input.translation);
  local[1] = to_wide(input.rotation);
  local[2] = to_wide(input.scale);
  if (!info.world) return;
  const Float4 to_model = negate_xyz(wide_root_rotation_);
  local[0] = quat_rotate(to_model, local[0] - wide_root_position_) * root_inverse_scale_;
  local[1] = quat_product(to_model, local[1]);
}

void RigEval::load(int node) {
  const std::int32_t lane = info_[node].lane;
  if (lane < 0) return load_rig_node(node);
  gather(pose_ + lane, work_[node].local);
}

void RigEval::compute_model(int node) {
  need_local(node);
  NodeWork& work = work_[node];
  const int p = info_[node].parent;
  if (p >= 0) {
    need_model(p);
    compose(work_[p].model, work.local, work.model);
  } else {
    for (int i = 0; i < 3; ++i) work.model[i] = work.local[i];
  }
  flags_[node] = static_cast<std::uint8_t>(flags_[node] | kModel);
}

// As compute_model() on one after another, without its calls. A joint's local transform goes from
// the pose into the product; who asks for it later gathers it again.
void RigEval::prepare(std::span<const std::int16_t> nodes) {
  // Copies of the members: a store to a flag might change them for all that the compiler knows.
  const NodeInfo* const infos = info_;
  NodeWork* const works = work_;
  std::uint8_t* const flags = flags_;
  const float* const pose = pose_;
  for (const std::int16_t node : nodes) {
    if (flags[node] & kModel) continue;
    NodeWork& work = works[node];
    const NodeInfo& info = infos[node];
    Float4 fresh[3];
    const Float4* local = work.local;
    if (!(flags[node] & kLoaded)) {
      if (info.lane >= 0) {
        gather(pose + info.lane, fresh);
        local = fresh;
      } else {
        need_local(node);
      }
    }
    if (info.parent >= 0) {
      compose(works[info.parent].model, local, work.model);
    } else {
      for (int i = 0; i < 3; ++i) work.model[i] = local[i];
    }
    flags[node] = static_cast<std::uint8_t>(flags[node] | kModel);
  }
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
      : def_(def), state_(state), pose_(pose) {
    assert(static_cast<int>(pose.size()) == def.group_count_);
    scratch.reserve(def);
    std::memset(scratch.flags_.data(), 0, def.nodes_.size());
    eval_.info_ = def.nodes_.data();
    eval_.work_ = scratch.nodes_.data();
    eval_.flags_ = scratch.flags_.data();
    eval_.changed_ = scratch.changed_.data();
    eval_.values_ = reinterpret_cast<const float*>(state.data() + def.shown_values_at_);
    eval_.rig_nodes_ = reinterpret_cast<const Transform*>(state.data() + def.shown_nodes_at_);
    eval_.pose_ = reinterpret_cast<const float*>(pose.data());
    set_root(root);
    eval_.dt_ = is_finite(dt) && dt > 0.0f ? dt : 0.0f;
  }

  void run(DebugDraw* draw) {
    def_.show_keys(state_);
    std::byte* status = state_.data() + def_.status_at_;
    for (std::size_t i = 0; i < def_.constraints_.size(); ++i) {
      const RigDef::Constraint& c = def_.constraints_[i];
      const rig::ConstraintType& type = *c.box.type();
      RigStatus result = RigStatus::kIdle;
      eval_.weight_ = weight_of(c);
      if (eval_.weight_ > 0.0f || type.runs_idle) {
        enter(c);
        result = type.evaluate(c.box.data(), eval_);
        if (eval_.fault_) result = RigStatus::kDegenerate;
        if (draw && type.draw && eval_.weight_ > 0.0f) type.draw(c.box.data(), eval_, *draw);
      }
      status[i] = static_cast<std::byte>(result);
    }
  }

  // Puts what changed back into the pose; a channel that nobody set keeps its bits.
  void store() {
    for (int i = 0; i < eval_.changed_count_; ++i) store(eval_.changed_[i]);
    auto* results = reinterpret_cast<Transform*>(state_.data() + def_.node_results_at_);
    for (std::size_t k = 0; k < def_.rig_nodes_.size(); ++k) {
      results[k] = eval_.model(def_.rig_nodes_[k].node);
    }
  }

  // Draws what the last evaluation left: rig nodes are where its results say.
  void draw_results(DebugDraw& draw) {
    const auto* results = reinterpret_cast<const Transform*>(state_.data() + def_.node_results_at_);
    for (std::size_t k = 0; k < def_.rig_nodes_.size(); ++k) {
      const int node = def_.rig_nodes_[k].node;
      Float4* model = eval_.work_[node].model;
      model[0] = to_wide(results[k].translation);
      model[1] = to_wide(results[k].rotation);
      model[2] = to_wide(results[k].scale);
      eval_.flags_[node] = static_cast<std::uint8_t>(eval_.flags_[node] | rig::RigEval::kModel);
    }
    for (const RigDef::Constraint& c : def_.constraints_) {
      const rig::ConstraintType& type = *c.box.type();
      eval_.weight_ = weight_of(c);
      if (!type.draw || !(eval_.weight_ > 0.0f)) continue;
      enter(c);
      type.draw(c.box.data(), eval_, draw);
    }
  }

 private:
  void set_root(const Transform& root) {
    const Float4 position = to_wide(root.translation), rotation = to_wide(root.rotation);
    const bool good = all_finite(position + rotation + to_wide(root.scale));
    eval_.wide_root_position_ = good ? position : Float4(0.0f);
    eval_.wide_root_rotation_ = good ? quat_normalize(rotation) : Float4(0, 0, 0, 1);
    if (good) eval_.root_ = {root.translation, to_quat(eval_.wide_root_rotation_), root.scale};
    const float inverse = 1.0f / eval_.root_.scale.x;
    eval_.root_inverse_scale_ = is_finite(inverse) ? inverse : 1.0f;
  }

  // Its own x its layer's, 0 for a layer that is off.
  float weight_of(const RigDef::Constraint& c) const {
    const RigDef::Layer& layer = def_.layers_[static_cast<std::size_t>(c.layer)];
    const float* values = eval_.values_;
    return values[layer.active_channel] >= 0.5f
               ? values[c.weight_channel] * values[layer.weight_channel]
               : 0.0f;
  }

  void enter(const RigDef::Constraint& c) {
    eval_.compat_ = c.compat;
    eval_.state_ = state_.data() + def_.history_at_ + c.state_offset;
    eval_.state_bytes_ = c.state_bytes;
    eval_.fault_ = false;
    eval_.prepare(std::span(def_.needed_).subspan(c.first_needed, c.needed_count));
  }

  void store(int node) {
    using E = rig::RigEval;
    const std::int32_t at = def_.nodes_[static_cast<std::size_t>(node)].lane;
    if (at < 0) return;
    const std::uint8_t flags = eval_.flags_[node];
    float* lane = reinterpret_cast<float*>(pose_.data()) + at;
    const Float4* local = eval_.work_[node].local;
    if (flags & E::kRotation) {
      for (int i = 0; i < 4; ++i) lane[12 + 4 * i] = local[1][i];
    }
    if (flags & E::kPosition) {
      for (int i = 0; i < 3; ++i) lane[4 * i] = local[0][i];
    }
    if (flags & E::kScale) {
      for (int i = 0; i < 3; ++i) lane[28 + 4 * i] = local[2][i];
    }
  }

  const RigDef& def_;
  std::span<std::byte> state_;
  PoseSpan pose_;
  rig::RigEval eval_;
};

void evaluate_rig(const RigDef& def, std::span<std::byte> state, PoseSpan pose,
                  const Transform& root_to_world, float dt, RigScratch& scratch, DebugDraw* draw) {
  assert(def.owns(state));
  RigEvaluator evaluator(def, state, pose, root_to_world, dt, scratch);
  evaluator.run(draw);
  evaluator.store();
}

void draw_rig(const RigDef& def, std::span<const std::byte> state, ConstPoseSpan pose,
              const Transform& root_to_world, DebugDraw& draw) {
  assert(def.owns(state));
  // Copies, since constraints get theirs to change.
  std::vector<std::uint64_t> bytes((state.size() + 7) / 8);
  std::memcpy(bytes.data(), state.data(), state.size());
  std::vector<SoaTransform> groups(pose.begin(), pose.end());
  RigScratch scratch(def);
  RigEvaluator evaluator(def, std::as_writable_bytes(std::span(bytes)), groups, root_to_world, 0,
                         scratch);
  evaluator.draw_results(draw);
}

}  // namespace sinew
