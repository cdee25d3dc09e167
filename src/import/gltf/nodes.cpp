// Nodes, their tree, and skins.
#include <algorithm>

#include <sinew/base/text.hpp>

#include "gltf/scene.hpp"

namespace sinew::gltf {
namespace {

constexpr int kDeepest = 1024;  // so that walks up the tree stay short

// Column by column, as glTF holds matrices.
Mat3x4 to_mat3x4(const float* m) {
  Mat3x4 out;
  for (int row = 0; row < 3; ++row) {
    out.row[row] = {m[row], m[4 + row], m[8 + row], m[12 + row]};
  }
  return out;
}

Transform decompose_node(Document& document, const float* m, const Place& place) {
  const Mat3x4 matrix = to_mat3x4(m);
  const Transform local = decompose(matrix);
  const Mat3x4 back = to_matrix(local);
  float largest = 0, difference = 0;
  for (int axis = 0; axis < 3; ++axis) {
    largest = max(largest, length(axis_of(matrix, axis)));
    difference = max(difference, length(axis_of(matrix, axis) - axis_of(back, axis)));
  }
  if (difference > 1e-4f * largest) {
    document.warn("gltf.sheared_matrix", place,
                  "'matrix' is no translation, rotation and scale; its shear is dropped");
  }
  return local;
}

Transform read_local(Document& document, const Json& object, const Place& place, bool& has_matrix) {
  float m[16], t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
  has_matrix = floats_of(object, "matrix", 16, m, place);
  const bool moves = floats_of(object, "translation", 3, t, place);
  const bool turns = floats_of(object, "rotation", 4, r, place);
  const bool scales = floats_of(object, "scale", 3, s, place);
  if (has_matrix) {
    if (moves || turns || scales) {
      document.warn("gltf.matrix_and_parts", place,
                    "it has both 'matrix' and translation, rotation or scale; 'matrix' is used");
    }
    return decompose_node(document, m, place);
  }
  const Quat rotation{r[0], r[1], r[2], r[3]};
  if (!(dot(rotation, rotation) > 1e-12f) || !is_finite(dot(rotation, rotation))) {
    fail(place, "'rotation' has no direction");
  }
  return {{t[0], t[1], t[2]}, normalize(rotation), {s[0], s[1], s[2]}};
}

// Parents and an order with parents first. Fails for a second parent and for cycles.
std::vector<int> link(Document& document, std::vector<Node>& nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (int child : nodes[i].children) {
      Node& below = nodes[static_cast<std::size_t>(child)];
      if (below.parent >= 0) {
        fail(node_place(document, nodes, child),
             format_text("it has two parents, node %d and node %zu", below.parent, i));
      }
      below.parent = static_cast<int>(i);
    }
  }
  std::vector<int> order;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].parent < 0) order.push_back(static_cast<int>(i));
  }
  std::vector<int> depth(nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    Node& node = nodes[static_cast<std::size_t>(order[i])];
    node.root = node.parent < 0 ? order[i] : nodes[static_cast<std::size_t>(node.parent)].root;
    if (node.parent >= 0) {
      int& own = depth[static_cast<std::size_t>(order[i])];
      own = depth[static_cast<std::size_t>(node.parent)] + 1;
      if (own >= kDeepest) {
        fail(node_place(document, nodes, order[i]),
             format_text("nodes are nested deeper than %d", kDeepest), ErrorCode::kLimit);
      }
    }
    order.insert(order.end(), node.children.begin(), node.children.end());
  }
  if (order.size() == nodes.size()) {
    // Nodes that are listed parents first keep that order, so that joints keep their indices in a
    // file that was written from a skeleton.
    const auto parent_first = [&](const Node& node) { return node.parent < &node - nodes.data(); };
    if (std::all_of(nodes.begin(), nodes.end(), parent_first))
      std::sort(order.begin(), order.end());
    return order;
  }
  std::vector<bool> reached(nodes.size());
  for (int node : order) reached[static_cast<std::size_t>(node)] = true;
  const auto lost = std::find(reached.begin(), reached.end(), false) - reached.begin();
  fail(node_place(document, nodes, static_cast<int>(lost)), "its parents form a cycle");
}

void mark_scene(Document& document, std::vector<Node>& nodes, const std::vector<int>& order) {
  const Json& scenes = document.list("scenes");
  const int scene = index_of(document.root(), "scene", scenes.size(), document.place());
  if (scenes.empty()) {
    for (Node& node : nodes) node.in_scene = true;
    return;
  }
  const int shown = std::max(scene, 0);
  const Json& object = scenes[static_cast<std::size_t>(shown)];
  const Place place{&document.place(), "scene", shown, {}};
  require_object(object, place);
  for (const Json& root : array_of(object, "nodes", place)) {
    nodes[static_cast<std::size_t>(to_index(root, "an element of 'nodes'", nodes.size(), place))]
        .in_scene = true;
  }
  for (int i : order) {
    Node& node = nodes[static_cast<std::size_t>(i)];
    if (node.parent >= 0 && nodes[static_cast<std::size_t>(node.parent)].in_scene) {
      node.in_scene = true;
    }
  }
}

// Whether all joints hang on one node; only a remark, a skeleton may have several roots.
bool have_common_root(const std::vector<Node>& nodes, const std::vector<int>& joints) {
  const int root = nodes[static_cast<std::size_t>(joints.front())].root;
  return std::all_of(joints.begin(), joints.end(), [&](int joint) {
    return nodes[static_cast<std::size_t>(joint)].root == root;
  });
}

void check_skeleton(Document& document, const std::vector<Node>& nodes, const SkinDef& skin,
                    int root, const Place& place) {
  if (!have_common_root(nodes, skin.joints)) {
    document.warn("gltf.no_common_root", place,
                  "its joints have no common root; the skeleton has several roots");
    return;
  }
  for (int joint : skin.joints) {
    int at = root < 0 ? -1 : joint;
    while (at >= 0 && at != root) at = nodes[static_cast<std::size_t>(at)].parent;
    if (root >= 0 && at != root) {
      document.inform(
          "gltf.skeleton_root", place,
          format_text("'skeleton', node %d, lies above not all joints; it is ignored", root));
      return;
    }
  }
}

// A skinned mesh that is shown while its joints are not: read as it stands, since what is shown
// changes no joint's place.
void check_skinned_nodes(Document& document, const std::vector<Node>& nodes,
                         const std::vector<SkinDef>& skins) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].skin < 0 || nodes[i].mesh < 0 || !nodes[i].in_scene) continue;
    const std::vector<int>& joints = skins[static_cast<std::size_t>(nodes[i].skin)].joints;
    const bool all_shown = std::all_of(joints.begin(), joints.end(), [&](int joint) {
      return nodes[static_cast<std::size_t>(joint)].in_scene;
    });
    if (!all_shown) {
      document.warn("gltf.joints_outside_scene", node_place(document, nodes, static_cast<int>(i)),
                    format_text("the scene does not hold all joints of skin %d", nodes[i].skin));
    }
  }
}

}  // namespace

Place node_place(const Document& document, const std::vector<Node>& nodes, int node) {
  return {&document.place(), "node", node, nodes[static_cast<std::size_t>(node)].name};
}

std::vector<Node> read_nodes(Document& document, std::vector<int>& order) {
  const Json& list = document.list("nodes");
  std::vector<Node> nodes(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    Node& node = nodes[i];
    Place place{&document.place(), "node", static_cast<long long>(i), {}};
    require_object(list[i], place);
    node.name = string_of(list[i], "name", place);
    place.name = node.name;
    node.local = read_local(document, list[i], place, node.has_matrix);
    node.mesh = index_of(list[i], "mesh", document.list("meshes").size(), place);
    node.skin = index_of(list[i], "skin", document.list("skins").size(), place);
    for (const Json& child : array_of(list[i], "children", place)) {
      node.children.push_back(to_index(child, "an element of 'children'", list.size(), place));
    }
  }
  order = link(document, nodes);
  mark_scene(document, nodes, order);
  return nodes;
}

std::vector<SkinDef> read_skins(Document& document, const std::vector<Node>& nodes) {
  const Json& list = document.list("skins");
  std::vector<SkinDef> skins(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    SkinDef& skin = skins[i];
    Place place{&document.place(), "skin", static_cast<long long>(i), {}};
    require_object(list[i], place);
    skin.name = string_of(list[i], "name", place);
    place.name = skin.name;
    for (const Json& joint : array_of(list[i], "joints", place)) {
      skin.joints.push_back(to_index(joint, "an element of 'joints'", nodes.size(), place));
    }
    if (skin.joints.empty()) fail(place, "'joints' is missing or empty");
    if (skin.joints.size() > 65535) {
      fail(place, format_text("%zu joints; the limit is 65535", skin.joints.size()),
           ErrorCode::kLimit);
    }
    const int root = index_of(list[i], "skeleton", nodes.size(), place);
    check_skeleton(document, nodes, skin, root, place);

    skin.inverse_bind.resize(skin.joints.size());
    const int accessor =
        index_of(list[i], "inverseBindMatrices", document.list("accessors").size(), place);
    if (accessor < 0) continue;
    const Place matrices{&place, "inverseBindMatrices", -1, {}};
    const std::vector<float> values = document.read_floats(accessor, "MAT4", kFloat, matrices);
    if (values.size() / 16 < skin.joints.size()) {
      fail(matrices,
           format_text("%zu matrices for %zu joints", values.size() / 16, skin.joints.size()));
    }
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      skin.inverse_bind[j] = to_mat3x4(values.data() + j * 16);
    }
  }
  check_skinned_nodes(document, nodes, skins);
  return skins;
}

}  // namespace sinew::gltf
