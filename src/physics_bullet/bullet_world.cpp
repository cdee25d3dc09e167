// Bodies and joints, and their twins in Bullet.
#include <algorithm>

#include <sinew/physics/null_world.hpp>
#include <sinew/physics/scene_state.hpp>

#include "bullet_impl.hpp"
#include "pool_memory.hpp"

namespace sinew {

namespace {

// Baumgarte factors, measured on falls of a body of 16 limbs: larger ones for contacts throw buried
// bodies out of the ground.
constexpr float kContactErp = 0.05f;
constexpr float kStopErp = 0.4f;
// A blow of more than this spreads badly over the joints in few iterations.
constexpr float kBlow = 3;  // m/s
constexpr int kHurrySubsteps = 6;
constexpr float kMotorErp = 0.9f;
constexpr float kMotorSpeed = 30;  // rad/s, the most that a drive asks for

float finite_or(float value, float otherwise, float low, float high) {
  return is_finite(value) ? clamp(value, low, high) : otherwise;
}

BulletWorldDef checked(BulletWorldDef def) {
  const BulletWorldDef plain;
  if (!is_finite(def.gravity)) def.gravity = plain.gravity;
  def.substep = finite_or(def.substep, plain.substep, 1e-5f, 0.1f);
  def.iterations = std::clamp(def.iterations, 1, 1000);
  def.max_substeps = std::clamp(def.max_substeps, 1, 100000);
  def.sleep_seconds = finite_or(def.sleep_seconds, plain.sleep_seconds, 0.05f, 1e6f);
  def.sleep_distance = finite_or(def.sleep_distance, plain.sleep_distance, 0, 10);
  def.sleep_angle = finite_or(def.sleep_angle, plain.sleep_angle, 0, 3);
  def.wake_speed = finite_or(def.wake_speed, plain.wake_speed, 0, 1e6f);
  return def;
}

}  // namespace

BulletWorld::Impl::Impl(const BulletWorldDef& given) : def(checked(given)) {
  if (def.pooled_memory) use_pool_for_bullet();
  make_world();
}

BulletWorld::Impl::~Impl() { clear_world(); }

void BulletWorld::Impl::make_world() {
  configuration = std::make_unique<btDefaultCollisionConfiguration>();
  dispatcher = std::make_unique<ShallowDispatcher>(configuration.get());
  broadphase = std::make_unique<btDbvtBroadphase>();
  broadphase->getOverlappingPairCache()->setOverlapFilterCallback(this);
  solver = std::make_unique<btSequentialImpulseConstraintSolver>();
  world = std::make_unique<btDiscreteDynamicsWorld>(dispatcher.get(), broadphase.get(),
                                                    solver.get(), configuration.get());
  world->setGravity(to_bullet(def.gravity));
  world->setForceUpdateAllAabbs(false);
  // Not a variant that Bullet may pick by the processor: the same bits on all of them.
  solver->setConstraintRowSolverGeneric(solver->getScalarConstraintRowSolverGeneric());
  solver->setConstraintRowSolverLowerLimit(solver->getScalarConstraintRowSolverLowerLimit());
  btContactSolverInfo& info = world->getSolverInfo();
  info.m_splitImpulse = 1;
  info.m_erp2 = kContactErp;
  info.m_solverMode &= ~SOLVER_RANDMIZE_ORDER;
}

void ShallowDispatcher::dispatchAllCollisionPairs(btOverlappingPairCache* pairs,
                                                  const btDispatcherInfo& info,
                                                  btDispatcher* dispatcher) {
  btCollisionDispatcher::dispatchAllCollisionPairs(pairs, info, dispatcher);
  for (int i = 0; i < getNumManifolds(); ++i) {
    btPersistentManifold* manifold = getManifoldByIndexInternal(i);
    for (int k = 0; k < manifold->getNumContacts(); ++k) {
      btManifoldPoint& point = manifold->getContactPoint(k);
      if (point.getDistance() < -kDeepest) point.setDistance(-kDeepest);
    }
  }
}

void BulletWorld::Impl::clear_world() {
  if (!world) return;
  for (std::uint32_t i = 0; i < bodies.size(); ++i) extract(i);
  world.reset();
  solver.reset();
  broadphase.reset();
  dispatcher.reset();
  configuration.reset();
}

void BulletWorld::Impl::rebuild() {
  clear_world();
  make_world();
  moved.clear();
  hurry = 0;
  for (const std::uint32_t i : by_order(scene)) {
    bodies[i].moved = false;
    insert(i);
  }
  sort_units();
}

bool BulletWorld::Impl::needBroadphaseCollision(btBroadphaseProxy* pa,
                                                btBroadphaseProxy* pb) const {
  const auto index = [](btBroadphaseProxy* proxy) {
    return static_cast<std::uint32_t>(
        static_cast<btCollisionObject*>(proxy->m_clientObject)->getUserIndex());
  };
  const SceneBody &a = slot(index(pa)), &b = slot(index(pb));
  if (!layers_meet(a.layer, a.mask, b.layer, b.mask)) return false;
  if (a.group == 0 || a.group != b.group) return true;
  return ((a.group_ignore >> b.index_in_group) & 1) == 0 &&
         ((b.group_ignore >> a.index_in_group) & 1) == 0;
}

bool BulletWorld::Impl::simulated(std::uint32_t index) const {
  const SceneBody& body = slot(index);
  return body.alive && body.presence == Presence::kFull;
}

// Takes the body into the simulation as it is now, with its joints as soon as both of their bodies
// are there. Asleep it is a static obstacle.
void BulletWorld::Impl::insert(std::uint32_t index) {
  if (!simulated(index)) return;
  const SceneBody& s = slot(index);
  BulletBody& b = bodies[index];
  const bool asleep = units[static_cast<std::size_t>(b.unit)].asleep;
  const bool dynamic = s.motion == Motion::kDynamic && !asleep;
  btRigidBody::btRigidBodyConstructionInfo info(
      dynamic ? s.mass : 0, nullptr, b.shapes.whole,
      dynamic ? to_bullet(s.inertia) : btVector3(0, 0, 0));
  info.m_friction = b.friction;
  info.m_restitution = b.restitution;
  info.m_linearDamping = min(b.linear_damping, 1);
  info.m_angularDamping = min(b.angular_damping, 1);
  info.m_startWorldTransform = to_bullet(s.state.position, s.state.rotation);
  b.rigid = std::make_unique<btRigidBody>(info);
  b.under = false;
  btRigidBody& rigid = *b.rigid;
  rigid.setUserIndex(static_cast<int>(index));
  // Sleeping is ours (see SleepUnit).
  rigid.setActivationState(DISABLE_DEACTIVATION);
  if (dynamic) {
    rigid.setLinearVelocity(to_bullet(s.state.linear_velocity));
    rigid.setAngularVelocity(to_bullet(s.state.angular_velocity));
    rigid.setInterpolationLinearVelocity(rigid.getLinearVelocity());
    rigid.setInterpolationAngularVelocity(rigid.getAngularVelocity());
    if (b.continuous) {
      rigid.setCcdMotionThreshold(0.5f * b.shapes.thickness);
      rigid.setCcdSweptSphereRadius(0.5f * b.shapes.thickness);
    }
  } else if (s.motion == Motion::kKinematic && !asleep) {
    rigid.setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
  }
  // Groups and masks are decided by needBroadphaseCollision().
  world->addRigidBody(&rigid, 1, -1);
  for (const std::uint32_t joint : b.joints) connect(joint);
}

void BulletWorld::Impl::extract(std::uint32_t index) {
  BulletBody& b = bodies[index];
  if (!b.rigid) return;
  for (const std::uint32_t joint : b.joints) disconnect(joint);
  world->removeRigidBody(b.rigid.get());
  b.rigid.reset();
}

// Makes the constraint if both of its bodies are simulated and one of them can move.
void BulletWorld::Impl::connect(std::uint32_t index) {
  BulletJoint& joint = joints[index];
  if (!joint.alive || joint.constraint) return;
  BulletBody &parent = bodies[joint.def.parent.index], &child = bodies[joint.def.child.index];
  if (!parent.rigid || !child.rigid) return;
  if (parent.rigid->isStaticOrKinematicObject() && child.rigid->isStaticOrKinematicObject()) return;
  const BodyJointDef& d = joint.def;
  joint.constraint = std::make_unique<btGeneric6DofSpring2Constraint>(
      *parent.rigid, *child.rigid, to_bullet(d.parent_anchor, d.parent_frame),
      to_bullet(d.child_anchor, d.child_frame), RO_XYZ);
  btGeneric6DofSpring2Constraint& c = *joint.constraint;
  c.setLinearLowerLimit({0, 0, 0});
  c.setLinearUpperLimit({0, 0, 0});
  // Bullet reads the angles off the inverse rotation: they have the opposite sign.
  c.setAngularLowerLimit(to_bullet(-d.high));
  c.setAngularUpperLimit(to_bullet(-d.low));
  for (int axis = 0; axis < 6; ++axis) {
    if (axis >= 3 && d.high[axis - 3] - d.low[axis - 3] > kTwoPi - 0.01f) c.setLimit(axis, 1, -1);
    c.setParam(BT_CONSTRAINT_STOP_ERP, kStopErp, axis);
    if (axis >= 3) c.setParam(BT_CONSTRAINT_ERP, kMotorErp, axis);
  }
  apply_drive(joint);
  world->addConstraint(&c, true);
}

void BulletWorld::Impl::disconnect(std::uint32_t index) {
  BulletJoint& joint = joints[index];
  if (!joint.constraint) return;
  world->removeConstraint(joint.constraint.get());
  joint.constraint.reset();
}

void BulletWorld::Impl::apply_drive(BulletJoint& joint) {
  if (!joint.constraint) return;
  btGeneric6DofSpring2Constraint& c = *joint.constraint;
  const bool driven = joint.drive.max_torque > 0;
  for (int i = 0; i < 3; ++i) {
    const bool locked = joint.def.low[i] == joint.def.high[i];
    c.enableMotor(3 + i, !locked && (driven || joint.def.friction > 0));
    c.setServo(3 + i, driven);
    c.setTargetVelocity(3 + i, driven ? kMotorSpeed : 0);
    c.setMaxMotorForce(3 + i, driven ? joint.drive.max_torque : joint.def.friction);
  }
}

const BulletJoint* BulletWorld::Impl::find(JointId id) const {
  if (id.index >= joints.size()) return nullptr;
  const BulletJoint& joint = joints[id.index];
  return joint.alive && joint.generation == id.generation ? &joint : nullptr;
}

// ---- the public face

BulletWorld::BulletWorld(const BulletWorldDef& def) : impl_(std::make_unique<Impl>(def)) {}
BulletWorld::~BulletWorld() = default;

Result<BodyId> BulletWorld::add_body(const BodyDef& def) {
  Impl& m = *impl_;
  Result<BodyId> id = m.scene.add(def);
  if (!id) return id;
  if (m.bodies.size() <= id->index) m.bodies.resize(id->index + 1);
  BulletBody& body = m.bodies[id->index];
  body = BulletBody{};
  const SceneBody& s = m.slot(id->index);
  body.shapes = make_bullet_shapes(s.shapes);
  body.friction = def.friction;
  body.restitution = def.restitution;
  body.linear_damping = def.linear_damping;
  body.angular_damping = def.angular_damping;
  body.max_speed = def.max_speed;
  body.continuous = def.continuous;
  body.anchor_position = s.state.position;
  body.anchor_rotation = s.state.rotation;
  for (const Shape& shape : s.shapes) {
    if (shape.kind == ShapeKind::kHeightField) {
      m.fields.push_back(id->index);
      break;
    }
  }
  m.join_unit(id->index);
  m.insert(id->index);
  m.moved.reserve(m.bodies.size());
  m.found.resize(std::max<std::size_t>(m.bodies.size(), 64));
  return id;
}

bool BulletWorld::remove_body(BodyId id) {
  Impl& m = *impl_;
  const SceneBody* body = m.scene.find(id);
  if (!body) return false;
  for (std::uint32_t i = 0; i < m.joints.size(); ++i) {
    if (m.joints[i].alive && (m.joints[i].def.parent == id || m.joints[i].def.child == id)) {
      remove_joint({i, m.joints[i].generation});
    }
  }
  const Aabb box = body->bounds;
  const bool was_there = body->presence == Presence::kFull;
  m.leave_unit(id.index);
  m.extract(id.index);
  std::erase(m.fields, id.index);
  std::erase(m.moved, id.index);
  m.scene.remove(id);
  m.bodies[id.index].shapes = {};
  if (was_there) m.wake_near(box);
  return true;
}

bool BulletWorld::alive(BodyId id) const { return impl_->scene.find(id) != nullptr; }
std::span<const BodyId> BulletWorld::bodies() const { return impl_->scene.ids(); }
std::uint32_t BulletWorld::new_group() { return ++impl_->groups; }

Result<JointId> BulletWorld::add_joint(const BodyJointDef& def) {
  Impl& m = *impl_;
  if (Status status = validate(def); !status) return status.error();
  if (!alive(def.parent) || !alive(def.child)) {
    return make_error(ErrorCode::kInvalidArgument, "joins a body that is not there", "joint");
  }
  std::uint32_t index = 0;
  while (index < m.joints.size() && m.joints[index].alive) ++index;
  if (index == m.joints.size()) m.joints.emplace_back();
  BulletJoint& joint = m.joints[index];
  joint.generation += 1;
  joint.alive = true;
  joint.def = def;
  joint.def.parent_frame = normalize(def.parent_frame);
  joint.def.child_frame = normalize(def.child_frame);
  joint.drive = {};
  joint.from = {};
  const int unit = m.bodies[def.child.index].unit;
  m.wake_unit(unit);
  m.wake_unit(m.bodies[def.parent.index].unit);
  m.units[static_cast<std::size_t>(unit)].joints.push_back(index);
  m.bodies[def.parent.index].joints.push_back(index);
  m.bodies[def.child.index].joints.push_back(index);
  m.connect(index);
  return JointId{index, joint.generation};
}

bool BulletWorld::remove_joint(JointId id) {
  Impl& m = *impl_;
  BulletJoint* joint = m.find(id);
  if (!joint) return false;
  const int unit = m.bodies[joint->def.child.index].unit;
  m.wake_unit(unit);
  m.disconnect(id.index);
  joint->alive = false;
  std::erase(m.units[static_cast<std::size_t>(unit)].joints, id.index);
  std::erase(m.bodies[joint->def.parent.index].joints, id.index);
  std::erase(m.bodies[joint->def.child.index].joints, id.index);
  return true;
}

void BulletWorld::read_bodies(std::span<const BodyId> ids, std::span<BodyState> out) const {
  for (std::size_t i = 0; i < ids.size() && i < out.size(); ++i) {
    if (const SceneBody* body = impl_->scene.find(ids[i])) out[i] = body->state;
  }
}

void BulletWorld::write_bodies(std::span<const BodyId> ids, std::span<const BodyState> states) {
  Impl& m = *impl_;
  for (std::size_t i = 0; i < ids.size() && i < states.size(); ++i) {
    SceneBody* body = m.scene.find(ids[i]);
    if (!body || !is_valid(states[i])) continue;
    const std::uint32_t index = ids[i].index;
    m.wake_unit(m.bodies[index].unit);
    body->state = states[i];
    m.scene.place(index, states[i].position, normalize(states[i].rotation));
    BulletBody& b = m.bodies[index];
    b.moved = false;
    b.anchor_position = body->state.position;
    b.anchor_rotation = body->state.rotation;
    if (!b.rigid) continue;
    btRigidBody& rigid = *b.rigid;
    const btTransform place = to_bullet(body->state.position, body->state.rotation);
    rigid.setWorldTransform(place);
    rigid.setInterpolationWorldTransform(place);
    rigid.setLinearVelocity(to_bullet(body->state.linear_velocity));
    rigid.setAngularVelocity(to_bullet(body->state.angular_velocity));
    rigid.setInterpolationLinearVelocity(rigid.getLinearVelocity());
    rigid.setInterpolationAngularVelocity(rigid.getAngularVelocity());
    m.world->updateSingleAabb(&rigid);
  }
}

void BulletWorld::move_kinematic(std::span<const BodyId> ids, std::span<const Vec3> positions,
                                 std::span<const Quat> rotations) {
  Impl& m = *impl_;
  for (std::size_t i = 0; i < ids.size() && i < positions.size() && i < rotations.size(); ++i) {
    SceneBody* body = m.scene.find(ids[i]);
    if (!body || body->motion != Motion::kKinematic) continue;
    if (!is_finite(positions[i]) || !is_finite(rotations[i])) continue;
    BulletBody& b = m.bodies[ids[i].index];
    if (!b.moved) {
      b.moved = true;
      b.from_position = body->state.position;
      b.from_rotation = body->state.rotation;
      m.moved.push_back(ids[i].index);
    }
    m.scene.place(ids[i].index, positions[i], normalize(rotations[i]));
  }
}

bool BulletWorld::set_motion(BodyId id, Motion motion, Presence presence) {
  Impl& m = *impl_;
  SceneBody* body = m.scene.find(id);
  if (!body || (motion == Motion::kDynamic && !(body->mass > 0))) return false;
  if (body->motion == motion && body->presence == presence) return true;
  const int unit = m.bodies[id.index].unit;
  m.wake_unit(unit);
  m.extract(id.index);
  body->motion = motion;
  m.scene.set_presence(id.index, presence);
  if (motion != Motion::kDynamic) {
    body->state.linear_velocity = {};
    body->state.angular_velocity = {};
  }
  BulletBody& b = m.bodies[id.index];
  b.anchor_position = body->state.position;
  b.anchor_rotation = body->state.rotation;
  m.insert(id.index);
  return true;
}

bool BulletWorld::set_layer(BodyId id, LayerMask layer, LayerMask mask) {
  Impl& m = *impl_;
  SceneBody* body = m.scene.find(id);
  if (!body) return false;
  if (body->layer == layer && body->mask == mask) return true;
  body->layer = layer;
  body->mask = mask;
  // Pairs are decided when boxes meet: let them meet anew.
  if (BulletBody& b = m.bodies[id.index]; b.rigid) m.world->refreshBroadphaseProxy(b.rigid.get());
  return true;
}

bool BulletWorld::set_group_ignore(BodyId id, std::uint64_t ignore) {
  Impl& m = *impl_;
  SceneBody* body = m.scene.find(id);
  if (!body) return false;
  if (body->group_ignore == ignore) return true;
  body->group_ignore = ignore;
  if (BulletBody& b = m.bodies[id.index]; b.rigid) m.world->refreshBroadphaseProxy(b.rigid.get());
  return true;
}

bool BulletWorld::apply_impulse(BodyId id, Vec3 impulse, Vec3 point) {
  Impl& m = *impl_;
  SceneBody* body = m.scene.find(id);
  if (!body || body->motion != Motion::kDynamic || body->presence != Presence::kFull ||
      !is_finite(impulse) || !is_finite(point)) {
    return false;
  }
  m.wake_unit(m.bodies[id.index].unit);
  btRigidBody& rigid = *m.bodies[id.index].rigid;
  rigid.applyImpulse(to_bullet(impulse), to_bullet(point - body->state.position));
  if (length(impulse) > kBlow * body->mass) m.hurry = kHurrySubsteps;
  body->state.linear_velocity = from_bullet(rigid.getLinearVelocity());
  body->state.angular_velocity = from_bullet(rigid.getAngularVelocity());
  return true;
}

void BulletWorld::drive_joints(std::span<const JointId> ids, std::span<const MotorDrive> drives) {
  Impl& m = *impl_;
  for (std::size_t i = 0; i < ids.size() && i < drives.size(); ++i) {
    BulletJoint* joint = m.find(ids[i]);
    if (!joint || !is_finite(drives[i].target) || !is_finite(drives[i].max_torque)) continue;
    // A drive that begins has no way behind it.
    joint->from = joint->drive.max_torque > 0 ? joint->drive.target : drives[i].target;
    joint->drive = drives[i];
    if (drives[i].max_torque > 0) m.wake_unit(m.bodies[joint->def.child.index].unit);
    m.apply_drive(*joint);
  }
}

bool BulletWorld::pin_body(BodyId id, const BodyPin& pin) {
  Impl& m = *impl_;
  if (!m.scene.find(id) || !is_finite(pin.position) || !is_finite(pin.rotation) ||
      !is_finite(pin.weight)) {
    return false;
  }
  BulletBody& body = m.bodies[id.index];
  body.pin = pin;
  body.pin.rotation = normalize(pin.rotation);
  body.pin.weight = clamp01(pin.weight);
  if (body.pin.weight > 0) m.wake_unit(body.unit);
  return true;
}

void BulletWorld::read_joints(std::span<const JointId> ids, std::span<JointReading> out) const {
  for (std::size_t i = 0; i < ids.size() && i < out.size(); ++i) {
    const BulletJoint* joint = impl_->find(ids[i]);
    if (!joint) continue;
    out[i] = measure_joint(joint->def, impl_->slot(joint->def.parent.index).state,
                           impl_->slot(joint->def.child.index).state);
  }
}

std::span<const Shape> BulletWorld::shapes(BodyId id) const {
  const SceneBody* body = impl_->scene.find(id);
  return body ? std::span<const Shape>(body->shapes) : std::span<const Shape>{};
}
Motion BulletWorld::motion(BodyId id) const {
  const SceneBody* body = impl_->scene.find(id);
  return body ? body->motion : Motion::kStatic;
}
Presence BulletWorld::presence(BodyId id) const {
  const SceneBody* body = impl_->scene.find(id);
  return body ? body->presence : Presence::kNone;
}
LayerMask BulletWorld::layer(BodyId id) const {
  const SceneBody* body = impl_->scene.find(id);
  return body ? body->layer : 0;
}
float BulletWorld::mass(BodyId id) const {
  const SceneBody* body = impl_->scene.find(id);
  return body ? body->mass : 0;
}
std::uint64_t BulletWorld::user(BodyId id) const {
  const SceneBody* body = impl_->scene.find(id);
  return body ? body->user : 0;
}
Vec3 BulletWorld::point_velocity(BodyId id, Vec3 point) const {
  const SceneBody* body = impl_->scene.find(id);
  if (!body) return {};
  const BodyState& s = body->state;
  return s.linear_velocity + cross(s.angular_velocity, point - s.position);
}

double BulletWorld::remainder() const { return impl_->left; }
bool BulletWorld::cast(const RayCast& ray, Hit& hit) const { return impl_->scene.cast(ray, hit); }
bool BulletWorld::cast(const SphereCast& s, Hit& hit) const {
  return impl_->scene.cast(
      CapsuleCast{s.centre, s.centre, s.radius, s.direction, s.length, s.filter}, hit);
}
bool BulletWorld::cast(const CapsuleCast& capsule, Hit& hit) const {
  return impl_->scene.cast(capsule, hit);
}
std::size_t BulletWorld::overlap(const CapsuleOverlap& capsule, std::span<Hit> out) const {
  return impl_->scene.overlap(capsule, out);
}
std::size_t BulletWorld::pool_bytes() { return pool_bytes_of_thread(); }

}  // namespace sinew
