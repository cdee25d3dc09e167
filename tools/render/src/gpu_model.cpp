#include "gpu_model.hpp"

#include <algorithm>
#include <cstddef>

#include <sinew/base/text.hpp>

namespace sinew::render {
namespace {

// Surfaces that say nothing of their colour.
constexpr Vec4 kNeutral{0.50f, 0.52f, 0.55f, 1};

struct StaticAttributes {
  Vec2 uv;
  Vec4 color{1, 1, 1, 1};
};

GlTexture upload_image(const Image& image) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const std::size_t bytes = static_cast<std::size_t>(std::max(image.width, 0)) *
                            static_cast<std::size_t>(std::max(image.height, 0)) * 4;
  if (bytes == 0 || image.rgba.size() != bytes || image.width > largest || image.height > largest) {
    return {};
  }
  GLuint name = 0;
  glGenTextures(1, &name);
  GlTexture texture(name);
  glBindTexture(GL_TEXTURE_2D, name);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, image.width, image.height, 0, GL_RGBA,
               GL_UNSIGNED_BYTE, image.rgba.data());
  glGenerateMipmap(GL_TEXTURE_2D);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  return texture;
}

void set_material(const Model& model, const Mesh& mesh, const std::vector<GlTexture>& images,
                  GLuint white, GpuMesh& out) {
  out.image = white;
  out.base_color = kNeutral;
  if (mesh.material < 0) {
    if (!mesh.colors.empty()) out.base_color = {1, 1, 1, 1};
    return;
  }
  const Material& material = model.materials[static_cast<std::size_t>(mesh.material)];
  const int image = material.base_color_image;
  if (image >= 0 && image < static_cast<int>(images.size()) &&
      images[static_cast<std::size_t>(image)]) {
    out.image = images[static_cast<std::size_t>(image)].get();
  }
  const bool says_nothing =
      material.base_color == Vec4{1, 1, 1, 1} && out.image == white && mesh.colors.empty();
  if (!says_nothing) out.base_color = material.base_color;
  out.alpha = material.alpha;
  out.cutoff = material.alpha_cutoff;
}

GpuMesh upload_mesh(const Mesh& mesh, const PreparedMesh& prepared) {
  GpuMesh out;
  out.vertex_count = mesh.positions.size();
  out.index_count = static_cast<GLsizei>(mesh.indices.size());
  out.array = make_vertex_array();
  glBindVertexArray(out.array.get());
  out.indices = make_buffer();
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, out.indices.get());
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(mesh.indices.size() * 4),
               mesh.indices.data(), GL_STATIC_DRAW);

  std::vector<StaticAttributes> attributes(out.vertex_count);
  for (std::size_t v = 0; v < mesh.uvs.size(); ++v) attributes[v].uv = mesh.uvs[v];
  for (std::size_t v = 0; v < mesh.colors.size(); ++v) attributes[v].color = mesh.colors[v];
  out.attributes = make_buffer();
  glBindBuffer(GL_ARRAY_BUFFER, out.attributes.get());
  glBufferData(GL_ARRAY_BUFFER,
               static_cast<GLsizeiptr>(attributes.size() * sizeof(StaticAttributes)),
               attributes.data(), GL_STATIC_DRAW);
  constexpr GLsizei kStride = sizeof(StaticAttributes);
  glEnableVertexAttribArray(kUv);
  glVertexAttribPointer(kUv, 2, GL_FLOAT, GL_FALSE, kStride, nullptr);
  glEnableVertexAttribArray(kColor);
  glVertexAttribPointer(kColor, 4, GL_FLOAT, GL_FALSE, kStride,
                        reinterpret_cast<const void*>(offsetof(StaticAttributes, color)));
  glEnableVertexAttribArray(kPosition);
  glEnableVertexAttribArray(kNormal);

  if (prepared.is_static()) {
    std::vector<SkinnedVertex> vertices(out.vertex_count);
    Bounds box;
    std::vector<Mat3x4> palette;
    skin_mesh({}, prepared, {}, {}, {}, palette, vertices, box);
    out.vertices = make_buffer();
    glBindBuffer(GL_ARRAY_BUFFER, out.vertices.get());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(SkinnedVertex)),
                 vertices.data(), GL_STATIC_DRAW);
    bind_vertices(out.vertices.get(), 0);
  }
  glBindVertexArray(0);
  return out;
}

}  // namespace

Result<GpuModel> upload_model(const Model& model, GLuint white) {
  auto prepared = prepare_model(model);
  if (!prepared) return prepared.error();
  GpuModel out;
  out.prepared = std::move(*prepared);
  for (const Image& image : model.images) out.images.push_back(upload_image(image));
  for (std::size_t i = 0; i < model.meshes.size(); ++i) {
    out.meshes.push_back(upload_mesh(model.meshes[i], out.prepared.meshes[i]));
    set_material(model, model.meshes[i], out.images, white, out.meshes.back());
  }
  if (glGetError() == GL_OUT_OF_MEMORY) {
    return make_error(ErrorCode::kLimit, "the graphics memory is full", model.name);
  }
  return out;
}

void bind_vertices(GLuint buffer, std::size_t byte_offset) {
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  constexpr GLsizei kStride = sizeof(SkinnedVertex);
  glVertexAttribPointer(kPosition, 3, GL_FLOAT, GL_FALSE, kStride,
                        reinterpret_cast<const void*>(byte_offset));
  glVertexAttribPointer(
      kNormal, 3, GL_FLOAT, GL_FALSE, kStride,
      reinterpret_cast<const void*>(byte_offset + offsetof(SkinnedVertex, normal)));
}

}  // namespace sinew::render
