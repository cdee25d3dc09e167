#include "prepared_model.hpp"

#include <sinew/base/text.hpp>
#include <sinew/render/renderer.hpp>

namespace sinew::render {
namespace {

Error mesh_error(const Model& model, std::size_t index, std::string message) {
  return make_error(
      ErrorCode::kMalformed, std::move(message),
      model.name + ": mesh " + std::to_string(index) + " '" + model.meshes[index].name + "'");
}

// Empty if all is well.
std::string fault_of(const Model& model, const Mesh& mesh) {
  const std::size_t count = mesh.positions.size();
  const auto length = [&](const char* what, std::size_t size) {
    return size == 0 || size == count ? std::string()
                                      : format_text("%zu %s for %zu positions", size, what, count);
  };
  for (std::string fault :
       {length("normals", mesh.normals.size()), length("texture coordinates", mesh.uvs.size()),
        length("colours", mesh.colors.size()), length("joint lists", mesh.joints.size()),
        length("weight lists", mesh.weights.size())}) {
    if (!fault.empty()) return fault;
  }
  if (mesh.indices.size() % 3 != 0) return "the number of indices is not a multiple of three";
  for (std::uint32_t index : mesh.indices) {
    if (index >= count) return format_text("index %u of %zu positions", index, count);
  }
  for (const MorphTarget& morph : mesh.morphs) {
    const std::string fault = length("morph displacements", morph.positions.size());
    if (!fault.empty()) return fault;
    if (!morph.normals.empty() && morph.normals.size() != count) {
      return length("morph normals", morph.normals.size());
    }
  }
  if (mesh.material >= static_cast<int>(model.materials.size())) return "its material is missing";
  if (mesh.skin >= static_cast<int>(model.skins.size())) return "its skin is missing";
  if (mesh.joint >= model.skeleton.joint_count()) return "its joint is missing";
  if (mesh.skin < 0) return {};
  const std::size_t bones = model.skins[static_cast<std::size_t>(mesh.skin)].joints.size();
  if (bones == 0) return "its skin has no joints";
  if (mesh.joints.size() != count || mesh.weights.size() != count) {
    return "it has a skin but no joints and weights";
  }
  for (std::size_t v = 0; v < count; ++v) {
    const Vec4 w = mesh.weights[v];
    const float weights[4] = {w.x, w.y, w.z, w.w};
    for (std::size_t k = 0; k < 4; ++k) {
      if (weights[k] != 0.0f && mesh.joints[v][k] >= bones) {
        return format_text("vertex %zu uses joint %u of a skin of %zu", v,
                           static_cast<unsigned>(mesh.joints[v][k]), bones);
      }
    }
  }
  return {};
}

std::string fault_of(const Model& model, const Skin& skin) {
  if (skin.inverse_bind.size() != skin.joints.size()) {
    return format_text("%zu inverse bind matrices for %zu joints", skin.inverse_bind.size(),
                       skin.joints.size());
  }
  for (int joint : skin.joints) {
    if (joint < 0 || joint >= model.skeleton.joint_count()) {
      return format_text("joint %d of a skeleton of %d", joint, model.skeleton.joint_count());
    }
  }
  return {};
}

// Weights that sum to 1, and joints that may be read even where their weight is 0.
void clean_weights(PreparedMesh& mesh, std::size_t bones) {
  for (std::size_t v = 0; v < mesh.weights.size(); ++v) {
    Vec4& w = mesh.weights[v];
    if (!is_finite(w.x + w.y + w.z + w.w)) w = {};
    const float sum = w.x + w.y + w.z + w.w;
    if (abs(sum) > 1e-6f) {
      w = w * (1.0f / sum);
    } else {
      w = {1, 0, 0, 0};
    }
    for (std::uint16_t& joint : mesh.joints[v]) {
      if (joint >= bones) joint = 0;
    }
  }
}

PreparedMesh prepare_mesh(const Model& model, const Mesh& mesh) {
  PreparedMesh out;
  out.positions = mesh.positions;
  for (Vec3& p : out.positions) {
    if (!is_finite(p)) p = {};
    out.bounds.add(p);
  }
  out.normals = mesh.normals.empty() ? make_normals(out.positions, mesh.indices) : mesh.normals;
  for (Vec3& n : out.normals) {
    if (!is_finite(n)) n = {};
  }
  out.skin = mesh.skin;
  if (mesh.skin >= 0) {
    out.joints = mesh.joints;
    out.weights = mesh.weights;
    clean_weights(out, model.skins[static_cast<std::size_t>(mesh.skin)].joints.size());
  } else {
    out.joint = mesh.joint < 0 ? kNoJoint : mesh.joint;
    out.offset = to_matrix(mesh.offset);
  }
  out.morphs = mesh.morphs;
  out.morph_defaults = mesh.morph_weights;
  out.morph_defaults.resize(mesh.morphs.size(), 0.0f);
  return out;
}

Mat3x4 blended(std::span<const Mat3x4> palette, const std::array<std::uint16_t, 4>& joints,
               Vec4 w) {
  const float weights[4] = {w.x, w.y, w.z, w.w};
  Mat3x4 out;
  for (int r = 0; r < 3; ++r) out.row[r] = palette[joints[0]].row[r] * weights[0];
  for (std::size_t k = 1; k < 4; ++k) {
    if (weights[k] == 0.0f) continue;
    const Mat3x4& m = palette[joints[k]];
    for (int r = 0; r < 3; ++r) out.row[r] = out.row[r] + m.row[r] * weights[k];
  }
  return out;
}

// Longest side of the box around all meshes at rest.
float rest_size(const PreparedModel& model) {
  Bounds box;
  std::vector<Mat3x4> palette;
  std::vector<SkinnedVertex> vertices;
  for (const PreparedMesh& mesh : model.meshes) {
    vertices.resize(mesh.positions.size());
    skin_mesh(model, mesh, model.rest, {}, mesh.morph_defaults, palette, vertices, box);
  }
  const Vec3 size = box.empty() ? Vec3{} : box.size();
  return max(size.x, max(size.y, size.z));
}

// The mesh's own shape under morph weights, into `out`.
void apply_morphs(const PreparedMesh& mesh, std::span<const float> weights,
                  std::span<SkinnedVertex> out) {
  for (std::size_t v = 0; v < out.size(); ++v) out[v] = {mesh.positions[v], mesh.normals[v]};
  for (std::size_t t = 0; t < mesh.morphs.size(); ++t) {
    const float w = weights[t];
    if (w == 0.0f || !is_finite(w)) continue;
    const MorphTarget& morph = mesh.morphs[t];
    for (std::size_t v = 0; v < morph.positions.size(); ++v) {
      out[v].position += morph.positions[v] * w;
    }
    for (std::size_t v = 0; v < morph.normals.size(); ++v) out[v].normal += morph.normals[v] * w;
  }
}

}  // namespace

Mat3x4 normal_map(const Mat3x4& m) {
  const Vec3 a = axis_of(m, 0), b = axis_of(m, 1), c = axis_of(m, 2);
  Vec3 x = cross(b, c), y = cross(c, a), z = cross(a, b);
  if (dot(a, x) < 0.0f) {
    x = -x;
    y = -y;
    z = -z;
  }
  Mat3x4 out;
  out.row[0] = {x.x, y.x, z.x, 0};
  out.row[1] = {x.y, y.y, z.y, 0};
  out.row[2] = {x.z, y.z, z.z, 0};
  return out;
}

std::vector<std::string> morph_curve_names(const Model& model) {
  std::vector<std::string> names;
  for (const Mesh& mesh : model.meshes) {
    for (const MorphTarget& morph : mesh.morphs) {
      names.push_back(format_text("morph/%s/%s", mesh.name.c_str(), morph.name.c_str()));
    }
  }
  return names;
}

std::vector<Vec3> make_normals(std::span<const Vec3> positions,
                               std::span<const std::uint32_t> indices) {
  std::vector<Vec3> normals(positions.size());
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const Vec3 a = positions[indices[i]], b = positions[indices[i + 1]];
    const Vec3 n = cross(b - a, positions[indices[i + 2]] - a);
    for (std::size_t k = 0; k < 3; ++k) normals[indices[i + k]] += n;
  }
  for (Vec3& n : normals) n = normalize_or(n, {});
  return normals;
}

Result<PreparedModel> prepare_model(const Model& model) {
  for (std::size_t i = 0; i < model.skins.size(); ++i) {
    std::string fault = fault_of(model, model.skins[i]);
    if (!fault.empty()) {
      return make_error(
          ErrorCode::kMalformed, std::move(fault),
          model.name + ": skin " + std::to_string(i) + " '" + model.skins[i].name + "'");
    }
  }
  PreparedModel out;
  for (std::size_t i = 0; i < model.meshes.size(); ++i) {
    std::string fault = fault_of(model, model.meshes[i]);
    if (!fault.empty()) return mesh_error(model, i, std::move(fault));
    out.meshes.push_back(prepare_mesh(model, model.meshes[i]));
    out.meshes.back().morph_first = out.morph_count;
    out.morph_count += static_cast<int>(model.meshes[i].morphs.size());
  }
  const auto parents = model.skeleton.parents();
  out.parents.assign(parents.begin(), parents.end());
  const auto rest = model.skeleton.rest_model();
  out.rest.assign(rest.begin(), rest.end());
  out.skins = model.skins;
  out.height = max(model.skeleton.height(), 0.3f * rest_size(out));
  return out;
}

void skin_mesh(const PreparedModel& model, const PreparedMesh& mesh, std::span<const Mat3x4> joints,
               const Mat3x4& root, std::span<const float> morphs, std::vector<Mat3x4>& palette,
               std::span<SkinnedVertex> out, Bounds& box) {
  apply_morphs(mesh, morphs, out);
  Bounds written;
  if (mesh.skin < 0) {
    Mat3x4 world = root;
    if (mesh.joint != kNoJoint) world = world * joints[static_cast<std::size_t>(mesh.joint)];
    world = world * mesh.offset;
    const Mat3x4 normals = normal_map(world);
    for (SkinnedVertex& v : out) {
      v = {transform_point(world, v.position), transform_vector(normals, v.normal)};
      written.add(v.position);
    }
  } else {
    const Skin& skin = model.skins[static_cast<std::size_t>(mesh.skin)];
    palette.resize(skin.joints.size());
    for (std::size_t j = 0; j < palette.size(); ++j) {
      palette[j] = root * joints[static_cast<std::size_t>(skin.joints[j])] * skin.inverse_bind[j];
    }
    for (std::size_t v = 0; v < out.size(); ++v) {
      const Mat3x4 m = blended(palette, mesh.joints[v], mesh.weights[v]);
      out[v] = {transform_point(m, out[v].position),
                transform_vector(normal_map(m), out[v].normal)};
      written.add(out[v].position);
    }
  }
  box.add(written);
}

Bounds transform_bounds(const Mat3x4& map, const Bounds& box) {
  Bounds out;
  if (box.empty()) return out;
  for (int i = 0; i < 8; ++i) {
    out.add(transform_point(
        map, {(i & 1) != 0 ? box.high.x : box.low.x, (i & 2) != 0 ? box.high.y : box.low.y,
              (i & 4) != 0 ? box.high.z : box.low.z}));
  }
  return out;
}

}  // namespace sinew::render
