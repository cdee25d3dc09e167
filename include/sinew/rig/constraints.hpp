// All constraints at once, for programs that build rigs in code.
#pragma once

#include <sinew/rig/blend.hpp>
#include <sinew/rig/chain_ik.hpp>
#include <sinew/rig/copy_transform.hpp>
#include <sinew/rig/damped_transform.hpp>
#include <sinew/rig/foot_roll.hpp>
#include <sinew/rig/full_body_ik.hpp>
#include <sinew/rig/height_limited_two_bone_ik.hpp>
#include <sinew/rig/look_at_chain.hpp>
#include <sinew/rig/multi_aim.hpp>
#include <sinew/rig/multi_parent.hpp>
#include <sinew/rig/multi_position.hpp>
#include <sinew/rig/multi_referential.hpp>
#include <sinew/rig/multi_rotation.hpp>
#include <sinew/rig/override_transform.hpp>
#include <sinew/rig/parent_switch.hpp>
#include <sinew/rig/recoil.hpp>
#include <sinew/rig/spring_bone.hpp>
#include <sinew/rig/twist_chain.hpp>
#include <sinew/rig/twist_correction.hpp>
#include <sinew/rig/two_bone_ik.hpp>
