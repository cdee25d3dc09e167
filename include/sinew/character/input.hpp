// What a host tells a world between two updates, as plain records: what is recorded and replayed.
#pragma once

#include <cstdint>

#include <sinew/base/id.hpp>
#include <sinew/graph/types.hpp>
#include <sinew/math/vec.hpp>

namespace sinew {

struct CharacterTag;
using CharacterId = Id<CharacterTag>;

// One input. Fields that a kind does not name are ignored (and zero, so that records compare).
struct WorldInput {
  enum class Kind : std::uint8_t {
    kSpawn,  // definition `index` of the world at `vector`, yaw `number`
    kDespawn,
    kSet,           // parameter `index` to `number`, of any type
    kTrigger,       // parameter `index`
    kResetTrigger,  // parameter `index`
    kPlay,          // state `index` from normalized time `number` (`flag`), else as it is
    kCrossFade,     // to state `index` within `number` seconds, from `extra` seconds
    kLayerWeight,   // layer `index` to `number`
    kSpeed,         // of the controller, as a factor on the definition's: `number`
    kMove,          // for one update: velocity `vector` (world), turn `number`
    kPlace,         // to `vector`, yaw `number`
    kRigValue,      // channel `index` of the rig to `number`
    kRigPosition,   // node `index` of the rig to `vector`, in its parent's space
    kRigRotation,   // node `index` of the rig to the quaternion (`vector`, `number`)
    kRigReset,      // the rig forgets what it remembers
  };
  static constexpr Kind kLastKind = Kind::kRigReset;
  Kind kind = Kind::kSet;
  bool flag = false;
  CharacterId character;  // kSpawn: the id that it got
  std::int32_t index = -1;
  double number = 0;
  double extra = 0;
  Vec3 vector;

  friend bool operator==(const WorldInput&, const WorldInput&) = default;
};

// A move on top of the clips' own, for one update.
struct MoveCommand {
  Vec3 velocity{};  // metres per second, world
  float turn = 0;   // radians about +Y in this update, before the clips' travel is added
  // Clips move the character too; false: only this command does.
  bool with_root_motion = true;
};

}  // namespace sinew
