#include <cassert>
#include <cmath>
#include <optional>

#include <sinew/math/smooth.hpp>
#include <sinew/pose/mass_centre.hpp>
#include <sinew/pose/model_pose.hpp>
#include <sinew/pose/root_motion.hpp>
#include <sinew/pose/sample.hpp>

namespace sinew {
namespace {

using Basis = RootMotionSettings::Basis;

// Keeps a product of yaws a yaw: its other components are rounding.
Quat yaw_only(Quat q) { return normalize(Quat{0, q.y, 0, q.w}); }

// d repeated `count` times.
RootDelta power(RootDelta d, std::int64_t count) {
  RootDelta result;
  for (; count > 0; count /= 2) {
    if (count % 2 == 1) result = compose(result, d);
    d = compose(d, d);
  }
  return result;
}

// What the projection needs of a pose.
struct Reference {
  Vec3 position;
  float height = 0;
  float yaw = 0;
};

// Measures poses of one skeleton as one clip's settings ask.
class Gauge {
 public:
  Gauge(const Skeleton& skeleton, const RootMotionSettings& settings, const RoleMap* roles)
      : skeleton_(skeleton), settings_(settings), roles_(roles) {
    joint_ = settings.joint >= 0 && settings.joint < skeleton.joint_count() ? settings.joint : 0;
    model_.assign(skeleton.rest_model().begin(), skeleton.rest_model().end());
    rest_rotation_ = decompose(model_[static_cast<std::size_t>(joint_)]).rotation;
    if (roles_) {
      // A basis that cannot be measured in the rest pose is given up for the whole clip.
      mass_ = mass_centre(*roles_, model_).has_value();
      heading_ = body_heading(*roles_, model_).has_value();
      find_feet();
    }
    rest_ = measure_model();
  }

  // R of one pose, relative to the rest pose.
  RootDelta root(ConstPoseSpan pose) {
    local_to_model(skeleton_, pose, model_);
    const RootDelta from_rest = compose(project(measure_model()), inverse(project(rest_)));
    return compose(from_rest, {{0, settings_.y_offset, 0}, from_yaw(settings_.rotation_offset)});
  }

 private:
  void find_feet() {
    for (JointRole role :
         {JointRole::kLeftFoot, JointRole::kRightFoot, JointRole::kLeftToes, JointRole::kRightToes,
          JointRole::kFrontLeftFoot, JointRole::kFrontRightFoot, JointRole::kHindLeftFoot,
          JointRole::kHindRightFoot}) {
      if (roles_->has(role) && roles_->joint(role) < skeleton_.joint_count()) {
        feet_.push_back(roles_->joint(role));
      }
    }
  }

  // The lowest foot, each against its own height in the rest pose.
  float lowest_foot() const {
    float lowest = 0;
    for (std::size_t i = 0; i < feet_.size(); ++i) {
      const auto joint = static_cast<std::size_t>(feet_[i]);
      const float y =
          translation_of(model_[joint]).y - translation_of(skeleton_.rest_model()[joint]).y;
      lowest = i == 0 ? y : min(lowest, y);
    }
    return lowest;
  }

  Reference measure_model() const {
    const Mat3x4& joint = model_[static_cast<std::size_t>(joint_)];
    const Vec3 original = translation_of(joint);
    const bool use_mass =
        settings_.xz_basis == Basis::kMassCentre || settings_.y_basis == Basis::kMassCentre;
    const Vec3 mass =
        mass_ && use_mass ? mass_centre(*roles_, model_).value_or(original) : original;
    Reference r;
    r.position = settings_.xz_basis == Basis::kMassCentre ? mass : original;
    r.height = settings_.y_basis == Basis::kMassCentre ? mass.y : original.y;
    if (settings_.y_basis == Basis::kFeet && !feet_.empty()) r.height = lowest_foot();
    r.yaw = yaw_of(decompose(joint).rotation * conjugate(rest_rotation_));
    if (settings_.rotation_basis == Basis::kMassCentre && heading_) {
      r.yaw = body_heading(*roles_, model_).value_or(r.yaw);
    }
    return r;
  }

  RootDelta project(const Reference& r) const {
    const Vec3 p{settings_.bake_xz ? 0.0f : r.position.x, settings_.bake_y ? 0.0f : r.height,
                 settings_.bake_xz ? 0.0f : r.position.z};
    return {p, settings_.bake_rotation ? Quat{} : from_yaw(r.yaw)};
  }

  const Skeleton& skeleton_;
  const RootMotionSettings& settings_;
  const RoleMap* roles_;
  int joint_ = 0;
  bool mass_ = false, heading_ = false;
  std::vector<int> feet_;
  std::vector<Mat3x4> model_;
  Quat rest_rotation_;
  Reference rest_;
};

}  // namespace

RootDelta compose(const RootDelta& a, const RootDelta& b) {
  return {a.translation + rotate(a.rotation, b.translation), yaw_only(a.rotation * b.rotation)};
}

RootDelta inverse(const RootDelta& d) {
  const Quat back = conjugate(d.rotation);
  return {-rotate(back, d.translation), back};
}

RootDelta blend(const RootDelta& a, const RootDelta& b, float t) {
  return {lerp(a.translation, b.translation, t), nlerp(a.rotation, b.rotation, t)};
}

RootPath RootPath::build(const Clip& clip, const Skeleton& skeleton,
                         const RootMotionSettings& settings, const RoleMap* roles) {
  assert(clip.skeleton_hash() == skeleton.hash());
  RootPath path;
  path.settings_ = settings;
  if (!is_finite(settings.y_offset)) path.settings_.y_offset = 0;
  if (!is_finite(settings.rotation_offset)) path.settings_.rotation_offset = 0;
  path.duration_ = clip.duration();
  path.interval_ = clip.interval();
  path.samples_.resize(static_cast<std::size_t>(clip.sample_count()));
  if (!settings.enabled || skeleton.joint_count() == 0) return path;
  Gauge gauge(skeleton, path.settings_, roles);
  Pose pose(skeleton);
  for (int i = 0; i < clip.sample_count(); ++i) {
    const float time =
        i + 1 == clip.sample_count() ? clip.duration() : static_cast<float>(i) * clip.interval();
    sample_clip(clip, skeleton, time, pose);
    path.samples_[static_cast<std::size_t>(i)] = gauge.root(pose);
  }
  return path;
}

RootDelta RootPath::at_sample(double place) const {
  if (samples_.empty()) return {};
  const auto last = static_cast<double>(samples_.size() - 1);
  if (!(place > 0.0)) return samples_.front();
  if (place >= last) return samples_.back();
  const auto index = static_cast<std::size_t>(place);
  const auto fraction = static_cast<float>(place - static_cast<double>(index));
  if (fraction == 0.0f) return samples_[index];
  return blend(samples_[index], samples_[index + 1], fraction);
}

RootDelta RootPath::at(float time) const {
  if (!(interval_ > 0.0f)) return at_sample(0.0);
  // As sample_clip() does: at the duration the last sample, without rounding.
  if (time >= duration_) return at_fraction(1.0);
  return at_sample(static_cast<double>(time) / static_cast<double>(interval_));
}

RootDelta RootPath::at_fraction(double n) const {
  return samples_.size() < 2 ? at_sample(0.0)
                             : at_sample(n * static_cast<double>(samples_.size() - 1));
}

RootDelta RootPath::delta(double n0, double n1, bool loop) const {
  if (!is_finite(n0) || !is_finite(n1)) return {};
  if (n1 < n0) return inverse(delta(n1, n0, loop));
  if (!loop) return compose(inverse(at_fraction(n0)), at_fraction(n1));
  const double whole0 = std::floor(n0), whole1 = std::floor(n1);
  const RootDelta start = at_fraction(n0 - whole0), end = at_fraction(n1 - whole1);
  const double crossed = whole1 - whole0;
  if (crossed < 1.0) return compose(inverse(start), end);
  const RootDelta first = at_fraction(0.0), last = at_fraction(1.0);
  // Beyond 2^52 the fractions are gone anyway.
  const auto between = static_cast<std::int64_t>(crossed < 4.5e15 ? crossed : 4.5e15) - 1;
  RootDelta d = compose(inverse(start), last);
  if (between > 0) d = compose(d, power(compose(inverse(first), last), between));
  return compose(d, compose(inverse(first), end));
}

float RootPath::average_turn() const {
  if (!(duration_ > 0.0f)) return 0.0f;
  float sum = 0;
  for (std::size_t i = 1; i < samples_.size(); ++i) {
    sum += yaw_of(conjugate(samples_[i - 1].rotation) * samples_[i].rotation);
  }
  return sum / duration_;
}

float RootPath::average_speed() const {
  if (!(duration_ > 0.0f) || samples_.empty()) return 0.0f;
  const Vec3 way = samples_.back().translation - samples_.front().translation;
  const float chord = length(Vec3{way.x, 0, way.z});
  // The arc over that chord.
  const float half = 0.5f * abs(average_turn()) * duration_;
  const float arc = half > 1e-3f && half < 0.9f * kPi ? half / sin(half) : 1.0f;
  return chord * arc / duration_;
}

void remove_root_motion(const RootPath& path, float time, const Skeleton& skeleton, PoseSpan pose) {
  if (!path.settings().enabled) return;
  const RootDelta back = inverse(path.at(time));
  const auto parents = skeleton.parents();
  for (std::size_t joint = 0; joint < parents.size(); ++joint) {
    if (parents[joint] != kNoJoint) continue;
    Transform local = get_joint(skeleton, pose, static_cast<int>(joint));
    local.translation = back.translation + rotate(back.rotation, local.translation);
    local.rotation = back.rotation * local.rotation;
    set_joint(skeleton, pose, static_cast<int>(joint), local);
  }
}

}  // namespace sinew
