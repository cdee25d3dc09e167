// What a BulletWorld holds.
#pragma once

#include <memory>
#include <vector>

#include <sinew/base/bytes.hpp>
#include <sinew/physics/query_scene.hpp>
#include <sinew/physics_bullet/bullet_world.hpp>

#include "bullet_shapes.hpp"

namespace sinew {

// Beside SceneBody, by the same slot. `rigid` lives while the body is in the simulation.
struct BulletBody {
  BulletShapes shapes;
  std::unique_ptr<btRigidBody> rigid;
  float friction = 0, restitution = 0, linear_damping = 0, angular_damping = 0, max_speed = 0;
  bool continuous = true;
  int unit = -1;
  std::vector<std::uint32_t> joints;  // with this body at either end, as they were added
  // Kinematic: where the move since the last step began.
  bool moved = false;
  bool under = false;  // the surface of a height field: does not meet it until it is out
  Vec3 from_position;
  Quat from_rotation;
  BodyPin pin;
  Vec3 anchor_position;  // where it began to be still
  Quat anchor_rotation;
};

struct BulletJoint {
  std::uint32_t generation = 0;
  bool alive = false;
  BodyJointDef def;
  MotorDrive drive;
  Vec3 from;                                                   // target at the start of the step
  std::unique_ptr<btGeneric6DofSpring2Constraint> constraint;  // while both bodies are awake
};

// Bodies that sleep and wake together: those of one group, or one body without a group.
struct SleepUnit {
  bool used = false;
  std::uint32_t group = 0;
  std::vector<std::uint32_t> bodies;  // by (order, index)
  std::vector<std::uint32_t> joints;  // with a child among them
  std::uint64_t order = 0;            // least of its bodies
  bool asleep = false;
  float still = 0;        // seconds
  LayerMask support = 0;  // layers that held it up when it fell asleep
};

// Contacts pretend to be no deeper than this: what is buried comes out slowly, instead of being
// shot out at a speed that grows with its depth.
class ShallowDispatcher final : public btCollisionDispatcher {
 public:
  static constexpr float kDeepest = 0.05f;  // metres
  using btCollisionDispatcher::btCollisionDispatcher;
  void dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info,
                                 btDispatcher* dispatcher) override;
};

struct BulletWorld::Impl final : btOverlapFilterCallback {
  explicit Impl(const BulletWorldDef& given);
  ~Impl() override;

  // ---- objects of Bullet (bullet_world.cpp)
  void make_world();
  void clear_world();
  // Everything from the scene's states, by order.
  void rebuild();
  void insert(std::uint32_t index);
  void extract(std::uint32_t index);
  void connect(std::uint32_t joint);
  void disconnect(std::uint32_t joint);
  void apply_drive(BulletJoint& joint);
  bool simulated(std::uint32_t index) const;
  bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override;

  // ---- units (bullet_sleep.cpp)
  void join_unit(std::uint32_t index);
  void leave_unit(std::uint32_t index);
  void sort_units();
  void wake_unit(int unit);
  void wake_near(const Aabb& box);
  void put_to_sleep(SleepUnit& unit);
  bool is_still(SleepUnit& unit, float dt);
  void update_sleep(float dt);
  void wake_struck();
  void wake_carried();
  LayerMask support_of(std::uint32_t group, std::uint32_t body, float up) const;

  // ---- the step (bullet_step.cpp)
  void begin_step(int count);
  void substep(int k, int count);
  void move_kinematic_bodies(int k, int count);
  void hold_pins(int k, int count);
  void lift_out_of_fields(SceneBody& body, BulletBody& twin);
  void limit_speed(const BulletBody& body, btRigidBody& rigid);
  void read_back();

  SceneBody& slot(std::uint32_t i) { return scene.slot(i); }
  const SceneBody& slot(std::uint32_t i) const { return scene.slots()[i]; }
  const BulletJoint* find(JointId id) const;
  BulletJoint* find(JointId id) {
    return const_cast<BulletJoint*>(static_cast<const Impl*>(this)->find(id));
  }

  BulletWorldDef def;
  QueryScene scene;
  std::vector<BulletBody> bodies;
  std::vector<BulletJoint> joints;
  std::vector<SleepUnit> units;
  std::vector<int> unit_order;
  std::vector<std::uint32_t> fields;  // bodies made of a height field
  std::vector<std::uint32_t> moved;   // kinematic bodies with a way to go
  mutable std::vector<std::uint32_t> found;
  std::uint32_t groups = 0;
  double left = 0;
  int hurry = 0;  // substeps for which the solver works harder, after a blow

  std::unique_ptr<btDefaultCollisionConfiguration> configuration;
  std::unique_ptr<ShallowDispatcher> dispatcher;
  std::unique_ptr<btDbvtBroadphase> broadphase;
  std::unique_ptr<btSequentialImpulseConstraintSolver> solver;
  std::unique_ptr<btDiscreteDynamicsWorld> world;
};

}  // namespace sinew
