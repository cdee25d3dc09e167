// Sleep. Bullet's own keeps sleeping bodies and their constraints in all of its loops, and on
// stairs it hardly ever comes; here a group at rest becomes a static obstacle until something
// strikes it.
#include <algorithm>

#include "bullet_impl.hpp"

namespace sinew {

namespace {

constexpr float kNeighbourhood = 0.03f;  // metres: bodies this near may lean on one another
// Cosine: a contact that holds up.
constexpr float kHolds = 0.3f;

Aabb bounds_of_unit(const SleepUnit& unit, const QueryScene& scene) {
  Aabb box;
  bool any = false;
  for (const std::uint32_t index : unit.bodies) {
    const SceneBody& body = scene.slots()[index];
    if (body.presence != Presence::kFull) continue;
    box = any ? join(box, body.bounds) : body.bounds;
    any = true;
  }
  return box;
}

}  // namespace

void BulletWorld::Impl::join_unit(std::uint32_t index) {
  const SceneBody& body = slot(index);
  int unit = -1;
  if (body.group != 0) {
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (units[i].used && units[i].group == body.group) unit = static_cast<int>(i);
    }
  }
  if (unit < 0) {
    for (std::size_t i = 0; i < units.size() && unit < 0; ++i) {
      if (!units[i].used) unit = static_cast<int>(i);
    }
    if (unit < 0) {
      unit = static_cast<int>(units.size());
      units.emplace_back();
    }
    units[static_cast<std::size_t>(unit)] = SleepUnit{};
    units[static_cast<std::size_t>(unit)].used = true;
    units[static_cast<std::size_t>(unit)].group = body.group;
  }
  bodies[index].unit = unit;
  wake_unit(unit);
  std::vector<std::uint32_t>& list = units[static_cast<std::size_t>(unit)].bodies;
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return slot(a).order != slot(b).order ? slot(a).order < slot(b).order : a < b;
  };
  list.insert(std::upper_bound(list.begin(), list.end(), index, before), index);
  sort_units();
}

void BulletWorld::Impl::leave_unit(std::uint32_t index) {
  const int u = bodies[index].unit;
  SleepUnit& unit = units[static_cast<std::size_t>(u)];
  wake_unit(u);
  std::erase(unit.bodies, index);
  if (unit.bodies.empty()) unit = SleepUnit{};
  bodies[index].unit = -1;
  sort_units();
}

// Units, and the joints of each, in the order of their bodies: what was added before or after must
// not matter.
void BulletWorld::Impl::sort_units() {
  unit_order.clear();
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (!units[i].used) continue;
    units[i].order = slot(units[i].bodies.front()).order;
    unit_order.push_back(static_cast<int>(i));
    const auto key = [&](std::uint32_t joint) { return slot(joints[joint].def.child.index).order; };
    std::stable_sort(units[i].joints.begin(), units[i].joints.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  }
  std::stable_sort(unit_order.begin(), unit_order.end(), [&](int a, int b) {
    const SleepUnit &ua = units[static_cast<std::size_t>(a)],
                    &ub = units[static_cast<std::size_t>(b)];
    return ua.order != ub.order ? ua.order < ub.order : ua.bodies.front() < ub.bodies.front();
  });
}

void BulletWorld::Impl::wake_unit(int u) {
  if (u < 0) return;
  SleepUnit& unit = units[static_cast<std::size_t>(u)];
  unit.still = 0;
  for (const std::uint32_t index : unit.bodies) {
    bodies[index].anchor_position = slot(index).state.position;
    bodies[index].anchor_rotation = slot(index).state.rotation;
  }
  if (!unit.asleep) return;
  unit.asleep = false;
  for (const std::uint32_t index : unit.bodies) extract(index);
  for (const std::uint32_t index : unit.bodies) insert(index);
  // What may have leant on it.
  wake_near(bounds_of_unit(unit, scene));
}

void BulletWorld::Impl::wake_near(const Aabb& box) {
  if (box.empty()) return;
  for (const int u : unit_order) {
    const SleepUnit& unit = units[static_cast<std::size_t>(u)];
    if (!unit.asleep) continue;
    if (overlaps(grown(box, kNeighbourhood), bounds_of_unit(unit, scene))) wake_unit(u);
  }
}

void BulletWorld::Impl::put_to_sleep(SleepUnit& unit) {
  unit.support = 0;
  for (const std::uint32_t index : unit.bodies) {
    unit.support |= support_of(unit.group, index, kHolds);
  }
  unit.asleep = true;
  for (const std::uint32_t index : unit.bodies) {
    SceneBody& body = slot(index);
    if (body.motion == Motion::kDynamic) {
      body.state.linear_velocity = body.state.angular_velocity = {};
    }
    extract(index);
  }
  for (const std::uint32_t index : unit.bodies) insert(index);
}

// Layers of what holds the body up, of other groups.
LayerMask BulletWorld::Impl::support_of(std::uint32_t group, std::uint32_t index, float up) const {
  LayerMask out = 0;
  const int count = dispatcher->getNumManifolds();
  for (int i = 0; i < count; ++i) {
    const btPersistentManifold* manifold = dispatcher->getManifoldByIndexInternal(i);
    const auto a = static_cast<std::uint32_t>(manifold->getBody0()->getUserIndex()),
               b = static_cast<std::uint32_t>(manifold->getBody1()->getUserIndex());
    if (a != index && b != index) continue;
    const SceneBody& other = slot(a == index ? b : a);
    if (group != 0 && other.group == group) continue;
    for (int k = 0; k < manifold->getNumContacts(); ++k) {
      const btManifoldPoint& point = manifold->getContactPoint(k);
      const float lift = a == index ? point.m_normalWorldOnB.y() : -point.m_normalWorldOnB.y();
      if (point.getDistance() < 0.01f && lift >= up) out |= other.layer;
    }
  }
  return out;
}

bool BulletWorld::Impl::is_still(SleepUnit& unit, float dt) {
  bool moved_away = false, dynamic = false, driven = false;
  for (const std::uint32_t joint : unit.joints) {
    driven = driven || joints[joint].drive.max_torque > 0;
  }
  for (const std::uint32_t index : unit.bodies) {
    const SceneBody& body = slot(index);
    const BulletBody& b = bodies[index];
    driven = driven || b.pin.weight > 0;
    if (body.motion != Motion::kDynamic || body.presence != Presence::kFull) continue;
    dynamic = true;
    if (distance(body.state.position, b.anchor_position) > def.sleep_distance ||
        angle_between(body.state.rotation, b.anchor_rotation) > def.sleep_angle) {
      moved_away = true;
    }
  }
  if (!dynamic) return false;
  if (moved_away || driven) {
    unit.still = 0;
    for (const std::uint32_t index : unit.bodies) {
      bodies[index].anchor_position = slot(index).state.position;
      bodies[index].anchor_rotation = slot(index).state.rotation;
    }
    return false;
  }
  unit.still += dt;
  return unit.still >= def.sleep_seconds;
}

void BulletWorld::Impl::update_sleep(float dt) {
  for (const int u : unit_order) {
    SleepUnit& unit = units[static_cast<std::size_t>(u)];
    if (unit.asleep || !is_still(unit, dt)) continue;
    LayerMask support = 0;
    for (const std::uint32_t index : unit.bodies) {
      support |= support_of(unit.group, index, kHolds);
    }
    // Nothing sleeps in the air.
    if (support != 0) put_to_sleep(unit);
  }
}

// After a substep: who was struck. A sleeper stood like a wall; it gets the impulse when it wakes.
void BulletWorld::Impl::wake_struck() {
  for (int i = 0; i < dispatcher->getNumManifolds(); ++i) {
    const btPersistentManifold* manifold = dispatcher->getManifoldByIndexInternal(i);
    const auto a = static_cast<std::uint32_t>(manifold->getBody0()->getUserIndex()),
               b = static_cast<std::uint32_t>(manifold->getBody1()->getUserIndex());
    const bool sleeps_a = units[static_cast<std::size_t>(bodies[a].unit)].asleep,
               sleeps_b = units[static_cast<std::size_t>(bodies[b].unit)].asleep;
    if (sleeps_a == sleeps_b) continue;
    const std::uint32_t sleeper = sleeps_a ? a : b, striker = sleeps_a ? b : a;
    if (slot(striker).motion != Motion::kDynamic) continue;
    float impulse = 0;
    Vec3 point, push;
    for (int k = 0; k < manifold->getNumContacts(); ++k) {
      const btManifoldPoint& contact = manifold->getContactPoint(k);
      impulse += contact.m_appliedImpulse;
      point = from_bullet(contact.getPositionWorldOnB());
      // The normal points from b to a.
      push = from_bullet(contact.m_normalWorldOnB) * (sleeps_a ? 1.0f : -1.0f);
    }
    if (impulse <= def.wake_speed * slot(striker).mass) continue;
    wake_unit(bodies[sleeper].unit);
    if (btRigidBody* rigid = bodies[sleeper].rigid.get(); rigid && !rigid->isStaticObject()) {
      rigid->applyImpulse(to_bullet(push * impulse),
                          to_bullet(point - slot(sleeper).state.position));
    }
    // The list of contacts has changed: begin again.
    i = -1;
  }
}

// Before a step: what lies on something that begins to move.
void BulletWorld::Impl::wake_carried() {
  for (const std::uint32_t index : moved) {
    const BulletBody& b = bodies[index];
    const SceneBody& body = slot(index);
    if (!b.rigid) continue;
    const bool goes = distance(b.from_position, body.state.position) > 1e-4f ||
                      angle_between(b.from_rotation, body.state.rotation) > 1e-3f;
    if (goes) wake_near(body.bounds);
  }
}

bool BulletWorld::asleep(BodyId id) const {
  const Impl& m = *impl_;
  if (!m.scene.find(id)) return false;
  return m.units[static_cast<std::size_t>(m.bodies[id.index].unit)].asleep;
}

void BulletWorld::wake(BodyId id) {
  if (impl_->scene.find(id)) impl_->wake_unit(impl_->bodies[id.index].unit);
}

std::size_t BulletWorld::contacts(std::span<ContactPoint> out) const {
  const Impl& m = *impl_;
  std::size_t total = 0;
  const int count = m.dispatcher->getNumManifolds();
  for (int i = 0; i < count; ++i) {
    const btPersistentManifold* manifold = m.dispatcher->getManifoldByIndexInternal(i);
    const auto a = static_cast<std::uint32_t>(manifold->getBody0()->getUserIndex()),
               b = static_cast<std::uint32_t>(manifold->getBody1()->getUserIndex());
    for (int k = 0; k < manifold->getNumContacts(); ++k) {
      const btManifoldPoint& point = manifold->getContactPoint(k);
      if (point.getDistance() > 0.005f) continue;
      if (total < out.size()) {
        out[total] = {m.scene.id_of(a), m.scene.id_of(b), from_bullet(point.getPositionWorldOnB()),
                      from_bullet(point.m_normalWorldOnB), -point.getDistance()};
      }
      ++total;
    }
  }
  return total;
}

bool BulletWorld::supported(std::uint32_t group, LayerMask on, float up) const {
  const Impl& m = *impl_;
  for (const SleepUnit& unit : m.units) {
    if (!unit.used || unit.group != group) continue;
    if (unit.asleep) return (unit.support & on) != 0;
    for (const std::uint32_t index : unit.bodies) {
      if ((m.support_of(group, index, up) & on) != 0) return true;
    }
  }
  return false;
}

}  // namespace sinew
