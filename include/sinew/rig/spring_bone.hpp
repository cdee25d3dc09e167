// Spring bones: hair, tails, straps that swing behind the body. Source: VRM 1.0, VRMC_springBone.
#pragma once

#include <sinew/rig/chain_ik.hpp>

namespace sinew::rig {

// A shape that keeps the tails of bones out, in the space of a node.
struct SpringCollider {
  enum class Shape : std::uint8_t {
    kSphere,   // about `offset`
    kCapsule,  // from `offset` to `tail`
    kPlane,    // through `offset`, free on the side of the node's +Y axis
  };
  NodeRef node;
  Shape shape = Shape::kSphere;
  Vec3 offset, tail;  // metres, node space
  float radius = 0.1f;

  void fields(FieldVisitor& v);
};

// Each joint from root to the one before tip swings about its animated direction; tip is only the
// end of the last bone. Steps are fixed at 1/60 s (the method's inertia has no time in it), what is
// shown lies between the last two. Bones keep their lengths; a tail is put exactly on the surface
// of a sphere or plane that it would enter.
struct SpringBone {
  static constexpr const char* kName = "spring_bone";
  static constexpr const char* kSummary = "Lets a chain of joints swing, with colliders";
  static constexpr bool kRunsIdle = true;  // weight 0 starts over from the animated pose

  NodeRef root, tip;
  NodeRef center;  // motion of this node makes nothing swing; absent: the world
  Value stiffness{1}, drag{0.4f}, gravity{0};
  Vec3 gravity_direction{0, -1, 0};  // world
  Value hit_radius{0.02f};           // metres
  std::vector<SpringCollider> colliders;

  void fields(FieldVisitor& v);
  void bind(BindContext& b);
  RigStatus evaluate(RigEval& e) const;
  void draw(RigEval& e, DebugDraw& draw) const;

  // Element 0 is the clock: time not yet stepped in current.x, 1 in current.y once it runs. The
  // others are the bones' tails, in the centre's space.
  struct State {
    Vec3 current, previous;
  };
  int state_count() const { return static_cast<int>(joints_.size()); }

 private:
  struct Bone;
  void step(RigEval& e, std::span<State> tails, const Bone* bones, const Transform& parent,
            const Transform& centre) const;
  Vec3 collide(RigEval& e, Vec3 head, Vec3 direction, float length) const;

  std::vector<NodeRef> joints_;
  Vec3 down_{0, -1, 0};
};

}  // namespace sinew::rig
