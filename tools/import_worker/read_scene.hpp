#pragma once

#include <string>

namespace sinew {

// The answer of the worker for a file: an encoded WorkerScene or an encoded error.
std::string read_scene_file(const std::string& path);

}  // namespace sinew
