// Limits of a joint as a cone for its swing and a range for its twist.
#pragma once

#include <sinew/math/quat.hpp>
#include <sinew/rig/fields.hpp>

namespace sinew::rig {

// q (a turn away from the joint's neutral pose) brought inside the limits: the swing's angle is cut
// to `swing`, the twist's about the unit vector `axis` to [twist_min, twist_max]. Radians. Inside
// the limits q comes back as it is (to rounding).
Quat clamp_swing_twist(Quat q, Vec3 axis, float swing, float twist_min, float twist_max);

// One entry of a list of limits. The neutral pose is the bind pose, the axis is the bone: toward
// the joint's first child in the solver's tree.
struct JointLimit {
  NodeRef joint;
  float swing = 180;                        // degrees
  float twist_min = -180, twist_max = 180;  // degrees
  float stiffness = 0;                      // 0 moves freely, 1 not at all

  void fields(FieldVisitor& v) {
    v.node("joint", joint, NodeUse::kDriven);
    v.number("swing", swing, 0, 180);
    v.number("twist_min", twist_min, -180, 0);
    v.number("twist_max", twist_max, 0, 180);
    v.number("stiffness", stiffness, 0, 1);
  }
};

}  // namespace sinew::rig
