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

Vec3 MultiAim::world_up_in_model(RigEval& e) const {
  Vec3 up;
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
  return up;
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
  const float angle = clamp(angle_between(from, to), least * kDegToRad, most * kDegToRad);
  Quat turn = axis == Vec3{} ? Quat{} : from_axis_angle(axis, angle);
  // An up axis that the mask leaves nothing of corrects nothing.
  const Vec3 masked_up = direction(up_axis) * axes.as_vector();
  if (world_up == WorldUp::kNone || masked_up == Vec3{}) return turn;
  const Vec3 own_up = rotate(turn * local, masked_up);
  const Vec3 about = normalize_or(to, {});
  return from_to(reject(own_up, about), reject(up, about)) * turn;
}

namespace {

// The turn from one direction to another, given with their lengths; the same as from_to().
Float4 turn_between(Float4 from, Float4 to) {
  const Float4 l2 = dot3(from, from) * dot3(to, to);
  const Float4 one(1.0f);
  if (!(l2[0] > 0.0f)) return {0, 0, 0, 1};
  const Float4 inverse = one / sqrt(l2);
  const Float4 cosine = dot3(from, to) * inverse;
  if (cosine[0] < -0.98f) return to_wide(from_to(to_vec3(from), to_vec3(to)));
  const Float4 sum = one + cosine;
  const Float4 axis = cross3(from, to) * inverse;
  return (axis + sum * Float4(0, 0, 0, 1)) * (one / sqrt(sum + sum));
}

}  // namespace

// The turn that brings the aim axis to `to` and the up axis as near to `up` as it then can be; all
// in the driven node's own space.
Float4 MultiAim::own_turn_to(Float4 to, Float4 up) const {
  const Float4 turn = turn_between(to_wide(direction(aim_axis)), to);
  if (world_up == WorldUp::kNone) return turn;
  const Float4 own_up = quat_rotate(turn, to_wide(direction(up_axis)));
  const Float4 share = Float4(1.0f) / dot3(to, to);
  const auto across = [&](Float4 v) { return v - to * (dot3(v, to) * share); };
  return quat_product(turn_between(across(own_up), across(up)), turn);
}

bool MultiAim::sum_own(RigEval& e, const float* weights, Float4& turned) const {
  const Float4 here = e.wide_position(driven), local = e.wide_local_rotation(driven);
  const Float4 to_own = negate_xyz(e.wide_rotation(driven));
  const int p = e.parent(driven);
  Float4 scale = p >= 0 ? e.wide_scale(p) : Float4(1.0f);
  scale = select((scale < Float4(0.0f)) | (scale > Float4(0.0f)), scale, Float4(1.0f));
  const Float4 up = world_up == WorldUp::kNone ? Float4(0.0f)
                                               : quat_rotate(to_own, to_wide(world_up_in_model(e)));
  Float4 sum(0.0f);
  float total = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const float w = weights[i];
    if (w == 0.0f) continue;
    const Float4 to = quat_rotate(to_own, e.wide_position(sources[i].node) - here) / scale;
    if (!(dot3(to, to)[0] >= 1e-5f)) continue;  // too near (or not a number) to point at
    sum = sum + quat_align(sum, own_turn_to(to, up)) * w;
    total += w;
  }
  if (total == 0.0f) return false;
  Float4 turn = dot4(sum, sum)[0] > 1e-10f ? quat_normalize(sum) : Float4(0, 0, 0, 1);
  if (total < 1.0f) turn = quat_nlerp(Float4(0, 0, 0, 1), turn, total);
  turned = quat_product(local, turn);
  return true;
}

bool MultiAim::sum_in_parent(RigEval& e, const float* weights, Float4& turned) const {
  const Transform to_parent = inverse(e.parent_model(driven));
  const Vec3 here = e.position(driven);
  const Quat local = e.local(driven).rotation;
  const Vec3 up = rotate(to_parent.rotation, world_up_in_model(e));
  const std::vector<Quat>& offsets = e.compat() ? package_offset_ : bind_offset_;
  RotationSum sum;
  float total = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const float w = weights[i];
    if (w == 0.0f) continue;
    const Vec3 way = e.position(sources[i].node) - here;
    const Vec3 to = transform_vector(to_parent, way);
    if (!(length_squared(to) >= 1e-5f)) continue;  // too near (or not a number) to point at
    sum.add(offsets[i] * turn_to(e, to, local, up), w);
    total += w;
  }
  if (total == 0.0f) return false;
  Quat turn = sum.normalized();
  if (total < 1.0f) turn = qlerp(Quat{}, turn, total);
  turned = to_wide(mask_rotation(local, turn * local, axes));
  return true;
}

RigStatus MultiAim::evaluate(RigEval& e) const {
  const SourceWeights weights = source_weights(e, sources);
  if (weights.sum < kLeastWeight) return RigStatus::kIdle;
  // Masks, limits and kept offsets are meant in the parent's space. Without them the same turn
  // costs less in the node's own, where the axes are constants.
  const bool plain = axes.all() && !maintain && e.value(min) <= 0.0f && e.value(max) >= 180.0f;
  Float4 turned;
  if (!(plain ? sum_own(e, weights.weight.data(), turned)
              : sum_in_parent(e, weights.weight.data(), turned))) {
    return RigStatus::kDegenerate;
  }
  const Vec3 degrees = e.value(offset);
  if (degrees != Vec3{}) {
    turned = quat_product(turned, to_wide(from_euler_zxy(degrees * kDegToRad)));
  }
  const float w = e.weight();
  e.set_wide_local_rotation(driven, w >= 1.0f
                                        ? quat_renormalize(turned)
                                        : quat_nlerp(e.wide_local_rotation(driven), turned, w));
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
