// What a constraint says about its last evaluation.
#pragma once

#include <cstdint>
#include <string_view>

namespace sinew {

enum class RigStatus : std::uint8_t {
  kIdle,         // weight 0, or nothing to do: the pose was left as it was
  kSatisfied,    // done in full
  kOutOfReach,   // the goal is further away than the bones allow
  kUnsatisfied,  // a limit that cannot be met, or a solve that has not converged
  kOutside,      // met, but a joint that it may not move lies outside the limit already
  kDegenerate,   // no answer exists (a bone of no length, a goal that is not finite): left alone
};

constexpr std::string_view to_string(RigStatus status) {
  switch (status) {
    case RigStatus::kIdle:
      return "idle";
    case RigStatus::kSatisfied:
      return "satisfied";
    case RigStatus::kOutOfReach:
      return "out_of_reach";
    case RigStatus::kUnsatisfied:
      return "unsatisfied";
    case RigStatus::kOutside:
      return "outside";
    case RigStatus::kDegenerate:
      return "degenerate";
  }
  return "degenerate";
}

}  // namespace sinew
