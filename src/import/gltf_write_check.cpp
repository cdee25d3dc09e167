#include "gltf_write_check.hpp"

#include <sinew/base/text.hpp>

namespace sinew {
namespace {

bool finite(Vec2 v) { return is_finite(v.x) && is_finite(v.y); }
bool finite(Vec3 v) { return is_finite(v); }
bool finite(Vec4 v) { return is_finite(v.x) && is_finite(v.y) && is_finite(v.z) && is_finite(v.w); }
bool finite(const Mat3x4& m) { return finite(m.row[0]) && finite(m.row[1]) && finite(m.row[2]); }

Error fault(std::string message, const std::string& where) {
  return make_error(ErrorCode::kInvalidArgument, std::move(message), where);
}

// Lists per vertex: empty or one entry per vertex, all finite.
template <class T>
Status check_list(const std::vector<T>& list, std::size_t vertices, const char* what,
                  const std::string& where) {
  if (!list.empty() && list.size() != vertices) {
    return fault(format_text("%zu %s for %zu vertices", list.size(), what, vertices), where);
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!finite(list[i])) {
      return fault(format_text("entry %zu of its %s is not finite", i, what), where);
    }
  }
  return {};
}

bool in_range(int index, std::size_t size) {
  return index >= 0 && static_cast<std::size_t>(index) < size;
}

Status check_skin(const Skin& skin, int joint_count, const std::string& where) {
  if (skin.joints.empty()) return fault("it has no joints", where);
  if (skin.inverse_bind.size() != skin.joints.size()) {
    return fault(format_text("%zu inverse bind matrices for %zu joints", skin.inverse_bind.size(),
                             skin.joints.size()),
                 where);
  }
  for (std::size_t i = 0; i < skin.joints.size(); ++i) {
    if (skin.joints[i] < 0 || skin.joints[i] >= joint_count) {
      return fault(format_text("joint %d is not of the skeleton", skin.joints[i]), where);
    }
    if (!finite(skin.inverse_bind[i])) {
      return fault(format_text("inverse bind matrix %zu is not finite", i), where);
    }
  }
  return {};
}

Status check_binding(const Mesh& mesh, const Model& model, const std::string& where) {
  if (mesh.joints.size() != mesh.weights.size()) {
    return fault(
        format_text("%zu joint lists but %zu weights", mesh.joints.size(), mesh.weights.size()),
        where);
  }
  if (mesh.skin < 0) {
    if (mesh.joint != kNoJoint && !in_range(mesh.joint, model.skeleton.rest_pose().size())) {
      return fault(format_text("joint %d is not of the skeleton", mesh.joint), where);
    }
    if (!is_finite(mesh.offset)) return fault("its offset is not finite", where);
    return {};
  }
  if (!in_range(mesh.skin, model.skins.size())) {
    return fault(format_text("there is no skin %d", mesh.skin), where);
  }
  if (mesh.joints.empty()) return fault("it has a skin but no weights", where);
  const std::size_t joints = model.skins[static_cast<std::size_t>(mesh.skin)].joints.size();
  for (std::size_t v = 0; v < mesh.joints.size(); ++v) {
    for (std::uint16_t joint : mesh.joints[v]) {
      if (joint >= joints) {
        return fault(format_text("vertex %zu: its skin has no joint %d", v, joint), where);
      }
    }
  }
  return {};
}

Status check_mesh(const Mesh& mesh, const Model& model, const std::string& where) {
  const std::size_t n = mesh.positions.size();
  if (n == 0) return fault("it has no vertices", where);
  if (mesh.indices.empty() || mesh.indices.size() % 3 != 0) {
    return fault(format_text("%zu indices make no triangles", mesh.indices.size()), where);
  }
  for (std::uint32_t index : mesh.indices) {
    if (index >= n) return fault(format_text("index %u lies beyond its vertices", index), where);
  }
  Status status = check_list(mesh.positions, n, "positions", where);
  if (status) status = check_list(mesh.normals, n, "normals", where);
  if (status) status = check_list(mesh.uvs, n, "texture coordinates", where);
  if (status) status = check_list(mesh.colors, n, "colours", where);
  if (status) status = check_list(mesh.weights, n, "weights", where);
  for (const MorphTarget& morph : mesh.morphs) {
    const std::string place = where + ": morph target '" + morph.name + "'";
    if (status && morph.positions.empty()) return fault("it has no positions", place);
    if (status) status = check_list(morph.positions, n, "positions", place);
    if (status) status = check_list(morph.normals, n, "normals", place);
  }
  if (!status) return status;
  if (!mesh.morph_weights.empty() && mesh.morph_weights.size() != mesh.morphs.size()) {
    return fault(format_text("%zu weights for %zu morph targets", mesh.morph_weights.size(),
                             mesh.morphs.size()),
                 where);
  }
  for (float weight : mesh.morph_weights) {
    if (!is_finite(weight)) return fault("a morph weight is not finite", where);
  }
  if (mesh.material >= 0 && !in_range(mesh.material, model.materials.size())) {
    return fault(format_text("there is no material %d", mesh.material), where);
  }
  return check_binding(mesh, model, where);
}

Status check_notes(const RawClip& clip, const std::string& where) {
  const ClipAnnotations& notes = clip.annotations;
  bool good = is_finite(clip.duration) && is_finite(notes.cycle_offset) &&
              is_finite(notes.root_motion.rotation_offset) && is_finite(notes.root_motion.y_offset);
  for (const ClipEvent& e : notes.events) good = good && is_finite(e.time) && is_finite(e.number);
  for (const Contact& c : notes.contacts) good = good && is_finite(c.start) && is_finite(c.end);
  for (const SyncMarker& m : notes.sync_markers) good = good && is_finite(m.time);
  if (!good) return fault("a number of its annotations is not finite", where);
  return {};
}

Status check_looks(const Model& model) {
  for (std::size_t i = 0; i < model.images.size(); ++i) {
    const Image& image = model.images[i];
    const auto pixels =
        image.width > 0 && image.height > 0
            ? static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height)
            : std::size_t{0};
    if (pixels == 0 || image.rgba.size() != 4 * pixels) {
      return fault(
          format_text("%zu bytes for %d x %d pixels", image.rgba.size(), image.width, image.height),
          format_text("image %zu '%s'", i, image.name.c_str()));
    }
  }
  for (std::size_t i = 0; i < model.materials.size(); ++i) {
    const Material& material = model.materials[i];
    const std::string where = format_text("material %zu '%s'", i, material.name.c_str());
    if (!finite(material.base_color)) return fault("its colour is not finite", where);
    if (material.base_color_image >= 0 &&
        !in_range(material.base_color_image, model.images.size())) {
      return fault(format_text("there is no image %d", material.base_color_image), where);
    }
  }
  return {};
}

}  // namespace

Status check_writable(const Model& model) {
  const int joint_count = model.skeleton.joint_count();
  if (Status status = check_looks(model); !status) return status;
  for (std::size_t i = 0; i < model.skins.size(); ++i) {
    const std::string where = format_text("skin %zu '%s'", i, model.skins[i].name.c_str());
    if (Status status = check_skin(model.skins[i], joint_count, where); !status) return status;
  }
  for (std::size_t i = 0; i < model.meshes.size(); ++i) {
    const std::string where = format_text("mesh %zu '%s'", i, model.meshes[i].name.c_str());
    if (Status status = check_mesh(model.meshes[i], model, where); !status) return status;
  }
  for (std::size_t i = 0; i < model.clips.size(); ++i) {
    const RawClip& clip = model.clips[i];
    const std::string where = format_text("animation %zu '%s'", i, clip.name.c_str());
    if (joint_count == 0) return fault("it has no skeleton to move", where);
    if (Status status = validate(clip, model.skeleton); !status) {
      return within(where, status.error());
    }
    if (Status status = check_notes(clip, where); !status) return status;
  }
  for (const Socket& socket : model.sockets) {
    const std::string where = "socket '" + socket.name + "'";
    if (socket.joint < 0 || socket.joint >= joint_count) {
      return fault(format_text("joint %d is not of the skeleton", socket.joint), where);
    }
    if (!is_finite(socket.offset)) return fault("its offset is not finite", where);
  }
  return {};
}

}  // namespace sinew
