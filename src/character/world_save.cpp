// Snapshots and hashes of a world.
#include <array>
#include <cstring>
#include <utility>

#include <sinew/base/bytes.hpp>
#include <sinew/base/hash.hpp>
#include <sinew/base/text.hpp>

#include "rig_curves.hpp"
#include "world_impl.hpp"

namespace sinew {

namespace {

constexpr std::uint32_t kMagic = 0x4e535753;  // "SWSN"
// 2: with the pose memory and the state of the rig.
constexpr std::uint32_t kVersion = 2;

void put(ByteWriter& out, Vec3 v) {
  out.put(v.x);
  out.put(v.y);
  out.put(v.z);
}
Vec3 get_vec3(ByteReader& in) {
  Vec3 v;
  v.x = in.get<float>();
  v.y = in.get<float>();
  v.z = in.get<float>();
  return v;
}

std::span<const std::byte> pose_bytes(std::span<const SoaTransform> groups) {
  return std::as_bytes(groups);
}

// One slot of a snapshot, checked and not yet applied.
struct SavedSlot {
  std::uint32_t generation = 0;
  bool alive = false;
  int definition = -1;
  Vec3 position;
  float yaw = 0;
  std::span<const std::byte> controller, stored, local, stored_curves, rig;
};

// Poses of damaged bytes may be odd, but never NaN.
bool all_finite(std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i + sizeof(float) <= bytes.size(); i += sizeof(float)) {
    float value;
    std::memcpy(&value, bytes.data() + i, sizeof value);
    if (!is_finite(value)) return false;
  }
  return true;
}

Error damaged() {
  return make_error(ErrorCode::kMalformed, "the snapshot is damaged or cut short");
}

}  // namespace

void World::save(std::vector<std::byte>& bytes) const {
  const Impl& impl = *impl_;
  ByteWriter out(bytes);
  out.put(kMagic);
  out.put(kVersion);
  out.put(impl.ticks);
  out.put(impl.def.seed);
  out.put(impl.dropped_events);
  out.put(static_cast<std::uint32_t>(impl.slots.size()));
  for (const Slot& slot : impl.slots) {
    out.put(slot.generation);
    out.put(static_cast<std::uint8_t>(slot.alive ? 1 : 0));
    if (!slot.alive) continue;
    const Instance& instance = *slot.instance;
    out.put(impl.known_of(slot).def.hash());
    put(out, instance.position);
    out.put(instance.yaw);
    out.bytes(slot.instance->controller.state().bytes());
    out.bytes(std::as_bytes(std::span(instance.stored)));
    out.bytes(pose_bytes(instance.local.span()));
    out.bytes(std::as_bytes(std::span(instance.stored_curves)));
    out.bytes(instance.rig);
  }
}

namespace {

Status check_rig(const SavedSlot& slot, const CharacterDef& def) {
  const std::size_t floats = def.rig_curves().stored_size(def.pose_context().memory);
  if (slot.stored_curves.size() != floats * sizeof(float)) return damaged();
  for (std::size_t i = 0; i < floats; ++i) {
    float value = 0;
    std::memcpy(&value, slot.stored_curves.data() + i * sizeof value, sizeof value);
    if (!is_finite(value)) return damaged();
  }
  if (!def.rig()) return slot.rig.empty() ? Status{} : damaged();
  if (slot.rig.size() != def.rig()->state_size()) return damaged();
  // On a copy, since the snapshot's bytes need not be aligned.
  RigState trial(*def.rig());
  std::memcpy(std::span<std::byte>(trial).data(), slot.rig.data(), slot.rig.size());
  return def.rig()->check_state(std::as_const(trial));
}

Result<SavedSlot> read_slot(ByteReader& in, std::span<const KnownDefinition> known) {
  SavedSlot slot;
  slot.generation = in.get<std::uint32_t>();
  slot.alive = in.get<std::uint8_t>() != 0;
  if (!slot.alive) return slot;
  const auto hash = in.get<std::uint64_t>();
  slot.position = get_vec3(in);
  slot.yaw = in.get<float>();
  slot.controller = in.bytes();
  slot.stored = in.bytes();
  slot.local = in.bytes();
  slot.stored_curves = in.bytes();
  slot.rig = in.bytes();
  if (in.failed() || !is_finite(slot.position) || !is_finite(slot.yaw) || slot.generation == 0) {
    return damaged();
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].def.hash() == hash) slot.definition = static_cast<int>(i);
  }
  if (slot.definition < 0) {
    return make_error(
        ErrorCode::kMismatch,
        format_text("the snapshot holds a character whose definition (hash %016llx) this "
                    "world does not know; it has changed, or was not added",
                    static_cast<unsigned long long>(hash)));
  }
  const CharacterDef& def = known[static_cast<std::size_t>(slot.definition)].def;
  const std::size_t groups = static_cast<std::size_t>(def.skeleton().group_count());
  const bool fits =
      slot.controller.size() == def.controller().state_size() &&
      slot.local.size() == groups * sizeof(SoaTransform) &&
      slot.stored.size() ==
          pose_memory_size(def.skeleton(), def.pose_context().memory) * sizeof(float) &&
      all_finite(slot.stored) && all_finite(slot.local);
  if (!fits) return damaged();
  if (Status status = check_rig(slot, def); !status) return status.error();
  // The controller checks its own bytes against its definition: on a scratch copy, so that a fault
  // in a later slot leaves the world as it was.
  ControllerInstance trial(def.controller());
  if (Status status = trial.state().restore(slot.controller); !status) return status.error();
  return slot;
}

}  // namespace

Status World::restore(std::span<const std::byte> bytes) {
  Impl& impl = *impl_;
  ByteReader in(bytes);
  if (in.get<std::uint32_t>() != kMagic) {
    return make_error(ErrorCode::kMalformed, "these bytes are no snapshot of a world");
  }
  if (const auto version = in.get<std::uint32_t>(); version != kVersion) {
    return make_error(
        ErrorCode::kUnsupported,
        format_text("the snapshot has version %u, this program reads %u", version, kVersion));
  }
  const auto ticks = in.get<std::uint64_t>();
  const auto seed = in.get<std::uint64_t>();
  const auto dropped = in.get<std::uint64_t>();
  const auto count = in.get<std::uint32_t>();
  if (in.failed() || !in.fits(count, 5)) return damaged();
  std::vector<SavedSlot> saved;
  saved.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    Result<SavedSlot> slot = read_slot(in, impl.known);
    if (!slot) return slot.error();
    if (slot->alive && i >= impl.slots.size()) {
      return make_error(
          ErrorCode::kLimit,
          format_text("the snapshot needs slot %u, this world has %zu", i, impl.slots.size()));
    }
    saved.push_back(std::move(slot).value());
  }
  if (in.failed() || !in.at_end()) return damaged();

  for (std::size_t i = 0; i < impl.slots.size(); ++i) {
    Slot& slot = impl.slots[i];
    slot.alive = false;
    slot.generation = i < saved.size() ? saved[i].generation : 0;
    if (i >= saved.size() || !saved[i].alive) continue;
    impl.fill(i, saved[i].definition);
    Instance& instance = *slot.instance;
    instance.position = saved[i].position;
    instance.yaw = saved[i].yaw;
    // Checked above; a second refusal cannot happen.
    [[maybe_unused]] const Status status = instance.controller.state().restore(saved[i].controller);
    assert(status.ok());
    if (!saved[i].stored.empty()) {
      std::memcpy(instance.stored.data(), saved[i].stored.data(), saved[i].stored.size());
    }
    if (!saved[i].local.empty()) {
      std::memcpy(instance.local.span().data(), saved[i].local.data(), saved[i].local.size());
    }
    if (!saved[i].stored_curves.empty()) {
      std::memcpy(instance.stored_curves.data(), saved[i].stored_curves.data(),
                  saved[i].stored_curves.size());
    }
    if (!saved[i].rig.empty()) {
      std::memcpy(std::span<std::byte>(instance.rig).data(), saved[i].rig.data(),
                  saved[i].rig.size());
    }
    make_matrices(impl.known[static_cast<std::size_t>(saved[i].definition)].def, instance);
  }
  impl.ticks = ticks;
  impl.def.seed = seed;
  impl.dropped_events = dropped;
  impl.inputs.clear();
  impl.inputs_done = false;
  impl.clear_events();
  impl.list_live();
  impl.reserve_events();
  return {};
}

std::uint64_t World::character_hash(CharacterId id) const {
  const Slot* slot = impl_->find(id);
  if (!slot) return 0;
  const CharacterDef& def = impl_->known_of(*slot).def;
  const Instance& instance = *slot->instance;
  const ControllerState state = slot->instance->controller.state();
  // Results alone, not the definition's hash: a golden hash changes only when results do.
  Hasher hasher;
  hasher.floats(
      std::array{instance.position.x, instance.position.y, instance.position.z, instance.yaw});
  for (const ParameterValue& value : state.parameters()) {
    hasher.u64(static_cast<std::uint32_t>(value.integer));
  }
  for (int i = 0; i < def.controller().layer_count(); ++i) {
    hasher.u64(static_cast<std::uint64_t>(state.current(i).index));
    hasher.u64(static_cast<std::uint64_t>(state.next(i).index));
    hasher.u64(static_cast<std::uint64_t>(state.interrupted(i).index));
    hasher.f64(state.current_time(i));
    hasher.f64(state.next_time(i));
    hasher.f64(state.progress(i));
    hasher.f32(state.layer_weight(i));
    hasher.u64(state.frozen(i) ? 1 : 0);
  }
  for (const Mat3x4& m : instance.model) {
    for (const Vec4& row : m.row) hasher.floats(std::array{row.x, row.y, row.z, row.w});
  }
  if (def.rig()) def.rig()->hash_results(std::as_const(instance.rig), hasher);
  return hasher.value();
}

std::uint64_t World::state_hash() const {
  const Impl& impl = *impl_;
  Hasher hasher;
  hasher.u64(impl.ticks);
  hasher.u64(impl.def.seed);
  for (const CharacterId id : impl.live) {
    hasher.u64(id.index);
    hasher.u64(id.generation);
    hasher.u64(character_hash(id));
  }
  for (const EventRef& ref : impl.order) {
    hasher.u64(static_cast<std::uint64_t>(ref.type));
    if (ref.type == EventRef::Type::kState) {
      const StateEvent& e = impl.state_events[ref.index];
      hasher.u64(e.character.index);
      hasher.u64(static_cast<std::uint64_t>(e.kind));
      hasher.u64(static_cast<std::uint64_t>(e.layer));
      hasher.u64(static_cast<std::uint64_t>(e.state.index));
      hasher.u64(static_cast<std::uint64_t>(e.transition));
    } else {
      const ClipEventFired& e = impl.clip_events[ref.index];
      hasher.u64(e.character.index);
      hasher.f64(e.time);
      hasher.u64(static_cast<std::uint64_t>(e.layer));
      hasher.u64(static_cast<std::uint64_t>(e.state.index));
      hasher.u64(static_cast<std::uint64_t>(e.motion));
      hasher.u64(static_cast<std::uint64_t>(e.event));
      hasher.f32(e.weight);
    }
  }
  return hasher.value();
}

}  // namespace sinew
