#include <algorithm>
#include <array>
#include <optional>

#include <sinew/asset/clip.hpp>
#include <sinew/base/text.hpp>

#include "loop_pose.hpp"

namespace sinew {
namespace {

constexpr float kDefaultRate = 60.0f;
// Between the samples of a spline the straight line strays from the curve.
constexpr float kCubicRate = 120.0f;
// Between samples a rotation runs along the arc by an approximation of slerp that is exact to 1e-5
// rad up to this angle (radians) per sample; beyond it more samples are taken.
constexpr float kLargestStep = 1.5f;
constexpr float kHighestRate = 240.0f;
constexpr std::size_t kLargestClip = std::size_t{2} << 30;  // bytes

template <class T>
void collect(const KeyTrack<T>& track, std::vector<float>& times, bool& cubic) {
  if (track.interpolation == Interpolation::kStep) return;
  cubic = cubic || track.interpolation == Interpolation::kCubicSpline;
  times.insert(times.end(), track.times.begin(), track.times.end());
}

// The lowest usual rate whose grid meets every key and the end of the clip; 0 if there is none.
float rate_of_keys(const RawClip& raw) {
  std::vector<float> times;
  bool cubic = false;
  for (const JointTrack& track : raw.tracks) {
    collect(track.translation, times, cubic);
    collect(track.rotation, times, cubic);
    collect(track.scale, times, cubic);
  }
  times.push_back(raw.duration);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  static constexpr std::array<float, 14> kRates = {24, 25, 30,  48,  50,  60,  72,
                                                   90, 96, 100, 120, 144, 200, 240};
  for (float rate : kRates) {
    if (cubic && rate < kCubicRate) continue;
    const bool fits = std::all_of(times.begin(), times.end(), [&](float t) {
      const float at = t * rate;
      const float nearest = static_cast<float>(static_cast<std::int64_t>(at + 0.5f));
      return abs(at - nearest) < 2e-3f + 4e-6f * at;
    });
    if (fits) return rate;
  }
  return cubic ? kCubicRate : 0;
}

template <class T>
bool is_constant(const KeyTrack<T>& track) {
  return std::all_of(track.values.begin(), track.values.end(),
                     [&](const T& v) { return v == track.values.front(); });
}

Vec4 as_vec4(Vec3 v) { return {v.x, v.y, v.z, 0}; }
Vec4 as_vec4(Quat q) { return {q.x, q.y, q.z, q.w}; }

template <class T>
void add_step_track(const KeyTrack<T>& track, int joint, StepTrack::Channel channel,
                    std::vector<StepTrack>& out) {
  if (track.interpolation != Interpolation::kStep || track.empty() || is_constant(track)) return;
  StepTrack step{joint, channel, track.times, {}};
  for (const T& value : track.values) step.values.push_back(as_vec4(value));
  out.push_back(std::move(step));
}

float largest_rotation_step(const RawClip& raw, float interval, int count) {
  float largest = 0;
  for (const JointTrack& track : raw.tracks) {
    if (track.rotation.times.size() < 2 || track.rotation.interpolation == Interpolation::kStep)
      continue;
    Quat before = sample(track.rotation, 0.0f, Quat{});
    for (int i = 1; i < count; ++i) {
      const Quat now = sample(track.rotation, static_cast<float>(i) * interval, Quat{});
      largest = max(largest, angle_between(before, now));
      before = now;
    }
  }
  return largest;
}

}  // namespace

Result<Clip> Clip::build(const RawClip& raw, const Skeleton& skeleton,
                         const ClipSettings& settings) {
  if (Status s = validate(raw, skeleton); !s) return std::move(s).error();
  Clip clip;
  clip.name_ = raw.name;
  clip.duration_ = raw.duration;
  clip.loop_ = raw.loop;
  clip.joint_count_ = skeleton.joint_count();
  clip.group_count_ = skeleton.group_count();
  clip.skeleton_hash_ = skeleton.hash();
  clip.curves_ = raw.curves;
  clip.annotations_ = raw.annotations;

  const bool given = is_finite(settings.sample_rate) && settings.sample_rate > 0.0f;
  float rate = given ? settings.sample_rate : rate_of_keys(raw);
  if (rate == 0.0f) rate = kDefaultRate;
  const auto samples_at = [&](float r) {
    const double steps = static_cast<double>(raw.duration) * static_cast<double>(r);
    // A last step of under a thousandth is rounding of the authored duration.
    return raw.duration > 0.0f
               ? std::max<double>(1.0, static_cast<double>(static_cast<std::int64_t>(
                                           std::min(steps + 0.999, 1e15)))) +
                     1.0
               : 1.0;
  };
  const double bytes = samples_at(rate) * static_cast<double>(clip.group_count_) *
                       static_cast<double>(sizeof(SoaTransform));
  if (bytes > static_cast<double>(kLargestClip) || samples_at(rate) > 1e8) {
    return make_error(
        ErrorCode::kLimit,
        format_text(
            "%g s of %d joints at %g samples a second are too large; choose a lower sample rate",
            static_cast<double>(raw.duration), clip.joint_count_, static_cast<double>(rate)),
        "clip '" + raw.name + "'");
  }
  clip.sample_count_ = static_cast<int>(samples_at(rate));
  const auto interval_for = [&](int count) {
    return count > 1 ? raw.duration / static_cast<float>(count - 1) : 0.0f;
  };
  clip.interval_ = interval_for(clip.sample_count_);
  while (!given && rate * 2 <= kHighestRate && clip.sample_count_ > 1 &&
         bytes * 4 < static_cast<double>(kLargestClip) &&
         largest_rotation_step(raw, clip.interval_, clip.sample_count_) > kLargestStep) {
    rate *= 2;
    clip.sample_count_ = (clip.sample_count_ - 1) * 2 + 1;
    clip.interval_ = interval_for(clip.sample_count_);
  }

  for (const JointTrack& track : raw.tracks) {
    add_step_track(track.translation, track.joint, StepTrack::Channel::kTranslation,
                   clip.step_tracks_);
    add_step_track(track.rotation, track.joint, StepTrack::Channel::kRotation, clip.step_tracks_);
    add_step_track(track.scale, track.joint, StepTrack::Channel::kScale, clip.step_tracks_);
  }
  clip.samples_.resize(
      static_cast<std::size_t>(clip.sample_count_) * static_cast<std::size_t>(clip.group_count_),
      SoaTransform::identity());
  std::vector<Transform> local(static_cast<std::size_t>(clip.joint_count_)), before;
  std::optional<LoopPose> loop_pose;
  if (raw.loop && raw.annotations.loop_pose && clip.sample_count_ > 1) {
    loop_pose.emplace(raw, skeleton);
  }
  for (int i = 0; i < clip.sample_count_; ++i) {
    const float t =
        i + 1 == clip.sample_count_ ? raw.duration : static_cast<float>(i) * clip.interval_;
    sinew::sample(raw, skeleton, t, local);
    if (loop_pose) loop_pose->apply(t / raw.duration, local);
    SoaTransform* groups = clip.samples_.data() + static_cast<std::size_t>(i) *
                                                      static_cast<std::size_t>(clip.group_count_);
    for (std::size_t j = 0; j < local.size(); ++j) {
      if (i > 0) local[j].rotation = align(before[j].rotation, local[j].rotation);
      const int slot = skeleton.slot(static_cast<int>(j));
      set_lane(groups[slot / 4], slot % 4, local[j]);
    }
    before = local;
  }
  return clip;
}

Clip Clip::with_payload(std::vector<std::byte> payload,
                        std::vector<std::byte> decode_tables) const {
  Clip clip;
  clip.name_ = name_;
  clip.duration_ = duration_;
  clip.interval_ = interval_;
  clip.loop_ = loop_;
  clip.joint_count_ = joint_count_;
  clip.group_count_ = group_count_;
  clip.sample_count_ = sample_count_;
  clip.skeleton_hash_ = skeleton_hash_;
  clip.step_tracks_ = step_tracks_;
  clip.curves_ = curves_;
  clip.annotations_ = annotations_;
  clip.payload_ = std::move(payload);
  clip.decode_tables_ = std::move(decode_tables);
  return clip;
}

std::size_t Clip::size_in_bytes() const {
  std::size_t size = sizeof(Clip) + samples_.size() * sizeof(SoaTransform) + payload_.size() +
                     decode_tables_.size();
  for (const StepTrack& track : step_tracks_) {
    size +=
        sizeof(StepTrack) + track.times.size() * sizeof(float) + track.values.size() * sizeof(Vec4);
  }
  for (const FloatCurve& curve : curves_) {
    size +=
        sizeof(FloatCurve) + (curve.keys.times.size() + curve.keys.values.size()) * sizeof(float);
  }
  return size;
}

}  // namespace sinew
