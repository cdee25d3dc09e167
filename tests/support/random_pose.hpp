// Random skeletons, poses and clips.
#pragma once

#include <vector>

#include <sinew/asset/clip.hpp>
#include <sinew/base/text.hpp>
#include <sinew/pose/pose.hpp>

#include "generators.hpp"

namespace sinew::testing {

inline Skeleton random_skeleton(Random& random, int joints, bool scaled = false) {
  std::vector<JointDef> defs;
  for (int i = 0; i < joints; ++i) {
    const int parent = i == 0 ? kNoJoint : random.below(i);
    defs.push_back({format_text("j%d", i), parent, random.transform(1, scaled)});
  }
  return Skeleton::build(defs).value();
}

inline Pose random_pose(Random& random, const Skeleton& skeleton, bool scaled = true) {
  Pose pose(skeleton);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    set_joint(skeleton, pose, j, random.transform(1, scaled));
  }
  return pose;
}

// Keys at 30 a second that wander, so that neighbours are near one another.
inline RawClip random_clip(Random& random, const Skeleton& skeleton, int frames, bool scaled) {
  RawClip raw;
  raw.name = "random";
  raw.duration = static_cast<float>(frames) / 30.0f;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    JointTrack track;
    track.joint = j;
    Transform at = skeleton.rest(j);
    for (int i = 0; i <= frames; ++i) {
      const float time = static_cast<float>(i) / 30.0f;
      track.translation.times.push_back(time);
      track.translation.values.push_back(at.translation);
      track.rotation.times.push_back(time);
      track.rotation.values.push_back(at.rotation);
      if (scaled) {
        track.scale.times.push_back(time);
        track.scale.values.push_back(at.scale);
      }
      at.translation += random.vec3(0.05f);
      at.rotation = normalize(at.rotation * from_rotation_vector(random.vec3(0.1f)));
      at.scale += random.vec3(0.02f);
    }
    raw.tracks.push_back(track);
  }
  return raw;
}

inline float difference(const Transform& a, const Transform& b) {
  return max(difference(a.translation, b.translation),
             max(difference(a.rotation, b.rotation), difference(a.scale, b.scale)));
}

// Largest difference of any joint.
inline float difference(const Skeleton& skeleton, ConstPoseSpan a, ConstPoseSpan b) {
  float largest = 0;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    largest = max(largest, difference(get_joint(skeleton, a, j), get_joint(skeleton, b, j)));
  }
  return largest;
}

// Equal in every joint's numbers (-0 counts as 0), and padding at the identity.
inline bool equal(const Skeleton& skeleton, ConstPoseSpan a, ConstPoseSpan b) {
  for (int slot = 0; slot < skeleton.slot_count(); ++slot) {
    const auto group = static_cast<std::size_t>(slot / 4);
    const Transform x = get_lane(a[group], slot % 4), y = get_lane(b[group], slot % 4);
    if (!(x == y)) return false;
    if (skeleton.joint_of_slot()[static_cast<std::size_t>(slot)] == kNoJoint &&
        !(x == Transform{})) {
      return false;
    }
  }
  return true;
}

}  // namespace sinew::testing
