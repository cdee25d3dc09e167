// What the tests of the motion capture readers share.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/asset/model.hpp>

namespace sinew::testing {

// Model-space positions of all joints at a time of the first clip.
inline std::vector<Vec3> positions_at(const Model& model, float t) {
  const Skeleton& skeleton = model.skeleton;
  const std::size_t count = static_cast<std::size_t>(skeleton.joint_count());
  std::vector<Transform> pose(count);
  sample(model.clips.at(0), skeleton, t, pose);
  std::vector<Vec3> positions;
  for (std::size_t i = 0; i < count; ++i) {
    const int parent = skeleton.parent(static_cast<int>(i));
    if (parent >= 0) pose[i] = pose[static_cast<std::size_t>(parent)] * pose[i];
    positions.push_back(pose[i].translation);
  }
  return positions;
}

inline const Finding* find_finding(const Findings& findings, std::string_view code) {
  for (const Finding& finding : findings) {
    if (finding.code == code) return &finding;
  }
  return nullptr;
}

inline const JointTrack* track_of(const RawClip& clip, int joint) {
  for (const JointTrack& track : clip.tracks) {
    if (track.joint == joint) return &track;
  }
  return nullptr;
}

inline void expect_near(Vec3 actual, Vec3 expected, float tolerance) {
  EXPECT_NEAR(actual.x, expected.x, tolerance);
  EXPECT_NEAR(actual.y, expected.y, tolerance);
  EXPECT_NEAR(actual.z, expected.z, tolerance);
}

inline std::string data_path(const std::string& relative) {
  return std::string(SINEW_DATA_DIR) + "/" + relative;
}

}  // namespace sinew::testing

#define SINEW_SKIP_WITHOUT_DATA()                                             \
  do {                                                                        \
    if (std::string_view(SINEW_DATA_DIR).empty()) {                           \
      GTEST_SKIP() << "SKIPPED: SINEW_DATA is not set, the files are absent"; \
    }                                                                         \
  } while (false)
