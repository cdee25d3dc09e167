// Damped transform: a node follows a source with delay. Rigging rules, section 8.
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

struct DampedTransform {
  static constexpr const char* kName = "damped_transform";
  static constexpr const char* kSummary = "Follows a source with delay";
  static constexpr bool kRunsIdle = true;  // weight 0 starts over from the animated pose

  NodeRef driven, source;
  Value damp_position{0.5f}, damp_rotation{0.5f};  // 0 follows at once, 1 never
  bool maintain_aim = true;                        // keep pointing at the source
  // The same motion at every frame rate, by exact decay instead of fixed steps.
  bool exact = false;

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;

  struct State {
    Vec3 position;  // world
    Quat rotation;
    std::uint32_t started;
  };

 private:
  void advance(State& state, const Transform& target, Vec3 source, float dt, float kp,
               float kr) const;

  Transform bind_;    // of driven, model space
  Transform offset_;  // driven seen from the source
  Vec3 aim_;          // in driven's own frame; zero: none
};

}  // namespace sinew::rig
