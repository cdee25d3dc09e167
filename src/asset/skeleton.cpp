#include <algorithm>

#include <sinew/asset/skeleton.hpp>
#include <sinew/base/hash.hpp>
#include <sinew/base/text.hpp>

namespace sinew {
namespace {

std::string place_of(std::span<const JointDef> joints, std::size_t i) {
  return format_text("joint %zu '%s'", i, joints[i].name.c_str());
}

// Parent before child, siblings in their given order. A list that is already so stays as it is;
// others are walked depth first. Empty if there is a cycle.
std::vector<int> sorted_order(std::span<const JointDef> joints) {
  const auto n = joints.size();
  std::vector<int> order;
  order.reserve(n);
  const bool sorted = [&] {
    for (std::size_t i = 0; i < n; ++i) {
      if (joints[i].parent >= static_cast<int>(i)) return false;
    }
    return true;
  }();
  if (sorted) {
    for (std::size_t i = 0; i < n; ++i) order.push_back(static_cast<int>(i));
    return order;
  }
  std::vector<std::vector<int>> children(n);
  std::vector<int> stack;
  for (std::size_t i = n; i-- > 0;) {
    if (joints[i].parent == kNoJoint) {
      stack.push_back(static_cast<int>(i));
    } else {
      children[static_cast<std::size_t>(joints[i].parent)].push_back(static_cast<int>(i));
    }
  }
  while (!stack.empty()) {
    const int joint = stack.back();
    stack.pop_back();
    order.push_back(joint);
    const auto& below = children[static_cast<std::size_t>(joint)];  // last child first
    stack.insert(stack.end(), below.begin(), below.end());
  }
  if (order.size() != n) order.clear();
  return order;
}

bool is_unit(Vec3 scale) {
  return abs(scale.x - 1) <= 1e-6f && abs(scale.y - 1) <= 1e-6f && abs(scale.z - 1) <= 1e-6f;
}

}  // namespace

Result<Skeleton> Skeleton::build(std::span<const JointDef> joints) {
  return assemble(joints, false);
}

Result<Skeleton> Skeleton::rebuild(std::span<const JointDef> joints) {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (joints[i].parent >= static_cast<int>(i)) {
      return make_error(ErrorCode::kMalformed, "stands before its parent", place_of(joints, i));
    }
    if (!(abs(dot(joints[i].rest.rotation, joints[i].rest.rotation) - 1) <= 2e-5f)) {
      return make_error(ErrorCode::kMalformed, "the rest rotation is not of unit length",
                        place_of(joints, i));
    }
  }
  return assemble(joints, true);
}

Result<Skeleton> Skeleton::assemble(std::span<const JointDef> joints, bool as_they_are) {
  if (joints.size() > static_cast<std::size_t>(kMaxJoints)) {
    return make_error(ErrorCode::kLimit,
                      format_text("%zu joints; the limit is %d", joints.size(), kMaxJoints));
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int parent = joints[i].parent;
    if (parent != kNoJoint && (parent < 0 || parent >= static_cast<int>(joints.size()))) {
      return make_error(
          ErrorCode::kMalformed,
          format_text("parent %d does not exist; there are %zu joints", parent, joints.size()),
          place_of(joints, i));
    }
    if (!is_finite(joints[i].rest)) {
      return make_error(ErrorCode::kMalformed, "the rest transform is not finite",
                        place_of(joints, i));
    }
  }
  const std::vector<int> order = sorted_order(joints);
  if (order.size() != joints.size()) {
    // Every joint of a cycle, or below one, has a chain of parents that never ends.
    for (std::size_t i = 0; i < joints.size(); ++i) {
      int at = static_cast<int>(i);
      for (std::size_t step = 0; step <= joints.size() && at != kNoJoint; ++step) {
        at = joints[static_cast<std::size_t>(at)].parent;
      }
      if (at != kNoJoint) {
        return make_error(ErrorCode::kMalformed, "its parents form a cycle", place_of(joints, i));
      }
    }
  }

  Skeleton s;
  s.from_source_.resize(joints.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    s.from_source_[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  }
  for (int source : order) {
    const JointDef& joint = joints[static_cast<std::size_t>(source)];
    const int parent = joint.parent == kNoJoint
                           ? kNoJoint
                           : s.from_source_[static_cast<std::size_t>(joint.parent)];
    Transform rest = joint.rest;
    if (!as_they_are) rest.rotation = normalize(rest.rotation);
    s.parents_.push_back(static_cast<std::int16_t>(parent));
    s.by_name_.try_emplace(joint.name, static_cast<int>(s.names_.size()));
    s.names_.push_back(joint.name);
    s.rest_.push_back(rest);
    s.has_rest_scale_ = s.has_rest_scale_ || !is_unit(rest.scale);
  }
  s.assign_slots();
  s.finish();
  return s;
}

// Hu's list scheduling of a tree: of the joints whose parents lie in earlier groups, the four with
// the longest way to a leaf go next. It gives the fewest groups possible.
void Skeleton::assign_slots() {
  const auto n = parents_.size();
  std::vector<int> height(n, 0);
  for (std::size_t i = n; i-- > 0;) {
    if (parents_[i] != kNoJoint) {
      int& above = height[static_cast<std::size_t>(parents_[i])];
      above = std::max(above, height[i] + 1);
    }
  }
  std::vector<std::vector<int>> children(n);
  std::vector<int> ready;
  for (std::size_t i = 0; i < n; ++i) {
    if (parents_[i] == kNoJoint) {
      ready.push_back(static_cast<int>(i));
    } else {
      children[static_cast<std::size_t>(parents_[i])].push_back(static_cast<int>(i));
    }
  }
  const auto sooner = [&](int a, int b) {
    const int ha = height[static_cast<std::size_t>(a)], hb = height[static_cast<std::size_t>(b)];
    return ha != hb ? ha > hb : a < b;
  };
  slots_.assign(n, 0);
  joint_of_slot_.clear();
  while (!ready.empty()) {
    std::sort(ready.begin(), ready.end(), sooner);
    const std::size_t taken = std::min<std::size_t>(4, ready.size());
    std::vector<int> group(ready.begin(), ready.begin() + static_cast<std::ptrdiff_t>(taken));
    ready.erase(ready.begin(), ready.begin() + static_cast<std::ptrdiff_t>(taken));
    for (std::size_t lane = 0; lane < 4; ++lane) {
      if (lane < taken) {
        slots_[static_cast<std::size_t>(group[lane])] =
            static_cast<std::int16_t>(joint_of_slot_.size());
        const auto& below = children[static_cast<std::size_t>(group[lane])];
        ready.insert(ready.end(), below.begin(), below.end());
      }
      joint_of_slot_.push_back(static_cast<std::int16_t>(lane < taken ? group[lane] : kNoJoint));
    }
  }
  group_count_ = static_cast<int>(joint_of_slot_.size() / 4);
}

void Skeleton::finish() {
  rest_groups_.assign(static_cast<std::size_t>(group_count_), SoaTransform::identity());
  rest_model_.resize(rest_.size());
  Hasher hash;
  Vec3 low{}, high{};
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    const auto slot = static_cast<std::size_t>(slots_[i]);
    set_lane(rest_groups_[slot / 4], static_cast<int>(slot % 4), rest_[i]);
    const Mat3x4 local = to_matrix(rest_[i]);
    rest_model_[i] = parents_[i] == kNoJoint
                         ? local
                         : rest_model_[static_cast<std::size_t>(parents_[i])] * local;
    const Vec3 p = translation_of(rest_model_[i]);
    low = i == 0 ? p : min(low, p);
    high = i == 0 ? p : max(high, p);
    hash.text(names_[i]);
    hash.u64(static_cast<std::uint64_t>(parents_[i] + 1));
    const Transform& t = rest_[i];
    for (float value :
         {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
          t.rotation.z, t.rotation.w, t.scale.x, t.scale.y, t.scale.z}) {
      hash.f32(value);
    }
  }
  const Vec3 extent = high - low;
  height_ =
      extent.y > 0.1f * max(extent.x, extent.z) ? extent.y : max(extent.x, max(extent.y, extent.z));
  hash_ = hash.value();
}

std::optional<int> Skeleton::find(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  if (found == by_name_.end()) return std::nullopt;
  return found->second;
}

Result<int> Skeleton::require(std::string_view name) const {
  if (const auto found = find(name)) return *found;
  std::vector<std::string_view> candidates(names_.begin(), names_.end());
  return make_error(ErrorCode::kNotFound, "there is no joint '" + std::string(name) + "'" +
                                              did_you_mean(name, candidates));
}

bool Skeleton::is_ancestor(int ancestor, int joint) const {
  while (joint > ancestor) joint = parent(joint);
  return joint == ancestor;
}

}  // namespace sinew
