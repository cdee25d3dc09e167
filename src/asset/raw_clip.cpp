#include <algorithm>

#include <sinew/asset/raw_clip.hpp>
#include <sinew/base/text.hpp>

namespace sinew {
namespace {

bool finite(float x) { return is_finite(x); }
bool finite(Vec3 v) { return is_finite(v); }
bool finite(Quat q) { return is_finite(q); }

template <class T>
Status validate_keys(const KeyTrack<T>& track, const std::string& where) {
  if (track.times.size() != track.values.size()) {
    return make_error(
        ErrorCode::kMalformed,
        format_text("%zu times but %zu values", track.times.size(), track.values.size()), where);
  }
  const bool cubic = track.interpolation == Interpolation::kCubicSpline;
  const std::size_t tangents = cubic ? track.times.size() : 0;
  if (track.in_tangents.size() != tangents || track.out_tangents.size() != tangents) {
    return make_error(
        ErrorCode::kMalformed,
        format_text("%zu keys but %zu in-tangents and %zu out-tangents", track.times.size(),
                    track.in_tangents.size(), track.out_tangents.size()),
        where);
  }
  for (std::size_t i = 0; i < track.times.size(); ++i) {
    const std::string key = where + format_text(": key %zu", i);
    if (!is_finite(track.times[i]) || track.times[i] < 0.0f) {
      return make_error(ErrorCode::kMalformed, "its time is negative or not finite", key);
    }
    if (i > 0 && !(track.times[i] > track.times[i - 1])) {
      return make_error(ErrorCode::kMalformed, "its time does not come after the key before", key);
    }
    const bool tangents_finite =
        !cubic || (finite(track.in_tangents[i]) && finite(track.out_tangents[i]));
    if (!finite(track.values[i]) || !tangents_finite) {
      return make_error(ErrorCode::kMalformed, "its value is not finite", key);
    }
  }
  return {};
}

// The segment that holds t, and how far into it: key `index` (and index + 1 if `inside`).
struct Segment {
  std::size_t index = 0;
  bool inside = false;
  float span = 0;      // seconds between the two keys
  float fraction = 0;  // [0, 1)
};

Segment find_segment(const std::vector<float>& times, float t) {
  if (!(t > times.front())) return {};
  if (t >= times.back()) return {times.size() - 1, false, 0, 0};
  const auto after = std::upper_bound(times.begin(), times.end(), t);
  const auto i = static_cast<std::size_t>(after - times.begin()) - 1;
  const float span = times[i + 1] - times[i];
  return {i, true, span, (t - times[i]) / span};
}

float interpolate(float a, float b, float t) { return lerp(a, b, t); }
Vec3 interpolate(Vec3 a, Vec3 b, float t) { return lerp(a, b, t); }
Quat interpolate(Quat a, Quat b, float t) { return slerp(a, b, t); }

template <class T>
T sample_track(const KeyTrack<T>& track, float t, T otherwise) {
  if (track.empty()) return otherwise;
  const Segment s = find_segment(track.times, t);
  const T& a = track.values[s.index];
  if (!s.inside || track.interpolation == Interpolation::kStep) return a;
  const T& b = track.values[s.index + 1];
  if (track.interpolation == Interpolation::kLinear) return interpolate(a, b, s.fraction);
  // Hermite, tangents in units per second (glTF 2.0, appendix C).
  const float u = s.fraction, u2 = u * u, u3 = u2 * u;
  const float h00 = 2 * u3 - 3 * u2 + 1, h10 = (u3 - 2 * u2 + u) * s.span;
  const float h01 = -2 * u3 + 3 * u2, h11 = (u3 - u2) * s.span;
  return a * h00 + track.out_tangents[s.index] * h10 + b * h01 +
         track.in_tangents[s.index + 1] * h11;
}

}  // namespace

Status validate(const RawClip& clip, const Skeleton& skeleton) {
  const std::string where = "clip '" + clip.name + "'";
  if (!is_finite(clip.duration) || clip.duration < 0.0f) {
    return make_error(ErrorCode::kMalformed, "its duration is negative or not finite", where);
  }
  int before = kNoJoint;
  for (std::size_t i = 0; i < clip.tracks.size(); ++i) {
    const JointTrack& track = clip.tracks[i];
    if (track.joint < 0 || track.joint >= skeleton.joint_count()) {
      return make_error(ErrorCode::kMismatch,
                        format_text("joint %d does not exist; the skeleton has %d", track.joint,
                                    skeleton.joint_count()),
                        where + format_text(": track %zu", i));
    }
    const std::string place = where + ": joint '" + skeleton.name(track.joint) + "'";
    if (track.joint <= before) {
      return make_error(ErrorCode::kMalformed, "tracks are not in joint order, or a joint has two",
                        place);
    }
    before = track.joint;
    if (Status s = validate_keys(track.translation, place + ": translation"); !s) return s;
    if (Status s = validate_keys(track.rotation, place + ": rotation"); !s) return s;
    if (Status s = validate_keys(track.scale, place + ": scale"); !s) return s;
  }
  for (const FloatCurve& curve : clip.curves) {
    if (Status s = validate_keys(curve.keys, where + ": curve '" + curve.name + "'"); !s) return s;
  }
  return {};
}

float sample(const KeyTrack<float>& track, float t, float otherwise) {
  return sample_track(track, t, otherwise);
}
Vec3 sample(const KeyTrack<Vec3>& track, float t, Vec3 otherwise) {
  return sample_track(track, t, otherwise);
}
Quat sample(const KeyTrack<Quat>& track, float t, Quat otherwise) {
  return normalize(sample_track(track, t, otherwise));
}

void sample(const RawClip& clip, const Skeleton& skeleton, float t, std::span<Transform> local) {
  std::copy(skeleton.rest_pose().begin(), skeleton.rest_pose().end(), local.begin());
  for (const JointTrack& track : clip.tracks) {
    Transform& out = local[static_cast<std::size_t>(track.joint)];
    out.translation = sample(track.translation, t, out.translation);
    out.rotation = sample(track.rotation, t, out.rotation);
    out.scale = sample(track.scale, t, out.scale);
  }
}

}  // namespace sinew
