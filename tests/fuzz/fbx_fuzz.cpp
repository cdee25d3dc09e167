// Any bytes as an FBX file: an error or a model whose clips are valid and whose meshes hold
// together.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <sinew/import/fbx.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const sinew::Result<sinew::Model> model = sinew::parse_fbx(bytes, "fuzz.fbx");
  if (!model.ok()) return 0;
  for (const sinew::RawClip& clip : model->clips) {
    if (!sinew::validate(clip, model->skeleton).ok()) std::abort();
  }
  for (const sinew::Mesh& mesh : model->meshes) {
    for (const sinew::Vec3& p : mesh.positions) {
      if (!sinew::is_finite(p)) std::abort();
    }
    for (const std::uint32_t index : mesh.indices) {
      if (index >= mesh.positions.size()) std::abort();
    }
    if (mesh.skin >= 0 && mesh.joints.size() != mesh.positions.size()) std::abort();
  }
  return 0;
}
