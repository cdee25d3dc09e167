// Measures of a clip of the demo person, taken on the baked keys as a player would show them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <sinew/asset/model.hpp>

#include "body.hpp"

namespace sinew::make_assets {

using ModelPose = std::vector<Transform>;

inline ModelPose model_pose_at(const Skeleton& skeleton, const RawClip& clip, float time) {
  std::vector<Transform> pose(static_cast<std::size_t>(skeleton.joint_count()));
  sample(clip, skeleton, time, pose);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (skeleton.parent(j) == kNoJoint) continue;
    Transform& t = pose[static_cast<std::size_t>(j)];
    t = pose[static_cast<std::size_t>(skeleton.parent(j))] * t;
  }
  return pose;
}

// How far a loop carries the root.
inline Vec3 loop_travel(const RawClip& clip) {
  for (const JointTrack& track : clip.tracks) {
    if (track.joint != index(Bone::kRoot) || track.translation.empty()) continue;
    return track.translation.values.back() - track.translation.values.front();
  }
  return {};
}

// Any time: later loops lie farther on.
inline ModelPose unrolled_pose(const Skeleton& skeleton, const RawClip& clip, float time) {
  if (!clip.loop) return model_pose_at(skeleton, clip, time);
  const float loops = std::floor(time / clip.duration);
  ModelPose pose = model_pose_at(skeleton, clip, time - loops * clip.duration);
  for (Transform& t : pose) t.translation += loop_travel(clip) * loops;
  return pose;
}

// Where a point of the bind pose goes that moves with a bone.
inline Vec3 carried(const ModelPose& pose, Bone bone, Vec3 bind_point) {
  return transform_point(pose[static_cast<std::size_t>(index(bone))],
                         bind_point - bind_position(bone));
}

inline Vec3 mass_centre(const ModelPose& pose) {
  Vec3 sum;
  float mass = 0;
  for (const MassPart& part : mass_parts()) {
    sum += carried(pose, part.bone, part.centre) * part.share;
    mass += part.share;
  }
  return sum / mass;
}

// The sole points that a contact says lie on the ground.
struct SolePoint {
  Bone bone;
  Vec3 bind;
};
inline std::vector<SolePoint> points_of(JointRole role) {
  const bool left = side_of(role) < 0;
  const SolePoints sole = sole_points(left);
  const Bone foot = on_side(left, Bone::kLeftFoot), toes = on_side(left, Bone::kLeftToes);
  if (role == JointRole::kLeftFoot || role == JointRole::kRightFoot) {
    return {{foot, sole.heel}, {foot, sole.ball}, {toes, sole.toe}};
  }
  return {{toes, sole.ball}, {toes, sole.toe}};
}

struct ContactMeasure {
  float slide = 0;   // largest distance in the ground plane between two instants of one contact
  float height = 0;  // largest |height|
};
inline ContactMeasure measure(const Skeleton& skeleton, const RawClip& clip,
                              const Contact& contact) {
  const float end = contact.end < contact.start ? contact.end + clip.duration : contact.end;
  constexpr int kSteps = 200;
  ContactMeasure worst;
  for (const SolePoint& point : points_of(contact.role)) {
    std::vector<Vec3> path;
    for (int i = 0; i <= kSteps; ++i) {
      const float t = lerp(contact.start, end, static_cast<float>(i) / kSteps);
      path.push_back(carried(unrolled_pose(skeleton, clip, t), point.bone, point.bind));
      worst.height = max(worst.height, abs(path.back().y));
    }
    for (const Vec3& a : path) {
      for (const Vec3& b : path)
        worst.slide = max(worst.slide, length(Vec3{a.x - b.x, 0, a.z - b.z}));
    }
  }
  return worst;
}

// The lowest sole point over the whole clip: below 0 it cuts into the ground.
inline float lowest_sole(const Skeleton& skeleton, const RawClip& clip) {
  float lowest = 1;
  for (int i = 0; i <= 400; ++i) {
    const ModelPose pose =
        model_pose_at(skeleton, clip, clip.duration * static_cast<float>(i) / 400.0f);
    for (JointRole role : {JointRole::kLeftFoot, JointRole::kRightFoot}) {
      for (const SolePoint& p : points_of(role))
        lowest = min(lowest, carried(pose, p.bone, p.bind).y);
    }
  }
  return lowest;
}

// Angle at the knee: 0 straight, positive bent the right way (the shin goes back).
inline float knee_flexion(const ModelPose& pose, bool left) {
  const auto at = [&](Bone b) {
    return pose[static_cast<std::size_t>(index(on_side(left, b)))].translation;
  };
  const Vec3 thigh = at(Bone::kLeftLowerLeg) - at(Bone::kLeftUpperLeg);
  const Vec3 shin = at(Bone::kLeftFoot) - at(Bone::kLeftLowerLeg);
  const Quat upper =
      pose[static_cast<std::size_t>(index(on_side(left, Bone::kLeftUpperLeg)))].rotation;
  const Vec3 axis = rotate(upper, kAxisX);  // of the knee: all local axes are the model's at bind
  return atan2(dot(cross(thigh, shin), axis), dot(thigh, shin));
}

}  // namespace sinew::make_assets
