// Chains of joints that are named after parts of one limb, and what their members are.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <sinew/asset/skeleton.hpp>

#include "joint_words.hpp"

namespace sinew {

// Joints below one another, from the body outward. The members need not be parent and child: joints
// between them that belong to no limb (twists, helpers) are left out.
using LimbChain = std::vector<int>;

// Every chain of the joints for which `member` holds. Where a chain forks it follows the branch
// that goes furthest; if none does, it ends there.
std::vector<LimbChain> find_chains(const Skeleton& skeleton,
                                   const std::function<bool(int)>& member);

// The joints of one limb from the body outward, kNoJoint where there is none.
using Limb = std::vector<int>;

// {shoulder, upper arm, lower arm, hand}
Limb resolve_arm(const LimbChain& chain, std::span<const JointWords> names);
// {upper leg, lower leg, foot, toes}
Limb resolve_leg(const LimbChain& chain, std::span<const JointWords> names);
// {girdle, upper, lower, ankle, foot}: a leg of an animal whose names say front or hind
Limb resolve_animal_leg(const LimbChain& chain, std::span<const JointWords> names);

}  // namespace sinew
