#include <sinew/rig/copy_transform.hpp>
#include <sinew/rig/math.hpp>

namespace sinew::rig {
namespace {

Vec3 cut(Vec3 v, Vec3 low, Vec3 high) { return sinew::min(sinew::max(v, low), high); }

// Of the axes with a factor; the others keep `otherwise`.
Vec3 where(Vec3 factor, Vec3 value, Vec3 otherwise) {
  return {factor.x != 0.0f ? value.x : otherwise.x, factor.y != 0.0f ? value.y : otherwise.y,
          factor.z != 0.0f ? value.z : otherwise.z};
}

}  // namespace

void CopyTransform::fields(FieldVisitor& v) {
  v.node("driven", driven, NodeUse::kDriven);
  v.node("source", source, NodeUse::kRead);
  v.vector("position_factor", position_factor, -100, 100);
  v.vector("rotation_factor", rotation_factor, -100, 100);
  v.vector("scale_factor", scale_factor, -100, 100);
  v.constant("position_min", position_min);
  v.constant("position_max", position_max);
  v.constant("rotation_min", rotation_min);
  v.constant("rotation_max", rotation_max);
  v.constant("scale_min", scale_min);
  v.constant("scale_max", scale_max);
}

void CopyTransform::bind(BindContext& b) {
  bind_ = b.local(source);
  const auto ordered = [](Vec3 low, Vec3 high) {
    return low.x <= high.x && low.y <= high.y && low.z <= high.z;
  };
  if (!ordered(position_min, position_max) || !ordered(rotation_min, rotation_max) ||
      !ordered(scale_min, scale_max)) {
    b.report(Severity::kError, "rig.out_of_range", "a lower bound lies above the upper one");
  }
}

RigStatus CopyTransform::evaluate(RigEval& e) const {
  const float w = e.weight();
  const Transform from = e.local(source);
  const Vec3 fp = e.value(position_factor), fr = e.value(rotation_factor),
             fs = e.value(scale_factor);
  if (fp != Vec3{}) {
    const Vec3 moved = cut(fp * (from.translation - bind_.translation), position_min, position_max);
    e.set_local_position(driven, e.local(driven).translation + where(fp, moved, {}) * w);
  }
  if (fr != Vec3{}) {
    const Vec3 turned = to_euler_zxy(conjugate(bind_.rotation) * from.rotation) * kRadToDeg;
    const Vec3 kept = where(fr, cut(fr * turned, rotation_min, rotation_max), {});
    const Quat own = e.local(driven).rotation;
    e.set_local_rotation(driven, qlerp(own, own * from_euler_zxy(kept * kDegToRad), w));
  }
  if (fs != Vec3{}) {
    const auto ratio = [](float now, float then) { return then != 0.0f ? now / then : 1.0f; };
    const Vec3 grown{ratio(from.scale.x, bind_.scale.x), ratio(from.scale.y, bind_.scale.y),
                     ratio(from.scale.z, bind_.scale.z)};
    const Vec3 one{1, 1, 1};
    const Vec3 by = where(fs, cut(one + fs * (grown - one), scale_min, scale_max), one);
    const Vec3 own = e.local(driven).scale;
    e.set_local_scale(driven, lerp(own, own * by, w));
  }
  return RigStatus::kSatisfied;
}

}  // namespace sinew::rig
