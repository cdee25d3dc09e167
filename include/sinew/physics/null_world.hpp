// A physics world without forces: everything can be asked, kinematic bodies move, dynamic ones stay
// where they are put. For tests, for tools, and for programs that need ground but no simulation.
#pragma once

#include <sinew/physics/query_scene.hpp>

namespace sinew {

struct NullWorldDef {
  float substep = 1 / 240.f;  // seconds
};

class NullWorld final : public PhysicsWorld {
 public:
  explicit NullWorld(const NullWorldDef& def = {});

  bool has_dynamics() const override { return false; }
  Result<BodyId> add_body(const BodyDef& def) override;
  bool remove_body(BodyId id) override;
  bool alive(BodyId id) const override;
  std::span<const BodyId> bodies() const override { return scene_.ids(); }
  Result<JointId> add_joint(const BodyJointDef& def) override;
  bool remove_joint(JointId id) override;
  std::uint32_t new_group() override { return ++groups_; }
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
  void wake(BodyId) override {}
  std::size_t contacts(std::span<ContactPoint>) const override { return 0; }
  bool supported(std::uint32_t group, LayerMask on, float up) const override;
  void step(float dt) override;
  double remainder() const override { return left_; }
  void flush_caches() override {}
  void save(std::vector<std::byte>& out) const override;
  Status restore(std::span<const std::byte> bytes) override;
  std::uint64_t state_hash() const override;
  bool cast(const RayCast& ray, Hit& hit) const override { return scene_.cast(ray, hit); }
  bool cast(const SphereCast& sphere, Hit& hit) const override;
  bool cast(const CapsuleCast& capsule, Hit& hit) const override {
    return scene_.cast(capsule, hit);
  }
  std::size_t overlap(const CapsuleOverlap& capsule, std::span<Hit> out) const override {
    return scene_.overlap(capsule, out);
  }

 private:
  struct Joint {
    std::uint32_t generation = 0;
    bool alive = false;
    BodyJointDef def;
  };

  NullWorldDef def_;
  QueryScene scene_;
  std::vector<Joint> joints_;
  // A kinematic body that was moved since the last step, and where from.
  struct Moved {
    std::uint32_t body;
    Vec3 position;
    Quat rotation;
  };
  std::vector<Moved> moved_;
  std::uint32_t groups_ = 0;
  double left_ = 0;
};

// Angles, gap and overshoot of a joint between two places of its bodies.
JointReading measure_joint(const BodyJointDef& def, const BodyState& parent,
                           const BodyState& child);
// Angles of the rotation qz * qy * qx: the inverse of from_euler_xyz. y in [-pi/2, pi/2]; at its
// ends z is 0.
Vec3 to_euler_xyz(Quat q);

}  // namespace sinew
