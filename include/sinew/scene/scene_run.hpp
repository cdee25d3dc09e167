// Plays a scene: spawns its characters, moves patrols, gives scripted inputs, and keeps count of
// what happened.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include <sinew/scene/scene_def.hpp>

namespace sinew {

struct StateVisit {
  std::string state;  // path
  int entries = 0;
  double seconds = 0;  // current, alone or as the source of a transition
};

struct CharacterSummary {
  std::string name;
  std::string definition;
  bool alive = false;
  Vec3 position;                      // at the end, or where it was last
  double distance = 0;                // metres over the ground
  double top_speed = 0;               // metres per second, over a tick
  int way_points = 0;                 // reached
  int transitions = 0;                // started
  std::vector<StateVisit> states;     // visited, in order of first entry
  std::map<std::string, int> events;  // clip events by name
};

// Cost of World::update in seconds of wall clock. Not part of any hash.
struct TickCost {
  std::uint64_t ticks = 0;
  double min = 0, median = 0, p99 = 0, max = 0;
};

struct SceneSummary {
  std::string scene;
  std::uint64_t ticks = 0;
  double seconds = 0;          // simulated
  std::uint64_t hash = 0;      // of the last state
  std::uint64_t run_hash = 0;  // over the hashes of all ticks
  int transitions = 0;
  int events = 0;
  std::uint64_t dropped_events = 0;
  TickCost cost;
  std::vector<CharacterSummary> characters;
};

// Turns toward `desired_yaw` and slows down while far off it, so that it never circles a point.
struct PatrolStep {
  float turn = 0;   // radians in this tick
  float speed = 0;  // metres per second wanted at the end of the tick
};
// heading: yaw now; to_target: on the ground, metres; target_speed: metres per second on straight
// ways.
PatrolStep step_patrol(const PatrolDef& patrol, float heading, Vec3 to_target, float target_speed,
                       float speed, float dt);

class SceneRun {
 public:
  // The scene must outlive the run. `jobs` as in WorldDef.
  explicit SceneRun(const Scene& scene, JobSystem* jobs = nullptr);

  bool done() const { return next_ >= scene_->tick_count(); }
  // One tick: the scene's inputs, then the world's update. May go on past done().
  void step();
  // Of the tick that step() has just done.
  Tick tick() const { return {next_ - 1, scene_->dt}; }
  std::span<const WorldInput> inputs() const { return inputs_; }
  std::uint64_t state_hash() const { return hash_; }

  World& world() { return world_; }
  const World& world() const { return world_; }
  const Scene& scene() const { return *scene_; }
  // Of character i of the scene; null before its spawn, stale after a despawn.
  CharacterId id(int character) const { return actors_[static_cast<std::size_t>(character)].id; }
  // Index of the character with that id, -1 if there is none.
  int index_of(CharacterId id) const;

  SceneSummary summary() const;

  // The whole run: world, patrols, scripts; not the counts of the summary.
  void save(std::vector<std::byte>& out) const;
  Status restore(std::span<const std::byte> bytes);

 private:
  // What the scene does with one character.
  struct Actor {
    CharacterId id;
    bool spawned = false;
    std::uint32_t way_point = 0;
    float speed = 0;           // of the patrol, metres per second
    double wait = 0;           // seconds left
    bool arrived = false;      // at the end of a patrol that does not loop
    std::uint32_t script = 0;  // next step
  };
  void give_inputs(int character);
  void spawn(int character);
  void patrol(int character);
  void count(int character);

  const Scene* scene_;
  World world_;
  std::vector<Actor> actors_;
  std::vector<CharacterSummary> counts_;
  std::vector<std::vector<int>> visit_of_state_;  // per character: state -> index in states, or -1
  std::vector<WorldInput> inputs_;
  std::vector<float> costs_;  // seconds
  std::uint64_t next_ = 0, hash_ = 0, run_hash_ = 0;
};

// Smallest, middle and 99th percentile (nearest rank).
TickCost tick_cost(std::vector<float> seconds);

}  // namespace sinew
