// Bodies as queries see them: shapes in a tree of boxes, exact casts against each. Every world of
// Sinew answers queries by this, so that they agree to the bit whatever simulates.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <sinew/physics/physics_world.hpp>

namespace sinew {

// What is kept of one body.
struct SceneBody {
  std::uint32_t generation = 0;
  bool alive = false;
  Motion motion = Motion::kStatic;
  Presence presence = Presence::kNone;
  BodyState state;
  std::vector<Shape> shapes;
  LayerMask layer = 0, mask = 0;
  std::uint32_t group = 0;
  std::uint8_t index_in_group = 0;
  std::uint64_t group_ignore = 0, order = 0, user = 0;
  float mass = 0;
  Vec3 inertia;
  Aabb bounds;
  int leaf = -1;  // in the tree
};

class QueryScene {
 public:
  QueryScene();
  ~QueryScene();
  QueryScene(QueryScene&&) noexcept;
  QueryScene& operator=(QueryScene&&) noexcept;

  Result<BodyId> add(const BodyDef& def);
  bool remove(BodyId id);
  // Null for a stale id.
  const SceneBody* find(BodyId id) const;
  SceneBody* find(BodyId id);
  // By slot; dead ones among them.
  std::span<const SceneBody> slots() const { return bodies_; }
  SceneBody& slot(std::uint32_t index) { return bodies_[index]; }
  BodyId id_of(std::uint32_t index) const { return {index, bodies_[index].generation}; }
  std::span<const BodyId> ids() const { return ids_; }

  // Moves a body's shapes with it.
  void place(std::uint32_t index, Vec3 position, Quat rotation);
  void set_presence(std::uint32_t index, Presence presence);

  bool cast(const RayCast& ray, Hit& hit) const;
  bool cast(const CapsuleCast& capsule, Hit& hit) const;
  std::size_t overlap(const CapsuleOverlap& capsule, std::span<Hit> out) const;
  // Slots whose boxes overlap `box`, by rising index; as many as fit.
  std::size_t in_box(const Aabb& box, std::span<std::uint32_t> out) const;

 private:
  struct Tree;
  void refit(std::uint32_t index);

  std::vector<SceneBody> bodies_;
  std::vector<std::uint32_t> free_;
  std::vector<BodyId> ids_;
  std::unique_ptr<Tree> tree_;
};

}  // namespace sinew
