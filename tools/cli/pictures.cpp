#include "pictures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include <sinew/pose/model_pose.hpp>
#include <sinew/render/renderer.hpp>
#include <sinew/render/sheet.hpp>
#include <sinew/render/video.hpp>

namespace sinew::cli {

namespace {

// Stands for "given without a file": a folder, which no file can be called.
constexpr const char* kUnnamed = "out/";

std::string extension_of(const std::string& file) {
  std::string out = std::filesystem::path(file).extension().string();
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

void PictureOptions::add_to(CLI::App& app) {
  app.add_option("--size", size_, "Width x height of pictures, pixels")->capture_default_str();
  app.add_option("--fps", fps, "Frames a second of the video")->capture_default_str();
  app.add_option("--tiles", tiles, "Moments on the contact sheet")->capture_default_str();
  app.add_flag("--bones", bones, "Draw skeletons over the meshes");
  app.add_flag("--no-mesh", no_mesh, "Draw skeletons alone");
}

void PictureOptions::add_outputs_to(CLI::App& app) {
  const auto output = [&](const char* name, std::string& file, const char* what) {
    app.add_option(name, file, what)
        ->expected(0, 1)
        ->default_str(kUnnamed)
        ->check(names_a_file())
        ->type_name("[FILE]");
  };
  output("--video", video, "Write a video, .mp4 or .gif");
  output("--sheet", sheet, "Write a contact sheet, .png");
  output("--picture", picture, "Write one picture, .png");
  app.add_option("--at", at, "Moment of --picture, seconds (default: the middle)")
      ->check(number_in(0, 36000));
}

void PictureOptions::name_outputs(const std::string& name) {
  if (video == kUnnamed) video = default_output(name, ".mp4");
  if (sheet == kUnnamed) sheet = default_output(name, ".png");
  if (picture == kUnnamed) picture = default_output(name + ".picture", ".png");
}

bool PictureOptions::check(Session& session) {
  int w = 0, h = 0, used = 0;
  if (std::sscanf(size_.c_str(), "%dx%d%n", &w, &h, &used) != 2 ||
      static_cast<std::size_t>(used) != size_.size() || w < 16 || h < 16 || w > 8192 || h > 8192) {
    session.usage(fmt::format("--size '{}' is no size between 16x16 and 8192x8192", size_),
                  "write --size 1280x720");
    return false;
  }
  width = w;
  height = h;
  if (!(fps >= 0.1 && fps <= 240))
    session.usage(fmt::format("--fps {} lies outside [0.1, 240]", fps));
  if (!sheet.empty() && sheet == picture && sheet != kUnnamed)
    session.usage(fmt::format("--sheet and --picture are the same file '{}'", sheet));
  if (tiles < 1 || tiles > 200)
    session.usage(fmt::format("--tiles {} lies outside [1, 200]", tiles));
  const std::string video_type = extension_of(video);
  if (!video.empty() && video != kUnnamed && video_type != ".mp4" && video_type != ".gif") {
    session.usage(fmt::format("--video '{}' must end in .mp4 or .gif", video));
  }
  for (const std::string* file : {&sheet, &picture}) {
    if (!file->empty() && *file != kUnnamed && extension_of(*file) != ".png") {
      session.usage(fmt::format("'{}' must end in .png", *file));
    }
  }
  return !session.failed();
}

namespace {

using namespace sinew::render;

// Puts the characters of one moment into a frame of the renderer.
class Stage {
 public:
  Stage(const Footage& footage, const PictureOptions& options, int width, int height)
      : footage_(footage), options_(options), width_(width), height_(height) {}

  Status open() {
    Result<std::unique_ptr<Renderer>> made = Renderer::create({.width = width_, .height = height_});
    if (!made) return std::move(made).error();
    renderer_ = std::move(made).value();
    for (const LoadedCharacter& one : *footage_.definitions) {
      has_mesh_.push_back(!one.model->meshes.empty());
      Result<ModelId> id = renderer_->upload(*one.model);
      if (!id) return std::move(id).error();
      models_.push_back(*id);
    }
    return {};
  }

  // Moves the camera on to that frame; frames must come in order.
  Status show(std::size_t index, Image& out) {
    const PoseFrame& moment = (*footage_.frames)[index];
    if (!surveyed_) survey();  // before this frame is posed: both use matrices_
    Frame frame;
    pose(moment, frame);
    aim(index, frame);
    frame.ground.height = footage_.ground_height;
    for (const Vec3& mark : footage_.marks) {
      frame.debug.circle(mark + Vec3{0, 0.01f, 0}, kAxisY, 0.18f, rgb(0xd8752a));
      frame.debug.cross_mark(mark + Vec3{0, 0.01f, 0}, 0.12f, rgb(0xd8752a));
    }
    return renderer_->render(frame, out);
  }
  double time_of(std::size_t index) const {
    return static_cast<double>((*footage_.frames)[index].tick) * static_cast<double>(footage_.dt);
  }

 private:
  void pose(const PoseFrame& moment, Frame& frame) {
    matrices_.clear();
    matrices_.reserve(moment.characters.size());
    for (const RecordedPose& one : moment.characters) {
      const auto d = static_cast<std::size_t>(one.definition);
      if (one.definition < 0 || d >= models_.size()) continue;
      const CharacterDef& def = (*footage_.definitions)[d].def;
      if (one.local.size() != static_cast<std::size_t>(def.skeleton().joint_count())) continue;
      Pose local(def.skeleton());
      to_pose(def.skeleton(), one.local, local);
      matrices_.emplace_back(one.local.size());
      local_to_model(def.skeleton(), local, matrices_.back());
      Instance instance;
      instance.model = models_[d];
      const float s = def.scale();
      instance.root = to_matrix({one.position, from_yaw(one.yaw), {s, s, s}});
      instance.joints = matrices_.back();
      // Motion without a body is shown by its bones.
      instance.show_mesh = !options_.no_mesh && has_mesh_[d];
      instance.show_bones = options_.bones || !instance.show_mesh;
      frame.instances.push_back(instance);
    }
  }

  // Which instance of the frame is followed.
  std::size_t followed(const Frame& frame) const {
    const auto wanted = static_cast<std::size_t>(std::max(0, footage_.camera.character));
    return std::min(wanted, frame.instances.size() - 1);
  }

  View view(float margin) const {
    return {.yaw = footage_.camera.yaw, .pitch = footage_.camera.pitch, .margin = margin};
  }

  Camera with_distance(Camera camera) const {
    if (!(footage_.camera.distance > 0)) return camera;
    const Vec3 back = normalize_or(camera.eye - camera.target, kAxisZ);
    camera.eye = camera.target + back * footage_.camera.distance;
    return camera;
  }

  // The box of one instance: of its mesh, else of its joints, else a person's size.
  Bounds box_of(const Instance& instance) {
    if (instance.show_mesh) {
      if (Result<Bounds> box = renderer_->bounds(instance); box && !box->empty()) return *box;
    }
    Bounds box;
    for (const Mat3x4& joint : instance.joints) box.add(translation_of(instance.root * joint));
    const Vec3 size = box.empty() ? Vec3{} : box.size();
    const float pad = 0.1f * max(size.x, max(size.y, size.z));  // hands and heads go on
    if (pad > 0) {
      box.add(box.low - Vec3{pad, 0, pad});
      box.add(box.high + Vec3{pad, pad, pad});
      return box;
    }
    const Vec3 at = translation_of(instance.root);
    box.add(at + Vec3{-0.5f, 0, -0.5f});
    box.add(at + Vec3{0.5f, 1.8f, 0.5f});
    return box;
  }

  // Looks at some moments of the whole footage: what a still camera must see, and how far the
  // followed character reaches from its place.
  void survey() {
    surveyed_ = true;
    const std::size_t count = footage_.frames->size();
    constexpr std::size_t kMoments = 24;
    std::vector<std::pair<Vec3, Bounds>> moments;  // root and box of the one that is followed
    for (std::size_t m = 0; m < std::min(kMoments, count); ++m) {
      const PoseFrame& moment =
          (*footage_.frames)[count <= kMoments ? m : m * (count - 1) / (kMoments - 1)];
      Frame frame;
      pose(moment, frame);
      several_ = several_ || frame.instances.size() > 1;
      for (std::size_t i = 0; i < frame.instances.size(); ++i) {
        const Bounds box = box_of(frame.instances[i]);
        all_.add(box);
        if (i != followed(frame)) continue;
        moments.emplace_back(translation_of(frame.instances[i].root), box);
      }
    }
    wanders_ = wanders_off(moments);
    for (const auto& [root, box] : moments) {
      const Vec3 at = anchor(root, box);
      reach_.add(box.low - at);
      reach_.add(box.high - at);
    }
    const CameraDef::Mode mode = footage_.camera.mode;
    follow_ = mode == CameraDef::Mode::kFollow || (mode == CameraDef::Mode::kAuto && !several_);
    if (!follow_) camera_ = with_distance(render::frame(all_, view(0.06f), aspect()));
  }

  // True where the body leaves its root behind, as a recorded walk does that is played without root
  // motion: its middle moves by much of its height.
  static bool wanders_off(const std::vector<std::pair<Vec3, Bounds>>& moments) {
    Bounds middles;
    float height = 0;
    for (const auto& [root, box] : moments) {
      const Vec3 middle = box.centre() - root;
      middles.add(Vec3{middle.x, 0, middle.z});
      height = max(height, box.size().y);
    }
    return !moments.empty() && length(middles.size()) > 0.4f * height;
  }

  // What the camera follows.
  Vec3 anchor(Vec3 root, const Bounds& box) const {
    return wanders_ ? Vec3{box.centre().x, root.y, box.centre().z} : root;
  }

  float aspect() const { return static_cast<float>(width_) / static_cast<float>(height_); }

  void aim(std::size_t index, Frame& frame) {
    if (!follow_ || frame.instances.empty()) {
      frame.camera = camera_;
      return;
    }
    const Instance& one = frame.instances[followed(frame)];
    const Vec3 root = translation_of(one.root);
    const Vec3 at = wanders_ ? anchor(root, box_of(one)) : root;
    const Vec3 centre = at + reach_.centre();
    const double passed = index > last_ ? time_of(index) - time_of(last_) : 0;
    // Nobody runs that fast: the character was placed, and the camera cuts.
    constexpr float kFastest = 15;  // metres per second
    if (distance(at, last_at_) > 1 + kFastest * static_cast<float>(passed)) started_ = false;
    last_at_ = at;
    if (!started_) {
      started_ = true;
      Bounds box;
      box.add(at + reach_.low);
      box.add(at + reach_.high);
      follower_ = FollowCamera(with_distance(render::frame(box, view(0.04f), aspect())));
      last_ = index;
    }
    last_ = index;
    follower_.update({at.x, centre.y, at.z}, static_cast<float>(passed));
    frame.camera = camera_ = follower_.camera();
  }

  const Footage& footage_;
  const PictureOptions& options_;
  int width_, height_;
  std::unique_ptr<Renderer> renderer_;
  std::vector<ModelId> models_;
  std::vector<bool> has_mesh_;  // by definition
  std::vector<std::vector<Mat3x4>> matrices_;
  bool surveyed_ = false, several_ = false, follow_ = false, started_ = false, wanders_ = false;
  Bounds all_, reach_;
  std::size_t last_ = 0;
  Vec3 last_at_;
  Camera camera_;
  FollowCamera follower_{Camera{}};
};

std::string caption_of(const Footage& footage, const Stage& stage, std::size_t index) {
  std::string text = fmt::format("{:.2f} s", stage.time_of(index));
  if (index < footage.captions.size() && !footage.captions[index].empty()) {
    text += "  " + footage.captions[index];
  }
  return text;
}

// Frames for a video of `fps`: for each of its frames the latest pose frame that is due.
std::vector<std::size_t> video_frames(const Footage& footage, double fps) {
  std::vector<std::size_t> out;
  const auto& frames = *footage.frames;
  const double dt = static_cast<double>(footage.dt);
  const double start = static_cast<double>(frames.front().tick) * dt;
  const double end = static_cast<double>(frames.back().tick) * dt;
  std::size_t at = 0;
  for (double t = start; t <= end + 1e-6; t = start + static_cast<double>(out.size()) / fps) {
    while (at + 1 < frames.size() && static_cast<double>(frames[at + 1].tick) * dt <= t + 1e-6)
      ++at;
    out.push_back(at);
  }
  return out;
}

void wrote(Session& session, const std::string& file, const std::string& what) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  session.result["files"].push_back({{"kind", what}, {"file", file}, {"bytes", error ? 0 : size}});
  session.print(
      fmt::format("wrote {}  {}\n", file, error ? "" : human_bytes(static_cast<double>(size))));
}

Status make_video(Session& session, const Footage& footage, const PictureOptions& options) {
  Stage stage(footage, options, options.width, options.height);
  if (Status status = stage.open(); !status) return status;
  const std::vector<std::size_t> frames = video_frames(footage, options.fps);
  VideoSettings settings;
  settings.width = options.width;
  settings.height = options.height;
  settings.fps = options.fps;
  Result<std::unique_ptr<VideoWriter>> video = VideoWriter::open(options.video, settings);
  if (!video) return std::move(video).error();
  Progress progress("video", static_cast<double>(frames.size()), session.progress_wanted());
  Image image;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (interrupted()) return make_error(ErrorCode::kInvalidArgument, "interrupted");
    if (Status status = stage.show(frames[i], image); !status) return status;
    draw_text(image, 16, image.height - 34, caption_of(footage, stage, frames[i]), {.size = 18});
    if (Status status = (*video)->add(image); !status) return status;
    progress.at(static_cast<double>(i + 1));
  }
  progress.clear();
  if (Status status = (*video)->finish(); !status) return status;
  wrote(session, options.video, "video");
  return {};
}

Status make_sheet(Session& session, const Footage& footage, const PictureOptions& options) {
  constexpr int kTileWidth = 480, kTileHeight = 300;
  Stage stage(footage, options, kTileWidth, kTileHeight);
  if (Status status = stage.open(); !status) return status;
  const std::size_t count = footage.frames->size();
  const auto tiles = static_cast<std::size_t>(options.tiles);
  SheetStyle style;
  style.title = footage.title;
  ContactSheet sheet(kTileWidth, kTileHeight, options.tiles, style);
  Progress progress("sheet", static_cast<double>(tiles), session.progress_wanted());
  Image image;
  for (std::size_t i = 0; i < std::min(tiles, count); ++i) {
    if (interrupted()) return make_error(ErrorCode::kInvalidArgument, "interrupted");
    // Middles of equal parts: neither the first nor the last moment says much.
    const std::size_t index = count <= tiles ? i : (2 * i + 1) * count / (2 * tiles);
    if (Status status = stage.show(index, image); !status) return status;
    sheet.add(image, caption_of(footage, stage, index));
    progress.at(static_cast<double>(i + 1));
  }
  progress.clear();
  if (Status status = write_png(sheet.compose(), options.sheet); !status) return status;
  wrote(session, options.sheet, "sheet");
  return {};
}

Status make_picture(Session& session, const Footage& footage, const PictureOptions& options) {
  Stage stage(footage, options, options.width, options.height);
  if (Status status = stage.open(); !status) return status;
  std::size_t index = footage.frames->size() / 2;
  if (options.at >= 0) {
    index = 0;
    while (index + 1 < footage.frames->size() && stage.time_of(index + 1) <= options.at + 1e-6)
      ++index;
  }
  Image image;
  if (Status status = stage.show(index, image); !status) return status;
  draw_text(image, 16, image.height - 34, caption_of(footage, stage, index), {.size = 18});
  if (Status status = write_png(image, options.picture); !status) return status;
  wrote(session, options.picture, "picture");
  return {};
}

}  // namespace

void take_pictures(Session& session, const Footage& footage, const PictureOptions& options) {
  if (!options.any()) return;
  if (footage.frames->empty()) {
    session.fail(make_error(ErrorCode::kNotFound, "there are no pose frames to show"),
                 "render.empty");
    return;
  }
  if (!session.result.contains("files")) session.result["files"] = Json::array();
  const auto attempt = [&](const std::string& file, auto make) {
    if (file.empty() || session.failed() || interrupted()) return;
    if (Status status = make(session, footage, options); !status && !interrupted()) {
      session.fail(status.error(), "render." + std::string(to_string(status.error().code)));
    }
  };
  attempt(options.video, make_video);
  attempt(options.sheet, make_sheet);
  attempt(options.picture, make_picture);
}

Result<std::string> renderer_device() {
  Result<std::unique_ptr<Renderer>> made = Renderer::create({.width = 16, .height = 16});
  if (!made) return std::move(made).error();
  return (*made)->device();
}

}  // namespace sinew::cli
