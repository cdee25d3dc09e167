// Reading the names that rigs give their joints.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Words that say which part of a body a joint is. A name may hold several ("front_leg_upper").
enum class Word : std::uint8_t {
  kHips,
  kTrunk,
  kChest,
  kNeck,
  kHead,
  kJaw,
  kEye,
  kCollar,
  kShoulder,
  kUpperArm,
  kArm,
  kLowerArm,
  kWrist,
  kHand,
  kHipJoint,
  kThigh,
  kLeg,
  kShin,
  kAnkle,
  kFoot,
  kToe,
  kUpper,
  kLower,
  kThumb,
  kIndex,
  kMiddle,
  kRing,
  kLittle,
  kFinger,
  kMetacarpal,
  kTail,
  kFront,
  kHind,
  kExtra,  // a joint beside the body: controls, ends, twists, props
};

struct JointWords {
  std::uint64_t words = 0;           // bit per Word
  int side = 0;                      // -1 left, +1 right
  std::string digits;                // of the last number, as written
  std::vector<std::string> unknown;  // lower case
  bool finger_after_hand = false;    // "HandMiddle", not "MiddleHand"
  // The name without its side word, lower case: equal for the two joints of a pair.
  std::string key;

  bool has(Word w) const { return ((words >> static_cast<unsigned>(w)) & 1u) != 0; }
  template <class... W>
  bool any(W... w) const {
    return (has(w) || ...);
  }
};

JointWords read_joint_name(std::string_view name);

}  // namespace sinew
