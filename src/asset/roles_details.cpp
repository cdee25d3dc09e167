#include <algorithm>
#include <map>

#include "limb_chains.hpp"
#include "named_skeleton.hpp"

namespace sinew {
namespace {

using enum Word;
using Role = JointRole;

class Details {
 public:
  Details(const NamedSkeleton& rig, RoleMap& map)
      : rig_(rig), skeleton_(rig.skeleton()), map_(map) {}

  void find() {
    find_face();
    find_tail();
    find_fingers(-1);
    find_fingers(1);
  }

 private:
  int at(Role role) const { return map_.joint(role); }

  void find_face() {
    const int head = at(Role::kHead);
    if (head == kNoJoint) return;
    const auto set = [&](Role role, int joint) {
      if (joint != kNoJoint) map_.set(role, joint);
    };
    set(Role::kJaw,
        rig_.only_one(head, [](const JointWords& w) { return w.has(kJaw) && w.side == 0; }));
    set(Role::kLeftEye,
        rig_.only_one(head, [](const JointWords& w) { return w.has(kEye) && w.side < 0; }));
    set(Role::kRightEye,
        rig_.only_one(head, [](const JointWords& w) { return w.has(kEye) && w.side > 0; }));
  }

  void find_tail() {
    const int hips = at(Role::kHips);
    const int tail =
        rig_.only_one(hips, [](const JointWords& w) { return w.has(kTail) && w.side == 0; });
    if (tail == kNoJoint) return;
    map_.set(Role::kTail, tail);
    // Its last joint; a leaf that only marks the end does not count.
    const auto is_leaf = [&](int joint) {
      for (int j = joint + 1; j < skeleton_.joint_count(); ++j) {
        if (skeleton_.parent(j) == joint) return false;
      }
      return true;
    };
    int last = tail;
    for (int j = tail + 1; j < skeleton_.joint_count(); ++j) {
      if (skeleton_.parent(j) == last && rig_.words(j).has(kTail) &&
          (!rig_.words(j).has(kExtra) || !is_leaf(j))) {
        last = j;
      }
    }
    if (last != tail) map_.set(Role::kTailTip, last);
  }

  // 0 thumb ... 4 little, -1 none.
  static int finger_of(const JointWords& w) {
    if (w.has(kThumb)) return 0;
    if (w.has(kIndex)) return 1;
    if (w.has(kLittle)) return 4;  // before ring: some rigs say "RingPinky"
    if (w.has(kMiddle)) return 2;
    if (w.has(kRing)) return 3;
    return -1;
  }

  void find_fingers(int side) {
    const int hand = at(side < 0 ? Role::kLeftHand : Role::kRightHand);
    if (hand == kNoJoint || map_.plan == BodyPlan::kQuadruped) return;
    const Role first = side < 0 ? Role::kLeftThumbMetacarpal : Role::kRightThumbMetacarpal;
    const bool numbered = has_numbered_fingers(hand);
    for (int finger = 0; finger < 5; ++finger) {
      const auto member = [&](int j) {
        const JointWords& w = rig_.words(j);
        if (!rig_.usable(j) || !skeleton_.is_ancestor(hand, j) || j == hand) return false;
        if (w.side != 0 && w.side != side) return false;
        if (w.has(kHand) && !w.finger_after_hand) return false;
        if (numbered) {
          return w.has(kFinger) && finger_of(w) < 0 && !w.digits.empty() &&
                 w.digits.front() - '0' == finger;
        }
        return finger_of(w) == finger && !(finger > 0 && w.has(kMetacarpal));
      };
      const auto chains = find_chains(skeleton_, member);
      if (chains.size() != 1) continue;
      const LimbChain& chain = chains[0];
      // A thumb of two joints has no metacarpal.
      const std::size_t skip = finger == 0 && chain.size() < 3 ? 1 : 0;
      for (std::size_t i = 0; i + skip < 3 && i < chain.size(); ++i) {
        map_.set(shifted(first, finger * 3 + static_cast<int>(i + skip)), chain[i]);
      }
    }
  }

  // "Finger0, Finger01, Finger02, Finger1, ...", the first digit counts from the thumb. Only where
  // a 0 is there and no 5, so that it cannot count from 1.
  bool has_numbered_fingers(int hand) const {
    bool zero = false;
    for (int j = hand + 1; j < skeleton_.joint_count(); ++j) {
      const JointWords& w = rig_.words(j);
      if (!rig_.usable(j) || !skeleton_.is_ancestor(hand, j) || !w.has(kFinger)) continue;
      if (finger_of(w) >= 0 || w.digits.empty() || w.digits.front() > '4') return false;
      zero = zero || w.digits.front() == '0';
    }
    return zero;
  }

  const NamedSkeleton& rig_;
  const Skeleton& skeleton_;
  RoleMap& map_;
};

}  // namespace

NamedSkeleton::NamedSkeleton(const Skeleton& skeleton) : skeleton_(skeleton) {
  std::map<std::string, int> seen;
  for (int i = 0; i < skeleton.joint_count(); ++i) {
    names_.push_back(read_joint_name(skeleton.name(i)));
    for (const std::string& word : names_.back().unknown) ++seen[word];
  }
  const int common = std::max(4, skeleton.joint_count() / 3);
  for (const JointWords& name : names_) {
    const bool known = std::all_of(name.unknown.begin(), name.unknown.end(),
                                   [&](const std::string& w) { return seen[w] >= common; });
    usable_.push_back(known && !name.has(kExtra) ? 1 : 0);
  }
}

void find_details(const NamedSkeleton& rig, RoleMap& map) { Details(rig, map).find(); }

}  // namespace sinew
