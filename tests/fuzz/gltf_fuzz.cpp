// Any bytes: a model that holds together, or an error with a reason.
#include <cstdint>
#include <cstdlib>
#include <span>

#include <sinew/asset/clip.hpp>
#include <sinew/import/gltf.hpp>

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const sinew::Model& model) {
  for (const sinew::RawClip& clip : model.clips) {
    require(sinew::validate(clip, model.skeleton).ok());
  }
  for (const sinew::Skin& skin : model.skins) {
    require(skin.joints.size() == skin.inverse_bind.size());
    for (int joint : skin.joints) require(joint >= 0 && joint < model.skeleton.joint_count());
  }
  for (const sinew::Mesh& mesh : model.meshes) {
    require(mesh.joint < model.skeleton.joint_count());
    require(mesh.material < static_cast<int>(model.materials.size()));
    for (std::uint32_t index : mesh.indices) require(index < mesh.positions.size());
    for (const sinew::Vec3& p : mesh.positions) require(sinew::is_finite(p));
    if (mesh.skin < 0) continue;
    const std::size_t joints = model.skins[static_cast<std::size_t>(mesh.skin)].joints.size();
    require(mesh.joints.size() == mesh.positions.size());
    for (const auto& of : mesh.joints) {
      for (std::uint16_t joint : of) require(joint < joints);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sinew::gltf::Options options;
  options.max_decoded_bytes = std::size_t{64} << 20;
  options.max_image_side = 1024;
  const auto bytes = std::as_bytes(std::span(data, size));
  const sinew::Result<sinew::Model> model = sinew::gltf::parse(bytes, "fuzz.gltf", "", options);
  if (model) {
    check(*model);
  } else {
    require(!model.error().message.empty());
  }
  return 0;
}
