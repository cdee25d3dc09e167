#include <algorithm>
#include <cassert>

#include <sinew/codec/decode.hpp>
#include <sinew/pose/sample.hpp>

#include "kernels.hpp"

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

void interpolate(const SoaTransform* a, const SoaTransform* b, float t, SoaTransform* out,
                 std::size_t count) {
#if defined(SINEW_HAS_AVX2)
  if (kernels::use_avx2()) return kernels::interpolate_avx2(a, b, t, out, count);
#endif
  kernels::interpolate_sse(a, b, t, out, count);
}

Transform interpolate(const Transform& a, const Transform& b, float t) {
  return {lerp(a.translation, b.translation, t),
          normalize(a.rotation + (b.rotation + -a.rotation) * t), lerp(a.scale, b.scale, t)};
}

void sample_uncompressed(const Clip& clip, float time, PoseSpan out) {
  const Place place = place_at(clip, time);
  const auto a = clip.sample(place.index);
  if (place.fraction == 0.0f) {
    std::copy(a.begin(), a.end(), out.begin());
  } else {
    const auto b = clip.sample(place.index + 1);
    interpolate(a.data(), b.data(), place.fraction, out.data(), out.size());
  }
}

}  // namespace

namespace kernels {

void interpolate_sse(const SoaTransform* a, const SoaTransform* b, float fraction,
                     SoaTransform* out, std::size_t count) {
  const Float4 t(fraction);
  for (std::size_t i = 0; i < count; ++i) {
    out[i].translation = lerp(a[i].translation, b[i].translation, t);
    const SoaQuat& p = a[i].rotation;
    const SoaQuat& q = b[i].rotation;
    out[i].rotation = normalize(
        SoaQuat{lerp(p.x, q.x, t), lerp(p.y, q.y, t), lerp(p.z, q.z, t), lerp(p.w, q.w, t)});
    out[i].scale = lerp(a[i].scale, b[i].scale, t);
  }
}

}  // namespace kernels

void sample_clip(const Clip& clip, const Skeleton& skeleton, float time, PoseSpan out) {
  assert(clip.skeleton_hash() == skeleton.hash());
  assert(static_cast<int>(out.size()) == skeleton.group_count());
  if (clip.is_compressed()) {
    decode(clip, time, out);
  } else {
    sample_uncompressed(clip, time, out);
  }
  for (const StepTrack& track : clip.step_tracks()) {
    Transform local = get_joint(skeleton, out, track.joint);
    apply_step(track, time, local);
    set_joint(skeleton, out, track.joint, local);
  }
}

Transform sample_joint(const Clip& clip, const Skeleton& skeleton, int joint, float time) {
  assert(clip.skeleton_hash() == skeleton.hash());
  Transform local;
  if (clip.is_compressed()) {
    local = decode_slot(clip, skeleton.slot(joint), time);
  } else {
    const Place place = place_at(clip, time);
    local = get_joint(skeleton, clip.sample(place.index), joint);
    if (place.fraction != 0.0f)
      local = interpolate(local, get_joint(skeleton, clip.sample(place.index + 1), joint),
                          place.fraction);
  }
  for (const StepTrack& track : clip.step_tracks()) {
    if (track.joint == joint) apply_step(track, time, local);
  }
  return local;
}

}  // namespace sinew
