#include "zoo.hpp"

namespace sinew::testing {

TEST(HeightFieldDef, RefusesWhatDoesNotFit) {
  HeightFieldDef good;
  good.columns = good.rows = 2;
  good.heights = {0, 1, 2, 3};
  EXPECT_TRUE(HeightField::build(good).ok());
  const auto refused = [&](auto&& change) {
    HeightFieldDef def = good;
    change(def);
    return !HeightField::build(def).ok();
  };
  EXPECT_TRUE(refused([](HeightFieldDef& d) { d.columns = 1; }));
  EXPECT_TRUE(refused([](HeightFieldDef& d) { d.columns = 1 << 20; }));
  EXPECT_TRUE(refused([](HeightFieldDef& d) { d.heights.pop_back(); }));
  EXPECT_TRUE(refused([](HeightFieldDef& d) { d.cell = 0; }));
  EXPECT_TRUE(refused([](HeightFieldDef& d) { d.materials = {1, 2}; }));
  EXPECT_TRUE(
      refused([](HeightFieldDef& d) { d.heights[1] = std::numeric_limits<float>::quiet_NaN(); }));
}

TEST(HeightFieldDef, HeightLiesOnTheTriangles) {
  const auto field = hills();
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const float x = random.in(-8, 8), z = random.in(-6, 6);
    float height = 0;
    ASSERT_TRUE(field->height_at(x, z, height));
    const Triangle t = field->triangle(field->triangle_at(x, z));
    const Vec3 n = normalize_or(cross(t.b - t.a, t.c - t.a), kAxisY);
    EXPECT_GT(n.y, 0);
    EXPECT_NEAR(dot(Vec3{x, height, z} - t.a, n), 0, 1e-4f);
  }
  float height = 0;
  EXPECT_FALSE(field->height_at(8.01f, 0, height));
  EXPECT_FALSE(field->height_at(std::numeric_limits<float>::quiet_NaN(), 0, height));
}

TEST(TriangleMeshDef, RefusesWhatDoesNotFit) {
  TriangleMeshDef good;
  good.positions = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
  good.indices = {0, 1, 2};
  EXPECT_TRUE(TriangleMesh::build(good).ok());
  const auto refused = [&](auto&& change) {
    TriangleMeshDef def = good;
    change(def);
    return !TriangleMesh::build(def).ok();
  };
  EXPECT_TRUE(refused([](TriangleMeshDef& d) { d.indices[2] = 3; }));
  EXPECT_TRUE(refused([](TriangleMeshDef& d) { d.indices.pop_back(); }));
  EXPECT_TRUE(refused([](TriangleMeshDef& d) { d.indices.clear(); }));
  EXPECT_TRUE(refused([](TriangleMeshDef& d) { d.materials = {0, 0}; }));
  EXPECT_TRUE(refused(
      [](TriangleMeshDef& d) { d.positions[0].x = std::numeric_limits<float>::infinity(); }));
}

TEST(Surfaces, UnknownIsTheDefault) {
  SurfaceTable table;
  const SurfaceId grass = table.add("grass");
  EXPECT_EQ(table.add("grass"), grass);
  EXPECT_EQ(table.find("gras"), kDefaultSurface);
  EXPECT_EQ(table.name(grass), "grass");
  EXPECT_EQ(table.name(99), "default");
  EXPECT_EQ(table.add(""), kDefaultSurface);
}

TEST(Shapes, MassPropertiesOfSimpleSolids) {
  const Shape box = Shape::box({0.5f, 1, 1.5f});
  const MassProperties b = mass_properties(std::span(&box, 1), 12);
  EXPECT_NEAR(b.inertia.x, 12.0f / 12 * (4 + 9), 1e-4f);
  EXPECT_NEAR(b.inertia.y, 12.0f / 12 * (1 + 9), 1e-4f);
  // A capsule by slices.
  const float r = 0.2f, h = 0.5f;
  double mass = 0, along = 0, across = 0;
  const int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double y = -0.7 + 1.4 * (i + 0.5) / n, past = std::max(0.0, std::abs(y) - 0.5);
    const double r2 = std::max(0.0, 0.04 - past * past), m = 3.14159265 * r2 * 1.4 / n;
    mass += m;
    along += 0.5 * m * r2;
    across += m * (0.25 * r2 + y * y);
  }
  const Shape capsule = Shape::capsule(r, h);
  const MassProperties c = mass_properties(std::span(&capsule, 1), static_cast<float>(mass));
  EXPECT_NEAR(volume_of(capsule), mass, 1e-4);
  EXPECT_NEAR(c.inertia.y, along, 1e-5);
  EXPECT_NEAR(c.inertia.x, across, 1e-5);
  // Two boxes make one longer box.
  const Shape halves[] = {Shape::box({0.5f, 0.5f, 0.5f}, {0.5f, 0, 0}),
                          Shape::box({0.5f, 0.5f, 0.5f}, {-0.5f, 0, 0})};
  const MassProperties two = mass_properties(halves, 6);
  EXPECT_NEAR(two.inertia.y, 6.0f / 12 * (4 + 1), 1e-4f);
  // Turned by a quarter about Z: x and y change places.
  const Shape turned = Shape::capsule(r, h, {}, from_axis_angle(kAxisZ, kHalfPi));
  EXPECT_NEAR(mass_properties(std::span(&turned, 1), static_cast<float>(mass)).inertia.x, along,
              1e-5);
}

}  // namespace sinew::testing
