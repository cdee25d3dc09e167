// A ragdoll in a physics world: hit shapes while animation moves the character, limbs that fall,
// limbs that follow the animation by force, and back.
#pragma once

#include <span>
#include <vector>

#include <sinew/physics/physics_world.hpp>
#include <sinew/pose/pose.hpp>
#include <sinew/ragdoll/ragdoll_def.hpp>

namespace sinew {

struct RagdollSpawn {
  std::uint64_t order = 0;          // BodyDef::order of the first body; the others count up from it
  std::uint64_t user = 0;           // BodyDef::user of all bodies
  LayerMask layer = kLayerRagdoll;  // while physics moves them
  LayerMask hit_layer = kLayerHitShape;  // while animation does
  LayerMask mask = kSolidLayers | kLayerRagdoll | kLayerCharacter;
  // Faster than this no limb moves, m/s: beyond, joints come apart within a substep.
  float max_speed = 60;
  bool hit_shapes = true;  // queries find the limbs of an animated character
};

// Places of the bodies in a pose, world space.
struct BodyPlace {
  Vec3 position;
  Quat rotation;
};

// Where the bodies are when the joints are where `model` says. model: one matrix per joint, model
// space; `world`: world <- model, scale included (only its uniform part counts). out: body_count().
void body_places(const RagdollDef& def, std::span<const Mat3x4> model, const Transform& world,
                 std::span<BodyPlace> out);
// How fast they move if they were at `before` dt seconds ago: mass centres and turns.
void body_velocities(std::span<const BodyPlace> before, std::span<const BodyPlace> now, float dt,
                     std::span<BodyState> out);

// One ragdoll. Made when the character spawns (that alone allocates), and kept in reserve until it
// falls. Functions take the world that it was made in; the definition must outlive it.
class Ragdoll {
 public:
  Ragdoll() = default;
  static Result<Ragdoll> create(PhysicsWorld& world, const RagdollDef& def,
                                const RagdollSpawn& spawn = {});
  void destroy(PhysicsWorld& world);

  bool empty() const { return bodies_.empty(); }
  const RagdollDef& def() const { return *def_; }
  std::span<const BodyId> bodies() const { return bodies_; }
  // Joint i - 1 holds body i to its parent.
  std::span<const JointId> joints() const { return joints_; }
  std::uint32_t group() const { return group_; }
  // The index of a body of this ragdoll, -1 for others: which limb a ray has met.
  int find(BodyId id) const;
  // Bit i: body i is moved by physics.
  std::uint64_t limp() const { return limp_; }
  bool active() const { return limp_ != 0; }
  bool powered() const { return powered_; }
  // After the world was restored: what limp() and powered() were then.
  void restore_marks(std::uint64_t limp, bool powered) {
    limp_ = limp;
    powered_ = powered;
  }

  // Animation moves all of it: bodies that are not limp go to their places, as hit shapes or, while
  // others are limp, as kinematic parts that these hang on.
  void follow(PhysicsWorld& world, std::span<const BodyPlace> places);

  // Gives bodies to physics at their places and speeds (body_places and body_velocities of the last
  // two poses). Bodies that were limp keep their motion. The root among them: all of it falls.
  void release(PhysicsWorld& world, std::uint64_t bodies, std::span<const BodyState> states);
  // Takes bodies back; the next follow() moves them.
  void recover(PhysicsWorld& world, std::uint64_t bodies);

  // Powered: each limp joint is driven toward the places of a pose, with `strength` (a factor on
  // RagdollBody::strength, one per body or a single one for all; 0: limp). The root body is pinned
  // to its place with `pin`, [0, 1]. To be called before each step of the world; call once with 0
  // to let go. Driven limbs do not meet one another: poses may overlap themselves.
  void drive(PhysicsWorld& world, std::span<const BodyPlace> places,
             std::span<const float> strength, float pin);

  // N s at a world point, on body `body`. With `cap`, no body gets more than kMostHitSpeed from
  // it. False if that body is not limp.
  static constexpr float kMostHitSpeed = 10;  // m/s
  bool hit(PhysicsWorld& world, int body, Vec3 impulse, Vec3 point, bool cap = true) const;

  // Where the bodies are now. out: body_count().
  void read(const PhysicsWorld& world, std::span<BodyState> out) const;
  // Sum of mass times velocity, and the whole mass.
  Vec3 momentum(const PhysicsWorld& world) const;

 private:
  void set_limp(PhysicsWorld& world, std::uint64_t limp);
  void set_powered(PhysicsWorld& world, bool powered);

  const RagdollDef* def_ = nullptr;
  RagdollSpawn spawn_;
  std::vector<BodyId> bodies_;
  std::vector<JointId> joints_;
  std::vector<BodyState> states_;   // scratch
  std::vector<Vec3> positions_;     // scratch
  std::vector<Quat> rotations_;     // scratch
  std::vector<MotorDrive> drives_;  // scratch
  std::uint32_t group_ = 0;
  std::uint64_t limp_ = 0;
  bool powered_ = false;
};

// Puts bodies into a pose. Joints with a body in `which` take its rotation; the root body's joint
// its place too. All other channels stay as `local` has them (the animation, or the pose at the
// start of the fall), so that limbs keep their lengths. world: world <- model, as for body_places.
// `model`: scratch, one matrix per joint; holds the model space of the result afterwards.
void apply_bodies_to_pose(const RagdollDef& def, const Skeleton& skeleton,
                          std::span<const BodyState> states, std::uint64_t which,
                          const Transform& world, PoseSpan local, std::span<Mat3x4> model);

}  // namespace sinew
