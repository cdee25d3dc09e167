// sinew-import-worker collada FILE
// sinew-import-worker fbx FILE SAMPLE_RATE METRES_PER_UNIT SKIP_MESHES MAX_BYTES
//
// Reads a file and writes what it found to standard output: of Collada, which assimp reads, a scene
// (worker_scene.hpp), of FBX a model (model_bytes.hpp). Started by the importer under limits of
// time and memory, not by people: no reader of such files is safe enough on hostile ones, so that
// they live in a process which may die.
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>

#include <unistd.h>

#include <sinew/import/fbx.hpp>

#include "model_bytes.hpp"
#include "read_scene.hpp"

namespace {

std::string read_fbx_file(char** arguments) {
  sinew::FbxOptions options;
  options.sample_rate = std::strtod(arguments[1], nullptr);
  options.metres_per_unit = std::strtod(arguments[2], nullptr);
  options.skip_meshes = std::string_view(arguments[3]) == "1";
  options.max_bytes = std::strtoull(arguments[4], nullptr, 10);
  try {
    const sinew::Result<sinew::Model> model = sinew::load_fbx(arguments[0], options);
    return model ? sinew::encode_model(*model) : sinew::encode_model_error(model.error());
  } catch (const std::bad_alloc&) {
    return sinew::encode_model_error(
        {sinew::ErrorCode::kLimit, "the import needs more memory than its limit", arguments[0]});
  }
}

bool write_all(const std::string& bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
    if (written <= 0) return false;
    at += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "collada" && argc == 3) return write_all(sinew::read_scene_file(argv[2])) ? 0 : 1;
  if (mode == "fbx" && argc == 7) return write_all(read_fbx_file(argv + 2)) ? 0 : 1;
  return 2;
}
