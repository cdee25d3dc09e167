// A skeleton with its names read: what the finders of roles look at.
#pragma once

#include <vector>

#include <sinew/asset/skeleton.hpp>

#include "joint_words.hpp"

namespace sinew {

// The role `by` places further on in JointRole.
inline JointRole shifted(JointRole role, int by) {
  return static_cast<JointRole>(static_cast<int>(role) + by);
}

class NamedSkeleton {
 public:
  explicit NamedSkeleton(const Skeleton& skeleton);

  const Skeleton& skeleton() const { return skeleton_; }
  const std::vector<JointWords>& names() const { return names_; }
  const JointWords& words(int joint) const { return names_[static_cast<std::size_t>(joint)]; }
  // False for controls, ends and props, and for names with words that no table knows, unless so
  // many joints share these that they must be a prefix.
  bool usable(int joint) const { return usable_[static_cast<std::size_t>(joint)] != 0; }
  // In the rest pose, model space.
  Vec3 place(int joint) const {
    return translation_of(skeleton_.rest_model()[static_cast<std::size_t>(joint)]);
  }

  // The only usable joint below `above` for which the test holds, the topmost of a chain; kNoJoint
  // if there are several.
  template <class Test>
  int only_one(int above, Test test) const {
    int found = kNoJoint;
    for (int j = above + 1; j < skeleton_.joint_count(); ++j) {
      if (!usable(j) || !skeleton_.is_ancestor(above, j) || !test(words(j))) continue;
      if (found == kNoJoint) found = j;
      if (!skeleton_.is_ancestor(found, j)) return kNoJoint;
    }
    return found;
  }

 private:
  const Skeleton& skeleton_;
  std::vector<JointWords> names_;
  std::vector<char> usable_;
};

// Jaw, eyes, tail and fingers, once hips, head and hands are known.
void find_details(const NamedSkeleton& rig, RoleMap& map);

}  // namespace sinew
