#include <gtest/gtest.h>

#include <sinew/base/hash.hpp>
#include <sinew/import/gltf.hpp>
#include <sinew/import/gltf_writer.hpp>

#include "body.hpp"
#include "person.hpp"

namespace sinew::make_assets {
namespace {

// Of person.glb, on every compiler, build type and machine. A change of body or motion changes it:
// look at pictures of the new person, then write the new value here.
constexpr std::uint64_t kPersonHash = 0xc12e912de05706adull;

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  Hasher hasher;
  hasher.bytes(bytes.data(), bytes.size());
  return hasher.value();
}

TEST(Bytes, AreAlwaysTheSame) {
  const auto first = write_glb(make_person()), second = write_glb(make_person());
  ASSERT_TRUE(first.ok()) << to_string(first.error());
  EXPECT_TRUE(*first == *second);
  EXPECT_EQ(hash_of(*first), kPersonHash) << std::hex << hash_of(*first);
}

TEST(Bytes, ReadBackAsTheSamePerson) {
  const Model person = make_person();
  const auto read = gltf::parse(write_glb(person).value(), "person.glb", "");
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  for (const Finding& f : read->findings)
    ADD_FAILURE() << f.code << ": " << f.place << ": " << f.message;
  EXPECT_EQ(read->skeleton.hash(), person.skeleton.hash());
  ASSERT_EQ(read->clips.size(), person.clips.size());
  std::vector<Transform> a(kBoneCount), b(kBoneCount);
  for (std::size_t i = 0; i < person.clips.size(); ++i) {
    const RawClip &mine = person.clips[i], &theirs = read->clips[i];
    EXPECT_EQ(theirs.name, mine.name);
    EXPECT_EQ(theirs.loop, mine.loop);
    EXPECT_EQ(theirs.duration, mine.duration);
    EXPECT_EQ(theirs.annotations.contacts.size(), mine.annotations.contacts.size());
    EXPECT_EQ(theirs.annotations.events.size(), mine.annotations.events.size());
    EXPECT_EQ(theirs.annotations.root_motion.joint, index(Bone::kRoot));
    EXPECT_EQ(theirs.annotations.root_motion.enabled, mine.annotations.root_motion.enabled);
    for (float share : {0.0f, 0.37f, 1.0f}) {
      sample(mine, person.skeleton, share * mine.duration, a);
      sample(theirs, read->skeleton, share * mine.duration, b);
      for (std::size_t j = 0; j < a.size(); ++j) {
        EXPECT_LT(distance(a[j].translation, b[j].translation), 1e-6f);
        EXPECT_LT(angle_between(a[j].rotation, b[j].rotation), 1e-3f);
      }
    }
  }
  ASSERT_EQ(read->meshes.size(), person.meshes.size());
  for (std::size_t i = 0; i < person.meshes.size(); ++i) {
    EXPECT_EQ(read->meshes[i].positions, person.meshes[i].positions);
    EXPECT_EQ(read->meshes[i].indices, person.meshes[i].indices);
  }
  EXPECT_EQ(read->sockets.size(), person.sockets.size());
  for (int i = 1; i < kJointRoleCount; ++i) {
    const auto role = static_cast<JointRole>(i);
    EXPECT_EQ(read->roles.joint(role), person.roles.joint(role));
  }
}

}  // namespace
}  // namespace sinew::make_assets
