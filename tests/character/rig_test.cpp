// The rig inside a character's tick.
#include <limits>

#include <gtest/gtest.h>

#include <sinew/character/world.hpp>

#include "rigged_walker.hpp"
#include "test_jobs.hpp"

namespace sinew {
namespace {

using testing::rigged_walker;
using testing::rigged_walker_parts;
using testing::walker_rig_source;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

void run(World& world, int ticks, float dt = 1 / 60.f) {
  for (Tick tick : fixed_steps(dt, static_cast<std::uint64_t>(ticks), world.tick_count()))
    world.update(tick);
}

Vec3 joint_in_world(const World& world, CharacterId id, const char* name) {
  const int joint = *world.definition(id)->skeleton().find(name);
  return transform_point(world.world_transform(id),
                         translation_of(world.model_matrices(id)[static_cast<std::size_t>(joint)]));
}

Transform joint_in_model(const World& world, CharacterId id, const char* name) {
  const int joint = *world.definition(id)->skeleton().find(name);
  return decompose(world.model_matrices(id)[static_cast<std::size_t>(joint)]);
}

struct Handles {
  explicit Handles(const CharacterDef& def)
      : leg(*def.rig()->channel("leg.weight")),
        look(*def.rig()->channel("look.weight")),
        foot_target(*def.rig()->node("foot_target")),
        leg_ik(*def.rig()->find_constraint("leg")),
        look_aim(*def.rig()->find_constraint("look")) {}
  RigChannel leg, look;
  RigNodeId foot_target;
  int leg_ik, look_aim;
};

TEST(CharacterRig, RunsOnTheFinalPoseWhereTheCharacterStands) {
  const CharacterDef def = rigged_walker();
  const Handles h(def);
  World world;
  const CharacterId id = world.spawn(def, {.position = {30, 0, -12}, .yaw = 2.1f});
  run(world, 30);
  EXPECT_EQ(world.rig_status(id, h.leg_ik), RigStatus::kIdle);
  const Vec3 target = transform_point(world.world_transform(id), {-0.2f, 0.3f, 0.2f});
  ASSERT_TRUE(world.set_rig_position(id, h.foot_target, target));
  ASSERT_TRUE(world.set_rig(id, h.leg, 1));
  run(world, 1);
  EXPECT_EQ(world.rig_status(id, h.leg_ik), RigStatus::kSatisfied);
  EXPECT_EQ(world.rig_value(id, h.leg), 1);
  EXPECT_LT(distance(joint_in_world(world, id, "foot_r"), target), 1e-4f);
  // It stays in the world while the character moves on.
  world.move(id, {.velocity = {0.2f, 0, 0.1f}, .turn = 0.1f});
  run(world, 1);
  EXPECT_LT(distance(joint_in_world(world, id, "foot_r"), target), 1e-4f);
  // Skinning and local pose are those of the same pose.
  const int foot = *def.skeleton().find("foot_r");
  EXPECT_EQ(world.skinning(id)[static_cast<std::size_t>(foot)],
            world.model_matrices(id)[static_cast<std::size_t>(foot)] *
                def.skins()[0].inverse_bind[static_cast<std::size_t>(foot)]);
  world.set_rig_position(id, h.foot_target, target + Vec3{5, 0, 0});
  run(world, 1);
  EXPECT_EQ(world.rig_status(id, h.leg_ik), RigStatus::kOutOfReach);
}

TEST(CharacterRig, ParametersDriveChannels) {
  const CharacterDef def = rigged_walker();
  const Handles h(def);
  World world;
  const CharacterId id = world.spawn(def);
  world.set(id, def.param("speed"), 0.04);
  run(world, 2);
  EXPECT_FLOAT_EQ(world.rig_value(id, h.look), 0.02f);
  EXPECT_EQ(world.rig_status(id, h.look_aim), RigStatus::kSatisfied);
  world.set(id, def.param("speed"), 7);
  run(world, 1);
  EXPECT_EQ(world.rig_value(id, h.look), 1) << "clamped to the channel's range";
  EXPECT_FALSE(world.set_rig(id, h.look, 0.2)) << "the parameter is the way";
}

TEST(CharacterRig, ClipsKeyChannelsByTheirWeight) {
  const CharacterDef def = rigged_walker();
  const Handles h(def);
  World world;
  const CharacterId id = world.spawn(def);
  world.set_rig(id, h.leg, 0.25);
  run(world, 10);
  EXPECT_EQ(world.rig_value(id, h.leg), 0.25f) << "no clip keys it here";
  world.trigger(id, def.param("jump"));
  bool blended = false, alone = false;
  for (int i = 0; i < 40; ++i) {
    run(world, 1);
    const LayerInfo layer = world.layer(id, 0);
    const bool to_jump = layer.next && layer.next == def.state("Jump");
    const bool jumping = !layer.next && layer.current == def.state("Jump");
    const double time = 0.8 * (to_jump ? layer.next_time : layer.current_time);
    const double keyed = std::min(time / 0.4, 1.0);
    if (to_jump) {
      const double share = layer.progress;
      EXPECT_NEAR(world.rig_value(id, h.leg), 0.25 * (1 - share) + keyed * share, 1e-5);
      blended = true;
    } else if (jumping) {
      EXPECT_NEAR(world.rig_value(id, h.leg), keyed, 1e-5);
      alone = true;
    }
  }
  EXPECT_TRUE(blended);
  EXPECT_TRUE(alone);
  run(world, 60);
  EXPECT_EQ(world.rig_value(id, h.leg), 0.25f) << "the host's value comes back";
}

TEST(CharacterRig, RotationsThatClipsKeyDoNotCancel) {
  // Walk and run key the same rotation, by quaternions of opposite sign.
  const CharacterDef def = rigged_walker();
  const Handles h(def);
  World world;
  const CharacterId id = world.spawn(def);
  world.set(id, def.param("speed"), 2.1);  // half of each
  run(world, 90);
  EXPECT_LT(angle_between(world.rig_node(id, h.foot_target).rotation,
                          conjugate(world.world_transform(id).rotation) * from_yaw(0.8f)),
            1e-4f);
}

TEST(CharacterRig, RefusesWhatIsNotThere) {
  const CharacterDef def = rigged_walker(), plain = testing::walker();
  const Handles h(def);
  World world;
  const CharacterId id = world.spawn(def), other = world.spawn(plain);
  const std::uint64_t before = (run(world, 1), world.state_hash());
  EXPECT_FALSE(world.set_rig(id, RigChannel{}, 1));
  EXPECT_FALSE(world.set_rig(id, RigChannel{999}, 1));
  EXPECT_FALSE(world.set_rig(id, h.leg, static_cast<double>(kNan)));
  EXPECT_FALSE(world.set_rig_position(id, RigNodeId{9}, {}));
  EXPECT_FALSE(world.set_rig_position(id, h.foot_target, {kNan, 0, 0}));
  EXPECT_FALSE(world.set_rig_node(id, h.foot_target, {}, {0, 0, 0, 0}));
  EXPECT_FALSE(world.set_rig_node(id, h.foot_target, {kNan, 0, 0}, {}));
  EXPECT_FALSE(world.set_rig(other, h.leg, 1)) << "no rig";
  EXPECT_FALSE(world.reset_rig(other));
  EXPECT_EQ(world.rig_status(other, 0), RigStatus::kIdle);
  EXPECT_EQ(world.rig_value(other, h.leg), 0);
  EXPECT_EQ(world.rig_status(id, 77), RigStatus::kIdle);
  EXPECT_TRUE(world.inputs().empty());
  EXPECT_EQ(world.state_hash(), before);
}

TEST(CharacterRig, AJumpIsNoSwing) {
  // The arm is a spring: a place() far away must not fling it, a move of the same length does.
  const CharacterDef def = rigged_walker();
  const auto swing_after = [&](bool jump) {
    World world;
    const CharacterId id = world.spawn(def);
    run(world, 60);
    const Quat before = joint_in_model(world, id, "upper_arm_l").rotation;
    if (jump) {
      world.place(id, {0, 0, 20}, 0);
    } else {
      world.move(id, {.velocity = {0, 0, 20 * 60.f}});
    }
    run(world, 1);
    return angle_between(before, joint_in_model(world, id, "upper_arm_l").rotation);
  };
  EXPECT_LT(swing_after(true), 0.02f);
  EXPECT_GT(swing_after(false), 0.5f);
}

// Commands that use all of the rig's inputs.
void give_inputs(World& world, const CharacterDef& def, const Handles& h, std::uint64_t tick) {
  for (const CharacterId id : world.characters()) {
    const std::uint64_t phase = tick + 29 * id.index;
    const float wave = static_cast<float>(phase % 50) / 50;
    if (phase % 40 == 5) world.set(id, def.param("speed"), 0.4 + static_cast<double>(wave) * 2);
    if (phase % 70 == 30) world.trigger(id, def.param("jump"));
    if (phase % 11 == 0) world.set_rig(id, h.leg, static_cast<double>(wave));
    if (phase % 7 == 0) {
      world.set_rig_node(id, h.foot_target, world.position(id) + Vec3{-0.1f, wave, 0.4f},
                         from_yaw(wave));
    }
    if (phase % 97 == 0) world.reset_rig(id);
  }
}

std::vector<std::uint64_t> hashes(World& world, const CharacterDef& def, int ticks) {
  const Handles h(def);
  std::vector<std::uint64_t> out;
  for (Tick tick : fixed_steps(1 / 60.f, static_cast<std::uint64_t>(ticks), world.tick_count())) {
    give_inputs(world, def, h, tick.index);
    world.update(tick);
    out.push_back(world.state_hash());
  }
  return out;
}

TEST(CharacterRig, ARestoredWorldGoesOnWithTheSameBits) {
  const CharacterDef def = rigged_walker();
  World world({.max_characters = 4});
  for (int i = 0; i < 3; ++i) world.spawn(def, {.position = {static_cast<float>(i), 0, 0}});
  for (int start : {3, 33, 71}) {
    hashes(world, def, start);
    std::vector<std::byte> saved;
    world.save(saved);
    const std::vector<std::uint64_t> expected = hashes(world, def, 120);
    World other({.max_characters = 4});
    other.add_definition(def);
    const Status status = other.restore(saved);
    ASSERT_TRUE(status.ok()) << to_string(status.error());
    EXPECT_EQ(hashes(other, def, 120), expected);
  }
}

TEST(CharacterRig, NoWorkerChangesAResult) {
  const CharacterDef def = rigged_walker();
  const auto run_with = [&](JobSystem* jobs) {
    World world({.max_characters = 9, .jobs = jobs});
    for (int i = 0; i < 9; ++i) world.spawn(def, {.position = {static_cast<float>(i), 0, 0}});
    return hashes(world, def, 150);
  };
  const std::vector<std::uint64_t> expected = run_with(nullptr);
  testing::ReverseJobs reverse;
  testing::FreshThreads two(2), four(4);
  for (JobSystem* jobs : {static_cast<JobSystem*>(&reverse), static_cast<JobSystem*>(&two),
                          static_cast<JobSystem*>(&four)}) {
    EXPECT_EQ(run_with(jobs), expected);
  }
}

TEST(CharacterRig, RecordedInputsGiveTheSameBits) {
  const CharacterDef def = rigged_walker();
  const Handles h(def);
  World live({.max_characters = 2}), again({.max_characters = 2});
  again.add_definition(def);
  live.spawn(def);
  live.spawn(def);
  for (Tick tick : fixed_steps(1 / 60.f, 150)) {
    give_inputs(live, def, h, tick.index);
    for (const WorldInput& input : live.inputs()) ASSERT_TRUE(again.apply(input));
    live.update(tick);
    again.update(tick);
    ASSERT_EQ(live.state_hash(), again.state_hash()) << tick.index;
  }
}

TEST(CharacterRig, DamagedStateIsRefusedOrHarmless) {
  const CharacterDef def = rigged_walker();
  World world;
  const CharacterId id = world.spawn(def);
  hashes(world, def, 40);
  std::vector<std::byte> saved;
  world.save(saved);
  // The rig's state is the last part. Whatever its bytes are, nothing crashes, and no pose of
  // numbers that are not finite comes out.
  const std::size_t first = saved.size() - def.rig()->state_size();
  int refused = 0;
  for (std::size_t at = first; at < saved.size(); ++at) {
    for (const int bits : {0xff, 0x7f, 0x01}) {
      std::vector<std::byte> bad = saved;
      bad[at] = static_cast<std::byte>(bits);
      World other;
      other.add_definition(def);
      if (!other.restore(bad).ok()) {
        ++refused;
        continue;
      }
      run(other, 2);
      for (const Mat3x4& m : other.model_matrices(id)) {
        for (const Vec4& row : m.row) {
          ASSERT_TRUE(is_finite(row.x + row.y + row.z + row.w)) << at - first << " " << bits;
        }
      }
    }
  }
  EXPECT_GT(refused, 30);
}

TEST(CharacterRig, FaultsNameThePlaceAndTheNearestName) {
  RigSource source = walker_rig_source();
  source.drives[0].parameter = "sped";
  const Result<CharacterDef> undeclared = CharacterDef::build(rigged_walker_parts(source));
  ASSERT_FALSE(undeclared.ok());
  const std::string text = to_string(undeclared.error());
  EXPECT_NE(text.find("rig 'walker'"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean 'speed'"), std::string::npos) << text;

  CharacterParts parts = rigged_walker_parts();
  std::vector<JointDef> one{{"root", kNoJoint, {}}};
  const Skeleton other = Skeleton::build(one).value();
  Findings findings;
  RigSource empty;
  empty.name = "empty";
  parts.rig = RigDef::compile(empty, other, {}, findings).value();
  const Result<CharacterDef> mismatch = CharacterDef::build(std::move(parts));
  ASSERT_FALSE(mismatch.ok());
  EXPECT_EQ(mismatch.error().code, ErrorCode::kMismatch);
}

TEST(CharacterRig, TheDefinitionsHashKnowsTheRig) {
  const std::uint64_t base = rigged_walker().hash();
  RigSource changed = walker_rig_source();
  changed.layers[0].constraints[0].constraint.get<rig::TwoBoneIk>()->soft_distance = 0.1f;
  EXPECT_NE(CharacterDef::build(rigged_walker_parts(changed)).value().hash(), base);
  changed = walker_rig_source();
  changed.nodes[0].bind.translation.x += 0.1f;
  EXPECT_NE(CharacterDef::build(rigged_walker_parts(changed)).value().hash(), base);
  changed = walker_rig_source();
  changed.layers[0].constraints[1].weight = 0.5f;
  EXPECT_NE(CharacterDef::build(rigged_walker_parts(changed)).value().hash(), base);
  EXPECT_EQ(rigged_walker().hash(), base);
}

struct Counted final : DebugDraw {
  void line(Vec3, Vec3, DebugColor) override { ++marks; }
  void point(Vec3 at, float, DebugColor) override {
    ++marks;
    last = at;
  }
  void plane(Vec3, Vec3, float, DebugColor) override { ++marks; }
  int marks = 0;
  Vec3 last;
};

TEST(CharacterRig, DrawsItsConstraintsInTheWorld) {
  const CharacterDef def = rigged_walker();
  const Handles h(def);
  World world;
  const CharacterId id = world.spawn(def, {.position = {3, 0, 4}, .yaw = 1});
  world.set_rig(id, h.leg, 1);
  const Vec3 target{3.2f, 0.4f, 4.1f};
  world.set_rig_position(id, h.foot_target, target);
  run(world, 2);
  const std::uint64_t before = world.state_hash();
  Counted counted;
  world.draw_rig(id, counted);
  EXPECT_GE(counted.marks, 4);
  EXPECT_EQ(world.state_hash(), before) << "drawing changes nothing";
  // Without the other constraints the last point is the foot's target.
  RigSource alone = walker_rig_source();
  alone.layers[0].constraints.pop_back();
  alone.layers.pop_back();
  alone.drives.clear();
  const CharacterDef single = CharacterDef::build(rigged_walker_parts(alone)).value();
  World second;
  const CharacterId other = second.spawn(single, {.position = {3, 0, 4}, .yaw = 1});
  second.set_rig(other, *single.rig()->channel("leg.weight"), 1);
  second.set_rig_position(other, *single.rig()->node("foot_target"), target);
  run(second, 2);
  Counted points;
  second.draw_rig(other, points);
  EXPECT_LT(distance(points.last, target), 1e-5f);
}

}  // namespace
}  // namespace sinew
