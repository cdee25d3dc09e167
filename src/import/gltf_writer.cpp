#include <fstream>

#include <sinew/import/gltf_writer.hpp>

#include "gltf_write_annotations.hpp"
#include "gltf_write_buffer.hpp"
#include "gltf_write_check.hpp"
#include "png_writer.hpp"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(Vec3 v) { return {v.x, v.y, v.z}; }
Json to_json(Quat q) { return {q.x, q.y, q.z, q.w}; }
Json to_json(Vec4 v) { return {v.x, v.y, v.z, v.w}; }

void put_transform(Json& node, const Transform& t) {
  if (t.translation != Vec3{}) node["translation"] = to_json(t.translation);
  if (t.rotation != Quat{}) node["rotation"] = to_json(normalize(t.rotation));
  if (t.scale != Vec3{1, 1, 1}) node["scale"] = to_json(t.scale);
}

// Joints first, then meshes, then sockets: see the header.
Json make_nodes(const Model& model, Json& scene_roots) {
  const Skeleton& skeleton = model.skeleton;
  Json nodes = Json::array();
  std::vector<Json> children(static_cast<std::size_t>(skeleton.joint_count()), Json::array());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    Json node;
    node["name"] = skeleton.name(j);
    put_transform(node, skeleton.rest(j));
    nodes.push_back(std::move(node));
    const int parent = skeleton.parent(j);
    if (parent == kNoJoint) {
      scene_roots.push_back(j);
    } else {
      children[static_cast<std::size_t>(parent)].push_back(j);
    }
  }
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    const Mesh& mesh = model.meshes[m];
    Json node;
    node["name"] = mesh.name;
    node["mesh"] = m;
    if (mesh.skin >= 0) node["skin"] = mesh.skin;
    const std::size_t index = nodes.size();
    if (mesh.skin < 0) put_transform(node, mesh.offset);
    if (mesh.skin < 0 && mesh.joint != kNoJoint) {
      children[static_cast<std::size_t>(mesh.joint)].push_back(index);
    } else {
      scene_roots.push_back(index);
    }
    nodes.push_back(std::move(node));
  }
  for (const Socket& socket : model.sockets) {
    Json node;
    node["name"] = socket.name;
    put_transform(node, socket.offset);
    children[static_cast<std::size_t>(socket.joint)].push_back(nodes.size());
    nodes.push_back(std::move(node));
  }
  for (std::size_t j = 0; j < children.size(); ++j) {
    if (!children[j].empty()) nodes[j]["children"] = std::move(children[j]);
  }
  return nodes;
}

Json make_skin(const Skin& skin, GltfBuffer& buffer) {
  Json out;
  if (!skin.name.empty()) out["name"] = skin.name;
  std::vector<float> matrices;  // by columns
  for (const Mat3x4& m : skin.inverse_bind) {
    for (int column = 0; column < 4; ++column) {
      for (const Vec4& row : m.row) {
        matrices.push_back(column == 0 ? row.x : column == 1 ? row.y : column == 2 ? row.z : row.w);
      }
      matrices.push_back(column == 3 ? 1.0f : 0.0f);
    }
  }
  out["inverseBindMatrices"] = buffer.add_floats(matrices, "MAT4");
  out["joints"] = skin.joints;
  return out;
}

int add_vectors(GltfBuffer& buffer, const std::vector<Vec3>& values, bool bounds) {
  std::vector<float> floats;
  floats.reserve(values.size() * 3);
  for (Vec3 v : values) floats.insert(floats.end(), {v.x, v.y, v.z});
  return buffer.add_floats(floats, "VEC3", GltfBuffer::kVertices, bounds);
}

int add_vectors(GltfBuffer& buffer, const std::vector<Vec4>& values) {
  std::vector<float> floats;
  floats.reserve(values.size() * 4);
  for (Vec4 v : values) floats.insert(floats.end(), {v.x, v.y, v.z, v.w});
  return buffer.add_floats(floats, "VEC4", GltfBuffer::kVertices);
}

int add_uvs(GltfBuffer& buffer, const std::vector<Vec2>& values) {
  std::vector<float> floats;
  for (Vec2 v : values) floats.insert(floats.end(), {v.x, v.y});
  return buffer.add_floats(floats, "VEC2", GltfBuffer::kVertices);
}

int add_joints(GltfBuffer& buffer, const Mesh& mesh) {
  std::vector<std::uint16_t> joints;
  for (std::size_t v = 0; v < mesh.joints.size(); ++v) {
    const Vec4 w = mesh.weights[v];
    const float weights[4] = {w.x, w.y, w.z, w.w};
    // A joint without weight is written as 0, as the format asks.
    for (std::size_t i = 0; i < 4; ++i) {
      joints.push_back(weights[i] > 0.0f ? mesh.joints[v][i] : std::uint16_t{0});
    }
  }
  return buffer.add_shorts(joints, "VEC4", GltfBuffer::kVertices);
}

Json make_mesh(const Mesh& mesh, GltfBuffer& buffer) {
  Json attributes;
  attributes["POSITION"] = add_vectors(buffer, mesh.positions, true);
  if (!mesh.normals.empty()) attributes["NORMAL"] = add_vectors(buffer, mesh.normals, false);
  if (!mesh.uvs.empty()) attributes["TEXCOORD_0"] = add_uvs(buffer, mesh.uvs);
  if (!mesh.colors.empty()) attributes["COLOR_0"] = add_vectors(buffer, mesh.colors);
  if (!mesh.joints.empty()) {
    attributes["JOINTS_0"] = add_joints(buffer, mesh);
    attributes["WEIGHTS_0"] = add_vectors(buffer, mesh.weights);
  }
  Json primitive;
  primitive["attributes"] = std::move(attributes);
  primitive["indices"] = buffer.add_indices(mesh.indices, mesh.positions.size());
  if (mesh.material >= 0) primitive["material"] = mesh.material;
  Json out;
  if (!mesh.name.empty()) out["name"] = mesh.name;
  if (!mesh.morphs.empty()) {
    Json targets = Json::array(), names = Json::array();
    for (const MorphTarget& morph : mesh.morphs) {
      Json target;
      target["POSITION"] = add_vectors(buffer, morph.positions, true);
      if (!morph.normals.empty()) target["NORMAL"] = add_vectors(buffer, morph.normals, false);
      targets.push_back(std::move(target));
      names.push_back(morph.name);
    }
    primitive["targets"] = std::move(targets);
    if (!mesh.morph_weights.empty()) out["weights"] = mesh.morph_weights;
    out["extras"]["targetNames"] = std::move(names);
  }
  out["primitives"] = Json::array({std::move(primitive)});
  return out;
}

Json make_material(const Material& material) {
  Json pbr;
  pbr["baseColorFactor"] = to_json(material.base_color);
  // The texture's index equals its image's: one texture is written per image.
  if (material.base_color_image >= 0) {
    pbr["baseColorTexture"]["index"] = material.base_color_image;
  }
  pbr["metallicFactor"] = 0;
  pbr["roughnessFactor"] = 0.9;
  Json out;
  if (!material.name.empty()) out["name"] = material.name;
  out["pbrMetallicRoughness"] = std::move(pbr);
  if (material.double_sided) out["doubleSided"] = true;
  if (material.alpha == Material::Alpha::kBlend) out["alphaMode"] = "BLEND";
  if (material.alpha == Material::Alpha::kMask) {
    out["alphaMode"] = "MASK";
    out["alphaCutoff"] = material.alpha_cutoff;
  }
  return out;
}

std::vector<float> flatten(const KeyTrack<Vec3>& track) {
  std::vector<float> out;
  const auto put = [&](Vec3 v) { out.insert(out.end(), {v.x, v.y, v.z}); };
  const bool cubic = track.interpolation == Interpolation::kCubicSpline;
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    if (cubic) put(track.in_tangents[i]);
    put(track.values[i]);
    if (cubic) put(track.out_tangents[i]);
  }
  return out;
}

std::vector<float> flatten(const KeyTrack<Quat>& track) {
  std::vector<float> out;
  const auto put = [&](Quat q) { out.insert(out.end(), {q.x, q.y, q.z, q.w}); };
  const bool cubic = track.interpolation == Interpolation::kCubicSpline;
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    if (cubic) put(track.in_tangents[i]);
    // Unit length is what the format asks of the values, but not of the tangents.
    put(normalize(track.values[i]));
    if (cubic) put(track.out_tangents[i]);
  }
  return out;
}

class AnimationWriter {
 public:
  explicit AnimationWriter(GltfBuffer& buffer) : buffer_(buffer) {}

  template <class T>
  void add(int joint, const char* path, const KeyTrack<T>& track, const char* type) {
    if (track.empty()) return;
    Json sampler;
    sampler["input"] = buffer_.add_times(track.times);
    sampler["interpolation"] = interpolation_name(track.interpolation);
    sampler["output"] = buffer_.add_floats(flatten(track), type);
    Json channel;
    channel["sampler"] = samplers_.size();
    channel["target"]["node"] = joint;
    channel["target"]["path"] = path;
    samplers_.push_back(std::move(sampler));
    channels_.push_back(std::move(channel));
  }

  Json finish(const RawClip& clip) {
    // The format has no animation without channels: such a clip holds the first joint still.
    if (channels_.empty()) {
      KeyTrack<Vec3> still;
      still.interpolation = Interpolation::kStep;
      still.times = {0};
      still.values = {rest_of_first_};
      add(0, "translation", still, "VEC3");
    }
    Json out;
    out["name"] = clip.name;
    out["channels"] = std::move(channels_);
    out["samplers"] = std::move(samplers_);
    out["extras"]["sinew"] = annotations_to_json(clip);
    return out;
  }

  void set_rest_of_first(Vec3 translation) { rest_of_first_ = translation; }

 private:
  GltfBuffer& buffer_;
  Json channels_ = Json::array(), samplers_ = Json::array();
  Vec3 rest_of_first_;
};

Json make_animation(const RawClip& clip, const Skeleton& skeleton, GltfBuffer& buffer) {
  AnimationWriter writer(buffer);
  writer.set_rest_of_first(skeleton.rest(0).translation);
  for (const JointTrack& track : clip.tracks) {
    writer.add(track.joint, "translation", track.translation, "VEC3");
    writer.add(track.joint, "rotation", track.rotation, "VEC4");
    writer.add(track.joint, "scale", track.scale, "VEC3");
  }
  return writer.finish(clip);
}

Json make_document(const Model& model, GltfBuffer& buffer) {
  Json gltf;
  gltf["asset"] = {{"version", "2.0"}, {"generator", "sinew"}};
  Json roots = Json::array();
  Json nodes = make_nodes(model, roots);
  Json scene;
  if (!model.name.empty()) scene["name"] = model.name;
  if (!roots.empty()) scene["nodes"] = std::move(roots);
  gltf["scene"] = 0;
  gltf["scenes"] = Json::array({std::move(scene)});
  if (!nodes.empty()) gltf["nodes"] = std::move(nodes);
  for (const Skin& skin : model.skins) gltf["skins"].push_back(make_skin(skin, buffer));
  for (const Mesh& mesh : model.meshes) gltf["meshes"].push_back(make_mesh(mesh, buffer));
  for (const Material& material : model.materials) {
    gltf["materials"].push_back(make_material(material));
  }
  for (const Image& image : model.images) {
    Json entry;
    if (!image.name.empty()) entry["name"] = image.name;
    entry["mimeType"] = "image/png";
    entry["bufferView"] = buffer.add_bytes(write_png(image.width, image.height, image.rgba));
    Json texture;
    texture["source"] = gltf.contains("images") ? gltf["images"].size() : 0;
    gltf["textures"].push_back(std::move(texture));
    gltf["images"].push_back(std::move(entry));
  }
  for (const RawClip& clip : model.clips) {
    gltf["animations"].push_back(make_animation(clip, model.skeleton, buffer));
  }
  buffer.write_views(gltf);
  gltf["extras"]["sinew"] = model_extras_to_json(model);
  return gltf;
}

void put_u32(std::vector<std::byte>& out, std::size_t value) {
  for (int shift = 0; shift < 32; shift += 8) {
    out.push_back(static_cast<std::byte>((value >> shift) & 0xffu));
  }
}

}  // namespace

Result<std::vector<std::byte>> write_glb(const Model& model) {
  if (Status status = check_writable(model); !status) return status.error();
  GltfBuffer buffer;
  const Json document = make_document(model, buffer);
  // Names may hold bytes that are no UTF-8; JSON must not.
  std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  while (text.size() % 4 != 0) text.push_back(' ');
  const std::vector<std::byte>& binary = buffer.bytes();
  const std::size_t binary_chunk = binary.empty() ? 0 : 8 + binary.size();
  const std::size_t total = 12 + 8 + text.size() + binary_chunk;
  if (total > 0xffffffffu) {
    return make_error(ErrorCode::kLimit, "the file would be larger than 4 GiB");
  }
  std::vector<std::byte> out;
  out.reserve(total);
  put_u32(out, 0x46546c67);  // "glTF"
  put_u32(out, 2);
  put_u32(out, total);
  put_u32(out, text.size());
  put_u32(out, 0x4e4f534a);  // "JSON"
  for (char c : text) out.push_back(static_cast<std::byte>(c));
  if (!binary.empty()) {
    put_u32(out, binary.size());
    put_u32(out, 0x004e4942);  // "BIN"
    out.insert(out.end(), binary.begin(), binary.end());
  }
  return out;
}

Status save_glb(const Model& model, const std::filesystem::path& path) {
  const Result<std::vector<std::byte>> bytes = write_glb(model);
  if (!bytes) return within(path.string(), bytes.error());
  std::filesystem::path beside = path;
  beside += ".tmp";
  std::error_code error;
  {
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes->data()),
               static_cast<std::streamsize>(bytes->size()));
    file.flush();
    if (!file) {
      file.close();
      std::filesystem::remove(beside, error);
      return make_error(ErrorCode::kUnwritable, "it cannot be written", beside.string());
    }
  }
  std::filesystem::rename(beside, path, error);
  if (error) {
    const std::string reason = error.message();
    std::filesystem::remove(beside, error);
    return make_error(ErrorCode::kUnwritable, "it cannot be put in place: " + reason,
                      path.string());
  }
  return {};
}

}  // namespace sinew
