// Writes a model as a binary glTF 2.0 file (GLB).
//
// Layout: node i is joint i (same order, so that a reader that keeps the order of nodes gets the
// same skeleton back), with the rest pose as its translation, rotation and scale. Behind the joints
// comes one node per mesh: at the root for skinned meshes, below its joint for rigid ones; then one
// per socket, below its joint. Clips are animations with float keys, interpolation as authored.
// Images are stored as PNG without compression. Skins, materials, vertex colours and morph targets
// are plain glTF.
//
// What glTF has no place for rides in `extras`, always in an object under the key "sinew". Times
// are seconds, angles radians, lengths metres; a key that holds its default may be missing.
//
// Of each animation:
//   "extras": {"sinew": {
//     "version": 1,
//     "duration": 1.5,              // seconds; may exceed the last key
//     "loop": true,                 // default false
//     "loop_pose": false, "cycle_offset": 0,
//     "events": [{"time": 0.1, "name": "footstep", "number": 0, "integer": 0, "text": "left"}],
//     "contacts": [{"role": "left_foot", "name": "", "start": 0.9, "end": 0.3}],   // may wrap
//     "sync_markers": [{"time": 0, "name": "left"}],
//     "root_motion": {"enabled": true, "node": 0,       // node: -1 or missing for the first root
//                     "bake_rotation": false, "bake_y": true, "bake_xz": false,
//                     "rotation_basis": "original",      // "original" | "mass_centre" | "feet"
//                     "y_basis": "original", "xz_basis": "original",
//                     "rotation_offset": 0, "y_offset": 0},
//     "curves": [{"name": "blink", "default": 0, "interpolation": "LINEAR",  // or STEP,
//     CUBICSPLINE
//                 "times": [0, 1], "values": [0, 1],
//                 "in_tangents": [], "out_tangents": []}]                   // CUBICSPLINE only
//   }}
// Of the file:
//   "extras": {"sinew": {
//     "version": 1,
//     "joints": 31,                                      // nodes 0 to 30 are the skeleton
//     "plan": "biped",                                   // "unknown" | "biped" | "quadruped"
//     "roles": {"hips": 1, "spine": 2}                   // role -> node
//   }}
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include <sinew/asset/model.hpp>

namespace sinew {

// The bytes of the file: the same for the same model, on every machine. Errors, with their place:
// numbers that are not finite, indices out of range, lists whose lengths disagree, a clip that does
// not fit its skeleton, images whose size does not match their bytes, more than 4 GiB.
Result<std::vector<std::byte>> write_glb(const Model& model);

// Writes `path` + ".tmp" and renames it, so that a reader never sees half a file. On failure the
// file at `path` is left as it was.
Status save_glb(const Model& model, const std::filesystem::path& path);

}  // namespace sinew
