// Before and after, one over the other: a video and a contact sheet.
#pragma once

#include <memory>

#include <sinew/render/renderer.hpp>
#include <sinew/render/sheet.hpp>
#include <sinew/render/video.hpp>
#include <sinew/scene/scene_run.hpp>

namespace desk {

class Pictures {
 public:
  // Without names of files it does nothing. `draw`: the constraints draw themselves in the lower
  // half.
  Pictures(const sinew::Scene& scene, const char* video, const char* sheet, bool draw);

  // After each tick; takes a picture 30 times a second.
  sinew::Status add(const sinew::SceneRun& before, const sinew::SceneRun& after);
  sinew::Status finish();

 private:
  sinew::Status open();
  sinew::Status shoot(const sinew::SceneRun& run, const char* title, bool draw, sinew::Image& out);

  const sinew::Scene& scene_;
  const char* video_file_;
  const char* sheet_file_;
  bool draw_, opened_ = false;
  int frames_ = 0;
  std::unique_ptr<sinew::render::Renderer> renderer_;
  std::vector<sinew::render::ModelId> models_;
  std::unique_ptr<sinew::render::VideoWriter> video_;
  std::unique_ptr<sinew::render::ContactSheet> sheet_;
};

}  // namespace desk
