// Any bytes as the answer of the import worker: an error or a scene whose indices all fit.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "../../src/import/worker_scene.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const sinew::Result<sinew::WorkerScene> scene = sinew::decode_worker_scene(bytes);
  if (!scene.ok()) return 0;
  for (const sinew::WorkerMesh& mesh : scene->meshes) {
    for (const std::uint32_t index : mesh.indices) {
      if (index >= mesh.positions.size()) std::abort();
    }
  }
  return 0;
}
