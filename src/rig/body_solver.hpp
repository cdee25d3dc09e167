// The tree of a full-body solve as flat arrays: positions and rotations in model space.
#pragma once

#include <array>

#include <sinew/rig/full_body_ik.hpp>

namespace sinew::rig {

struct BodySolver {
  using Joint = FullBodyIk::Joint;

  const Joint* joints = nullptr;
  int count = 0;
  int effector_count = 0;
  float size = 1, root_share = 0, damping = 0, tolerance = 0;
  int iterations = 0;

  std::array<Vec3, kMaxEffectors> goal;
  std::array<int, kMaxEffectors> at;  // joint of each effector

  Quat above;       // rotation of root's parent
  Vec3 root_start;  // where root was
  std::array<Vec3, kMaxBody> position;
  std::array<Quat, kMaxBody> rotation, local;
  std::array<Vec3, kMaxBody> offset;  // from the parent, in its rotated frame, scale applied

  // Positions and rotations from the local rotations.
  void forward();
  // The largest distance of an effector from its goal.
  float error() const;
  void shift_root();
  // Both return whether every goal was met within the tolerance.
  bool least_squares();
  bool fabrik();

 private:
  void set_local(int j, Quat q);
  void turn_by(const std::array<Vec3, kMaxEffectors>& pull);
  void reach_back(std::array<Vec3, kMaxBody>& wanted) const;
  void reach_out(const std::array<Vec3, kMaxBody>& wanted);
};

}  // namespace sinew::rig
