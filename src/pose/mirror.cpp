#include <cassert>

#include <sinew/pose/mirror.hpp>

namespace sinew {
namespace {

// The joints of a group's partners, gathered from wherever they lie.
SoaTransform gather(ConstPoseSpan pose, const std::int16_t* slots) {
  SoaTransform out;
  for (int lane = 0; lane < 4; ++lane) {
    const auto slot = static_cast<std::size_t>(slots[lane]);
    const SoaTransform& g = pose[slot / 4];
    const int from = static_cast<int>(slot % 4);
    out.translation.x.set(lane, g.translation.x[from]);
    out.translation.y.set(lane, g.translation.y[from]);
    out.translation.z.set(lane, g.translation.z[from]);
    out.rotation.x.set(lane, g.rotation.x[from]);
    out.rotation.y.set(lane, g.rotation.y[from]);
    out.rotation.z.set(lane, g.rotation.z[from]);
    out.rotation.w.set(lane, g.rotation.w[from]);
    out.scale.x.set(lane, g.scale.x[from]);
    out.scale.y.set(lane, g.scale.y[from]);
    out.scale.z.set(lane, g.scale.z[from]);
  }
  return out;
}

}  // namespace

void mirror_pose(const Skeleton& skeleton, const MirrorMap& map, ConstPoseSpan pose, PoseSpan out) {
  assert(static_cast<int>(pose.size()) == skeleton.group_count() && pose.size() == out.size());
  assert(map.partner_slots().size() == static_cast<std::size_t>(skeleton.slot_count()));
  assert(pose.empty() || pose.data() != out.data());
  (void)skeleton;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const SoaTransform p = gather(pose, map.partner_slots().data() + i * 4);
    const SoaQuat& before = map.before_groups()[i];
    const SoaQuat reflected{p.rotation.x, -p.rotation.y, -p.rotation.z, p.rotation.w};
    out[i].translation = rotate(before, {-p.translation.x, p.translation.y, p.translation.z});
    out[i].rotation = before * reflected * map.after_groups()[i];
    out[i].scale = p.scale;
  }
}

RootDelta mirror(const RootDelta& delta) {
  const Vec3 t = delta.translation;
  const Quat q = delta.rotation;
  return {{-t.x, t.y, t.z}, {q.x, -q.y, -q.z, q.w}};
}

}  // namespace sinew
