#include "pictures.hpp"

#include <cmath>
#include <cstdio>

namespace desk {

namespace sw = sinew;
namespace render = sinew::render;

namespace {

constexpr int kWidth = 1280, kHeight = 400, kTiles = 4;

// Marks of the rig for the renderer.
class Marks final : public sw::DebugDraw {
 public:
  explicit Marks(render::DebugDraw& out) : out_(out) {
    out_.set_depth(render::DebugDraw::Depth::kOnTop);
  }
  void line(sw::Vec3 from, sw::Vec3 to, sw::DebugColor c) override {
    out_.line(from, to, color(c));
  }
  void point(sw::Vec3 at, float radius, sw::DebugColor c) override {
    out_.wire_sphere(at, radius, color(c));
  }
  void plane(sw::Vec3 at, sw::Vec3 normal, float size, sw::DebugColor c) override {
    out_.circle(at, normal, 0.5f * size, color(c));
  }

 private:
  static render::Color color(sw::DebugColor c) {
    const auto part = [](std::uint8_t v) { return static_cast<float>(v) / 255.0f; };
    return {part(c.r), part(c.g), part(c.b), part(c.a)};
  }
  render::DebugDraw& out_;
};

render::Camera camera_of(const sw::Scene& scene) {
  render::Bounds box;
  for (const sw::SceneCharacter& one : scene.characters) {
    box.add(one.position + sw::Vec3{-0.62f, 0.35f, -0.2f});
    box.add(one.position + sw::Vec3{0.62f, 1.25f, 0.7f});
  }
  return render::frame(box, {.yaw = scene.camera.yaw, .pitch = scene.camera.pitch, .margin = 0.02f},
                       static_cast<float>(kWidth) / static_cast<float>(kHeight));
}

}  // namespace

Pictures::Pictures(const sw::Scene& scene, const char* video, const char* sheet, bool draw)
    : scene_(scene), video_file_(video), sheet_file_(sheet), draw_(draw) {}

sw::Status Pictures::open() {
  opened_ = true;
  sw::Result<std::unique_ptr<render::Renderer>> made =
      render::Renderer::create({.width = kWidth, .height = kHeight});
  if (!made) return std::move(made).error();
  renderer_ = std::move(made).value();
  for (const sw::LoadedCharacter& one : scene_.definitions) {
    sw::Result<render::ModelId> id = renderer_->upload(*one.model);
    if (!id) return std::move(id).error();
    models_.push_back(*id);
  }
  if (video_file_) {
    render::VideoSettings settings;
    settings.width = kWidth;
    settings.height = 2 * kHeight;
    sw::Result<std::unique_ptr<render::VideoWriter>> video =
        render::VideoWriter::open(video_file_, settings);
    if (!video) return std::move(video).error();
    video_ = std::move(video).value();
  }
  if (sheet_file_) {
    render::SheetStyle style;
    style.title = scene_.name + ": without and with the rig";
    style.columns = 2;
    sheet_ = std::make_unique<render::ContactSheet>(kWidth, 2 * kHeight, kTiles, style);
  }
  return {};
}

sw::Status Pictures::shoot(const sw::SceneRun& run, const char* title, bool draw, sw::Image& out) {
  render::Frame frame;
  frame.camera = camera_of(scene_);
  const sw::World& world = run.world();
  Marks marks(frame.debug);
  for (std::size_t i = 0; i < scene_.characters.size(); ++i) {
    const sw::CharacterId id = run.id(static_cast<int>(i));
    if (!world.alive(id)) continue;
    render::Instance instance;
    instance.model = models_[static_cast<std::size_t>(scene_.characters[i].definition)];
    instance.root = sw::to_matrix(world.world_transform(id));
    instance.joints = world.model_matrices(id);
    frame.instances.push_back(instance);
    if (draw) world.draw_rig(id, marks);
  }
  frame.texts.push_back({title, render::OverlayText::Corner::kTopLeft, {.size = 20}});
  return renderer_->render(frame, out);
}

sw::Status Pictures::add(const sw::SceneRun& before, const sw::SceneRun& after) {
  if (!video_file_ && !sheet_file_) return {};
  if (!opened_) {
    if (sw::Status status = open(); !status) return status;
  }
  const double time = after.tick().time(), all = scene_.duration;
  if (time * 30 < frames_) return {};
  const bool tile =
      sheet_ && std::floor(time / all * kTiles - 0.5) >= sheet_->size() && sheet_->size() < kTiles;
  ++frames_;
  if (!video_ && !tile) return {};
  sw::Image upper, lower;
  if (sw::Status s = shoot(before, "as animated", false, upper); !s) return s;
  if (sw::Status s = shoot(after, "with the rig", draw_, lower); !s) return s;
  sw::Image both = render::make_image(kWidth, 2 * kHeight, {});
  render::blit(both, 0, 0, upper);
  render::blit(both, 0, kHeight, lower);
  if (tile) sheet_->add(both, render::time_caption(time));
  return video_ ? video_->add(both) : sw::Status{};
}

sw::Status Pictures::finish() {
  if (sheet_) {
    if (sw::Status status = render::write_png(sheet_->compose(), sheet_file_); !status) {
      return status;
    }
    std::printf("wrote %s\n", sheet_file_);
  }
  if (video_) {
    if (sw::Status status = video_->finish(); !status) return status;
    std::printf("wrote %s\n", video_file_);
  }
  return {};
}

}  // namespace desk
