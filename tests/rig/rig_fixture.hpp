// A small skeleton with a rig on it, for tests.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/pose/model_pose.hpp>
#include <sinew/rig/rig_def.hpp>

namespace sinew::rig {

struct TestJoint {
  const char* name;
  const char* parent;  // null: none
  Vec3 position;
  Quat rotation = {};
};

inline Skeleton make_skeleton(const std::vector<TestJoint>& joints) {
  std::vector<JointDef> defs;
  for (const TestJoint& j : joints) {
    int parent = kNoJoint;
    for (std::size_t i = 0; j.parent && i < defs.size(); ++i) {
      if (defs[i].name == j.parent) parent = static_cast<int>(i);
    }
    defs.push_back({j.name, parent, {j.position, normalize(j.rotation), {1, 1, 1}}});
  }
  return std::move(*Skeleton::build(defs));
}

// Two arms of two bones and a hand each, a spine with a head, +Z forward, +X left.
inline Skeleton body_skeleton() {
  return make_skeleton({{"hips", nullptr, {0, 1, 0}},
                        {"spine", "hips", {0, 0.2f, 0}},
                        {"chest", "spine", {0, 0.2f, 0}},
                        {"neck", "chest", {0, 0.15f, 0}},
                        {"head", "neck", {0, 0.1f, 0}},
                        {"upper.L", "chest", {0.2f, 0.1f, 0}},
                        {"lower.L", "upper.L", {0.3f, 0, -0.02f}},
                        {"hand.L", "lower.L", {0.27f, 0, 0.02f}},
                        {"finger.L", "hand.L", {0.1f, 0, 0}},
                        {"upper.R", "chest", {-0.2f, 0.1f, 0}},
                        {"lower.R", "upper.R", {-0.3f, 0, -0.02f}},
                        {"hand.R", "lower.R", {-0.27f, 0, 0.02f}}});
}

// A compiled rig with one character.
class RigRun {
 public:
  RigRun(const RigSource& source, Skeleton skeleton, const RigCompileOptions& options = {})
      : skeleton_(std::move(skeleton)) {
    Findings findings;
    Result<RigDef> compiled = RigDef::compile(source, skeleton_, options, findings);
    if (!compiled) {
      ADD_FAILURE() << to_string(compiled.error());
      return;
    }
    def = std::move(*compiled);
    state = RigState(def);
    pose = Pose(skeleton_);
    scratch = RigScratch(def);
  }

  // Back to the rest pose, then the whole rig.
  void evaluate(float dt = 1.0f / 60) {
    pose = Pose(skeleton_);
    evaluate_here(dt);
  }
  // On the pose as it is.
  void evaluate_here(float dt = 1.0f / 60) {
    evaluate_rig(def, state, pose, root, dt, scratch, draw);
  }

  Transform model(const char* joint) const {
    return model_transform(skeleton_, pose, *skeleton_.find(joint));
  }
  Transform local(const char* joint) const {
    return get_joint(skeleton_, pose, *skeleton_.find(joint));
  }
  void set_local(const char* joint, const Transform& t) {
    set_joint(skeleton_, pose, *skeleton_.find(joint), t);
  }
  bool set(const char* channel, float value) {
    const Result<RigChannel> c = def.channel(channel);
    if (!c) ADD_FAILURE() << to_string(c.error());
    return c && def.set(state, *c, value);
  }
  bool key(const char* channel, float value) {
    const Result<RigChannel> c = def.channel(channel);
    if (!c) ADD_FAILURE() << to_string(c.error());
    return c && def.key(state, *c, value);
  }
  bool move(const char* node, Vec3 to, Quat rotation = {}) {
    return def.set_node(state, *def.node(node), {to, rotation, {1, 1, 1}});
  }
  Transform node(const char* name) const { return def.node_result(state, *def.node(name)); }
  RigStatus status(const char* constraint) const {
    return def.status(state, *def.find_constraint(constraint));
  }
  const Skeleton& skeleton() const { return skeleton_; }

  RigDef def;
  RigState state;
  Pose pose;
  RigScratch scratch;
  Transform root;
  DebugDraw* draw = nullptr;

 private:
  Skeleton skeleton_;
};

inline ::testing::AssertionResult close(Vec3 got, Vec3 want, float tolerance) {
  if (distance(got, want) <= tolerance) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "got (" << got.x << ", " << got.y << ", " << got.z << "), want (" << want.x << ", "
         << want.y << ", " << want.z << ")";
}
inline ::testing::AssertionResult close(Quat got, Quat want, float radians) {
  const float angle = sinew::angle_between(normalize(got), normalize(want));
  if (angle <= radians) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "rotations are " << angle << " rad apart";
}

inline Quat yaw(float degrees) { return from_axis_angle(kAxisY, degrees * kDegToRad); }
inline Quat pitch(float degrees) { return from_axis_angle(kAxisX, degrees * kDegToRad); }
inline Quat roll(float degrees) { return from_axis_angle(kAxisZ, degrees * kDegToRad); }

// The bits of a pose.
inline std::string bytes_of(const Pose& pose) {
  const ConstPoseSpan groups = pose.span();
  return {reinterpret_cast<const char*>(groups.data()), groups.size_bytes()};
}

}  // namespace sinew::rig
