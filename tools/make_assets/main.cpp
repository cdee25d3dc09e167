// make_assets FOLDER: writes the demo assets. The bytes are the same on every run and machine.
#include <cstdio>
#include <filesystem>

#include <sinew/base/hash.hpp>
#include <sinew/import/gltf_writer.hpp>

#include "build.hpp"
#include "furniture.hpp"
#include "person.hpp"

int main(int argc, char** argv) {
  using namespace sinew;
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_assets FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    std::fprintf(stderr, "%s: %s\n", folder.string().c_str(), error.message().c_str());
    return 1;
  }
  const Model person = make_assets::make_person();
  const auto save = [&](const Model& model) {
    const std::filesystem::path path = folder / (model.name + ".glb");
    if (Status status = save_glb(model, path); !status) {
      std::fprintf(stderr, "%s\n", to_string(status.error()).c_str());
      return false;
    }
    std::size_t triangles = 0;
    for (const Mesh& mesh : model.meshes) triangles += mesh.indices.size() / 3;
    std::printf("%s: %d joints, %zu triangles, %zu clips\n", path.string().c_str(),
                model.skeleton.joint_count(), triangles, model.clips.size());
    return true;
  };
  const bool saved = save(person) &&
                     save(make_assets::make_build(person, make_assets::tall_build())) &&
                     save(make_assets::make_build(person, make_assets::stout_build())) &&
                     save(make_assets::make_desk());
  return saved ? 0 : 1;
}
