// A character as an upright capsule that walks: moved by sweeps, so that it never enters anything.
// Where it stands on the ground its height is a function of its place alone, falls are solved
// exactly, and the moments of leaving the ground and of landing are found inside a tick: the path
// is the same at any tick rate.
#pragma once

#include <sinew/physics/physics_world.hpp>

namespace sinew {

struct CapsuleControllerDef {
  float radius = 0.3f;             // metres, > 0
  float height = 1.8f;             // from sole to crown, at least 2 * radius
  float step_height = 0.35f;       // what it climbs, and follows downward, without falling
  float max_slope = 0.8901179f;    // radians (51 degrees): steeper ground does not carry
  float gravity = 9.81f;           // m/s^2, downward
  float max_fall_speed = 60;       // m/s
  LayerMask meets = kSolidLayers;  // what stops it
};

// Errors: sizes that are not positive or finite, a height below 2 * radius, a slope outside
// [0, 89 degrees], a step height that is negative or above 10 m.
Status validate(const CapsuleControllerDef& def);

// Trivially copyable: saving it is copying it.
struct CapsuleControllerState {
  Vec3 position;  // of the capsule's lowest point, world
  Vec3 velocity;  // of falling and sliding, m/s; zero on the ground
  bool grounded = false;
  Vec3 ground_normal{0, 1, 0};  // of the face that carries, not of its edge
  SurfaceId surface = kDefaultSurface;
  BodyId ground;         // what carries, null in the air
  Vec3 ground_position;  // where that body was, to be carried along with it
  Quat ground_rotation;
};

struct CapsuleMove {
  Vec3 velocity;         // wanted over the ground, m/s; y does not count
  float jump_speed = 0;  // m/s; > 0 on the ground: jumps, and the snap to the ground rests
};

struct CapsuleMoveResult {
  float carried_yaw = 0;  // radians, by what it stands on
  bool jumped = false, landed = false, left_ground = false, hit_wall = false, hit_ceiling = false;
  float landing_speed = 0;  // m/s downward, where landed
};

// Moves for dt seconds (not finite or negative: 0). Horizontal speed is kept on slopes. Bodies that
// carry it must have been moved before (PhysicsWorld::move_kinematic). `self` and `own_group` are
// not met. Cost: 2 to 4 casts on open ground.
CapsuleMoveResult move_capsule(const PhysicsWorld& world, const CapsuleControllerDef& def,
                               const CapsuleMove& move, float dt, CapsuleControllerState& state,
                               BodyId self = {}, std::uint32_t own_group = 0);

// True if a capsule standing at `position` overlaps nothing that it meets: room to stand.
bool capsule_fits(const PhysicsWorld& world, const CapsuleControllerDef& def, Vec3 position,
                  BodyId self = {}, std::uint32_t own_group = 0);

}  // namespace sinew
