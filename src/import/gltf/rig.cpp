#include "gltf/rig.hpp"

#include <algorithm>
#include <string>

#include <sinew/base/text.hpp>

#include "gltf/near.hpp"

namespace sinew::gltf {
namespace {

constexpr float kUniform = 1e-5f;

bool is_uniform(Vec3 scale) {
  const float low = min(scale.x, min(scale.y, scale.z));
  const float high = max(scale.x, max(scale.y, scale.z));
  return low > 0.0f && high - low <= kUniform * high;
}

Mat3x4 scaled(Mat3x4 m, float scale) {
  for (Vec4& row : m.row) row = row * scale;
  return m;
}

// Chooses the nodes that become joints. Flags by node.
class JointChooser {
 public:
  explicit JointChooser(const SceneDef& scene)
      : scene_(scene), is_joint_(scene.nodes.size()), has_joint_below_(scene.nodes.size()) {}

  std::vector<bool> choose() {
    if (!scene_.skins.empty()) {
      for (const SkinDef& skin : scene_.skins) {
        for (int node : skin.joints) is_joint_[at(node)] = true;
      }
      add_moved_nodes();
    } else if (!scene_.animations.empty()) {
      for (const AnimationDef& animation : scene_.animations) {
        for (const auto& [node, track] : animation.tracks) is_joint_[at(node)] = true;
      }
    } else {
      is_joint_.assign(scene_.nodes.size(), true);
    }
    add_nodes_between();
    add_unfoldable_ancestors();
    return is_joint_;
  }

 private:
  const Node& node(int i) const { return scene_.nodes[at(i)]; }

  // Nodes that a clip moves and that carry a joint, a rigid mesh, or hang on a joint.
  void add_moved_nodes() {
    std::vector<bool> carries = is_joint_, hangs = is_joint_;
    for (auto i = scene_.order.rbegin(); i != scene_.order.rend(); ++i) {
      if (node(*i).mesh >= 0 && node(*i).skin < 0) carries[at(*i)] = true;
      if (carries[at(*i)] && node(*i).parent >= 0) carries[at(node(*i).parent)] = true;
    }
    for (int i : scene_.order) {
      if (node(i).parent >= 0 && hangs[at(node(i).parent)]) hangs[at(i)] = true;
    }
    for (const AnimationDef& animation : scene_.animations) {
      for (const auto& [i, track] : animation.tracks) {
        const bool matters = carries[at(i)] || (hangs[at(i)] && node(i).skin < 0);
        if (matters && moves(track, node(i).local)) is_joint_[at(i)] = true;
      }
    }
  }

  void add_nodes_between() {
    std::fill(has_joint_below_.begin(), has_joint_below_.end(), false);
    for (auto i = scene_.order.rbegin(); i != scene_.order.rend(); ++i) {
      const int parent = node(*i).parent;
      if (parent >= 0 && (is_joint_[at(*i)] || has_joint_below_[at(*i)])) {
        has_joint_below_[at(parent)] = true;
      }
    }
    std::vector<bool> below = is_joint_;
    for (int i : scene_.order) {
      if (node(i).parent >= 0 && below[at(node(i).parent)]) below[at(i)] = true;
      if (below[at(i)] && has_joint_below_[at(i)]) is_joint_[at(i)] = true;
    }
  }

  // A static node above the skeleton with a mirrored or non-uniform scale cannot be folded: it and
  // all between it and the joints stay.
  void add_unfoldable_ancestors() {
    std::vector<bool> kept(scene_.nodes.size());
    for (int i : scene_.order) {
      const bool above = node(i).parent >= 0 && kept[at(node(i).parent)];
      kept[at(i)] = !is_joint_[at(i)] && has_joint_below_[at(i)] &&
                    (above || !is_uniform(node(i).local.scale));
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (kept[i]) is_joint_[i] = true;
    }
  }

  const SceneDef& scene_;
  std::vector<bool> is_joint_, has_joint_below_;
};

// What lies above each node that is no joint and has none above it, and above each root joint.
// Only valid where all of it can be folded.
std::vector<Fold> folds_by_node(const SceneDef& scene, const std::vector<bool>& is_joint) {
  std::vector<Fold> folds(scene.nodes.size());
  std::vector<Fold> above(scene.nodes.size());  // of the node itself, for its children
  for (int i : scene.order) {
    const Node& node = scene.nodes[at(i)];
    if (node.parent >= 0) {
      folds[at(i)] = above[at(node.parent)];
    }
    if (is_joint[at(i)]) {
      above[at(i)].scale = folds[at(i)].scale;
    } else {
      const float own = (node.local.scale.x + node.local.scale.y + node.local.scale.z) / 3.0f;
      Fold& fold = above[at(i)];
      fold.above = folds[at(i)].above * node.local;
      fold.scale = folds[at(i)].scale * own;
      if (abs(fold.scale - 1.0f) <= kSameAsRest) fold.scale = 1.0f;
      fold.above.scale = {fold.scale, fold.scale, fold.scale};
    }
  }
  return folds;
}

}  // namespace

bool all_finite(const Mat3x4& m) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!is_finite(axis_of(m, axis))) return false;
  }
  return is_finite(translation_of(m));
}

Vec3 fold_translation(const Fold& fold, Vec3 translation) {
  return fold.above.translation + rotate(fold.above.rotation, translation * fold.scale);
}

Transform fold_rest(const Fold& fold, const Transform& local) {
  const bool unscaled = near(local.scale, Vec3{1, 1, 1}, kSameScale);
  return {fold_translation(fold, local.translation), fold.above.rotation * local.rotation,
          unscaled ? Vec3{1, 1, 1} : local.scale};
}

Rig build_rig(Document& document, const SceneDef& scene) {
  const std::vector<bool> is_joint = JointChooser(scene).choose();
  const std::vector<Fold> folds = folds_by_node(scene, is_joint);
  std::vector<JointDef> joints;
  std::vector<int> source_of_node(scene.nodes.size(), kNoJoint), nodes;
  for (int i : scene.order) {
    if (!is_joint[at(i)]) continue;
    const Node& node = scene.nodes[at(i)];
    JointDef joint;
    joint.name = node.name.empty() ? "node_" + std::to_string(i) : node.name;
    joint.parent = node.parent >= 0 ? source_of_node[at(node.parent)] : kNoJoint;
    joint.rest = fold_rest(folds[at(i)], node.local);
    source_of_node[at(i)] = static_cast<int>(joints.size());
    joints.push_back(std::move(joint));
    nodes.push_back(i);
  }
  Result<Skeleton> skeleton = Skeleton::build(joints);
  if (!skeleton) throw Failure{skeleton.error()};

  Rig rig;
  rig.skeleton = std::move(*skeleton);
  rig.joint_of_node.assign(scene.nodes.size(), kNoJoint);
  rig.node_of_joint.resize(joints.size());
  rig.folds.resize(joints.size());
  std::map<std::string, int> seen;
  for (std::size_t source = 0; source < joints.size(); ++source) {
    const int joint = rig.skeleton.index_of_source(static_cast<int>(source));
    const int node = nodes[source];
    rig.joint_of_node[at(node)] = joint;
    rig.node_of_joint[at(joint)] = node;
    rig.folds[at(joint)] = folds[at(node)];
    const auto [first, is_new] = seen.try_emplace(joints[source].name, node);
    if (!is_new) {
      document.inform(
          "gltf.duplicate_name", node_place(document, scene.nodes, node),
          format_text("node %d has the same name; by name the first is found", first->second));
    }
  }
  return rig;
}

Attachment attachment_of(const SceneDef& scene, const Rig& rig, int node) {
  Attachment out;
  int i = node;
  for (; i >= 0 && rig.joint_of_node[at(i)] == kNoJoint; i = scene.nodes[at(i)].parent) {
    out.matrix = to_matrix(scene.nodes[at(i)].local) * out.matrix;
  }
  if (i < 0) return out;
  out.joint = rig.joint_of_node[at(i)];
  out.matrix = scaled(out.matrix, rig.folds[at(out.joint)].scale);
  return out;
}

std::vector<Skin> make_skins(const Document& document, const SceneDef& scene, const Rig& rig) {
  std::vector<Skin> skins;
  for (const SkinDef& def : scene.skins) {
    Skin skin;
    skin.name = def.name;
    for (std::size_t i = 0; i < def.joints.size(); ++i) {
      const int joint = rig.joint_of_node[at(def.joints[i])];
      const Mat3x4 bind = scaled(def.inverse_bind[i], rig.folds[at(joint)].scale);
      if (!all_finite(bind)) {
        const Place place{&document.place(), "skin", static_cast<long long>(skins.size()), {}};
        fail(place, format_text("inverse bind matrix %zu becomes too large", i));
      }
      skin.joints.push_back(joint);
      skin.inverse_bind.push_back(bind);
    }
    skins.push_back(std::move(skin));
  }
  return skins;
}

std::vector<Socket> make_sockets(const SceneDef& scene, const Rig& rig) {
  std::vector<Socket> sockets;
  for (int i : scene.order) {
    const Node& node = scene.nodes[at(i)];
    if (rig.joint_of_node[at(i)] != kNoJoint || node.mesh >= 0 || node.name.empty()) continue;
    const Attachment place = attachment_of(scene, rig, i);
    if (place.joint == kNoJoint || !all_finite(place.matrix)) continue;
    sockets.push_back({node.name, place.joint, decompose(place.matrix)});
  }
  return sockets;
}

std::vector<std::string> mesh_keys(const Document& document, const SceneDef& scene) {
  const Json& meshes = document.list("meshes");
  std::vector<int> uses(meshes.size());
  for (const Node& node : scene.nodes) {
    if (node.mesh >= 0) ++uses[at(node.mesh)];
  }
  std::vector<std::string> keys(scene.nodes.size());
  std::map<std::string, int> taken;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const Node& node = scene.nodes[i];
    if (node.mesh < 0) continue;
    const Json& mesh = meshes[at(node.mesh)];
    const Place place{&document.place(), "mesh", node.mesh, {}};
    require_object(mesh, place);
    std::string key = uses[at(node.mesh)] == 1 ? string_of(mesh, "name", place) : std::string();
    if (key.empty()) key = node.name;
    if (key.empty()) key = "node_" + std::to_string(i);
    while (!taken.try_emplace(key, static_cast<int>(i)).second) key += "_" + std::to_string(i);
    keys[i] = std::move(key);
  }
  return keys;
}

std::vector<std::string> morph_target_names(const Document& document, int mesh) {
  std::vector<std::string> names(morph_target_count(document, mesh));
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = std::to_string(i);
  const Json& object = document.list("meshes")[at(mesh)];
  const Json* extras = member(object, "extras");
  const Json* given =
      extras != nullptr && extras->is_object() ? member(*extras, "targetNames") : nullptr;
  if (given == nullptr || !given->is_array()) return names;
  for (std::size_t i = 0; i < std::min(names.size(), given->size()); ++i) {
    if ((*given)[i].is_string()) names[i] = (*given)[i].get<std::string>();
  }
  return names;
}

}  // namespace sinew::gltf
