#include "body_solver.hpp"

#include <sinew/rig/math.hpp>

namespace sinew::rig {
namespace {

constexpr int kRows = 3 * kMaxEffectors;
// Longest step of an effector per pass, as a share of the body's size, and of a joint, radians: the
// linear model is good no further. Source: Buss 2004, section 7.
constexpr float kLongestStep = 0.25f;
constexpr float kLargestTurn = 0.5f;

struct System {
  int rows = 0;
  std::array<std::array<double, kRows>, kRows> a{};
  std::array<double, kRows> b{};

  // a x = b by Cholesky's method, in place; a is symmetric and positive, thanks to the damping.
  void solve() {
    const auto n = static_cast<std::size_t>(rows);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = a[i][j];
        for (std::size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
        a[i][j] = i == j ? sqrt(sum > 1e-300 ? sum : 1e-300) : sum / a[j][j];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
      b[i] /= a[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
      b[i] /= a[i][i];
    }
  }
};

// The rotation that best carries the vectors a onto b. Source: Mueller et al. 2016, "A robust
// method to extract the rotational part of deformations".
Quat best_rotation(const Vec3* a, const Vec3* b, int count) {
  if (count == 1) return from_to(a[0], b[0]);
  Quat q;
  for (int pass = 0; pass < 6; ++pass) {
    Vec3 turn;
    float along = 0;
    for (int i = 0; i < count; ++i) {
      const Vec3 moved = rotate(q, a[i]);
      turn += cross(moved, b[i]);
      along += dot(moved, b[i]);
    }
    turn = turn / (abs(along) + 1e-9f);
    const float angle = length(turn);
    if (!(angle > 1e-6f)) break;
    q = normalize(from_rotation_vector(turn * (angle > 1.0f ? 1.0f / angle : 1.0f)) * q);
  }
  return q;
}

}  // namespace

void BodySolver::forward() {
  for (int j = 0; j < count; ++j) {
    const auto i = static_cast<std::size_t>(j);
    const int p = joints[j].parent;
    if (p < 0) {
      rotation[i] = above * local[i];
      continue;
    }
    const auto up = static_cast<std::size_t>(p);
    position[i] = position[up] + rotate(rotation[up], offset[i]);
    rotation[i] = rotation[up] * local[i];
  }
}

float BodySolver::error() const {
  float most = 0;
  for (int k = 0; k < effector_count; ++k) {
    const auto i = static_cast<std::size_t>(k);
    most = max(most, distance(goal[i], position[static_cast<std::size_t>(at[i])]));
  }
  return most;
}

void BodySolver::set_local(int j, Quat q) {
  const Joint& joint = joints[j];
  if (joint.limited) {
    q = joint.bind * clamp_swing_twist(conjugate(joint.bind) * q, joint.axis, joint.swing,
                                       joint.twist_min, joint.twist_max);
  }
  local[static_cast<std::size_t>(j)] = normalize(q);
}

// Turns every joint by J^T y: what the pulls y on the effectors do to it.
void BodySolver::turn_by(const std::array<Vec3, kMaxEffectors>& pull) {
  for (int j = 0; j < count; ++j) {
    const auto i = static_cast<std::size_t>(j);
    Vec3 turn;
    for (int k = 0; k < effector_count; ++k) {
      if (!(joints[j].effectors & (1u << k))) continue;
      const auto e = static_cast<std::size_t>(k);
      turn += cross(position[static_cast<std::size_t>(at[e])] - position[i], pull[e]);
    }
    turn *= joints[j].mobility;
    const float angle = length(turn);
    if (!(angle > 1e-9f)) continue;
    if (angle > kLargestTurn) turn *= kLargestTurn / angle;
    // From model space into the joint's own frame, where it is the last factor.
    set_local(j, local[i] * from_rotation_vector(rotate(conjugate(rotation[i]), turn)));
  }
  if (root_share > 0.0f) {
    Vec3 shift;
    for (int k = 0; k < effector_count; ++k) shift += pull[static_cast<std::size_t>(k)];
    position[0] += shift * square(root_share);
  }
}

// Damped least squares: (J J^T + lambda^2 I) y = e, turns = J^T y. lambda grows with the error,
// which keeps steps small near singular poses. Sources: Buss 2004; Sugihara 2011.
bool BodySolver::least_squares() {
  const auto effectors = static_cast<std::size_t>(effector_count);
  for (int pass = 0; pass < iterations; ++pass) {
    if (error() <= tolerance) return true;
    System s;
    s.rows = 3 * effector_count;
    double squares = 0;
    for (std::size_t k = 0; k < effectors; ++k) {
      Vec3 e = goal[k] - position[static_cast<std::size_t>(at[k])];
      const float far = length(e), most = kLongestStep * size;
      if (far > most) e *= most / far;
      squares += double(dot(e, e));
      for (int c = 0; c < 3; ++c) s.b[3 * k + static_cast<std::size_t>(c)] = double(e[c]);
    }
    for (int j = 0; j < count; ++j) {
      const double m = double(joints[j].mobility);
      if (m == 0.0) continue;
      std::array<Vec3, kMaxEffectors> arm;
      for (std::size_t k = 0; k < effectors; ++k) {
        arm[k] = position[static_cast<std::size_t>(at[k])] - position[static_cast<std::size_t>(j)];
      }
      for (std::size_t k = 0; k < effectors; ++k) {
        if (!(joints[j].effectors & (1u << k))) continue;
        for (std::size_t l = 0; l <= k; ++l) {
          if (!(joints[j].effectors & (1u << l))) continue;
          // S(r_k) S(r_l)^T = (r_k . r_l) I - r_l r_k^T, S(r) x = r x x.
          const double d = double(dot(arm[k], arm[l])) * m;
          for (std::size_t r = 0; r < 3; ++r) {
            auto& row = s.a[3 * k + r];
            for (std::size_t c = 0; c < 3; ++c) {
              row[3 * l + c] -=
                  double(arm[l][static_cast<int>(r)] * arm[k][static_cast<int>(c)]) * m;
            }
            row[3 * l + r] += d;
          }
        }
      }
    }
    const double shift = double(square(root_share));
    const double lambda2 = double(square(damping * size)) + 0.1 * squares;
    for (std::size_t k = 0; k < effectors; ++k) {
      for (std::size_t l = 0; l <= k; ++l) {
        for (std::size_t r = 0; r < 3; ++r) s.a[3 * k + r][3 * l + r] += shift;
      }
      for (std::size_t r = 0; r < 3; ++r) s.a[3 * k + r][3 * k + r] += lambda2;
    }
    s.solve();
    std::array<Vec3, kMaxEffectors> pull;
    for (std::size_t k = 0; k < effectors; ++k) {
      pull[k] = {static_cast<float>(s.b[3 * k]), static_cast<float>(s.b[3 * k + 1]),
                 static_cast<float>(s.b[3 * k + 2])};
    }
    turn_by(pull);
    forward();
  }
  return error() <= tolerance;
}

// From the goals inward: where each joint would have to be; a joint with several children takes the
// mean of what they want.
void BodySolver::reach_back(std::array<Vec3, kMaxBody>& wanted) const {
  std::array<Vec3, kMaxBody> sum{};
  std::array<int, kMaxBody> votes{};
  for (int j = count - 1; j >= 0; --j) {
    const auto i = static_cast<std::size_t>(j);
    if (joints[j].effector >= 0) {
      sum[i] += goal[static_cast<std::size_t>(joints[j].effector)];
      ++votes[i];
    }
    wanted[i] = votes[i] > 0 ? sum[i] / static_cast<float>(votes[i]) : position[i];
    const int p = joints[j].parent;
    if (p < 0) continue;
    const auto up = static_cast<std::size_t>(p);
    sum[up] += wanted[i] + normalize_or(position[up] - wanted[i], {}) * length(offset[i]);
    ++votes[up];
  }
}

// From root outward: each joint turns, as a rigid body and inside its limits, so that its children
// come as near to where they should be as they can.
void BodySolver::reach_out(const std::array<Vec3, kMaxBody>& wanted) {
  position[0] = lerp(root_start, wanted[0], root_share);
  for (int j = 0; j < count; ++j) {
    const auto i = static_cast<std::size_t>(j);
    const int p = joints[j].parent;
    const Quat base = (p < 0 ? above : rotation[static_cast<std::size_t>(p)]) * local[i];
    std::array<Vec3, kMaxBody> from, to;
    int children = 0;
    for (int c = j + 1; c < count && children < joints[j].children; ++c) {
      if (joints[c].parent != j) continue;
      from[static_cast<std::size_t>(children)] = rotate(base, offset[static_cast<std::size_t>(c)]);
      to[static_cast<std::size_t>(children)] = wanted[static_cast<std::size_t>(c)] - position[i];
      ++children;
    }
    rotation[i] = base;
    if (children == 0) continue;
    const Quat turn =
        qlerp(Quat{}, best_rotation(from.data(), to.data(), children), joints[j].mobility);
    set_local(j, local[i] * (conjugate(base) * turn * base));
    rotation[i] = (p < 0 ? above : rotation[static_cast<std::size_t>(p)]) * local[i];
    for (int c = j + 1; c < count && children > 0; ++c) {
      if (joints[c].parent != j) continue;
      const auto child = static_cast<std::size_t>(c);
      position[child] = position[i] + rotate(rotation[i], offset[child]);
      --children;
    }
  }
}

// Root goes along with what the effectors have in common before they begin to pull.
void BodySolver::shift_root() {
  if (root_share <= 0.0f) return;
  Vec3 mean;
  for (int k = 0; k < effector_count; ++k) {
    const auto i = static_cast<std::size_t>(k);
    mean += goal[i] - position[static_cast<std::size_t>(at[i])];
  }
  root_start += mean * (root_share / static_cast<float>(effector_count));
  position[0] = root_start;
  forward();
}

bool BodySolver::fabrik() {
  std::array<Vec3, kMaxBody> wanted;
  for (int pass = 0; pass < iterations; ++pass) {
    if (error() <= tolerance) return true;
    reach_back(wanted);
    reach_out(wanted);
  }
  // Near full stretch the method creeps; a few least-squares passes finish what it leaves.
  return least_squares();
}

}  // namespace sinew::rig
