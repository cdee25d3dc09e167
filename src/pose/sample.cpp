#include <algorithm>
#include <cassert>

#include <sinew/pose/sample.hpp>

namespace sinew {
namespace {

// Sample `index` and how far on to the next.
struct Place {
  int index = 0;
  float fraction = 0;
};

Place place_at(const Clip& clip, float time) {
  if (!(time > 0.0f) || clip.sample_count() < 2) return {};
  if (time >= clip.duration()) return {clip.sample_count() - 1, 0.0f};
  const float at = time / clip.interval();
  const int index = std::min(static_cast<int>(at), clip.sample_count() - 2);
  return {index, clamp01(at - static_cast<float>(index))};
}

std::size_t step_key(const StepTrack& track, float time) {
  const auto after = std::upper_bound(track.times.begin(), track.times.end(), time);
  return after == track.times.begin() ? 0
                                      : static_cast<std::size_t>(after - track.times.begin()) - 1;
}

void apply_step(const StepTrack& track, float time, Transform& local) {
  const Vec4 v = track.values[step_key(track, time)];
  switch (track.channel) {
    case StepTrack::Channel::kTranslation:
      local.translation = {v.x, v.y, v.z};
      break;
    case StepTrack::Channel::kRotation:
      local.rotation = normalize(Quat{v.x, v.y, v.z, v.w});
      break;
    case StepTrack::Channel::kScale:
      local.scale = {v.x, v.y, v.z};
      break;
  }
}

}  // namespace

void sample_clip(const Clip& clip, const Skeleton& skeleton, float time, PoseSpan out) {
  assert(clip.skeleton_hash() == skeleton.hash());
  assert(static_cast<int>(out.size()) == skeleton.group_count());
  const Place place = place_at(clip, time);
  const auto a = clip.sample(place.index);
  if (place.fraction == 0.0f) {
    std::copy(a.begin(), a.end(), out.begin());
  } else {
    const auto b = clip.sample(place.index + 1);
    const Float4 t(place.fraction);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].translation = lerp(a[i].translation, b[i].translation, t);
      const SoaQuat& p = a[i].rotation;
      const SoaQuat& q = b[i].rotation;
      out[i].rotation = normalize(
          SoaQuat{lerp(p.x, q.x, t), lerp(p.y, q.y, t), lerp(p.z, q.z, t), lerp(p.w, q.w, t)});
      out[i].scale = lerp(a[i].scale, b[i].scale, t);
    }
  }
  for (const StepTrack& track : clip.step_tracks()) {
    Transform local = get_joint(skeleton, out, track.joint);
    apply_step(track, time, local);
    set_joint(skeleton, out, track.joint, local);
  }
}

Transform sample_joint(const Clip& clip, const Skeleton& skeleton, int joint, float time) {
  assert(clip.skeleton_hash() == skeleton.hash());
  const Place place = place_at(clip, time);
  Transform local = get_joint(skeleton, clip.sample(place.index), joint);
  if (place.fraction != 0.0f) {
    const Transform next = get_joint(skeleton, clip.sample(place.index + 1), joint);
    local = {lerp(local.translation, next.translation, place.fraction),
             normalize(local.rotation + (next.rotation + -local.rotation) * place.fraction),
             lerp(local.scale, next.scale, place.fraction)};
  }
  for (const StepTrack& track : clip.step_tracks()) {
    if (track.joint == joint) apply_step(track, time, local);
  }
  return local;
}

}  // namespace sinew
