#include "gltf/meshes.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <sinew/base/text.hpp>

namespace sinew::gltf {
namespace {

constexpr unsigned kShape = kFloat | kNormalized | kPlainSmall;

enum Mode : std::size_t { kTriangles = 4, kTriangleStrip = 5, kTriangleFan = 6 };

// Strips and fans to single triangles; what does not make a full triangle goes.
std::vector<std::uint32_t> to_triangles(std::vector<std::uint32_t> indices, std::size_t mode) {
  if (mode == kTriangles) {
    indices.resize(indices.size() / 3 * 3);
    return indices;
  }
  std::vector<std::uint32_t> out;
  for (std::size_t i = 2; i < indices.size(); ++i) {
    const std::uint32_t first = mode == kTriangleFan ? indices[0] : indices[i - 2];
    const bool odd = mode == kTriangleStrip && i % 2 == 1;
    out.push_back(odd ? indices[i - 1] : first);
    out.push_back(odd ? first : indices[i - 1]);
    out.push_back(indices[i]);
  }
  return out;
}

// One vertex's influences, the strongest four of any number.
struct Influences {
  std::array<std::uint16_t, 4> joints{};
  std::array<float, 4> weights{};

  void add(std::uint32_t joint, float weight) {
    for (std::size_t i = 0; i < 4; ++i) {
      if (!(weight > weights[i])) continue;
      for (std::size_t j = 3; j > i; --j) {
        joints[j] = joints[j - 1];
        weights[j] = weights[j - 1];
      }
      joints[i] = static_cast<std::uint16_t>(joint);
      weights[i] = weight;
      return;
    }
  }
};

class PrimitiveReader {
 public:
  PrimitiveReader(Document& document, const Json& object, const Place& place)
      : document_(document), object_(object), place_(place) {}

  // False where there is nothing to show.
  bool read(const std::vector<UvUse>& uv_uses, const std::vector<std::string>& morph_names,
            std::size_t skin_joints, Mesh& mesh) {
    const std::size_t mode = size_of(object_, "mode", kTriangles, place_);
    if (mode < kTriangles || mode > kTriangleFan) {
      document_.warn("gltf.no_triangles", place_, "points and lines are left out");
      return false;
    }
    attributes_ = object_of(object_, "attributes", place_);
    if (attributes_ == nullptr || member(*attributes_, "POSITION") == nullptr) {
      document_.warn("gltf.no_positions", place_, "it has no positions and is left out");
      return false;
    }
    mesh.material = index_of(object_, "material", document_.list("materials").size(), place_);
    mesh.positions = vec3s(*attributes_, "POSITION", kShape, place_);
    vertex_count_ = mesh.positions.size();
    read_indices(mode, mesh);
    read_surface(uv_uses, mesh);
    if (skin_joints > 0) read_influences(skin_joints, mesh);
    read_morphs(morph_names, mesh);
    return true;
  }

  static bool is_skinned(const Json& object) {
    const Json* attributes = member(object, "attributes");
    return attributes != nullptr && attributes->is_object() &&
           member(*attributes, "JOINTS_0") != nullptr &&
           member(*attributes, "WEIGHTS_0") != nullptr;
  }

 private:
  int accessor(const Json& attributes, const char* key, const Place& place) {
    return index_of(attributes, key, document_.list("accessors").size(), place);
  }

  void check_count(std::size_t count, const char* key, const Place& place) const {
    if (vertex_count_ != kUnknown && count != vertex_count_) {
      fail(place,
           format_text("%s has %zu elements, but POSITION has %zu", key, count, vertex_count_));
    }
  }

  // Empty where the attribute is missing.
  std::vector<float> floats(const Json& attributes, const char* key, std::string_view type,
                            unsigned allowed, const Place& place, std::size_t& components) {
    const int index = accessor(attributes, key, place);
    if (index < 0) return {};
    const Place inner{&place, key, -1, {}};
    std::vector<float> values = document_.read_floats(index, type, allowed, inner, &components);
    check_count(values.size() / components, key, place);
    return values;
  }

  std::vector<Vec3> vec3s(const Json& attributes, const char* key, unsigned allowed,
                          const Place& place) {
    std::size_t components = 3;
    const std::vector<float> values = floats(attributes, key, "VEC3", allowed, place, components);
    std::vector<Vec3> out(values.size() / 3);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
    }
    return out;
  }

  void read_indices(std::size_t mode, Mesh& mesh) {
    const int index = accessor(object_, "indices", place_);
    std::vector<std::uint32_t> indices;
    if (index < 0) {
      if (vertex_count_ > std::numeric_limits<std::uint32_t>::max()) {
        fail(place_, "too many vertices", ErrorCode::kLimit);
      }
      indices.resize(vertex_count_);
      for (std::size_t i = 0; i < vertex_count_; ++i) indices[i] = static_cast<std::uint32_t>(i);
    } else {
      const Place inner{&place_, "indices", -1, {}};
      indices = document_.read_integers(index, "SCALAR", kUnsigned | kUnsignedWide, inner);
      const auto bad = std::find_if(indices.begin(), indices.end(),
                                    [&](std::uint32_t i) { return i >= vertex_count_; });
      if (bad != indices.end()) {
        fail(inner, format_text("element %td is vertex %u, but there are %zu",
                                bad - indices.begin(), *bad, vertex_count_));
      }
    }
    mesh.indices = to_triangles(std::move(indices), mode);
  }

  void read_surface(const std::vector<UvUse>& uv_uses, Mesh& mesh) {
    mesh.normals = vec3s(*attributes_, "NORMAL", kFloat | kNormalized, place_);
    for (Vec3& n : mesh.normals) n = normalize_or(n, kAxisY);

    const UvUse use = mesh.material >= 0 ? uv_uses[at(mesh.material)] : UvUse{};
    const std::string key = "TEXCOORD_" + std::to_string(use.set);
    std::size_t components = 2;
    const std::vector<float> uvs =
        floats(*attributes_, key.c_str(), "VEC2", kShape, place_, components);
    const SinCos turn = sincos(use.rotation);
    for (std::size_t i = 0; i + 1 < uvs.size(); i += 2) {
      const Vec2 v{uvs[i] * use.scale.x, uvs[i + 1] * use.scale.y};
      const Vec2 moved =
          use.offset + Vec2{turn.cos * v.x + turn.sin * v.y, turn.cos * v.y - turn.sin * v.x};
      mesh.uvs.push_back(is_finite(moved.x) && is_finite(moved.y) ? moved : Vec2{});
    }

    const std::vector<float> colors =
        floats(*attributes_, "COLOR_0", "VEC3/VEC4", kFloat | kNormalized, place_, components);
    for (std::size_t i = 0; i < colors.size(); i += components) {
      const float alpha = components == 4 ? colors[i + 3] : 1.0f;
      mesh.colors.push_back({colors[i], colors[i + 1], colors[i + 2], alpha});
    }
  }

  void read_influences(std::size_t skin_joints, Mesh& mesh) {
    std::vector<Influences> influences(vertex_count_);
    int sets = 0;
    for (;; ++sets) {
      const std::string joints_key = "JOINTS_" + std::to_string(sets);
      const std::string weights_key = "WEIGHTS_" + std::to_string(sets);
      const int joints_index = accessor(*attributes_, joints_key.c_str(), place_);
      if (joints_index < 0 || member(*attributes_, weights_key.c_str()) == nullptr) break;
      const Place inner{&place_, joints_key, -1, {}};
      const std::vector<std::uint32_t> joints =
          document_.read_integers(joints_index, "VEC4", kUnsigned, inner);
      check_count(joints.size() / 4, joints_key.c_str(), place_);
      std::size_t components = 4;
      const std::vector<float> weights = floats(*attributes_, weights_key.c_str(), "VEC4",
                                                kFloat | kNormalized, place_, components);
      for (std::size_t i = 0; i < joints.size(); ++i) {
        if (!(weights[i] > 0.0f)) continue;
        if (joints[i] >= skin_joints) {
          fail(inner, format_text("vertex %zu hangs on joint %u, but the skin has %zu", i / 4,
                                  joints[i], skin_joints));
        }
        influences[i / 4].add(joints[i], weights[i]);
      }
    }
    if (sets > 1) {
      document_.inform("gltf.many_influences", place_,
                       "vertices may hang on more than four joints; the strongest four are kept");
    }
    store_influences(influences, mesh);
  }

  void store_influences(const std::vector<Influences>& influences, Mesh& mesh) {
    std::size_t loose = 0;
    mesh.joints.reserve(vertex_count_);
    mesh.weights.reserve(vertex_count_);
    for (const Influences& of : influences) {
      const auto& w = of.weights;
      const float sum = w[0] + w[1] + w[2] + w[3];
      mesh.joints.push_back(of.joints);
      if (sum > 0.0f && is_finite(sum)) {
        mesh.weights.push_back({w[0] / sum, w[1] / sum, w[2] / sum, w[3] / sum});
      } else {
        mesh.weights.push_back({1, 0, 0, 0});
        ++loose;
      }
    }
    if (loose > 0) {
      document_.warn(
          "gltf.no_weights", place_,
          format_text("%zu vertices hang on no joint; they follow the skin's first", loose));
    }
  }

  void read_morphs(const std::vector<std::string>& names, Mesh& mesh) {
    const Json& targets = array_of(object_, "targets", place_);
    if (targets.size() != names.size()) {
      fail(place_, format_text("it has %zu morph targets, but the mesh's first primitive has %zu",
                               targets.size(), names.size()));
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const Place place{&place_, "target", static_cast<long long>(i), names[i]};
      require_object(targets[i], place);
      MorphTarget morph;
      morph.name = names[i];
      morph.positions = vec3s(targets[i], "POSITION", kShape, place);
      morph.normals = vec3s(targets[i], "NORMAL", kFloat | kNormalized, place);
      if (morph.positions.empty()) {
        document_.spend(vertex_count_, sizeof(Vec3), place);
        morph.positions.resize(vertex_count_);
      }
      mesh.morphs.push_back(std::move(morph));
    }
  }

  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);
  Document& document_;
  const Json& object_;
  const Place& place_;
  const Json* attributes_ = nullptr;
  std::size_t vertex_count_ = kUnknown;
};

// A matrix that is no translation, rotation and scale goes into the vertices themselves.
void bake(const Mat3x4& m, Mesh& mesh) {
  const Mat3x4 back = inverse(m);
  const auto turn_normal = [&](Vec3 n) {  // by the inverse transposed
    return Vec3{dot(axis_of(back, 0), n), dot(axis_of(back, 1), n), dot(axis_of(back, 2), n)};
  };
  for (Vec3& p : mesh.positions) p = transform_point(m, p);
  for (Vec3& n : mesh.normals) n = normalize_or(turn_normal(n), kAxisY);
  for (MorphTarget& morph : mesh.morphs) {
    for (Vec3& p : morph.positions) p = transform_vector(m, p);
    for (Vec3& n : morph.normals) n = turn_normal(n);
  }
}

bool is_exact(const Transform& transform, const Mat3x4& m) {
  const Mat3x4 back = to_matrix(transform);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 a = axis_of(m, axis);
    if (length(a - axis_of(back, axis)) > 1e-4f * length(a)) return false;
  }
  return true;
}

void place_rigid(const Attachment& attachment, const Place& place, Mesh& mesh) {
  if (!all_finite(attachment.matrix)) fail(place, "the node's place is not finite");
  mesh.joint = attachment.joint;
  mesh.offset = decompose(attachment.matrix);
  if (!is_exact(mesh.offset, attachment.matrix)) {
    bake(attachment.matrix, mesh);
    mesh.offset = {};
    for (const Vec3& p : mesh.positions) {
      if (!is_finite(p)) fail(place, "a vertex is not finite where the node puts it");
    }
    for (MorphTarget& morph : mesh.morphs) {
      for (std::vector<Vec3>* list : {&morph.positions, &morph.normals}) {
        for (Vec3& p : *list) p = is_finite(p) ? p : Vec3{};
      }
    }
  }
}

std::vector<float> default_weights(const Document& document, int node, int mesh,
                                   std::size_t count) {
  std::vector<float> weights(count, 0.0f);
  for (const Json* object :
       {&document.list("meshes")[at(mesh)], &document.list("nodes")[at(node)]}) {
    const Json* list = member(*object, "weights");
    if (list == nullptr || !list->is_array()) continue;
    for (std::size_t i = 0; i < std::min(count, list->size()); ++i)
      to_float((*list)[i], weights[i]);
  }
  return weights;
}

}  // namespace

void read_meshes(Document& document, const SceneDef& scene, const Rig& rig,
                 const std::vector<std::string>& keys, const std::vector<UvUse>& uv_uses,
                 Model& model, std::vector<int>& node_of_mesh) {
  for (int i : scene.order) {
    const Node& node = scene.nodes[at(i)];
    if (node.mesh < 0 || !node.in_scene) continue;
    const Json& object = document.list("meshes")[at(node.mesh)];
    const Place place{&document.place(), "mesh", node.mesh, keys[at(i)]};
    const Json& primitives = array_of(object, "primitives", place);
    const std::vector<std::string> morph_names = morph_target_names(document, node.mesh);
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const Place primitive{&place, "primitive", static_cast<long long>(p), {}};
      require_object(primitives[p], primitive);
      Mesh mesh;
      mesh.name = keys[at(i)];
      if (node.skin >= 0 && PrimitiveReader::is_skinned(primitives[p])) mesh.skin = node.skin;
      const std::size_t joints = mesh.skin >= 0 ? scene.skins[at(mesh.skin)].joints.size() : 0;
      if (!PrimitiveReader(document, primitives[p], primitive)
               .read(uv_uses, morph_names, joints, mesh)) {
        continue;
      }
      if (mesh.skin < 0) {
        if (node.skin >= 0) {
          document.warn("gltf.skin_without_weights", primitive,
                        format_text("node %d has a skin, but these vertices have no joints", i));
        }
        place_rigid(attachment_of(scene, rig, i), primitive, mesh);
      }
      mesh.morph_weights = default_weights(document, i, node.mesh, morph_names.size());
      model.meshes.push_back(std::move(mesh));
      node_of_mesh.push_back(i);
    }
  }
}

}  // namespace sinew::gltf
