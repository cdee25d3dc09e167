// Pictures of characters without a display: OpenGL 3.3 on an EGL context that has no window. With
// Mesa's software rasterizer it needs no graphics hardware.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <sinew/asset/model.hpp>
#include <sinew/render/camera.hpp>
#include <sinew/render/debug_draw.hpp>
#include <sinew/render/image.hpp>

namespace sinew::render {

// A model that a renderer holds. Zero is none.
struct ModelId {
  std::uint32_t value = 0;
  friend bool operator==(ModelId, ModelId) = default;
};

// One key light with a soft shadow, and light from sky and ground.
struct Light {
  Vec3 direction{-0.5f, 1.0f, 0.62f};  // toward the light; need not be unit
  Color key{1.0f, 0.96f, 0.90f, 1};
  float key_strength = 1.0f;      // 0: no key light
  float ambient_strength = 1.0f;  // 0: black shadows
  bool shadows = true;
  float softness = 0;  // half width of a shadow's edge, metres; 0: by the size of what casts it
};

struct Backdrop {
  Color horizon = rgb(0xe3e6ea);
  Color zenith = rgb(0xb9c2cd);
  // Darker, for pages and slides with a dark ground.
  static Backdrop dark() { return {rgb(0x2b2f36), rgb(0x17191d)}; }
};

// The plane y = height with a grid of metres that fades into the horizon.
struct Ground {
  bool visible = true;
  float height = 0;  // metres
  Color color = rgb(0xd3d7dc);
  Color lines = rgb(0x8e979f);
  float grid_step = 1;    // metres between lines; 0: no grid
  float fade_radius = 0;  // metres around the camera's target; 0: chosen by the camera's distance
  bool axes = true;       // the lines x = 0 and z = 0 in blue and red
  bool contact_shadow = true;
  static Ground dark() {
    Ground ground;
    ground.color = rgb(0x363b43);
    ground.lines = rgb(0x5d6570);
    return ground;
  }
};

// One thing to draw.
struct Instance {
  ModelId model;
  Mat3x4 root;  // world <- model
  // Model-space joint matrices, as local_to_model() gives them; empty: the rest pose. Another count
  // than the skeleton's is an error. They need to live until render() returns.
  std::span<const Mat3x4> joints;
  // Weights of the morph targets of all meshes, mesh after mesh (in the order of
  // morph_curve_names()); empty: the meshes' defaults.
  std::span<const float> morph_weights;
  Color tint{1, 1, 1, 1};  // multiplies the surface; below 1, alpha makes a ghost
  bool show_mesh = true;
  bool show_bones = false;  // drawn over meshes
  Color bone_color = rgb(0xf2b544);
  bool casts_shadow = true;
  // The surface is terrain: drawn as the ground is, with grid and shadows, whatever its material.
  bool as_ground = false;
};

// The names of the float curves that drive each of a model's morph targets,
// "morph/<mesh>/<target>".
std::vector<std::string> morph_curve_names(const Model& model);

// Text at a fixed place of the picture.
struct OverlayText {
  enum class Corner : std::uint8_t { kTopLeft, kTopRight, kBottomLeft, kBottomRight };
  std::string text;
  Corner corner = Corner::kTopLeft;
  TextStyle style;
};

struct Frame {
  Camera camera;
  Light light;
  Backdrop backdrop;
  Ground ground;
  std::vector<Instance> instances;
  DebugDraw debug;
  std::vector<OverlayText> texts;
};

struct RendererSettings {
  int width = 1280, height = 720;  // pixels, [1, 8192]
  int samples = 4;                 // per pixel, for smooth edges; lowered to what the driver has
};

// Times of the last render(), milliseconds of wall clock.
struct RenderTimes {
  double skinning = 0, submit = 0, finish = 0, overlay = 0, total = 0;
};

// Not thread-safe: one thread at a time. Several renderers may live side by side.
class Renderer {
 public:
  // Errors: no EGL without a window, no OpenGL 3.3 (the message names the Debian package).
  static Result<std::unique_ptr<Renderer>> create(const RendererSettings& settings = {});
  virtual ~Renderer() = default;

  // Copies what pictures need of the model; it may go afterwards. Missing normals are made, images
  // get mip levels. Errors name the mesh: list lengths that disagree, an index out of range, a skin
  // or joint that does not exist.
  virtual Result<ModelId> upload(const Model& model) = 0;
  virtual void release(ModelId id) = 0;

  // The box of an instance as posed: for frame() and follow cameras. Empty if it has nothing to
  // draw.
  virtual Result<Bounds> bounds(const Instance& instance) = 0;

  // Draws. `out` becomes width() x height(). Values of the frame that are not finite are left out
  // (an instance with such a matrix is not drawn); an unknown model or wrong counts are errors.
  virtual Status render(const Frame& frame, Image& out) = 0;

  virtual int width() const = 0;
  virtual int height() const = 0;
  virtual int samples() const = 0;
  // Name of the driver: "llvmpipe (LLVM 15.0.6, 256 bits)".
  virtual std::string device() const = 0;
  virtual const RenderTimes& times() const = 0;
};

}  // namespace sinew::render
