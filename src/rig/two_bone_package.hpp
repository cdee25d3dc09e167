// The two-bone solve with the faults of the well-known package, for rigs that were tuned against
// it (rigging rules, section 3, without its fixes).
#pragma once

#include <sinew/pose/two_bone.hpp>

namespace sinew::rig {

// As solve_two_bone(), but: a straight limb whose goal lies on its own line bends about +Y, however
// the limb lies; the hint turns the limb by the shortest arc, whose axis leaves the limb where hint
// and bend are opposite.
WideTwoBoneResult solve_two_bone_package(const WideTwoBoneChain& chain,
                                         const WideTwoBoneGoal& goal);

}  // namespace sinew::rig
