#include <cmath>

#include <rapidcheck.h>

#include <sinew/asset/clip.hpp>
#include <sinew/math/scalar.hpp>
#include <sinew/unity/clip.hpp>
#include <sinew/unity/mask.hpp>

#include "curve_track.hpp"
#include "unity_testing.hpp"

namespace sinew::unity {
namespace {

// Model space by local poses, the plain way.
std::vector<Transform> world_of(const Skeleton& skeleton, const std::vector<Transform>& local) {
  std::vector<Transform> world;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const Transform& t = local[static_cast<std::size_t>(j)];
    const int parent = skeleton.parent(j);
    if (parent == kNoJoint) {
      world.push_back(t);
      continue;
    }
    const Transform& p = world[static_cast<std::size_t>(parent)];
    Transform out;
    out.translation = p.translation + rotate(p.rotation, t.translation);
    out.rotation = p.rotation * t.rotation;
    world.push_back(out);
  }
  return world;
}

void expect_near(Vec3 a, Vec3 b, float tolerance = 1e-5f) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

AnimClip idle() {
  Result<AnimClip> clip = load_clip(kOwnData / "project/Assets/Motions/Idle.anim");
  EXPECT_TRUE(clip) << to_string(clip.error());
  return clip ? std::move(*clip) : AnimClip{};
}

// The arm's place was worked out by hand in Unity's left-handed space: with the hips at p turned by
// 90 degrees about Y, the spine at (0, 1, 0) turned by 90 about Z and then 90 about X, and the arm
// at (1, 2, 3), it is p + Ry((0, 1, 0) + Rx(Rz((1, 2, 3)))) = (3, 2, 5) + (1, -2, 2).
TEST(UnityClip, IsMirroredIntoARightHandedSpace) {
  const Result<Model> model = clip_model(idle());
  ASSERT_TRUE(model) << to_string(model.error());
  EXPECT_TRUE(model->findings.empty()) << listing(model->findings);
  const Skeleton& skeleton = model->skeleton;
  ASSERT_EQ(skeleton.joint_count(), 3);
  const int hips = *skeleton.find("Hips"), spine = *skeleton.find("Spine"),
            arm = *skeleton.find("Arm");
  const RawClip& clip = model->clips.front();
  std::vector<Transform> local(3);
  const auto place = [&](float t, int joint) {
    sample(clip, skeleton, t, local);
    return world_of(skeleton, local)[static_cast<std::size_t>(joint)].translation;
  };
  expect_near(place(0, hips), {-1, 2, 3});
  expect_near(place(0, spine), {-1, 3, 3});
  expect_near(place(0, arm), {-2, 5, 6});
  expect_near(place(2, hips), {-3, 2, 5});
  expect_near(place(2, spine), {-3, 3, 5});
  expect_near(place(2, arm), {-4, 0, 7});
  // Between: x goes straight, z holds until its last key.
  expect_near(place(1, hips), {-2, 2, 3});
  expect_near(place(1.999f, hips), {-2.999f, 2, 3});
  // At rest it stands where the clip begins.
  expect_near(skeleton.rest(hips).translation, {-1, 2, 3});
}

TEST(UnityClip, BecomesARunTimeClip) {
  const Result<Model> model = clip_model(idle());
  ASSERT_TRUE(model);
  const Result<Clip> clip = Clip::build(model->clips.front(), model->skeleton);
  ASSERT_TRUE(clip) << to_string(clip.error());
  EXPECT_FLOAT_EQ(clip->duration(), 2);
}

TEST(UnityClip, KeepsCurvesEventsAndSettings) {
  const AnimClip clip = idle();
  EXPECT_FALSE(clip.humanoid());
  EXPECT_EQ(clip.sample_rate, 30);
  const Result<Model> model = clip_model(clip);
  ASSERT_TRUE(model);
  const RawClip& raw = model->clips.front();
  EXPECT_EQ(raw.name, "Idle");
  EXPECT_TRUE(raw.loop);
  ASSERT_EQ(raw.curves.size(), 3u);
  EXPECT_EQ(raw.curves[0].name, "morph/Face/Smile");
  EXPECT_NEAR(sample(raw.curves[0].keys, 1, 0), 0.5f, 1e-6f);
  EXPECT_EQ(raw.curves[1].name, "active/Hips/Sword");
  EXPECT_EQ(raw.curves[1].keys.interpolation, Interpolation::kStep);
  EXPECT_EQ(sample(raw.curves[1].keys, 0.99f, 0), 1);
  EXPECT_EQ(sample(raw.curves[1].keys, 1, 0), 0);
  EXPECT_EQ(raw.curves[2].name, "Phase");
  ASSERT_EQ(raw.annotations.events.size(), 2u);
  EXPECT_EQ(raw.annotations.events[0].name, "Step");
  EXPECT_EQ(raw.annotations.events[1].text, "right");
  EXPECT_EQ(raw.annotations.events[1].integer, 2);
  EXPECT_FLOAT_EQ(raw.annotations.events[1].number, 0.75f);
  EXPECT_FLOAT_EQ(raw.annotations.cycle_offset, 0.125f);
  EXPECT_TRUE(raw.annotations.loop_pose);
  const RootMotionSettings& root = raw.annotations.root_motion;
  EXPECT_FALSE(root.enabled);
  EXPECT_TRUE(root.bake_rotation);
  EXPECT_FALSE(root.bake_y);
  EXPECT_TRUE(root.bake_xz);
  EXPECT_EQ(root.rotation_basis, RootMotionSettings::Basis::kOriginal);
  EXPECT_EQ(root.y_basis, RootMotionSettings::Basis::kFeet);
  EXPECT_EQ(root.xz_basis, RootMotionSettings::Basis::kMassCentre);
  EXPECT_NEAR(root.rotation_offset, -kPi / 2, 1e-6f);  // the other way round in a mirrored space
  EXPECT_FLOAT_EQ(root.y_offset, 0.25f);
}

TEST(UnityClip, PlaysThePartOfItsSettings) {
  const Result<AnimClip> tired = load_clip(kOwnData / "project/Assets/Motions/Tired.anim");
  ASSERT_TRUE(tired);
  EXPECT_EQ(tired->duration(), 2.5);
  const Result<Model> model = clip_model(*tired);
  ASSERT_TRUE(model);
  const RawClip& raw = model->clips.front();
  EXPECT_FALSE(raw.loop);
  const KeyTrack<Vec3>& track = raw.tracks.front().translation;
  EXPECT_EQ(track.times.front(), 0);
  EXPECT_FLOAT_EQ(track.times.back(), 2.5f);
  // Slopes are 0 at both keys of the file, so that the curve is smooth between 1 and 0.5.
  const auto smooth = [](float t) {
    const float u = t / 3;
    return 1 - 0.5f * (3 * u * u - 2 * u * u * u);
  };
  for (float t : {0.f, 0.4f, 1.f, 2.f, 2.5f}) {
    EXPECT_NEAR(sample(track, t, Vec3{}).y, smooth(t + 0.5f), 1e-5f) << t;
  }
}

TEST(UnityClip, FindsJointsByTheEndsOfPaths) {
  std::vector<JointDef> joints(6);
  const char* names[] = {"Armature", "Hips", "Left", "Hand", "Right", "Hand"};
  const int parents[] = {kNoJoint, 0, 1, 2, 1, 4};
  for (std::size_t i = 0; i < 6; ++i) {
    joints[i].name = names[i];
    joints[i].parent = parents[i];
  }
  const Result<Skeleton> skeleton = Skeleton::build(joints);
  ASSERT_TRUE(skeleton);
  const auto at = [&](int i) { return skeleton->index_of_source(i); };
  EXPECT_EQ(find_joint(*skeleton, "Hips"), at(1));
  EXPECT_EQ(find_joint(*skeleton, "Hips/Right/Hand"), at(5));
  EXPECT_EQ(find_joint(*skeleton, "Character/Armature/Hips/Left/Hand"), at(3));
  EXPECT_EQ(find_joint(*skeleton, "Hand"), kNoJoint);  // two of them
  EXPECT_EQ(find_joint(*skeleton, "Hips/Tail"), kNoJoint);
  EXPECT_EQ(find_joint(*skeleton, ""), kNoJoint);
}

TEST(UnityClip, NamesWhatTheSkeletonLacks) {
  std::vector<JointDef> joints(1);
  joints[0].name = "Hip";
  const Result<Skeleton> skeleton = Skeleton::build(joints);
  ASSERT_TRUE(skeleton);
  const Result<RawClip> raw = bind(idle(), *skeleton);
  ASSERT_FALSE(raw);
  EXPECT_NE(raw.error().message.find("'Hips'; did you mean 'Hip'?"), std::string::npos)
      << raw.error().message;
}

TEST(UnityClip, KnowsMuscles) {
  for (const char* name : {"Left Arm Down-Up", "Spine Twist Left-Right", "UpperChest Front-Back",
                           "RootT.y", "RootQ.w", "LeftFootQ.x", "RightHand.Little.Spread",
                           "LeftHand.Thumb.1 Stretched", "Jaw Close", "Head Nod Down-Up"}) {
    EXPECT_TRUE(is_muscle(name)) << name;
  }
  for (const char* name : {"Speed", "Left", "Left Arm", "RootT.w", "Spine", "LeftHand.Thumb.4"}) {
    EXPECT_FALSE(is_muscle(name)) << name;
  }
}

TEST(UnityClip, TurnsEulerAnglesInEveryOrder) {
  // A turn about one axis alone is the same in every order; about two it is not.
  const Vec3 z{0, 0, 1};
  for (int order = 0; order < 6; ++order) {
    expect_near(rotate(euler_rotation(0, 90, 0, order), z), {1, 0, 0});
  }
  // X first carries z to -y, which Y leaves alone; Y first carries it to x, which X leaves alone.
  expect_near(rotate(euler_rotation(90, 90, 0, 0), z), {0, -1, 0});  // XYZ
  expect_near(rotate(euler_rotation(90, 90, 0, 3), z), {1, 0, 0});   // YXZ
  expect_near(rotate(euler_rotation(90, 90, 0, 4), z), {0, -1, 0});  // ZXY
  expect_near(rotate(euler_rotation(90, 90, 0, 5), z), {1, 0, 0});   // ZYX
  const Vec3 x{1, 0, 0};
  expect_near(rotate(euler_rotation(0, 90, 90, 4), x), {0, 1, 0});   // Z carries x to y
  expect_near(rotate(euler_rotation(0, 90, 90, 2), x), {0, 0, -1});  // YZX: Y carries x to -z
}

AnimCurve curve_of(std::vector<AnimKey> keys) {
  AnimCurve curve;
  curve.keys = std::move(keys);
  return curve;
}

TEST(UnityClip, WeightedKeysAreBezierCurves) {
  AnimKey a, b;
  a.out_slope[0] = 3;
  b.time = 2;
  b.value[0] = 1;
  b.in_slope[0] = -1;
  // Weights of a third are the plain cubic.
  a.weighted = b.weighted = 3;
  const KeyTrack<float> plain = float_track(knots_of(curve_of({a, b})));
  AnimKey c = a, d = b;
  c.weighted = d.weighted = 0;
  const KeyTrack<float> cubic = float_track(knots_of(curve_of({c, d})));
  ASSERT_EQ(cubic.times.size(), 2u);
  for (int i = 0; i <= 20; ++i) {
    const float t = 0.1f * static_cast<float>(i);
    EXPECT_NEAR(sample(plain, t, 0), sample(cubic, t, 0), 1e-4f) << t;
  }
  // Points of a true Bezier curve, by its parameter.
  a.out_weight[0] = 0.9;
  b.in_weight[0] = 0.5;
  const KeyTrack<float> heavy = float_track(knots_of(curve_of({a, b})));
  for (int i = 0; i <= 16; ++i) {
    const double s = i / 16.0, r = 1 - s;
    const double x = 3 * r * r * s * 0.9 + 3 * r * s * s * 0.5 + s * s * s;
    const double y = 3 * r * r * s * (3 * 0.9 * 2) + 3 * r * s * s * (1 + 0.5 * 2) + s * s * s;
    EXPECT_NEAR(sample(heavy, static_cast<float>(2 * x), 0), y, 0.02) << s;
  }
}

TEST(UnityClip, ReportsWhatItLeavesOut) {
  const std::string text =
      "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n"
      "  m_Name: odd\n  m_Legacy: 1\n  m_CompressedRotationCurves:\n  - m_Path: x\n"
      "  m_PositionCurves:\n"
      "  - curve:\n      m_Curve:\n      - time: 1\n        value: {x: 1, y: 0, z: 0}\n"
      "      - time: 0\n        value: {x: 0, y: 0, z: 0}\n"
      "      - time: NaN\n        value: {x: 0, y: 0, z: 0}\n"
      "      m_PostInfinity: 1\n    path: a\n"
      "  - curve:\n      m_Curve:\n      - time: 4\n        value: {x: 1, y: 0, z: 0}\n"
      "    path: a/b\n"
      "  m_Events:\n  - time: 1\n    functionName: \n";
  const Result<AnimClip> clip = read_clip(text, "f");
  ASSERT_TRUE(clip);
  EXPECT_EQ(count_of(clip->findings, "unity.legacy_clip"), 1);
  EXPECT_EQ(count_of(clip->findings, "unity.curves_left_out"), 1);
  EXPECT_EQ(count_of(clip->findings, "unity.keys"), 2) << listing(clip->findings);
  EXPECT_EQ(count_of(clip->findings, "unity.event"), 1);
  const Result<Model> model = clip_model(*clip);
  ASSERT_TRUE(model);
  EXPECT_EQ(count_of(model->findings, "unity.infinity"), 1);
  EXPECT_FLOAT_EQ(model->clips[0].duration, 4);
}

TEST(UnityMask, GatesElementsAndBodyParts) {
  const Result<AvatarMask> mask = load_mask(kOwnData / "project/Assets/Upper.mask");
  ASSERT_TRUE(mask) << to_string(mask.error());
  EXPECT_TRUE(mask->findings.empty()) << listing(mask->findings);
  EXPECT_FALSE(mask->part(BodyPart::kRoot));
  EXPECT_TRUE(mask->part(BodyPart::kBody));
  EXPECT_FALSE(mask->part(BodyPart::kLeftLeg));
  EXPECT_FALSE(mask->part(BodyPart::kRightFootIk));
  EXPECT_TRUE(mask->part(BodyPart::kRightHandIk));
  ASSERT_EQ(mask->elements.size(), 4u);
  std::vector<JointDef> joints(6);
  const char* names[] = {"Hips", "Spine", "Arm", "Leg", "Toe", "Strap"};
  const int parents[] = {kNoJoint, 0, 1, 0, 3, 1};
  for (std::size_t i = 0; i < 6; ++i) {
    joints[i].name = names[i];
    joints[i].parent = parents[i];
  }
  const Result<Skeleton> skeleton = Skeleton::build(joints);
  ASSERT_TRUE(skeleton);
  const auto at = [&](int i) { return skeleton->index_of_source(i); };
  RoleMap roles;
  const JointMask none = bind(*mask, *skeleton, roles);
  EXPECT_EQ(none.name, "Upper");
  EXPECT_EQ(none.weight(at(0)), 0);
  EXPECT_EQ(none.weight(at(1)), 1);
  EXPECT_EQ(none.weight(at(2)), 1);
  EXPECT_EQ(none.weight(at(5)), 1);  // as the spine above it
  roles.set(JointRole::kHips, at(0));
  roles.set(JointRole::kLeftUpperLeg, at(3));
  const JointMask human = bind(*mask, *skeleton, roles);
  EXPECT_EQ(human.weight(at(0)), 1);  // the body is on
  EXPECT_EQ(human.weight(at(3)), 0);
  EXPECT_EQ(human.weight(at(4)), 0);  // as the leg above it
}

TEST(UnityMask, OldFilesHaveFewerParts) {
  const std::string head =
      "%YAML 1.1\n--- !u!319 &31900000\nAvatarMask:\n  m_Name: old\n  m_Mask: ";
  const Result<AvatarMask> mask = read_mask(head + "0000000001000000\n", "f");
  ASSERT_TRUE(mask);
  EXPECT_FALSE(mask->part(BodyPart::kRoot));
  EXPECT_TRUE(mask->part(BodyPart::kRightHandIk));
  EXPECT_TRUE(mask->findings.empty());
  const Result<AvatarMask> bad = read_mask(head + "xyz\n", "f");
  ASSERT_TRUE(bad);
  EXPECT_EQ(count_of(bad->findings, "unity.mask"), 1);
  EXPECT_FALSE(read_mask("%YAML 1.1\n--- !u!1 &1\nGameObject: {}\n", "f"));
}

}  // namespace
}  // namespace sinew::unity
