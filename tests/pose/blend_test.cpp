#include <array>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/pose/blend.hpp>

#include "random_pose.hpp"

namespace sinew {
namespace {

using testing::Random;

bool same_bits(ConstPoseSpan a, ConstPoseSpan b) {
  return std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// Some skeletons with poses of their own.
template <class Check>
void for_seeds(Check check) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const Skeleton s = testing::random_skeleton(random, 1 + random.below(40));
    SCOPED_TRACE(seed);
    check(random, s);
  }
}

TEST(Pose, JointOrderAndSlotsRoundTrip) {
  for_seeds([](Random& random, const Skeleton& s) {
    const Pose pose = testing::random_pose(random, s);
    std::vector<Transform> local(static_cast<std::size_t>(s.joint_count()));
    from_pose(s, pose, local);
    Pose back(s);
    to_pose(s, local, back);
    EXPECT_TRUE(same_bits(pose, back));
    for (int j = 0; j < s.joint_count(); ++j) {
      EXPECT_EQ(local[static_cast<std::size_t>(j)], get_joint(s, pose, j));
      EXPECT_EQ(get_rotation(s, pose, j), get_joint(s, pose, j).rotation);
    }
    set_rotation(s, back, 0, {0, 1, 0, 0});
    EXPECT_EQ(get_joint(s, back, 0).rotation, (Quat{0, 1, 0, 0}));
    EXPECT_TRUE(same_bits(Pose(s).span(), s.rest_groups()));
  });
}

TEST(Blend, EndsAreExact) {
  for_seeds([](Random& random, const Skeleton& s) {
    const Pose a = testing::random_pose(random, s), b = testing::random_pose(random, s);
    Pose out(s);
    blend_poses(a, b, 0.0f, out);
    EXPECT_TRUE(same_bits(out, a));
    blend_poses(a, b, 1.0f, out);
    EXPECT_TRUE(same_bits(out, b));
    const std::array<ConstPoseSpan, 1> one = {b.span()};
    const std::array<float, 1> weight = {1.0f};
    blend_poses(one, weight, out);
    EXPECT_TRUE(same_bits(out, b));
  });
}

TEST(Blend, EqualsTheScalarBlendBitForBit) {
  for_seeds([](Random& random, const Skeleton& s) {
    const Pose a = testing::random_pose(random, s), b = testing::random_pose(random, s);
    const float w = random.real(0.01f, 0.99f);
    Pose out(s);
    blend_poses(a, b, w, out);
    for (int j = 0; j < s.joint_count(); ++j) {
      EXPECT_EQ(get_joint(s, out, j), blend(get_joint(s, a, j), get_joint(s, b, j), w));
    }
    // In place, from either side.
    Pose left = a, right = b;
    blend_poses(left, b, w, left);
    blend_poses(a, right, w, right);
    EXPECT_TRUE(same_bits(left, out));
    EXPECT_TRUE(same_bits(right, out));
  });
}

TEST(Blend, MaskedLanesKeepTheirEnds) {
  for_seeds([](Random& random, const Skeleton& s) {
    const Pose a = testing::random_pose(random, s), b = testing::random_pose(random, s);
    std::vector<float> weights;
    for (int j = 0; j < s.joint_count(); ++j) {
      weights.push_back(static_cast<float>(random.below(3)) * 0.5f);
    }
    const JointMask mask = JointMask::from_weights(s, weights);
    Pose out(s);
    blend_poses(a, b, 1.0f, mask.groups(), out);
    for (int j = 0; j < s.joint_count(); ++j) {
      const Transform got = get_joint(s, out, j);
      const float w = mask.weight(j);
      const Transform x = get_joint(s, a, j), y = get_joint(s, b, j);
      EXPECT_EQ(got, w == 0.0f ? x : (w == 1.0f ? y : blend(x, y, w)));
    }
    blend_poses(a, b, 0.0f, mask.groups(), out);
    EXPECT_TRUE(same_bits(out, a));
    blend_poses(a, b, 0.5f, mask.groups(), out);
    for (int j = 0; j < s.joint_count(); ++j) {
      if (mask.weight(j) != 0.0f) continue;
      EXPECT_EQ(get_joint(s, out, j), get_joint(s, a, j));
    }
  });
}

// Rulings, 20: sums in index order, signs fixed against the sum so far.
TEST(Blend, OfManyEqualsItsDefinition) {
  for_seeds([](Random& random, const Skeleton& s) {
    std::vector<Pose> poses;
    std::vector<ConstPoseSpan> spans;
    std::vector<float> weights;
    for (int i = 0; i < 5; ++i) {
      poses.push_back(testing::random_pose(random, s));
      weights.push_back(0.2f);
    }
    for (const Pose& p : poses) spans.push_back(p.span());
    Pose out(s);
    blend_poses(spans, weights, out);
    for (int j = 0; j < s.joint_count(); ++j) {
      Transform sum = get_joint(s, poses[0], j);
      sum = {sum.translation * 0.2f, sum.rotation * 0.2f, sum.scale * 0.2f};
      for (std::size_t i = 1; i < 5; ++i) {
        const Transform t = get_joint(s, poses[i], j);
        sum.translation += t.translation * 0.2f;
        sum.rotation = sum.rotation + align(sum.rotation, t.rotation) * 0.2f;
        sum.scale += t.scale * 0.2f;
      }
      sum.rotation = normalize(sum.rotation);
      EXPECT_EQ(get_joint(s, out, j), sum);
    }
    // A flipped sign of any pose but the first changes nothing.
    for (int j = 0; j < s.joint_count(); ++j) {
      set_rotation(s, poses[3], j, -get_rotation(s, poses[3], j));
    }
    Pose flipped(s);
    blend_poses(spans, weights, flipped);
    EXPECT_LT(testing::difference(s, out, flipped), 1e-6f);
    const Pose before = out;
    blend_poses(std::span<const ConstPoseSpan>{}, {}, out);
    EXPECT_TRUE(same_bits(out, before)) << "of none leaves the output alone";
  });
}

TEST(Blend, OpposingRotationsStayFinite) {
  const Skeleton s = Skeleton::build(std::vector<JointDef>{{"a", kNoJoint, {}}}).value();
  Pose a(s), b(s), out(s);
  set_rotation(s, a, 0, {0, 0, 0, 1});
  set_rotation(s, b, 0, {1, 0, 0, 0});
  blend_poses(a, b, 0.5f, out);
  EXPECT_NEAR(get_rotation(s, out, 0).w, 0.70710678f, 1e-6f);
  set_rotation(s, b, 0, {0, 0, 0, 0});
  blend_poses(b, b, 0.5f, out);
  EXPECT_EQ(get_rotation(s, out, 0), Quat{});
}

TEST(Additive, UndoesItself) {
  for_seeds([](Random& random, const Skeleton& s) {
    const Pose pose = testing::random_pose(random, s), base = testing::random_pose(random, s);
    Pose difference(s);
    make_additive(pose, base, difference);
    Pose back = base;
    apply_additive(difference, 1.0f, {}, back);
    EXPECT_LT(testing::difference(s, back, pose), 3e-6f);
    back = base;
    apply_additive(difference, 0.0f, {}, back);
    EXPECT_TRUE(same_bits(back, base));
    const JointMask none = JointMask::uniform(s, 0.0f);
    apply_additive(difference, 1.0f, none.groups(), back);
    EXPECT_TRUE(same_bits(back, base));
    make_additive(pose, pose, difference);
    back = base;
    apply_additive(difference, 1.0f, {}, back);
    EXPECT_LT(testing::difference(s, back, base), 3e-6f) << "no difference changes nothing";
  });
}

// State-machine rules, 10.4: the rotation is scaled by slerp, applied on the right.
TEST(Additive, WeightScalesTheTurn) {
  const Skeleton s = Skeleton::build(std::vector<JointDef>{{"a", kNoJoint, {}}}).value();
  Pose reference(s), pose(s), base(s), difference(s);
  set_joint(s, pose, 0, {{2, 0, 0}, from_axis_angle(kAxisY, 1.2f), {3, 1, 1}});
  make_additive(pose, reference, difference);
  const Quat tilt = from_axis_angle(kAxisX, 0.7f);
  set_joint(s, base, 0, {{0, 5, 0}, tilt, {1, 1, 2}});
  apply_additive(difference, 0.25f, {}, base);
  const Transform t = get_joint(s, base, 0);
  EXPECT_LT(testing::difference(t.translation, {0.5f, 5, 0}), 1e-6f);
  EXPECT_LT(testing::difference(t.rotation, tilt * from_axis_angle(kAxisY, 0.3f)), 1e-6f);
  EXPECT_LT(testing::difference(t.scale, {1.5f, 1, 2}), 1e-6f);
}

TEST(Additive, NoScaleToDivideBy) {
  const Skeleton s = Skeleton::build(std::vector<JointDef>{{"a", kNoJoint, {}}}).value();
  Pose flat(s), difference(s);
  set_joint(s, flat, 0, {{}, {}, {0, -2, 1}});
  make_additive(Pose(s), flat, difference);
  const Transform t = get_joint(s, difference, 0);
  EXPECT_TRUE(is_finite(t));
  EXPECT_EQ(t.scale, (Vec3{1, -0.5f, 1}));
}

}  // namespace
}  // namespace sinew
