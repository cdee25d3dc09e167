// A physics world simulated by Bullet 3.24, on one thread and in a fixed order: the same bits each
// time. Queries are Sinew's own, as in every world.
#pragma once

#include <memory>

#include <sinew/physics/physics_world.hpp>

namespace sinew {

struct BulletWorldDef {
  Vec3 gravity{0, -9.81f, 0};  // m/s^2
  float substep = 1 / 240.f;   // seconds, (0, 0.1]; many short steps beat many iterations
  int iterations = 10;         // of the solver per substep, [1, 1000]
  int max_substeps = 240;      // of one step(): time beyond that is dropped, so that a stall does
                               // not cause the next
  // A group of bodies sleeps when none of them has left this neighbourhood of its place for so
  // long, while something holds it up.
  float sleep_seconds = 0.75f;
  float sleep_distance = 0.015f;         // metres
  float sleep_angle = 4 * 0.017453293f;  // radians
  // What is asleep wakes when it is struck faster than this.
  float wake_speed = 0.5f;  // m/s
  // Bullet's memory comes from a pool that grows during the first ticks and then no more. It serves
  // the whole program, so make the first world before any Bullet object of your own, or set this
  // false.
  bool pooled_memory = true;
};

class BulletWorld final : public PhysicsWorld {
 public:
  // Values out of range are clamped; numbers that are not finite take their defaults.
  explicit BulletWorld(const BulletWorldDef& def = {});
  ~BulletWorld() override;
  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  bool has_dynamics() const override { return true; }
  Result<BodyId> add_body(const BodyDef& def) override;
  bool remove_body(BodyId id) override;
  bool alive(BodyId id) const override;
  std::span<const BodyId> bodies() const override;
  Result<JointId> add_joint(const BodyJointDef& def) override;
  bool remove_joint(JointId id) override;
  std::uint32_t new_group() override;
  void read_bodies(std::span<const BodyId> ids, std::span<BodyState> out) const override;
  void write_bodies(std::span<const BodyId> ids, std::span<const BodyState> states) override;
  void move_kinematic(std::span<const BodyId> ids, std::span<const Vec3> positions,
                      std::span<const Quat> rotations) override;
  bool set_motion(BodyId id, Motion motion, Presence presence) override;
  bool set_layer(BodyId id, LayerMask layer, LayerMask mask) override;
  bool set_group_ignore(BodyId id, std::uint64_t ignore) override;
  bool apply_impulse(BodyId id, Vec3 impulse, Vec3 point) override;
  void drive_joints(std::span<const JointId> ids, std::span<const MotorDrive> drives) override;
  bool pin_body(BodyId id, const BodyPin& pin) override;
  void read_joints(std::span<const JointId> ids, std::span<JointReading> out) const override;
  std::span<const Shape> shapes(BodyId id) const override;
  Motion motion(BodyId id) const override;
  Presence presence(BodyId id) const override;
  LayerMask layer(BodyId id) const override;
  float mass(BodyId id) const override;
  std::uint64_t user(BodyId id) const override;
  Vec3 point_velocity(BodyId id, Vec3 point) const override;
  bool asleep(BodyId id) const override;
  void wake(BodyId id) override;
  std::size_t contacts(std::span<ContactPoint> out) const override;
  bool supported(std::uint32_t group, LayerMask on, float up) const override;
  void step(float dt) override;
  double remainder() const override;
  void flush_caches() override;
  void save(std::vector<std::byte>& out) const override;
  Status restore(std::span<const std::byte> bytes) override;
  std::uint64_t state_hash() const override;
  bool cast(const RayCast& ray, Hit& hit) const override;
  bool cast(const SphereCast& sphere, Hit& hit) const override;
  bool cast(const CapsuleCast& capsule, Hit& hit) const override;
  std::size_t overlap(const CapsuleOverlap& capsule, std::span<Hit> out) const override;

  // Bytes that Bullet's pool holds for this thread, 0 without the pool: for leak checks.
  static std::size_t pool_bytes();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew
