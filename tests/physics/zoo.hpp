// Bodies and ground for tests of physics worlds.
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include <sinew/physics/physics_world.hpp>

#include "random_source.hpp"

namespace sinew::testing {

// Bodies of every kind around the origin, the same for every world.
struct Zoo {
  std::vector<BodyId> ids;
  std::vector<std::vector<Shape>> shapes;
  std::vector<BodyState> states;
};

inline std::shared_ptr<const HeightField> hills() {
  HeightFieldDef def;
  def.columns = 33;
  def.rows = 25;
  def.cell = 0.5f;
  def.origin = {-8, 0, -6};
  Random random(7);
  for (int i = 0; i < def.columns * def.rows; ++i) def.heights.push_back(random.in(-0.4f, 0.4f));
  for (int i = 0; i < 32 * 24; ++i) def.materials.push_back(static_cast<std::uint8_t>(i % 3));
  def.surfaces = {2, 5};  // material 2 is not in the table
  return HeightField::build(std::move(def)).value();
}

inline std::shared_ptr<const TriangleMesh> rubble(bool two_sided = true) {
  TriangleMeshDef def;
  def.two_sided = two_sided;
  Random random(11);
  for (int i = 0; i < 300; ++i) {
    const Vec3 at = random.vec(4);
    for (int k = 0; k < 3; ++k) {
      def.positions.push_back(at + random.vec(0.7f));
      def.indices.push_back(static_cast<std::uint32_t>(3 * i + k));
    }
    def.materials.push_back(static_cast<std::uint16_t>(i % 5));
  }
  def.surfaces = {0, 3, 4, 9};
  return TriangleMesh::build(std::move(def)).value();
}

inline BodyId add(PhysicsWorld& world, const Shape& shape, Vec3 position, Quat rotation = {},
                  LayerMask layer = kLayerGround, Motion motion = Motion::kStatic, float mass = 0) {
  BodyDef def;
  def.shapes = std::span(&shape, 1);
  def.state.position = position;
  def.state.rotation = rotation;
  def.layer = layer;
  def.motion = motion;
  def.mass = mass;
  Result<BodyId> id = world.add_body(def);
  EXPECT_TRUE(id.ok()) << (id.ok() ? "" : to_string(id.error()));
  return id.ok() ? *id : BodyId{};
}

inline Zoo make_zoo(PhysicsWorld& world, std::uint64_t seed, int bodies) {
  Random random(seed);
  Zoo zoo;
  for (int i = 0; i < bodies; ++i) {
    std::vector<Shape> shapes;
    const int parts = 1 + random.below(2);
    for (int k = 0; k < parts; ++k) {
      Shape shape = random.below(3) == 0 ? Shape::sphere(random.in(0.05f, 0.8f))
                    : random.below(2) == 0
                        ? Shape::capsule(random.in(0.05f, 0.5f), random.in(0, 0.8f))
                        : Shape::box({random.in(0.05f, 0.8f), random.in(0.05f, 0.8f),
                                      random.in(0.05f, 0.8f)});
      shape.position = random.vec(0.3f);
      shape.rotation = random.rotation();
      shape.surface = static_cast<SurfaceId>(i);
      shapes.push_back(shape);
    }
    BodyDef def;
    def.shapes = shapes;
    def.state.position = random.vec(5);
    def.state.rotation = random.rotation();
    def.layer = 1u << random.below(4);
    def.user = static_cast<std::uint64_t>(1000 + i);
    def.order = static_cast<std::uint64_t>(i);
    zoo.ids.push_back(world.add_body(def).value());
    zoo.shapes.push_back(shapes);
    zoo.states.push_back(def.state);
  }
  return zoo;
}

}  // namespace sinew::testing
