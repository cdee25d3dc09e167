// What the motions of a controller are in one model: the bridge between names and clips.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <sinew/asset/clip.hpp>
#include <sinew/graph/definition.hpp>

namespace sinew {

struct MotionInfo {
  double length = 1;  // seconds, as it is; below kMinLength it counts as 1
  bool loop = true;
  bool missing = false;    // plays the rest pose for 1 s
  bool mirror = false;     // of the clip itself (rules, 13.9)
  std::int32_t clip = -1;  // index for PoseTask::kClip; -1: none, plays the rest pose
  std::int32_t reference_clip =
      -1;                    // of additive layers; -1: the difference is from the default pose
  float reference_time = 0;  // seconds
  double cycle_offset = 0;   // share of the cycle
  std::uint32_t first_event = 0, event_count = 0;  // into event_times
};

// Parallel to ControllerTables::motions.
struct MotionTable {
  std::vector<MotionInfo> motions;
  std::vector<double> event_times;  // share of the clip's length, in [0, 1], ascending per motion
  std::vector<std::string> event_names;  // parallel
  std::vector<float> values;             // per motion: what run_scalar_tasks() reads
  std::uint64_t hash() const;
};

// From what the controller itself declares: clip i is motion i. Motions of no declared length are
// 1 s long.
MotionTable declared_motions(const ControllerDef& def);

// Looks every motion up in `clips` by name (clip indices are those of the span, which is what
// PoseContext::clips must then hold). A missing one plays the rest pose and is reported with the
// nearest name as a warning; it never stops the others. Length, loop and events are the clip's.
MotionTable bind_motions(const ControllerDef& def, std::span<const Clip* const> clips,
                         Findings* findings = nullptr);

}  // namespace sinew
