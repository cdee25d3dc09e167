// What the motions of a controller are in one model: the bridge between names and clips.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <sinew/asset/clip.hpp>
#include <sinew/graph/definition.hpp>
#include <sinew/pose/pose_memory.hpp>

namespace sinew {

// Markers of one motion beyond these are left out, with a warning.
inline constexpr std::size_t kMostSyncMarkers = 64;

struct MotionInfo {
  double length = 1;  // seconds, as it is; below kMinLength it counts as 1
  bool loop = true;
  bool missing = false;    // plays the rest pose for 1 s
  bool mirror = false;     // of the clip itself (rules, 13.9)
  bool partial = false;    // leaves out something that another motion of the controller animates
  std::int32_t clip = -1;  // index for PoseTask::kClip; -1: none, plays the rest pose
  std::int32_t reference_clip =
      -1;                    // of additive layers; -1: the difference is from the default pose
  float reference_time = 0;  // seconds
  double cycle_offset = 0;   // share of the cycle
  std::uint32_t first_event = 0, event_count = 0;    // into event_times
  std::uint32_t first_marker = 0, marker_count = 0;  // into marker_times
  std::uint32_t first_curve = 0, curve_count = 0;    // into curves
};

// A curve of a motion that drives a parameter.
struct MotionCurve {
  std::int32_t parameter = -1;
  KeyTrack<float> keys;  // seconds
};

// Which feet come down at one time.
struct MarkerSet {
  std::vector<std::int32_t> names;  // into marker_names, ascending
  std::int32_t mirrored = -1;       // the set of the other side's names
};

// How a motion of a state with sync_markers lies on the phase that its motions share: phase k of
// all of them is the marker k + rotation, k any whole number. State-machine rules leave this open;
// motion rules, "sync markers".
struct SyncTrack {
  std::uint32_t first = 0, count = 0;  // into sync_times; 0: it goes by normalized time
  std::int32_t rotation = 0;
  double offset = 0;  // cycle offsets above the motion and its own
};

// Parallel to ControllerTables::motions.
struct MotionTable {
  std::vector<MotionInfo> motions;
  std::vector<double> event_times;  // share of the clip's length, in [0, 1], ascending per motion
  std::vector<std::string> event_names;   // parallel
  std::vector<float> values;              // per motion: what run_scalar_tasks() reads
  std::vector<double> marker_times;       // share of the length, in [0, 1), rising per motion
  std::vector<std::int32_t> marker_sets;  // parallel: into sets
  std::vector<MarkerSet> sets;
  std::vector<std::string> marker_names;
  std::vector<SyncTrack> sync_tracks;  // per node of the controller; empty if no state is synced
  std::vector<double> sync_times;
  std::vector<MotionCurve> curves;
  std::vector<std::uint8_t> driven;  // per parameter: a curve drives it; empty: none
  bool scales = true;                // some clip scales a joint
  bool partial = false;              // some motion is partial

  // Of the instances' pose memory.
  PoseMemoryShape memory_shape(const ControllerDef& def) const;
  std::uint64_t hash() const;
};

// From what the controller itself declares: clip i is motion i. Motions of no declared length are
// 1 s long; those without a value leave the scalar channel alone.
MotionTable declared_motions(const ControllerDef& def);

// Looks every motion up in `clips` by name (clip indices are those of the span, which is what
// PoseContext::clips must then hold). A missing one plays the rest pose and is reported with the
// nearest name as a warning; it never stops the others. Length, loop, events, sync markers (else
// the starts of foot contacts) and curves that have the name of a float parameter are the clip's.
MotionTable bind_motions(const ControllerDef& def, std::span<const Clip* const> clips,
                         Findings* findings = nullptr);

}  // namespace sinew
