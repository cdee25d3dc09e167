// The tick. Parallel: inputs, graph, pose | serial: bodies | parallel: ground, rig, matrices |
// serial: events. Bodies stand between the parallel phases because they share one physics world.
#include <algorithm>
#include <utility>

#include <sinew/math/smooth.hpp>
#include <sinew/pose/model_pose.hpp>

#include "rig_curves.hpp"
#include "world_impl.hpp"

namespace sinew {

// Runs a member for every piece through the job system.
void World::Impl::run_pieces(void (Impl::*member)(int, int)) {
  struct Context {
    Impl* impl;
    void (Impl::*member)(int, int);
    int pieces;
  };
  Context context{this, member, static_cast<int>(std::min<std::size_t>(live.size(), kMaxPieces))};
  if (context.pieces == 0) return;
  jobs().parallel_for(
      context.pieces,
      [](void* user, int piece) {
        const auto* c = static_cast<const Context*>(user);
        (c->impl->*c->member)(piece, c->pieces);
      },
      &context);
}

void make_matrices(const CharacterDef& def, Instance& instance) {
  local_to_model(def.skeleton(), std::as_const(instance.local).span(), instance.model);
  for (std::size_t i = 0; i < def.skins().size(); ++i) {
    const std::size_t first = instance.first_of_skin[i];
    skinning_matrices(
        def.skins()[i], instance.model,
        std::span(instance.skinning).subspan(first, instance.first_of_skin[i + 1] - first));
  }
}

std::pair<std::size_t, std::size_t> World::Impl::range(int piece, int pieces) const {
  const std::size_t count = live.size();
  const auto p = static_cast<std::size_t>(piece), n = static_cast<std::size_t>(pieces);
  return {count * p / n, count * (p + 1) / n};
}

void World::Impl::animate_piece(int piece, int pieces) {
  const auto [first, last] = range(piece, pieces);
  for (std::size_t i = first; i < last; ++i) {
    Slot& slot = slots[live[i].index];
    animate(slot, *known_of(slot).scratch[static_cast<std::size_t>(piece)]);
  }
}

namespace {

// A parameter of any type as a number; triggers are 1 while they are set.
float number_of(const ControllerState& state, ParamId parameter) {
  const auto i = static_cast<std::size_t>(parameter.index);
  switch (state.def().tables().parameters[i].type) {
    case ParameterType::kFloat:
      return state.get_float(parameter);
    case ParameterType::kInt:
      return static_cast<float>(state.get_int(parameter));
    case ParameterType::kBool:
    case ParameterType::kTrigger:
      return state.get_bool(parameter) ? 1.0f : 0.0f;
  }
  return 0;
}

}  // namespace

void World::Impl::animate(Slot& slot, PieceScratch& scratch) {
  const CharacterDef& character = known_of(slot).def;
  Instance& instance = *slot.instance;
  ControllerOutput& out = scratch.buffers.output();
  ControllerState state = instance.controller.state();
  update_controller(character.controller(), character.motions(), state, dt, out);

  run_pose_tasks(character.pose_context(), out.program(), out.program_weights(), instance.stored,
                 scratch.stack, instance.local);
  if (const RigDef* rig = character.rig()) {
    const std::span<const ParamId> parameters = character.rig_parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      rig->set_parameter(instance.rig, static_cast<int>(i), number_of(state, parameters[i]));
    }
    if (!character.rig_curves().empty()) {
      character.rig_curves().run(out.program(), out.program_weights(),
                                 character.pose_context().clips, character.pose_context().memory,
                                 instance.stored_curves, scratch.curves, *rig, instance.rig);
    }
  }
  instance.root_delta =
      reduce_root_motion(character.controller(), state,
                         out.root_motions.first(out.root_motion_count), character.travel_paths());

  const auto states = out.state_events.first(out.state_event_count);
  const auto clips = out.clip_events.first(out.clip_event_count);
  instance.state_events.assign(states.begin(), states.end());
  instance.clip_events.assign(clips.begin(), clips.end());
  instance.dropped_events = out.dropped_events;
}

// Who owns the bones is decided here once bodies have physics: animation alone so far. The travel
// of the clips and the host's commands move the character over the ground.
void World::Impl::move_bodies() {
  const auto step = static_cast<float>(dt);
  for (const CharacterId id : live) {
    Slot& slot = slots[id.index];
    Instance& instance = *slot.instance;
    const CharacterDef& character = known_of(slot).def;
    const MoveCommand move = std::exchange(instance.move, MoveCommand{});
    float yaw = wrap_angle(instance.yaw + move.turn);
    Vec3 position = instance.position + move.velocity * step;
    if (character.root_motion() && move.with_root_motion) {
      const RootDelta& delta = instance.root_delta;
      position += rotate(from_yaw(yaw), delta.translation * character.scale());
      yaw = wrap_angle(yaw + yaw_of(delta.rotation));
    }
    // A place too far away for a float is no place: stay.
    if (is_finite(position)) instance.position = position;
    if (is_finite(yaw)) instance.yaw = yaw;
  }
}

void World::Impl::finish_piece(int piece, int pieces) {
  const auto [first, last] = range(piece, pieces);
  for (std::size_t i = first; i < last; ++i) {
    Slot& slot = slots[live[i].index];
    finish_pose(slot, *known_of(slot).scratch[static_cast<std::size_t>(piece)]);
  }
}

// Ground and rig change instance.local here, before its matrices are made.
void World::Impl::finish_pose(Slot& slot, PieceScratch& scratch) {
  const CharacterDef& character = known_of(slot).def;
  Instance& instance = *slot.instance;
  if (const RigDef* rig = character.rig()) {
    evaluate_rig(*rig, instance.rig, instance.local, world_transform_of(character, instance),
                 static_cast<float>(dt), scratch.rig);
  }
  make_matrices(character, instance);
}

void World::Impl::collect_events(CharacterId id, Instance& instance) {
  dropped_events += instance.dropped_events;
  // Ruling 21 for one character: time, layer, kind, definition index. State events stand at the
  // start of the tick, in the machine's own order within a layer; what is equal keeps its order.
  std::sort(instance.clip_events.begin(), instance.clip_events.end(),
            [](const ClipEventOut& a, const ClipEventOut& b) {
              if (a.time != b.time) return a.time < b.time;
              if (a.layer != b.layer) return a.layer < b.layer;
              if (a.event != b.event) return a.event < b.event;
              if (a.state != b.state) return a.state < b.state;
              return a.weight > b.weight;
            });
  const auto add_state = [&](const StateEventOut& e) {
    order.push_back({EventRef::Type::kState, static_cast<std::uint32_t>(state_events.size())});
    state_events.push_back({id, e.kind, e.layer, StateId{e.state}, e.transition});
  };
  const auto add_clip = [&](const ClipEventOut& e) {
    order.push_back({EventRef::Type::kClip, static_cast<std::uint32_t>(clip_events.size())});
    clip_events.push_back({id, e.time, static_cast<std::int16_t>(e.layer), StateId{e.state},
                           e.motion, e.event, e.weight});
  };
  std::size_t clip = 0;
  const auto& clips = instance.clip_events;
  for (const StateEventOut& e : instance.state_events) {
    while (clip < clips.size() && clips[clip].time <= 0 && clips[clip].layer < e.layer) {
      add_clip(clips[clip++]);
    }
    add_state(e);
  }
  while (clip < clips.size()) add_clip(clips[clip++]);
}

void World::Impl::collect_events() {
  for (const CharacterId id : live) collect_events(id, *slots[id.index].instance);
}

void World::update(const Tick& tick) {
  Impl& impl = *impl_;
  impl.dt = is_finite(tick.dt) && tick.dt > 0 ? static_cast<double>(tick.dt) : 0.0;
  impl.clear_events();
  impl.run_pieces(&Impl::animate_piece);
  impl.move_bodies();
  impl.run_pieces(&Impl::finish_piece);
  impl.collect_events();
  impl.inputs_done = true;
  ++impl.ticks;
}

}  // namespace sinew
