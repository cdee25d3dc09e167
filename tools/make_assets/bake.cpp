#include "clips.hpp"

namespace sinew::make_assets {
namespace {

bool near_equal(Vec3 a, Vec3 b) { return length(a - b) < 1e-6f; }
bool near_equal(Quat a, Quat b) {
  return abs(dot(a, b)) > 1 - 1e-9f && length(Vec3{a.x - b.x, a.y - b.y, a.z - b.z}) < 1e-6f;
}

// Drops what does not move.
template <class T>
void thin(KeyTrack<T>& track, T rest) {
  bool moves = false;
  for (const T& value : track.values) moves = moves || !near_equal(value, track.values[0]);
  if (moves) return;
  track.times.resize(1);
  track.values.resize(1);
  if (near_equal(track.values[0], rest)) {
    track.times.clear();
    track.values.clear();
  }
}

}  // namespace

RawClip bake(std::string name, float duration, bool loop,
             const std::function<PersonPose(float)>& pose) {
  RawClip clip;
  clip.name = std::move(name);
  clip.duration = duration;
  clip.loop = loop;
  const int last = static_cast<int>(duration * kKeyRate + 0.5f);
  std::vector<JointTrack> tracks(kBoneCount);
  SolvedPose first;
  for (int key = 0; key <= last; ++key) {
    const float t = duration * static_cast<float>(key) / static_cast<float>(last);
    SolvedPose solved = solve(pose(t));
    if (key == 0) first = solved;
    if (loop && key == last) {
      const Transform root = solved.local[0];
      solved = first;
      solved.local[0] = root;
    }
    for (std::size_t j = 0; j < tracks.size(); ++j) {
      JointTrack& track = tracks[j];
      Quat rotation = solved.local[j].rotation;
      if (!track.rotation.values.empty()) rotation = align(track.rotation.values.back(), rotation);
      track.translation.times.push_back(t);
      track.translation.values.push_back(solved.local[j].translation);
      track.rotation.times.push_back(t);
      track.rotation.values.push_back(rotation);
    }
  }
  const Skeleton skeleton = make_skeleton();
  for (int j = 0; j < kBoneCount; ++j) {
    JointTrack& track = tracks[static_cast<std::size_t>(j)];
    track.joint = j;
    thin(track.translation, skeleton.rest(j).translation);
    thin(track.rotation, skeleton.rest(j).rotation);
    if (!track.translation.empty() || !track.rotation.empty()) clip.tracks.push_back(track);
  }
  RootMotionSettings& root = clip.annotations.root_motion;
  root.joint = index(Bone::kRoot);
  root.enabled = true;
  return clip;
}

}  // namespace sinew::make_assets
