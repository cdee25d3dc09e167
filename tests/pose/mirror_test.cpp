#include <vector>

#include <gtest/gtest.h>

#include <sinew/pose/mirror.hpp>
#include <sinew/pose/model_pose.hpp>

#include "bodies.hpp"
#include "random_pose.hpp"

namespace sinew {
namespace {

using testing::Random;

testing::Body person(Quat twist) {
  return testing::make_body(testing::person_parts(), testing::role_names(testing::person_parts()),
                            {}, twist);
}

Pose bent(Random& random, const Skeleton& s) {
  Pose pose(s);
  for (int j = 0; j < s.joint_count(); ++j) {
    Transform t = get_joint(s, pose, j);
    t.rotation = normalize(t.rotation * from_rotation_vector(random.vec3(1)));
    t.translation += random.vec3(0.05f);
    t.scale += random.vec3(0.2f);
    set_joint(s, pose, j, t);
  }
  return pose;
}

// Rest poses whose joints have axes of no symmetry at all, the same throughout or each its own.
std::vector<testing::Body> bodies() {
  std::vector<testing::Body> out;
  for (Quat twist : {Quat{}, normalize(Quat{1, -2, 3, 4}), Quat{0.5f, 0.5f, 0.5f, 0.5f}}) {
    out.push_back(person(twist));
  }
  Random random(3);
  testing::Body mixed = person({});
  std::vector<Quat> model;
  auto defs = mixed.defs;
  for (std::size_t i = 0; i < defs.size(); ++i) {
    const Quat own = random.rotation();
    const Quat above =
        defs[i].parent == kNoJoint ? Quat{} : model[static_cast<std::size_t>(defs[i].parent)];
    defs[i].rest.translation = rotate(conjugate(above), defs[i].rest.translation);
    defs[i].rest.rotation = conjugate(above) * own;
    model.push_back(own);
  }
  mixed.skeleton = Skeleton::build(defs).value();
  out.push_back(mixed);
  return out;
}

TEST(Mirror, TwiceIsTheSamePose) {
  Random random(1);
  for (const testing::Body& body : bodies()) {
    const MirrorMap map = MirrorMap::build(body.skeleton, roles_of(body, BodyPlan::kBiped));
    const Pose pose = bent(random, body.skeleton);
    Pose once(body.skeleton), twice(body.skeleton);
    mirror_pose(body.skeleton, map, pose, once);
    mirror_pose(body.skeleton, map, once, twice);
    EXPECT_LT(testing::difference(body.skeleton, pose, twice), 2e-6f);
    EXPECT_GT(testing::difference(body.skeleton, pose, once), 0.1f);
  }
}

TEST(Mirror, ASymmetricRestPoseIsItsOwnReflection) {
  for (const testing::Body& body : bodies()) {
    const MirrorMap map = MirrorMap::build(body.skeleton, roles_of(body, BodyPlan::kBiped));
    const Pose rest(body.skeleton);
    Pose out(body.skeleton);
    mirror_pose(body.skeleton, map, rest, out);
    EXPECT_LT(testing::difference(body.skeleton, rest, out), 2e-6f);
  }
}

// The reflected pose stands where the reflection of its partners stood.
TEST(Mirror, PlacesAreReflected) {
  Random random(2);
  for (const testing::Body& body : bodies()) {
    const Skeleton& s = body.skeleton;
    const MirrorMap map = MirrorMap::build(s, roles_of(body, BodyPlan::kBiped));
    Pose pose = bent(random, s);
    for (int j = 0; j < s.joint_count(); ++j) {
      Transform t = get_joint(s, pose, j);
      t.scale = {1, 1, 1};  // scales act along the local axes, which differ from side to side
      set_joint(s, pose, j, t);
    }
    Pose out(s);
    mirror_pose(s, map, pose, out);
    std::vector<Mat3x4> before(static_cast<std::size_t>(s.joint_count())), after(before.size());
    local_to_model(s, pose, before);
    local_to_model(s, out, after);
    for (int j = 0; j < s.joint_count(); ++j) {
      const Vec3 p = translation_of(before[static_cast<std::size_t>(map.partner(j))]);
      EXPECT_LT(
          testing::difference(translation_of(after[static_cast<std::size_t>(j)]), {-p.x, p.y, p.z}),
          1e-5f);
    }
    for (int slot = 0; slot < s.slot_count(); ++slot) {
      if (s.joint_of_slot()[static_cast<std::size_t>(slot)] != kNoJoint) continue;
      EXPECT_EQ(get_lane(out.span()[static_cast<std::size_t>(slot / 4)], slot % 4), Transform{});
    }
  }
}

// Group by group equals the formula joint by joint, bit for bit.
TEST(Mirror, EqualsTheScalarFormula) {
  Random random(4);
  for (const testing::Body& body : bodies()) {
    const Skeleton& s = body.skeleton;
    const MirrorMap map = MirrorMap::build(s, roles_of(body, BodyPlan::kBiped));
    const Pose pose = bent(random, s);
    Pose out(s);
    mirror_pose(s, map, pose, out);
    for (int j = 0; j < s.joint_count(); ++j) {
      const Transform p = get_joint(s, pose, map.partner(j));
      const Quat before = map.before()[static_cast<std::size_t>(j)];
      const Quat after = map.after()[static_cast<std::size_t>(j)];
      const Quat m{p.rotation.x, -p.rotation.y, -p.rotation.z, p.rotation.w};
      const Transform want{rotate(before, {-p.translation.x, p.translation.y, p.translation.z}),
                           before * m * after, p.scale};
      EXPECT_EQ(get_joint(s, out, j), want);
    }
  }
}

TEST(Mirror, MovesOfTheRoot) {
  const RootDelta a{{1, 2, 3}, from_yaw(0.7f)}, b{{-2, 0, 1}, from_yaw(-1.9f)};
  EXPECT_EQ(mirror(a).translation, (Vec3{-1, 2, 3}));
  EXPECT_NEAR(yaw_of(mirror(a).rotation), -0.7f, 1e-6f);
  const RootDelta x = mirror(compose(a, b)), y = compose(mirror(a), mirror(b));
  EXPECT_LT(testing::difference(x.translation, y.translation), 1e-6f);
  EXPECT_LT(testing::difference(x.rotation, y.rotation), 1e-6f);
}

}  // namespace
}  // namespace sinew
