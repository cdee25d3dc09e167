// Running a scene from start to end: what `run`, `render` and `play` share.
#pragma once

#include <string>

#include <sinew/scene/scene_run.hpp>
#include <sinew/scene/thread_jobs.hpp>

#include "pictures.hpp"
#include "session.hpp"

namespace sinew::cli {

struct SceneJob {
  std::string record;     // .swrec; empty: none
  bool realtime = false;  // waits so that a tick takes as long as it simulates
  int workers = 1;
  double duration = 0;   // seconds; 0: the scene's
  double pose_rate = 0;  // of the footage, frames a second; 0: no footage
  double pose_at = -1;   // seconds: one frame of the footage lies here; below 0: none asked for
};

struct SceneResult {
  SceneSummary summary;
  std::vector<PoseFrame> frames;
  std::vector<std::string> captions;  // per frame: what the followed character does
};

// A job whose footage serves these pictures of `duration` seconds.
SceneJob picture_job(const PictureOptions& pictures, double duration);

// Simulates. Errors (recording) go to the session; so does an interruption, by interrupted().
SceneResult run_scene(Session& session, Scene& scene, const SceneJob& job);

// The summary as text, and as members of session.result.
void print_summary(Session& session, const SceneSummary& summary);

// What the pictures of this scene show.
Footage footage_of(const Scene& scene, const SceneResult& result);

// Loads a scene with its findings in the session; none after an error.
std::optional<Scene> open_scene(Session& session, const std::string& file);

// Checks --workers; reports what is out of range.
bool check_workers(Session& session, int workers);

}  // namespace sinew::cli
