// The saved form of the bodies of a world, for implementations of PhysicsWorld.
#pragma once

#include <vector>

#include <sinew/base/bytes.hpp>
#include <sinew/physics/query_scene.hpp>

namespace sinew {

// True for numbers, and a rotation that has a direction.
bool is_valid(const BodyState& state);

struct SavedBody {
  std::uint32_t index = 0;  // slot in the scene that it is restored into
  Motion motion = Motion::kStatic;
  Presence presence = Presence::kNone;
  LayerMask layer = 0, mask = 0;
  std::uint64_t group_ignore = 0;
  BodyState state;
};

// Slots of live bodies by (order, index): how worlds save and simulate them.
std::vector<std::uint32_t> by_order(const QueryScene& scene);

void save_bodies(ByteWriter& out, const QueryScene& scene);
// Errors, which change nothing: bytes that are damaged, bodies whose orders are not those of the
// scene, numbers that are not finite.
Status read_bodies(ByteReader& in, const QueryScene& scene, std::vector<SavedBody>& out);
void apply_bodies(std::span<const SavedBody> saved, QueryScene& scene);

}  // namespace sinew
