// From nodes to a skeleton: which nodes become joints, and what is folded into them.
#pragma once

#include <vector>

#include <sinew/asset/model.hpp>

#include "gltf/scene.hpp"

namespace sinew::gltf {

// What static nodes above the skeleton do to a joint: a root's local pose gets rotation and
// translation in front; lengths of every joint below are multiplied by the scale.
struct Fold {
  Transform above;  // of the nodes above a root (scale is `scale`); identity for other joints
  float scale = 1;
};

struct Rig {
  Skeleton skeleton;
  std::vector<int> joint_of_node;  // kNoJoint where a node is no joint
  std::vector<int> node_of_joint;
  std::vector<Fold> folds;  // by joint
};

// Throws Failure.
Rig build_rig(Document& document, const SceneDef& scene);

bool all_finite(const Mat3x4& m);

// A joint's own translation or local pose, as the fold changes it.
Vec3 fold_translation(const Fold& fold, Vec3 translation);
Transform fold_rest(const Fold& fold, const Transform& local);

// One clip per animation. Throws Failure.
std::vector<RawClip> make_clips(Document& document, const SceneDef& scene, const Rig& rig,
                                const std::vector<std::string>& morph_keys);

// Where a node that is no joint lies: its nearest joint above (or kNoJoint), and the matrix from
// the node to it (to the scene's origin), lengths folded.
struct Attachment {
  int joint = kNoJoint;
  Mat3x4 matrix;
};
Attachment attachment_of(const SceneDef& scene, const Rig& rig, int node);

std::vector<Skin> make_skins(const Document& document, const SceneDef& scene, const Rig& rig);
std::vector<Socket> make_sockets(const SceneDef& scene, const Rig& rig);

// Per node: what stands for its mesh in "morph/<mesh>/..." and as Mesh::name; empty without a mesh.
// The mesh's name where one node alone has it, else the node's; always different for two nodes.
std::vector<std::string> mesh_keys(const Document& document, const SceneDef& scene);
// The names of a mesh's morph targets: "extras.targetNames", else "0", "1", ...
std::vector<std::string> morph_target_names(const Document& document, int mesh);

}  // namespace sinew::gltf
