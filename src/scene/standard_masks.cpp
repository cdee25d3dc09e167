#include "standard_masks.hpp"

#include <string>
#include <vector>

namespace sinew {

namespace {

// The first of these roles that is set: a body without shoulders begins its arm with the upper arm.
int first_of(const RoleMap& roles, std::initializer_list<JointRole> wanted) {
  for (JointRole role : wanted) {
    if (roles.has(role)) return roles.joint(role);
  }
  return kNoJoint;
}

}  // namespace

std::optional<JointMask> standard_mask(const Skeleton& skeleton, const RoleMap& roles,
                                       std::string_view name) {
  using R = JointRole;
  const int spine = first_of(roles, {R::kSpine, R::kChest, R::kUpperChest});
  const int left_arm = first_of(roles, {R::kLeftShoulder, R::kLeftUpperArm});
  const int right_arm = first_of(roles, {R::kRightShoulder, R::kRightUpperArm});
  const int left_leg = first_of(roles, {R::kLeftUpperLeg});
  const int right_leg = first_of(roles, {R::kRightUpperLeg});
  const int head = first_of(roles, {R::kNeck, R::kHead});
  std::vector<int> tops;
  bool inverted = false;
  if (name == "upper_body") tops = {spine};
  if (name == "lower_body") tops = {spine}, inverted = true;
  if (name == "head") tops = {head};
  if (name == "left_arm") tops = {left_arm};
  if (name == "right_arm") tops = {right_arm};
  if (name == "arms") tops = {left_arm, right_arm};
  if (name == "legs") tops = {left_leg, right_leg};
  if (tops.empty()) return std::nullopt;
  std::vector<float> weights(static_cast<std::size_t>(skeleton.joint_count()),
                             inverted ? 1.0f : 0.0f);
  for (const int top : tops) {
    if (top == kNoJoint) return std::nullopt;
    for (int j = 0; j < skeleton.joint_count(); ++j) {
      if (skeleton.is_ancestor(top, j))
        weights[static_cast<std::size_t>(j)] = inverted ? 0.0f : 1.0f;
    }
  }
  JointMask mask = JointMask::from_weights(skeleton, weights);
  mask.name = std::string(name);
  return mask;
}

}  // namespace sinew
