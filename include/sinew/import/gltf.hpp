// Reading glTF 2.0 (.gltf, .glb, .vrm): skeleton, clips, skins, and the meshes for pictures.
//
// The file may come from anyone: every count is checked against the bytes that are there before
// memory is taken, and files beside it are opened only inside its folder.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <sinew/asset/model.hpp>
#include <sinew/base/result.hpp>

namespace sinew::gltf {

struct Options {
  bool meshes = true;  // meshes, materials and morph targets
  bool images = true;  // base colour images of the materials; needs `meshes`
  // A larger file, or file beside it, is an error (kLimit).
  std::size_t max_file_bytes = std::size_t{1} << 30;
  // What keys, vertices and pixels may take together once decoded; more is an error (kLimit).
  std::size_t max_decoded_bytes = std::size_t{2} << 30;
  // Larger images are left out with a warning.
  int max_image_side = 8192;
};

// Where the parts of a Model come from in the file.
struct Source {
  // Per glTF node: its joint, or kNoJoint where it is none.
  std::vector<int> joint_of_node;
  // Per joint: the uniform scale of static nodes above the skeleton that was folded into it. With
  // M the joint's model-space matrix here, the node's matrix in the scene is M * scale.
  std::vector<float> folded_scale;
  // Per glTF skin: its joints as the file lists them.
  std::vector<std::vector<int>> skin_nodes;
  // Per mesh: the node that places it.
  std::vector<int> node_of_mesh;
};

// Reads a file. Model space is the file's scene space: right-handed, +Y up, +Z forward, metres.
//
// Skeleton: the joints of all skins, the nodes between them, and every other node that a clip moves
// and that carries a joint or a rigid mesh. Without a skin: the nodes that channels target and
// those between; without animations either: all nodes. Static nodes above the skeleton are folded
// into it (their uniform scale goes into lengths and inverse bind matrices, so that joints stay
// unscaled); a mirrored or non-uniformly scaled one becomes a joint, with all below it.
//
// Clips: one per animation, in order. Its length is its last key's time. Channels that equal the
// rest pose at every key are dropped. Morph weights are curves "morph/<mesh>/<target>", where
// <mesh> is the name of the Mesh and <target> that of its MorphTarget.
//
// Roles: those that a VRM extension names, else those of find_roles().
//
// Errors have the file, the place in it and the reason. What can be read in one sane way only, but
// breaks the specification, gives a warning in Model::findings instead.
Result<Model> load(const std::string& path, const Options& options = {});
Result<Model> load(const std::string& path, const Options& options, Source& source);

// The same from memory. `name` is the file's name for messages; files beside it are looked for in
// `folder` (empty: there are none to be had, a reference to one is an error).
Result<Model> parse(std::span<const std::byte> bytes, const std::string& name,
                    const std::string& folder, const Options& options = {});
Result<Model> parse(std::span<const std::byte> bytes, const std::string& name,
                    const std::string& folder, const Options& options, Source& source);

}  // namespace sinew::gltf
