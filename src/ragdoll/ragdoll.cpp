#include <sinew/physics/null_world.hpp>
#include <sinew/pose/model_pose.hpp>
#include <sinew/ragdoll/ragdoll.hpp>

namespace sinew {

namespace {

bool bit(std::uint64_t mask, std::size_t i) { return ((mask >> i) & 1) != 0; }

// Rotation of a model matrix. A mirrored or scaled one gives its nearest rotation.
Quat rotation_of(const Mat3x4& m) { return normalize(decompose(m).rotation); }

float uniform(const Transform& world) {
  return (world.scale.x + world.scale.y + world.scale.z) / 3;
}

}  // namespace

void body_places(const RagdollDef& def, std::span<const Mat3x4> model, const Transform& world,
                 std::span<BodyPlace> out) {
  for (std::size_t i = 0; i < out.size() && i < def.bodies().size(); ++i) {
    const RagdollBody& body = def.bodies()[i];
    const Mat3x4& joint = model[static_cast<std::size_t>(body.joint)];
    const Quat turned = normalize(world.rotation * rotation_of(joint));
    out[i].position = transform_point(world, translation_of(joint)) + rotate(turned, body.position);
    out[i].rotation = normalize(turned * body.rotation);
  }
}

void body_velocities(std::span<const BodyPlace> before, std::span<const BodyPlace> now, float dt,
                     std::span<BodyState> out) {
  const float rate = is_finite(dt) && dt > 1e-6f ? 1 / dt : 0;
  for (std::size_t i = 0; i < out.size() && i < now.size() && i < before.size(); ++i) {
    out[i].position = now[i].position;
    out[i].rotation = now[i].rotation;
    out[i].linear_velocity = (now[i].position - before[i].position) * rate;
    const Quat turn = normalize(now[i].rotation * conjugate(before[i].rotation));
    out[i].angular_velocity = to_rotation_vector(align(Quat{}, turn)) * rate;
  }
}

Result<Ragdoll> Ragdoll::create(PhysicsWorld& world, const RagdollDef& def,
                                const RagdollSpawn& spawn) {
  Ragdoll out;
  if (def.empty()) return out;
  out.def_ = &def;
  out.spawn_ = spawn;
  out.group_ = world.new_group();
  const std::size_t count = def.bodies().size();
  for (std::size_t i = 0; i < count; ++i) {
    const RagdollBody& body = def.bodies()[i];
    BodyDef made;
    made.motion = Motion::kKinematic;
    made.presence = Presence::kNone;
    made.shapes = std::span(&body.shape, 1);
    made.mass = body.mass;
    made.inertia = body.inertia;
    made.layer = spawn.hit_layer;
    made.mask = spawn.mask;
    made.group = out.group_;
    made.index_in_group = static_cast<std::uint8_t>(i);
    made.group_ignore = body.ignore;
    made.order = spawn.order + i;
    made.user = spawn.user;
    made.friction = 0.8f;
    made.max_speed = spawn.max_speed;
    Result<BodyId> id = world.add_body(made);
    if (!id) {
      out.destroy(world);
      return id.error();
    }
    out.bodies_.push_back(*id);
  }
  for (std::size_t i = 1; i < count; ++i) {
    const RagdollBody& body = def.bodies()[i];
    BodyJointDef joint;
    joint.parent = out.bodies_[static_cast<std::size_t>(body.parent)];
    joint.child = out.bodies_[i];
    joint.parent_anchor = body.parent_anchor;
    joint.child_anchor = body.child_anchor;
    joint.parent_frame = body.parent_frame;
    joint.child_frame = body.child_frame;
    joint.low = body.low;
    joint.high = body.high;
    joint.friction = body.friction;
    Result<JointId> id = world.add_joint(joint);
    if (!id) {
      out.destroy(world);
      return id.error();
    }
    out.joints_.push_back(*id);
  }
  out.states_.resize(count);
  out.positions_.resize(count);
  out.rotations_.resize(count);
  out.drives_.resize(count);
  if (spawn.hit_shapes) {
    for (const BodyId id : out.bodies_) {
      world.set_motion(id, Motion::kKinematic, Presence::kQueries);
    }
  }
  return out;
}

void Ragdoll::destroy(PhysicsWorld& world) {
  for (const BodyId id : bodies_) world.remove_body(id);
  *this = Ragdoll{};
}

int Ragdoll::find(BodyId id) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i] == id) return static_cast<int>(i);
  }
  return -1;
}

// Bodies that physics moves are dynamic; the others are kinematic as long as any is limp, since
// limp ones hang on them, and else hit shapes or away.
void Ragdoll::set_limp(PhysicsWorld& world, std::uint64_t limp) {
  limp_ = limp & def_->all();
  const Presence idle = spawn_.hit_shapes ? Presence::kQueries : Presence::kNone;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bit(limp_, i)) {
      world.set_layer(bodies_[i], spawn_.layer, spawn_.mask);
      world.set_motion(bodies_[i], Motion::kDynamic, Presence::kFull);
      continue;
    }
    world.set_layer(bodies_[i], spawn_.hit_layer, spawn_.mask);
    world.set_motion(bodies_[i], Motion::kKinematic, limp_ != 0 ? Presence::kFull : idle);
  }
}

void Ragdoll::set_powered(PhysicsWorld& world, bool powered) {
  if (powered_ == powered) return;
  powered_ = powered;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    world.set_group_ignore(bodies_[i], powered ? ~std::uint64_t{0} : def_->bodies()[i].ignore);
  }
}

void Ragdoll::follow(PhysicsWorld& world, std::span<const BodyPlace> places) {
  if (empty() || places.size() != bodies_.size()) return;
  // Dynamic bodies ignore the call: their places here do not matter.
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    positions_[i] = places[i].position;
    rotations_[i] = places[i].rotation;
  }
  world.move_kinematic(bodies_, positions_, rotations_);
}

void Ragdoll::release(PhysicsWorld& world, std::uint64_t bodies,
                      std::span<const BodyState> states) {
  if (empty() || states.size() != bodies_.size()) return;
  const std::uint64_t fresh = bodies & def_->all() & ~limp_;
  if (fresh == 0) return;
  // First where they are, so that nothing is dynamic at a place of long ago.
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bit(limp_, i)) continue;
    BodyState state = states[i];
    world.write_bodies(std::span(&bodies_[i], 1), std::span(&state, 1));
  }
  set_limp(world, limp_ | fresh);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bit(fresh, i)) world.write_bodies(std::span(&bodies_[i], 1), states.subspan(i, 1));
  }
}

void Ragdoll::recover(PhysicsWorld& world, std::uint64_t bodies) {
  if (empty()) return;
  set_limp(world, limp_ & ~bodies);
  if (limp_ != 0) return;
  set_powered(world, false);
  for (MotorDrive& drive : drives_) drive = {};
  world.drive_joints(joints_, std::span(drives_).first(joints_.size()));
  world.pin_body(bodies_[0], {});
}

void Ragdoll::drive(PhysicsWorld& world, std::span<const BodyPlace> places,
                    std::span<const float> strength, float pin) {
  if (empty() || places.size() != bodies_.size() || strength.empty()) return;
  bool any = false;
  for (const float factor : strength) any = any || factor > 0;
  set_powered(world, any && limp_ != 0);
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const RagdollBody& body = def_->body(static_cast<int>(i));
    const float factor = strength.size() == 1 ? strength[0] : strength[i];
    MotorDrive& drive = drives_[i - 1];
    drive = {};
    if (!bit(limp_, i) || !(factor > 0)) continue;
    const Quat parent = places[static_cast<std::size_t>(body.parent)].rotation * body.parent_frame;
    const Quat child = places[i].rotation * body.child_frame;
    const Vec3 angles = to_euler_xyz(normalize(conjugate(parent) * child));
    drive.target = max(body.low, min(body.high, angles));
    drive.max_torque = body.strength * factor;
  }
  world.drive_joints(joints_, std::span(drives_).first(joints_.size()));
  world.pin_body(bodies_[0], {places[0].position, places[0].rotation, bit(limp_, 0) ? pin : 0});
}

bool Ragdoll::hit(PhysicsWorld& world, int body, Vec3 impulse, Vec3 point, bool cap) const {
  if (body < 0 || body >= static_cast<int>(bodies_.size()) ||
      !bit(limp_, static_cast<std::size_t>(body)) || !is_finite(impulse)) {
    return false;
  }
  const float most = kMostHitSpeed * def_->body(body).mass, size = length(impulse);
  if (cap && size > most) impulse *= most / size;
  return world.apply_impulse(bodies_[static_cast<std::size_t>(body)], impulse, point);
}

void Ragdoll::read(const PhysicsWorld& world, std::span<BodyState> out) const {
  world.read_bodies(bodies_, out);
}

Vec3 Ragdoll::momentum(const PhysicsWorld& world) const {
  Vec3 sum;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    BodyState state;
    world.read_bodies(std::span(&bodies_[i], 1), std::span(&state, 1));
    sum += state.linear_velocity * def_->bodies()[i].mass;
  }
  return sum;
}

void apply_bodies_to_pose(const RagdollDef& def, const Skeleton& skeleton,
                          std::span<const BodyState> states, std::uint64_t which,
                          const Transform& world, PoseSpan local, std::span<Mat3x4> model) {
  local_to_model(skeleton, local, model);
  const Quat to_model = conjugate(world.rotation);
  const float scale = uniform(world);
  for (std::size_t i = 0; i < def.bodies().size() && i < states.size(); ++i) {
    if (!bit(which, i)) continue;
    const RagdollBody& body = def.bodies()[i];
    const int parent = skeleton.parent(body.joint);
    const Quat turned = normalize(states[i].rotation * conjugate(body.rotation));
    const Mat3x4 above = parent >= 0 ? model[static_cast<std::size_t>(parent)] : Mat3x4{};
    Transform joint = get_joint(skeleton, local, body.joint);
    joint.rotation = normalize(conjugate(rotation_of(above)) * (to_model * turned));
    if (body.parent < 0) {
      const Vec3 place = states[i].position - rotate(turned, body.position);
      const Vec3 in_model = rotate(to_model, place - world.translation) / (scale > 0 ? scale : 1);
      joint.translation = transform_point(inverse(above), in_model);
    }
    set_joint(skeleton, local, body.joint, joint);
    // Those below see it; bodies come parents first.
    local_to_model_from(skeleton, local, body.joint, model);
  }
}

}  // namespace sinew
