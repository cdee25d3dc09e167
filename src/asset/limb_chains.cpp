#include "limb_chains.hpp"

#include <algorithm>

namespace sinew {
namespace {

// One chain with questions about the words of its members. Places are indices into the chain.
class Reading {
 public:
  Reading(const LimbChain& chain, std::span<const JointWords> names)
      : chain_(chain), names_(names) {}

  static constexpr int kNone = -1;
  int size() const { return static_cast<int>(chain_.size()); }
  int joint(int place) const {
    return place < 0 ? kNoJoint : chain_[static_cast<std::size_t>(place)];
  }
  const JointWords& words(int place) const {
    return names_[static_cast<std::size_t>(joint(place))];
  }

  template <class... W>
  int first(int from, int before, W... w) const {
    for (int i = std::max(from, 0); i < std::min(before, size()); ++i) {
      if (words(i).any(w...)) return i;
    }
    return kNone;
  }
  template <class... W>
  int last(int from, int before, W... w) const {
    for (int i = std::min(before, size()) - 1; i >= std::max(from, 0); --i) {
      if (words(i).any(w...)) return i;
    }
    return kNone;
  }

 private:
  const LimbChain& chain_;
  std::span<const JointWords> names_;
};

int or_end(int place, int end) { return place < 0 ? end : place; }

}  // namespace

std::vector<LimbChain> find_chains(const Skeleton& skeleton,
                                   const std::function<bool(int)>& member) {
  const auto n = static_cast<std::size_t>(skeleton.joint_count());
  std::vector<char> in(n, 0);
  std::vector<int> above(n, kNoJoint);  // nearest member at or above the joint's parent
  std::vector<int> below(n, 0);         // members at or below the joint
  std::vector<std::vector<int>> next(n);
  std::vector<int> tops;
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = member(static_cast<int>(i)) ? 1 : 0;
    const int parent = skeleton.parent(static_cast<int>(i));
    if (parent != kNoJoint) {
      const auto p = static_cast<std::size_t>(parent);
      above[i] = in[p] ? parent : above[p];
    }
    if (!in[i]) continue;
    if (above[i] == kNoJoint) {
      tops.push_back(static_cast<int>(i));
    } else {
      next[static_cast<std::size_t>(above[i])].push_back(static_cast<int>(i));
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    if (!in[i]) continue;
    below[i] += 1;
    if (above[i] != kNoJoint) below[static_cast<std::size_t>(above[i])] += below[i];
  }
  std::vector<LimbChain> chains;
  for (int top : tops) {
    LimbChain chain{top};
    while (true) {
      const auto& branches = next[static_cast<std::size_t>(chain.back())];
      if (branches.empty()) break;
      const auto longer = [&](int a, int b) {
        return below[static_cast<std::size_t>(a)] < below[static_cast<std::size_t>(b)];
      };
      const int best = *std::max_element(branches.begin(), branches.end(), longer);
      const auto equals = std::count_if(branches.begin(), branches.end(), [&](int b) {
        return below[static_cast<std::size_t>(b)] == below[static_cast<std::size_t>(best)];
      });
      if (equals != 1) break;
      chain.push_back(best);
    }
    chains.push_back(std::move(chain));
  }
  return chains;
}

Limb resolve_arm(const LimbChain& chain, std::span<const JointWords> names) {
  using enum Word;
  const Reading r(chain, names);
  const int end = r.size();
  int lower = r.first(0, end, kLowerArm);
  const int until = or_end(lower, end);
  int upper = r.first(0, until, kUpperArm);
  if (upper < 0) upper = r.first(0, until, kArm);
  // "Shoulder" is the collar bone where an arm follows, and the upper arm where an elbow does.
  if (upper < 0 && lower >= 0) upper = r.last(0, until, kShoulder);
  const bool numbered = lower < 0 && upper >= 0;  // "arm 1, arm 2, arm 3"
  if (numbered) lower = r.first(upper + 1, end, kArm);
  if (upper < 0 || lower < 0) return {kNoJoint, kNoJoint, kNoJoint, kNoJoint};
  int hand = r.first(lower + 1, end, kWrist, kHand);
  if (hand < 0 && numbered) hand = r.first(lower + 1, end, kArm);
  int shoulder = r.first(0, upper, kCollar);
  if (shoulder < 0) shoulder = r.first(0, upper, kShoulder);
  return {r.joint(shoulder), r.joint(upper), r.joint(lower), r.joint(hand)};
}

Limb resolve_leg(const LimbChain& chain, std::span<const JointWords> names) {
  using enum Word;
  const Reading r(chain, names);
  const int end = r.size();
  int lower = r.first(0, end, kShin);
  const int until = or_end(lower, end);
  int upper = r.first(0, until, kThigh);
  bool numbered = false;  // "leg 1, leg 2, leg 3"
  if (upper < 0 && lower >= 0) upper = r.last(0, until, kHips);
  if (upper < 0) {
    upper = r.first(0, until, kLeg);
    numbered = lower < 0;
  }
  if (lower < 0 && upper >= 0) lower = r.first(upper + 1, end, kLeg);
  if (upper < 0 || lower < 0) return {kNoJoint, kNoJoint, kNoJoint, kNoJoint};
  int foot = r.first(lower + 1, end, kAnkle, kFoot);
  if (foot < 0 && numbered) foot = r.first(lower + 1, end, kLeg);
  int toes = Reading::kNone;
  if (foot >= 0) {
    toes = r.first(foot + 1, end, kToe, kThumb);
    if (toes < 0 && r.words(foot).has(kFoot)) toes = r.first(foot + 1, end, kFoot);
    if (toes < 0 && numbered) toes = r.first(foot + 1, end, kLeg);
  }
  return {r.joint(upper), r.joint(lower), r.joint(foot), r.joint(toes)};
}

Limb resolve_animal_leg(const LimbChain& chain, std::span<const JointWords> names) {
  using enum Word;
  const Reading r(chain, names);
  const int end = r.size();
  const int lower = r.first(0, end, kLower, kShin, kLowerArm);
  // The nearest above the lower: a horse's humerus may be named beside its "upper leg".
  const int upper = r.last(0, or_end(lower, 0), kUpper, kThigh, kUpperArm);
  if (upper < 0 || lower < 0) {
    const bool plain = std::all_of(chain.begin(), chain.end(), [&](int joint) {
      const std::uint64_t limb = names[static_cast<std::size_t>(joint)].words &
                                 ~(std::uint64_t{1} << static_cast<unsigned>(kFront)) &
                                 ~(std::uint64_t{1} << static_cast<unsigned>(kHind));
      return limb == std::uint64_t{1} << static_cast<unsigned>(kLeg);
    });
    if (plain && end == 3) return {kNoJoint, chain[0], chain[1], kNoJoint, chain[2]};
    if (plain && end == 4) return {kNoJoint, chain[0], chain[1], chain[2], chain[3]};
    return {kNoJoint, kNoJoint, kNoJoint, kNoJoint, kNoJoint};
  }
  const int girdle = r.first(0, upper, kCollar, kShoulder, kHips, kHipJoint);
  const int ankle = r.first(lower + 1, end, kAnkle, kWrist);
  const int from = (ankle >= 0 ? ankle : lower) + 1;
  int foot = r.first(from, end, kFoot, kHand);
  if (foot < 0) foot = r.first(from, end, kToe);
  return {r.joint(girdle), r.joint(upper), r.joint(lower), r.joint(ankle), r.joint(foot)};
}

}  // namespace sinew
