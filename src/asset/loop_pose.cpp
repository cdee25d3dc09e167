#include "loop_pose.hpp"

namespace sinew {
namespace {

// Takes out of the root's jump what moves the character.
void keep_root_motion(const RootMotionSettings& settings, const Skeleton& skeleton, int joint,
                      const Transform& start, Transform& stop) {
  const int parent = skeleton.parent(joint);
  const Transform above = parent == kNoJoint
                              ? Transform{}
                              : decompose(skeleton.rest_model()[static_cast<std::size_t>(parent)]);
  const Transform first = above * start;
  Transform last = above * stop;
  if (!settings.bake_rotation) {
    const float yaw = yaw_of(last.rotation * conjugate(first.rotation));
    last.rotation = from_yaw(-yaw) * last.rotation;
    stop.rotation = normalize(conjugate(above.rotation) * last.rotation);
  }
  Vec3 drift = last.translation - first.translation;
  if (!settings.bake_xz) drift.x = drift.z = 0;
  if (!settings.bake_y) drift.y = 0;
  const Mat3x4 down = inverse(to_matrix(above));
  stop.translation = start.translation + transform_vector(down, drift);
}

}  // namespace

LoopPose::LoopPose(const RawClip& raw, const Skeleton& skeleton) {
  const auto joints = static_cast<std::size_t>(skeleton.joint_count());
  std::vector<Transform> start(joints), stop(joints);
  sample(raw, skeleton, 0, start);
  sample(raw, skeleton, raw.duration, stop);
  const RootMotionSettings& root = raw.annotations.root_motion;
  const int root_joint = root.joint == kNoJoint ? 0 : root.joint;
  for (const JointTrack& track : raw.tracks) {
    const auto j = static_cast<std::size_t>(track.joint);
    if (root.enabled && track.joint == root_joint) {
      keep_root_motion(root, skeleton, track.joint, start[j], stop[j]);
    }
    Jump jump{track.joint, {}, {}, {}};
    if (track.translation.interpolation != Interpolation::kStep) {
      jump.translation = stop[j].translation - start[j].translation;
    }
    if (track.rotation.interpolation != Interpolation::kStep) {
      jump.rotation =
          to_rotation_vector(normalize(conjugate(start[j].rotation) * stop[j].rotation));
    }
    if (track.scale.interpolation != Interpolation::kStep) {
      jump.scale = stop[j].scale - start[j].scale;
    }
    jumps_.push_back(jump);
  }
}

void LoopPose::apply(float u, std::span<Transform> local) const {
  for (const Jump& jump : jumps_) {
    Transform& t = local[static_cast<std::size_t>(jump.joint)];
    t.translation = t.translation - jump.translation * u;
    t.rotation = normalize(t.rotation * from_rotation_vector(jump.rotation * -u));
    t.scale = t.scale - jump.scale * u;
  }
}

}  // namespace sinew
