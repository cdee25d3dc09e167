#include <algorithm>

#include <sinew/base/hash.hpp>
#include <sinew/base/text.hpp>
#include <sinew/ragdoll/ragdoll_def.hpp>

namespace sinew {

namespace {

// An axis about which a body turns too easily makes the solver spin it: the floor of the inertia,
// as a share of its largest axis, and in kg m^2 for a body of 73 kg and 1.75 m.
constexpr float kInertiaShare = 0.3f;
constexpr float kInertiaFloor = 0.01f;
constexpr float kUsualMass = 73;
// A drive can hold what hangs on its joint this many times over (a run swings the thighs with some
// ten times their weight), plus what little limbs need.
constexpr float kStrengthFactor = 20;
constexpr float kStrengthFloor = 0.4f;  // N m per kg of the whole body
// Shapes nearer than this in the rest pose do not meet.
constexpr float kRestGap = 0.01f;

class Builder {
 public:
  Builder(const RagdollSource& source, const Skeleton& skeleton, float scale)
      : source_(source), skeleton_(skeleton), scale_(scale) {}

  Status run();
  std::vector<RagdollBody> bodies;
  std::vector<int> body_of_joint;
  std::vector<std::uint64_t> subtrees;

 private:
  Error fault(std::size_t i, std::string message) const {
    return make_error(ErrorCode::kInvalidArgument, std::move(message),
                      "ragdoll body '" + source_.bodies[i].joint + "'");
  }
  Status find_joints();
  Status find_parents();
  Status order();
  Status fill(std::size_t i);
  Status fill_joint(std::size_t i);
  Status ignore_pairs();
  void map_joints();
  void strengthen();
  std::vector<Shape> placed() const;

  const RagdollSource& source_;
  const Skeleton& skeleton_;
  float scale_;
  std::vector<int> joints_, parents_;  // by source index
  std::vector<std::size_t> order_;     // source indices, parents first
  std::vector<int> place_;             // source index -> body index
  std::vector<Transform> rest_;        // world of each joint, without scale
};

Status Builder::find_joints() {
  if (source_.bodies.empty()) {
    return make_error(ErrorCode::kInvalidArgument, "has no bodies", "ragdoll");
  }
  if (source_.bodies.size() > kMaxRagdollBodies) {
    return make_error(
        ErrorCode::kLimit,
        format_text("has %zu bodies, more than %d", source_.bodies.size(), kMaxRagdollBodies),
        "ragdoll");
  }
  for (std::size_t i = 0; i < source_.bodies.size(); ++i) {
    Result<int> joint = skeleton_.require(source_.bodies[i].joint);
    if (!joint) return fault(i, joint.error().message);
    if (std::find(joints_.begin(), joints_.end(), *joint) != joints_.end()) {
      return fault(i, "this joint has a body already");
    }
    joints_.push_back(*joint);
  }
  return {};
}

Status Builder::find_parents() {
  std::vector<std::string_view> names;
  for (const RagdollBodySource& body : source_.bodies) names.push_back(body.joint);
  for (std::size_t i = 0; i < source_.bodies.size(); ++i) {
    const std::string& wanted = source_.bodies[i].parent;
    int parent = -1;
    if (!wanted.empty()) {
      const auto it = std::find(names.begin(), names.end(), wanted);
      if (it == names.end()) {
        return fault(i, "its parent '" + wanted + "' has no body" + did_you_mean(wanted, names));
      }
      parent = static_cast<int>(it - names.begin());
    } else {
      for (int j = skeleton_.parent(joints_[i]); j >= 0 && parent < 0; j = skeleton_.parent(j)) {
        const auto it = std::find(joints_.begin(), joints_.end(), j);
        if (it != joints_.end()) parent = static_cast<int>(it - joints_.begin());
      }
    }
    parents_.push_back(parent);
  }
  return {};
}

// Parents first; a circle never finds its first.
Status Builder::order() {
  place_.assign(source_.bodies.size(), -1);
  while (order_.size() < source_.bodies.size()) {
    const std::size_t before = order_.size();
    for (std::size_t i = 0; i < source_.bodies.size(); ++i) {
      if (place_[i] >= 0) continue;
      if (parents_[i] >= 0 && place_[static_cast<std::size_t>(parents_[i])] < 0) continue;
      place_[i] = static_cast<int>(order_.size());
      order_.push_back(i);
    }
    if (order_.size() > before) continue;
    for (std::size_t i = 0; i < source_.bodies.size(); ++i) {
      if (place_[i] < 0) return fault(i, "its parents make a circle");
    }
  }
  for (const std::size_t i : order_) {
    if (parents_[i] >= 0 || i == order_[0]) continue;
    return fault(i, "has no parent, as '" + source_.bodies[order_[0]].joint +
                        "' has none; only one body may be the root");
  }
  for (const std::size_t i : order_) {
    const int parent = parents_[i];
    if (parent >= 0 &&
        !skeleton_.is_ancestor(joints_[static_cast<std::size_t>(parent)], joints_[i])) {
      return fault(i, "its parent '" + source_.bodies[static_cast<std::size_t>(parent)].joint +
                          "' does not lie above it in the skeleton");
    }
  }
  return {};
}

Status Builder::fill(std::size_t i) {
  const RagdollBodySource& from = source_.bodies[i];
  RagdollBody body;
  body.joint = joints_[i];
  body.parent = parents_[i] >= 0 ? place_[static_cast<std::size_t>(parents_[i])] : -1;
  body.position = from.position * scale_;
  Shape& shape = body.shape;
  shape.kind = from.shape;
  shape.radius = from.radius * scale_;
  shape.half_height = from.shape == ShapeKind::kCapsule ? from.half_height * scale_ : 0;
  shape.half_extents = from.half_extents * scale_;
  if (from.shape != ShapeKind::kSphere && from.shape != ShapeKind::kCapsule &&
      from.shape != ShapeKind::kBox) {
    return fault(i, "a " + std::string(to_string(from.shape)) + " is no shape of a limb");
  }
  if (Status status = validate(shape); !status) return fault(i, status.error().message);
  if (!is_finite(body.position) || length(body.position) > 1e4f) {
    return fault(i, "its position is not finite or beyond 10 km");
  }
  if (!is_finite(from.rotation) || dot(from.rotation, from.rotation) < 1e-8f) {
    return fault(i, "its rotation has no direction");
  }
  body.rotation = normalize(from.rotation);
  if (!is_finite(from.mass) || !(from.mass > 0) || from.mass > 1e5f) {
    return fault(i, format_text("mass %g kg is not above 0 and at most 100,000",
                                static_cast<double>(from.mass)));
  }
  body.mass = from.mass;
  if (!is_finite(from.friction) || from.friction < 0 || !is_finite(from.strength)) {
    return fault(i, "friction or strength is negative or not finite");
  }
  body.friction = from.friction;
  body.strength = from.strength;
  bodies.push_back(body);
  return {};
}

Status Builder::fill_joint(std::size_t i) {
  const RagdollBodySource& from = source_.bodies[i];
  RagdollBody& body = bodies[static_cast<std::size_t>(place_[i])];
  // The joint's own frame, in the axes of the skeleton's joint.
  const Vec3 x = normalize_or(from.twist_axis, Vec3{});
  const Vec3 z_given = normalize_or(from.swing_axis, Vec3{});
  if (!is_finite(from.twist_axis) || x == Vec3{}) {
    return fault(i, "its twist axis has no direction");
  }
  const Vec3 z = normalize_or(z_given - x * dot(x, z_given), Vec3{});
  if (!is_finite(from.swing_axis) || z == Vec3{} || length(cross(x, z_given)) < 1e-3f) {
    return fault(i, "its swing axis has no direction or lies along the twist axis");
  }
  const Vec3 y = cross(z, x);
  Mat3x4 axes;
  axes.row[0] = {x.x, y.x, z.x, 0};
  axes.row[1] = {x.y, y.y, z.y, 0};
  axes.row[2] = {x.z, y.z, z.z, 0};
  const Quat frame = normalize(decompose(axes).rotation);
  body.child_frame = conjugate(body.rotation) * frame;
  body.child_anchor = rotate(conjugate(body.rotation), -body.position);
  body.low = from.low;
  body.high = from.high;
  BodyJointDef check;
  check.parent = {0, 1};
  check.child = {1, 1};
  check.low = body.low;
  check.high = body.high;
  if (Status status = validate(check); !status) return fault(i, status.error().message);
  if (body.parent < 0) return {};

  const RagdollBody& parent = bodies[static_cast<std::size_t>(body.parent)];
  const Transform &own = rest_[static_cast<std::size_t>(body.joint)],
                  &above = rest_[static_cast<std::size_t>(parent.joint)];
  if (from.has_neutral && (!is_finite(from.neutral) || dot(from.neutral, from.neutral) < 1e-8f)) {
    return fault(i, "its neutral rotation has no direction");
  }
  const Quat neutral = from.has_neutral ? normalize(from.neutral)
                                        : normalize(conjugate(above.rotation) * own.rotation);
  body.parent_frame = normalize(conjugate(parent.rotation) * neutral * frame);
  const Vec3 anchor = rotate(conjugate(above.rotation), own.translation - above.translation);
  body.parent_anchor = rotate(conjugate(parent.rotation), anchor - parent.position);
  return {};
}

std::vector<Shape> Builder::placed() const {
  std::vector<Shape> out;
  for (const RagdollBody& body : bodies) {
    const Transform& joint = rest_[static_cast<std::size_t>(body.joint)];
    Shape shape = body.shape;
    shape.position = joint.translation + rotate(joint.rotation, body.position);
    shape.rotation = joint.rotation * body.rotation;
    out.push_back(shape);
  }
  return out;
}

// The least distance between two round or square shapes, by points along the longer one: enough to
// say whether they overlap.
float gap_between(const Shape& a, const Shape& b) {
  float least = 1e9f;
  for (int i = 0; i <= 8; ++i) {
    const float t = static_cast<float>(i) / 4 - 1;
    const float reach = a.kind == ShapeKind::kBox       ? a.half_extents.y
                        : a.kind == ShapeKind::kCapsule ? a.half_height
                                                        : 0;
    const float thick = a.kind == ShapeKind::kBox
                            ? min(a.half_extents.x, min(a.half_extents.y, a.half_extents.z))
                            : a.radius;
    const Vec3 p = a.position + rotate(a.rotation, {0, t * reach, 0});
    least = min(least, distance_to(b, p) - thick);
  }
  return least;
}

Status Builder::ignore_pairs() {
  const std::vector<Shape> shapes = placed();
  const auto ignore = [&](int a, int b) {
    bodies[static_cast<std::size_t>(a)].ignore |= std::uint64_t{1} << b;
    bodies[static_cast<std::size_t>(b)].ignore |= std::uint64_t{1} << a;
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].parent >= 0) ignore(static_cast<int>(i), bodies[i].parent);
    for (std::size_t k = 0; k < i; ++k) {
      if (min(gap_between(shapes[i], shapes[k]), gap_between(shapes[k], shapes[i])) <
          kRestGap * scale_) {
        ignore(static_cast<int>(i), static_cast<int>(k));
      }
    }
  }
  std::vector<std::string_view> names;
  for (const RagdollBodySource& body : source_.bodies) names.push_back(body.joint);
  for (const auto& [a, b] : source_.no_collide) {
    for (const std::string& name : {a, b}) {
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        return make_error(ErrorCode::kNotFound,
                          "'" + name + "' in no_collide has no body" + did_you_mean(name, names),
                          "ragdoll");
      }
    }
    const auto body_of = [&](const std::string& name) {
      return place_[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) -
                                             names.begin())];
    };
    if (a != b) ignore(body_of(a), body_of(b));
  }
  return {};
}

void Builder::map_joints() {
  body_of_joint.assign(static_cast<std::size_t>(skeleton_.joint_count()), -1);
  for (int j = 0; j < skeleton_.joint_count(); ++j) {
    int& body = body_of_joint[static_cast<std::size_t>(j)];
    if (skeleton_.parent(j) >= 0)
      body = body_of_joint[static_cast<std::size_t>(skeleton_.parent(j))];
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].joint == j) body = static_cast<int>(i);
    }
  }
  subtrees.assign(bodies.size(), 0);
  for (std::size_t i = bodies.size(); i-- > 0;) {
    subtrees[i] |= std::uint64_t{1} << i;
    if (bodies[i].parent >= 0) subtrees[static_cast<std::size_t>(bodies[i].parent)] |= subtrees[i];
  }
}

// Inertia with its floor, and the torque that holds what hangs on each joint.
void Builder::strengthen() {
  float total = 0;
  for (const RagdollBody& body : bodies) total += body.mass;
  const std::vector<Shape> shapes = placed();
  const float floor = kInertiaFloor * (total / kUsualMass) * scale_ * scale_;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    RagdollBody& body = bodies[i];
    const Vec3 plain = mass_properties(std::span(&body.shape, 1), body.mass).inertia;
    const float least = max(floor, kInertiaShare * max(plain.x, max(plain.y, plain.z)));
    body.inertia = max(plain, Vec3{least, least, least});
    if (body.strength >= 0) continue;
    float mass = 0;
    Vec3 centre;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      if (((subtrees[i] >> k) & 1) == 0) continue;
      mass += bodies[k].mass;
      centre += shapes[k].position * bodies[k].mass;
    }
    const float lever =
        distance(centre / mass, rest_[static_cast<std::size_t>(body.joint)].translation);
    body.strength = kStrengthFactor * 9.81f * mass * lever + kStrengthFloor * total * scale_;
  }
}

Status Builder::run() {
  if (!is_finite(scale_) || !(scale_ > 0)) {
    return make_error(ErrorCode::kInvalidArgument, "the scale is not above 0", "ragdoll");
  }
  for (Status (Builder::*step)() :
       {&Builder::find_joints, &Builder::find_parents, &Builder::order}) {
    if (Status status = (this->*step)(); !status) return status;
  }
  for (const Mat3x4& model : skeleton_.rest_model()) {
    Transform t = decompose(model);
    t.translation *= scale_;
    t.scale = {1, 1, 1};
    rest_.push_back(t);
  }
  for (const std::size_t i : order_) {
    if (Status status = fill(i); !status) return status;
  }
  for (const std::size_t i : order_) {
    if (Status status = fill_joint(i); !status) return status;
  }
  if (Status status = ignore_pairs(); !status) return status;
  map_joints();
  strengthen();
  return {};
}

void add(Hasher& hash, Vec3 v) {
  hash.f32(v.x);
  hash.f32(v.y);
  hash.f32(v.z);
}
void add(Hasher& hash, Quat q) {
  add(hash, Vec3{q.x, q.y, q.z});
  hash.f32(q.w);
}

std::uint64_t hash_of(std::span<const RagdollBody> bodies) {
  Hasher hash;
  for (const RagdollBody& b : bodies) {
    hash.u64(static_cast<std::uint64_t>(b.joint));
    hash.u64(static_cast<std::uint64_t>(b.parent + 1));
    add(hash, b.position);
    add(hash, b.rotation);
    hash.u64(static_cast<std::uint64_t>(b.shape.kind));
    hash.f32(b.shape.radius);
    hash.f32(b.shape.half_height);
    add(hash, b.shape.half_extents);
    hash.f32(b.mass);
    add(hash, b.inertia);
    add(hash, b.parent_anchor);
    add(hash, b.parent_frame);
    add(hash, b.child_frame);
    add(hash, b.low);
    add(hash, b.high);
    hash.f32(b.friction);
    hash.f32(b.strength);
    hash.u64(b.ignore);
  }
  return hash.value();
}

}  // namespace

Result<RagdollDef> RagdollDef::build(const RagdollSource& source, const Skeleton& skeleton,
                                     float scale) {
  Builder builder(source, skeleton, scale);
  if (Status status = builder.run(); !status) return status.error();
  RagdollDef def;
  def.bodies_ = std::move(builder.bodies);
  def.body_of_joint_ = std::move(builder.body_of_joint);
  def.subtrees_ = std::move(builder.subtrees);
  for (const RagdollBody& body : def.bodies_) def.total_mass_ += body.mass;
  def.hash_ = hash_of(def.bodies_);
  return def;
}

}  // namespace sinew
