#include <sinew/math/inertialize.hpp>
#include <sinew/pose/two_bone.hpp>

namespace sinew {
namespace {

constexpr float kShortestBone = 1e-7f;  // metres
// Squared sine of the bend below which a limb counts as straight.
constexpr float kStraight = 1e-8f;
// Square of the mid joint's distance from the line root-tip, as a share of the squared limb length,
// below which a hint has nothing to turn.
constexpr float kTooFlatForHint = 0.001f;

struct Lengths {
  float upper, lower, reach;
};

bool is_finite(const TwoBoneChain& c) {
  using sinew::is_finite;
  return is_finite(c.root) && is_finite(c.mid) && is_finite(c.tip) && is_finite(c.root_rotation) &&
         is_finite(c.mid_rotation) && is_finite(c.tip_rotation);
}

// Interior angle at the mid joint for a distance d between root and tip, in [0, pi]. The law of
// cosines in its half-angle form: tan^2(angle / 2) = (d^2 - (a - b)^2) / ((a + b)^2 - d^2), which
// keeps its digits for a limb that is nearly straight, where acos loses half of them.
float interior_angle(const Lengths& bone, float d) {
  const float difference = bone.upper - bone.lower;
  const float above = (d - difference) * (d + difference);
  const float below = (bone.reach - d) * (bone.reach + d);
  return 2.0f * atan2(sqrt(max(above, 0.0f)), sqrt(max(below, 0.0f)));
}

// The axis about which a positive turn of the lower bone closes the limb.
Vec3 bend_axis(const TwoBoneChain& chain, const TwoBoneGoal& goal, bool use_hint, Vec3 to_target,
               const Lengths& bone) {
  const Vec3 upper = chain.mid - chain.root, lower = chain.tip - chain.mid;
  const auto usable = [](Vec3 axis, float scale) {
    return length_squared(axis) > kStraight * scale * scale;
  };
  Vec3 axis = cross(upper, lower);
  if (usable(axis, bone.upper * bone.lower)) return normalize_or(axis, kAxisX);
  if (use_hint) {
    const Vec3 to_hint = goal.hint - chain.root;
    axis = cross(to_hint, lower);
    if (usable(axis, length(to_hint) * bone.lower)) return normalize_or(axis, kAxisX);
  }
  axis = cross(to_target, lower);
  if (usable(axis, length(to_target) * bone.lower)) return normalize_or(axis, kAxisX);
  // The goal lies on the line of a straight limb: the axis that the caller knows, else the world
  // axis least aligned with the limb, either at right angles to it.
  const Vec3 along = lower / bone.lower;
  const auto across = [&](Vec3 v) { return v - along * dot(v, along); };
  const Vec3 known = sinew::is_finite(goal.fallback_axis) ? across(goal.fallback_axis) : Vec3{};
  if (length_squared(known) > kStraight * length_squared(goal.fallback_axis)) {
    return normalize_or(known, kAxisX);
  }
  const float x = abs(along.x), y = abs(along.y), z = abs(along.z);
  const Vec3 least = x <= y && x <= z ? kAxisX : (y <= z ? kAxisY : kAxisZ);
  return normalize_or(across(least), kAxisX);
}

// The turn about `n` (unit, root to tip) that brings the bend toward the hint. A weight below 1
// scales the quaternion's vector part, so that the turn is 2 atan(weight tan(angle / 2)).
Quat hint_swivel(Vec3 n, Vec3 upper, Vec3 to_hint, float weight, const Lengths& bone) {
  const Vec3 bend = upper - n * dot(upper, n);
  const Vec3 wanted = to_hint - n * dot(to_hint, n);
  if (!(length_squared(bend) > kTooFlatForHint * square(bone.reach))) return {};
  if (!(length_squared(wanted) > 1e-12f * length_squared(to_hint))) return {};
  // By the signed angle about n: the shortest arc from bend to hint has no axis of its own where
  // they are opposite, and would carry the tip away.
  const float angle = atan2(dot(n, cross(bend, wanted)), dot(bend, wanted));
  const SinCos half = sincos(0.5f * angle);
  return normalize(Quat{n.x * half.sin * weight, n.y * half.sin * weight, n.z * half.sin * weight,
                        angle >= kPi ? 0.0f : half.cos});
}

}  // namespace

TwoBoneResult solve_two_bone(const TwoBoneChain& chain, const TwoBoneGoal& goal) {
  const TwoBoneResult unchanged{chain.root_rotation, chain.mid_rotation, chain.tip_rotation,
                                IkStatus::kDegenerate};
  const float position_weight = clamp01(goal.position_weight);
  const float rotation_weight = clamp01(goal.rotation_weight);
  const float hint_weight = sinew::is_finite(goal.hint) ? clamp01(goal.hint_weight) : 0.0f;
  if (!is_finite(chain)) return unchanged;
  if (position_weight > 0.0f && !sinew::is_finite(goal.target)) return unchanged;
  if (rotation_weight > 0.0f && !sinew::is_finite(goal.target_rotation)) return unchanged;

  const Vec3 upper = chain.mid - chain.root, lower = chain.tip - chain.mid;
  const Lengths bone{length(upper), length(lower), length(upper) + length(lower)};
  if (!(bone.upper > kShortestBone && bone.lower > kShortestBone)) return unchanged;
  if (!sinew::is_finite(bone.reach * bone.reach)) return unchanged;

  const Vec3 target =
      position_weight > 0.0f ? lerp(chain.tip, goal.target, position_weight) : chain.tip;
  const Vec3 to_target = target - chain.root;
  const float distance = length(to_target);
  if (!sinew::is_finite(distance)) return unchanged;

  TwoBoneResult result;
  const float slack = 1e-5f * bone.reach;
  if (distance > bone.reach + slack || distance < abs(bone.upper - bone.lower) - slack) {
    result.status = IkStatus::kOutOfReach;
  }
  const float soft = clamp(goal.soft_distance, 0.0f, bone.reach);
  const float wanted =
      soft > 0.0f ? soft_distance(distance, bone.reach, bone.reach - soft) : distance;

  // Bend: the lower bone turns about the mid joint until root and tip are `wanted` apart. The angle
  // now is measured on the bones themselves.
  const float angle_now = atan2(length(cross(upper, lower)), -dot(upper, lower));
  const float turn = angle_now - interior_angle(bone, min(wanted, bone.reach));
  Quat bend;  // none without a weight, so that the chain then stays exactly as it is
  if (position_weight > 0.0f) {
    bend = from_axis_angle(bend_axis(chain, goal, hint_weight > 0.0f, to_target, bone), turn);
  }

  // Swing: the whole limb turns about its root until the tip lies toward the target. A limb folded
  // onto its root, or a target there, has no direction to turn by.
  const Vec3 to_tip = upper + rotate(bend, lower);
  const float tip_distance = length(to_tip);
  const float least = 1e-6f * bone.reach;
  const bool has_direction = tip_distance > least && distance > least;
  Quat swing;
  if (has_direction && position_weight > 0.0f)
    swing = rotation_between(to_tip / tip_distance, to_target / distance);

  Quat swivel;
  if (hint_weight > 0.0f && has_direction) {
    swivel = hint_swivel(to_target / distance, rotate(swing, upper), goal.hint - chain.root,
                         hint_weight, bone);
  }
  const Quat root_turn = swivel * swing;
  result.root_rotation = normalize(root_turn * chain.root_rotation);
  result.mid_rotation = normalize(root_turn * bend * chain.mid_rotation);
  result.tip_rotation =
      rotation_weight > 0.0f
          ? nlerp(normalize(chain.tip_rotation), normalize(goal.target_rotation), rotation_weight)
          : normalize(chain.tip_rotation);
  return result;
}

}  // namespace sinew
