// Key tracks of nodes to clips of the skeleton.
#include <algorithm>
#include <string>

#include <sinew/base/text.hpp>

#include "gltf/near.hpp"
#include "gltf/rig.hpp"

namespace sinew::gltf {
namespace {

bool is_zero(Vec3 v) { return v == Vec3{}; }
bool is_zero(Quat q) { return q == Quat{0, 0, 0, 0}; }

bool same(Vec3 a, Vec3 b) { return a == b; }
bool same(Quat a, Quat b) { return a == b || a == -b; }

// One key for a channel that does not change; none where it equals the rest pose.
template <class T>
void simplify(KeyTrack<T>& track, const T& rest, float tolerance = kSameAsRest) {
  if (track.empty()) return;
  if (!moves(track, rest, tolerance)) {
    track = {};
    return;
  }
  const auto zero = [](const T& v) { return is_zero(v); };
  const bool constant = std::all_of(track.values.begin(), track.values.end(),
                                    [&](const T& v) { return same(v, track.values.front()); }) &&
                        std::all_of(track.in_tangents.begin(), track.in_tangents.end(), zero) &&
                        std::all_of(track.out_tangents.begin(), track.out_tangents.end(), zero);
  if (constant) {
    track = {Interpolation::kLinear, {track.times.front()}, {track.values.front()}, {}, {}};
  }
}

JointTrack fold_track(const NodeTrack& node, const Fold& fold, int joint, const Transform& rest) {
  JointTrack track{joint, node.translation, node.rotation, node.scale};
  const Quat turn = fold.above.rotation;
  for (Vec3& v : track.translation.values) v = fold_translation(fold, v);
  for (auto* tangents : {&track.translation.in_tangents, &track.translation.out_tangents}) {
    for (Vec3& v : *tangents) v = rotate(turn, v * fold.scale);
  }
  // A quaternion product is linear in each factor: the turn may stand in front of every number of a
  // spline.
  for (auto* values :
       {&track.rotation.values, &track.rotation.in_tangents, &track.rotation.out_tangents}) {
    for (Quat& q : *values) q = turn * q;
  }
  simplify(track.translation, rest.translation);
  simplify(track.rotation, rest.rotation);
  simplify(track.scale, rest.scale, kSameScale);
  return track;
}

float default_weight(const Document& document, const SceneDef& scene, int node,
                     std::size_t target) {
  const Json& node_object = document.list("nodes")[at(node)];
  const Json& mesh_object = document.list("meshes")[at(scene.nodes[at(node)].mesh)];
  for (const Json* object : {&node_object, &mesh_object}) {
    const Json* weights = member(*object, "weights");
    if (weights == nullptr || !weights->is_array() || target >= weights->size()) continue;
    float number = 0;
    return to_float((*weights)[target], number) ? number : 0.0f;
  }
  return 0.0f;
}

void add_morph_curves(const Document& document, const SceneDef& scene, int node,
                      const NodeTrack& track, const std::string& key, RawClip& clip) {
  if (track.weights.empty()) return;
  const std::vector<std::string> names = morph_target_names(document, scene.nodes[at(node)].mesh);
  for (std::size_t i = 0; i < track.weights.size(); ++i) {
    FloatCurve curve;
    curve.name = "morph/" + key + "/" + names[i];
    curve.keys = track.weights[i];
    curve.default_value = default_weight(document, scene, node, i);
    clip.curves.push_back(std::move(curve));
  }
}

// Tells of motion that is lost: of cameras, lights, and nodes of skinned meshes (whose place glTF
// says to ignore).
void remark_on_lost_motion(Document& document, const SceneDef& scene, const Rig& rig,
                           const AnimationDef& animation, const Place& place) {
  for (const auto& [node, track] : animation.tracks) {
    if (rig.joint_of_node[at(node)] != kNoJoint || !moves(track, scene.nodes[at(node)].local)) {
      continue;
    }
    document.inform("gltf.ignored_motion", place,
                    format_text("node %d '%s' moves, but carries no joint and no rigid mesh", node,
                                printable(scene.nodes[at(node)].name).c_str()));
  }
}

}  // namespace

bool moves(const NodeTrack& track, const Transform& rest) {
  return moves(track.translation, rest.translation) || moves(track.rotation, rest.rotation) ||
         moves(track.scale, rest.scale, kSameScale);
}

std::vector<RawClip> make_clips(Document& document, const SceneDef& scene, const Rig& rig,
                                const std::vector<std::string>& morph_keys) {
  std::vector<RawClip> clips;
  std::map<std::string, std::size_t> seen;
  for (std::size_t index = 0; index < scene.animations.size(); ++index) {
    const AnimationDef& animation = scene.animations[index];
    const Place place{&document.place(), "animation", static_cast<long long>(index),
                      animation.name};
    RawClip clip;
    clip.name = animation.name.empty() ? "animation_" + std::to_string(index) : animation.name;
    clip.duration = animation.duration;
    const auto [first, is_new] = seen.try_emplace(clip.name, index);
    if (!is_new) {
      document.warn("gltf.duplicate_name", place,
                    format_text("animation %zu has the same name; by name the first is found",
                                first->second));
    }
    for (int joint = 0; joint < rig.skeleton.joint_count(); ++joint) {
      const auto found = animation.tracks.find(rig.node_of_joint[at(joint)]);
      if (found == animation.tracks.end()) continue;
      JointTrack track =
          fold_track(found->second, rig.folds[at(joint)], joint, rig.skeleton.rest(joint));
      if (track.translation.empty() && track.rotation.empty() && track.scale.empty()) continue;
      clip.tracks.push_back(std::move(track));
    }
    for (const auto& [node, track] : animation.tracks) {
      add_morph_curves(document, scene, node, track, morph_keys[at(node)], clip);
    }
    remark_on_lost_motion(document, scene, rig, animation, place);
    if (Status status = validate(clip, rig.skeleton); !status) {
      fail(place, to_string(status.error()), status.error().code);
    }
    clips.push_back(std::move(clip));
  }
  return clips;
}

}  // namespace sinew::gltf
