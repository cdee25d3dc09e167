// Spawning, inputs and look-ups. The update is in world_update.cpp, snapshots in world_save.cpp.
#include <algorithm>
#include <utility>

#include <sinew/base/log.hpp>
#include <sinew/base/text.hpp>
#include <sinew/character/world.hpp>
#include <sinew/math/smooth.hpp>
#include <sinew/pose/model_pose.hpp>

#include "rig_curves.hpp"
#include "world_impl.hpp"

namespace sinew {

namespace {

constexpr std::size_t kInputsReserved = 256;

std::string describe(const WorldInput& input) {
  constexpr const char* kNames[] = {"spawn",         "despawn",      "set",        "trigger",
                                    "reset_trigger", "play",         "cross_fade", "layer_weight",
                                    "set_speed",     "move",         "place",      "set_rig",
                                    "rig_position",  "rig_rotation", "reset_rig"};
  return format_text("input '%s' for character %u:%u was refused",
                     kNames[static_cast<std::size_t>(input.kind)], input.character.index,
                     input.character.generation);
}

}  // namespace

PieceScratch::PieceScratch(const CharacterDef& def)
    : buffers(def.controller()),
      stack(def.skeleton().group_count(), static_cast<int>(def.controller().limits().stack_depth),
            def.pose_context().memory.partial),
      curves(def.rig_curves().level_size() * def.controller().limits().stack_depth) {
  if (def.rig()) rig.reserve(*def.rig());
}

Instance::Instance(const CharacterDef& def)
    : controller(def.controller()),
      stored(pose_memory_size(def.skeleton(), def.pose_context().memory)),
      stored_curves(def.rig_curves().stored_size(def.pose_context().memory)),
      rig(def.rig() ? RigState(*def.rig()) : RigState()),
      local(def.skeleton()),
      model(static_cast<std::size_t>(def.skeleton().joint_count())) {
  first_of_skin.push_back(0);
  for (const Skin& skin : def.skins())
    first_of_skin.push_back(first_of_skin.back() + skin.joints.size());
  skinning.resize(first_of_skin.back());
  state_events.reserve(def.controller().limits().state_events);
  clip_events.reserve(def.controller().limits().clip_events);
}

World::World(const WorldDef& def) : impl_(std::make_unique<Impl>()) {
  impl_->def = def;
  const int most = std::clamp(def.max_characters, 1, 65536);
  impl_->slots.resize(static_cast<std::size_t>(most));
  impl_->live.reserve(static_cast<std::size_t>(most));
  impl_->inputs.reserve(kInputsReserved);
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

// ---- definitions and slots

int World::Impl::add_definition(const CharacterDef& character) {
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].def == character) return static_cast<int>(i);
  }
  KnownDefinition entry{character, {}};
  for (int i = 0; i < kMaxPieces; ++i)
    entry.scratch.push_back(std::make_unique<PieceScratch>(character));
  known.push_back(std::move(entry));
  definitions.push_back(character);
  return static_cast<int>(known.size()) - 1;
}

const Slot* World::Impl::find(CharacterId id) const {
  if (!id || id.index >= slots.size()) return nullptr;
  const Slot& slot = slots[id.index];
  return slot.alive && slot.generation == id.generation ? &slot : nullptr;
}

void World::Impl::fill(std::size_t index, int definition) {
  Slot& slot = slots[index];
  const CharacterDef& character = known[static_cast<std::size_t>(definition)].def;
  if (!slot.instance || slot.definition != definition) {
    slot.instance = std::make_unique<Instance>(character);
  }
  slot.definition = definition;
  slot.alive = true;
  Instance& instance = *slot.instance;
  instance.controller.state().reset();
  instance.controller.state().set_speed(character.speed());
  PoseMemory(character.skeleton(), character.pose_context().memory, instance.stored)
      .reset(character.pose_context().defaults());
  copy_pose(character.skeleton().rest_groups(), instance.local);
  std::fill(instance.stored_curves.begin(), instance.stored_curves.end(), 0.0f);
  if (character.rig()) character.rig()->init_state(instance.rig);
  instance.state_events.clear();
  instance.clip_events.clear();
  instance.root_delta = {};
  instance.move = {};
  make_matrices(character, instance);
}

void World::Impl::list_live() {
  live.clear();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].alive) live.push_back({static_cast<std::uint32_t>(i), slots[i].generation});
  }
}

void World::Impl::reserve_events() {
  std::size_t states = 0, clips = 0;
  for (const CharacterId id : live) {
    const ControllerLimits& limits = known_of(slots[id.index]).def.controller().limits();
    states += limits.state_events;
    clips += limits.clip_events;
  }
  state_events.reserve(states);
  clip_events.reserve(clips);
  order.reserve(states + clips);
}

void World::Impl::clear_events() {
  state_events.clear();
  clip_events.clear();
  order.clear();
}

CharacterId World::Impl::spawn_known(int definition, Vec3 position, float yaw) {
  if (!is_finite(position) || !is_finite(yaw)) return {};
  const auto free =
      std::find_if(slots.begin(), slots.end(), [](const Slot& s) { return !s.alive; });
  if (free == slots.end()) return {};
  const auto index = static_cast<std::size_t>(free - slots.begin());
  if (++free->generation == 0) free->generation = 1;
  fill(index, definition);
  free->instance->position = position;
  free->instance->yaw = wrap_angle(yaw);
  list_live();
  reserve_events();
  return {static_cast<std::uint32_t>(index), free->generation};
}

int World::add_definition(const CharacterDef& def) { return impl_->add_definition(def); }
std::span<const CharacterDef> World::definitions() const { return impl_->definitions; }

CharacterId World::spawn(const CharacterDef& def, const SpawnDef& where) {
  WorldInput input;
  input.kind = WorldInput::Kind::kSpawn;
  input.index = impl_->add_definition(def);
  input.vector = where.position;
  input.number = static_cast<double>(where.yaw);
  CharacterId id;
  if (!impl_->take(input, id)) {
    log(Severity::kWarning, "a spawn was refused: the world is full or the place is not finite");
    return {};
  }
  input.character = id;
  impl_->record(input);
  return id;
}

bool World::despawn(CharacterId id) {
  WorldInput input;
  input.kind = WorldInput::Kind::kDespawn;
  input.character = id;
  return apply(input);
}

bool World::alive(CharacterId id) const { return impl_->find(id) != nullptr; }

// ---- inputs

void World::Impl::record(const WorldInput& input) {
  if (inputs_done) {
    inputs.clear();
    inputs_done = false;
  }
  inputs.push_back(input);
}

bool World::Impl::take_controller_input(const WorldInput& input, ControllerState state) {
  using Kind = WorldInput::Kind;
  const ParamId parameter{input.index};
  const StateId target{input.index};
  const bool is_play = input.kind == Kind::kPlay || input.kind == Kind::kCrossFade;
  const int count = is_play                            ? state.def().state_count()
                    : input.kind == Kind::kLayerWeight ? state.def().layer_count()
                                                       : state.def().parameter_count();
  if (input.index < 0 || input.index >= count) return false;
  switch (input.kind) {
    case Kind::kSet:
      return state.set(parameter, input.number);
    case Kind::kTrigger:
      return state.set_trigger(parameter);
    case Kind::kResetTrigger:
      return state.reset_trigger(parameter);
    case Kind::kPlay:
      return input.flag ? state.play(target, input.number) : state.play(target);
    case Kind::kCrossFade:
      return state.cross_fade_seconds(target, input.number, input.extra);
    case Kind::kLayerWeight:
      return state.set_layer_weight(input.index, static_cast<float>(input.number));
    default:
      return false;
  }
}

bool World::Impl::take(const WorldInput& input, CharacterId& spawned) {
  using Kind = WorldInput::Kind;
  const auto number = static_cast<float>(input.number);
  if (!is_finite(input.number) || !is_finite(input.extra) || !is_finite(input.vector)) return false;
  if (input.kind == Kind::kSpawn) {
    if (input.index < 0 || static_cast<std::size_t>(input.index) >= known.size()) return false;
    spawned = spawn_known(input.index, input.vector, number);
    return static_cast<bool>(spawned);
  }
  Slot* slot = find(input.character);
  if (!slot) return false;
  Instance& instance = *slot->instance;
  switch (input.kind) {
    case Kind::kDespawn:
      slot->alive = false;
      list_live();
      return true;
    case Kind::kSpeed:
      return input.number >= 0 && input.number <= 100 &&
             instance.controller.state().set_speed(known_of(*slot).def.speed() * number);
    case Kind::kMove:
      instance.move = {input.vector, number, input.flag};
      return true;
    case Kind::kPlace:
      instance.position = input.vector;
      instance.yaw = wrap_angle(number);
      if (const RigDef* rig = known_of(*slot).def.rig()) rig->reset_history(instance.rig);
      return true;
    case Kind::kRigValue:
    case Kind::kRigPosition:
    case Kind::kRigRotation:
    case Kind::kRigReset:
      return take_rig_input(input, known_of(*slot).def, instance);
    default:
      return take_controller_input(input, instance.controller.state());
  }
}

bool World::apply(const WorldInput& input) {
  if (static_cast<int>(input.kind) > static_cast<int>(WorldInput::kLastKind)) return false;
  CharacterId spawned;
  if (!impl_->take(input, spawned)) {
    log(Severity::kWarning, describe(input));
    return false;
  }
  WorldInput taken = input;
  if (input.kind == WorldInput::Kind::kSpawn) taken.character = spawned;
  impl_->record(taken);
  return true;
}

std::span<const WorldInput> World::inputs() const {
  if (impl_->inputs_done) return {};
  return impl_->inputs;
}

namespace {

WorldInput input_of(WorldInput::Kind kind, CharacterId id, std::int32_t index, double number = 0) {
  WorldInput input;
  input.kind = kind;
  input.character = id;
  input.index = index;
  input.number = number;
  return input;
}

}  // namespace

bool World::set(CharacterId id, ParamId parameter, double value) {
  return apply(input_of(WorldInput::Kind::kSet, id, parameter.index, value));
}
bool World::trigger(CharacterId id, ParamId parameter) {
  return apply(input_of(WorldInput::Kind::kTrigger, id, parameter.index));
}
bool World::reset_trigger(CharacterId id, ParamId parameter) {
  return apply(input_of(WorldInput::Kind::kResetTrigger, id, parameter.index));
}
bool World::play(CharacterId id, StateId state) {
  return apply(input_of(WorldInput::Kind::kPlay, id, state.index));
}
bool World::play(CharacterId id, StateId state, double normalized_time) {
  WorldInput input = input_of(WorldInput::Kind::kPlay, id, state.index, normalized_time);
  input.flag = true;
  return apply(input);
}
bool World::cross_fade(CharacterId id, StateId state, double seconds, double offset_seconds) {
  WorldInput input = input_of(WorldInput::Kind::kCrossFade, id, state.index, seconds);
  input.extra = offset_seconds;
  return apply(input);
}
bool World::set_layer_weight(CharacterId id, int layer, float weight) {
  return apply(input_of(WorldInput::Kind::kLayerWeight, id, layer, static_cast<double>(weight)));
}
bool World::set_speed(CharacterId id, float factor) {
  return apply(input_of(WorldInput::Kind::kSpeed, id, -1, static_cast<double>(factor)));
}
bool World::move(CharacterId id, const MoveCommand& command) {
  WorldInput input = input_of(WorldInput::Kind::kMove, id, -1, static_cast<double>(command.turn));
  input.vector = command.velocity;
  input.flag = command.with_root_motion;
  return apply(input);
}
bool World::place(CharacterId id, Vec3 position, float yaw) {
  WorldInput input = input_of(WorldInput::Kind::kPlace, id, -1, static_cast<double>(yaw));
  input.vector = position;
  return apply(input);
}

// ---- results

std::span<const CharacterId> World::characters() const { return impl_->live; }

const CharacterDef* World::definition(CharacterId id) const {
  const Slot* slot = impl_->find(id);
  return slot ? &impl_->known_of(*slot).def : nullptr;
}

Transform world_transform_of(const CharacterDef& def, const Instance& instance) {
  const float scale = def.scale();
  return {instance.position, from_yaw(instance.yaw), {scale, scale, scale}};
}

Transform World::world_transform(CharacterId id) const {
  const Slot* slot = impl_->find(id);
  return slot ? world_transform_of(impl_->known_of(*slot).def, *slot->instance) : Transform{};
}

Vec3 World::position(CharacterId id) const {
  const Slot* slot = impl_->find(id);
  return slot ? slot->instance->position : Vec3{};
}

float World::yaw(CharacterId id) const {
  const Slot* slot = impl_->find(id);
  return slot ? slot->instance->yaw : 0.0f;
}

std::span<const Mat3x4> World::model_matrices(CharacterId id) const {
  const Slot* slot = impl_->find(id);
  if (!slot) return {};
  return slot->instance->model;
}

std::span<const Mat3x4> World::skinning(CharacterId id, int skin) const {
  const Slot* slot = impl_->find(id);
  if (!slot || skin < 0) return {};
  const Instance& instance = *slot->instance;
  const auto i = static_cast<std::size_t>(skin);
  if (i + 1 >= instance.first_of_skin.size()) return {};
  const std::size_t first = instance.first_of_skin[i];
  return std::span(instance.skinning).subspan(first, instance.first_of_skin[i + 1] - first);
}

ConstPoseSpan World::local_pose(CharacterId id) const {
  const Slot* slot = impl_->find(id);
  if (!slot) return {};
  return std::as_const(slot->instance->local).span();
}

RootDelta World::root_delta(CharacterId id) const {
  const Slot* slot = impl_->find(id);
  return slot ? slot->instance->root_delta : RootDelta{};
}

LayerInfo World::layer(CharacterId id, int layer) const {
  const Slot* slot = impl_->find(id);
  if (!slot || layer < 0 || layer >= impl_->known_of(*slot).def.controller().layer_count())
    return {};
  const ControllerState state = slot->instance->controller.state();
  return {state.current(layer),   state.next(layer),     state.current_time(layer),
          state.next_time(layer), state.progress(layer), state.layer_weight(layer),
          state.frozen(layer)};
}

double World::get(CharacterId id, ParamId parameter) const {
  const Slot* slot = impl_->find(id);
  if (!slot) return 0;
  const ControllerDef& controller = impl_->known_of(*slot).def.controller();
  if (parameter.index < 0 || parameter.index >= controller.parameter_count()) return 0;
  const ControllerState state = slot->instance->controller.state();
  const ParameterType type =
      controller.tables().parameters[static_cast<std::size_t>(parameter.index)].type;
  switch (type) {
    case ParameterType::kFloat:
      return static_cast<double>(state.get_float(parameter));
    case ParameterType::kInt:
      return state.get_int(parameter);
    case ParameterType::kBool:
    case ParameterType::kTrigger:
      return state.get_bool(parameter) ? 1 : 0;
  }
  return 0;
}

template <>
std::span<const StateEvent> World::events<StateEvent>() const {
  return impl_->state_events;
}
template <>
std::span<const ClipEventFired> World::events<ClipEventFired>() const {
  return impl_->clip_events;
}
std::span<const EventRef> World::event_order() const { return impl_->order; }
std::uint64_t World::dropped_events() const { return impl_->dropped_events; }
std::uint64_t World::tick_count() const { return impl_->ticks; }

}  // namespace sinew
