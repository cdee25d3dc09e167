// Every constraint that Sinew has: one line each. A new one is a header, a source file, a test, a
// page in docs/rig.md, and a line here and in constraints.hpp.
#include <sinew/rig/constraints.hpp>

namespace sinew::rig {

std::span<const ConstraintType* const> built_in_constraints() {
  static const ConstraintType* const kList[] = {
      &constraint_type<TwoBoneIk>(),       &constraint_type<HeightLimitedTwoBoneIk>(),
      &constraint_type<ChainIk>(),         &constraint_type<MultiAim>(),
      &constraint_type<MultiParent>(),     &constraint_type<MultiPosition>(),
      &constraint_type<MultiRotation>(),   &constraint_type<MultiReferential>(),
      &constraint_type<DampedTransform>(), &constraint_type<OverrideTransform>(),
      &constraint_type<TwistCorrection>(), &constraint_type<TwistChain>(),
      &constraint_type<Blend>(),           &constraint_type<FullBodyIk>(),
      &constraint_type<SpringBone>(),      &constraint_type<LookAtChain>(),
      &constraint_type<Recoil>(),          &constraint_type<FootRoll>(),
      &constraint_type<CopyTransform>(),   &constraint_type<ParentSwitch>(),
  };
  return kList;
}

}  // namespace sinew::rig
