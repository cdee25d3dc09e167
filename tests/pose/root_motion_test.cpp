#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sinew/math/smooth.hpp>
#include <sinew/pose/mass_centre.hpp>
#include <sinew/pose/model_pose.hpp>
#include <sinew/pose/root_motion.hpp>
#include <sinew/pose/sample.hpp>

#include "bodies.hpp"
#include "random_pose.hpp"

namespace sinew {
namespace {

using testing::Random;
using Basis = RootMotionSettings::Basis;

float difference(const RootDelta& a, const RootDelta& b) {
  return max(testing::difference(a.translation, b.translation),
             testing::difference(a.rotation, b.rotation));
}

RootDelta any_delta() { return {*testing::any_vec3(3), from_yaw(*testing::real(-3, 3))}; }

RC_GTEST_PROP(RootDelta, ComposesLikeRigidTransforms, ()) {
  const RootDelta a = any_delta(), b = any_delta(), c = any_delta();
  RC_ASSERT(difference(compose(compose(a, b), c), compose(a, compose(b, c))) < 1e-5f);
  RC_ASSERT(difference(compose(a, inverse(a)), RootDelta{}) < 2e-6f);
  RC_ASSERT(difference(compose(inverse(a), a), RootDelta{}) < 2e-6f);
  RC_ASSERT(difference(blend(a, b, 0), a) < 1e-6f);
  RC_ASSERT(difference(blend(a, b, 1), b) < 1e-6f);
}

// ---- clips that travel --------------------------------------------------------------------------

struct Walk {
  testing::Body body;
  RoleMap roles;
  RawClip raw;
  Clip clip;
};

// A person whose hips go along a curve, turn, rise and sway, with moving limbs.
Walk make_walk(Quat twist, float yaw_per_second = 0.8f) {
  Walk w;
  w.body = testing::make_body(testing::person_parts(), testing::role_names(testing::person_parts()),
                              {}, twist);
  w.roles = roles_of(w.body, BodyPlan::kBiped);
  const Skeleton& s = w.body.skeleton;
  w.raw.name = "walk";
  w.raw.duration = 1.2f;
  Random random(3);
  for (int j = 0; j < s.joint_count(); ++j) {
    JointTrack track;
    track.joint = j;
    Quat bend{};
    for (int i = 0; i <= 36; ++i) {
      const float t = static_cast<float>(i) / 30.0f;
      track.rotation.times.push_back(t);
      if (j == 0) {
        const Quat body_turn =
            from_yaw(yaw_per_second * t) * from_axis_angle(kAxisX, 0.1f * sinew::sin(9 * t));
        track.rotation.values.push_back(normalize(body_turn * s.rest(0).rotation));
        track.translation.times.push_back(t);
        track.translation.values.push_back(s.rest(0).translation +
                                           Vec3{0.3f * t * t, 0.05f * sinew::sin(5 * t), 1.3f * t});
      } else {
        track.rotation.values.push_back(normalize(s.rest(j).rotation * bend));
        bend = normalize(bend * from_rotation_vector(random.vec3(0.05f)));
      }
    }
    w.raw.tracks.push_back(track);
  }
  w.clip = Clip::build(w.raw, s).value();
  return w;
}

std::vector<RootMotionSettings> all_settings() {
  std::vector<RootMotionSettings> out;
  for (int flags = 0; flags < 8; ++flags) {
    for (Basis basis : {Basis::kOriginal, Basis::kMassCentre, Basis::kFeet}) {
      RootMotionSettings r;
      r.enabled = true;
      r.bake_rotation = (flags & 1) != 0;
      r.bake_y = (flags & 2) != 0;
      r.bake_xz = (flags & 4) != 0;
      r.rotation_basis = r.y_basis = r.xz_basis = basis;
      r.rotation_offset = flags == 5 ? 0.4f : 0.0f;
      r.y_offset = flags == 2 ? -0.1f : 0.0f;
      out.push_back(r);
    }
  }
  return out;
}

// Section 13.3: R and the pose in place compose to the authored motion, whatever is baked.
TEST(RootMotion, PathAndPoseComposeToTheAuthoredMotion) {
  for (Quat twist : {Quat{}, normalize(Quat{1, 2, -3, 1})}) {
    const Walk w = make_walk(twist);
    const Skeleton& s = w.body.skeleton;
    for (const RootMotionSettings& settings : all_settings()) {
      const RootPath path = RootPath::build(w.clip, s, settings, &w.roles);
      for (int i = 0; i <= 50; ++i) {
        const float t = w.clip.duration() * static_cast<float>(i) / 50;
        Pose authored(s), pose(s);
        sample_clip(w.clip, s, t, authored);
        sample_clip(w.clip, s, t, pose);
        remove_root_motion(path, t, s, pose);
        const RootDelta r = path.at(t);
        Transform root = get_joint(s, pose, 0);
        root = Transform{r.translation, r.rotation, {1, 1, 1}} * root;
        set_joint(s, pose, 0, root);
        EXPECT_LT(testing::difference(s, pose, authored), 2e-6f);
        EXPECT_EQ(r.rotation.x, 0.0f);
        EXPECT_EQ(r.rotation.z, 0.0f);
      }
    }
  }
}

TEST(RootMotion, BakedComponentsAreConstant) {
  const Walk w = make_walk({});
  for (const RootMotionSettings& settings : all_settings()) {
    const RootPath path = RootPath::build(w.clip, w.body.skeleton, settings, &w.roles);
    float moved_xz = 0, moved_y = 0, turned = 0;
    for (int i = 0; i <= 30; ++i) {
      const RootDelta r = path.at(1.2f * static_cast<float>(i) / 30);
      moved_xz = max(moved_xz, length(Vec3{r.translation.x, 0, r.translation.z}));
      moved_y = max(moved_y, abs(r.translation.y - settings.y_offset));
      turned = max(turned, abs(wrap_angle(yaw_of(r.rotation) - settings.rotation_offset)));
    }
    if (settings.bake_rotation) {
      EXPECT_LT(turned, 1e-6f);
    } else {
      EXPECT_GT(turned, 0.5f);
    }
    if (settings.bake_xz) {
      EXPECT_LT(moved_xz, 1e-6f);
    } else {
      EXPECT_GT(moved_xz, 1.0f);
    }
    if (settings.bake_y) {
      EXPECT_LT(moved_y, 1e-6f);
    } else {
      EXPECT_GT(moved_y, 1e-3f);
    }
  }
}

// Clips with and without root motion stand in the same place: R of the rest pose is the identity,
// whatever the axes of the joints.
TEST(RootMotion, OfTheRestPoseIsTheIdentity) {
  for (Quat twist :
       {Quat{}, Quat{0.5f, 0.5f, 0.5f, 0.5f}, Quat{1, 0, 0, 0}, normalize(Quat{1, 2, -3, 1})}) {
    const auto body = testing::make_body(testing::person_parts(),
                                         testing::role_names(testing::person_parts()), {}, twist);
    const RoleMap roles = roles_of(body, BodyPlan::kBiped);
    const Clip clip = Clip::build({"rest", 1, true, {}, {}, {}}, body.skeleton).value();
    for (RootMotionSettings settings : all_settings()) {
      settings.rotation_offset = settings.y_offset = 0;
      const RootPath path = RootPath::build(clip, body.skeleton, settings, &roles);
      EXPECT_LT(difference(path.at(0.5f), RootDelta{}), 1e-6f);
    }
  }
}

// The heading is that of the body, not of its joints' axes.
TEST(RootMotion, FacesWhereTheBodyFaces) {
  for (Quat twist : {Quat{}, Quat{1, 0, 0, 0}, normalize(Quat{1, 2, -3, 1})}) {
    const Walk w = make_walk(twist, 0.8f);
    RootMotionSettings settings;
    settings.enabled = true;
    for (Basis basis : {Basis::kOriginal, Basis::kMassCentre}) {
      settings.rotation_basis = basis;
      const RootPath path = RootPath::build(w.clip, w.body.skeleton, settings, &w.roles);
      EXPECT_NEAR(yaw_of(path.at(1.2f).rotation), 0.96f, basis == Basis::kOriginal ? 0.02f : 0.3f);
    }
  }
}

TEST(RootMotion, DisabledDoesNothing) {
  const Walk w = make_walk({});
  RootMotionSettings settings;
  const RootPath path = RootPath::build(w.clip, w.body.skeleton, settings);
  EXPECT_LT(difference(path.delta(0.1, 3.7, true), RootDelta{}), 1e-6f);
  Pose pose(w.body.skeleton), before(w.body.skeleton);
  sample_clip(w.clip, w.body.skeleton, 0.7f, pose);
  sample_clip(w.clip, w.body.skeleton, 0.7f, before);
  remove_root_motion(path, 0.7f, w.body.skeleton, pose);
  EXPECT_TRUE(testing::equal(w.body.skeleton, pose, before));
  EXPECT_EQ(path.average_speed(), 0.0f);
}

// ---- moves over time ----------------------------------------------------------------------------

RootPath any_path(bool bake_rotation = false) {
  const Walk w = make_walk({});
  RootMotionSettings settings;
  settings.enabled = true;
  settings.bake_y = false;
  settings.bake_rotation = bake_rotation;
  return RootPath::build(w.clip, w.body.skeleton, settings);
}

// delta(a, b) then delta(b, c) is delta(a, c), over any number of loops and in either direction.
RC_GTEST_PROP(RootMotion, MovesCompose, ()) {
  static const RootPath path = any_path();
  const auto n = [] { return static_cast<double>(*testing::real(-6, 6)); };
  const double a = n(), b = n(), c = n();
  for (bool loop : {true, false}) {
    const RootDelta whole = path.delta(a, c, loop);
    RC_ASSERT(difference(compose(path.delta(a, b, loop), path.delta(b, c, loop)), whole) < 1e-4f);
    RC_ASSERT(difference(compose(whole, path.delta(c, a, loop)), RootDelta{}) < 1e-4f);
  }
  RC_ASSERT(difference(path.delta(a, a, true), RootDelta{}) < 1e-5f);
}

TEST(RootMotion, LoopsCrossed) {
  const RootPath path = any_path();
  const auto between = [&](double a, double b) {
    return compose(inverse(path.at(static_cast<float>(a) * 1.2f)),
                   path.at(static_cast<float>(b) * 1.2f));
  };
  // Rulings, 7.
  EXPECT_LT(difference(path.delta(0.2, 0.7, true), between(0.2, 0.7)), 1e-6f);
  EXPECT_LT(difference(path.delta(3.2, 3.7, true), between(0.2, 0.7)), 1e-5f);
  EXPECT_LT(difference(path.delta(0.8, 1.3, true), compose(between(0.8, 1), between(0, 0.3))),
            1e-5f);
  EXPECT_LT(difference(path.delta(0.8, 3.3, true),
                       compose(between(0.8, 1),
                               compose(compose(between(0, 1), between(0, 1)), between(0, 0.3)))),
            1e-5f);
  EXPECT_LT(difference(path.delta(0.5, 1.0, true), between(0.5, 1)), 1e-5f);
  EXPECT_LT(difference(path.delta(-0.5, 0.0, true), between(0.5, 1)), 1e-5f);
  // A clip that does not loop ends where it ends.
  EXPECT_LT(difference(path.delta(0.8, 3.3, false), between(0.8, 1)), 1e-6f);
  EXPECT_LT(difference(path.delta(1.5, 3.3, false), RootDelta{}), 1e-6f);
}

TEST(RootMotion, ManyLoopsAtOnce) {
  const RootPath path = any_path(true);
  const RootDelta one = path.delta(0, 1, true), many = path.delta(0, 1000, true);
  EXPECT_NEAR(many.translation.z, one.translation.z * 1000, 0.02f);
  EXPECT_TRUE(is_finite(path.delta(0, 1e300, true).rotation));
  EXPECT_TRUE(is_finite(path.delta(-1e18, 1e18, true).translation));
}

TEST(RootMotion, TimesThatAreNoTimes) {
  const RootPath path = any_path();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (double bad : {nan, inf, -inf}) {
    EXPECT_EQ(path.delta(bad, 0.5, true).translation, Vec3{});
    EXPECT_EQ(path.delta(0.5, bad, false).translation, Vec3{});
  }
  EXPECT_LT(difference(path.at(std::numeric_limits<float>::quiet_NaN()), path.at(0)), 1e-9f);
  EXPECT_LT(difference(path.at(99), path.at(1.2f)), 1e-9f);
  EXPECT_EQ(RootPath().delta(0, 5, true).translation, Vec3{});
  EXPECT_EQ(RootPath().average_turn(), 0.0f);
}

TEST(RootMotion, AClipOfOnePoseGoesNowhere) {
  const Walk w = make_walk({});
  RawClip raw = w.raw;
  raw.duration = 0;
  const Clip clip = Clip::build(raw, w.body.skeleton).value();
  RootMotionSettings settings;
  settings.enabled = true;
  const RootPath path = RootPath::build(clip, w.body.skeleton, settings);
  EXPECT_LT(difference(path.delta(0.2, 9.9, true), RootDelta{}), 1e-6f);
  EXPECT_EQ(path.average_speed(), 0.0f);
}

// A quarter circle of 2 m in 1 s: four of them close it.
TEST(RootMotion, SpeedAndTurnOfACircle) {
  const Skeleton s = Skeleton::build(std::vector<JointDef>{{"root", kNoJoint, {}}}).value();
  RawClip raw{"arc", 1, true, {}, {}, {}};
  JointTrack track;
  track.joint = 0;
  for (int i = 0; i <= 60; ++i) {
    const float t = static_cast<float>(i) / 60, angle = kHalfPi * t;
    track.translation.times.push_back(t);
    track.translation.values.push_back({2 - 2 * sinew::cos(angle), 0, 2 * sinew::sin(angle)});
    track.rotation.times.push_back(t);
    track.rotation.values.push_back(from_yaw(angle));
  }
  raw.tracks.push_back(track);
  RootMotionSettings settings;
  settings.enabled = true;
  const RootPath path = RootPath::build(Clip::build(raw, s).value(), s, settings);
  EXPECT_NEAR(path.average_turn(), kHalfPi, 1e-4f);
  EXPECT_NEAR(path.average_speed(), kPi, 1e-3f);
  EXPECT_LT(difference(path.delta(0, 4, true), RootDelta{}), 1e-4f);
  EXPECT_LT(difference(path.delta(0.25, 8.25, true), RootDelta{}), 1e-4f);
}

// Hips below a joint that stands still: the motion of the hips is taken out at the root.
TEST(RootMotion, OfAJointBelowTheRoot) {
  const std::vector<JointDef> joints = {
      {"armature", kNoJoint, {{0, 0, 0}, from_axis_angle(kAxisX, -kHalfPi), {0.01f, 0.01f, 0.01f}}},
      {"hips", 0, {{0, 0, 100}, {}, {1, 1, 1}}}};
  const Skeleton s = Skeleton::build(joints).value();
  RawClip raw{"go", 1, true, {}, {}, {}};
  JointTrack track;
  track.joint = 1;
  track.translation = {Interpolation::kLinear, {0, 1}, {{0, 0, 100}, {0, -200, 100}}, {}, {}};
  raw.tracks.push_back(track);
  const Clip clip = Clip::build(raw, s).value();
  RootMotionSettings settings;
  settings.enabled = true;
  settings.joint = 1;
  const RootPath path = RootPath::build(clip, s, settings);
  EXPECT_LT(testing::difference(path.delta(0, 1, true).translation, Vec3{0, 0, 2}), 1e-5f);
  Pose pose(s);
  sample_clip(clip, s, 0.5f, pose);
  remove_root_motion(path, 0.5f, s, pose);
  EXPECT_LT(testing::difference(model_transform(s, pose, 1).translation, Vec3{0, 1, 0}), 1e-5f);
}

TEST(RootMotion, FeetStayOnTheGround) {
  const Walk w = make_walk({});
  const Skeleton& s = w.body.skeleton;
  RootMotionSettings settings;
  settings.enabled = true;
  settings.bake_y = false;
  settings.y_basis = Basis::kFeet;
  const RootPath path = RootPath::build(w.clip, s, settings, &w.roles);
  std::vector<Mat3x4> model(static_cast<std::size_t>(s.joint_count()));
  for (int i = 0; i < w.clip.sample_count(); ++i) {
    const float t = static_cast<float>(i) * w.clip.interval();
    Pose pose(s);
    sample_clip(w.clip, s, t, pose);
    remove_root_motion(path, t, s, pose);
    local_to_model(s, pose, model);
    float lowest = 10;
    for (JointRole role : {JointRole::kLeftFoot, JointRole::kRightFoot, JointRole::kLeftToes,
                           JointRole::kRightToes}) {
      const auto j = static_cast<std::size_t>(w.roles.joint(role));
      lowest = min(lowest, translation_of(model[j]).y - translation_of(s.rest_model()[j]).y);
    }
    EXPECT_NEAR(lowest, 0.0f, 1e-5f);
  }
}

// ---- mass centre and heading --------------------------------------------------------------------

TEST(MassCentre, OfAPersonInTheRestPose) {
  const auto body =
      testing::make_body(testing::person_parts(), testing::role_names(testing::person_parts()));
  const RoleMap roles = roles_of(body, BodyPlan::kBiped);
  const auto centre = mass_centre(roles, body.skeleton.rest_model());
  ASSERT_TRUE(centre);
  EXPECT_NEAR(centre->x, 0.0f, 1e-6f);
  EXPECT_GT(centre->y, 0.9f);  // at about 57 % of the height with the arms at the sides
  EXPECT_LT(centre->y, 1.15f);
  EXPECT_NEAR(*body_heading(roles, body.skeleton.rest_model()), 0.0f, 1e-6f);
  EXPECT_FALSE(mass_centre(RoleMap{}, body.skeleton.rest_model()));
  EXPECT_FALSE(body_heading(RoleMap{}, body.skeleton.rest_model()));
}

TEST(MassCentre, MovesWithTheBody) {
  for (const bool animal : {false, true}) {
    const auto& parts = animal ? testing::animal_parts() : testing::person_parts();
    const auto body = testing::make_body(parts, testing::role_names(parts));
    const RoleMap roles = roles_of(body, animal ? BodyPlan::kQuadruped : BodyPlan::kBiped);
    const Transform space{{3, 1, -2}, from_yaw(2.1f), {1, 1, 1}};
    std::vector<Mat3x4> model(static_cast<std::size_t>(body.skeleton.joint_count()));
    local_to_model(body.skeleton, body.skeleton.rest_groups(), model, to_matrix(space));
    const Vec3 at_rest = *mass_centre(roles, body.skeleton.rest_model());
    EXPECT_LT(testing::difference(*mass_centre(roles, model), transform_point(space, at_rest)),
              1e-5f);
    EXPECT_NEAR(*body_heading(roles, model), 2.1f, 1e-5f);
    EXPECT_GT(at_rest.y, animal ? 0.7f : 0.9f);
  }
}

TEST(MassCentre, AnUprightShoulderLineHasNoHeading) {
  const auto body =
      testing::make_body(testing::person_parts(), testing::role_names(testing::person_parts()));
  std::vector<Mat3x4> model(static_cast<std::size_t>(body.skeleton.joint_count()));
  local_to_model(body.skeleton, body.skeleton.rest_groups(), model,
                 to_matrix({{}, from_axis_angle(kAxisZ, kHalfPi), {1, 1, 1}}));
  EXPECT_FALSE(body_heading(roles_of(body, BodyPlan::kBiped), model));
}

}  // namespace
}  // namespace sinew
