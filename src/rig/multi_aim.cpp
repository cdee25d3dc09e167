#include <sinew/rig/multi_aim.hpp>

#include "sources.hpp"

namespace sinew::rig {

void MultiAim::fields(FieldVisitor& v) {
  static constexpr const char* kUps[] = {"none", "scene", "object", "object_rotation", "vector"};
  v.node("driven", driven, NodeUse::kDriven);
  v.sources("sources", sources, NodeUse::kRead, 0, 1);
  v.axis("aim_axis", aim_axis);
  v.axis("up_axis", up_axis);
  v.choice_of("world_up", world_up, kUps, 5);
  v.axis("world_up_axis", world_up_axis);
  v.node("up_object", up_object, NodeUse::kReadOptional);
  v.flag("maintain", maintain);
  v.vector("offset", offset, -3600, 3600);
  v.axes("axes", axes);
  v.value("min", min, -180, 180);
  v.value("max", max, -180, 180);
}

void MultiAim::bind(BindContext& b) {
  bind_offset_.assign(sources.size(), Quat{});
  package_offset_ = bind_offset_;
  if (!maintain) return;
  const Transform own = b.model(driven);
  const Quat parent = b.parent_rotation(driven);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Vec3 to = b.model(sources[i].node).translation - own.translation;
    package_offset_[i] = from_to(to, rotate(own.rotation, direction(aim_axis)));
    // Taken in model space, used in the parent's: the package forgets to bring it over.
    bind_offset_[i] = conjugate(parent) * package_offset_[i] * parent;
  }
}

Vec3 MultiAim::world_up_in_parent(RigEval& e, Quat to_parent) const {
  Vec3 up;  // model space
  switch (world_up) {
    case WorldUp::kNone:
      return {};
    case WorldUp::kScene:
      up = e.direction_to_model(kAxisY);
      break;
    case WorldUp::kObject:
      up = (up_object.given() ? e.position(up_object) : e.point_to_model({})) - e.position(driven);
      break;
    case WorldUp::kObjectRotation:
      up = up_object.given() ? rotate(e.rotation(up_object), direction(world_up_axis))
                             : e.direction_to_model(direction(world_up_axis));
      break;
    case WorldUp::kVector:
      up = e.direction_to_model(direction(world_up_axis));
      break;
  }
  return rotate(to_parent, up);
}

// The turn, in the parent's space, that brings the aim axis toward `to`.
Quat MultiAim::turn_to(RigEval& e, Vec3 to, Quat local, Vec3 up) const {
  Vec3 from = rotate(local, direction(aim_axis));
  Vec3 axis = normalize_or(cross(from, to), {});
  if (!axes.all()) {
    axis = normalize_or(axis * axes.as_vector(), {});
    if (axis != Vec3{}) {
      from = reject(from, axis);
      to = reject(to, axis);
    } else {
      to = from;
    }
  }
  const float least = e.value(min), most = e.value(max);
  if (least <= 0.0f && most >= 180.0f && axes.all() && world_up == WorldUp::kNone) {
    return from_to(from, to);  // the usual case needs no angles
  }
  const float angle = clamp(angle_between(from, to), least * kDegToRad, most * kDegToRad);
  Quat turn = axis == Vec3{} ? Quat{} : from_axis_angle(axis, angle);
  // An up axis that the mask leaves nothing of corrects nothing.
  const Vec3 masked_up = direction(up_axis) * axes.as_vector();
  if (world_up == WorldUp::kNone || masked_up == Vec3{}) return turn;
  const Vec3 own_up = rotate(turn * local, masked_up);
  const Vec3 about = normalize_or(to, {});
  return from_to(reject(own_up, about), reject(up, about)) * turn;
}

RigStatus MultiAim::evaluate(RigEval& e) const {
  const SourceWeights weights = source_weights(e, sources);
  if (weights.sum < kLeastWeight) return RigStatus::kIdle;
  const Transform parent = e.parent_model(driven);
  const Transform to_parent = inverse(parent);
  const Vec3 here = e.position(driven);
  const Quat local = e.local(driven).rotation;
  const Vec3 up = world_up_in_parent(e, to_parent.rotation);
  const std::vector<Quat>& offsets = e.compat() ? package_offset_ : bind_offset_;
  RotationSum sum;
  float total = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const float w = weights.weight[i];
    if (w == 0.0f) continue;
    const Vec3 way = e.position(sources[i].node) - here;
    const Vec3 to = transform_vector(to_parent, way);
    if (!(length_squared(to) >= 1e-5f)) continue;  // too near (or not a number) to point at
    sum.add(offsets[i] * turn_to(e, to, local, up), w);
    total += w;
  }
  if (total == 0.0f) return RigStatus::kDegenerate;
  Quat turn = sum.normalized();
  if (total < 1.0f) turn = qlerp(Quat{}, turn, total);
  Quat result = mask_rotation(local, turn * local, axes);
  const Vec3 degrees = e.value(offset);
  if (degrees != Vec3{}) result = result * from_euler_zxy(degrees * kDegToRad);
  e.set_local_rotation(driven, qlerp(local, result, e.weight()));
  return RigStatus::kSatisfied;
}

void MultiAim::draw(RigEval& e, DebugDraw& draw) const {
  const Vec3 here = e.position(driven);
  float far = 0;
  for (const WeightedNode& s : sources) {
    const Vec3 there = e.position(s.node);
    far = far > distance(here, there) ? far : distance(here, there);
    draw.line(here, there, debug_colors::kGoal);
    draw.point(there, 0.02f, debug_colors::kGoal);
  }
  draw.line(here, here + rotate(e.rotation(driven), direction(aim_axis)) * far,
            debug_colors::kBone);
}

}  // namespace sinew::rig
