// Steps that the two-bone constraints share.
#pragma once

#include <sinew/pose/two_bone.hpp>
#include <sinew/rig/two_bone_ik.hpp>

namespace sinew::rig {

inline RigStatus to_status(IkStatus status) {
  switch (status) {
    case IkStatus::kReached:
      return RigStatus::kSatisfied;
    case IkStatus::kOutOfReach:
      return RigStatus::kOutOfReach;
    case IkStatus::kDegenerate:
      return RigStatus::kDegenerate;
  }
  return RigStatus::kDegenerate;
}

inline TwoBoneChain read_limb(RigEval& e, int root, int mid, int tip) {
  const Transform &a = e.model(root), &b = e.model(mid), &c = e.model(tip);
  return {a.translation, b.translation, c.translation, a.rotation, b.rotation, c.rotation};
}

inline void write_limb(RigEval& e, int root, int mid, int tip, const TwoBoneResult& result) {
  e.set_rotation(root, result.root_rotation);
  e.set_rotation(mid, result.mid_rotation);
  e.set_rotation(tip, result.tip_rotation);
}

}  // namespace sinew::rig
