#include <algorithm>

#include <sinew/asset/skeleton.hpp>

#include "limb_chains.hpp"
#include "named_skeleton.hpp"

namespace sinew {
namespace {

using enum Word;
using Role = JointRole;

class Finder {
 public:
  explicit Finder(const Skeleton& skeleton) : skeleton_(skeleton), rig_(skeleton) {}

  RoleMap find() {
    if (skeleton_.joint_count() == 0) return map_;
    if (!find_animal_legs()) {
      find_humanoid_limbs();
      find_hips();
      if (walks_on_arms()) to_quadruped();
    } else {
      find_hips();
    }
    if (map_.has(Role::kHips)) {
      find_trunk();
      find_details(rig_, map_);
    }
    check_sides();
    decide_plan();
    return map_;
  }

 private:
  const JointWords& words(int joint) const { return rig_.words(joint); }
  bool usable(int joint) const { return rig_.usable(joint); }
  Vec3 place(int joint) const { return rig_.place(joint); }
  int at(Role role) const { return map_.joint(role); }

  // ---- limbs -----------------------------------------------------------------------------------

  using Resolve = Limb (*)(const LimbChain&, std::span<const JointWords>);

  // The chain that gives most roles; of equals the first.
  Limb best_limb(const std::function<bool(int)>& member, Resolve resolve) const {
    Limb best;
    std::ptrdiff_t best_count = 0;
    for (const LimbChain& chain : find_chains(skeleton_, member)) {
      Limb limb = resolve(chain, rig_.names());
      const auto count =
          std::count_if(limb.begin(), limb.end(), [](int joint) { return joint >= 0; });
      if (count > best_count) {
        best = std::move(limb);
        best_count = count;
      }
    }
    return best;
  }

  void set_limb(Role first, const Limb& limb) {
    for (std::size_t i = 0; i < limb.size(); ++i) {
      map_.set(shifted(first, static_cast<int>(i)), limb[i]);
    }
  }

  static bool is_arm_word(const JointWords& w) {
    return w.any(kCollar, kShoulder, kUpperArm, kArm, kLowerArm, kWrist, kHand);
  }
  static bool is_leg_word(const JointWords& w) {
    return w.any(kHipJoint, kHips, kThigh, kLeg, kShin, kAnkle, kFoot, kToe);
  }
  static bool is_finger_word(const JointWords& w) {
    return w.any(kThumb, kIndex, kMiddle, kRing, kLittle, kFinger);
  }

  void find_humanoid_limbs() {
    for (int side : {-1, 1}) {
      const Limb arm = best_limb(
          [&](int j) {
            const JointWords& w = words(j);
            return usable(j) && w.side == side && is_arm_word(w) && !is_leg_word(w) &&
                   !is_finger_word(w);
          },
          resolve_arm);
      const Limb leg = best_limb(
          [&](int j) {
            const JointWords& w = words(j);
            return usable(j) && w.side == side && is_leg_word(w) && !is_arm_word(w);
          },
          resolve_leg);
      set_limb(side < 0 ? Role::kLeftShoulder : Role::kRightShoulder, arm);
      set_limb(side < 0 ? Role::kLeftUpperLeg : Role::kRightUpperLeg, leg);
    }
  }

  // Legs by names that say front or hind. False, and nothing set, if there are no such four.
  bool find_animal_legs() {
    static constexpr Role kFirst[2][2] = {{Role::kFrontLeftGirdle, Role::kFrontRightGirdle},
                                          {Role::kHindLeftGirdle, Role::kHindRightGirdle}};
    Limb legs[2][2];
    for (int hind : {0, 1}) {
      for (int right : {0, 1}) {
        legs[hind][right] = best_limb(
            [&](int j) {
              const JointWords& w = words(j);
              return usable(j) && w.side == (right ? 1 : -1) && w.has(hind ? kHind : kFront) &&
                     !w.has(hind ? kFront : kHind) &&
                     (is_leg_word(w) || is_arm_word(w) || w.any(kUpper, kLower));
            },
            resolve_animal_leg);
        if (legs[hind][right].empty()) return false;
        add_thigh(legs[hind][right]);
      }
    }
    for (std::size_t hind : {0u, 1u}) {
      for (std::size_t right : {0u, 1u}) set_limb(kFirst[hind][right], legs[hind][right]);
    }
    return true;
  }

  // "BackLeg, BackUpperLeg, BackLowerLeg": the first is the thigh, the others shank and foot, if
  // its bone is no mere stub between girdle and leg.
  void add_thigh(Limb& leg) const {
    const int upper = leg[1], lower = leg[2], ankle = leg[3];
    if (upper == kNoJoint || lower == kNoJoint || ankle != kNoJoint) return;
    const int above = skeleton_.parent(upper);
    if (above == kNoJoint || above == leg[0] || !usable(above)) return;
    const JointWords& w = words(above);
    const bool plain = w.has(kLeg) && !w.any(kUpper, kLower, kHips, kHipJoint, kThigh, kShin);
    if (!plain || w.side != words(upper).side) return;
    if (distance(place(above), place(upper)) < 0.3f * distance(place(upper), place(lower))) return;
    leg[3] = lower;
    leg[2] = upper;
    leg[1] = above;
  }

  // ---- trunk -----------------------------------------------------------------------------------

  int common_ancestor(int a, int b) const {
    while (a != kNoJoint && b != kNoJoint && a != b) {
      if (a > b) {
        a = skeleton_.parent(a);
      } else {
        b = skeleton_.parent(b);
      }
    }
    return a == b ? a : kNoJoint;
  }

  // The innermost joints of a pair of limbs.
  int root_of_limbs(std::initializer_list<Role> left, std::initializer_list<Role> right) const {
    const auto first = [&](std::initializer_list<Role> roles) {
      for (Role role : roles) {
        if (at(role) >= 0) return at(role);
      }
      return kNoJoint;
    };
    const int l = first(left), r = first(right);
    return l >= 0 && r >= 0 ? common_ancestor(l, r) : kNoJoint;
  }

  void find_hips() {
    int root = root_of_limbs({Role::kLeftUpperLeg}, {Role::kRightUpperLeg});
    if (root < 0) {
      root = root_of_limbs({Role::kHindLeftGirdle, Role::kHindLeftUpper},
                           {Role::kHindRightGirdle, Role::kHindRightUpper});
    }
    if (root >= 0) {
      for (int j = root; j != kNoJoint; j = skeleton_.parent(j)) {
        if (usable(j) && words(j).has(kHips) && words(j).side == 0) {
          map_.set(Role::kHips, j);
          return;
        }
      }
      if (is_at_leg_height(root)) map_.set(Role::kHips, root);
      return;
    }
    // No pair of legs: a name alone, if only one joint has it and a single leg hangs there too.
    int named = kNoJoint;
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (!usable(j) || !words(j).has(kHips) || words(j).side != 0) continue;
      if (named != kNoJoint && !skeleton_.is_ancestor(named, j)) return;
      if (named == kNoJoint) named = j;
    }
    if (named == kNoJoint) return;
    for (Role upper : {Role::kLeftUpperLeg, Role::kRightUpperLeg}) {
      if (at(upper) != kNoJoint && !skeleton_.is_ancestor(named, at(upper))) return;
    }
    map_.set(Role::kHips, named);
  }

  // From the tops of the legs to their ends, whichever way up the rest pose stands.
  Vec3 leg_direction() const {
    Vec3 sum;
    for (Role upper :
         {Role::kLeftUpperLeg, Role::kRightUpperLeg, Role::kHindLeftUpper, Role::kHindRightUpper}) {
      if (at(upper) == kNoJoint || at(shifted(upper, 1)) == kNoJoint) continue;
      int end = at(shifted(upper, 1));
      if (at(shifted(upper, 2)) != kNoJoint) end = at(shifted(upper, 2));
      sum += normalize_or(place(end) - place(at(upper)), {});
    }
    return normalize_or(sum, {0, -1, 0});
  }

  // A joint without a telling name is the hips only if it lies near the tops of the legs: a rig's
  // root on the floor does not.
  bool is_at_leg_height(int joint) const {
    const bool animal = at(Role::kHindLeftUpper) >= 0;
    const Vec3 top = place(at(animal ? Role::kHindLeftUpper : Role::kLeftUpperLeg));
    const Vec3 lower = place(at(animal ? Role::kHindLeftLower : Role::kLeftLowerLeg));
    return abs(dot(place(joint) - top, leg_direction())) < 1.2f * distance(top, lower);
  }

  // The head: by name, the nearest to the hips; else the last of a chain of neck or trunk joints
  // that goes on above the arms.
  int find_head(int attach) const {
    int head = kNoJoint;
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (!usable(j) || !words(j).has(kHead) || words(j).side != 0 || words(j).any(kJaw, kEye) ||
          !skeleton_.is_ancestor(at(Role::kHips), j) || j == at(Role::kHips)) {
        continue;
      }
      if (head == kNoJoint) head = j;
      if (!skeleton_.is_ancestor(head, j)) return kNoJoint;  // two heads
    }
    if (head != kNoJoint || attach == kNoJoint) return head;
    int last = attach, length = 0;
    for (int j = attach + 1; j < skeleton_.joint_count(); ++j) {
      if (skeleton_.parent(j) == last && usable(j) && words(j).side == 0 &&
          words(j).any(kNeck, kTrunk)) {
        last = j;
        ++length;
      }
    }
    return length >= 2 ? last : kNoJoint;
  }

  void find_trunk() {
    const int hips = at(Role::kHips);
    int attach = root_of_limbs(
        {Role::kLeftShoulder, Role::kLeftUpperArm, Role::kFrontLeftGirdle, Role::kFrontLeftUpper},
        {Role::kRightShoulder, Role::kRightUpperArm, Role::kFrontRightGirdle,
         Role::kFrontRightUpper});
    if (attach != kNoJoint && !skeleton_.is_ancestor(hips, attach)) attach = kNoJoint;
    const int head = find_head(attach);
    if (head != kNoJoint && map_.role(head) == Role::kNone) map_.set(Role::kHead, head);

    const int top = head != kNoJoint ? head : attach;
    if (top == kNoJoint) return;
    std::vector<int> path;  // from above the hips to below the head
    for (int j = head != kNoJoint ? skeleton_.parent(top) : top; j != hips && j != kNoJoint;
         j = skeleton_.parent(j)) {
      path.insert(path.begin(), j);
    }
    auto neck = path.end();
    if (head != kNoJoint) {
      neck = std::find_if(path.begin(), path.end(), [&](int j) { return words(j).has(kNeck); });
      const auto shoulders = std::find(path.begin(), path.end(), attach);
      if (neck == path.end() && shoulders != path.end()) neck = shoulders + 1;
    }
    auto end = neck;
    const auto shoulders = std::find(path.begin(), path.end(), attach);
    if (shoulders != path.end() && shoulders < end) end = shoulders + 1;
    if (neck != path.end()) map_.set(Role::kNeck, *neck);
    if (head == kNoJoint) find_headless_neck(attach);
    // A joint that carries the legs, as the first one of 3ds Max's Biped does, moves all of the
    // body.
    const int legs =
        root_of_limbs({Role::kLeftUpperLeg, Role::kHindLeftGirdle, Role::kHindLeftUpper},
                      {Role::kRightUpperLeg, Role::kHindRightGirdle, Role::kHindRightUpper});
    std::vector<int> trunk;
    for (auto i = path.begin(); i != end; ++i) {
      const bool carries_legs = legs != kNoJoint && skeleton_.is_ancestor(*i, legs);
      if (!words(*i).has(kHips) && !carries_legs) trunk.push_back(*i);
    }
    name_trunk(trunk);
  }

  // A neck that carries no head joint.
  void find_headless_neck(int attach) {
    const int neck =
        rig_.only_one(attach, [](const JointWords& w) { return w.has(kNeck) && w.side == 0; });
    if (neck != kNoJoint && skeleton_.parent(neck) == attach) map_.set(Role::kNeck, neck);
  }

  void name_trunk(const std::vector<int>& trunk) {
    const std::size_t n = trunk.size();
    if (n == 0) return;
    if (n == 1) {
      map_.set(words(trunk[0]).has(kChest) ? Role::kChest : Role::kSpine, trunk[0]);
      return;
    }
    map_.set(Role::kSpine, trunk.front());
    if (n == 2) {
      map_.set(Role::kChest, trunk.back());
    } else {
      map_.set(Role::kChest, trunk[n / 2]);
      map_.set(Role::kUpperChest, trunk.back());
    }
  }

  // ---- geometry --------------------------------------------------------------------------------

  // An animal whose legs have the names of arms and legs: the hands reach as far down as the feet,
  // and the trunk lies across.
  bool walks_on_arms() const {
    const int hips = at(Role::kHips);
    if (hips == kNoJoint) return false;
    for (Role role : {Role::kLeftHand, Role::kRightHand, Role::kLeftFoot, Role::kRightFoot}) {
      if (at(role) == kNoJoint) return false;
    }
    const Vec3 down = leg_direction();
    const auto depth = [&](Role role) { return dot(place(at(role)) - place(hips), down); };
    const float hand = min(depth(Role::kLeftHand), depth(Role::kRightHand));
    const float foot = max(depth(Role::kLeftFoot), depth(Role::kRightFoot));
    const Vec3 arms = lerp(place(at(Role::kLeftUpperArm)), place(at(Role::kRightUpperArm)), 0.5f);
    const Vec3 trunk = arms - place(hips);
    return hand > 0.65f * foot && 2.0f * square(dot(trunk, down)) < length_squared(trunk);
  }

  void to_quadruped() {
    const auto move = [&](Role from, Role to) {
      const int joint = at(from);
      map_.set(from, kNoJoint);
      if (joint != kNoJoint) map_.set(to, joint);
    };
    for (int side : {-1, 1}) {
      const Role arm = side < 0 ? Role::kLeftShoulder : Role::kRightShoulder;
      const Role front = side < 0 ? Role::kFrontLeftGirdle : Role::kFrontRightGirdle;
      move(arm, front);
      move(shifted(arm, 1), shifted(front, 1));
      move(shifted(arm, 2), shifted(front, 2));
      move(shifted(arm, 3), shifted(front, 4));
      const Role leg = side < 0 ? Role::kLeftUpperLeg : Role::kRightUpperLeg;
      const Role hind = side < 0 ? Role::kHindLeftUpper : Role::kHindRightUpper;
      const bool has_toes = at(shifted(leg, 3)) != kNoJoint;
      move(leg, hind);
      move(shifted(leg, 1), shifted(hind, 1));
      move(shifted(leg, 2), shifted(hind, has_toes ? 2 : 3));
      move(shifted(leg, 3), shifted(hind, 3));
    }
    map_.plan = BodyPlan::kQuadruped;
  }

  // The joint at the top of the limb that a role of the left side belongs to: what hangs below it
  // may be anywhere, as legs that cross in a stride are. kNone for a role that stands for itself.
  Role top_of_limb(Role left) const {
    static constexpr struct {
      Role top, first, last;
    } kLimbs[] = {
        {Role::kLeftUpperArm, Role::kLeftLowerArm, Role::kLeftHand},
        {Role::kLeftUpperArm, Role::kLeftThumbMetacarpal, Role::kLeftLittleDistal},
        {Role::kLeftUpperLeg, Role::kLeftLowerLeg, Role::kLeftToes},
        {Role::kFrontLeftUpper, Role::kFrontLeftLower, Role::kFrontLeftFoot},
        {Role::kHindLeftUpper, Role::kHindLeftLower, Role::kHindLeftFoot},
    };
    for (const auto& limb : kLimbs) {
      if (left >= limb.first && left <= limb.last) return limb.top;
    }
    return Role::kNone;
  }

  // Left and right must lie on opposite sides, all pairs the same way round. A pair in one place
  // (collar bones that start at the spine) says nothing.
  void check_sides() {
    const auto each_pair = [&](auto act) {
      for (int i = 1; i < kJointRoleCount; ++i) {
        const auto left = static_cast<Role>(i);
        if (side_of(left) != -1 || at(left) < 0 || at(mirrored(left)) < 0) continue;
        if (top_of_limb(left) != Role::kNone) continue;
        const Vec3 across = place(at(left)) - place(at(mirrored(left)));
        if (length(across) > 1e-3f * skeleton_.height()) act(left, normalize_or(across, {}));
      }
    };
    const auto unset = [&](Role left) {
      for (int i = 1; i < kJointRoleCount; ++i) {
        const auto role = static_cast<Role>(i);
        if (role != left && (side_of(role) != -1 || top_of_limb(role) != left)) continue;
        map_.set(mirrored(role), kNoJoint);
        map_.set(role, kNoJoint);
      }
    };
    Vec3 sum;
    each_pair([&](Role, Vec3 across) { sum += across; });
    const bool confused = toes_disagree(sum);
    each_pair([&](Role left, Vec3 across) {
      if (confused || !(dot(across, sum) > 0.0f)) unset(left);
    });
  }

  // True if the toes point to where the names say is the back: then left and right are confused. By
  // a margin that a foot lifted in a rest pose of a stride does not reach.
  bool toes_disagree(Vec3 to_left) const {
    const Vec3 forward = normalize_or(cross(leg_direction(), to_left), {});
    float along = 0;
    for (const auto& [foot, toes] : {std::pair{Role::kLeftFoot, Role::kLeftToes},
                                     std::pair{Role::kRightFoot, Role::kRightToes}}) {
      if (at(foot) == kNoJoint || at(toes) == kNoJoint) return false;
      const float shin = distance(place(at(foot)), place(skeleton_.parent(at(foot))));
      along += dot(place(at(toes)) - place(at(foot)), forward) / max(shin, 1e-6f);
    }
    return along < -0.6f;
  }

  void decide_plan() {
    const auto both = [&](Role left) {
      return at(left) != kNoJoint && at(mirrored(left)) != kNoJoint;
    };
    if (both(Role::kFrontLeftUpper) && both(Role::kHindLeftUpper)) {
      map_.plan = BodyPlan::kQuadruped;
    } else if (both(Role::kLeftUpperLeg)) {
      map_.plan = BodyPlan::kBiped;
    } else {
      map_.plan = BodyPlan::kUnknown;
    }
  }

  const Skeleton& skeleton_;
  NamedSkeleton rig_;
  RoleMap map_;
};

}  // namespace

RoleMap find_roles(const Skeleton& skeleton) { return Finder(skeleton).find(); }

}  // namespace sinew
