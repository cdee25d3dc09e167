#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <sinew/asset/clip.hpp>
#include <sinew/base/text.hpp>

#include "loop_pose.hpp"

namespace sinew {
namespace {

constexpr double kDefaultRate = 60;
// Between the samples of a spline the straight line strays from the curve.
constexpr double kCubicRate = 120;
constexpr double kLowestRate = 24;
// Between samples a rotation runs along the arc by an approximation of slerp that is exact to 1e-5
// rad up to this angle (radians) per sample; beyond it more samples are taken.
constexpr float kLargestStep = 1.5f;
// Clips with more samples a second keep their own number: so fast a turn is a fault of the
// recording, and the arc is off by less than 1e-3 rad for the one sample.
constexpr double kHighestDoubled = 60;
constexpr double kHighestRate = 240;
constexpr std::size_t kLargestClip = std::size_t{2} << 30;  // bytes

template <class T>
void collect(const KeyTrack<T>& track, std::vector<float>& times, bool& cubic) {
  if (track.interpolation == Interpolation::kStep) return;
  cubic = cubic || track.interpolation == Interpolation::kCubicSpline;
  times.insert(times.end(), track.times.begin(), track.times.end());
}

// The times of all keys and the end of the clip, rising; keys of different tracks that lie together
// but for rounding count once.
std::vector<double> times_of_keys(const RawClip& raw, bool& cubic) {
  std::vector<float> all;
  for (const JointTrack& track : raw.tracks) {
    collect(track.translation, all, cubic);
    collect(track.rotation, all, cubic);
    collect(track.scale, all, cubic);
  }
  all.push_back(raw.duration);
  std::sort(all.begin(), all.end());
  std::vector<double> times;
  for (const float one : all) {
    const double t = static_cast<double>(one);
    if (times.empty() || t - times.back() > 1e-5 + 1e-6 * t) times.push_back(t);
  }
  return times;
}

// True if every time is a multiple of the duration / steps.
bool grid_meets(const std::vector<double>& times, double duration, double steps) {
  return std::all_of(times.begin(), times.end(), [&](double t) {
    const double at = t * steps / duration;
    const double off = at - std::floor(at + 0.5);
    return std::abs(off) < 2e-3 + 1e-6 * at;
  });
}

// The number of even steps that meets every key and the end of the clip; 0 if there is none. A
// usual rate if one does, where a frame time such as 0.0083333 s counts as the 1/120 s that it
// means; else the rate that the keys have themselves, (keys - 1) / duration.
double steps_of_keys(const RawClip& raw) {
  const double duration = static_cast<double>(raw.duration);
  bool cubic = false;
  const std::vector<double> times = times_of_keys(raw, cubic);
  const double lowest = cubic ? kCubicRate : kLowestRate;
  const auto meets = [&](double steps) {
    return steps >= 1 && steps <= 1e8 && grid_meets(times, duration, steps);
  };
  static constexpr std::array<double, 14> kRates = {24, 25, 30,  48,  50,  60,  72,
                                                    90, 96, 100, 120, 144, 200, 240};
  for (const double rate : kRates) {
    const double steps = std::floor(duration * rate + 0.5);
    const bool near = std::abs(steps - duration * rate) < 0.01 * steps;
    if (rate >= lowest && near && meets(steps)) return steps;
  }
  double least = duration;
  for (std::size_t i = 1; i < times.size(); ++i) least = std::min(least, times[i] - times[i - 1]);
  const double own = static_cast<double>(times.size()) - 1;
  for (const double steps : {own, std::floor(duration / least + 0.5)}) {
    // Whole multiples meet the keys just as well.
    const double many = steps * std::max(1.0, std::ceil(lowest * duration / steps));
    if (many <= kHighestRate * duration * 1.01 && meets(many)) return many;
  }
  return cubic ? std::ceil(kCubicRate * duration) : 0;
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
  const double duration = static_cast<double>(raw.duration);
  double steps = 0;
  if (duration > 0) {
    if (!given) steps = steps_of_keys(raw);
    const double rate = given ? static_cast<double>(settings.sample_rate) : kDefaultRate;
    // A last step of under a thousandth is rounding of the authored duration.
    if (steps == 0) steps = std::max(1.0, std::floor(std::min(duration * rate + 0.999, 1e15)));
  }
  const double bytes = (steps + 1) * static_cast<double>(clip.group_count_) *
                       static_cast<double>(sizeof(SoaTransform));
  if (bytes > static_cast<double>(kLargestClip) || steps > 1e8) {
    return make_error(
        ErrorCode::kLimit,
        format_text(
            "%g s of %d joints at %g samples a second are too large; choose a lower sample rate",
            duration, clip.joint_count_, steps / duration),
        "clip '" + raw.name + "'");
  }
  const auto use_steps = [&] {
    clip.sample_count_ = static_cast<int>(steps) + 1;
    clip.interval_ = steps > 0 ? raw.duration / static_cast<float>(steps) : 0.0f;
  };
  use_steps();
  while (!given && steps > 0 && steps * 2 <= kHighestDoubled * duration * 1.01 &&
         bytes * 4 < static_cast<double>(kLargestClip) &&
         largest_rotation_step(raw, clip.interval_, clip.sample_count_) > kLargestStep) {
    steps *= 2;
    use_steps();
  }

  clip.channels_.assign(static_cast<std::size_t>(clip.joint_count_), 0);
  for (const JointTrack& track : raw.tracks) {
    std::uint8_t& channels = clip.channels_[static_cast<std::size_t>(track.joint)];
    if (!track.translation.empty()) channels |= kTranslationChannel;
    if (!track.rotation.empty()) channels |= kRotationChannel;
    if (!track.scale.empty()) channels |= kScaleChannel;
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
  clip.channels_ = channels_;
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
