#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

#include <sinew/base/text.hpp>
#include <sinew/render/renderer.hpp>

#include "egl_context.hpp"
#include "scene_pass.hpp"

namespace sinew::render {
namespace {

constexpr float kSolid = 0.995f;       // tints from this opacity on are not ghosts
constexpr float kLargestCrate = 6.0f;  // metres of radius

using Clock = std::chrono::steady_clock;

double since(Clock::time_point& start) {
  const Clock::time_point now = Clock::now();
  const double ms = std::chrono::duration<double, std::milli>(now - start).count();
  start = now;
  return ms;
}

bool is_finite(const Mat3x4& m) {
  for (const Vec4& r : m.row) {
    if (!sinew::is_finite(r.x + r.y + r.z + r.w)) return false;
  }
  return true;
}

// Where the camera cannot be used as it is, the nearest one that can.
Camera usable(Camera camera) {
  const Camera fallback;
  if (!sinew::is_finite(camera.eye)) camera.eye = fallback.eye;
  if (!sinew::is_finite(camera.target)) camera.target = fallback.target;
  if (!sinew::is_finite(camera.up) || length(camera.up) < 1e-6f) camera.up = kAxisY;
  if (!(camera.fov_y > 0.01f && camera.fov_y < 3.1f)) camera.fov_y = fallback.fov_y;
  if (distance(camera.eye, camera.target) < 1e-4f) camera.eye = camera.target + Vec3{0, 0, 1};
  return camera;
}

MarkView view_of(const Camera& camera, int width, int height) {
  MarkView view;
  view.width = static_cast<float>(width);
  view.height = static_cast<float>(height);
  const float away = distance(camera.eye, camera.target);
  const Mat4 projection =
      perspective_flipped(camera.fov_y, view.width / view.height, clamp(0.02f * away, 0.005f, 0.5f),
                          500.0f + 20.0f * away);
  view.view_proj =
      projection * look_at(camera.eye, view_axes(camera.eye, camera.target, camera.up));
  return view;
}

// The frame buffer that is drawn to, and the one that is read.
struct Targets {
  GlFramebuffer drawn, resolved;
  GlRenderbuffer color, depth, resolved_color;

  static Result<Targets> create(int width, int height, int samples) {
    Targets t;
    t.color = make_renderbuffer(GL_RGBA8, width, height, samples);
    t.depth = make_renderbuffer(GL_DEPTH_COMPONENT24, width, height, samples);
    t.drawn = make_framebuffer();
    glBindFramebuffer(GL_FRAMEBUFFER, t.drawn.get());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, t.color.get());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, t.depth.get());
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (samples > 1) {
      t.resolved_color = make_renderbuffer(GL_RGBA8, width, height, 1);
      t.resolved = make_framebuffer();
      glBindFramebuffer(GL_FRAMEBUFFER, t.resolved.get());
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                t.resolved_color.get());
      complete = complete && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    }
    if (complete) return t;
    return make_error(ErrorCode::kUnsupported,
                      format_text("the driver has no frame buffer of %d x %d with %d samples",
                                  width, height, samples));
  }
};

// Everything that lives in the context, so that it dies before the context does.
struct Gpu {
  Targets targets;
  ScenePass pass;
  std::map<std::uint32_t, GpuModel> models;
};

class GlRenderer final : public Renderer {
 public:
  GlRenderer(std::unique_ptr<EglContext> context, const RendererSettings& settings)
      : context_(std::move(context)), settings_(settings) {}
  ~GlRenderer() override {
    context_->make_current();
    gpu_.reset();
  }

  Status start() {
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    settings_.samples = std::clamp(settings_.samples, 1, static_cast<int>(most));
    auto targets = Targets::create(settings_.width, settings_.height, settings_.samples);
    if (!targets) return targets.error();
    auto pass = ScenePass::create();
    if (!pass) return pass.error();
    gpu_.emplace(std::move(*targets), std::move(*pass));
    const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    device_ = name != nullptr ? name : "";
    return {};
  }

  Result<ModelId> upload(const Model& model) override {
    if (Status fine = enter(); !fine) return fine.error();
    auto uploaded = upload_model(model, gpu_->pass.white());
    if (!uploaded) return uploaded.error();
    const ModelId id{++last_id_};
    gpu_->models.emplace(id.value, std::move(*uploaded));
    return id;
  }

  void release(ModelId id) override {
    if (context_->make_current()) gpu_->models.erase(id.value);
  }

  Result<Bounds> bounds(const Instance& instance) override {
    auto found = find(instance);
    if (!found) return found.error();
    Scene scene;
    Bounds box;
    if (usable(instance)) box = add_meshes(**found, instance, scene);
    if (box.empty()) {
      for (const Mat3x4& joint : joints_of(**found, instance)) {
        box.add(transform_point(instance.root, translation_of(joint)));
      }
    }
    return box;
  }

  Status render(const Frame& frame, Image& out) override;

  int width() const override { return settings_.width; }
  int height() const override { return settings_.height; }
  int samples() const override { return settings_.samples; }
  std::string device() const override { return device_; }
  const RenderTimes& times() const override { return times_; }

 private:
  Status enter() {
    if (context_->make_current()) return {};
    return make_error(ErrorCode::kInternal, "the OpenGL context is used by another thread");
  }

  Result<const GpuModel*> find(const Instance& instance) const {
    const auto found = gpu_->models.find(instance.model.value);
    if (found == gpu_->models.end()) {
      return make_error(ErrorCode::kNotFound,
                        format_text("model %u was not uploaded", instance.model.value));
    }
    const PreparedModel& model = found->second.prepared;
    if (!instance.joints.empty() && instance.joints.size() != model.rest.size()) {
      return make_error(ErrorCode::kMismatch,
                        format_text("%zu joint matrices for %zu joints", instance.joints.size(),
                                    model.rest.size()));
    }
    if (!instance.morph_weights.empty() &&
        instance.morph_weights.size() != static_cast<std::size_t>(model.morph_count)) {
      return make_error(ErrorCode::kMismatch,
                        format_text("%zu morph weights for %d targets",
                                    instance.morph_weights.size(), model.morph_count));
    }
    return &found->second;
  }

  static std::span<const Mat3x4> joints_of(const GpuModel& model, const Instance& instance) {
    return instance.joints.empty() ? std::span<const Mat3x4>(model.prepared.rest) : instance.joints;
  }

  static bool usable(const Instance& instance) {
    return is_finite(instance.root) && std::all_of(instance.joints.begin(), instance.joints.end(),
                                                   [](const Mat3x4& m) { return is_finite(m); });
  }

  Bounds add_meshes(const GpuModel& model, const Instance& instance, Scene& scene);
  Result<Scene> make_scene(const Frame& frame);
  void draw_texts(const Frame& frame, const MarkView& view, Image& out) const;

  std::unique_ptr<EglContext> context_;
  RendererSettings settings_;
  std::optional<Gpu> gpu_;
  std::uint32_t last_id_ = 0;
  std::string device_;
  RenderTimes times_;
  std::vector<Mat3x4> palette_;
};

// Skins the meshes of one instance into the scene; returns the box around them.
Bounds GlRenderer::add_meshes(const GpuModel& model, const Instance& instance, Scene& scene) {
  const auto joints = joints_of(model, instance);
  const Vec3 tint = linear(instance.tint);
  Bounds all;
  for (std::size_t i = 0; i < model.meshes.size(); ++i) {
    const PreparedMesh& prepared = model.prepared.meshes[i];
    DrawItem item;
    item.mesh = &model.meshes[i];
    item.is_static = prepared.is_static();
    if (item.is_static) {
      item.world = to_mat4(instance.root);
      item.normal_map = to_mat4(normal_map(instance.root));
      all.add(transform_bounds(instance.root * prepared.offset, prepared.bounds));
    } else {
      std::span<const float> morphs(prepared.morph_defaults);
      if (!instance.morph_weights.empty()) {
        morphs = instance.morph_weights.subspan(static_cast<std::size_t>(prepared.morph_first),
                                                prepared.morphs.size());
      }
      const std::size_t first = scene.vertices.size();
      item.vertex_offset = first * sizeof(SkinnedVertex);
      scene.vertices.resize(first + prepared.positions.size());
      skin_mesh(model.prepared, prepared, joints, instance.root, morphs, palette_,
                std::span(scene.vertices).subspan(first), all);
    }
    const Vec4 base = item.mesh->base_color;
    item.color = {base.x * tint.x, base.y * tint.y, base.z * tint.z,
                  base.w * clamp01(instance.tint.a)};
    item.ghost = instance.tint.a < kSolid;
    item.as_ground = instance.as_ground;
    item.casts_shadow = instance.casts_shadow && !item.ghost;
    if (item.mesh->index_count > 0) scene.items.push_back(item);
  }
  return all;
}

Result<Scene> GlRenderer::make_scene(const Frame& frame) {
  Scene scene;
  const Vec3 forward = normalize_or(frame.camera.target - frame.camera.eye, kAxisZ);
  for (std::size_t i = 0; i < frame.instances.size(); ++i) {
    const Instance& instance = frame.instances[i];
    auto model = find(instance);
    if (!model) return within("instance " + std::to_string(i), model.error());
    if (!usable(instance)) continue;
    if (instance.show_mesh) {
      const bool ghost = instance.tint.a < kSolid;
      const std::size_t first = scene.items.size();
      const Bounds box = add_meshes(**model, instance, scene);
      for (std::size_t k = first; k < scene.items.size(); ++k) {
        scene.items[k].depth = dot(box.centre() - frame.camera.eye, forward);
      }
      // Shadow maps are fitted to characters and crates, not to the land that they stand on.
      const bool land = instance.as_ground && box.radius() > kLargestCrate;
      if (instance.casts_shadow && !ghost && !land) scene.casters.add(box);
    }
    if (instance.show_bones) {
      add_bones((*model)->prepared, joints_of(**model, instance), instance.root,
                instance.bone_color, scene.bones);
    }
  }
  return scene;
}

Status GlRenderer::render(const Frame& given, Image& out) {
  if (Status fine = enter(); !fine) return fine;
  const Clock::time_point begin = Clock::now();
  Clock::time_point lap = begin;
  Frame frame = given;
  frame.camera = sinew::render::usable(given.camera);
  auto scene = make_scene(frame);
  if (!scene) return scene.error();
  times_.skinning = since(lap);

  const int w = settings_.width, h = settings_.height;
  const MarkView view = view_of(frame.camera, w, h);
  GLuint read = gpu_->targets.drawn.get();
  gpu_->pass.draw(frame, *scene, view, read, w, h);
  if (settings_.samples > 1) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, read);
    read = gpu_->targets.resolved.get();
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, read);
    glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
  times_.submit = since(lap);

  out.width = w;
  out.height = h;
  out.rgba.resize(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * 4);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, read);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, out.rgba.data());
  times_.finish = since(lap);
  if (glGetError() == GL_OUT_OF_MEMORY) {
    return make_error(ErrorCode::kLimit, "the graphics memory is full");
  }
  draw_texts(frame, view, out);
  times_.overlay = since(lap);
  times_.total = std::chrono::duration<double, std::milli>(lap - begin).count();
  return {};
}

void GlRenderer::draw_texts(const Frame& frame, const MarkView& view, Image& out) const {
  for (const DebugDraw::Label& label : frame.debug.labels()) {
    Vec2 at;
    if (!sinew::is_finite(label.position) || !project(view, label.position, at)) continue;
    const float reach = 2.0f * static_cast<float>(kMaxPictureSide);
    if (abs(at.x) > reach || abs(at.y) > reach) continue;
    TextStyle style{label.size, label.color, with_alpha(frame.backdrop.horizon, 0.72f)};
    draw_text(out, static_cast<int>(at.x) + 12, static_cast<int>(at.y - 0.5f * label.size),
              label.text, style);
  }
  constexpr int kMargin = 16;
  int used[4] = {kMargin, kMargin, kMargin, kMargin};
  for (const OverlayText& text : frame.texts) {
    using Corner = OverlayText::Corner;
    const TextSize size = measure_text(text.text, text.style);
    const bool right = text.corner == Corner::kTopRight || text.corner == Corner::kBottomRight;
    const bool bottom = text.corner == Corner::kBottomLeft || text.corner == Corner::kBottomRight;
    int& taken = used[static_cast<std::size_t>(text.corner)];
    const int x = right ? out.width - kMargin - size.width : kMargin;
    const int y = bottom ? out.height - taken - size.height : taken;
    draw_text(out, x, y, text.text, text.style);
    taken += size.height + static_cast<int>(0.5f * text.style.size);
  }
}

}  // namespace

Result<std::unique_ptr<Renderer>> Renderer::create(const RendererSettings& settings) {
  constexpr int kLargest = 8192;
  if (settings.width < 1 || settings.height < 1 || settings.width > kLargest ||
      settings.height > kLargest) {
    return make_error(ErrorCode::kInvalidArgument,
                      format_text("a picture of %d x %d; sides are 1 to %d pixels", settings.width,
                                  settings.height, kLargest));
  }
  auto context = EglContext::create();
  if (!context) return context.error();
  auto renderer = std::make_unique<GlRenderer>(std::move(*context), settings);
  if (Status started = renderer->start(); !started) return started.error();
  return std::unique_ptr<Renderer>(std::move(renderer));
}

}  // namespace sinew::render
