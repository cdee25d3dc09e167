#include "read_scene.hpp"

#include <exception>
#include <fstream>
#include <iterator>
#include <new>
#include <unordered_map>

#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "collada_facts.hpp"
#include "worker_scene.hpp"
#include "xml_check.hpp"

namespace sinew {
namespace {

Vec3 vector_of(const aiVector3D& v) { return {v.x, v.y, v.z}; }

Mat3x4 matrix_of(const aiMatrix4x4& m) {
  Mat3x4 out;
  out.row[0] = {m.a1, m.a2, m.a3, m.a4};
  out.row[1] = {m.b1, m.b2, m.b3, m.b4};
  out.row[2] = {m.c1, m.c2, m.c3, m.c4};
  return out;
}

class SceneReader {
 public:
  SceneReader(const aiScene& scene, ColladaFacts facts) : scene_(scene), facts_(std::move(facts)) {}

  WorkerScene read() {
    out_.metres_per_unit = facts_.metres_per_unit;
    if (scene_.mRootNode != nullptr) add_nodes();
    for (unsigned i = 0; i < scene_.mNumMaterials; ++i) add_material(*scene_.mMaterials[i]);
    for (const auto& [mesh, node] : instances_) add_mesh(*scene_.mMeshes[mesh], node);
    for (unsigned i = 0; i < scene_.mNumAnimations; ++i) add_clip(*scene_.mAnimations[i]);
    name_clips();
    return std::move(out_);
  }

 private:
  void add_nodes() {
    std::vector<std::pair<const aiNode*, int>> open = {{scene_.mRootNode, -1}};
    while (!open.empty()) {
      const auto [node, parent] = open.back();
      open.pop_back();
      const int index = static_cast<int>(out_.nodes.size());
      WorkerNode out;
      out.name = node->mName.C_Str();
      out.parent = parent;
      out.local = matrix_of(node->mTransformation);
      if (const auto fact = facts_.nodes.find(out.name); fact != facts_.nodes.end()) {
        out.is_joint = fact->second.is_joint;
        if (!fact->second.name.empty()) out.name = fact->second.name;
      }
      out_.nodes.push_back(std::move(out));
      by_name_.emplace(node->mName.C_Str(), index);
      for (unsigned i = 0; i < node->mNumMeshes; ++i)
        instances_.emplace_back(node->mMeshes[i], index);
      for (unsigned i = node->mNumChildren; i-- > 0;) open.emplace_back(node->mChildren[i], index);
    }
  }

  int node_named(const aiString& name) const {
    const auto found = by_name_.find(name.C_Str());
    return found == by_name_.end() ? -1 : found->second;
  }

  void add_material(const aiMaterial& material) {
    WorkerMaterial m;
    aiString name;
    if (material.Get(AI_MATKEY_NAME, name) == AI_SUCCESS) m.name = name.C_Str();
    aiColor4D color;
    if (material.Get(AI_MATKEY_COLOR_DIFFUSE, color) == AI_SUCCESS)
      m.color = {color.r, color.g, color.b, color.a};
    out_.materials.push_back(std::move(m));
  }

  void add_mesh(const aiMesh& mesh, int node) {
    WorkerMesh m;
    m.name = out_.nodes[static_cast<std::size_t>(node)].name;
    m.node = node;
    m.material =
        mesh.mMaterialIndex < scene_.mNumMaterials ? static_cast<int>(mesh.mMaterialIndex) : -1;
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      m.positions.push_back(vector_of(mesh.mVertices[i]));
      if (mesh.HasNormals()) m.normals.push_back(vector_of(mesh.mNormals[i]));
      if (mesh.HasTextureCoords(0))
        m.uvs.push_back({mesh.mTextureCoords[0][i].x, 1 - mesh.mTextureCoords[0][i].y});
    }
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices != 3) continue;
      m.indices.insert(m.indices.end(), face.mIndices, face.mIndices + 3);
    }
    for (unsigned i = 0; i < mesh.mNumBones; ++i) {
      const aiBone& bone = *mesh.mBones[i];
      WorkerBone b;
      b.node = node_named(bone.mName);
      if (b.node < 0) continue;
      b.inverse_bind = matrix_of(bone.mOffsetMatrix);
      for (unsigned k = 0; k < bone.mNumWeights; ++k) {
        b.vertices.push_back(bone.mWeights[k].mVertexId);
        b.weights.push_back(bone.mWeights[k].mWeight);
      }
      m.bones.push_back(std::move(b));
    }
    out_.meshes.push_back(std::move(m));
  }

  void add_clip(const aiAnimation& animation) {
    WorkerClip clip;
    clip.name = animation.mName.C_Str();
    const double rate = animation.mTicksPerSecond > 0 ? animation.mTicksPerSecond : 1;
    clip.duration = animation.mDuration / rate;
    for (unsigned i = 0; i < animation.mNumChannels; ++i) {
      const aiNodeAnim& channel = *animation.mChannels[i];
      WorkerChannel c;
      c.node = node_named(channel.mNodeName);
      if (c.node < 0) continue;
      for (unsigned k = 0; k < channel.mNumPositionKeys; ++k) {
        c.translation_times.push_back(channel.mPositionKeys[k].mTime / rate);
        c.translations.push_back(vector_of(channel.mPositionKeys[k].mValue));
      }
      for (unsigned k = 0; k < channel.mNumRotationKeys; ++k) {
        const aiQuaternion& q = channel.mRotationKeys[k].mValue;
        c.rotation_times.push_back(channel.mRotationKeys[k].mTime / rate);
        c.rotations.push_back({q.x, q.y, q.z, q.w});
      }
      for (unsigned k = 0; k < channel.mNumScalingKeys; ++k) {
        c.scale_times.push_back(channel.mScalingKeys[k].mTime / rate);
        c.scales.push_back(vector_of(channel.mScalingKeys[k].mValue));
      }
      clip.channels.push_back(std::move(c));
    }
    out_.clips.push_back(std::move(clip));
  }

  // assimp makes names up where it joins animations into clips.
  void name_clips() {
    if (facts_.clips.size() != out_.clips.size()) return;
    for (std::size_t i = 0; i < out_.clips.size(); ++i) {
      const double difference = facts_.clips[i].seconds - out_.clips[i].duration;
      if (facts_.clips[i].name.empty() || difference > 2e-3 || difference < -2e-3) return;
    }
    for (std::size_t i = 0; i < out_.clips.size(); ++i) out_.clips[i].name = facts_.clips[i].name;
  }

  const aiScene& scene_;
  ColladaFacts facts_;
  WorkerScene out_;
  std::unordered_map<std::string, int> by_name_;
  std::vector<std::pair<unsigned, int>> instances_;  // mesh, node
};

// assimp refuses numbers with blanks at the ends of an element, which are legal: they are taken
// out.
std::string without_blanks_at_tags(const std::string& text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at++];
    if (c == '<') {
      while (!out.empty() && is_blank(out.back())) out.pop_back();
    }
    out += c;
    if (c == '>') {
      while (at < text.size() && is_blank(text[at])) ++at;
    }
  }
  return out;
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return encode_worker_error("cannot be opened");
  const std::string raw(std::istreambuf_iterator<char>(file), {});
  const std::string text = without_blanks_at_tags(raw);
  if (text.empty()) return encode_worker_error("is empty", "line 1");
  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE,
                              aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const aiScene* scene = importer.ReadFileFromMemory(
      text.data(), text.size(),
      aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_SortByPType, "dae");
  if (scene == nullptr) {
    // assimp says what it misses, but not where.
    const auto fault = find_xml_fault(raw);
    return fault ? encode_worker_error(fault->message, fault->place)
                 : encode_worker_error(importer.GetErrorString());
  }
  return encode(SceneReader(*scene, collada_facts(text)).read());
}

}  // namespace

std::string read_scene_file(const std::string& path) {
  try {
    return read(path);
  } catch (const std::bad_alloc&) {
    return encode_worker_error("needs more memory than the limit");
  } catch (const std::exception& fault) {
    return encode_worker_error(fault.what());
  }
}

}  // namespace sinew
