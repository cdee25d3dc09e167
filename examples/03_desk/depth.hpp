// How far wrists and elbows are below the table.
#pragma once

#include <vector>

#include <sinew/scene/scene_run.hpp>

namespace desk {

struct Depth {
  bool has_arms = false;
  float wrist = 0, elbow = 0;  // metres below the table top, the most of any tick; 0: never below
  int ticks = 0;               // looked at: of both arms
  int out_of_reach = 0;        // those of them whose constraint said that it cannot be done
};

// Of every character of a scene whose rig has a node "table" and constraints "left_arm" and
// "right_arm".
class Depths {
 public:
  explicit Depths(const sinew::Scene& scene) : depths_(scene.characters.size()) {}

  // After a tick.
  void look(const sinew::SceneRun& run) {
    for (std::size_t i = 0; i < depths_.size(); ++i) {
      const sinew::CharacterId id = run.id(static_cast<int>(i));
      if (run.world().alive(id)) look(run.world(), id, depths_[i]);
    }
  }
  const Depth& of(std::size_t character) const { return depths_[character]; }

 private:
  static void look(const sinew::World& world, sinew::CharacterId id, Depth& depth) {
    using sinew::JointRole;
    const sinew::CharacterDef& def = *world.definition(id);
    if (!def.rig()) return;
    const auto table = def.rig()->node("table");
    if (!table) return;
    // In model space: the table's height over the same origin.
    const float top = world.rig_node(id, *table).translation.y;
    const auto below = [&](JointRole role) {
      const auto joint = static_cast<std::size_t>(def.roles().joint(role));
      return sinew::max(top - sinew::translation_of(world.model_matrices(id)[joint]).y, 0);
    };
    depth.has_arms = true;
    for (const bool left : {true, false}) {
      const auto arm = def.rig()->find_constraint(left ? "left_arm" : "right_arm");
      ++depth.ticks;
      if (arm && world.rig_status(id, *arm) == sinew::RigStatus::kUnsatisfied) {
        ++depth.out_of_reach;
        continue;
      }
      depth.wrist =
          sinew::max(depth.wrist, below(left ? JointRole::kLeftHand : JointRole::kRightHand));
      depth.elbow = sinew::max(depth.elbow,
                               below(left ? JointRole::kLeftLowerArm : JointRole::kRightLowerArm));
    }
  }

  std::vector<Depth> depths_;
};

}  // namespace desk
