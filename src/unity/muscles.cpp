#include <algorithm>

#include <sinew/unity/clip.hpp>

namespace sinew::unity {
namespace {

// The names of humanoid curves follow a pattern: a part of the body, then how it moves.
constexpr std::string_view kTrunk[] = {"Spine", "Chest", "UpperChest"};
constexpr std::string_view kTrunkMoves[] = {"Front-Back", "Left-Right", "Twist Left-Right"};
constexpr std::string_view kNeck[] = {"Neck", "Head"};
constexpr std::string_view kNeckMoves[] = {"Nod Down-Up", "Tilt Left-Right", "Turn Left-Right"};
constexpr std::string_view kSides[] = {"Left ", "Right "};
constexpr std::string_view kLimbMoves[] = {"Eye Down-Up",
                                           "Eye In-Out",
                                           "Upper Leg Front-Back",
                                           "Upper Leg In-Out",
                                           "Upper Leg Twist In-Out",
                                           "Lower Leg Stretch",
                                           "Lower Leg Twist In-Out",
                                           "Foot Up-Down",
                                           "Foot Twist In-Out",
                                           "Toes Up-Down",
                                           "Shoulder Down-Up",
                                           "Shoulder Front-Back",
                                           "Arm Down-Up",
                                           "Arm Front-Back",
                                           "Arm Twist In-Out",
                                           "Forearm Stretch",
                                           "Forearm Twist In-Out",
                                           "Hand Down-Up",
                                           "Hand In-Out"};
constexpr std::string_view kJaw[] = {"Jaw Close", "Jaw Left-Right"};
constexpr std::string_view kHands[] = {"LeftHand.", "RightHand."};
constexpr std::string_view kFingers[] = {"Thumb.", "Index.", "Middle.", "Ring.", "Little."};
constexpr std::string_view kFingerMoves[] = {"1 Stretched", "2 Stretched", "3 Stretched", "Spread"};
constexpr std::string_view kGoals[] = {"Root",      "Motion",   "LeftFoot",
                                       "RightFoot", "LeftHand", "RightHand"};
constexpr std::string_view kGoalMoves[] = {"T.x", "T.y", "T.z", "Q.x", "Q.y", "Q.z", "Q.w"};

template <std::size_t N>
bool one_of(const std::string_view (&words)[N], std::string_view text) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

// Some of `heads`, with what is left behind it.
template <std::size_t N, class Rest>
bool begins_with(const std::string_view (&heads)[N], std::string_view text, Rest rest) {
  return std::any_of(std::begin(heads), std::end(heads), [&](std::string_view head) {
    return text.starts_with(head) && rest(text.substr(head.size()));
  });
}

}  // namespace

bool is_muscle(std::string_view attribute) {
  const auto trunk = [](std::string_view rest) {
    return rest.starts_with(' ') && one_of(kTrunkMoves, rest.substr(1));
  };
  const auto neck = [](std::string_view rest) {
    return rest.starts_with(' ') && one_of(kNeckMoves, rest.substr(1));
  };
  const auto finger = [](std::string_view rest) {
    return begins_with(kFingers, rest,
                       [](std::string_view move) { return one_of(kFingerMoves, move); });
  };
  return begins_with(kTrunk, attribute, trunk) || begins_with(kNeck, attribute, neck) ||
         begins_with(kSides, attribute,
                     [](std::string_view rest) { return one_of(kLimbMoves, rest); }) ||
         begins_with(kHands, attribute, finger) || one_of(kJaw, attribute) ||
         begins_with(kGoals, attribute,
                     [](std::string_view rest) { return one_of(kGoalMoves, rest); });
}

}  // namespace sinew::unity
