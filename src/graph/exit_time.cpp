#include <algorithm>
#include <cmath>

#include "runtime.hpp"

namespace sinew::graph_detail {

bool crosses_exit(const LiveState& live, double exit, bool loop, const ControllerPolicy& policy,
                  double& overshoot) {
  overshoot = 0;
  if (!live.moved) return false;
  // Everything is counted from the loop in which the window begins, so that the numbers stay small
  // after days; k below is relative to it too.
  const double base = static_cast<double>(live.before.loops);
  // What a new leader skipped belongs to the window too.
  const double n0 = live.before.fraction - std::max(live.skipped, 0.0);
  const double n1 = static_cast<double>(live.now.loops - live.before.loops) + live.now.fraction;
  const double e = kWindowEpsilon;
  if (!loop && policy.non_loop_exit == ControllerPolicy::NonLoopExit::kLatched && live.delta >= 0) {
    overshoot = std::max(0.0, base + n1 - exit);
    return base + n1 + e >= exit;
  }
  if (live.delta >= 0) {
    if (exit > 1) {
      overshoot = std::max(0.0, base + n1 - exit);
      return base + n0 + e < exit && exit <= base + n1 + e;
    }
    const double k = std::floor(n1 + e - exit);  // the last crossing not after the window's end
    overshoot = std::max(0.0, n1 - exit - k);
    return k > n0 + e - exit && base + k >= 0;
  }
  if (!policy.exit_time_backwards) return false;
  // Backwards (rules, 4.7): n1 - e <= k + exit < n0 - e.
  const double k = std::ceil(n1 - e - exit);
  overshoot = std::max(0.0, exit + k - n1);
  return k < n0 - e - exit;
}

}  // namespace sinew::graph_detail
