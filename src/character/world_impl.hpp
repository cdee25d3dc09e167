// What a world holds.
#pragma once

#include <memory>
#include <vector>

#include <sinew/asset/model.hpp>
#include <sinew/character/world.hpp>
#include <sinew/graph/output.hpp>
#include <sinew/graph/state.hpp>
#include <sinew/graph/update.hpp>
#include <sinew/pose/root_motion.hpp>

namespace sinew {

// Characters of one update are cut into at most this many pieces of work, each with scratch of its
// own. Enough for any number of cores that a game gives to animation; the number changes no result.
inline constexpr int kMaxPieces = 16;

// What one piece of work needs while it runs a character of one definition.
struct PieceScratch {
  explicit PieceScratch(const CharacterDef& def);
  ControllerBuffers buffers;
  PoseStack stack;
  std::vector<float> curves;  // as deep as the stack
  RigScratch rig;
};

struct KnownDefinition {
  CharacterDef def;
  std::vector<std::unique_ptr<PieceScratch>> scratch;  // kMaxPieces
};

// One character. Buffers are sized at the spawn and kept for the next one of the same definition.
struct Instance {
  explicit Instance(const CharacterDef& def);

  ControllerInstance controller;
  std::vector<float> stored;         // PoseMemory: frozen and held poses, inertia
  std::vector<float> stored_curves;  // what clips key of the rig, per frozen pose
  RigState rig;                      // empty without a rig
  Pose local;                        // final
  std::vector<Mat3x4> model;
  std::vector<Mat3x4> skinning;             // all skins, one after another
  std::vector<std::size_t> first_of_skin;   // into skinning; one more than there are skins
  std::vector<StateEventOut> state_events;  // of this update, not more than their capacity
  std::vector<ClipEventOut> clip_events;
  std::size_t dropped_events = 0;
  RootDelta root_delta;
  Vec3 position;
  float yaw = 0;
  MoveCommand move;
};

struct Slot {
  std::uint32_t generation = 0;
  bool alive = false;
  int definition = -1;  // kept after a despawn: whose buffers `instance` has
  std::unique_ptr<Instance> instance;
};

struct World::Impl {
  WorldDef def;
  SerialJobs serial;
  std::vector<KnownDefinition> known;
  std::vector<CharacterDef> definitions;  // of `known`, for the public span
  std::vector<Slot> slots;
  std::vector<CharacterId> live;  // in slot order
  std::vector<WorldInput> inputs;
  bool inputs_done = false;  // the last update took them
  std::uint64_t ticks = 0;
  double dt = 0;  // of the running update

  std::vector<StateEvent> state_events;
  std::vector<ClipEventFired> clip_events;
  std::vector<EventRef> order;
  std::uint64_t dropped_events = 0;

  JobSystem& jobs() { return def.jobs ? *def.jobs : serial; }
  // Null for a stale id.
  const Slot* find(CharacterId id) const;
  Slot* find(CharacterId id) { return const_cast<Slot*>(std::as_const(*this).find(id)); }
  const KnownDefinition& known_of(const Slot& slot) const {
    return known[static_cast<std::size_t>(slot.definition)];
  }

  int add_definition(const CharacterDef& character);
  // Makes or reuses the slot's buffers and starts it there.
  void fill(std::size_t slot, int definition);
  void list_live();
  void reserve_events();
  void clear_events();
  CharacterId spawn_known(int definition, Vec3 position, float yaw);
  // Applies to the instance; false if refused.
  bool take(const WorldInput& input, CharacterId& spawned);
  bool take_controller_input(const WorldInput& input, ControllerState state);
  static bool take_rig_input(const WorldInput& input, const CharacterDef& def, Instance& instance);
  void record(const WorldInput& input);

  // The four phases.
  void run_pieces(void (Impl::*member)(int piece, int pieces));
  void animate_piece(int piece, int pieces);
  void animate(Slot& slot, PieceScratch& scratch);
  void move_bodies();
  void finish_piece(int piece, int pieces);
  void finish_pose(Slot& slot, PieceScratch& scratch);
  void collect_events();
  void collect_events(CharacterId id, Instance& instance);

  // Pieces of the live list: [first, last).
  std::pair<std::size_t, std::size_t> range(int piece, int pieces) const;
};

// World <- model, scale included.
Transform world_transform_of(const CharacterDef& def, const Instance& instance);

// Model and skinning matrices of the final pose.
void make_matrices(const CharacterDef& def, Instance& instance);

}  // namespace sinew
