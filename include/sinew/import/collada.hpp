// Reads Collada files (.dae) through assimp, which runs in a process of its own.
//
// What is read and what is not: docs/import/collada.md.
#pragma once

#include <cstddef>
#include <string>

#include <sinew/asset/model.hpp>
#include <sinew/base/result.hpp>

namespace sinew {

// All zero: what most files need.
struct ColladaOptions {
  // The program sinew-import-worker. Empty: the environment variable SINEW_IMPORT_WORKER, else
  // beside the running program, in ../bin or in ../libexec/sinew of it.
  std::string worker;
  double seconds = 0;            // what the worker may take; 0: 30
  std::size_t memory_bytes = 0;  // 0: 2 GiB
  std::size_t max_bytes = 0;     // larger files are refused; 0: 512 MiB
  bool skip_meshes = false;
};

// Skeleton, clips, meshes with skins and plain materials; metres, +Y up. Joints are chosen as for
// FBX: bones of skins, nodes between them, moving nodes above them; without skins, nodes that move
// or carry a mesh. Clips keep the worker's keys (linear).
//
// Errors: those of the file; kLimit where the worker runs out of time or memory; kMalformed where
// the file makes it crash; kNotFound where the worker is not installed. The worker's answer is
// checked like any other input.
Result<Model> load_collada(const std::string& path, const ColladaOptions& options = {});

}  // namespace sinew
