#include <sinew/ragdoll/settle.hpp>

namespace sinew {

// Compared with every sample of the window, so that what swings back to its place is not at rest.
bool SettleTest::update(const SettleDef& def, std::span<const BodyState> states, bool supported,
                        float dt) {
  if (settled_) return true;
  if (!is_finite(dt) || !(dt > 0)) dt = 0;
  seconds_ += dt;
  since_sample_ += dt;
  const std::size_t bodies = states.size() < kMaxRagdollBodies ? states.size() : kMaxRagdollBodies;
  bool still = supported && count_ == kSamples;
  for (int k = 0; k < count_; ++k) {
    const Sample& sample = samples_[static_cast<std::size_t>(k)];
    for (std::size_t i = 0; i < bodies && still; ++i) {
      still = distance(states[i].position, sample.places[i].position) < def.distance &&
              angle_between(states[i].rotation, sample.places[i].rotation) < def.angle;
    }
  }
  // The oldest sample is then a whole window old, or nearly.
  const float every = def.seconds / (kSamples - 1);
  if (count_ == 0 || since_sample_ >= every - 1e-4f) {
    Sample& sample = samples_[static_cast<std::size_t>(next_)];
    for (std::size_t i = 0; i < bodies; ++i) {
      sample.places[i] = {states[i].position, states[i].rotation};
    }
    next_ = (next_ + 1) % kSamples;
    if (count_ < kSamples) ++count_;
    since_sample_ = 0;
  }
  timed_out_ = !still && seconds_ >= def.time_out;
  settled_ = still || timed_out_;
  return settled_;
}

}  // namespace sinew
