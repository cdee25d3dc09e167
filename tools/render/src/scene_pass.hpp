// Draws one frame into a frame buffer: shadows, surfaces, ground, bones, marks.
#pragma once

#include <vector>

#include <sinew/render/renderer.hpp>

#include "gpu_model.hpp"
#include "light_fit.hpp"
#include "overlay_geometry.hpp"

namespace sinew::render {

// One mesh of one instance, ready to draw.
struct DrawItem {
  const GpuMesh* mesh = nullptr;
  std::size_t vertex_offset = 0;  // bytes into the frame's vertices; unused if the mesh is static
  bool is_static = false;
  Mat4 world, normal_map;  // identity where the vertices are in world space already
  Vec4 color;              // linear
  bool ghost = false;      // the instance's tint is transparent
  bool casts_shadow = false, as_ground = false;
  float depth = 0;  // of the instance, along the view
};

// What a frame comes down to.
struct Scene {
  std::vector<DrawItem> items;
  std::vector<SkinnedVertex> vertices;
  std::vector<SolidVertex> bones;
  Casters casters;
};

class ScenePass {
 public:
  static Result<ScenePass> create();

  // Into `target` (of width x height), which gets the whole picture.
  void draw(const Frame& frame, const Scene& scene, const MarkView& view, GLuint target, int width,
            int height);

  GLuint white() const { return white_.get(); }

 private:
  struct Surface {
    GlProgram opaque, masked;
  };
  struct View {
    const Frame& frame;
    const Scene& scene;
    Mat4 view_proj;
    Vec3 to_light, key;
    float ground_fade;
    ShadowFit shadow;
    GroundFit ground;
  };

  Status build_programs();
  void resize_maps(const View& view);
  void draw_shadow_map(const View& view);
  void draw_ground_map(const View& view);
  void draw_surfaces(const View& view);
  void draw_ground(const View& view);
  void draw_backdrop(const View& view, float aspect);
  void draw_ghosts(const View& view);
  void draw_bones(const View& view);
  void draw_marks(const View& view, const MarkView& mark_view);

  void bind(const DrawItem& item, const GlProgram& program) const;
  void draw_item(const DrawItem& item) const;
  void set_light(const View& view, const GlProgram& program) const;
  void set_ground(const View& view, const GlProgram& program) const;
  void draw_screen() const;

  Surface mesh_, depth_;
  GlProgram ground_, terrain_, backdrop_, contact_, flat_, blur_, solid_, mark_;
  GlTexture white_, shadow_map_, ground_map_, blur_map_;
  GlFramebuffer shadow_target_, ground_target_, blur_target_;
  GlVertexArray empty_array_, ground_array_, solid_array_, mark_array_;
  GlBuffer vertices_, ground_vertices_, solid_vertices_, mark_vertices_;
  int shadow_size_ = 0, ground_size_ = 0;
};

// To linear light.
Vec3 linear(const Color& color);

}  // namespace sinew::render
