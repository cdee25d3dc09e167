// What the runtime asks of a physics engine. Implementations: NullWorld (queries alone, no forces)
// and BulletWorld (module physics_bullet). Lists go in and out whole, so that one call serves a
// ragdoll.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <sinew/physics/query.hpp>

namespace sinew {

// Not for several threads at once. Functions that take a stale id return false or leave the
// element as it was. Nothing here throws; add_ and restore alone allocate (and the simulation until
// it has seen its largest number of contacts).
class PhysicsWorld {
 public:
  virtual ~PhysicsWorld() = default;

  // False for a world without forces, where dynamic bodies stay where they are put.
  virtual bool has_dynamics() const = 0;

  // ---- bodies and joints

  virtual Result<BodyId> add_body(const BodyDef& def) = 0;
  // With its joints.
  virtual bool remove_body(BodyId id) = 0;
  virtual bool alive(BodyId id) const = 0;
  // Ids of all bodies by rising index.
  virtual std::span<const BodyId> bodies() const = 0;
  virtual Result<JointId> add_joint(const BodyJointDef& def) = 0;
  virtual bool remove_joint(JointId id) = 0;
  // A number for BodyDef::group that no other caller has got.
  virtual std::uint32_t new_group() = 0;

  virtual void read_bodies(std::span<const BodyId> ids, std::span<BodyState> out) const = 0;
  // Puts bodies somewhere at once; they wake up. States that are not finite are left out.
  virtual void write_bodies(std::span<const BodyId> ids, std::span<const BodyState> states) = 0;
  // Kinematic bodies: queries see them there at once, other bodies meet them on the way during the
  // next step().
  virtual void move_kinematic(std::span<const BodyId> ids, std::span<const Vec3> positions,
                              std::span<const Quat> rotations) = 0;
  // Changes how a body moves or whether it is there. A body becomes dynamic only if it was added
  // with a mass (false otherwise).
  virtual bool set_motion(BodyId id, Motion motion, Presence presence) = 0;
  virtual bool set_layer(BodyId id, LayerMask layer, LayerMask mask) = 0;
  // BodyDef::group_ignore from now on.
  virtual bool set_group_ignore(BodyId id, std::uint64_t ignore) = 0;
  // N s at a world point. Static and kinematic bodies: false.
  virtual bool apply_impulse(BodyId id, Vec3 impulse, Vec3 point) = 0;

  // ---- joints

  // Hold until they are set again.
  virtual void drive_joints(std::span<const JointId> ids, std::span<const MotorDrive> drives) = 0;
  virtual bool pin_body(BodyId id, const BodyPin& pin) = 0;
  virtual void read_joints(std::span<const JointId> ids, std::span<JointReading> out) const = 0;

  // ---- shapes, for pictures and measures

  virtual std::span<const Shape> shapes(BodyId id) const = 0;
  virtual Motion motion(BodyId id) const = 0;
  virtual Presence presence(BodyId id) const = 0;
  virtual LayerMask layer(BodyId id) const = 0;
  virtual float mass(BodyId id) const = 0;  // 0 for stale ids
  virtual std::uint64_t user(BodyId id) const = 0;
  // Velocity of the body at a world point, m/s; for kinematic bodies that of their last move.
  virtual Vec3 point_velocity(BodyId id, Vec3 point) const = 0;

  // ---- rest

  // Asleep bodies cost next to nothing; they wake when something awake pushes them.
  virtual bool asleep(BodyId id) const = 0;
  virtual void wake(BodyId id) = 0;
  // Contacts of the last substep, in a fixed order; as many as fit. Returns how many there are.
  virtual std::size_t contacts(std::span<ContactPoint> out) const = 0;
  // True if a body of the group touches (or, asleep, lay on) one outside it in a layer of `on`
  // whose normal points up by at least `up` (cosine).
  virtual bool supported(std::uint32_t group, LayerMask on, float up) const = 0;

  // ---- time

  // Advances by whole substeps (WorldDef of the implementation); what is left of dt waits for the
  // next call. dt that is not finite or not positive does nothing.
  virtual void step(float dt) = 0;
  // Seconds given to step() and not yet simulated, [0, substep).
  virtual double remainder() const = 0;

  // ---- state

  // Drops everything that a restored world could not know (contact and warm-start caches), and
  // simulates on in the order of BodyDef::order. Called at fixed ticks, whether or not anyone
  // saves, so that live and restored worlds go on alike.
  virtual void flush_caches() = 0;
  // Appends the state of all bodies and joints. Restoring it gives the same bits from then on if it
  // was taken directly after flush_caches().
  virtual void save(std::vector<std::byte>& out) const = 0;
  // Into a world with the same bodies (matched by BodyDef::order) and joints; calls flush_caches().
  // Errors, which change nothing: damaged bytes, other bodies.
  virtual Status restore(std::span<const std::byte> bytes) = 0;
  // Over all that save() writes.
  virtual std::uint64_t state_hash() const = 0;

  // ---- queries

  // The nearest hit; false if there is none. Equal distances: the lower body index, shape,
  // triangle.
  virtual bool cast(const RayCast& ray, Hit& hit) const = 0;
  virtual bool cast(const SphereCast& sphere, Hit& hit) const = 0;
  virtual bool cast(const CapsuleCast& capsule, Hit& hit) const = 0;
  // Every shape (and every triangle of terrain) that the capsule overlaps, by body index, with
  // depth and normal; as many as fit. Returns how many were written.
  virtual std::size_t overlap(const CapsuleOverlap& capsule, std::span<Hit> out) const = 0;
};

}  // namespace sinew
