// Video, contact sheet and single pictures of what characters did.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sinew/scene/recording.hpp>

#include "session.hpp"

namespace sinew::cli {

// Options that `run`, `render` and `play` share.
struct PictureOptions {
  std::string video, sheet, picture;  // files; empty: none
  double at = -1;                     // of `picture`: seconds; negative: the middle
  int width = 1280, height = 720;
  double fps = 30;
  int tiles = 12;      // of the sheet
  bool bones = false;  // skeletons over the meshes
  bool no_mesh = false;

  bool any() const { return !video.empty() || !sheet.empty() || !picture.empty(); }
  // Adds --size, --fps, --tiles, --bones, --no-mesh.
  void add_to(CLI::App& app);
  // Adds --video, --sheet and --picture, each with or without a file.
  void add_outputs_to(CLI::App& app);
  // Options given without a file name get one in out/, from `name`.
  void name_outputs(const std::string& name);
  // Sizes and rates in range, extensions known; reports what is not.
  bool check(Session& session);

 private:
  std::string size_ = "1280x720";
};

// What is shown: poses over time.
struct Footage {
  const std::vector<LoadedCharacter>* definitions = nullptr;
  const std::vector<PoseFrame>* frames = nullptr;
  float dt = 1 / 60.f;  // of a tick
  float ground_height = 0;
  CameraDef camera;
  std::string title;
  std::vector<std::string> captions;  // per frame; may be empty
  std::vector<Vec3> marks;            // way-points
};

// Makes the files asked for and says so in session.result["files"]. Errors go to the session.
void take_pictures(Session& session, const Footage& footage, const PictureOptions& options);

// Name and driver of the renderer, or why there is none.
Result<std::string> renderer_device();

}  // namespace sinew::cli
