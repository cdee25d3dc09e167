#include <vector>

#include <sinew/character/travel.hpp>
#include <sinew/pose/model_pose.hpp>
#include <sinew/pose/sample.hpp>

namespace sinew {

namespace {

// Sole points: where a foot has toes, both count, since the weight rolls from one to the other.
std::vector<int> sole_joints(const RoleMap& roles) {
  std::vector<int> joints;
  for (JointRole role :
       {JointRole::kLeftFoot, JointRole::kLeftToes, JointRole::kRightFoot, JointRole::kRightToes,
        JointRole::kFrontLeftFoot, JointRole::kFrontRightFoot, JointRole::kHindLeftFoot,
        JointRole::kHindRightFoot}) {
    if (roles.has(role)) joints.push_back(roles.joint(role));
  }
  return joints;
}

}  // namespace

TravelMeasure measure_travel(const Clip& clip, const Skeleton& skeleton, const RoleMap& roles) {
  constexpr int kSteps = 128;
  const std::vector<int> joints = sole_joints(roles);
  if (joints.empty() || clip.duration() < 0.1f) return {};

  // Heights are compared with each joint's own lowest place: an ankle lies higher than a toe.
  const std::size_t count = joints.size();
  std::vector<Vec3> points((kSteps + 1) * count);
  std::vector<float> lowest(count, 1e9f);
  Pose pose(skeleton);
  std::vector<Mat3x4> model(static_cast<std::size_t>(skeleton.joint_count()));
  for (std::size_t i = 0; i <= kSteps; ++i) {
    sample_clip(clip, skeleton, clip.duration() * static_cast<float>(i) / kSteps, pose);
    local_to_model(skeleton, pose, model);
    for (std::size_t j = 0; j < count; ++j) {
      points[i * count + j] = translation_of(model[static_cast<std::size_t>(joints[j])]);
      lowest[j] = min(lowest[j], points[i * count + j].y);
    }
  }

  const float tolerance = 0.025f * skeleton.height();
  const float dt = clip.duration() / kSteps;
  Vec3 sum;
  int planted = 0;
  for (std::size_t i = 0; i < kSteps; ++i) {
    std::size_t best = count;
    float best_rise = tolerance;
    for (std::size_t j = 0; j < count; ++j) {
      const float rise = max(points[i * count + j].y, points[(i + 1) * count + j].y) - lowest[j];
      if (rise < best_rise) {
        best_rise = rise;
        best = j;
      }
    }
    if (best == count) continue;
    sum += points[(i + 1) * count + best] - points[i * count + best];
    ++planted;
  }
  if (planted == 0) return {};
  const Vec3 velocity = -(sum / (dt * static_cast<float>(planted)));
  // Feet shift a little while standing, too.
  if (length(velocity) < 0.03f * skeleton.height())
    return {{}, static_cast<float>(planted) / kSteps};
  return {{velocity.x, 0, velocity.z}, static_cast<float>(planted) / kSteps};
}

}  // namespace sinew
