#include <filesystem>
#include <new>

#include <sinew/base/text.hpp>
#include <sinew/import/gltf.hpp>

#include "files.hpp"
#include "gltf/extras.hpp"
#include "gltf/meshes.hpp"
#include "gltf/rig.hpp"
#include "gltf/vrm.hpp"

namespace sinew::gltf {
namespace {

// Above this a skeleton is more likely in centimetres than of a giant.
constexpr float kLikelyTallest = 25.0f;

void remark_on_units(Document& document, const SceneDef& scene, const Skeleton& skeleton) {
  if (scene.skins.empty() || skeleton.height() < kLikelyTallest) return;
  document.inform(
      "gltf.units", document.place(),
      format_text("the rest pose is %.0f m high", static_cast<double>(skeleton.height())),
      "glTF is in metres; scale the character where it is used if this file is not");
}

Model read_model(std::span<const std::byte> bytes, const std::string& name,
                 const std::string& folder, const Options& options, Source& source) {
  Document document(bytes, name, folder, options);
  SceneDef scene;
  scene.nodes = read_nodes(document, scene.order);
  scene.skins = read_skins(document, scene.nodes);
  scene.animations = read_animations(document, scene.nodes);

  const Rig rig = build_rig(document, scene);
  const std::vector<std::string> keys = mesh_keys(document, scene);
  Model model;
  model.name = std::filesystem::path(name).filename().string();
  model.skeleton = rig.skeleton;
  model.clips = make_clips(document, scene, rig, keys);
  for (std::size_t i = 0; i < model.clips.size(); ++i) {
    read_clip_extras(document, rig, static_cast<int>(i), model.clips[i]);
  }
  model.roles = read_roles(document, rig);
  read_model_extras(document, rig, model);
  if (model.roles.count() == 0) model.roles = find_roles(model.skeleton);
  model.skins = make_skins(document, scene, rig);
  model.sockets = make_sockets(scene, rig);
  source = {};
  if (options.meshes) {
    const std::vector<UvUse> uv_uses = read_materials(document, model);
    read_meshes(document, scene, rig, keys, uv_uses, model, source.node_of_mesh);
  }
  remark_on_units(document, scene, model.skeleton);

  source.joint_of_node = rig.joint_of_node;
  for (const Fold& fold : rig.folds) source.folded_scale.push_back(fold.scale);
  for (const SkinDef& skin : scene.skins) source.skin_nodes.push_back(skin.joints);
  model.findings = document.take_findings();
  return model;
}

}  // namespace

Result<Model> parse(std::span<const std::byte> bytes, const std::string& name,
                    const std::string& folder, const Options& options, Source& source) {
  try {
    return read_model(bytes, name, folder, options, source);
  } catch (Failure& failure) {
    return within(name, std::move(failure.error));
  } catch (const std::bad_alloc&) {
    return make_error(ErrorCode::kLimit, "there is not enough memory", name);
  } catch (const std::exception& error) {
    return make_error(ErrorCode::kInternal, error.what(), name);
  }
}

Result<Model> parse(std::span<const std::byte> bytes, const std::string& name,
                    const std::string& folder, const Options& options) {
  Source source;
  return parse(bytes, name, folder, options, source);
}

Result<Model> load(const std::string& path, const Options& options, Source& source) {
  try {
    Result<files::Bytes> bytes = files::read_file(path, options.max_file_bytes);
    if (!bytes) return within(path, std::move(bytes).error());
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    return parse(*bytes, path, folder.empty() ? "." : folder.string(), options, source);
  } catch (const std::exception& error) {
    return make_error(ErrorCode::kLimit, error.what(), path);
  }
}

Result<Model> load(const std::string& path, const Options& options) {
  Source source;
  return load(path, options, source);
}

}  // namespace sinew::gltf
