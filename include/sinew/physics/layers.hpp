// Which bodies meet which, and which a query sees: one bit per layer.
#pragma once

#include <cstdint>

namespace sinew {

using LayerMask = std::uint32_t;

// The layers that Sinew itself uses; bits from kUserLayer up are the host's.
inline constexpr LayerMask kLayerGround = 1u << 0;     // terrain, floors, walls: does not move
inline constexpr LayerMask kLayerPlatform = 1u << 1;   // moves by script, carries what stands on it
inline constexpr LayerMask kLayerProp = 1u << 2;       // loose bodies: crates
inline constexpr LayerMask kLayerCharacter = 1u << 3;  // capsules of characters
inline constexpr LayerMask kLayerRagdoll = 1u << 4;    // limbs moved by physics
inline constexpr LayerMask kLayerHitShape = 1u << 5;   // limbs moved by animation: seen by queries
inline constexpr int kUserLayer = 8;

inline constexpr LayerMask kAllLayers = ~0u;
// What holds a character up.
inline constexpr LayerMask kSolidLayers = kLayerGround | kLayerPlatform | kLayerProp;

// Two bodies touch if each one's mask holds the other's layer.
constexpr bool layers_meet(LayerMask layer_a, LayerMask mask_a, LayerMask layer_b,
                           LayerMask mask_b) {
  return (layer_a & mask_b) != 0 && (layer_b & mask_a) != 0;
}

}  // namespace sinew
