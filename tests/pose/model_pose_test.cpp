#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/pose/model_pose.hpp>

#include "random_pose.hpp"

namespace sinew {
namespace {

using testing::Random;

// The definition, one joint at a time.
Mat3x4 naive(const Skeleton& s, ConstPoseSpan local, int joint, const Mat3x4& root) {
  const int parent = s.parent(joint);
  const Mat3x4 above = parent == kNoJoint ? root : naive(s, local, parent, root);
  return above * to_matrix(get_joint(s, local, joint));
}

std::vector<Mat3x4> model_of(const Skeleton& s, ConstPoseSpan local, const Mat3x4& root = {}) {
  std::vector<Mat3x4> out(static_cast<std::size_t>(s.joint_count()));
  local_to_model(s, local, out, root);
  return out;
}

// With scales of any size in any direction: the shear of a turned child is kept.
TEST(LocalToModel, EqualsTheNaiveRecursion) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Skeleton s = testing::random_skeleton(random, 1 + random.below(60), true);
    const Pose pose = testing::random_pose(random, s, true);
    const Mat3x4 root = to_matrix(random.transform(2, true));
    const auto out = model_of(s, pose, root);
    for (int j = 0; j < s.joint_count(); ++j) {
      EXPECT_EQ(out[static_cast<std::size_t>(j)], naive(s, pose, j, root)) << "seed " << seed;
    }
  }
}

TEST(LocalToModel, RestPoseGivesTheRestMatrices) {
  Random random(5);
  const Skeleton s = testing::random_skeleton(random, 50, true);
  const auto out = model_of(s, s.rest_groups());
  for (std::size_t j = 0; j < out.size(); ++j) EXPECT_EQ(out[j], s.rest_model()[j]);
}

TEST(LocalToModel, OfAPartLeavesTheRestAlone) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Skeleton s = testing::random_skeleton(random, 40);
    Pose pose = testing::random_pose(random, s);
    auto out = model_of(s, pose);
    const int first = random.below(40);
    for (int j = 0; j < s.joint_count(); ++j) {
      if (s.is_ancestor(first, j)) set_joint(s, pose, j, random.transform(1, true));
    }
    local_to_model_from(s, pose, first, out);
    const auto want = model_of(s, pose);
    for (std::size_t j = 0; j < out.size(); ++j) EXPECT_EQ(out[j], want[j]);
  }
}

TEST(LocalToModel, OneJointAlone) {
  Random random(8);
  const Skeleton s = testing::random_skeleton(random, 30);
  const Pose pose = testing::random_pose(random, s, false);
  const auto out = model_of(s, pose);
  for (int j = 0; j < s.joint_count(); ++j) {
    EXPECT_LT(testing::difference(to_matrix(model_transform(s, pose, j)),
                                  out[static_cast<std::size_t>(j)]),
              1e-5f);
  }
}

TEST(LocalToModel, WithoutJoints) {
  const Skeleton s;
  local_to_model(s, ConstPoseSpan{}, std::span<Mat3x4>{});
  EXPECT_EQ(s.joint_count(), 0);
}

TEST(Skinning, IsModelTimesInverseBind) {
  Random random(9);
  const Skeleton s = testing::random_skeleton(random, 20);
  Skin skin;
  for (int j : {3, 7, 7, 19}) {
    skin.joints.push_back(j);
    skin.inverse_bind.push_back(inverse(s.rest_model()[static_cast<std::size_t>(j)]));
  }
  std::vector<Mat3x4> out(4);
  skinning_matrices(skin, model_of(s, s.rest_groups()), out);
  for (const Mat3x4& m : out) EXPECT_LT(testing::difference(m, Mat3x4{}), 1e-5f);
  const auto model = model_of(s, testing::random_pose(random, s));
  skinning_matrices(skin, model, out);
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_EQ(out[i], model[static_cast<std::size_t>(skin.joints[i])] * skin.inverse_bind[i]);
  }
}

}  // namespace
}  // namespace sinew
