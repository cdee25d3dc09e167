// A model's buffers and textures on the GPU.
#pragma once

#include <vector>

#include "gl_objects.hpp"
#include "prepared_model.hpp"

namespace sinew::render {

// Places of vertex attributes in the shaders.
enum Attribute : GLuint { kPosition = 0, kNormal = 1, kUv = 2, kColor = 3 };

struct GpuMesh {
  GlVertexArray array;
  GlBuffer indices, attributes;
  GlBuffer vertices;  // SkinnedVertex; only of static meshes
  GLsizei index_count = 0;
  std::size_t vertex_count = 0;
  GLuint image = 0;  // a texture of the model's or the renderer's white one
  Vec4 base_color;
  Material::Alpha alpha = Material::Alpha::kOpaque;
  float cutoff = 0.5f;
};

struct GpuModel {
  PreparedModel prepared;
  std::vector<GlTexture> images;  // zero where none was usable
  std::vector<GpuMesh> meshes;    // parallel to prepared.meshes
};

// `white`: a texture for meshes without an image. The context must be current.
Result<GpuModel> upload_model(const Model& model, GLuint white);

// Points position and normal at a buffer of SkinnedVertex. The mesh's array must be bound.
void bind_vertices(GLuint buffer, std::size_t byte_offset);

}  // namespace sinew::render
