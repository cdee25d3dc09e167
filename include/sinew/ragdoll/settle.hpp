// Has it come to rest? Decided by what the bones do, never by a timer, and not by the engine's
// sleep, which on stairs hardly ever comes.
#pragma once

#include <array>

#include <sinew/ragdoll/ragdoll.hpp>

namespace sinew {

struct SettleDef {
  float seconds = 0.3f;                              // over which
  float distance = 0.03f;                            // no bone may move further, metres
  float angle = 10 * 0.017453293f;                   // or turn further, radians
  LayerMask support = kSolidLayers | kLayerRagdoll;  // of what must hold it up
  float up = 0.3f;                                   // cosine between that contact's normal and up
  float time_out = 10;  // seconds of lying or falling after which it counts as
                        // settled whatever it does
};

// Keeps the last places of the bodies. Flat: saving it is copying it (26 kB for 64 bodies).
class SettleTest {
 public:
  void reset() { *this = SettleTest{}; }
  // After each step of the world; dt: its seconds. True once it is settled (it stays so until
  // reset()).
  bool update(const SettleDef& def, std::span<const BodyState> states, bool supported, float dt);
  bool settled() const { return settled_; }
  // Settled because time ran out.
  bool timed_out() const { return timed_out_; }
  float seconds() const { return seconds_; }  // since reset()

 private:
  static constexpr int kSamples = 7;
  struct Sample {
    std::array<BodyPlace, kMaxRagdollBodies> places;
  };
  std::array<Sample, kSamples> samples_{};
  int count_ = 0, next_ = 0;
  float since_sample_ = 0;
  float seconds_ = 0;
  bool settled_ = false, timed_out_ = false;
};

}  // namespace sinew
