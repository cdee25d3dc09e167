// Which nodes of a scene become joints, and how keys become tracks: the same for all scene formats.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <sinew/asset/raw_clip.hpp>

#include "double_math.hpp"

namespace sinew {

struct JointChoice {
  std::vector<int> joint_of;  // by node; kNoJoint where it is none
  std::vector<int> node_of_joint;
  std::vector<bool> needed;  // joints and all above them
};

// With bones: these, the nodes between two of them, and the moving ones above them. Without: nodes
// that move or carry a mesh, and those between. Parents stand before their children.
JointChoice choose_joints(std::span<const int> parents, const std::vector<bool>& bones,
                          const std::vector<bool>& moving, const std::vector<bool>& meshes);

// All three the same size, signs aside.
bool is_uniform(const Double3& scale);

bool near_vectors(const Vec3& a, const Vec3& b);
bool near_scales(const Vec3& a,
                 const Vec3& b);  // wider: programs that bake write scales that waver
bool near_rotations(const Quat& a, const Quat& b);

// Keys where a channel changes, one where it does not, none where it stays at rest.
template <class T, class Near>
KeyTrack<T> reduced(std::vector<float> times, std::vector<T> values, const T& rest, Near near) {
  KeyTrack<T> out;
  if (values.empty()) return out;
  const bool changes = std::any_of(values.begin(), values.end(),
                                   [&](const T& v) { return !near(v, values.front()); });
  if (changes) {
    out.times = std::move(times);
    out.values = std::move(values);
  } else if (!near(values.front(), rest)) {
    out.times = {times.front()};
    out.values = {values.front()};
  }
  return out;
}

// Indices of a list in the order of a key that is read by `key(i)`; equal ones keep their order.
template <class Key>
std::vector<std::size_t> stable_order(std::size_t count, Key key) {
  std::vector<std::size_t> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = i;
  std::sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
    return key(a) < key(b) || (key(a) == key(b) && a < b);
  });
  return out;
}

// The four largest weights of a vertex.
struct Influences {
  std::array<std::uint16_t, 4> joints{};
  std::array<double, 4> weights{};

  void add(std::uint16_t joint, double weight);
  // Sum 1; false (and all on the first joint) where there are none.
  bool normalize();
  Vec4 as_floats() const {
    return {static_cast<float>(weights[0]), static_cast<float>(weights[1]),
            static_cast<float>(weights[2]), static_cast<float>(weights[3])};
  }
};

}  // namespace sinew
