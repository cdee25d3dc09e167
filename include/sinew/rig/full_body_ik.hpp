// Full-body IK: several effectors on one tree of joints, with limits. Motion rules; Buss 2004
// (damped least squares), Aristidou and Lasenby 2011 (FABRIK).
#pragma once

#include <sinew/rig/constraint.hpp>
#include <sinew/rig/joint_limit.hpp>

namespace sinew::rig {

inline constexpr int kMaxBody = 64;  // joints of the tree
inline constexpr int kMaxEffectors = 8;

struct FullBodyIk {
  static constexpr const char* kName = "full_body_ik";
  static constexpr const char* kSummary = "Brings several joints to their targets at once";

  enum class Method : std::uint8_t {
    kLeastSquares,  // turns all joints a little at a time; smooth, obeys stiffness
    kFabrik,        // moves positions back and forth; meets far goals in few passes; what is left
                    // after all passes is finished by least squares
  };
  struct Effector {
    NodeRef joint, target;
    Value position_weight{1}, rotation_weight{0};
    void fields(FieldVisitor& v) {
      v.node("joint", joint, NodeUse::kDriven);
      v.node("target", target, NodeUse::kRead);
      v.value("position_weight", position_weight, 0, 1);
      v.value("rotation_weight", rotation_weight, 0, 1);
    }
  };
  // Turns a limb about the line from root to tip so that mid points to the pole, before the solve.
  struct Pole {
    NodeRef root, mid, tip, pole;
    Value weight{1};
    void fields(FieldVisitor& v) {
      v.node("root", root, NodeUse::kDriven);
      v.node("mid", mid, NodeUse::kDriven);
      v.node("tip", tip, NodeUse::kDriven);
      v.node("pole", pole, NodeUse::kRead);
      v.value("weight", weight, 0, 1);
    }
  };

  NodeRef root;  // top of the tree; every effector lies below it
  std::vector<Effector> effectors;
  std::vector<JointLimit> limits;
  std::vector<Pole> poles;
  Method method = Method::kLeastSquares;
  Value root_weight{0};     // how far root itself may move, 0 to 1
  int iterations = 10;      // [1, 50]
  float tolerance = 1e-3f;  // metres
  float damping = 0.02f;    // of the least-squares steps, share of the body's size

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;
  void draw(RigEval& e, DebugDraw& draw) const;

 private:
  friend struct BodySolver;
  struct Joint {
    int node = -1;      // in the rig
    int parent = -1;    // in the tree; -1: root
    int effector = -1;  // at this joint
    int children = 0;
    std::uint32_t effectors = 0;  // bits: which effectors lie at or below
    float mobility = 1;           // 1 - stiffness
    Quat bind;                    // local
    Vec3 axis{0, 1, 0};           // of the bone, joint space
    float swing = kPi, twist_min = -kPi, twist_max = kPi;
    bool limited = false;
  };
  std::vector<Joint> tree_;  // parents first
  float size_ = 1;           // longest way from root to an effector, metres
};

}  // namespace sinew::rig
