// The small words of a controller: handles and enumerations.
#pragma once

#include <cstdint>
#include <string_view>

namespace sinew {

// Handles into one ControllerDef, resolved once by name. A default one is null.
struct ParamId {
  std::int32_t index = -1;
  explicit operator bool() const { return index >= 0; }
  friend bool operator==(ParamId, ParamId) = default;
};
// States are numbered through all layers, in the order of the file, depth first.
struct StateId {
  std::int32_t index = -1;
  explicit operator bool() const { return index >= 0; }
  friend bool operator==(StateId, StateId) = default;
};

// The numbers are those of Unity's files (state-machine rules, 2.1).
enum class ParameterType : std::uint8_t { kFloat = 1, kInt = 3, kBool = 4, kTrigger = 9 };

// State-machine rules, 3.1. Float: greater, less. Int: all but the first two. Bool: if, if not.
// Trigger: if.
enum class ConditionMode : std::uint8_t {
  kIf = 1,
  kIfNot = 2,
  kGreater = 3,
  kLess = 4,
  kEquals = 6,
  kNotEqual = 7,
};

// Which lists may interrupt a running transition, beside those of AnyState (rules, 8.1).
enum class Interruption : std::uint8_t {
  kNone = 0,
  kCurrent = 1,
  kNext = 2,
  kCurrentThenNext = 3,
  kNextThenCurrent = 4,
};

// State-machine rules, section 9.
enum class TreeType : std::uint8_t {
  k1D = 0,
  kSimpleDirectional = 1,
  kFreeformDirectional = 2,
  kFreeformCartesian = 3,
  kDirect = 4,
};

enum class LayerBlending : std::uint8_t { kOverride = 0, kAdditive = 1 };

// How a transition gets from its source to its target.
enum class TransitionBlend : std::uint8_t {
  kCrossFade = 0,    // both play, weighted by the progress; an interruption freezes the pose
  kInertialize = 1,  // only the target plays; the offset to the pose before dies away
  kDeadBlend = 2,    // only the target plays; the pose before drifts on and is faded out
};

// From a transition's progress to the target's weight; 0 and 1 at the ends.
enum class TransitionCurve : std::uint8_t {
  kLinear = 0,
  kSmooth = 1,   // 3 p^2 - 2 p^3
  kEaseIn = 2,   // p^2
  kEaseOut = 3,  // 1 - (1 - p)^2
  kPoints = 4,   // straight lines between given points
};

constexpr std::string_view to_string(ParameterType type) {
  switch (type) {
    case ParameterType::kFloat:
      return "float";
    case ParameterType::kInt:
      return "int";
    case ParameterType::kBool:
      return "bool";
    case ParameterType::kTrigger:
      return "trigger";
  }
  return "float";
}

constexpr std::string_view to_string(ConditionMode mode) {
  switch (mode) {
    case ConditionMode::kIf:
      return "if";
    case ConditionMode::kIfNot:
      return "if_not";
    case ConditionMode::kGreater:
      return "greater";
    case ConditionMode::kLess:
      return "less";
    case ConditionMode::kEquals:
      return "equals";
    case ConditionMode::kNotEqual:
      return "not_equal";
  }
  return "if";
}

constexpr std::string_view to_string(Interruption source) {
  switch (source) {
    case Interruption::kNone:
      return "none";
    case Interruption::kCurrent:
      return "current";
    case Interruption::kNext:
      return "next";
    case Interruption::kCurrentThenNext:
      return "current_then_next";
    case Interruption::kNextThenCurrent:
      return "next_then_current";
  }
  return "none";
}

constexpr std::string_view to_string(TreeType type) {
  switch (type) {
    case TreeType::k1D:
      return "1d";
    case TreeType::kSimpleDirectional:
      return "simple_directional";
    case TreeType::kFreeformDirectional:
      return "freeform_directional";
    case TreeType::kFreeformCartesian:
      return "freeform_cartesian";
    case TreeType::kDirect:
      return "direct";
  }
  return "1d";
}

constexpr std::string_view to_string(LayerBlending blending) {
  return blending == LayerBlending::kAdditive ? "additive" : "override";
}

constexpr std::string_view to_string(TransitionBlend blend) {
  switch (blend) {
    case TransitionBlend::kCrossFade:
      return "cross_fade";
    case TransitionBlend::kInertialize:
      return "inertialize";
    case TransitionBlend::kDeadBlend:
      return "dead_blend";
  }
  return "cross_fade";
}

constexpr std::string_view to_string(TransitionCurve curve) {
  switch (curve) {
    case TransitionCurve::kLinear:
      return "linear";
    case TransitionCurve::kSmooth:
      return "smooth";
    case TransitionCurve::kEaseIn:
      return "ease_in";
    case TransitionCurve::kEaseOut:
      return "ease_out";
    case TransitionCurve::kPoints:
      return "points";
  }
  return "linear";
}

}  // namespace sinew
