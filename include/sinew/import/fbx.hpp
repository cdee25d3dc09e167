// Reads FBX files, binary and ASCII, of versions 6.1 to 7.7.
//
// Source of the format: the transformation, animation and layer rules of the FBX SDK's public
// documentation; the layout of the files as they are. What is read and what is not:
// docs/import/fbx.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sinew/asset/model.hpp>
#include <sinew/base/result.hpp>

namespace sinew {

// All zero: what most files need.
struct FbxOptions {
  double sample_rate = 0;       // keys a second, up to 1000; 0: the file's frame rate
  double metres_per_unit = 0;   // > 0: taken in place of the file's unit
  bool skip_meshes = false;     // skeleton and clips alone
  std::uint64_t max_bytes = 0;  // larger files are refused; 0: 512 MiB
};

// Skeleton, one clip per animation stack, meshes with skins and plain materials; metres, +Y up.
//
// Joints are the bones (LimbNode, Root, and whatever a skin hangs on), the nodes between them, and
// those above them that move; what stands still above is folded into the root joints, and the
// scales of the rest pose into the lengths. A file without bones gives a joint for each mesh or
// moving node. Rotation orders, pre and post rotation, pivots and offsets, all three ways to
// inherit scale, every kind of key and animation layers are evaluated in double; clips get linear
// keys at the file's frame rate between the stack's start and stop. Channels that never change have
// one key, or none if they equal the rest pose.
//
// Errors carry the file and a node with its byte (binary) or line and column (ASCII). Memory and
// time grow with the file's size; arrays are unpacked only where they are used.
Result<Model> load_fbx(const std::string& path, const FbxOptions& options = {});

// Where and with which limits a file is read in a process of its own.
struct FbxWorker {
  // The program sinew-import-worker. Empty: looked for as in ColladaOptions.
  std::string program;
  double seconds = 0;              // what it may take; 0: 30
  std::uint64_t memory_bytes = 0;  // 0: 2 GiB
};

// The same model, bit by bit, read in a process of its own: a file that makes the reader crash is
// an error (kMalformed), as is one that takes too much time or memory (kLimit). kNotFound where the
// worker is not installed. import_model() reads FBX so wherever the worker is there.
Result<Model> load_fbx_isolated(const std::string& path, const FbxOptions& options = {},
                                const FbxWorker& worker = {});

// As load_fbx(), from bytes in memory; `name` is the file's name.
Result<Model> parse_fbx(std::string_view bytes, std::string_view name,
                        const FbxOptions& options = {});

}  // namespace sinew
