#include <cmath>
#include <limits>

#include "figure.hpp"

namespace sinew::testing {

namespace {

const RagdollBodySource& body(const RagdollSource& source, const std::string& joint) {
  for (const RagdollBodySource& one : source.bodies) {
    if (one.joint == joint) return one;
  }
  ADD_FAILURE() << "no body for " << joint;
  return source.bodies.front();
}

}  // namespace

TEST(AutoRagdoll, PersonHasSixteenBodies) {
  const Model model = make_figure();
  const RagdollSource source = auto_ragdoll(model).value();
  EXPECT_EQ(source.bodies.size(), 16u);
  float mass = 0;
  for (const RagdollBodySource& b : source.bodies) mass += b.mass;
  EXPECT_NEAR(mass, 73, 12);
  EXPECT_GT(measure_coverage(model, source).share(), 0.95f);
  const RagdollDef def = RagdollDef::build(source, model.skeleton).value();
  EXPECT_EQ(def.body_count(), 16);
  EXPECT_EQ(def.body(0).parent, -1);
  // Neighbours at most 4:1, children behind parents, pairs of neighbours do not meet.
  for (int i = 1; i < def.body_count(); ++i) {
    const RagdollBody &child = def.body(i), &parent = def.body(child.parent);
    EXPECT_LT(child.parent, i);
    EXPECT_LE(parent.mass / child.mass, 4.01f);
    EXPECT_LE(child.mass / parent.mass, 4.01f);
    EXPECT_TRUE((child.ignore >> child.parent) & 1);
    EXPECT_TRUE((parent.ignore >> i) & 1);
    const float least = min(child.inertia.x, min(child.inertia.y, child.inertia.z)),
                most = max(child.inertia.x, max(child.inertia.y, child.inertia.z));
    EXPECT_GE(least, 0.299f * most);
    EXPECT_GE(least, 0.0099f * def.total_mass() / 73);
    EXPECT_GT(child.strength, 0);
  }
  // Fingers and toes move with what they belong to.
  EXPECT_EQ(def.body_of_joint(*model.skeleton.find("LeftMiddle1")),
            def.body_of_joint(*model.skeleton.find("LeftHand")));
  EXPECT_EQ(def.body_of_joint(*model.skeleton.find("Armature")), -1);
  EXPECT_EQ(def.subtree(0), def.all());
}

TEST(AutoRagdoll, TemplateLimitsTurnTheRightWay) {
  const Model model = make_figure();
  const RagdollSource source = auto_ragdoll(model).value();
  // Bending a joint to its high limit about Z: knees backward, elbows and hips forward.
  const auto bent = [&](const std::string& joint, Vec3 bone) {
    const RagdollBodySource& b = body(source, joint);
    const Vec3 z = normalize_or(b.swing_axis, kAxisZ);
    EXPECT_GT(b.high.z, 60 * kDegToRad) << joint;
    return rotate(from_axis_angle(z, b.high.z * 0.5f), bone);
  };
  EXPECT_LT(bent("LeftLowerLeg", {0, -1, 0}).z, -0.5f);
  EXPECT_LT(bent("RightLowerLeg", {0, -1, 0}).z, -0.5f);
  EXPECT_GT(bent("LeftUpperLeg", {0, -1, 0}).z, 0.5f);
  EXPECT_GT(bent("LeftLowerArm", {1, 0, 0}).z, 0.5f);
  EXPECT_GT(bent("RightLowerArm", {-1, 0, 0}).z, 0.5f);
  // The other way a knee goes a few degrees at most.
  EXPECT_GT(body(source, "LeftLowerLeg").low.z, -10 * kDegToRad);
}

TEST(AutoRagdoll, LimitsFollowTheClips) {
  Model model = make_figure();
  const int knee = *model.skeleton.find("LeftLowerLeg");
  for (int i = 0; i < 4; ++i) {
    RawClip clip;
    clip.name = "bend" + std::to_string(i);
    clip.duration = 2;
    JointTrack track;
    track.joint = knee;
    for (int k = 0; k <= 20; ++k) {
      track.rotation.times.push_back(0.1f * static_cast<float>(k));
      track.rotation.values.push_back(
          from_axis_angle(kAxisX, static_cast<float>(k) / 20 * 80 * kDegToRad));
    }
    clip.tracks.push_back(track);
    model.clips.push_back(clip);
  }
  const RagdollSource source = auto_ragdoll(model).value();
  const RagdollBodySource& b = body(source, "LeftLowerLeg");
  // 0 to 80 degrees about X, and 10 degrees on both sides: the swing axis is X, either way round.
  EXPECT_NEAR(abs(normalize_or(b.swing_axis, kAxisZ).x), 1, 1e-3f);
  EXPECT_NEAR((b.high.z - b.low.z) * kRadToDeg, 100, 3);
  EXPECT_NEAR((b.high.y - b.low.y) * kRadToDeg, 20, 1);
  EXPECT_NEAR((b.high.x - b.low.x) * kRadToDeg, 20, 1);
}

TEST(AutoRagdoll, ScaledSkeletonsGiveTheSameBodies) {
  const Model plain = make_figure();
  const RagdollDef expected =
      RagdollDef::build(auto_ragdoll(plain).value(), plain.skeleton).value();
  for (const float top : {0.01f, 100.0f}) {
    const Model model = make_figure(top);
    const RagdollDef def = RagdollDef::build(auto_ragdoll(model).value(), model.skeleton).value();
    ASSERT_EQ(def.body_count(), expected.body_count());
    for (int i = 0; i < def.body_count(); ++i) {
      EXPECT_NEAR(def.body(i).shape.radius, expected.body(i).shape.radius, 1e-4f) << top;
      EXPECT_LT(distance(def.body(i).position, expected.body(i).position), 1e-4f) << top;
      EXPECT_LT(distance(def.body(i).parent_anchor, expected.body(i).parent_anchor), 1e-4f) << top;
      EXPECT_NEAR(def.body(i).mass, expected.body(i).mass, 0.01f) << top;
    }
  }
}

TEST(AutoRagdoll, GiantsAndDwarfs) {
  for (const float size : {0.01f, 100.0f}) {
    const Model model = make_figure(1, size);
    Result<RagdollSource> source = auto_ragdoll(model);
    ASSERT_TRUE(source.ok());
    EXPECT_EQ(source->bodies.size(), 16u);
    Result<RagdollDef> def = RagdollDef::build(*source, model.skeleton);
    ASSERT_TRUE(def.ok()) << to_string(def.error());
    for (const RagdollBody& b : def->bodies()) {
      EXPECT_TRUE(is_finite(b.inertia));
      EXPECT_GT(b.mass, 0);
    }
  }
}

TEST(AutoRagdoll, WithoutSkinOrRoles) {
  Model model = make_figure();
  model.meshes.clear();
  model.skins.clear();
  EXPECT_EQ(auto_ragdoll(model)->bodies.size(), 16u) << "a skin is made up";
  Model nameless = make_figure();
  nameless.roles = {};
  const Result<RagdollSource> source = auto_ragdoll(nameless);
  ASSERT_TRUE(source.ok());
  EXPECT_GE(source->bodies.size(), 10u);
  EXPECT_TRUE(RagdollDef::build(*source, nameless.skeleton).ok());
  EXPECT_FALSE(auto_ragdoll(Model{}).ok());
  EXPECT_FALSE(auto_ragdoll(model, {.scale = 0}).ok());
}

namespace {

RagdollSource two_bodies() {
  RagdollSource source;
  RagdollBodySource hips;
  hips.joint = "Hips";
  hips.radius = 0.1f;
  hips.half_height = 0.05f;
  hips.mass = 30;
  RagdollBodySource leg = hips;
  leg.joint = "LeftUpperLeg";
  leg.mass = 10;
  source.bodies = {hips, leg};
  return source;
}

std::string message(const RagdollSource& source) {
  static const Model model = make_figure();
  Result<RagdollDef> def = RagdollDef::build(source, model.skeleton);
  return def ? "" : to_string(def.error());
}

}  // namespace

TEST(RagdollDef, TakesAxesThatAreNotNormalized) {
  RagdollSource source = two_bodies();
  source.bodies[1].twist_axis = {0, -40, 0};
  source.bodies[1].swing_axis = {0.03f, 0.01f, 0};
  source.bodies[1].rotation = {0, 3, 0, 4};
  source.bodies[1].has_neutral = true;
  source.bodies[1].neutral = {0, 0, 0.2f, 2};
  EXPECT_EQ(message(source), "");
  static const Model model = make_figure();
  const RagdollDef def = RagdollDef::build(source, model.skeleton).value();
  for (const Quat q : {def.body(1).child_frame, def.body(1).parent_frame, def.body(1).rotation}) {
    EXPECT_NEAR(dot(q, q), 1, 1e-5f);
  }
}

TEST(RagdollDef, NamesEveryFault) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto with = [&](auto&& change) {
    RagdollSource source = two_bodies();
    change(source);
    return message(source);
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(
      has(with([](auto& s) { s.bodies[1].joint = "LeftUperLeg"; }), "did you mean 'LeftUpperLeg'"));
  EXPECT_TRUE(has(with([](auto& s) { s.bodies[1].joint = "Hips"; }), "has a body already"));
  EXPECT_TRUE(has(with([](auto& s) { s.bodies[1].parent = "Hip"; }), "did you mean 'Hips'"));
  EXPECT_TRUE(has(with([](auto& s) {
                    s.bodies[0].parent = "LeftUpperLeg";
                    s.bodies[1].parent = "Hips";
                  }),
                  "circle"));
  EXPECT_TRUE(has(with([](auto& s) { s.bodies[0].joint = "RightUpperLeg"; }),
                  "only one body may be the root"));
  for (const float mass : {0.0f, -1.0f, nan, 1e9f}) {
    EXPECT_TRUE(has(with([&](auto& s) { s.bodies[1].mass = mass; }), "mass")) << mass;
  }
  for (const float radius : {0.0f, -1.0f, nan}) {
    EXPECT_TRUE(has(with([&](auto& s) { s.bodies[1].radius = radius; }), "radius")) << radius;
  }
  EXPECT_TRUE(has(with([](auto& s) { s.bodies[1].twist_axis = {}; }), "twist axis"));
  EXPECT_TRUE(has(with([&](auto& s) { s.bodies[1].twist_axis = {nan, 0, 0}; }), "twist axis"));
  EXPECT_TRUE(has(with([](auto& s) { s.bodies[1].swing_axis = {0, 2, 0}; }), "swing axis"));
  EXPECT_TRUE(has(with([](auto& s) { s.bodies[1].low.x = 1; }), "limits"));
  EXPECT_TRUE(has(with([](auto& s) { s.bodies[1].high.y = 1.55f; }), "85 degrees"));
  EXPECT_TRUE(has(with([](auto& s) { s.bodies[1].rotation = {0, 0, 0, 0}; }), "rotation"));
  EXPECT_TRUE(has(with([](auto& s) {
                    s.bodies[1].has_neutral = true;
                    s.bodies[1].neutral = {0, 0, 0, 0};
                  }),
                  "neutral"));
  EXPECT_TRUE(has(with([](auto& s) { s.bodies.clear(); }), "no bodies"));
  EXPECT_TRUE(has(with([](auto& s) { s.no_collide = {{"Hips", "Haed"}}; }), "no_collide"));
  EXPECT_TRUE(
      has(with([](auto& s) { s.bodies[1].shape = ShapeKind::kPlane; }), "no shape of a limb"));
  static const Model model = make_figure();
  EXPECT_FALSE(RagdollDef::build(two_bodies(), model.skeleton, 0).ok());
  EXPECT_FALSE(RagdollDef::build(two_bodies(), model.skeleton, nan).ok());
}

}  // namespace sinew::testing
