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

inline WideTwoBoneChain read_limb(RigEval& e, int root, int mid, int tip) {
  return {e.wide_position(root), e.wide_position(mid), e.wide_position(tip),
          e.wide_rotation(root), e.wide_rotation(mid), e.wide_rotation(tip)};
}

inline void write_limb(RigEval& e, int root, int mid, int tip, const WideTwoBoneResult& result) {
  e.set_wide_rotation(root, result.root_rotation);
  e.set_wide_rotation(mid, result.mid_rotation);
  e.set_wide_rotation(tip, result.tip_rotation);
}

}  // namespace sinew::rig
