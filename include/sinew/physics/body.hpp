// Bodies and joints as a physics world takes them.
#pragma once

#include <span>

#include <sinew/base/id.hpp>
#include <sinew/physics/layers.hpp>
#include <sinew/physics/shape.hpp>

namespace sinew {

using BodyId = Id<struct BodyTag>;
using JointId = Id<struct PhysicsJointTag>;

enum class Motion : std::uint8_t {
  kStatic,     // never moves
  kKinematic,  // goes where it is told, pushes, is not pushed
  kDynamic,    // obeys forces
};

enum class Presence : std::uint8_t {
  kNone,     // kept, but neither seen nor met: a ragdoll in reserve
  kQueries,  // seen by casts and overlaps alone: hit shapes of an animated character
  kFull,     // part of the simulation too
};

// Place and speed of a body: of its frame, whose origin is the mass centre. World space.
struct BodyState {
  Vec3 position;
  Quat rotation;
  Vec3 linear_velocity;   // m/s
  Vec3 angular_velocity;  // rad/s
  friend bool operator==(const BodyState&, const BodyState&) = default;
};

struct BodyDef {
  Motion motion = Motion::kStatic;
  Presence presence = Presence::kFull;
  BodyState state;
  std::span<const Shape> shapes;  // 1 to kMaxShapesPerBody, copied
  float mass = 0;                 // kg, (0, 1e6] for bodies that may become dynamic
  Vec3 inertia;                   // kg m^2 about the body's axes; zero: from the shapes
  float friction = 0.8f;
  float restitution = 0;
  float linear_damping = 0.02f;  // share of the speed lost per second
  float angular_damping = 0.3f;
  bool continuous = true;  // fast motion is swept, so that it does not pass through thin things
  float max_speed = 0;     // m/s; 0: no limit
  LayerMask layer = kLayerGround;
  LayerMask mask = kAllLayers;
  // Bodies that belong together (one ragdoll): they fall asleep and wake together, and queries may
  // leave all of them out. 0: none.
  std::uint32_t group = 0;
  std::uint8_t index_in_group = 0;  // [0, 63]
  std::uint64_t group_ignore = 0;   // bit i: does not meet the body with index i of its group
  std::uint64_t order = 0;  // bodies are simulated in this order, equal ones by their index: the
                            // same bits whatever was added and removed before. Unique for save()
  std::uint64_t user = 0;   // the owner's own mark, given back by hits
};

// Angles of a joint: child in parent is qz * qy * qx of the joint's frames (from_euler_xyz). X is
// the child's long axis: twist; Y and Z are swing. The Y axis must stay within +-85 degrees; drives
// are exact within +-55.
struct BodyJointDef {
  BodyId parent, child;
  Vec3 parent_anchor, child_anchor;  // in the bodies' spaces, metres
  Quat parent_frame, child_frame;    // body <- joint frame
  Vec3 low, high;                    // radians, low <= high, [-pi, pi]; equal: locked
  float friction = 3;                // N m about each axis: what resists while no motor drives it
};

// Drives a joint toward angles.
struct MotorDrive {
  Vec3 target;           // radians about X, Y, Z as above, reached at the end of the next step()
  float max_torque = 0;  // N m about each axis; 0: limp, only the joint's friction resists
};

// Draws a body toward a place, reached at the end of the next step() with weight 1.
struct BodyPin {
  Vec3 position;
  Quat rotation;
  float weight = 0;  // [0, 1]: share of the way in velocity; 0: none
};

struct JointReading {
  Vec3 angles;          // radians
  float gap = 0;        // metres between the two anchors
  float overshoot = 0;  // radians beyond the limits, of the worst axis
};

// A place where two bodies touch. `normal` points from b to a.
struct ContactPoint {
  BodyId a, b;
  Vec3 point;       // world, on b
  Vec3 normal;      // unit
  float depth = 0;  // metres, positive: overlap
};

// Errors name what is wrong: no shape, a bad shape, a mass that is zero, negative, not finite or
// above 1e6 kg for a dynamic body, a plane or field that moves, a place that is not finite, a
// rotation without direction, an index in the group above 63.
Status validate(const BodyDef& def);
// Errors: limits out of order or range, frames that are no rotations, anchors that are not finite,
// parent and child the same.
Status validate(const BodyJointDef& def);

}  // namespace sinew
