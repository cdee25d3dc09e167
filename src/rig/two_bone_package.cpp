#include "two_bone_package.hpp"

#include <sinew/math/wide.hpp>
#include <sinew/rig/math.hpp>

namespace sinew::rig {
namespace {

constexpr float kSquareEpsilon = 1e-8f;

// Interior angle at the mid joint where root and tip are d apart; half-angle form.
float interior_angle(float upper, float lower, float d) {
  const float above = (d - upper + lower) * (d + upper - lower);
  const float below = (upper + lower - d) * (upper + lower + d);
  return 2.0f * atan2(sqrt(max(above, 0.0f)), sqrt(max(below, 0.0f)));
}

Vec3 package_axis(Vec3 ab, Vec3 bc, Vec3 at, bool use_hint, Vec3 to_hint) {
  Vec3 axis = cross(ab, bc);
  if (length_squared(axis) < kSquareEpsilon) {
    axis = use_hint ? cross(to_hint, bc) : Vec3{};
    if (length_squared(axis) < kSquareEpsilon) axis = cross(at, bc);
    if (length_squared(axis) < kSquareEpsilon) axis = kAxisY;
  }
  return normalize_or(axis, kAxisY);
}

}  // namespace

WideTwoBoneResult solve_two_bone_package(const WideTwoBoneChain& chain,
                                         const WideTwoBoneGoal& goal) {
  const Vec3 root = to_vec3(chain.root), mid = to_vec3(chain.mid), tip = to_vec3(chain.tip);
  const Vec3 ab = mid - root, bc = tip - mid;
  const float upper = length(ab), lower = length(bc), reach = upper + lower;
  const Vec3 target = lerp(tip, to_vec3(goal.target), goal.position_weight);
  const Vec3 at = target - root;
  WideTwoBoneResult out{chain.root_rotation, chain.mid_rotation, chain.tip_rotation,
                        IkStatus::kDegenerate};
  if (!(upper > 1e-7f && lower > 1e-7f) || !is_finite(length(at))) return out;
  const bool use_hint = goal.hint_weight > 0.0f;
  const Vec3 to_hint = to_vec3(goal.hint) - root;
  out.status = length(at) > reach * 1.00001f ? IkStatus::kOutOfReach : IkStatus::kReached;

  const float now = interior_angle(upper, lower, min(distance(root, tip), reach));
  const float then = interior_angle(upper, lower, min(length(at), reach));
  const Quat bend = from_axis_angle(package_axis(ab, bc, at, use_hint, to_hint), now - then);
  const Vec3 ac = ab + rotate(bend, bc);
  const Quat swing = from_to(ac, at);

  Quat swivel;
  if (use_hint && length_squared(ac) > 0.0f) {
    const Vec3 n = normalize_or(rotate(swing, ac), kAxisX);
    const Vec3 bent = reject(rotate(swing, ab), n), wanted = reject(to_hint, n);
    if (length_squared(bent) > 0.001f * square(reach) && length_squared(wanted) > 0.0f) {
      swivel = from_to(bent, wanted);
      swivel = normalize(Quat{swivel.x * goal.hint_weight, swivel.y * goal.hint_weight,
                              swivel.z * goal.hint_weight, swivel.w});
    }
  }
  const Quat turn = swivel * swing;
  out.root_rotation = to_wide(normalize(turn * to_quat(chain.root_rotation)));
  out.mid_rotation = to_wide(normalize(turn * bend * to_quat(chain.mid_rotation)));
  out.tip_rotation = to_wide(
      qlerp(to_quat(chain.tip_rotation), to_quat(goal.target_rotation), goal.rotation_weight));
  return out;
}

}  // namespace sinew::rig
