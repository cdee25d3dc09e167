// Falls of real ragdolls under conditions that can be repeated: what `sinew bench ragdoll` and the
// tests measure.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <sinew/asset/model.hpp>
#include <sinew/base/result.hpp>
#include <sinew/physics_bullet/bullet_world.hpp>
#include <sinew/ragdoll/auto_ragdoll.hpp>
#include <sinew/ragdoll/ragdoll.hpp>
#include <sinew/ragdoll/settle.hpp>

namespace sinew::trials {

// A character with an automatic ragdoll.
struct Rig {
  std::string name;
  std::shared_ptr<const Model> model;
  RagdollSource source;
  RagdollDef def;
  RagdollCoverage coverage;
  float height = 1.75f;  // metres, of the skin
};

// Errors of the importer or of the builder. Skeletons without a mesh get a capsule skin. `scale`:
// of the whole character.
Result<Rig> load_rig(const std::filesystem::path& file, float scale = 1);
Result<Rig> make_rig(std::shared_ptr<const Model> model, float scale = 1);

enum class Ground : std::uint8_t { kPlane, kSlope, kStairs, kField };

// Seeded numbers, the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  float unit();  // [0, 1)
  float in(float low, float high) { return low + (high - low) * unit(); }
  int below(int n);
  Vec3 direction();

 private:
  std::uint64_t bits();
  std::uint64_t state_;
};

struct GroundDef {
  Ground kind = Ground::kPlane;
  float slope = 25 * 0.017453293f;           // radians, of kSlope
  std::shared_ptr<const HeightField> field;  // of kField
  float unit = 1;                            // stairs are in proportion to the character
};
void add_ground(PhysicsWorld& world, const GroundDef& ground);
// Height of the ground above (x, z), as a ray finds it.
float ground_height(const PhysicsWorld& world, float x, float z);

// One character in a world, moved by a clip until it falls.
class Actor {
 public:
  Actor(const Rig& rig, PhysicsWorld& world, std::uint64_t order);

  // A clip of the model, or -1 for the rest pose.
  void play(int clip, float time);
  void place(Vec3 position, float yaw);
  // Advances the clip and poses the bodies: `places()` before and now.
  void animate(float dt);
  const std::vector<BodyPlace>& before() const { return before_; }
  const std::vector<BodyPlace>& now() const { return now_; }
  std::vector<BodyState> moving(float dt) const;
  // The clip's length; 0 in the rest pose.
  float duration() const;

  Ragdoll ragdoll;
  std::vector<BodyState> states;  // after read()
  std::vector<JointReading> joints;
  void read(const PhysicsWorld& world);

 private:
  const Rig* rig_;
  int clip_ = -1;
  float time_ = 0;
  Transform world_;
  std::vector<Transform> local_;
  std::vector<Mat3x4> model_;
  std::vector<BodyPlace> before_, now_;
};

struct FallDef {
  GroundDef ground;
  std::uint64_t seed = 1;
  float seconds = 10;
  float rate = 60;           // steps of the world a second
  float impulse = 60;        // N s; capped: the most, at 73 kg, in proportion elsewhere
  bool cap = true;           // of the hit
  bool moving = true;        // starts with the speed of the animation
  float sunk = 0;            // metres that the start lies in the ground
  float most_height = 0.5f;  // metres of free fall at the start, at most
};

struct FallResult {
  std::vector<float> gaps;        // metres, every joint and tick
  std::vector<float> overshoots;  // radians
  float largest_gap = 0;
  float settled_at = -1;     // seconds; negative: not by the settle test
  bool asleep = false;       // at the end
  float momentum_error = 0;  // relative, where it moved faster than 0.5 m/s; else 0
  float rise = 0;            // of the root body above its start, metres, in the first 5 s
  float top_speed = 0;       // of any body in the first 5 s, m/s
  float gap_at_2s = 0;       // largest of the 3 ticks around 2 s after the hit
  bool lost = false;         // left the ground or was not finite
  Vec3 rest;                 // of the root body at the end
  std::uint64_t hash = 0;    // of all states of the fall
};

// From a random clip, time, heading and hit of the seed. `watch`, if given, is called after every
// tick (pictures).
using Watch = std::function<void(const PhysicsWorld& world, const Actor& actor, int tick)>;
FallResult fall(const Rig& rig, const FallDef& def, const Watch& watch = {});

// Value at a share of the values (nearest rank); 0 for none.
float percentile(std::vector<float> values, float share);

}  // namespace sinew::trials
