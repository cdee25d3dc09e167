#include "joint_choice.hpp"

#include <cmath>

namespace sinew {

JointChoice choose_joints(std::span<const int> parents, const std::vector<bool>& bones,
                          const std::vector<bool>& moving, const std::vector<bool>& meshes) {
  const std::size_t count = parents.size();
  const bool any_bone = std::find(bones.begin(), bones.end(), true) != bones.end();
  std::vector<bool> chosen(count, false), below(count, false);
  for (std::size_t i = 0; i < count; ++i) chosen[i] = any_bone ? bones[i] : meshes[i] || moving[i];
  // From the leaves up: what has a chosen node below it.
  for (std::size_t i = count; i-- > 0;) {
    if (parents[i] >= 0 && (chosen[i] || below[i]))
      below[static_cast<std::size_t>(parents[i])] = true;
  }
  // From the roots down: moving nodes above the chosen, and all between two joints.
  JointChoice out;
  out.joint_of.assign(count, kNoJoint);
  out.needed.assign(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    out.needed[i] = chosen[i] || below[i];
    const bool parent_is_joint =
        parents[i] >= 0 && out.joint_of[static_cast<std::size_t>(parents[i])] >= 0;
    if (!chosen[i] && !(below[i] && (parent_is_joint || moving[i]))) continue;
    out.joint_of[i] = static_cast<int>(out.node_of_joint.size());
    out.node_of_joint.push_back(static_cast<int>(i));
  }
  return out;
}

bool is_uniform(const Double3& s) {
  const double x = std::abs(s.x), y = std::abs(s.y), z = std::abs(s.z), most = std::max({x, y, z});
  return most > 1e-12 && std::abs(x - y) <= 1e-5 * most && std::abs(x - z) <= 1e-5 * most;
}

namespace {

bool near(const Vec3& a, const Vec3& b, float tolerance) {
  return abs(a.x - b.x) <= tolerance && abs(a.y - b.y) <= tolerance && abs(a.z - b.z) <= tolerance;
}

float largest(const Vec3& v) { return max(abs(v.x), max(abs(v.y), abs(v.z))); }

}  // namespace

bool near_vectors(const Vec3& a, const Vec3& b) {
  return near(a, b, 2e-7f * max(1.0f, largest(a)));
}

bool near_scales(const Vec3& a, const Vec3& b) { return near(a, b, 1e-5f * largest(a)); }

bool near_rotations(const Quat& a, const Quat& q) {
  constexpr float kTolerance = 2e-7f;
  const Quat b = align(a, q);
  return abs(a.x - b.x) <= kTolerance && abs(a.y - b.y) <= kTolerance &&
         abs(a.z - b.z) <= kTolerance && abs(a.w - b.w) <= kTolerance;
}

void Influences::add(std::uint16_t joint, double weight) {
  std::size_t i = 4;
  while (i > 0 && weight > weights[i - 1]) --i;
  if (i == 4) return;
  for (std::size_t k = 3; k > i; --k) {
    joints[k] = joints[k - 1];
    weights[k] = weights[k - 1];
  }
  joints[i] = joint;
  weights[i] = weight;
}

bool Influences::normalize() {
  const double sum = weights[0] + weights[1] + weights[2] + weights[3];
  if (!(sum > 0)) {
    weights = {1, 0, 0, 0};
    return false;
  }
  for (double& w : weights) w /= sum;
  return true;
}

}  // namespace sinew
