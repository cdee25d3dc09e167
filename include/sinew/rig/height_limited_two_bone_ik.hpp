// Two-bone IK that keeps hand and elbow on one side of a plane: arms that must not go through the
// desk. Height-limit rules; rulings, 30.
#pragma once

#include <sinew/pose/two_bone.hpp>
#include <sinew/rig/two_bone_ik.hpp>

namespace sinew::rig {

// Where the elbow's circle about the root-tip line meets a plane, and which point to take. Angles
// about n = normalize(tip - root), radians, from where the elbow is now.
struct SwivelProblem {
  Vec3 root, mid, tip;
  Vec3 normal;      // of the plane, unit; the elbow is to stay where normal.x >= limit
  float limit = 0;  // plane offset plus flesh
};
struct SwivelSolution {
  enum class Kind : std::uint8_t {
    kFree,        // the elbow is above the limit: no swivel
    kTwo,         // `low` and `high` are the two points on the limit, the arc between is above it
    kApex,        // nowhere on the limit: both are the highest point
    kDegenerate,  // the arm is straight or stands upright: swivelling moves nothing
  };
  Kind kind = Kind::kFree;
  float low = 0, high = 0;  // phi - delta and phi + delta
  float fade = 1;           // below 1 near kDegenerate: the swivel's share
  bool satisfied = true;
};
SwivelSolution solve_swivel(const SwivelProblem& problem);

// 1. The goal is raised to the plane. 2. Two-bone IK. 3. If mid is below the plane, root swivels
// about the root-tip line until mid is on it; the tip keeps position and rotation. The side on
// which the elbow goes is chosen when the limit first takes hold and kept until it lets go; both
// changes are eased along the arc above the plane.
struct HeightLimitedTwoBoneIk {
  static constexpr const char* kName = "height_limited_two_bone_ik";
  static constexpr const char* kSummary = "Two-bone IK whose tip and mid stay above a plane";
  static constexpr bool kRunsIdle = true;  // weight 0 forgets the side

  enum class Side : std::uint8_t { kNone, kLeft, kRight };

  NodeRef root, mid, tip, target, hint, pole;
  // A node whose position and +Y axis (its own) give the plane; without one the plane is
  // plane_normal.x >= limit in the world.
  NodeRef plane;
  Value position_weight{1}, rotation_weight{0}, hint_weight{1};
  Value limit{0};              // metres, along plane_normal
  Value radius{0};             // thickness of the flesh about the elbow and hand, metres
  Vec3 plane_normal{0, 1, 0};  // world space; normalized
  Side side = Side::kLeft;     // of the arm: the elbow leaves outward (right-handed axes)
  bool maintain_position = false, maintain_rotation = false;
  float ease = 0.05f;  // half-life, seconds, of the jump when the limit takes hold or lets go

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;
  void draw(RigEval& e, DebugDraw& draw) const;

  struct State {
    float swivel = 0;    // the chosen angle, before the weight, radians
    float applied = 0;   // what root was turned by
    float offset = 0;    // what is left of the last jump
    float velocity = 0;  // of the offset
    std::uint8_t started = 0;
    std::uint8_t engaged = 0;    // the limit holds the elbow
    std::uint8_t high = 0;       // at SwivelSolution::high, else at low
    std::uint8_t along_arc = 0;  // the offset leads along the arc above the plane
  };

 private:
  struct Plane {
    Vec3 normal;
    float limit = 0;
  };
  Plane plane_in_model(RigEval& e) const;
  WideTwoBoneGoal goal_above(RigEval& e, const WideTwoBoneChain& chain, const Plane& plane) const;
  void choose_side(const SwivelSolution& s, const SwivelProblem& p, State& state, RigEval& e) const;
  float settle(const SwivelSolution& s, bool was_engaged, State& state, const RigEval& e) const;

  TwoBoneIk limb_;
  Vec3 unit_normal_{0, 1, 0};
};

}  // namespace sinew::rig
