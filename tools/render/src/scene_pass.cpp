#include "scene_pass.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "shaders.hpp"

namespace sinew::render {
namespace {

// Texture units.
constexpr int kImageUnit = 0, kShadowUnit = 1, kGroundUnit = 2;

// Depth ranges: bones lie before everything else, and still hide one another.
constexpr double kSceneNear = 0.1;

float linear(float c) {
  return c <= 0.04045f ? c / 12.92f : sinew::pow((c + 0.055f) / 1.055f, 2.4f);
}

Vec3 rgb_of(const Color& c) { return {c.r, c.g, c.b}; }

template <class T>
void fill_buffer(const GlBuffer& buffer, const std::vector<T>& data) {
  glBindBuffer(GL_ARRAY_BUFFER, buffer.get());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(data.size() * sizeof(T)), data.data(),
               GL_STREAM_DRAW);
}

void attribute(GLuint index, GLint size, std::size_t stride, std::size_t offset) {
  glEnableVertexAttribArray(index);
  glVertexAttribPointer(index, size, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                        reinterpret_cast<const void*>(offset));
}

void use_texture(int unit, GLuint texture) {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_2D, texture);
}

}  // namespace

Vec3 linear(const Color& color) { return {linear(color.r), linear(color.g), linear(color.b)}; }

Result<ScenePass> ScenePass::create() {
  ScenePass pass;
  if (Status built = pass.build_programs(); !built) return built.error();
  pass.white_ = make_texture(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE);
  const std::uint8_t white[4] = {255, 255, 255, 255};
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, white);
  pass.shadow_target_ = make_framebuffer();
  pass.ground_target_ = make_framebuffer();
  pass.blur_target_ = make_framebuffer();
  pass.vertices_ = make_buffer();
  pass.empty_array_ = make_vertex_array();

  pass.ground_array_ = make_vertex_array();
  pass.ground_vertices_ = make_buffer();
  glBindVertexArray(pass.ground_array_.get());
  glBindBuffer(GL_ARRAY_BUFFER, pass.ground_vertices_.get());
  attribute(kPosition, 3, sizeof(Vec3), 0);

  pass.solid_array_ = make_vertex_array();
  pass.solid_vertices_ = make_buffer();
  glBindVertexArray(pass.solid_array_.get());
  glBindBuffer(GL_ARRAY_BUFFER, pass.solid_vertices_.get());
  attribute(0, 3, sizeof(SolidVertex), 0);
  attribute(1, 3, sizeof(SolidVertex), offsetof(SolidVertex, normal));
  attribute(2, 4, sizeof(SolidVertex), offsetof(SolidVertex, color));

  pass.mark_array_ = make_vertex_array();
  pass.mark_vertices_ = make_buffer();
  glBindVertexArray(pass.mark_array_.get());
  glBindBuffer(GL_ARRAY_BUFFER, pass.mark_vertices_.get());
  attribute(0, 4, sizeof(MarkVertex), 0);
  attribute(1, 4, sizeof(MarkVertex), offsetof(MarkVertex, color));
  attribute(2, 2, sizeof(MarkVertex), offsetof(MarkVertex, inside));
  glBindVertexArray(0);
  return pass;
}

Status ScenePass::build_programs() {
  using namespace shaders;
  const std::string lit = std::string(kShadowCode) + kMeshFragment;
  const std::string terrain = std::string(kShadowCode) + kGroundFragment;
  const struct {
    GlProgram& program;
    const char* name;
    const char* vertex;
    const char* fragment;
    const char* defines;
  } all[] = {
      {mesh_.opaque, "mesh", kMeshVertex, lit.c_str(), ""},
      {mesh_.masked, "mesh", kMeshVertex, lit.c_str(), "#define MASK"},
      {depth_.opaque, "depth", kDepthVertex, kDepthFragment, ""},
      {depth_.masked, "depth", kDepthVertex, kDepthFragment, "#define MASK"},
      {ground_, "ground", kGroundVertex, kGroundFragment, ""},
      {terrain_, "terrain", kMeshVertex, terrain.c_str(), "#define TERRAIN"},
      {backdrop_, "backdrop", kScreenVertex, kBackdropFragment, ""},
      {contact_, "contact", kDepthVertex, kContactFragment, "#define HEIGHT"},
      {flat_, "flat", kDepthVertex, kFlatFragment, ""},
      {blur_, "blur", kScreenVertex, kBlurFragment, ""},
      {solid_, "solid", kSolidVertex, kSolidFragment, ""},
      {mark_, "mark", kMarkVertex, kMarkFragment, ""},
  };
  for (const auto& one : all) {
    auto built = GlProgram::build(one.name, one.vertex, one.fragment, one.defines);
    if (!built) return built.error();
    one.program = std::move(*built);
    one.program.use();
    one.program.set("u_image", kImageUnit);
    one.program.set("u_shadow_map", kShadowUnit);
    one.program.set("u_ground_map", kGroundUnit);
  }
  return {};
}

void ScenePass::draw(const Frame& frame, const Scene& scene, const MarkView& mark_view,
                     GLuint target, int width, int height) {
  View view{frame, scene, mark_view.view_proj, {}, {}, 0, {}, {}};
  view.to_light =
      is_finite(frame.light.direction) ? normalize_or(frame.light.direction, kAxisY) : kAxisY;
  view.key = linear(frame.light.key) * max(frame.light.key_strength, 0.0f);
  view.ground_fade = frame.ground.fade_radius > 0.0f
                         ? frame.ground.fade_radius
                         : max(9.0f, 5.0f * distance(frame.camera.eye, frame.camera.target));
  const bool shadows = frame.light.shadows && frame.light.key_strength > 0.0f;
  view.shadow =
      fit_shadow(shadows ? scene.casters : Casters{}, view.to_light, frame.light.softness);
  if (frame.ground.visible) {
    view.ground = fit_ground(scene.casters, frame.ground.height, view.to_light,
                             frame.light.softness, frame.camera.target, view.ground_fade);
  }
  fill_buffer(vertices_, scene.vertices);
  resize_maps(view);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDepthRange(0, 1);
  draw_shadow_map(view);
  draw_ground_map(view);

  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glViewport(0, 0, width, height);
  glDepthRange(kSceneNear, 1);
  glClear(GL_DEPTH_BUFFER_BIT);
  draw_surfaces(view);
  draw_ground(view);
  draw_backdrop(view, static_cast<float>(width) / static_cast<float>(height));
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  draw_ghosts(view);
  draw_bones(view);
  draw_marks(view, mark_view);
  glDisable(GL_BLEND);
  glBindVertexArray(0);
}

void ScenePass::resize_maps(const View& view) {
  if (!shadow_map_ || (view.shadow.any && view.shadow.resolution != shadow_size_)) {
    shadow_size_ = view.shadow.any ? view.shadow.resolution : 16;
    shadow_map_ = make_texture(GL_DEPTH_COMPONENT24, shadow_size_, shadow_size_, GL_DEPTH_COMPONENT,
                               GL_UNSIGNED_INT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_target_.get());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow_map_.get(),
                           0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
  }
  if (!ground_map_ || (view.ground.any && view.ground.resolution != ground_size_)) {
    ground_size_ = view.ground.any ? view.ground.resolution : 16;
    for (auto [map, target] :
         {std::pair{&ground_map_, &ground_target_}, std::pair{&blur_map_, &blur_target_}}) {
      *map = make_texture(GL_RG8, ground_size_, ground_size_, GL_RG, GL_UNSIGNED_BYTE);
      glBindFramebuffer(GL_FRAMEBUFFER, target->get());
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, map->get(), 0);
    }
  }
}

void ScenePass::bind(const DrawItem& item, const GlProgram& program) const {
  program.set("u_world", item.world);
  program.set("u_normal_map", item.normal_map);
  program.set("u_base_color", item.color);
  program.set("u_cutoff", item.mesh->cutoff);
  use_texture(kImageUnit, item.mesh->image);
}

void ScenePass::draw_item(const DrawItem& item) const {
  glBindVertexArray(item.mesh->array.get());
  if (!item.is_static) bind_vertices(vertices_.get(), item.vertex_offset);
  glDrawElements(GL_TRIANGLES, item.mesh->index_count, GL_UNSIGNED_INT, nullptr);
}

void ScenePass::draw_shadow_map(const View& view) {
  if (!view.shadow.any) return;
  glBindFramebuffer(GL_FRAMEBUFFER, shadow_target_.get());
  glViewport(0, 0, shadow_size_, shadow_size_);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_DEPTH_CLAMP);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5f, 4.0f);
  for (const DrawItem& item : view.scene.items) {
    if (!item.casts_shadow) continue;
    const bool masked = item.mesh->alpha != Material::Alpha::kOpaque;
    const GlProgram& program = masked ? depth_.masked : depth_.opaque;
    program.use();
    program.set("u_view_proj", view.shadow.matrix);
    bind(item, program);
    draw_item(item);
  }
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_DEPTH_CLAMP);
}

void ScenePass::draw_ground_map(const View& view) {
  glBindFramebuffer(GL_FRAMEBUFFER, ground_target_.get());
  glViewport(0, 0, ground_size_, ground_size_);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  if (!view.ground.any) return;
  glDisable(GL_DEPTH_TEST);
  if (view.shadow.any) {
    glColorMask(GL_TRUE, GL_FALSE, GL_FALSE, GL_FALSE);
    flat_.use();
    flat_.set("u_view_proj", view.ground.shadow);
    for (const DrawItem& item : view.scene.items) {
      if (!item.casts_shadow) continue;
      bind(item, flat_);
      draw_item(item);
    }
  }
  if (view.frame.ground.contact_shadow) {
    glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_FALSE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    contact_.use();
    contact_.set("u_view_proj", view.ground.contact);
    contact_.set("u_ground_height", view.frame.ground.height);
    contact_.set("u_reach", view.scene.casters.contact_reach());
    for (const DrawItem& item : view.scene.items) {
      if (!item.casts_shadow) continue;
      bind(item, contact_);
      draw_item(item);
    }
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
  }
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  blur_.use();
  for (int direction = 0; direction < 2; ++direction) {
    const float step = view.ground.blur_step;
    glBindFramebuffer(GL_FRAMEBUFFER, direction == 0 ? blur_target_.get() : ground_target_.get());
    use_texture(kImageUnit, direction == 0 ? ground_map_.get() : blur_map_.get());
    blur_.set("u_direction", direction == 0 ? Vec2{step, 0} : Vec2{0, step});
    draw_screen();
  }
  glEnable(GL_DEPTH_TEST);
}

void ScenePass::set_light(const View& view, const GlProgram& program) const {
  const Frame& frame = view.frame;
  program.set("u_view_proj", view.view_proj);
  program.set("u_eye", frame.camera.eye);
  program.set("u_to_light", view.to_light);
  program.set("u_key", view.key);
  program.set("u_ambient", max(frame.light.ambient_strength, 0.0f));
  program.set("u_ground_height", frame.ground.height);
  program.set("u_shadow", view.shadow.matrix);
  program.set("u_shadow_step", view.shadow.step);
  program.set("u_shadow_offset", view.shadow.offset);
  use_texture(kShadowUnit, shadow_map_.get());
}

void ScenePass::set_ground(const View& view, const GlProgram& program) const {
  const Ground& ground = view.frame.ground;
  set_light(view, program);
  const Color& lines = ground.lines;
  program.set("u_ambient", 0.62f * max(view.frame.light.ambient_strength, 0.01f));
  program.set("u_key_level", 0.72f * max(view.frame.light.key_strength, 0.0f));
  program.set("u_ground", rgb_of(ground.color));
  const float step = ground.grid_step;
  program.set("u_lines", Vec4{lines.r, lines.g, lines.b, step > 0.0f ? lines.a : 0.0f});
  program.set("u_per_step", step > 0.0f ? 1.0f / step : 1.0f);
  program.set("u_axes", ground.axes ? 1.0f : 0.0f);
  program.set("u_centre", view.frame.camera.target);
  program.set("u_radius", view.ground_fade);
  program.set("u_horizon", rgb_of(view.frame.backdrop.horizon));
  program.set("u_place", view.ground.any ? view.ground.place : Vec4{});
  use_texture(kGroundUnit, ground_map_.get());
}

void ScenePass::draw_surfaces(const View& view) {
  for (const bool masked : {false, true}) {
    const GlProgram& program = masked ? mesh_.masked : mesh_.opaque;
    program.use();
    set_light(view, program);
    for (const DrawItem& item : view.scene.items) {
      const Material::Alpha alpha = item.mesh->alpha;
      if (item.as_ground || item.ghost || alpha == Material::Alpha::kBlend) continue;
      if (masked != (alpha == Material::Alpha::kMask)) continue;
      bind(item, program);
      // Both sides are shown, the side that is usually the outer one first: what it hides is then
      // rejected by depth and costs no shading. (The picture is upside down, so windings turn.)
      glEnable(GL_CULL_FACE);
      glCullFace(GL_FRONT);
      draw_item(item);
      glCullFace(GL_BACK);
      draw_item(item);
      glDisable(GL_CULL_FACE);
    }
  }
  terrain_.use();
  set_ground(view, terrain_);
  for (const DrawItem& item : view.scene.items) {
    if (!item.as_ground) continue;
    bind(item, terrain_);
    draw_item(item);
  }
}

void ScenePass::draw_ground(const View& view) {
  const Ground& ground = view.frame.ground;
  if (!ground.visible || view.frame.camera.eye.y <= ground.height) return;
  const Vec3 c = view.frame.camera.target;
  const float r = view.ground_fade;
  const std::vector<Vec3> corners{{c.x - r, ground.height, c.z - r},
                                  {c.x + r, ground.height, c.z - r},
                                  {c.x - r, ground.height, c.z + r},
                                  {c.x + r, ground.height, c.z + r}};
  ground_.use();
  set_ground(view, ground_);
  glBindVertexArray(ground_array_.get());
  fill_buffer(ground_vertices_, corners);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void ScenePass::draw_screen() const {
  // One triangle that reaches beyond the corners; the shader makes it of the vertex numbers.
  glBindVertexArray(empty_array_.get());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void ScenePass::draw_backdrop(const View& view, float aspect) {
  const Camera& camera = view.frame.camera;
  const ViewAxes axes = view_axes(camera.eye, camera.target, camera.up);
  const float t = tan(0.5f * camera.fov_y);
  backdrop_.use();
  backdrop_.set("u_depth", 1.0f);
  backdrop_.set("u_ray", -axes.back);
  backdrop_.set("u_ray_x", axes.right * (t * aspect));
  backdrop_.set("u_ray_y", axes.up * -t);
  backdrop_.set("u_horizon", rgb_of(view.frame.backdrop.horizon));
  backdrop_.set("u_zenith", rgb_of(view.frame.backdrop.zenith));
  draw_screen();
}

void ScenePass::draw_ghosts(const View& view) {
  std::vector<const DrawItem*> order;
  for (const DrawItem& item : view.scene.items) {
    if (item.as_ground) continue;
    if (item.ghost || item.mesh->alpha == Material::Alpha::kBlend) order.push_back(&item);
  }
  // Farthest first; items lie side by side, so that their addresses keep equals in order.
  std::sort(order.begin(), order.end(), [](const DrawItem* a, const DrawItem* b) {
    return a->depth != b->depth ? a->depth > b->depth : a < b;
  });
  for (const DrawItem* item : order) {
    if (item->ghost) {
      // Depth first, so that only the nearest layer of a ghost shows.
      glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
      depth_.opaque.use();
      depth_.opaque.set("u_view_proj", view.view_proj);
      bind(*item, depth_.opaque);
      draw_item(*item);
      glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    }
    mesh_.opaque.use();
    set_light(view, mesh_.opaque);
    bind(*item, mesh_.opaque);
    glDepthMask(item->ghost ? GL_TRUE : GL_FALSE);
    draw_item(*item);
    glDepthMask(GL_TRUE);
  }
}

void ScenePass::draw_bones(const View& view) {
  if (view.scene.bones.empty()) return;
  glDepthRange(0, kSceneNear);
  solid_.use();
  solid_.set("u_view_proj", view.view_proj);
  solid_.set("u_eye", view.frame.camera.eye);
  solid_.set("u_to_light", view.to_light);
  glBindVertexArray(solid_array_.get());
  fill_buffer(solid_vertices_, view.scene.bones);
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(view.scene.bones.size()));
  glDepthRange(kSceneNear, 1);
}

void ScenePass::draw_marks(const View& view, const MarkView& mark_view) {
  constexpr float kThrough = 0.28f;  // opacity of what is behind something
  glDepthMask(GL_FALSE);
  mark_.use();
  glBindVertexArray(mark_array_.get());
  std::vector<MarkVertex> marks;
  using Depth = DebugDraw::Depth;
  for (Depth depth : {Depth::kHidden, Depth::kSeeThrough, Depth::kOnTop}) {
    marks.clear();
    add_marks(view.frame.debug, depth, mark_view, marks);
    if (marks.empty()) continue;
    fill_buffer(mark_vertices_, marks);
    const auto count = static_cast<GLsizei>(marks.size());
    if (depth == Depth::kOnTop) glDisable(GL_DEPTH_TEST);
    mark_.set("u_opacity", 1.0f);
    glDrawArrays(GL_TRIANGLES, 0, count);
    if (depth == Depth::kSeeThrough) {
      glDepthFunc(GL_GREATER);
      mark_.set("u_opacity", kThrough);
      glDrawArrays(GL_TRIANGLES, 0, count);
      glDepthFunc(GL_LEQUAL);
    }
  }
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
}

}  // namespace sinew::render
