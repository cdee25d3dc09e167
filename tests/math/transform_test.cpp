#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sinew/math/transform.hpp>

#include "generators.hpp"

namespace sinew {
namespace {

using testing::any_rotation;
using testing::any_transform;
using testing::any_vec3;
using testing::difference;
using testing::real;

Transform rigid(Transform t) {
  t.scale = {1, 1, 1};
  return t;
}
Transform uniform(Transform t) {
  t.scale = {t.scale.x, t.scale.x, t.scale.x};
  return t;
}
float difference(const Transform& a, const Transform& b) {
  return max(
      testing::difference(a.translation, b.translation),
      max(testing::difference(a.rotation, b.rotation), testing::difference(a.scale, b.scale)));
}

RC_GTEST_PROP(Transform, ProductIsAssociative, ()) {
  const Transform a = uniform(*any_transform()), b = uniform(*any_transform()),
                  c = uniform(*any_transform());
  const float size = 100;  // scales multiply up to 64
  RC_ASSERT(difference((a * b) * c, a * (b * c)) < 1e-6f * size);
}

RC_GTEST_PROP(Transform, ProductAppliesChildThenParent, ()) {
  const Transform parent = uniform(*any_transform()), child = *any_transform();
  const Vec3 p = *any_vec3(3);
  RC_ASSERT(difference(transform_point(parent * child, p),
                       transform_point(parent, transform_point(child, p))) < 1e-4f);
}

RC_GTEST_PROP(Transform, InverseUndoes, ()) {
  const Transform t = uniform(*any_transform());
  const Vec3 p = *any_vec3(3);
  RC_ASSERT(difference(transform_point(inverse(t), transform_point(t, p)), p) < 2e-5f);
  RC_ASSERT(difference(t * inverse(t), Transform{}) < 2e-5f);
  RC_ASSERT(difference(inverse(t) * t, Transform{}) < 2e-5f);
}

RC_GTEST_PROP(Transform, MatrixAgrees, ()) {
  const Transform t = *any_transform();
  const Vec3 p = *any_vec3(3);
  RC_ASSERT(difference(transform_point(to_matrix(t), p), transform_point(t, p)) < 1e-5f);
  RC_ASSERT(difference(transform_vector(to_matrix(t), p), transform_vector(t, p)) < 1e-5f);
}

RC_GTEST_PROP(Transform, DecomposeUndoesToMatrix, ()) {
  Transform t = *any_transform();
  if (*rc::gen::arbitrary<bool>()) t.scale.x = -t.scale.x;  // a reflection
  RC_ASSERT(difference(decompose(to_matrix(t)), t) < 1e-5f);
}

RC_GTEST_PROP(Transform, DecomposeOfShearIsARotation, ()) {
  const Mat3x4 m = to_matrix(*any_transform()) * to_matrix(*any_transform());
  const Transform t = decompose(m);
  RC_ASSERT(abs(dot(t.rotation, t.rotation) - 1) < 1e-5f);
  RC_ASSERT(t.translation == translation_of(m));
}

TEST(Transform, DecomposeWithVanishedAxes) {
  for (Vec3 scale :
       {Vec3{0, 1, 1}, Vec3{1, 0, 1}, Vec3{1, 1, 0}, Vec3{0, 0, 2}, Vec3{0, 3, 0}, Vec3{0, 0, 0}}) {
    for (Quat q : {Quat{}, normalize(Quat{1, 2, 3, 4}), Quat{0.70710678f, 0, 0, 0.70710678f}}) {
      const Mat3x4 m = to_matrix({{1, 2, 3}, q, scale});
      const Transform t = decompose(m);
      EXPECT_TRUE(is_finite(t));
      EXPECT_NEAR(dot(t.rotation, t.rotation), 1.0f, 1e-5f);
      EXPECT_LT(testing::difference(to_matrix(t), m), 1e-5f);
    }
  }
}

RC_GTEST_PROP(Matrix, ProductIsAssociativeAndApplies, ()) {
  const Mat3x4 a = to_matrix(*any_transform()), b = to_matrix(*any_transform()),
               c = to_matrix(*any_transform());
  RC_ASSERT(testing::difference((a * b) * c, a * (b * c)) < 1e-6f * 200);
  const Vec3 p = *any_vec3(3);
  RC_ASSERT(difference(transform_point(a * b, p), transform_point(a, transform_point(b, p))) <
            1e-4f);
}

RC_GTEST_PROP(Matrix, InverseUndoes, ()) {
  const Mat3x4 m = to_matrix(*any_transform());
  RC_ASSERT(testing::difference(m * inverse(m), Mat3x4{}) < 3e-5f);
  RC_ASSERT(testing::difference(inverse(m) * m, Mat3x4{}) < 3e-5f);
}

TEST(Matrix, SingularInverseMovesBack) {
  Mat3x4 flat = to_matrix({{1, 2, 3}, Quat{}, {1, 0, 1}});
  const Mat3x4 back = inverse(flat);
  EXPECT_EQ(translation_of(back), (Vec3{-1, -2, -3}));
  EXPECT_EQ(axis_of(back, 1), kAxisY);
  EXPECT_EQ(determinant(flat), 0.0f);
}

TEST(Transform, InverseOfNoScale) {
  const Transform t = inverse(Transform{{1, 2, 3}, Quat{}, {0, 2, 0}});
  EXPECT_TRUE(is_finite(t));
  EXPECT_EQ(t.scale, (Vec3{1, 0.5f, 1}));
}

RC_GTEST_PROP(Transform, BlendMeetsItsEnds, ()) {
  const Transform a = *any_transform(), b = *any_transform();
  RC_ASSERT(difference(blend(a, b, 0), a) < 1e-5f);
  RC_ASSERT(difference(blend(a, b, 1), b) < 1e-5f);
  const float t = *real(0, 1);
  RC_ASSERT(abs(dot(blend(a, b, t).rotation, blend(a, b, t).rotation) - 1) < 1e-5f);
}

RC_GTEST_PROP(Transform, RigidProductKeepsDistances, ()) {
  const Transform a = rigid(*any_transform()), b = rigid(*any_transform());
  const Vec3 p = *any_vec3(3), q = *any_vec3(3);
  RC_ASSERT(abs(distance(transform_point(a * b, p), transform_point(a * b, q)) - distance(p, q)) <
            1e-4f);
}

}  // namespace
}  // namespace sinew
