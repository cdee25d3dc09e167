#include <array>

#include <sinew/rig/math.hpp>
#include <sinew/rig/spring_bone.hpp>

namespace sinew::rig {
namespace {

constexpr float kStep = 1.0f / 60;
// A frame longer than this is not made up for: springs would only cost time.
constexpr int kMostSteps = 8;

// Turns the unit vector `d` from `head` so that head + d * length is at least `radius` away from
// `center`, by as little as that takes.
Vec3 keep_out(Vec3 d, Vec3 head, float length_of_bone, Vec3 center, float radius) {
  const Vec3 way = center - head;
  const float far = length(way);
  if (!(far > 1e-6f) || !(length_of_bone > 1e-6f)) return d;
  // Law of cosines: the angle at head at which the tail lies on the sphere.
  const float least =
      (square(length_of_bone) + square(far) - square(radius)) / (2.0f * length_of_bone * far);
  const Vec3 n = way / far;
  const float now = dot(d, n);
  if (now <= least) return d;
  const float c = max(least, -1.0f);
  const Vec3 side = normalize_or(reject(d, n), any_perpendicular(n));
  return n * c + side * sqrt(max(1.0f - c * c, 0.0f));
}

// The same for the half space where dot(normal, x) >= limit.
Vec3 keep_above(Vec3 d, Vec3 head, float length_of_bone, Vec3 normal, float limit) {
  if (!(length_of_bone > 1e-6f)) return d;
  const float least = (limit - dot(normal, head)) / length_of_bone;
  const float now = dot(d, normal);
  if (now >= least) return d;
  const float c = min(least, 1.0f);
  const Vec3 side = normalize_or(reject(d, normal), any_perpendicular(normal));
  return normal * c + side * sqrt(max(1.0f - c * c, 0.0f));
}

Vec3 nearest_on_segment(Vec3 a, Vec3 b, Vec3 p) {
  const Vec3 ab = b - a;
  const float l2 = dot(ab, ab);
  return l2 > 0.0f ? a + ab * clamp01(dot(p - a, ab) / l2) : a;
}

}  // namespace

// One bone while it runs: the animated local transform and what came out.
struct SpringBone::Bone {
  Transform local;
  Vec3 axis;         // unit, toward the tail, in the joint's space
  float length = 0;  // world
};

void SpringCollider::fields(FieldVisitor& v) {
  static constexpr const char* kShapes[] = {"sphere", "capsule", "plane"};
  v.node("node", node, NodeUse::kRead);
  v.choice_of("shape", shape, kShapes, 3);
  v.constant("offset", offset);
  v.constant("tail", tail);
  v.number("radius", radius, 0, 100);
}

void SpringBone::fields(FieldVisitor& v) {
  v.node("root", root, NodeUse::kDriven);
  v.node("tip", tip, NodeUse::kRead);
  v.node("center", center, NodeUse::kReadOptional);
  v.value("stiffness", stiffness, 0, 100);
  v.value("drag", drag, 0, 1);
  v.value("gravity", gravity, 0, 100);
  v.constant("gravity_direction", gravity_direction);
  v.value("hit_radius", hit_radius, 0, 10);
  v.list("colliders", colliders, 32);
}

void SpringBone::bind(BindContext& b) {
  joints_ = b.path(root, tip, 2, kMaxChain);
  down_ = normalize_or(gravity_direction, {});
}

Vec3 SpringBone::collide(RigEval& e, Vec3 head, Vec3 direction, float length_of_bone) const {
  const float own = e.value(hit_radius);
  for (const SpringCollider& c : colliders) {
    const Transform& at = e.model(c.node);
    const auto to_world = [&](Vec3 p) {
      return transform_point(e.root_to_world(), transform_point(at, p));
    };
    const Vec3 offset = to_world(c.offset);
    switch (c.shape) {
      case SpringCollider::Shape::kSphere:
        direction = keep_out(direction, head, length_of_bone, offset, c.radius + own);
        break;
      case SpringCollider::Shape::kCapsule: {
        // The nearest point of the axis changes as the tail is moved: twice is near enough.
        const Vec3 end = to_world(c.tail);
        for (int i = 0; i < 2; ++i) {
          const Vec3 near = nearest_on_segment(offset, end, head + direction * length_of_bone);
          direction = keep_out(direction, head, length_of_bone, near, c.radius + own);
        }
        break;
      }
      case SpringCollider::Shape::kPlane: {
        const Vec3 normal = rotate(e.root_to_world().rotation * at.rotation, kAxisY);
        direction = keep_above(direction, head, length_of_bone, normal, dot(normal, offset) + own);
        break;
      }
    }
  }
  return direction;
}

void SpringBone::step(RigEval& e, std::span<State> tails, const Bone* bones,
                      const Transform& parent, const Transform& centre) const {
  Transform above = parent;
  for (std::size_t i = 0; i + 1 < joints_.size(); ++i) {
    const Bone& bone = bones[i];
    State& tail = tails[i + 1];
    const Vec3 head = above.translation + rotate(above.rotation, bone.local.translation);
    const Quat rest = above.rotation * bone.local.rotation;
    const Vec3 current = transform_point(centre, tail.current);
    const Vec3 previous = transform_point(centre, tail.previous);
    const Vec3 wanted = rotate(rest, bone.axis);
    const Vec3 next = current + (current - previous) * (1.0f - e.value(drag)) +
                      wanted * (kStep * e.value(stiffness)) + down_ * (kStep * e.value(gravity));
    const Vec3 direction = collide(e, head, normalize_or(next - head, wanted), bone.length);
    tail.previous = tail.current;
    tail.current = transform_point(inverse(centre), head + direction * bone.length);
    above = {head, normalize(from_to(wanted, direction) * rest), {1, 1, 1}};
  }
}

RigStatus SpringBone::evaluate(RigEval& e) const {
  const std::span<State> tails = e.states<State>();
  Vec3& clock = tails[0].current;
  if (e.weight() <= 0.0f) {
    clock = {};
    return RigStatus::kIdle;
  }
  const std::size_t count = joints_.size();
  const float scale = e.root_to_world().scale.x;
  // World space without scale; bone lengths are scaled here.
  std::array<Bone, kMaxChain> bones;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const Vec3 reach = e.local(joints_[i + 1]).translation;
    bones[i].local = e.local(joints_[i]);
    bones[i].axis = normalize_or(reach, kAxisY);
    const float bone_scale = e.model(joints_[i]).scale.x * scale;
    bones[i].length = length(reach) * abs(bone_scale);
    bones[i].local.translation *= e.parent_model(joints_[i]).scale.x * scale;
  }
  const Transform parent = e.to_world(e.parent_model(root));
  const Transform centre = center.given() ? rigid(e.to_world(e.model(center))) : Transform{};
  if (!is_finite(parent) || !is_finite(centre)) return RigStatus::kDegenerate;

  if (clock.y != 1.0f || !is_finite(tails[count - 1].current)) {
    for (std::size_t i = 0; i + 1 < count; ++i) {
      const Vec3 at = e.to_world(e.model(joints_[i + 1])).translation;
      tails[i + 1].current = tails[i + 1].previous = transform_point(inverse(centre), at);
    }
    clock = {0, 1, 0};
  }
  clock.x = min(clock.x + e.dt(), kStep * kMostSteps);
  while (clock.x >= kStep) {
    step(e, tails, bones.data(), parent, centre);
    clock.x -= kStep;
  }
  // Shown: between the last two steps, so that frame rates other than 60 do not stutter.
  const float share = clock.x / kStep;
  Transform above = parent;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const Bone& bone = bones[i];
    const Vec3 head = above.translation + rotate(above.rotation, bone.local.translation);
    const Quat rest = above.rotation * bone.local.rotation;
    const Vec3 at =
        transform_point(centre, lerp(tails[i + 1].previous, tails[i + 1].current, share));
    const Vec3 wanted = rotate(rest, bone.axis);
    Vec3 direction = normalize_or(at - head, wanted);
    if (!colliders.empty()) direction = collide(e, head, direction, bone.length);
    const Quat turn = from_to(wanted, direction);
    above = {head, normalize(turn * rest), {1, 1, 1}};
    const Quat animated = e.local(joints_[i]).rotation;
    const Quat swung = normalize(animated * (conjugate(rest) * turn * rest));
    e.set_local_rotation(joints_[i], qlerp(animated, swung, e.weight()));
  }
  return RigStatus::kSatisfied;
}

void SpringBone::draw(RigEval& e, DebugDraw& draw) const {
  for (std::size_t i = 0; i + 1 < joints_.size(); ++i) {
    draw.line(e.position(joints_[i]), e.position(joints_[i + 1]), debug_colors::kBone);
    draw.point(e.position(joints_[i + 1]), e.value(hit_radius), debug_colors::kHelper);
  }
  for (const SpringCollider& c : colliders) {
    const Transform& at = e.model(c.node);
    const Vec3 offset = transform_point(at, c.offset);
    if (c.shape == SpringCollider::Shape::kPlane) {
      draw.plane(offset, rotate(at.rotation, kAxisY), 1, debug_colors::kLimit);
      continue;
    }
    draw.point(offset, c.radius, debug_colors::kLimit);
    if (c.shape == SpringCollider::Shape::kCapsule) {
      const Vec3 tail = transform_point(at, c.tail);
      draw.line(offset, tail, debug_colors::kLimit);
      draw.point(tail, c.radius, debug_colors::kLimit);
    }
  }
}

}  // namespace sinew::rig
