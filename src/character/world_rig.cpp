// What a host tells the rig of a character, and reads of it.
#include <utility>

#include <sinew/character/world.hpp>

#include "world_impl.hpp"

namespace sinew {

bool World::Impl::take_rig_input(const WorldInput& input, const CharacterDef& def,
                                 Instance& instance) {
  using Kind = WorldInput::Kind;
  const RigDef* rig = def.rig();
  if (!rig) return false;
  const RigChannel channel{static_cast<std::int16_t>(input.index)};
  const RigNodeId node{static_cast<std::int16_t>(input.index)};
  const auto number = static_cast<float>(input.number);
  const int count = input.kind == Kind::kRigValue ? rig->channel_count() : rig->node_count();
  if (input.kind != Kind::kRigReset && (input.index < 0 || input.index >= count)) return false;
  switch (input.kind) {
    case Kind::kRigValue:
      return !rig->is_driven(channel) && rig->set(instance.rig, channel, number);
    case Kind::kRigPosition: {
      Transform at = rig->get_node(instance.rig, node);
      at.translation = input.vector;
      return rig->set_node(instance.rig, node, at);
    }
    case Kind::kRigRotation: {
      Transform at = rig->get_node(instance.rig, node);
      at.rotation = {input.vector.x, input.vector.y, input.vector.z, number};
      if (!(dot(at.rotation, at.rotation) > 1e-12f)) return false;
      return rig->set_node(instance.rig, node, at);
    }
    default:
      rig->reset_history(instance.rig);
      return true;
  }
}

namespace {

WorldInput rig_input(WorldInput::Kind kind, CharacterId id, std::int32_t index, double number = 0) {
  WorldInput input;
  input.kind = kind;
  input.character = id;
  input.index = index;
  input.number = number;
  return input;
}

}  // namespace

bool World::set_rig(CharacterId id, RigChannel channel, double value) {
  return apply(rig_input(WorldInput::Kind::kRigValue, id, channel.index, value));
}
bool World::set_rig_position(CharacterId id, RigNodeId node, Vec3 position) {
  WorldInput input = rig_input(WorldInput::Kind::kRigPosition, id, node.index);
  input.vector = position;
  return apply(input);
}
bool World::set_rig_node(CharacterId id, RigNodeId node, Vec3 position, Quat rotation) {
  // Two records, since one has no room for both; both or none.
  WorldInput turn =
      rig_input(WorldInput::Kind::kRigRotation, id, node.index, static_cast<double>(rotation.w));
  turn.vector = {rotation.x, rotation.y, rotation.z};
  return is_finite(position) && apply(turn) && set_rig_position(id, node, position);
}
bool World::reset_rig(CharacterId id) {
  return apply(rig_input(WorldInput::Kind::kRigReset, id, -1));
}

float World::rig_value(CharacterId id, RigChannel channel) const {
  const Slot* slot = impl_->find(id);
  const RigDef* rig = slot ? impl_->known_of(*slot).def.rig() : nullptr;
  return rig ? rig->shown(std::as_const(slot->instance->rig), channel) : 0.0f;
}

Transform World::rig_node(CharacterId id, RigNodeId node) const {
  const Slot* slot = impl_->find(id);
  const RigDef* rig = slot ? impl_->known_of(*slot).def.rig() : nullptr;
  if (!rig || node.index < 0 || node.index >= rig->node_count()) return {};
  return rig->node_result(std::as_const(slot->instance->rig), node);
}

RigStatus World::rig_status(CharacterId id, int constraint) const {
  const Slot* slot = impl_->find(id);
  const RigDef* rig = slot ? impl_->known_of(*slot).def.rig() : nullptr;
  if (!rig || constraint < 0 || constraint >= rig->constraint_count()) return RigStatus::kIdle;
  return rig->status(std::as_const(slot->instance->rig), constraint);
}

void World::draw_rig(CharacterId id, DebugDraw& draw) const {
  const Slot* slot = impl_->find(id);
  const RigDef* rig = slot ? impl_->known_of(*slot).def.rig() : nullptr;
  if (!rig) return;
  const Instance& instance = *slot->instance;
  const Transform root = world_transform_of(impl_->known_of(*slot).def, instance);
  WorldDebugDraw world(draw, root);
  sinew::draw_rig(*rig, std::as_const(instance.rig), instance.local.span(), root, world);
}

}  // namespace sinew
