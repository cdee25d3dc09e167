#include "clip_edit.hpp"

#include <algorithm>

namespace sinew {

namespace {

template <class T>
void retime(KeyTrack<T>& track, float factor) {
  for (float& time : track.times) time /= factor;
  for (T& tangent : track.in_tangents) tangent = tangent * factor;
  for (T& tangent : track.out_tangents) tangent = tangent * factor;
}

}  // namespace

void retime_clip(RawClip& clip, float factor) {
  if (factor == 1.0f || !(factor > 0)) return;
  clip.duration /= factor;
  for (JointTrack& track : clip.tracks) {
    retime(track.translation, factor);
    retime(track.rotation, factor);
    retime(track.scale, factor);
  }
  for (FloatCurve& curve : clip.curves) retime(curve.keys, factor);
  for (ClipEvent& event : clip.annotations.events) event.time /= factor;
  for (Contact& contact : clip.annotations.contacts) {
    contact.start /= factor;
    contact.end /= factor;
  }
  for (SyncMarker& marker : clip.annotations.sync_markers) marker.time /= factor;
}

RawClip rebind_clip(const RawClip& clip, const Skeleton& from, const Skeleton& to,
                    RebindReport& report) {
  RawClip out = clip;
  out.tracks.clear();
  for (const JointTrack& track : clip.tracks) {
    const std::string& name = from.name(track.joint);
    const auto joint = to.find(name);
    if (!joint) {
      if (report.missing++ == 0) report.first_missing = name;
      continue;
    }
    out.tracks.push_back(track);
    out.tracks.back().joint = *joint;
    ++report.bound;
  }
  std::stable_sort(out.tracks.begin(), out.tracks.end(),
                   [](const JointTrack& a, const JointTrack& b) { return a.joint < b.joint; });
  // Two joints of one name in `from` would give two tracks of one joint: the first counts.
  const auto same = [](const JointTrack& a, const JointTrack& b) { return a.joint == b.joint; };
  out.tracks.erase(std::unique(out.tracks.begin(), out.tracks.end(), same), out.tracks.end());
  RootMotionSettings& root = out.annotations.root_motion;
  if (root.joint != kNoJoint) root.joint = to.find(from.name(root.joint)).value_or(kNoJoint);
  return out;
}

}  // namespace sinew
