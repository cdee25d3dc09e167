#include <sinew/math/inertialize.hpp>
#include <sinew/math/wide.hpp>
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
  float inverse_product;  // 1 / (upper * lower)
};

// Half of an angle in [0, pi] by its sine and cosine: all that a quaternion needs, without a call
// to a trigonometric function.
struct HalfAngle {
  float sin, cos;
};

// Of the angle between -upper and lower, by the length of their cross product and their dot
// product. The form is chosen that adds equal signs, so that no digits are lost near 0 and pi.
HalfAngle angle_of_bones(float cross_length, float dot_product, const Lengths& bone) {
  const float sine = cross_length * bone.inverse_product;
  const float cosine = -dot_product * bone.inverse_product;
  const float sum = 1.0f + abs(cosine);
  const float inverse = 1.0f / sqrt(sine * sine + sum * sum);
  return cosine >= 0.0f ? HalfAngle{sine * inverse, sum * inverse}
                        : HalfAngle{sum * inverse, sine * inverse};
}

// Of the interior angle at the mid joint for a distance d between root and tip: the law of cosines
// in its half-angle form, sin^2(angle / 2) = (d^2 - (a - b)^2) / 4ab and cos^2(angle / 2) =
// ((a + b)^2 - d^2) / 4ab, which keeps its digits for a limb that is nearly straight, where an arc
// cosine loses half of them.
HalfAngle interior_angle(const Lengths& bone, float d) {
  const float difference = bone.upper - bone.lower;
  const float above = (d - difference) * (d + difference);
  const float below = (bone.reach - d) * (bone.reach + d);
  if (below <= 0.0f) return {1, 0};
  if (above <= 0.0f) return {0, 1};
  const float scale = 0.25f * bone.inverse_product;
  return {sqrt(above * scale), sqrt(below * scale)};
}

// The axis (unit) about which a positive turn of the lower bone closes a limb that is straight now.
Vec3 straight_bend_axis(Vec3 lower, Vec3 to_target, const Vec3* to_hint, Vec3 fallback,
                        const Lengths& bone) {
  const auto usable = [](Vec3 axis, float scale) {
    return length_squared(axis) > kStraight * scale * scale;
  };
  Vec3 axis;
  if (to_hint) {
    axis = cross(*to_hint, lower);
    if (usable(axis, length(*to_hint) * bone.lower)) return normalize_or(axis, kAxisX);
  }
  axis = cross(to_target, lower);
  if (usable(axis, length(to_target) * bone.lower)) return normalize_or(axis, kAxisX);
  // The goal lies on the line of a straight limb: the axis that the caller knows, else the world
  // axis least aligned with the limb, either at right angles to it.
  const Vec3 along = lower / bone.lower;
  const auto across = [&](Vec3 v) { return v - along * dot(v, along); };
  const Vec3 known = is_finite(fallback) ? across(fallback) : Vec3{};
  if (length_squared(known) > kStraight * length_squared(fallback)) {
    return normalize_or(known, kAxisX);
  }
  const float x = abs(along.x), y = abs(along.y), z = abs(along.z);
  const Vec3 least = x <= y && x <= z ? kAxisX : (y <= z ? kAxisY : kAxisZ);
  return normalize_or(across(least), kAxisX);
}

// Puts a scalar, given in every lane, into lane w; what it is added to has 0 there.
Float4 in_w(Float4 scalar) { return scalar * Float4(0, 0, 0, 1); }

// Where the hint wants the bend to point: at right angles to n (unit, root to tip), not normalized.
struct HintPlane {
  Float4 wanted, across;  // across = wanted x n
  Float4 length;          // |wanted|
  bool usable = false;
};
HintPlane hint_plane(Float4 n, Float4 to_hint) {
  HintPlane p;
  p.wanted = to_hint - n * dot3(to_hint, n);
  p.across = cross3(p.wanted, n);
  const Float4 l2 = dot3(p.wanted, p.wanted);
  p.length = sqrt(l2);
  p.usable = l2[0] > 1e-12f * dot3(to_hint, to_hint)[0];
  return p;
}

// The turn about `n` that brings the upper bone into the hint's plane; `height`: the mid joint's
// distance from the line root-tip. A weight below 1 scales the quaternion's vector part, so that
// the turn is 2 atan(weight tan(angle / 2)).
Float4 hint_swivel(Float4 n, Float4 upper, const HintPlane& p, float height, float weight) {
  // By the signed angle about n: the shortest arc from bend to hint has no axis of its own where
  // they are opposite, and would carry the tip away.
  const Float4 x = dot3(upper, p.wanted), y = dot3(upper, p.across);
  const Float4 r = p.length * height;
  // tan(angle / 2) = y / (r + x) = (r - x) / y, whichever adds equal signs.
  const bool near = x[0] >= 0.0f;
  const Float4 sine = (near ? y : r - x) * weight, cosine = near ? r + x : y;
  const Float4 l2 = sine * sine + cosine * cosine;
  if (!(l2[0] > 0.0f)) return {0, 0, 0, 1};
  return (n * sine + in_w(cosine)) * (Float4(1.0f) / sqrt(l2));
}

// The shortest turn from one vector to another of the given lengths (both above 0).
Float4 swing_between(Float4 from, float from_length, Float4 to, float to_length) {
  const Float4 inverse(1.0f / (from_length * to_length)), one(1.0f);
  const Float4 cosine = dot3(from, to) * inverse;
  // Almost opposite, the sum below has no digits left.
  if (cosine[0] < -0.98f) {
    return to_wide(rotation_between(to_vec3(from) / from_length, to_vec3(to) / to_length));
  }
  // |from x to, 1 + cosine| = 2 cos(angle / 2).
  const Float4 sum = one + cosine;
  return (cross3(from, to) * inverse + in_w(sum)) * (one / sqrt(sum + sum));
}

}  // namespace

WideTwoBoneResult solve_two_bone(const WideTwoBoneChain& chain, const WideTwoBoneGoal& goal) {
  const WideTwoBoneResult unchanged{chain.root_rotation, chain.mid_rotation, chain.tip_rotation,
                                    IkStatus::kDegenerate};
  const float position_weight = clamp01(goal.position_weight);
  const float rotation_weight = clamp01(goal.rotation_weight);
  const float hint_weight =
      goal.hint_weight > 0.0f && all_finite(goal.hint) ? clamp01(goal.hint_weight) : 0.0f;
  const Float4 upper = chain.mid - chain.root, lower = chain.tip - chain.mid;
  const Float4 target =
      position_weight > 0.0f ? chain.tip + (goal.target - chain.tip) * position_weight : chain.tip;
  const Float4 to_target = target - chain.root;
  // All that is read has to be finite.
  Float4 sum = upper + lower + to_target + (chain.root_rotation + chain.mid_rotation);
  sum = sum + chain.tip_rotation;
  if (rotation_weight > 0.0f) sum = sum + goal.target_rotation;
  if (!all_finite(sum)) return unchanged;

  // Four lengths at once.
  const Float4 crossed = cross3(upper, lower);
  Float4 x = upper, y = lower, z = to_target, rest = crossed;
  transpose(x, y, z, rest);
  const Float4 lengths = sqrt(x * x + y * y + z * z);
  const float distance = lengths[2], crossed_length = lengths[3];
  Lengths bone{lengths[0], lengths[1], 0, 0};
  if (!(bone.upper > kShortestBone && bone.lower > kShortestBone)) return unchanged;
  bone.reach = bone.upper + bone.lower;
  bone.inverse_product = 1.0f / (bone.upper * bone.lower);
  if (!is_finite(bone.reach * bone.reach) || !is_finite(distance)) return unchanged;

  WideTwoBoneResult result;
  const float slack = 1e-5f * bone.reach;
  const float least = abs(bone.upper - bone.lower);
  result.status = distance > bone.reach + slack || distance < least - slack ? IkStatus::kOutOfReach
                                                                            : IkStatus::kReached;
  const float soft = clamp(goal.soft_distance, 0.0f, bone.reach);
  const float wanted =
      soft > 0.0f ? soft_distance(distance, bone.reach, bone.reach - soft) : distance;
  // What the bones allow: also the distance that the tip has in the end.
  const float tip_distance = position_weight > 0.0f ? clamp(wanted, least, bone.reach) : distance;
  const bool has_direction = tip_distance > 1e-6f * bone.reach && distance > 1e-6f * bone.reach;
  const Float4 to_hint = goal.hint - chain.root;

  // Bend: the lower bone turns about the mid joint until root and tip are `wanted` apart. The angle
  // now is measured on the bones themselves. Swing: the whole limb turns about its root until the
  // tip lies toward the target. A limb folded onto its root, or a target there, has no direction to
  // turn by. Neither is done without a weight, so that the chain then stays exactly as it is.
  Float4 swing(0, 0, 0, 1);
  Float4 mid_rotation = chain.mid_rotation;
  float sine_at_mid = crossed_length * bone.inverse_product;
  if (position_weight > 0.0f) {
    const HalfAngle now = angle_of_bones(crossed_length, dot3(upper, lower)[0], bone);
    const HalfAngle then = interior_angle(bone, tip_distance);
    const bool is_bent = square(crossed_length) > kStraight * square(bone.upper * bone.lower);
    Float4 axis = crossed;
    float inverse = 1.0f / crossed_length;
    if (!is_bent) {
      const Vec3 hint = to_vec3(to_hint);
      axis = to_wide(straight_bend_axis(to_vec3(lower), to_vec3(to_target),
                                        hint_weight > 0.0f ? &hint : nullptr,
                                        to_vec3(goal.fallback_axis), bone));
      inverse = 1;
    }
    const float sine = now.sin * then.cos - now.cos * then.sin;
    const float cosine = now.cos * then.cos + now.sin * then.sin;
    const Float4 bend = axis * (sine * inverse) + in_w(Float4(cosine));
    mid_rotation = quat_product(bend, mid_rotation);
    sine_at_mid = 2.0f * then.sin * then.cos;
    if (has_direction) {
      swing = swing_between(upper + quat_rotate(bend, lower), tip_distance, to_target, distance);
    }
  }

  Float4 root_turn = swing;
  if (hint_weight > 0.0f && has_direction) {
    // Twice the area of the triangle over its base.
    const float height = sine_at_mid * bone.upper * bone.lower / tip_distance;
    const Float4 n = to_target * (1.0f / distance);
    const HintPlane plane = hint_plane(n, to_hint);
    if (plane.usable && square(height) > kTooFlatForHint * square(bone.reach)) {
      const Float4 turned = quat_rotate(swing, upper);
      root_turn = quat_product(hint_swivel(n, turned, plane, height, hint_weight), swing);
    }
  }
  result.root_rotation = quat_renormalize(quat_product(root_turn, chain.root_rotation));
  result.mid_rotation = quat_renormalize(quat_product(root_turn, mid_rotation));
  result.tip_rotation = quat_renormalize(chain.tip_rotation);
  if (rotation_weight > 0.0f) {
    result.tip_rotation =
        quat_nlerp(result.tip_rotation, quat_renormalize(goal.target_rotation), rotation_weight);
  }
  return result;
}

TwoBoneResult solve_two_bone(const TwoBoneChain& chain, const TwoBoneGoal& goal) {
  const WideTwoBoneChain wide_chain{to_wide(chain.root),         to_wide(chain.mid),
                                    to_wide(chain.tip),          to_wide(chain.root_rotation),
                                    to_wide(chain.mid_rotation), to_wide(chain.tip_rotation)};
  WideTwoBoneGoal wide_goal{to_wide(goal.target), to_wide(goal.target_rotation), to_wide(goal.hint),
                            to_wide(goal.fallback_axis)};
  wide_goal.hint_weight = goal.hint_weight;
  wide_goal.position_weight = goal.position_weight;
  wide_goal.rotation_weight = goal.rotation_weight;
  wide_goal.soft_distance = goal.soft_distance;
  const WideTwoBoneResult r = solve_two_bone(wide_chain, wide_goal);
  return {to_quat(r.root_rotation), to_quat(r.mid_rotation), to_quat(r.tip_rotation), r.status};
}

}  // namespace sinew
