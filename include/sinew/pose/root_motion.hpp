// Root motion: the travel of a clip as moves of the character, the rest as pose in place.
// Rules: state-machine rules, section 13; rulings, 6 and 7.
#pragma once

#include <vector>

#include <sinew/asset/clip.hpp>
#include <sinew/pose/pose.hpp>

namespace sinew {

// A move on the ground: translation in the character's own frame before the move, and turn about
// +Y. As a rigid transform: p -> translation + rotate(rotation, p).
struct RootDelta {
  Vec3 translation;  // metres
  Quat rotation;     // yaw only (0, y, 0, w)
};

// First a, then b.
RootDelta compose(const RootDelta& a, const RootDelta& b);
RootDelta inverse(const RootDelta& d);
// By weights that sum to 1: translation linear, yaw by nlerp.
RootDelta blend(const RootDelta& a, const RootDelta& b, float t);

// The root's path of one clip, made once per clip and skeleton: R(t) of section 13. It samples the
// clip at its own rate, so that pose in place and path compose back to the authored motion.
//
// R is the projection on the ground of the reference that the settings name (the joint, the mass
// centre, the body's facing, the lowest foot), measured against the same reference of the rest
// pose: the rest pose has R = identity, whatever the orientation of its joints, so that clips with
// and without root motion stand in the same place. A component that is baked is constant; the
// offsets of the settings are added to R.
class RootPath {
 public:
  RootPath() = default;
  // The bases kMassCentre and kFeet ask `roles` (of this skeleton) for the parts they need; where
  // these are missing they fall back to kOriginal. Disabled settings give the identity throughout.
  static RootPath build(const Clip& clip, const Skeleton& skeleton,
                        const RootMotionSettings& settings, const RoleMap* roles = nullptr);

  // Straight travel at `velocity` (metres per second, y = 0) for `duration` seconds: how a clip
  // that was authored in place moves a character. It is no path to take out of poses.
  static RootPath uniform(float duration, Vec3 velocity) {
    RootPath path;
    path.settings_.enabled = true;
    path.duration_ = path.interval_ = duration;
    path.samples_ = {RootDelta{}, RootDelta{velocity * duration, {}}};
    return path;
  }

  const RootMotionSettings& settings() const { return settings_; }
  // R at `time` seconds, clamped to the clip; NaN counts as 0.
  RootDelta at(float time) const;
  // From normalized time n0 to n1 (loops included, either direction). Looping clips wrap; others
  // clamp to [0, 1]. With loops crossed: R(n0)^-1 R(1) (R(0)^-1 R(1))^k R(0)^-1 R(n1), n1 backward
  // is the inverse of the way forward. delta(a, b) then delta(b, c) is delta(a, c). Identity if n0
  // or n1 is not finite. Cost: O(log loops).
  RootDelta delta(double n0, double n1, bool loop) const;
  // Average speed over the ground, metres per second (net, along the arc of the average turn), and
  // turn rate, radians per second.
  float average_speed() const;
  float average_turn() const;

 private:
  RootDelta at_fraction(double n) const;
  RootDelta at_sample(double place) const;

  RootMotionSettings settings_;
  float duration_ = 0, interval_ = 0;
  std::vector<RootDelta> samples_;
};

// Takes R(time) out of a sampled pose: local body = R^-1 * B, applied to the root joints, so that
// R * pose is the authored pose again.
void remove_root_motion(const RootPath& path, float time, const Skeleton& skeleton, PoseSpan pose);

}  // namespace sinew
