#include <gtest/gtest.h>

#include <sinew/character/character_def.hpp>
#include <sinew/character/travel.hpp>

#include "walker.hpp"

namespace sinew {
namespace {

using testing::walker_parts;

TEST(CharacterDef, FindsNamesOfItsController) {
  const CharacterDef def = testing::walker();
  EXPECT_TRUE(def.param("speed"));
  EXPECT_FALSE(def.param("sped"));
  EXPECT_TRUE(def.state("Move"));
  EXPECT_FALSE(def.state("move!"));
  EXPECT_EQ(def.clips().size(), 4u);
  EXPECT_EQ(def.event_name(-1), "");
  EXPECT_EQ(def.event_name(1000), "");
}

TEST(CharacterDef, ReportsFaultsWithPlaceAndNearestName) {
  CharacterParts parts = walker_parts();
  parts.scale = 0;
  EXPECT_NE(CharacterDef::build(std::move(parts)).error().message.find("scale"), std::string::npos);

  parts = walker_parts();
  parts.speed = -1;
  EXPECT_NE(CharacterDef::build(std::move(parts)).error().message.find("speed"), std::string::npos);

  parts = walker_parts();
  parts.skins[0].joints[0] = 999;
  EXPECT_NE(CharacterDef::build(std::move(parts)).error().where.find("skin 'body'"),
            std::string::npos);

  parts = walker_parts();
  parts.motions[1].clip.tracks[0].joint = 999;
  const Error clip = CharacterDef::build(std::move(parts)).error();
  EXPECT_NE(clip.where.find("motion 'Walk'"), std::string::npos) << to_string(clip);

  parts = walker_parts();
  ControllerSource source = testing::walker_controller_source();
  LayerSource layer;
  layer.name = "arms";
  layer.weight = 1;
  layer.mask = "upper_body";
  layer.root.states.push_back(build::state("Empty"));
  source.layers.push_back(layer);
  parts.controller = compile_controller(source).value();
  JointMask mask = JointMask::uniform(parts.skeleton, 1);
  mask.name = "uper_body";
  parts.masks.push_back(mask);
  const Error missing = CharacterDef::build(std::move(parts)).error();
  EXPECT_NE(missing.message.find("'upper_body'"), std::string::npos) << to_string(missing);
  EXPECT_NE(missing.message.find("did you mean 'uper_body'"), std::string::npos)
      << to_string(missing);
}

TEST(CharacterDef, AMissingClipIsAWarningAndDoesNotStopTheOthers) {
  CharacterParts parts = walker_parts();
  parts.motions[3].name = "Jmp";
  Findings findings;
  const Result<CharacterDef> def = CharacterDef::build(std::move(parts), &findings);
  ASSERT_TRUE(def.ok());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_NE((findings[0].message + findings[0].hint).find("Jmp"), std::string::npos)
      << findings[0].message;
}

TEST(CharacterDef, HashSeesWhatChangesARun) {
  const std::uint64_t hash = testing::walker().hash();
  EXPECT_EQ(testing::walker().hash(), hash);
  CharacterParts parts = walker_parts();
  parts.scale = 1.01f;
  EXPECT_NE(CharacterDef::build(std::move(parts)).value().hash(), hash);
  parts = walker_parts();
  parts.motions[1].clip.tracks[2].rotation.values[4] = from_axis_angle(kAxisX, 0.02f);
  EXPECT_NE(CharacterDef::build(std::move(parts)).value().hash(), hash);
  parts = walker_parts();
  parts.motions[2].travel = Travel::kGiven;
  parts.motions[2].travel_velocity = {0, 0, 2};
  EXPECT_NE(CharacterDef::build(std::move(parts)).value().hash(), hash);
  parts = walker_parts();
  parts.name = "somebody else";
  EXPECT_EQ(CharacterDef::build(std::move(parts)).value().hash(), hash)
      << "names of characters do not count";
}

// A foot that stands still in the world while the body passes over it slides backwards in an
// in-place clip at the body's speed.
TEST(Travel, IsMeasuredFromThePlantedFeet) {
  const Skeleton skeleton = testing::walker_skeleton();
  const RoleMap roles = testing::walker_roles(skeleton);
  RawClip clip;
  clip.name = "shuffle";
  clip.duration = 1;
  clip.loop = true;
  constexpr float kSpeed = 0.8f;
  for (const char* name : {"foot_l", "foot_r"}) {
    JointTrack track;
    track.joint = *skeleton.find(name);
    const Vec3 rest = skeleton.rest(track.joint).translation;
    const bool left = name[5] == 'l';
    for (int i = 0; i <= 60; ++i) {
      const float t = static_cast<float>(i) / 60, phase = left ? t : t + 0.5f;
      const float share = phase - std::floor(phase);
      // First half: on the ground, backwards. Second half: lifted, forwards.
      const bool down = share <= 0.5f;
      const float z =
          down ? 0.25f * kSpeed - kSpeed * share : -0.25f * kSpeed + kSpeed * (share - 0.5f);
      track.translation.times.push_back(t);
      track.translation.values.push_back(
          rest + Vec3{0, down ? 0.0f : 0.3f * sin(kTwoPi * (share - 0.5f)), z});
    }
    clip.tracks.push_back(std::move(track));
  }
  testing::sort_tracks(clip);
  const TravelMeasure measure =
      measure_travel(Clip::build(clip, skeleton).value(), skeleton, roles);
  EXPECT_NEAR(measure.velocity.z, kSpeed, 0.05f * kSpeed);
  EXPECT_NEAR(measure.velocity.x, 0, 1e-4f);
  EXPECT_GT(measure.planted, 0.9f);

  const TravelMeasure none =
      measure_travel(Clip::build(clip, skeleton).value(), skeleton, RoleMap());
  EXPECT_EQ(none.velocity, Vec3{});
  const TravelMeasure idle =
      measure_travel(Clip::build(testing::idle_clip(skeleton), skeleton).value(), skeleton, roles);
  EXPECT_EQ(idle.velocity, Vec3{}) << "standing is no travel";
}

TEST(Travel, GivenTravelMovesAnInPlaceClip) {
  CharacterParts parts = walker_parts();
  MotionPart& walk = parts.motions[1];
  walk.clip.annotations.root_motion.enabled = false;
  walk.travel = Travel::kGiven;
  walk.travel_velocity = {0, 0, 0.9f};
  const CharacterDef def = CharacterDef::build(std::move(parts)).value();
  EXPECT_NEAR(def.travel_velocity(1).z, 0.9f, 1e-5f);
  EXPECT_EQ(def.travel_velocity(0), Vec3{});
  EXPECT_EQ(def.travel_velocity(-1), Vec3{});
  EXPECT_EQ(def.travel_velocity(99), Vec3{});
}

}  // namespace
}  // namespace sinew
