// One step of a controller. State-machine rules, section 6.
#pragma once

#include <span>

#include <sinew/graph/motion_table.hpp>
#include <sinew/graph/output.hpp>
#include <sinew/graph/state.hpp>
#include <sinew/pose/root_motion.hpp>

namespace sinew {

struct UpdateOptions {
  // False (nobody sees the character): time, transitions, travel and events go on, but no pose is
  // asked for. The program is then empty, and need not be run, unless out.stores.
  bool pose = true;
};

// Advances every layer by dt seconds, lets it choose at most one transition, and writes what to
// play into `out`, whose buffers must be as large as def.limits() says (asserted). dt that is
// negative or not finite counts as 0 and is marked in the state's header; the first update enters
// the root Entry, and its dt counts as 0 too. `motions` must be made
// for this definition. No allocation; the cost does not depend on states and transitions that are
// not current.
void update_controller(const ControllerDef& def, const MotionTable& motions, ControllerState state,
                       double dt, ControllerOutput& out, const UpdateOptions& options = {});

// The move of the character in this update: the parts of each layer summed by weight (what is
// missing to 1 stands still), the layers one over the other by weight. `paths` by clip index; null:
// the clip has none. Rules, 13.6 and 10.7; rulings, 6.
RootDelta reduce_root_motion(const ControllerDef& def, ControllerState state,
                             std::span<const RootMotionPart> parts,
                             std::span<const RootPath* const> paths);

// What layer 0's current state will play at its normalized time `n`, and the travel from now until
// then: a pose program and root-motion parts alone, written into `out` as by an update. The layers
// above, transitions and parameters that change are left out. For MatchTarget: run the program, and
// the joint is where it will be. Changes nothing in `state`.
void project_current(const ControllerDef& def, const MotionTable& motions, ControllerState state,
                     double n, ControllerOutput& out);

// How to move a character's root in this update for a MatchTarget. `root`: where it stands (world);
// `predicted`: where the joint will be at the end if nothing is corrected (world). First the turn
// about +Y at the root, then the translation (world). Identity if `match` is not active.
struct MatchCorrection {
  Quat turn;
  Vec3 translation;
};
MatchCorrection correct_for_match(const MatchOut& match, const Transform& root,
                                  const Transform& predicted);

// What one layer shows by itself, before the layers are put over each other.
struct ScalarLayer {
  bool shown = false;
  float value = 0;
};

// Runs a pose program on one number per pose instead: clip i plays values[i], the default pose is
// 0; a motion that is only partly there (kClip with `count` 1) does not touch the number. `memory`:
// def.limits().scalar_memory floats, zero at the start; the first ones are the frozen values of the
// layers. `layers` (may be empty): one entry per layer, written. For tests, and for `step` without
// a model.
float run_scalar_tasks(const ControllerDef& def, std::span<const PoseTask> program,
                       std::span<const float> weights, std::span<const float> values,
                       std::span<float> memory, std::span<ScalarLayer> layers = {});

}  // namespace sinew
