#include <algorithm>
#include <map>

#include <sinew/asset/mirror_map.hpp>
#include <sinew/base/text.hpp>

#include "joint_words.hpp"

namespace sinew {
namespace {

Quat reflected(Quat q) { return {q.x, -q.y, -q.z, q.w}; }

Quat rest_rotation(const Skeleton& skeleton, int joint) {
  if (joint == kNoJoint) return {};
  return decompose(skeleton.rest_model()[static_cast<std::size_t>(joint)]).rotation;
}

Vec3 rest_place(const Skeleton& skeleton, int joint) {
  return translation_of(skeleton.rest_model()[static_cast<std::size_t>(joint)]);
}

// Finds partners from the sources in turn; a later one only fills what an earlier left open.
class Partners {
 public:
  explicit Partners(const Skeleton& skeleton)
      : skeleton_(skeleton), partner_(static_cast<std::size_t>(skeleton.joint_count()), kNoJoint) {}

  void by_roles(const RoleMap& roles) {
    for (int i = 1; i < kJointRoleCount; ++i) {
      const auto role = static_cast<JointRole>(i);
      const int a = roles.joint(role), b = roles.joint(mirrored(role));
      if (a < 0 || b < 0 || a >= skeleton_.joint_count() || b >= skeleton_.joint_count()) continue;
      pair(a, b);
    }
  }

  // Names that are equal but for their side word; only where exactly one joint of each side is so.
  void by_names() {
    std::map<std::string, std::pair<std::vector<int>, std::vector<int>>> groups;
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      const JointWords words = read_joint_name(skeleton_.name(j));
      if (words.side == 0) continue;
      auto& group = groups[words.key];
      (words.side < 0 ? group.first : group.second).push_back(j);
    }
    for (const auto& [key, group] : groups) {
      if (group.first.size() == 1 && group.second.size() == 1) {
        pair(group.first[0], group.second[0]);
      }
    }
  }

  // Joints off the middle plane whose reflection holds exactly one other joint. From the root down,
  // so that the partners of the parents are known.
  void by_place() {
    const float near = 0.01f * max(skeleton_.height(), 1e-6f);
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (partner(j) != kNoJoint) continue;
      const Vec3 p = rest_place(skeleton_, j);
      if (abs(p.x) <= near) continue;
      int found = kNoJoint, count = 0;
      for (int k = 0; k < skeleton_.joint_count(); ++k) {
        if (k == j || partner(k) != kNoJoint || parent_partner(j) != skeleton_.parent(k)) continue;
        if (distance(rest_place(skeleton_, k), {-p.x, p.y, p.z}) > near) continue;
        found = k;
        ++count;
      }
      if (count == 1) pair(j, found);
    }
  }

  // Joints that are left mirror onto themselves, and so do pairs whose parents are no pair.
  std::vector<int> finish() {
    for (std::size_t j = 0; j < partner_.size(); ++j) {
      if (partner_[j] == kNoJoint) partner_[j] = static_cast<int>(j);
    }
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      const int k = partner(j);
      if (parent_partner(j) == skeleton_.parent(k)) continue;
      partner_[static_cast<std::size_t>(k)] = k;
      partner_[static_cast<std::size_t>(j)] = j;
    }
    return std::move(partner_);
  }

 private:
  int partner(int j) const { return partner_[static_cast<std::size_t>(j)]; }
  int parent_partner(int j) const {
    const int parent = skeleton_.parent(j);
    if (parent == kNoJoint) return kNoJoint;
    return partner(parent) == kNoJoint ? parent : partner(parent);
  }
  void pair(int a, int b) {
    if (partner(a) != kNoJoint || partner(b) != kNoJoint) return;
    partner_[static_cast<std::size_t>(a)] = b;
    partner_[static_cast<std::size_t>(b)] = a;
  }

  const Skeleton& skeleton_;
  std::vector<int> partner_;
};

}  // namespace

MirrorMap MirrorMap::build(const Skeleton& skeleton, const RoleMap& roles) {
  Partners partners(skeleton);
  partners.by_roles(roles);
  partners.by_names();
  partners.by_place();
  MirrorMap map;
  map.fill(skeleton, partners.finish());
  return map;
}

Result<MirrorMap> MirrorMap::build(const Skeleton& skeleton, std::span<const int> partners) {
  const auto n = static_cast<std::size_t>(skeleton.joint_count());
  if (partners.size() != n) {
    return make_error(ErrorCode::kMismatch,
                      format_text("%zu partners for %zu joints", partners.size(), n));
  }
  const auto place = [&](std::size_t j) {
    return format_text("joint %zu '%s'", j, skeleton.name(static_cast<int>(j)).c_str());
  };
  for (std::size_t j = 0; j < n; ++j) {
    if (partners[j] < 0 || partners[j] >= static_cast<int>(n)) {
      return make_error(
          ErrorCode::kInvalidArgument,
          format_text("partner %d does not exist; there are %zu joints", partners[j], n), place(j));
    }
    const auto k = static_cast<std::size_t>(partners[j]);
    if (partners[k] != static_cast<int>(j)) {
      return make_error(ErrorCode::kInvalidArgument,
                        "its partner '" + skeleton.name(partners[j]) + "' has another partner",
                        place(j));
    }
    const int parent = skeleton.parent(static_cast<int>(j));
    const int wanted = parent == kNoJoint ? kNoJoint : partners[static_cast<std::size_t>(parent)];
    if (wanted != skeleton.parent(partners[j])) {
      return make_error(ErrorCode::kInvalidArgument,
                        "its parent and the parent of its partner '" + skeleton.name(partners[j]) +
                            "' are no pair",
                        place(j));
    }
  }
  MirrorMap map;
  map.fill(skeleton, {partners.begin(), partners.end()});
  return map;
}

void MirrorMap::fill(const Skeleton& skeleton, const std::vector<int>& partners) {
  const auto slots = static_cast<std::size_t>(skeleton.slot_count());
  partner_slots_.resize(slots);
  for (std::size_t i = 0; i < slots; ++i) partner_slots_[i] = static_cast<std::int16_t>(i);
  const SoaQuat identity = SoaTransform::identity().rotation;
  before_groups_.assign(static_cast<std::size_t>(skeleton.group_count()), identity);
  after_groups_.assign(static_cast<std::size_t>(skeleton.group_count()), identity);
  const auto set = [](SoaQuat& group, int lane, Quat q) {
    group.x.set(lane, q.x);
    group.y.set(lane, q.y);
    group.z.set(lane, q.z);
    group.w.set(lane, q.w);
  };
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int k = partners[static_cast<std::size_t>(j)];
    const int parent = skeleton.parent(j), other_parent = skeleton.parent(k);
    const Quat before = normalize(conjugate(rest_rotation(skeleton, parent)) *
                                  reflected(rest_rotation(skeleton, other_parent)));
    const Quat after =
        normalize(conjugate(reflected(rest_rotation(skeleton, k))) * rest_rotation(skeleton, j));
    partners_.push_back(static_cast<std::int16_t>(k));
    before_.push_back(before);
    after_.push_back(after);
    const int slot = skeleton.slot(j);
    partner_slots_[static_cast<std::size_t>(slot)] = static_cast<std::int16_t>(skeleton.slot(k));
    set(before_groups_[static_cast<std::size_t>(slot / 4)], slot % 4, before);
    set(after_groups_[static_cast<std::size_t>(slot / 4)], slot % 4, after);
  }
}

}  // namespace sinew
