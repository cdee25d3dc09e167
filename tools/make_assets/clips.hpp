// The person's clips. All are keyed at 60 Hz and carry their travel on the joint "Root":
// translation along the ground and turn about +Y; the hips below it hold sway, bob and lean.
// Root-motion settings are enabled with rotation and XZ not baked and Y baked, so that R(t) is
// exactly the root joint.
//
// Contacts: a foot (role left_foot, right_foot) is in contact while its sole is flat on the ground,
// toes (left_toes, right_toes) from then until they leave it; the foot bears weight while either
// holds. Events: "footstep" when the heel meets the ground, with text "left" or "right"; the sync
// markers "left" and "right" lie there, too.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sinew/asset/raw_clip.hpp>

#include "posing.hpp"

namespace sinew::make_assets {

inline constexpr float kKeyRate = 60.0f;  // keys a second
inline constexpr float kGravity = 9.81f;  // metres per second squared

constexpr float deg(float degrees) { return degrees * kDegToRad; }

// Samples a motion at the key rate; channels that do not move get one key, those at rest none. The
// last key of a loop equals its first but for the root's travel, whatever rounding makes of it.
RawClip bake(std::string name, float duration, bool loop,
             const std::function<PersonPose(float seconds)>& pose);

// The idle clip's pose at a share of its loop, [0, 1]; other clips start and end at share 0.
PersonPose idle_pose(float share);

RawClip make_idle();
RawClip make_walk();           // 1.4 m/s
RawClip make_run();            // 3.6 m/s, with flight
RawClip make_turn(bool left);  // a quarter turn on the spot: "turn_left", "turn_right"
RawClip make_jump();           // on the spot
RawClip make_wave();           // right hand
RawClip make_desk_type();      // sitting, without travel; the hands go lower than kDeskTop
RawClip make_desk_reach();     // the same: the right hand goes out and back

std::vector<RawClip> make_clips();

inline constexpr float kWalkSpeed = 1.4f;  // metres per second
inline constexpr float kRunSpeed = 3.6f;
inline constexpr float kSeatedHips = 0.56f;  // height of the hips' joint when sitting, metres

}  // namespace sinew::make_assets
