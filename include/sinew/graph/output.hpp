// What one update of a controller says: a pose program, root motion, events. Written into buffers
// of the caller that are sized once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <sinew/graph/definition.hpp>
#include <sinew/graph/state.hpp>
#include <sinew/pose/pose_task.hpp>

namespace sinew {

// A clip's share of the travel of this update.
struct RootMotionPart {
  std::int32_t clip = -1;
  double n0 = 0, n1 = 0;  // sampled normalized times: loops included, cycle offset added
  float weight = 0;       // among the parts of its layer; what is missing to 1 stands still
  std::int16_t layer = 0;
  bool loop = false;
  bool mirror = false;
};

// A motion that sounds in a layer after this update.
struct PlayingMotion {
  std::int32_t layer = 0;
  std::int32_t state = -1;
  std::int32_t motion = -1;
  float weight = 0;  // in its layer; a frozen pose takes the rest
  double n = 0;      // where it is sampled: normalized, wrapped or clamped
};

struct ClipEventOut {
  double time = 0;   // seconds after the start of this update, in [0, dt]
  float weight = 0;  // of the clip in its layer
  std::int32_t layer = 0;
  std::int32_t state = -1;
  std::int32_t motion = -1;
  std::int32_t event = -1;  // into MotionTable::event_times; minus first_event: in the clip
};

struct StateEventOut {
  enum class Kind : std::uint8_t {
    kEntered,
    kExited,
    kTransitionStarted,
    kTransitionCompleted,
    kTransitionInterrupted,
    kMachineEntered,  // a walk passed its entry
    kMachineExited,   // or its exit
    // For states with behaviours alone (rules, section 14):
    kUpdated,  // in every update but its first and last
    kMove,     // after the clip events: the root moves
    kIk,       // after that, of layers with ik_pass
  };
  Kind kind = Kind::kEntered;
  std::int16_t layer = 0;
  std::int32_t state = -1;       // entered, exited; of a transition its target
  std::int32_t transition = -1;  // -1: entry, Play or CrossFade
  std::int32_t machine = -1;     // entered, exited; then there is no state
};

// Verdict on one transition in one update, by part; 0: it could be taken.
struct TransitionVerdict {
  enum Bit : std::uint16_t {
    kMuted = 1,
    kUnsoloed = 2,
    kConditionFalse = 4,
    kExitTimeFalse = 8,
    kSelf = 16,             // leads to the state that plays already
    kOrder = 32,            // lower in order than the running transition, or that one itself
    kNotInterrupting = 64,  // its list may not interrupt the running transition
    kOutranked = 128,       // an earlier one of the queue was taken
    kNoTarget = 256,        // the walk through machines found no state
    kNever = 512,           // neither condition nor exit time
    kNotLooked = 1024,      // this update chose nothing: a command was applied
  };
  std::int32_t transition = -1;
  std::int32_t layer = 0;
  std::uint16_t bits = 0;
  std::int16_t condition = -1;  // the first that is false, of its own list
  bool taken = false;
};

// What is to be corrected in this update for a MatchTarget.
struct MatchOut {
  bool active = false;
  float share = 0;  // of what is still missing at the end, [0, 1]
  double end = 0;   // normalized time of the current state at which the joint must be there
  std::int32_t joint = -1;
  Vec3 position;  // world
  Quat rotation;
  Vec3 position_weight;
  float rotation_weight = 0;
};

// What a layer asks of the host's inverse kinematics after its pose (rules, 10.12).
struct LayerOut {
  float weight = 0;      // of the layer
  float foot_ik = 0;     // share of its states with foot_ik, [0, 1]
  bool ik_pass = false;  // of the layer's definition
};

// Working memory of an update; of no use after it.
struct MotionLeaf {
  std::int32_t motion = -1;
  std::int32_t node = -1;
  float weight = 0;       // product of the tree's weights
  double offset = 0;      // sum of cycle offsets
  bool reversed = false;  // a negative time scale above it
  bool mirror = false;
};

// A live state's motion under this update's parameters.
struct LiveMotion {
  std::int32_t node = -1;              // -1: an empty state
  std::uint32_t first = 0, count = 0;  // leaves
  std::uint32_t first_of_all = 0;      // the same, among those of all layers
  float missing = 0;                   // share of the default pose (direct trees)
  bool loop = true;
  std::int32_t leader = -1;  // the leaf whose markers lead the others; -1: all go by the same time
  double length = 1;         // seconds, before the state's speed
};

// A state and its motion at one point of an update.
struct LiveSide {
  LiveState live;
  LiveMotion motion;
};

// How a layer's pose is made at one point of an update.
struct LayerMix {
  LiveSide current, next;
  TransitionBlend blend = TransitionBlend::kCrossFade;
  bool frozen = false;                     // the source side is the stored pose
  float weight = 0, weight_before = 0;     // of next; a step ago
  double elapsed = 0, elapsed_before = 0;  // seconds since the start of an inertialized transition
};

struct LayerScratch {
  LiveSide current, next;  // what plays at the end
  // The states that this update advanced, whatever became of them; with the weights by which their
  // travel and their events count.
  LiveSide moved_current, moved_next;
  float travel_current = 0, travel_next = 0;
  float event_current = 0, event_next = 0;
  LayerMix source;       // what an interruption or an inertialized transition of this update leaves
  bool capture = false;  // it freezes that pose
  bool freezes_curves = false;  // and the numbers of its curves, which were mixed by:
  bool source_curves_frozen = false;
  float source_curve_weight = 0;
  bool inertia = false;  // it carries that pose over
  std::uint32_t leaf_count = 0;
  std::uint32_t first_state_event = 0, state_event_count = 0;
};

struct ControllerOutput {
  std::span<PoseTask> tasks;
  std::span<float> weights;
  std::span<RootMotionPart> root_motions;
  std::span<PlayingMotion> playing;
  std::span<ClipEventOut> clip_events;
  std::span<StateEventOut> state_events;
  std::span<std::int32_t> consumed;       // triggers; parameter indices
  std::span<TransitionVerdict> verdicts;  // may be empty: nothing is explained then
  std::span<MotionLeaf> leaves;           // working memory
  std::span<LayerScratch> layers;         // working memory
  std::span<LayerOut> layer_outs;         // one per layer
  // Written by the update:
  std::size_t task_count = 0, weight_count = 0, root_motion_count = 0, playing_count = 0,
              clip_event_count = 0, state_event_count = 0, consumed_count = 0, verdict_count = 0;
  std::size_t dropped_events = 0;  // found no room (a huge dt over a short loop)
  MatchOut match;
  bool stores = false;  // the program writes stored poses or offsets: it must be run

  std::span<const PoseTask> program() const { return tasks.first(task_count); }
  std::span<const float> program_weights() const { return weights.first(weight_count); }
};

// Owns buffers large enough for every update of `def`; one per thread is enough, if what is needed
// is taken out after each update. Allocates when made, never after.
class ControllerBuffers {
 public:
  explicit ControllerBuffers(const ControllerDef& def, bool explain = false);
  ControllerOutput& output() { return output_; }
  const ControllerOutput& output() const { return output_; }
  ControllerBuffers(const ControllerBuffers&) = delete;
  ControllerBuffers& operator=(const ControllerBuffers&) = delete;

 private:
  std::vector<PoseTask> tasks_;
  std::vector<float> weights_;
  std::vector<RootMotionPart> root_motions_;
  std::vector<PlayingMotion> playing_;
  std::vector<ClipEventOut> clip_events_;
  std::vector<StateEventOut> state_events_;
  std::vector<std::int32_t> consumed_;
  std::vector<TransitionVerdict> verdicts_;
  std::vector<MotionLeaf> leaves_;
  std::vector<LayerScratch> layers_;
  std::vector<LayerOut> layer_outs_;
  ControllerOutput output_;
};

}  // namespace sinew
