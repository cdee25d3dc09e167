#include "fbx_mesh.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include <sinew/base/text.hpp>

#include "joint_choice.hpp"
#include "mocap_model.hpp"
#include "text_scanner.hpp"

namespace sinew {
namespace {

// Values that a mesh has per point, polygon or corner.
struct Layer {
  enum class By : std::uint8_t { kNothing, kPoint, kPolygon, kCorner, kAll };
  By by = By::kNothing;
  std::vector<double> values;
  std::vector<std::int64_t> index;  // empty: direct

  // Where the value of a corner begins in `values`, or -1.
  std::ptrdiff_t at(std::size_t point, std::size_t polygon, std::size_t corner,
                    std::size_t width) const {
    std::size_t i = 0;
    switch (by) {
      case By::kNothing:
        return -1;
      case By::kPoint:
        i = point;
        break;
      case By::kPolygon:
        i = polygon;
        break;
      case By::kCorner:
        i = corner;
        break;
      case By::kAll:
        break;
    }
    if (!index.empty()) {
      if (i >= index.size() || index[i] < 0) return -1;
      i = static_cast<std::size_t>(index[i]);
    }
    return i < values.size() / width ? static_cast<std::ptrdiff_t>(i * width) : -1;
  }
};

Result<Layer> read_layer(const FbxDocument& d, int geometry, const char* element,
                         const char* values, const char* index) {
  Layer out;
  const int node = d.child(geometry, element);
  if (node == FbxDocument::kNone) return out;
  const std::string_view by = d.text(d.child(node, "MappingInformationType"), 0);
  out.by = by == "ByVertice" || by == "ByVertex" ? Layer::By::kPoint
           : by == "ByPolygon"                   ? Layer::By::kPolygon
           : by == "ByPolygonVertex"             ? Layer::By::kCorner
           : by == "AllSame"                     ? Layer::By::kAll
                                                 : Layer::By::kNothing;
  Result<std::vector<double>> list = d.doubles(d.child(node, values));
  if (!list) return list.error();
  out.values = std::move(list).value();
  const std::string_view reference = d.text(d.child(node, "ReferenceInformationType"), 0);
  if (index != nullptr && reference != "Direct") {
    Result<std::vector<std::int64_t>> indices = d.integers(d.child(node, index));
    if (!indices) return indices.error();
    out.index = std::move(indices).value();
  }
  if (out.values.empty()) out.by = Layer::By::kNothing;
  return out;
}

struct Corner {
  Vec3 position, normal;
  Vec2 uv;
  std::uint32_t point = 0;
  friend bool operator==(const Corner&, const Corner&) = default;
};

struct CornerHash {
  std::size_t operator()(const Corner& c) const {
    std::uint64_t h = c.point;
    for (const float v : {c.normal.x, c.normal.y, c.normal.z, c.uv.x, c.uv.y}) {
      std::uint32_t bits = 0;
      const float plain = v == 0 ? 0 : v;  // both zeros compare equal
      std::memcpy(&bits, &plain, sizeof bits);
      h = (h ^ bits) * 0x9e3779b97f4a7c15ull;
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
  }
};

class MeshReader {
 public:
  MeshReader(const FbxScene& scene, const std::vector<FbxModel>& models, const FbxRig& rig,
             Model& out)
      : scene_(scene), d_(scene.document()), models_(models), rig_(rig), out_(out) {
    for (std::size_t i = 0; i < models.size(); ++i)
      model_of_[models[i].object] = static_cast<int>(i);
  }
  Status read(int model);

 private:
  struct Geometry {
    std::vector<double> points;
    std::vector<std::int64_t> corners;  // of polygons; the last of each is ~point
    Layer normals, uvs, materials;
  };
  Status read_geometry(int node, Geometry& out) const;
  Status read_skin(int owner, int model, std::size_t points, Affine64& to_model, int& skin);
  Status read_cluster(int cluster, Skin& skin, std::vector<Influences>& influences, Affine64& bind,
                      bool& has_bind) const;
  int material(int object);
  void build(const Geometry& geometry, const Affine64& to_target, int model, int skin);
  Affine64 geometric(int object) const;

  const FbxScene& scene_;
  const FbxDocument& d_;
  const std::vector<FbxModel>& models_;
  const FbxRig& rig_;
  Model& out_;
  std::unordered_map<int, int> model_of_, material_of_;  // by object
  std::vector<Influences> influences_;                   // of the mesh being read, by point
};

Status MeshReader::read_geometry(int node, Geometry& out) const {
  Result<std::vector<double>> points = d_.doubles(d_.child(node, "Vertices"));
  if (!points) return points.error();
  Result<std::vector<std::int64_t>> corners = d_.integers(d_.child(node, "PolygonVertexIndex"));
  if (!corners) return corners.error();
  out.points = std::move(points).value();
  out.corners = std::move(corners).value();
  const std::int64_t count = static_cast<std::int64_t>(out.points.size() / 3);
  for (const std::int64_t corner : out.corners) {
    const std::int64_t point = corner < 0 ? ~corner : corner;
    if (point >= count) {
      return make_error(ErrorCode::kMalformed,
                        format_text("a polygon uses point %lld of %lld",
                                    static_cast<long long>(point), static_cast<long long>(count)),
                        d_.place(node));
    }
  }
  Result<Layer> normals = read_layer(d_, node, "LayerElementNormal", "Normals", "NormalsIndex");
  if (!normals) return normals.error();
  Result<Layer> uvs = read_layer(d_, node, "LayerElementUV", "UV", "UVIndex");
  if (!uvs) return uvs.error();
  Result<Layer> materials = read_layer(d_, node, "LayerElementMaterial", "Materials", nullptr);
  if (!materials) return materials.error();
  out.normals = std::move(normals).value();
  out.uvs = std::move(uvs).value();
  out.materials = std::move(materials).value();
  return {};
}

Affine64 MeshReader::geometric(int object) const {
  Transform64 t;
  t.translation = scene_.property(object, "GeometricTranslation", Double3{});
  t.rotation = euler_rotation(scene_.property(object, "GeometricRotation", Double3{}), {0, 1, 2});
  t.scale = scene_.property(object, "GeometricScaling", Double3{1, 1, 1});
  return to_affine(t);
}

int MeshReader::material(int object) {
  const auto [found, is_new] =
      material_of_.emplace(object, static_cast<int>(out_.materials.size()));
  if (!is_new) return found->second;
  Material m;
  m.name = scene_.object(object).name;
  const char* name = scene_.has_property(object, "DiffuseColor") ? "DiffuseColor" : "Diffuse";
  const Double3 color = scene_.property(object, name, Double3{0.8, 0.8, 0.8}) *
                        scene_.property(object, "DiffuseFactor", 1.0);
  const double opacity = std::clamp(scene_.property(object, "Opacity", 1.0), 0.0, 1.0);
  const auto channel = [](double v) { return static_cast<float>(std::clamp(v, 0.0, 1.0)); };
  m.base_color = {channel(color.x), channel(color.y), channel(color.z), channel(opacity)};
  if (opacity < 1) m.alpha = Material::Alpha::kBlend;
  out_.materials.push_back(std::move(m));
  return found->second;
}

namespace {

// Sixteen numbers by columns.
bool to_affine(const std::vector<double>& list, Affine64& out) {
  if (list.size() != 16) return false;
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 3; ++r) out.m[r][c] = list[static_cast<std::size_t>(4 * c + r)];
  }
  return is_finite(out);
}

}  // namespace

Status MeshReader::read_cluster(int cluster, Skin& skin, std::vector<Influences>& influences,
                                Affine64& bind, bool& has_bind) const {
  const int node = scene_.object(cluster).node;
  const int bone_object = scene_.child_of_kind(cluster, "Model");
  const auto found = model_of_.find(bone_object);
  if (found == model_of_.end() || rig_.joint_of(found->second) < 0) return {};  // hangs on nothing
  const auto points = d_.integers(d_.child(node, "Indexes"));
  if (!points) return points.error();
  const auto weights = d_.doubles(d_.child(node, "Weights"));
  if (!weights) return weights.error();
  const auto transform = d_.doubles(d_.child(node, "Transform"));
  if (!transform) return transform.error();
  const auto link = d_.doubles(d_.child(node, "TransformLink"));
  if (!link) return link.error();
  if (points->size() != weights->size()) {
    return make_error(
        ErrorCode::kMalformed,
        format_text("a cluster has %zu points, but %zu weights", points->size(), weights->size()),
        d_.place(node));
  }
  Affine64 to_bone, bone_bind;
  if (!to_affine(*link, bone_bind))
    return make_error(ErrorCode::kMalformed, "TransformLink is no matrix", d_.place(node));
  if (!has_bind && to_affine(*transform, to_bone)) {
    bind = rig_.from_file() * bone_bind * to_bone;
    has_bind = true;
  }
  // Where the joint, which has no scale at rest, stood when the mesh was bound.
  Transform64 joint = decompose(rig_.from_file() * bone_bind);
  joint.scale = {1, 1, 1};
  Affine64 inverse;
  if (!invert(to_affine(joint), inverse))
    return make_error(ErrorCode::kMalformed, "TransformLink is singular", d_.place(node));
  const Mat3x4 inverse_bind = to_float(inverse);
  for (const Vec4& row : inverse_bind.row) {
    if (!is_finite(row.x + row.y + row.z + row.w)) {
      return make_error(ErrorCode::kMalformed, "TransformLink is singular", d_.place(node));
    }
  }
  const std::uint16_t index = static_cast<std::uint16_t>(skin.joints.size());
  skin.joints.push_back(out_.skeleton.index_of_source(rig_.joint_of(found->second)));
  skin.inverse_bind.push_back(inverse_bind);
  for (std::size_t i = 0; i < points->size(); ++i) {
    const std::int64_t point = (*points)[i];
    if (point < 0 || point >= static_cast<std::int64_t>(influences.size())) {
      return make_error(ErrorCode::kMalformed,
                        format_text("a weight is given to point %lld of %zu",
                                    static_cast<long long>(point), influences.size()),
                        d_.place(node));
    }
    if ((*weights)[i] > 0) influences[static_cast<std::size_t>(point)].add(index, (*weights)[i]);
  }
  return {};
}

// `to_model` becomes the map from the mesh's space at the bind to model space.
Status MeshReader::read_skin(int owner, int model, std::size_t points, Affine64& to_model,
                             int& skin_index) {
  skin_index = -1;
  const int deformer = scene_.child_of_kind(owner, "Deformer", "Skin");
  if (deformer < 0) return {};
  Skin skin;
  skin.name = models_[static_cast<std::size_t>(model)].name;
  influences_.assign(points, {});
  bool has_bind = false;
  Affine64 bind;
  for (const FbxLink& link : scene_.children(deformer)) {
    if (scene_.object(link.child).kind != "Deformer" || skin.joints.size() >= 65535) continue;
    if (const Status status = read_cluster(link.child, skin, influences_, bind, has_bind); !status)
      return status;
  }
  if (skin.joints.empty()) return {};
  if (has_bind) to_model = bind;
  std::size_t free_points = 0;
  for (Influences& one : influences_) {
    // The format leaves such points to the mesh's own node.
    if (!one.normalize()) ++free_points;
  }
  if (free_points > 0) {
    add_warning(out_.findings, "fbx.unweighted_points",
                format_text("%zu points have no weight and follow the first joint of their skin",
                            free_points),
                "mesh '" + skin.name + "'");
  }
  skin_index = static_cast<int>(out_.skins.size());
  out_.skins.push_back(std::move(skin));
  return {};
}

void MeshReader::build(const Geometry& g, const Affine64& to_target, int model, int skin) {
  std::vector<int> materials;
  for (const FbxLink& link : scene_.children(models_[static_cast<std::size_t>(model)].object)) {
    if (scene_.object(link.child).kind == "Material") materials.push_back(material(link.child));
  }
  Affine64 normal_map;  // transposed inverse
  const bool has_normals = g.normals.by != Layer::By::kNothing && invert(to_target, normal_map);
  const bool mirrored = determinant(to_target) < 0;
  struct Part {
    Mesh mesh;
    std::unordered_map<Corner, std::uint32_t, CornerHash> known;
  };
  std::vector<Part> parts(std::max<std::size_t>(materials.size(), 1));

  const auto vertex = [&](Part& part, std::size_t polygon, std::size_t corner) {
    const std::int64_t signed_point = g.corners[corner];
    const std::size_t point =
        static_cast<std::size_t>(signed_point < 0 ? ~signed_point : signed_point);
    Corner c;
    c.point = static_cast<std::uint32_t>(point);
    c.position = to_float(transform_point(
        to_target, {g.points[3 * point], g.points[3 * point + 1], g.points[3 * point + 2]}));
    if (const std::ptrdiff_t n = has_normals ? g.normals.at(point, polygon, corner, 3) : -1;
        n >= 0) {
      const double* v = g.normals.values.data() + n;
      Double3 turned;
      for (int i = 0; i < 3; ++i)
        turned[i] =
            normal_map.m[0][i] * v[0] + normal_map.m[1][i] * v[1] + normal_map.m[2][i] * v[2];
      const double l = length_of(turned);
      c.normal = l > 0 && is_finite(l) ? to_float(turned * (1 / l)) : kAxisY;
    }
    if (const std::ptrdiff_t uv = g.uvs.at(point, polygon, corner, 2); uv >= 0) {
      c.uv = {static_cast<float>(g.uvs.values[static_cast<std::size_t>(uv)]),
              static_cast<float>(1 - g.uvs.values[static_cast<std::size_t>(uv) + 1])};
    }
    const auto [found, is_new] =
        part.known.emplace(c, static_cast<std::uint32_t>(part.mesh.positions.size()));
    if (is_new) {
      Mesh& mesh = part.mesh;
      mesh.positions.push_back(c.position);
      if (has_normals) mesh.normals.push_back(c.normal);
      if (g.uvs.by != Layer::By::kNothing) mesh.uvs.push_back(c.uv);
      if (skin >= 0) {
        const Influences& one = influences_[point];
        mesh.joints.push_back(one.joints);
        mesh.weights.push_back(one.as_floats());
      }
    }
    return found->second;
  };

  std::size_t begin = 0, polygon = 0;
  for (std::size_t i = 0; i < g.corners.size(); ++i) {
    if (g.corners[i] >= 0) continue;
    const std::ptrdiff_t m = g.materials.at(0, polygon, i, 1);
    const double slot = m < 0 ? 0 : g.materials.values[static_cast<std::size_t>(m)];
    Part& part =
        parts[slot > 0 && slot < static_cast<double>(parts.size()) ? static_cast<std::size_t>(slot)
                                                                   : 0];
    // A fan: right for convex polygons, which is what modelling programs make.
    for (std::size_t k = begin + 1; k + 1 <= i; ++k) {
      const std::uint32_t a = vertex(part, polygon, begin), b = vertex(part, polygon, k),
                          c = vertex(part, polygon, k + 1);
      part.mesh.indices.insert(part.mesh.indices.end(), {a, mirrored ? c : b, mirrored ? b : c});
    }
    begin = i + 1;
    ++polygon;
  }
  const int joint = rig_.joint_above(model);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Mesh& mesh = parts[i].mesh;
    if (mesh.indices.empty()) continue;
    mesh.name = models_[static_cast<std::size_t>(model)].name;
    mesh.material = i < materials.size() ? materials[i] : -1;
    mesh.skin = skin;
    if (skin < 0 && joint != kNoJoint) mesh.joint = out_.skeleton.index_of_source(joint);
    out_.meshes.push_back(std::move(mesh));
  }
}

Status MeshReader::read(int model) {
  const FbxModel& m = models_[static_cast<std::size_t>(model)];
  // Version 6 keeps the geometry in the model itself.
  int owner = scene_.child_of_kind(m.object, "Geometry", "Mesh");
  if (owner < 0) owner = m.object;
  const int node = scene_.object(owner).node;
  if (d_.child(node, "Vertices") == FbxDocument::kNone) return {};
  Geometry geometry;
  if (const Status status = read_geometry(node, geometry); !status) return status;
  Affine64 to_model = rig_.rest_of_model(model);
  int skin = -1;
  if (const Status status = read_skin(owner, model, geometry.points.size() / 3, to_model, skin);
      !status)
    return status;
  Affine64 to_target = to_model * geometric(m.object);
  const int joint = rig_.joint_above(model);
  if (skin < 0 && joint != kNoJoint) {
    const Mat3x4& rest =
        out_.skeleton.rest_model()[static_cast<std::size_t>(out_.skeleton.index_of_source(joint))];
    Affine64 joint_rest, inverse;
    for (int r = 0; r < 3; ++r) {
      const Vec4& row = rest.row[r];
      const float values[4] = {row.x, row.y, row.z, row.w};
      for (int c = 0; c < 4; ++c) joint_rest.m[r][c] = static_cast<double>(values[c]);
    }
    if (invert(joint_rest, inverse)) to_target = inverse * to_target;
  }
  if (!is_finite(to_target))
    return make_error(ErrorCode::kMalformed, "a mesh has no finite place", d_.place(node));
  const std::size_t first = out_.meshes.size();
  build(geometry, to_target, model, skin);
  for (std::size_t i = first; i < out_.meshes.size(); ++i) {
    const Mesh& mesh = out_.meshes[i];
    const bool finite = std::all_of(mesh.positions.begin(), mesh.positions.end(),
                                    [](Vec3 p) { return is_finite(p); }) &&
                        std::all_of(mesh.uvs.begin(), mesh.uvs.end(),
                                    [](Vec2 uv) { return is_finite(uv.x) && is_finite(uv.y); });
    if (!finite)
      return make_error(ErrorCode::kMalformed, "a mesh has numbers that are too large",
                        d_.place(node));
  }
  return {};
}

}  // namespace

Status read_meshes(const FbxScene& scene, const std::vector<FbxModel>& models, const FbxRig& rig,
                   Model& out) {
  MeshReader reader(scene, models, rig, out);
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (const Status status = reader.read(static_cast<int>(i)); !status) {
      return within("mesh '" + models[i].name + "'", status.error());
    }
  }
  return {};
}

}  // namespace sinew
