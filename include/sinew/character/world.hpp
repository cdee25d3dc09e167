// Many characters that advance together by fixed ticks.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <sinew/base/jobs.hpp>
#include <sinew/base/result.hpp>
#include <sinew/character/character_def.hpp>
#include <sinew/character/events.hpp>
#include <sinew/character/input.hpp>
#include <sinew/character/tick.hpp>

namespace sinew {

struct WorldDef {
  int max_characters = 64;    // [1, 65536]
  std::uint64_t seed = 0;     // part of the state's hash; kept by snapshots
  JobSystem* jobs = nullptr;  // null: everything on the calling thread. Must outlive the world
};

struct SpawnDef {
  Vec3 position{};  // world, metres
  float yaw = 0;    // radians about +Y, 0 looks along +Z
};

// What one layer of a character plays.
struct LayerInfo {
  StateId current, next;    // next: null outside a transition
  double current_time = 0;  // normalized: whole loops and a fraction
  double next_time = 0;
  double progress = 0;  // of the transition, [0, 1]
  float weight = 1;
  bool frozen = false;  // the source side of the transition is a frozen pose
};

// Memory is taken when a world is made, when a definition is seen for the first time, and at a
// spawn; an update takes none. Not for several threads at once; an update itself uses the job
// system, and its results are the same bits for any number of workers.
//
// Functions that take an id return false, null or an empty span where it is stale (its character
// was despawned), and change nothing then.
class World {
 public:
  explicit World(const WorldDef& def = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  // The lowest free slot is taken. The character enters its controller in the next update; until
  // then it shows the rest pose. Null if the world is full or the place is not finite.
  CharacterId spawn(const CharacterDef& def, const SpawnDef& where = {});
  bool despawn(CharacterId id);
  bool alive(CharacterId id) const;
  // Makes a definition known (restore() and recorded spawns refer to these), as a spawn does. Its
  // number counts up from 0.
  int add_definition(const CharacterDef& def);
  std::span<const CharacterDef> definitions() const;

  // ---- inputs: they take part in the next update. Refused (false, reported to the log): a stale
  // id, a null handle, numbers that are not finite or out of range.

  // Any type of parameter: bool and trigger by value != 0, int rounds.
  bool set(CharacterId id, ParamId parameter, double value);
  bool trigger(CharacterId id, ParamId parameter);
  bool reset_trigger(CharacterId id, ParamId parameter);
  // Cuts to a state; without a time, one that plays already goes on.
  bool play(CharacterId id, StateId state);
  bool play(CharacterId id, StateId state, double normalized_time);
  bool cross_fade(CharacterId id, StateId state, double seconds, double offset_seconds = 0);
  bool set_layer_weight(CharacterId id, int layer, float weight);
  // Factor on the definition's speed, [0, 100].
  bool set_speed(CharacterId id, float factor);
  // For the next update alone; a second one replaces the first.
  bool move(CharacterId id, const MoveCommand& command);
  // At once: outputs show it before the next update too. A jump: the rig forgets what it remembers
  // (springs, damping), which would swing after it.
  bool place(CharacterId id, Vec3 position, float yaw);
  // The rig: handles come from CharacterDef::rig(), looked up once. Values stay until set again and
  // are clamped to the channel's range; a channel that a parameter drives is refused (set the
  // parameter). Clips that key a channel win over what is set here.
  bool set_rig(CharacterId id, RigChannel channel, double value);
  // Where a node of the rig is: in the world, or in its parent's space if it has one. The rotation
  // needs no unit length, but a direction.
  bool set_rig_node(CharacterId id, RigNodeId node, Vec3 position, Quat rotation);
  bool set_rig_position(CharacterId id, RigNodeId node, Vec3 position);
  bool reset_rig(CharacterId id);
  // Any of these as a record. A spawn must refer to a known definition; it gives the id that was
  // recorded if slots are free as they were then.
  bool apply(const WorldInput& input);
  // Those taken since the last update began, in order.
  std::span<const WorldInput> inputs() const;

  // One tick: inputs, graph, pose | bodies | ground, rig, matrices | events. A dt that is not
  // finite or negative counts as 0.
  void update(const Tick& tick);

  // ---- results, valid until the next update, spawn, despawn or restore

  // Ids of all characters in their fixed order.
  std::span<const CharacterId> characters() const;
  const CharacterDef* definition(CharacterId id) const;
  // World <- model, scale included.
  Transform world_transform(CharacterId id) const;
  Vec3 position(CharacterId id) const;
  float yaw(CharacterId id) const;  // radians, (-pi, pi]
  // Model space, joint_count() matrices in joint order.
  std::span<const Mat3x4> model_matrices(CharacterId id) const;
  // Model space, one per joint of the skin: model * inverse bind.
  std::span<const Mat3x4> skinning(CharacterId id, int skin = 0) const;
  // Local, in the skeleton's slots.
  ConstPoseSpan local_pose(CharacterId id) const;
  // What the clips asked the body to move in the last update (character's frame, before scale).
  RootDelta root_delta(CharacterId id) const;
  LayerInfo layer(CharacterId id, int layer) const;
  double get(CharacterId id, ParamId parameter) const;
  // What the last update used: a clip's key where there was one. 0 where there is no such channel.
  float rig_value(CharacterId id, RigChannel channel) const;
  // Where the last update left a node of the rig, model space.
  Transform rig_node(CharacterId id, RigNodeId node) const;
  // How constraint i of the rig (RigDef::find_constraint) fared in the last update.
  RigStatus rig_status(CharacterId id, int constraint) const;
  // Its constraints as the last update left them, in the world. Allocates: for tools.
  void draw_rig(CharacterId id, DebugDraw& draw) const;

  // Of the last update, in the fixed order.
  template <class Event>
  std::span<const Event> events() const;
  std::span<const EventRef> event_order() const;
  // Events that found no room, since the world was made (a huge dt over a short loop).
  std::uint64_t dropped_events() const;

  // ---- state

  // Number of updates.
  std::uint64_t tick_count() const;
  // Over everything that shows or decides: places, controllers, final poses, events of the last
  // update. The same on every machine and for any number of workers.
  std::uint64_t state_hash() const;
  std::uint64_t character_hash(CharacterId id) const;
  // The whole state, appended to `out`.
  void save(std::vector<std::byte>& out) const;
  // Errors, which change nothing: damaged bytes, another version, more slots than this world has, a
  // definition that this world does not know (see add_definition). Pending inputs are dropped and
  // no events are there afterwards.
  Status restore(std::span<const std::byte> bytes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
std::span<const StateEvent> World::events<StateEvent>() const;
template <>
std::span<const ClipEventFired> World::events<ClipEventFired>() const;

}  // namespace sinew
