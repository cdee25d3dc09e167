#include "fbx_rig.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <sinew/base/text.hpp>

#include "joint_choice.hpp"

namespace sinew {
namespace {

bool differs(double a, double b) { return std::abs(a - b) > 1e-5 * std::max(1.0, std::abs(b)); }

// True per model if any animation moves it away from its rest pose.
std::vector<bool> moving_models(const std::vector<FbxModel>& models,
                                const std::vector<FbxStack>& stacks) {
  std::vector<bool> out(models.size(), false);
  const auto note = [&](const FbxChannel& channel) {
    const Double3& rest = models[static_cast<std::size_t>(channel.model)].rest(channel.target);
    bool moves = false;
    for (int i = 0; i < 3; ++i) {
      const FbxCurve& curve = channel.curves[static_cast<std::size_t>(i)];
      moves = moves || (curve.empty() && differs(channel.constant[i], rest[i]));
      for (const FbxCurve::Key& key : curve.keys()) moves = moves || differs(key.value, rest[i]);
    }
    if (moves) out[static_cast<std::size_t>(channel.model)] = true;
  };
  for (const FbxStack& stack : stacks) {
    for (const FbxLayer& layer : stack.layers) {
      for (const FbxChannel& channel : layer.channels) note(channel);
    }
  }
  return out;
}

Transform to_float(const Transform64& t) {
  return {to_float(t.translation), to_float(t.rotation), to_float(t.scale)};
}

}  // namespace

FbxRig::FbxRig(const FbxScene& scene, const std::vector<FbxModel>& models,
               const std::vector<FbxStack>& stacks, double metres_per_unit)
    : scene_(scene), models_(models) {
  Transform64 to_metres;
  to_metres.rotation = scene.to_y_up();
  to_metres.scale = {metres_per_unit, metres_per_unit, metres_per_unit};
  from_file_ = to_affine(to_metres);
  choose(stacks);

  std::vector<Transform64> locals(models.size());
  std::vector<bool> all(models.size(), true);
  needed_.swap(all);
  evaluate(nullptr, 0, locals);
  needed_.swap(all);
  rest_world_.resize(models.size());
  above_.resize(models.size());
  shrink_.assign(models.size(), 1.0);
  for (std::size_t i = 0; i < models.size(); ++i) {
    const int parent = models[i].parent;
    above_[i] = parent < 0 ? from_file_ : rest_world_[static_cast<std::size_t>(parent)];
    rest_world_[i] = above_[i] * to_affine(locals[i]);
    if (joint_of_[i] < 0) continue;
    const bool has_parent = parent >= 0 && joint_of(parent) >= 0;
    const Transform64 local = has_parent ? locals[i] : decompose(above_[i] * to_affine(locals[i]));
    const double above = has_parent ? shrink_[static_cast<std::size_t>(parent)] : 1.0;
    shrink_[i] = is_uniform(local.scale) ? above / std::abs(local.scale.x) : above;
  }
}

void FbxRig::choose(const std::vector<FbxStack>& stacks) {
  std::vector<int> parents;
  std::vector<bool> bones, meshes;
  for (const FbxModel& m : models_) {
    bool is_bone = m.is_bone;
    for (const FbxLink& link : scene_.parents(m.object)) {
      is_bone = is_bone || scene_.object(link.parent).subtype == "Cluster";
    }
    parents.push_back(m.parent);
    bones.push_back(is_bone);
    meshes.push_back(m.is_mesh);
  }
  JointChoice choice = choose_joints(parents, bones, moving_models(models_, stacks), meshes);
  joint_of_ = std::move(choice.joint_of);
  model_of_joint_ = std::move(choice.node_of_joint);
  needed_ = std::move(choice.needed);
}

int FbxRig::joint_above(int model) const {
  while (model >= 0 && joint_of(model) < 0) model = models_[static_cast<std::size_t>(model)].parent;
  return model < 0 ? kNoJoint : joint_of(model);
}

void FbxRig::evaluate(const FbxStack* stack, double time, std::vector<Transform64>& locals) const {
  std::vector<Double3> reaching(models_.size(), Double3{1, 1, 1}),
      own(models_.size(), Double3{1, 1, 1});
  for (std::size_t i = 0; i < models_.size(); ++i) {
    if (!needed_[i]) continue;
    const FbxModel& m = models_[i];
    const int index = static_cast<int>(i);
    Double3 t = m.translation, r = m.rotation, s = m.scale;
    if (stack != nullptr) {
      t = stack->value(index, FbxTarget::kTranslation, t, m.order, time);
      r = stack->value(index, FbxTarget::kRotation, r, m.order, time);
      s = stack->value(index, FbxTarget::kScale, s, m.order, time);
    }
    own[i] = s;
    const std::size_t parent = static_cast<std::size_t>(m.parent);
    const Double3 one{1, 1, 1};
    locals[i] =
        with_inheritance(m, local_transform(m, t, r, s), m.parent < 0 ? one : reaching[parent],
                         m.parent < 0 ? one : own[parent], reaching[i]);
  }
}

Transform64 FbxRig::joint_local(int model, const std::vector<Transform64>& locals) const {
  const std::size_t i = static_cast<std::size_t>(model);
  const int parent = models_[i].parent;
  const bool has_parent = parent >= 0 && joint_of(parent) >= 0;
  Transform64 out = has_parent ? locals[i] : decompose(above_[i] * to_affine(locals[i]));
  const double above = has_parent ? shrink_[static_cast<std::size_t>(parent)] : 1.0;
  out.translation = out.translation * (1 / above);
  out.scale = out.scale * (shrink_[i] / above);
  return out;
}

std::vector<JointDef> FbxRig::joint_defs() const {
  std::vector<Transform64> locals(models_.size());
  evaluate(nullptr, 0, locals);
  std::vector<JointDef> out;
  for (const int model : model_of_joint_) {
    const FbxModel& m = models_[static_cast<std::size_t>(model)];
    JointDef def;
    def.name = m.name;
    def.parent = m.parent < 0 ? kNoJoint : joint_of(m.parent);
    def.rest = to_float(joint_local(model, locals));
    out.push_back(std::move(def));
  }
  return out;
}

Result<RawClip> FbxRig::clip(const FbxStack& stack, const Skeleton& skeleton, double rate,
                             double& budget) const {
  RawClip out;
  out.name = stack.name;
  const double duration = stack.stop - stack.start;
  out.duration = static_cast<float>(duration);
  const double steps = std::floor(duration * rate + 1e-4);
  budget -= (steps + 1) * static_cast<double>(std::count(needed_.begin(), needed_.end(), true)) *
            static_cast<double>(1 + stack.layers.size());
  if (!(budget >= 0)) {
    return make_error(ErrorCode::kLimit,
                      format_text("%.0f s of %zu joints are too much at %.0f keys a second",
                                  duration, model_of_joint_.size(), rate),
                      "animation '" + stack.name + "'");
  }
  std::vector<float> times;
  for (double i = 0; i <= steps; ++i)
    times.push_back(static_cast<float>(std::min(i / rate, duration)));
  // A stop between two frames has a key of its own.
  if (duration - steps / rate > 1e-3 / rate) times.push_back(static_cast<float>(duration));

  struct Values {
    std::vector<Vec3> translations, scales;
    std::vector<Quat> rotations;
  };
  std::vector<Values> values(model_of_joint_.size());
  std::vector<Transform64> locals(models_.size());
  for (const float t : times) {
    evaluate(&stack, stack.start + static_cast<double>(t), locals);
    for (std::size_t j = 0; j < values.size(); ++j) {
      const Transform64 local = joint_local(model_of_joint_[j], locals);
      Values& v = values[j];
      v.translations.push_back(sinew::to_float(local.translation));
      const Quat q = sinew::to_float(local.rotation);
      v.rotations.push_back(v.rotations.empty() ? q : align(v.rotations.back(), q));
      v.scales.push_back(sinew::to_float(local.scale));
    }
  }
  for (std::size_t j = 0; j < values.size(); ++j) {
    JointTrack track;
    track.joint = skeleton.index_of_source(static_cast<int>(j));
    const Transform& rest = skeleton.rest(track.joint);
    track.translation =
        reduced(times, std::move(values[j].translations), rest.translation, near_vectors);
    track.rotation = reduced(times, std::move(values[j].rotations), rest.rotation, near_rotations);
    track.scale = reduced(times, std::move(values[j].scales), rest.scale, near_scales);
    const bool empty = track.translation.empty() && track.rotation.empty() && track.scale.empty();
    if (!empty) out.tracks.push_back(std::move(track));
  }
  std::sort(out.tracks.begin(), out.tracks.end(),
            [](const JointTrack& a, const JointTrack& b) { return a.joint < b.joint; });
  return out;
}

}  // namespace sinew
