// The parts of a glTF file as it holds them: nodes, skins, animations; indices are the file's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <sinew/asset/raw_clip.hpp>

#include "gltf/document.hpp"

namespace sinew::gltf {

struct Node {
  std::string name;
  int parent = -1;
  int root = -1;  // the topmost node above, or itself
  std::vector<int> children;
  Transform local;
  bool has_matrix = false;  // `local` is its decomposition
  int mesh = -1, skin = -1;
  bool in_scene = false;  // below a root of the scene that is shown (any, where there is no scene)
};

struct SkinDef {
  std::string name;
  std::vector<int> joints;           // nodes
  std::vector<Mat3x4> inverse_bind;  // one per joint
};

// The keys of one node in one animation, in the node's own space.
struct NodeTrack {
  KeyTrack<Vec3> translation;
  KeyTrack<Quat> rotation;
  KeyTrack<Vec3> scale;
  std::vector<KeyTrack<float>> weights;  // one per morph target, or empty
};

struct AnimationDef {
  std::string name;
  float duration = 0;
  std::map<int, NodeTrack> tracks;  // by node
};

struct SceneDef {
  std::vector<Node> nodes;
  std::vector<int> order;  // all nodes, parents first
  std::vector<SkinDef> skins;
  std::vector<AnimationDef> animations;
};

// "node 3 'Hips'"; the place refers to the node's name.
Place node_place(const Document& document, const std::vector<Node>& nodes, int node);

// The number of morph targets of a mesh (of its first primitive; they all have the same).
std::size_t morph_target_count(const Document& document, int mesh);

// All throw Failure.
std::vector<Node> read_nodes(Document& document, std::vector<int>& order);
std::vector<SkinDef> read_skins(Document& document, const std::vector<Node>& nodes);
std::vector<AnimationDef> read_animations(Document& document, const std::vector<Node>& nodes);

}  // namespace sinew::gltf
