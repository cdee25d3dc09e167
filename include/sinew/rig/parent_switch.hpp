// Parent switch: a node carried by one of several parents, passed from one to the next without a
// jump (a sword from hip to hand).
#pragma once

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

// `active` is the index of the parent, rounded. At a switch the node stays where it is in the world
// and from then on moves with the new parent; with a half-life it then glides to the place that the
// bind pose gives it under that parent.
struct ParentSwitch {
  static constexpr const char* kName = "parent_switch";
  static constexpr const char* kSummary = "Passes a node from one parent to another without a jump";
  static constexpr bool kRunsIdle = true;  // weight 0 forgets

  NodeRef driven;
  std::vector<NodeRef> parents;
  // Where the node belongs under each parent; absent: as in the bind pose.
  std::vector<NodeRef> places;
  Value active{0};
  Value half_life{0.1f};  // seconds; 0: it stays where it was taken

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;

  struct State {
    Vec3 position;  // in the active parent's space
    Quat rotation;
    std::int32_t active;  // 1 + index; 0: not started
    Vec3 last_position;   // model space, as shown
    Quat last_rotation;
  };

 private:
  std::vector<Transform> bind_;
};

}  // namespace sinew::rig
