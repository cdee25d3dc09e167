// What a clip carries beside its poses: events, contacts, sync markers, root-motion settings.
// Common to RawClip and Clip, and exact in both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sinew/asset/roles.hpp>

namespace sinew {

// Fires when the clip's time passes `time` (state-machine rules, section 15).
struct ClipEvent {
  float time = 0;  // seconds, in [0, duration]
  std::string name;
  float number = 0;
  std::int32_t integer = 0;
  std::string text;
};

// A span in which a foot (or hand) bears weight on the ground. end < start wraps around a loop.
struct Contact {
  JointRole role = JointRole::kNone;  // of the foot; kNone: see `name`
  std::string name;
  float start = 0;  // seconds
  float end = 0;
};

// A phase mark for synchronizing gaits; by default the starts of contacts.
struct SyncMarker {
  float time = 0;  // seconds
  std::string name;
};

// How a clip's travel is split between the character's root and its pose (state-machine rules,
// section 13.2). A component that is baked stays in the pose; otherwise it moves the root.
struct RootMotionSettings {
  enum class Basis : std::uint8_t { kOriginal, kMassCentre, kFeet };
  int joint = kNoJoint;  // whose motion it is; kNoJoint: the first root joint
  bool enabled = false;  // off: the clip plays in place exactly as authored
  bool bake_rotation = false;
  bool bake_y = true;
  bool bake_xz = false;
  Basis rotation_basis = Basis::kOriginal;  // kMassCentre means body orientation here
  Basis y_basis = Basis::kOriginal;
  Basis xz_basis = Basis::kOriginal;
  float rotation_offset = 0;  // radians
  float y_offset = 0;         // metres
};

struct ClipAnnotations {
  std::vector<ClipEvent> events;  // by time
  std::vector<Contact> contacts;
  std::vector<SyncMarker> sync_markers;  // by time
  RootMotionSettings root_motion;
  float cycle_offset = 0;  // share of the duration
  bool loop_pose = false;  // spread the jump between last and first pose over the loop
};

}  // namespace sinew
