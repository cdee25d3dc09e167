// Compiled twice: with the compilers' vectors (test_pose) and with the portable twin of Float4
// (test_scalar_twin). Both must meet the same constants, and so must every compiler.
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/base/hash.hpp>
#include <sinew/math/instruction_set.hpp>
#include <sinew/pose/blend.hpp>
#include <sinew/pose/inertialize_pose.hpp>
#include <sinew/pose/mirror.hpp>
#include <sinew/pose/model_pose.hpp>
#include <sinew/pose/sample.hpp>
#include <sinew/pose/two_bone.hpp>

#include "bodies.hpp"
#include "random_pose.hpp"

namespace sinew {
namespace {

using testing::Random;

void add(Hasher& hash, Vec3 v) {
  for (int i = 0; i < 3; ++i) hash.f32(v[i]);
}
void add(Hasher& hash, Quat q) {
  for (float x : {q.x, q.y, q.z, q.w}) hash.f32(x);
}
void add(Hasher& hash, const Skeleton& s, ConstPoseSpan pose) {
  for (int j = 0; j < s.joint_count(); ++j) {
    const Transform t = get_joint(s, pose, j);
    add(hash, t.translation);
    add(hash, t.rotation);
    add(hash, t.scale);
  }
}

std::uint64_t hash_of_poses() {
  const auto body =
      testing::make_body(testing::person_parts(), testing::role_names(testing::person_parts()), {},
                         normalize(Quat{1, 2, 3, 4}));
  const Skeleton& s = body.skeleton;
  const MirrorMap map = MirrorMap::build(s, roles_of(body, BodyPlan::kBiped));
  Random random(21);
  const Clip a = Clip::build(testing::random_clip(random, s, 60, true), s).value();
  const Clip b = Clip::build(testing::random_clip(random, s, 40, true), s).value();
  const JointMask mask = JointMask::subtree(s, body.joints.at(JointRole::kChest), 1, 0.3f);
  RootMotionSettings settings;
  settings.enabled = true;
  const RootPath path = RootPath::build(a, s, settings);
  Pose x(s), y(s), z(s), difference(s);
  PoseInertializer inertializer(s);
  std::vector<Mat3x4> model(static_cast<std::size_t>(s.joint_count()));
  Hasher hash;
  hash.u64(s.hash());
  for (int i = 0; i < 200; ++i) {
    const float t = random.real(0, 1.3f), w = random.real(0, 1);
    sample_clip(a, s, t, x);
    remove_root_motion(path, t, s, x);
    sample_clip(b, s, random.real(0, 1.3f), y);
    blend_poses(x, y, w, z);
    add(hash, s, z);
    blend_poses(x, y, w, mask.groups(), z);
    make_additive(y, x, difference);
    apply_additive(difference, 0.5f * w, mask.groups(), z);
    const std::vector<ConstPoseSpan> poses = {x, y, z};
    const std::vector<float> weights = {0.5f, 0.3f, 0.2f};
    blend_poses(poses, weights, z);
    mirror_pose(s, map, z, x);
    add(hash, s, x);
    if (i % 20 == 0) inertializer.start(s, z, x, 1 / 60.0f, y, 0.2f);
    inertializer.apply(s, 1 / 60.0f, y);
    local_to_model(s, y, model);
    for (const Mat3x4& m : model) {
      for (const Vec4& row : m.row) {
        for (float value : {row.x, row.y, row.z, row.w}) hash.f32(value);
      }
    }
  }
  const RootDelta d = path.delta(-3.3, 9.6, true);
  add(hash, d.translation);
  add(hash, d.rotation);
  return hash.value();
}

// Every set of kernels that this machine can run gives the same bits.
TEST(PoseBits, SampleBlendMirrorAndModel) {
  const InstructionSet before = instruction_set();
  for (InstructionSet set :
       {InstructionSet::kPortable, InstructionSet::kSse2, InstructionSet::kAvx2}) {
    if (!is_available(set)) continue;
    force_instruction_set(set);
    EXPECT_EQ(hash_of_poses(), 0xd2d500a93e28b4a6ull) << "kernels " << static_cast<int>(set);
  }
  force_instruction_set(before);
}

// Rotations without a direction, in every lane of every kernel.
TEST(PoseBits, NoDirectionIsTheIdentity) {
  const InstructionSet before = instruction_set();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<SoaTransform> a(7, SoaTransform::identity()), b = a, out = a;
  for (int slot = 0; slot < 28; ++slot) {
    const float bad[] = {0, nan, inf, 1e30f};
    Transform t;
    t.rotation = {bad[slot % 4], 0, 0, 0};
    set_lane(a[static_cast<std::size_t>(slot / 4)], (slot + slot / 4) % 4, t);
    set_lane(b[static_cast<std::size_t>(slot / 4)], (slot + slot / 4) % 4, t);
  }
  for (InstructionSet set :
       {InstructionSet::kPortable, InstructionSet::kSse2, InstructionSet::kAvx2}) {
    if (!is_available(set)) continue;
    force_instruction_set(set);
    blend_poses(a, b, 0.5f, out);
    for (int slot = 0; slot < 28; ++slot) {
      EXPECT_EQ(get_lane(out[static_cast<std::size_t>(slot / 4)], slot % 4).rotation, Quat{})
          << "kernels " << static_cast<int>(set) << ", slot " << slot;
    }
  }
  force_instruction_set(before);
}

TEST(PoseBits, TwoBone) {
  Random random(22);
  Hasher hash;
  for (int i = 0; i < 5000; ++i) {
    TwoBoneChain chain;
    chain.root = random.vec3(1);
    chain.mid = chain.root + random.vec3(0.5f);
    chain.tip = chain.mid + random.vec3(0.5f);
    chain.root_rotation = random.rotation();
    chain.mid_rotation = random.rotation();
    chain.tip_rotation = random.rotation();
    TwoBoneGoal goal;
    goal.target = random.vec3(1.5f);
    goal.hint = random.vec3(2);
    goal.hint_weight = random.real(0, 1);
    goal.target_rotation = random.rotation();
    goal.rotation_weight = random.real(0, 1);
    goal.soft_distance = random.real(0, 0.1f);
    const TwoBoneResult r = solve_two_bone(chain, goal);
    add(hash, r.root_rotation);
    add(hash, r.mid_rotation);
    add(hash, r.tip_rotation);
    hash.u64(static_cast<std::uint64_t>(r.status));
  }
  EXPECT_EQ(hash.value(), 0x2b1807b90fa50b3eull);
}

}  // namespace
}  // namespace sinew
