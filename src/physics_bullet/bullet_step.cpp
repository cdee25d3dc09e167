// Advancing by substeps.
#include <algorithm>

#include "bullet_impl.hpp"

namespace sinew {

namespace {

constexpr float kTopSpin = 60;  // rad/s, of bodies with a top speed: one turn in 25 substeps
constexpr int kHurryIterations = 60;
constexpr float kLiftSpeed = 1.5f;  // m/s, out of ground that a body was put into

}  // namespace

// Kinematic bodies go their way in equal pieces; their speed is what Bullet makes of these.
void BulletWorld::Impl::move_kinematic_bodies(int k, int count) {
  const float t = static_cast<float>(k + 1) / static_cast<float>(count);
  for (const std::uint32_t index : moved) {
    BulletBody& b = bodies[index];
    if (!b.rigid) continue;
    const BodyState& s = slot(index).state;
    b.rigid->setWorldTransform(
        to_bullet(lerp(b.from_position, s.position, t), slerp(b.from_rotation, s.rotation, t)));
  }
}

// The velocity that arrives at the pin's place when the step ends.
void BulletWorld::Impl::hold_pins(int k, int count) {
  const float left_time = def.substep * static_cast<float>(count - k);
  for (const int u : unit_order) {
    const SleepUnit& unit = units[static_cast<std::size_t>(u)];
    if (unit.asleep) continue;
    for (const std::uint32_t index : unit.bodies) {
      BulletBody& b = bodies[index];
      if (!(b.pin.weight > 0) || !b.rigid || b.rigid->isStaticOrKinematicObject()) continue;
      btRigidBody& rigid = *b.rigid;
      const Vec3 position = from_bullet(rigid.getWorldTransform().getOrigin());
      const Quat rotation = from_bullet(rigid.getWorldTransform().getRotation());
      const Vec3 linear = (b.pin.position - position) / left_time;
      const Vec3 angular =
          to_rotation_vector(normalize(align(Quat{}, b.pin.rotation * conjugate(rotation)))) /
          left_time;
      const float w = b.pin.weight;
      rigid.setLinearVelocity(to_bullet(lerp(from_bullet(rigid.getLinearVelocity()), linear, w)));
      rigid.setAngularVelocity(
          to_bullet(lerp(from_bullet(rigid.getAngularVelocity()), angular, w)));
    }
  }
}

// A height field is solid below, but its triangles would hold down what lies under them: such a
// body rises slowly, and meets the field again when it is out.
void BulletWorld::Impl::lift_out_of_fields(SceneBody& body, BulletBody& twin) {
  btRigidBody& rigid = *twin.rigid;
  const Vec3 at = from_bullet(rigid.getWorldTransform().getOrigin());
  bool under = false;
  for (const std::uint32_t index : fields) {
    const SceneBody& ground = slot(index);
    if (ground.presence != Presence::kFull ||
        !layers_meet(body.layer, body.mask, ground.layer, ground.mask)) {
      continue;
    }
    for (const Shape& shape : ground.shapes) {
      if (shape.kind != ShapeKind::kHeightField) continue;
      const Quat turned = ground.state.rotation * shape.rotation;
      const Vec3 origin = ground.state.position + rotate(ground.state.rotation, shape.position);
      const Vec3 local = rotate(conjugate(turned), at - origin);
      float height = 0;
      if (!shape.height_field->height_at(local.x, local.z, height) || local.y >= height) continue;
      under = true;
      const Vec3 up = rotate(turned, kAxisY);
      Vec3 v = from_bullet(rigid.getLinearVelocity());
      const float rise = dot(v, up);
      if (rise < kLiftSpeed) v += up * (kLiftSpeed - rise);
      rigid.setLinearVelocity(to_bullet(v));
    }
  }
  if (under == twin.under) return;
  twin.under = under;
  for (const std::uint32_t index : fields) {
    if (bodies[index].rigid) rigid.setIgnoreCollisionCheck(bodies[index].rigid.get(), under);
  }
  // Contacts that it has had would be solved on.
  broadphase->getOverlappingPairCache()->cleanProxyFromPairs(rigid.getBroadphaseProxy(),
                                                             dispatcher.get());
}

void BulletWorld::Impl::limit_speed(const BulletBody& b, btRigidBody& rigid) {
  const Vec3 v = from_bullet(rigid.getLinearVelocity()),
             w = from_bullet(rigid.getAngularVelocity());
  const float speed = length(v), spin = length(w);
  // A number that is none would spread over everything it touches.
  if (!is_finite(speed) || !is_finite(spin)) {
    rigid.setLinearVelocity({0, 0, 0});
    rigid.setAngularVelocity({0, 0, 0});
    return;
  }
  if (!(b.max_speed > 0)) return;
  if (speed > b.max_speed) rigid.setLinearVelocity(to_bullet(v * (b.max_speed / speed)));
  if (spin > kTopSpin) rigid.setAngularVelocity(to_bullet(w * (kTopSpin / spin)));
}

void BulletWorld::Impl::substep(int k, int count) {
  move_kinematic_bodies(k, count);
  hold_pins(k, count);
  const float t = static_cast<float>(k + 1) / static_cast<float>(count);
  for (const int u : unit_order) {
    const SleepUnit& unit = units[static_cast<std::size_t>(u)];
    if (unit.asleep) continue;
    for (const std::uint32_t index : unit.bodies) {
      BulletBody& b = bodies[index];
      if (!b.rigid || b.rigid->isStaticOrKinematicObject()) continue;
      if (!fields.empty()) lift_out_of_fields(slot(index), b);
      limit_speed(b, *b.rigid);
    }
    for (const std::uint32_t index : unit.joints) {
      BulletJoint& joint = joints[index];
      if (!joint.constraint || !(joint.drive.max_torque > 0)) continue;
      const Vec3 target = lerp(joint.from, joint.drive.target, t);
      for (int i = 0; i < 3; ++i) joint.constraint->setServoTarget(3 + i, -target[i]);
    }
  }
  world->getSolverInfo().m_numIterations =
      hurry > 0 ? std::max(def.iterations, kHurryIterations) : def.iterations;
  hurry = std::max(0, hurry - 1);
  world->stepSimulation(def.substep, 0);
}

void BulletWorld::Impl::read_back() {
  for (const int u : unit_order) {
    const SleepUnit& unit = units[static_cast<std::size_t>(u)];
    if (unit.asleep) continue;
    for (const std::uint32_t index : unit.bodies) {
      BulletBody& b = bodies[index];
      if (!b.rigid || b.rigid->isStaticObject()) continue;
      BodyState& s = slot(index).state;
      s.linear_velocity = from_bullet(b.rigid->getLinearVelocity());
      s.angular_velocity = from_bullet(b.rigid->getAngularVelocity());
      if (b.rigid->isKinematicObject()) continue;
      const btTransform& place = b.rigid->getWorldTransform();
      const Vec3 position = from_bullet(place.getOrigin());
      const Quat rotation = normalize(from_bullet(place.getRotation()));
      if (is_finite(position) && is_finite(rotation)) {
        scene.place(index, position, rotation);
        continue;
      }
      // Never seen; should Bullet lose a body, it stays where it was.
      s.linear_velocity = s.angular_velocity = {};
      const btTransform back = to_bullet(s.position, s.rotation);
      b.rigid->setWorldTransform(back);
      b.rigid->setInterpolationWorldTransform(back);
      b.rigid->setLinearVelocity({0, 0, 0});
      b.rigid->setAngularVelocity({0, 0, 0});
    }
  }
}

void BulletWorld::step(float dt) {
  Impl& m = *impl_;
  if (!is_finite(dt) || !(dt > 0)) return;
  const double h = static_cast<double>(m.def.substep);
  m.left += static_cast<double>(dt);
  double whole = static_cast<double>(static_cast<std::uint64_t>(std::min(m.left / h + 1e-6, 1e9)));
  m.left = std::max(0.0, m.left - whole * h);
  const int count = static_cast<int>(std::min(whole, static_cast<double>(m.def.max_substeps)));
  if (count == 0) return;
  m.wake_carried();
  for (int k = 0; k < count; ++k) {
    m.substep(k, count);
    m.wake_struck();
  }
  m.read_back();
  for (BulletJoint& joint : m.joints) joint.from = joint.drive.target;
  // Kinematic bodies that were not told to move on stand.
  for (const std::uint32_t index : m.moved) m.bodies[index].moved = false;
  m.moved.clear();
  m.update_sleep(static_cast<float>(h) * static_cast<float>(count));
}

}  // namespace sinew
