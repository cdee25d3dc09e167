#include <sinew/base/text.hpp>
#include <sinew/physics/body.hpp>

#include "geometry.hpp"

namespace sinew {

namespace {

constexpr float kFar = 1e6f;
constexpr float kLargest = 1e4f;

Error fault(std::string message, std::string where = {}) {
  return make_error(ErrorCode::kInvalidArgument, std::move(message), std::move(where));
}

bool size_ok(float value) { return is_finite(value) && value > 0 && value <= kLargest; }

// The half sides of the box around a box that is turned by `q`.
Vec3 turned_half(Quat q, Vec3 half) {
  const Vec3 x = rotate(q, {half.x, 0, 0}), y = rotate(q, {0, half.y, 0}),
             z = rotate(q, {0, 0, half.z});
  return {abs(x.x) + abs(y.x) + abs(z.x), abs(x.y) + abs(y.y) + abs(z.y),
          abs(x.z) + abs(y.z) + abs(z.z)};
}

Aabb turned_box(const Aabb& box, Vec3 position, Quat q) {
  const Vec3 centre = position + rotate(q, box.centre()), half = turned_half(q, box.half_size());
  return {centre - half, centre + half};
}

bool is_rotation(Quat q) { return is_finite(q) && dot(q, q) > 1e-8f; }

}  // namespace

Shape Shape::sphere(float radius, Vec3 position) {
  Shape shape;
  shape.kind = ShapeKind::kSphere;
  shape.radius = radius;
  shape.position = position;
  return shape;
}
Shape Shape::capsule(float radius, float half_height, Vec3 position, Quat rotation) {
  Shape shape;
  shape.kind = ShapeKind::kCapsule;
  shape.radius = radius;
  shape.half_height = half_height;
  shape.position = position;
  shape.rotation = rotation;
  return shape;
}
Shape Shape::box(Vec3 half_extents, Vec3 position, Quat rotation) {
  Shape shape;
  shape.kind = ShapeKind::kBox;
  shape.half_extents = half_extents;
  shape.position = position;
  shape.rotation = rotation;
  return shape;
}
Shape Shape::plane() {
  Shape shape;
  shape.kind = ShapeKind::kPlane;
  return shape;
}
Shape Shape::terrain(std::shared_ptr<const HeightField> field) {
  Shape shape;
  shape.kind = ShapeKind::kHeightField;
  shape.height_field = std::move(field);
  return shape;
}
Shape Shape::terrain(std::shared_ptr<const TriangleMesh> mesh) {
  Shape shape;
  shape.kind = ShapeKind::kMesh;
  shape.mesh = std::move(mesh);
  return shape;
}

Status validate(const Shape& shape) {
  const std::string where(to_string(shape.kind));
  if (!is_finite(shape.position)) return fault("its position is not finite", where);
  if (!is_rotation(shape.rotation)) return fault("its rotation has no direction", where);
  const bool round = shape.kind == ShapeKind::kSphere || shape.kind == ShapeKind::kCapsule;
  if (round && !size_ok(shape.radius)) {
    return fault(format_text("radius %g m is not above 0 and at most 10,000",
                             static_cast<double>(shape.radius)),
                 where);
  }
  if (shape.kind == ShapeKind::kCapsule &&
      !(is_finite(shape.half_height) && shape.half_height >= 0 && shape.half_height <= kLargest)) {
    return fault(format_text("half height %g m is not from 0 to 10,000",
                             static_cast<double>(shape.half_height)),
                 where);
  }
  if (shape.kind == ShapeKind::kBox &&
      !(size_ok(shape.half_extents.x) && size_ok(shape.half_extents.y) &&
        size_ok(shape.half_extents.z))) {
    return fault(format_text("half extents %g, %g, %g m are not above 0 and at most 10,000",
                             static_cast<double>(shape.half_extents.x),
                             static_cast<double>(shape.half_extents.y),
                             static_cast<double>(shape.half_extents.z)),
                 where);
  }
  if (shape.kind == ShapeKind::kHeightField && !shape.height_field) {
    return fault("has no height field", where);
  }
  if (shape.kind == ShapeKind::kMesh && !shape.mesh) return fault("has no mesh", where);
  return {};
}

Aabb bounds_of(const Shape& shape, Vec3 position, Quat rotation) {
  const Vec3 at = position + rotate(rotation, shape.position);
  const Quat q = rotation * shape.rotation;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return grown({at, at}, shape.radius);
    case ShapeKind::kCapsule: {
      const Vec3 axis = rotate(q, {0, shape.half_height, 0});
      return grown({min(at - axis, at + axis), max(at - axis, at + axis)}, shape.radius);
    }
    case ShapeKind::kBox: {
      const Vec3 half = turned_half(q, shape.half_extents);
      return {at - half, at + half};
    }
    case ShapeKind::kPlane: {
      Aabb box{{-kFar, -kFar, -kFar}, {kFar, kFar, kFar}};
      // A level floor ends at its height, so that what stands high above need not ask it.
      if (rotate(q, kAxisY).y > 0.9999999f) box.high.y = at.y + 1e-3f;
      return box;
    }
    case ShapeKind::kHeightField:
      return turned_box(shape.height_field->bounds(), at, q);
    case ShapeKind::kMesh:
      return turned_box(shape.mesh->bounds(), at, q);
  }
  return {};
}

float volume_of(const Shape& shape) {
  const float r = shape.radius;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return 4.0f / 3.0f * kPi * r * r * r;
    case ShapeKind::kCapsule:
      return kPi * r * r * (2 * shape.half_height + 4.0f / 3.0f * r);
    case ShapeKind::kBox:
      return 8 * shape.half_extents.x * shape.half_extents.y * shape.half_extents.z;
    default:
      return 0;
  }
}

namespace {

// Diagonal of the inertia about the shape's own centre along its own axes, for 1 kg.
Vec3 own_inertia(const Shape& shape) {
  const float r = shape.radius;
  switch (shape.kind) {
    case ShapeKind::kSphere: {
      const float i = 0.4f * r * r;
      return {i, i, i};
    }
    case ShapeKind::kCapsule: {
      const float l = 2 * shape.half_height;
      const float whole = l + 4.0f / 3.0f * r;
      const float barrel = whole > 0 ? l / whole : 0, caps = 1 - barrel;
      const float along = barrel * 0.5f * r * r + caps * 0.4f * r * r;
      // Caps: two half spheres, each 3/8 r from its flat side.
      const float offset = 0.5f * l + 0.375f * r;
      const float across = barrel * (r * r / 4 + l * l / 12) +
                           caps * (0.4f * r * r - square(0.375f * r) + offset * offset);
      return {across, along, across};
    }
    case ShapeKind::kBox: {
      const Vec3 h = shape.half_extents * shape.half_extents;
      return Vec3{h.y + h.z, h.x + h.z, h.x + h.y} / 3;
    }
    default:
      return {};
  }
}

// The diagonal of R diag(i) R^T.
Vec3 turned_diagonal(Quat q, Vec3 i) {
  const Vec3 x = rotate(q, kAxisX), y = rotate(q, kAxisY), z = rotate(q, kAxisZ);
  return {x.x * x.x * i.x + y.x * y.x * i.y + z.x * z.x * i.z,
          x.y * x.y * i.x + y.y * y.y * i.y + z.y * z.y * i.z,
          x.z * x.z * i.x + y.z * y.z * i.y + z.z * z.z * i.z};
}

}  // namespace

MassProperties mass_properties(std::span<const Shape> shapes, float mass) {
  float total = 0;
  MassProperties out;
  for (const Shape& shape : shapes) {
    const float v = volume_of(shape);
    total += v;
    out.centre += shape.position * v;
  }
  if (!(total > 0)) {
    const float i = 0.4f * mass * 0.01f;
    return {{}, {i, i, i}};
  }
  out.centre = out.centre / total;
  for (const Shape& shape : shapes) {
    const float m = mass * volume_of(shape) / total;
    const Vec3 d = shape.position - out.centre, d2 = d * d;
    out.inertia += turned_diagonal(shape.rotation, own_inertia(shape)) * m +
                   Vec3{d2.y + d2.z, d2.x + d2.z, d2.x + d2.y} * m;
  }
  return out;
}

float distance_to(const Shape& shape, Vec3 point) {
  const Vec3 p = rotate(conjugate(shape.rotation), point - shape.position);
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return length(p) - shape.radius;
    case ShapeKind::kCapsule:
      return length(p - Vec3{0, clamp(p.y, -shape.half_height, shape.half_height), 0}) -
             shape.radius;
    case ShapeKind::kBox: {
      const Vec3 d = Vec3{abs(p.x), abs(p.y), abs(p.z)} - shape.half_extents;
      const float inside = max(d.x, max(d.y, d.z));
      return inside <= 0 ? inside : length(max(d, Vec3{}));
    }
    case ShapeKind::kPlane:
      return p.y;
    default:
      return kFar;
  }
}

Status validate(const BodyDef& def) {
  if (def.shapes.empty()) return fault("has no shape", "body");
  if (def.shapes.size() > kMaxShapesPerBody) {
    return fault(format_text("has %zu shapes, more than %d", def.shapes.size(), kMaxShapesPerBody),
                 "body");
  }
  for (const Shape& shape : def.shapes) {
    if (Status status = validate(shape); !status) return within("body", status.error());
    const bool fixed = shape.kind == ShapeKind::kPlane || shape.kind == ShapeKind::kHeightField;
    if ((fixed && def.motion != Motion::kStatic) ||
        (shape.kind == ShapeKind::kMesh && def.motion == Motion::kDynamic)) {
      return fault("a " + std::string(to_string(shape.kind)) + " cannot move like this", "body");
    }
  }
  if (def.motion == Motion::kDynamic || def.mass != 0) {
    if (!is_finite(def.mass) || !(def.mass > 0) || def.mass > 1e6f) {
      return fault(format_text("mass %g kg is not above 0 and at most 1,000,000",
                               static_cast<double>(def.mass)),
                   "body");
    }
  }
  if (!is_finite(def.inertia) || def.inertia.x < 0 || def.inertia.y < 0 || def.inertia.z < 0) {
    return fault("its inertia is negative or not finite", "body");
  }
  const BodyState& s = def.state;
  if (!is_finite(s.position) || !is_finite(s.linear_velocity) || !is_finite(s.angular_velocity)) {
    return fault("its place or velocity is not finite", "body");
  }
  if (!is_rotation(s.rotation)) return fault("its rotation has no direction", "body");
  if (def.index_in_group > 63) {
    return fault(format_text("index %d in its group is above 63", def.index_in_group), "body");
  }
  const float factors[] = {def.friction, def.restitution, def.linear_damping, def.angular_damping,
                           def.max_speed};
  for (const float factor : factors) {
    if (!is_finite(factor) || factor < 0) {
      return fault("friction, restitution, damping or top speed is negative or not finite", "body");
    }
  }
  return {};
}

Status validate(const BodyJointDef& def) {
  if (def.parent == def.child) return fault("joins a body with itself", "joint");
  if (!is_finite(def.parent_anchor) || !is_finite(def.child_anchor)) {
    return fault("an anchor is not finite", "joint");
  }
  if (!is_rotation(def.parent_frame) || !is_rotation(def.child_frame)) {
    return fault("a frame's rotation has no direction", "joint");
  }
  for (int i = 0; i < 3; ++i) {
    const float low = def.low[i], high = def.high[i];
    if (!is_finite(low) || !is_finite(high) || low < -kPi - 1e-4f || high > kPi + 1e-4f ||
        low > high) {
      return fault(
          format_text("limits of axis %c are %g to %g degrees", "XYZ"[i],
                      static_cast<double>(low * kRadToDeg), static_cast<double>(high * kRadToDeg)),
          "joint");
    }
  }
  constexpr float kSwing = 85.01f * kDegToRad;
  if (def.low.y < -kSwing || def.high.y > kSwing) {
    return fault("limits of axis Y go beyond 85 degrees", "joint");
  }
  if (!is_finite(def.friction) || def.friction < 0) {
    return fault("its friction is negative or not finite", "joint");
  }
  return {};
}

}  // namespace sinew
