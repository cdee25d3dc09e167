#include "scene_job.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include <fmt/format.h>

namespace sinew::cli {

namespace {

PoseFrame frame_of(const World& world, const Tick& tick) {
  PoseFrame frame;
  frame.tick = tick.index;
  const auto known = world.definitions();
  for (const CharacterId id : world.characters()) {
    const CharacterDef& def = *world.definition(id);
    RecordedPose pose;
    pose.id = id;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i] == def) pose.definition = static_cast<std::int32_t>(i);
    }
    pose.position = world.position(id);
    pose.yaw = world.yaw(id);
    pose.local.resize(static_cast<std::size_t>(def.skeleton().joint_count()));
    from_pose(def.skeleton(), world.local_pose(id), pose.local);
    frame.characters.push_back(std::move(pose));
  }
  return frame;
}

// State, and the speed over the ground: "Locomotion 1.42 m/s".
std::string caption_of(const World& world, CharacterId id, double speed) {
  const CharacterDef* def = world.definition(id);
  if (!def || def->controller().layer_count() == 0) return {};
  const LayerInfo layer = world.layer(id, 0);
  std::string text;
  if (layer.current) text = def->controller().state_name(layer.current);
  if (layer.next) text += " -> " + def->controller().state_name(layer.next);
  if (speed > 0.005) text += fmt::format("  {:.2f} m/s", speed);
  return text;
}

void wait_for(std::chrono::steady_clock::time_point start, const Tick& tick) {
  std::this_thread::sleep_until(start +
                                std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                    std::chrono::duration<double>(tick.time())));
}

}  // namespace

SceneResult run_scene(Session& session, Scene& scene, const SceneJob& job) {
  SceneResult out;
  if (job.duration > 0) scene.duration = job.duration;
  ThreadJobs jobs(job.workers);
  SceneRun run(scene, job.workers > 1 ? &jobs : nullptr);
  std::optional<RecordingWriter> writer;
  if (!job.record.empty()) {
    Result<RecordingWriter> opened =
        RecordingWriter::open(job.record, make_recording_header(scene));
    if (!opened) {
      session.fail(opened.error());
      return out;
    }
    writer.emplace(std::move(opened).value());
  }
  std::vector<bool> named(scene.characters.size());
  const double dt = static_cast<double>(scene.dt);
  const std::size_t watched = static_cast<std::size_t>(
      std::clamp(scene.camera.character, 0, static_cast<int>(scene.characters.size()) - 1));
  Vec3 last = scene.characters[watched].position;
  double next_frame = 0;
  bool pose_taken = false;
  Progress progress(scene.name, static_cast<double>(scene.tick_count()), session.progress_wanted());
  const auto start = std::chrono::steady_clock::now();
  while (!run.done() && !interrupted()) {
    run.step();
    const Tick tick = run.tick();
    const World& world = run.world();
    if (writer) {
      Status status;
      for (std::size_t i = 0; i < named.size() && status; ++i) {
        if (named[i] || !run.id(static_cast<int>(i))) continue;
        named[i] = true;
        status = writer->add_name(run.id(static_cast<int>(i)), scene.characters[i].name);
      }
      if (status) status = writer->add_tick(world, tick, run.inputs());
      if (!status) {
        session.fail(status.error());
        return out;
      }
    }
    const CharacterId id = run.id(static_cast<int>(watched));
    const Vec3 now = world.position(id);
    const double time = static_cast<double>(tick.index) * dt;
    const bool asked = job.pose_at >= 0 && time + 1e-9 >= job.pose_at && !pose_taken;
    if (asked || (job.pose_rate > 0 && time + 1e-9 >= next_frame)) {
      pose_taken = pose_taken || asked;
      next_frame = std::floor(time * job.pose_rate + 1 + 1e-6) / job.pose_rate;
      out.frames.push_back(frame_of(world, tick));
      out.captions.push_back(caption_of(world, id, static_cast<double>(distance(now, last)) / dt));
    }
    last = now;
    progress.at(static_cast<double>(tick.index + 1));
    if (job.realtime) wait_for(start, tick);
  }
  progress.clear();
  if (interrupted()) return out;
  out.summary = run.summary();
  if (writer) {
    if (Status status = writer->finish(); !status) {
      session.fail(status.error());
      return out;
    }
    const std::uint64_t bytes = writer->bytes();
    session.result["files"].push_back(
        {{"kind", "recording"}, {"file", job.record}, {"bytes", bytes}});
  }
  return out;
}

namespace {

std::string states_text(const CharacterSummary& one) {
  std::string text;
  for (const StateVisit& visit : one.states) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {:.1f} s", visit.state, visit.seconds);
    if (visit.entries > 1) text += fmt::format(" ({}x)", visit.entries);
  }
  return text.empty() ? "-" : text;
}

std::string events_text(const CharacterSummary& one) {
  std::string text;
  for (const auto& [name, times] : one.events)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", times, name);
  return text.empty() ? "-" : text;
}

Json summary_json(const CharacterSummary& one) {
  Json states = Json::array(), events = Json::object();
  for (const StateVisit& visit : one.states) {
    states.push_back(
        {{"state", visit.state}, {"entries", visit.entries}, {"seconds", visit.seconds}});
  }
  for (const auto& [name, times] : one.events) events[name] = times;
  return {{"name", one.name},
          {"definition", one.definition},
          {"alive", one.alive},
          {"position", {one.position.x, one.position.y, one.position.z}},
          {"distance", one.distance},
          {"top_speed", one.top_speed},
          {"way_points", one.way_points},
          {"transitions", one.transitions},
          {"states", states},
          {"events", events}};
}

}  // namespace

void print_summary(Session& session, const SceneSummary& s) {
  session.print(fmt::format("{}  {:.2f} s, {} ticks, {} character{}\n\n",
                            styled(s.scene, Style::kBold, 1), s.seconds, s.ticks,
                            s.characters.size(), s.characters.size() == 1 ? "" : "s"));
  Table table;
  table.column("character");
  table.column("distance", Table::Align::kRight);
  table.column("top speed", Table::Align::kRight);
  table.column("points", Table::Align::kRight);
  table.column("transitions", Table::Align::kRight);
  table.column("states");
  table.column("events");
  for (const CharacterSummary& one : s.characters) {
    table.row({one.name, fmt::format("{:.2f} m", one.distance),
               fmt::format("{:.2f} m/s", one.top_speed), std::to_string(one.way_points),
               std::to_string(one.transitions), states_text(one), events_text(one)});
  }
  session.print(table.text());
  session.print(fmt::format("\ntick cost  min {}, median {}, p99 {}\nhash       {:016x}\n",
                            human_seconds(s.cost.min), human_seconds(s.cost.median),
                            human_seconds(s.cost.p99), s.run_hash));
  if (s.dropped_events > 0) {
    session.find({Severity::kWarning,
                  "run.dropped_events",
                  fmt::format("{} events found no room", s.dropped_events),
                  {},
                  "the tick is long against a looping clip; raise tick_rate",
                  {}});
  }
  Json& out = session.result;
  out["scene"] = s.scene;
  out["ticks"] = s.ticks;
  out["seconds"] = s.seconds;
  out["hash"] = fmt::format("{:016x}", s.run_hash);
  out["transitions"] = s.transitions;
  out["events"] = s.events;
  out["dropped_events"] = s.dropped_events;
  out["tick_cost"] = {
      {"min", s.cost.min}, {"median", s.cost.median}, {"p99", s.cost.p99}, {"max", s.cost.max}};
  out["characters"] = Json::array();
  for (const CharacterSummary& one : s.characters) out["characters"].push_back(summary_json(one));
}

Footage footage_of(const Scene& scene, const SceneResult& result) {
  Footage footage;
  footage.definitions = &scene.definitions;
  footage.frames = &result.frames;
  footage.captions = result.captions;
  footage.dt = scene.dt;
  footage.ground_height = scene.ground.height;
  footage.camera = scene.camera;
  footage.title = scene.name;
  for (const SceneCharacter& one : scene.characters) {
    for (const WayPoint& point : one.patrol.points) footage.marks.push_back(point.position);
  }
  return footage;
}

std::optional<Scene> open_scene(Session& session, const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  std::error_code ignored;
  if (extension != ".json" && std::filesystem::is_regular_file(file, ignored)) {
    const bool recording = extension == ".swrec";
    session.find({Severity::kError,
                  "file.kind",
                  recording ? "is a recording, not a scene" : "is no scene (*.scene.json)",
                  {},
                  recording ? "use 'sinew replay' or 'sinew render'"
                            : "a model is shown by 'sinew play' and 'sinew inspect'",
                  file});
    return std::nullopt;
  }
  Findings findings;
  Result<Scene> scene = load_scene(file, {.root = session.root}, &findings);
  session.find(findings);
  if (!scene) return std::nullopt;
  return std::move(scene).value();
}

SceneJob picture_job(const PictureOptions& pictures, double duration) {
  SceneJob job;
  if (!pictures.any()) return job;
  // A still needs no more than its own moment and what the camera sees of the way there.
  constexpr double kStills = 240;
  job.pose_rate = pictures.video.empty()
                      ? std::min(pictures.fps, kStills / std::max(duration, 1e-3))
                      : pictures.fps;
  job.pose_at = pictures.picture.empty() ? -1 : pictures.at >= 0 ? pictures.at : duration / 2;
  return job;
}

bool check_workers(Session& session, int workers) {
  if (workers >= 1 && workers <= 256) return true;
  session.usage(fmt::format("--workers {} lies outside [1, 256]", workers));
  return false;
}

}  // namespace sinew::cli
