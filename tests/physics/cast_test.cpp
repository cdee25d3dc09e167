// Casts against brute force: distances by ternary search over convex functions, in double.
#include <cmath>
#include <functional>
#include <limits>

#include <sinew/physics/null_world.hpp>

#include "zoo.hpp"

namespace sinew::testing {

namespace {

struct P {
  double x, y, z;
};
P operator+(P a, P b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
P operator-(P a, P b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
P operator*(P a, double s) { return {a.x * s, a.y * s, a.z * s}; }
double dot(P a, P b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double norm(P a) { return std::sqrt(dot(a, a)); }
P widen(Vec3 v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

// The least value of a convex function over [0, 1].
double least(const std::function<double(double)>& f) {
  double low = 0, high = 1;
  for (int i = 0; i < 50; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
  }
  return f(0.5 * (low + high));
}

double to_segment(P p, P a, P b) {
  const P ab = b - a;
  const double l2 = dot(ab, ab);
  return norm(p - (a + ab * (l2 > 0 ? std::clamp(dot(p - a, ab) / l2, 0.0, 1.0) : 0.0)));
}
// The foot on the plane where its barycentric coordinates are positive, else the nearest edge.
double to_triangle(P p, const Triangle& t) {
  const P a = widen(t.a), e1 = widen(t.b) - a, e2 = widen(t.c) - a, d = p - a;
  const double g11 = dot(e1, e1), g12 = dot(e1, e2), g22 = dot(e2, e2), det = g11 * g22 - g12 * g12;
  const double u = (g22 * dot(d, e1) - g12 * dot(d, e2)) / det,
               v = (g11 * dot(d, e2) - g12 * dot(d, e1)) / det;
  if (det > 0 && u >= 0 && v >= 0 && u + v <= 1) return norm(d - e1 * u - e2 * v);
  const P b = widen(t.b), c = widen(t.c);
  return std::min({to_segment(p, a, b), to_segment(p, b, c), to_segment(p, c, a)});
}

// Signed only for round shapes; boxes: 0 inside.
double to_shape(P world, const Shape& shape, const BodyState& body) {
  const Vec3 at = body.position + rotate(body.rotation, shape.position);
  const Quat q = conjugate(body.rotation * shape.rotation);
  const P d = world - widen(at);
  const Vec3 local =
      rotate(q, Vec3{static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
  const P p = widen(local);
  const auto r = static_cast<double>(shape.radius), h = static_cast<double>(shape.half_height);
  if (shape.kind == ShapeKind::kSphere) return norm(p) - r;
  if (shape.kind == ShapeKind::kCapsule) return norm({p.x, p.y - std::clamp(p.y, -h, h), p.z}) - r;
  const P e = widen(shape.half_extents);
  return norm({p.x - std::clamp(p.x, -e.x, e.x), p.y - std::clamp(p.y, -e.y, e.y),
               p.z - std::clamp(p.z, -e.z, e.z)});
}

struct Sweeper {
  P a, b, dir;
  double radius;
  double distance(double t, const std::function<double(P)>& to) const {
    return least([&](double s) { return to(a + (b - a) * s + dir * t); }) - radius;
  }
};

// Free before the hit, touching at it. `gap` is how far the numbers may be off.
void expect_first_touch(const Sweeper& sweep, double length, bool any, double t,
                        const std::function<double(P)>& to, double gap) {
  const double end = any ? t : length;
  for (int i = 0; i < 24; ++i) {
    ASSERT_GT(sweep.distance(end * i / 24.0, to), -gap) << "in it at " << end * i / 24.0;
  }
  if (any) {
    ASSERT_NEAR(sweep.distance(t, to), 0, gap);
  }
}

}  // namespace

TEST(Casts, CapsuleAgainstSolidsIsTheFirstTouch) {
  Random random(1);
  int hits = 0;
  for (int i = 0; i < 300; ++i) {
    NullWorld world;
    const Zoo zoo = make_zoo(world, static_cast<std::uint64_t>(i + 1), 1);
    const Vec3 centre = random.vec(6), half = random.direction() * (i % 3 == 0 ? 0.0f : 0.6f);
    const float radius = random.in(0.05f, 0.5f), length = 12;
    const Vec3 dir = normalize_or(zoo.states[0].position + random.vec(0.6f) - centre, kAxisX);
    const Sweeper sweep{widen(centre - half), widen(centre + half), widen(dir),
                        static_cast<double>(radius)};
    const auto to = [&](P p) {
      double d = 1e9;
      for (const Shape& shape : zoo.shapes[0]) d = std::min(d, to_shape(p, shape, zoo.states[0]));
      return d;
    };
    // Of two shapes the distance is not convex along the axis: each alone.
    bool inside = false;
    for (const Shape& shape : zoo.shapes[0]) {
      inside =
          inside || sweep.distance(0, [&](P p) { return to_shape(p, shape, zoo.states[0]); }) <= 0;
    }
    if (inside) continue;
    Hit hit;
    const CapsuleCast cast{centre - half, centre + half, radius, dir * 3, length, {}};
    const bool any = world.cast(cast, hit);
    hits += any;
    if (any) {
      const Shape& shape = zoo.shapes[0][static_cast<std::size_t>(hit.shape)];
      expect_first_touch(
          sweep, length, true, static_cast<double>(hit.distance),
          [&](P p) { return to_shape(p, shape, zoo.states[0]); }, 2e-5);
      EXPECT_NEAR(to(widen(hit.point)), 0, 1e-4);
      EXPECT_LE(sinew::dot(hit.normal, dir), 1e-4f);
    } else {
      for (const Shape& shape : zoo.shapes[0]) {
        expect_first_touch(
            sweep, length, false, 0, [&](P p) { return to_shape(p, shape, zoo.states[0]); }, 2e-5);
      }
    }
  }
  EXPECT_GT(hits, 150);
}

TEST(Casts, CapsuleAgainstTrianglesIsTheFirstTouch) {
  Random random(2);
  int hits = 0;
  for (int i = 0; i < 150; ++i) {
    TriangleMeshDef def;
    def.positions = {random.vec(1.5f), random.vec(1.5f), random.vec(1.5f)};
    // Thin ones among them.
    if (i % 5 == 0) def.positions[2] = def.positions[0] + random.vec(0.02f);
    def.indices = {0, 1, 2};
    const auto mesh = TriangleMesh::build(def).value();
    NullWorld world;
    add(world, Shape::terrain(mesh), {});
    const Triangle t = mesh->triangle(0);
    const Vec3 centre = random.vec(4), half = random.direction() * (i % 3 == 0 ? 0.0f : 0.7f);
    const float radius = random.in(0.02f, 0.5f), length = 8;
    const Vec3 aim = (t.a + t.b + t.c) / 3 + random.vec(0.5f);
    const Vec3 dir = normalize_or(aim - centre, kAxisX);
    const Sweeper sweep{widen(centre - half), widen(centre + half), widen(dir),
                        static_cast<double>(radius)};
    const auto to = [&](P p) { return to_triangle(p, t); };
    if (sweep.distance(0, to) <= 0) continue;
    Hit hit;
    const bool any =
        world.cast(CapsuleCast{centre - half, centre + half, radius, dir, length, {}}, hit);
    hits += any;
    expect_first_touch(sweep, length, any, static_cast<double>(hit.distance), to, 3e-5);
  }
  EXPECT_GT(hits, 80);
}

TEST(Casts, RaysAgainstSolidsAreTheFirstPointOfTheSurface) {
  Random random(3);
  int hits = 0;
  for (int i = 0; i < 500; ++i) {
    NullWorld world;
    const Zoo zoo = make_zoo(world, static_cast<std::uint64_t>(i + 700), 1);
    const Vec3 from = random.vec(7);
    const Vec3 dir = normalize_or(zoo.states[0].position + random.vec(0.8f) - from, kAxisX);
    bool inside = false;
    for (const Shape& shape : zoo.shapes[0]) {
      inside = inside || to_shape(widen(from), shape, zoo.states[0]) <= 0;
    }
    if (inside) continue;
    Hit hit;
    const bool any = world.cast(RayCast{from, dir, 15, {}}, hit);
    hits += any;
    const double end = any ? static_cast<double>(hit.distance) : 15;
    for (int k = 0; k < 100; ++k) {
      for (const Shape& shape : zoo.shapes[0]) {
        ASSERT_GT(to_shape(widen(from) + widen(dir) * (end * k / 100.0), shape, zoo.states[0]),
                  -2e-5);
      }
    }
    if (any) {
      const Shape& shape = zoo.shapes[0][static_cast<std::size_t>(hit.shape)];
      EXPECT_NEAR(to_shape(widen(hit.point), shape, zoo.states[0]), 0, 2e-5);
    }
  }
  EXPECT_GT(hits, 150);
}

// The tree and the pieces of a long way lose nothing: against all triangles one by one.
TEST(Casts, TerrainAgainstAllItsTriangles) {
  const auto mesh = rubble();
  const auto field = hills();
  NullWorld whole;
  const BodyId mesh_id = add(whole, Shape::terrain(mesh), {0, 3, 0}, from_yaw(1));
  add(whole, Shape::terrain(field), {});
  std::vector<std::shared_ptr<const TriangleMesh>> singles;
  const auto single = [](const Triangle& t, bool two_sided) {
    TriangleMeshDef def;
    def.positions = {t.a, t.b, t.c};
    def.indices = {0, 1, 2};
    def.two_sided = two_sided;
    return TriangleMesh::build(def).value();
  };
  NullWorld parts;
  for (int i = 0; i < mesh->triangle_count(); ++i) {
    add(parts, Shape::terrain(single(mesh->triangle(i), true)), {0, 3, 0}, from_yaw(1));
  }
  for (int i = 0; i < field->triangle_count(); ++i) {
    add(parts, Shape::terrain(single(field->triangle(i), false)), {});
  }
  Random random(5);
  int hits = 0, ties = 0;
  for (int i = 0; i < 1500; ++i) {
    Vec3 from = random.vec(9);
    from.y = random.in(0.6f, 7);
    const Vec3 dir = random.direction();
    const float radius = i % 2 == 0 ? 0.0f : 0.15f, length = i % 3 == 0 ? 40.0f : 6.0f;
    Hit a, b;
    bool hit_a = false, hit_b = false;
    if (i % 4 == 0) {
      hit_a = whole.cast(RayCast{from, dir, length, {}}, a);
      hit_b = parts.cast(RayCast{from, dir, length, {}}, b);
    } else {
      const CapsuleCast cast{from, from + random.direction() * 0.3f, radius, dir, length, {}};
      hit_a = whole.cast(cast, a);
      hit_b = parts.cast(cast, b);
    }
    ASSERT_EQ(hit_a, hit_b) << i;
    if (!hit_a) continue;
    ++hits;
    EXPECT_NEAR(a.distance, b.distance, 1e-5f) << i;
    const int triangle = static_cast<int>(b.body.index);
    const int expected = a.body == mesh_id ? triangle : triangle - mesh->triangle_count();
    // On an edge either of its triangles may be the nearer by a rounding.
    if (a.distance > 0 && a.triangle != expected) ++ties;
  }
  EXPECT_GT(hits, 300);
  EXPECT_LT(ties, hits / 10);
}

TEST(Casts, ManyBodiesAgainstEachAlone) {
  NullWorld world;
  const Zoo zoo = make_zoo(world, 77, 80);
  Random random(8);
  for (int i = 0; i < 400; ++i) {
    const Vec3 from = random.vec(8), dir = random.direction();
    const LayerMask layers = i % 2 == 0 ? kAllLayers : (1u << random.below(4));
    Hit best, hit;
    bool any = false;
    for (const BodyId id : zoo.ids) {
      if ((world.layer(id) & layers) == 0) continue;
      NullWorld alone;
      BodyDef def;
      BodyState state;
      world.read_bodies(std::span(&id, 1), std::span(&state, 1));
      def.shapes = world.shapes(id);
      def.state = state;
      ASSERT_TRUE(alone.add_body(def).ok());
      if (alone.cast(SphereCast{from, 0.1f, dir, 10, {}}, hit) &&
          (!any || hit.distance < best.distance)) {
        best = hit;
        any = true;
      }
    }
    ASSERT_EQ(world.cast(SphereCast{from, 0.1f, dir, 10, {layers, {}, 0}}, hit), any);
    if (any) {
      EXPECT_NEAR(hit.distance, best.distance, 1e-5f);
    }
  }
}

TEST(Casts, OverlapPushesOut) {
  Random random(9);
  int overlaps = 0;
  for (int i = 0; i < 400; ++i) {
    NullWorld world;
    const Zoo zoo = make_zoo(world, static_cast<std::uint64_t>(i + 50), 1);
    const Vec3 centre = zoo.states[0].position + random.vec(0.8f), half = random.vec(0.4f);
    CapsuleOverlap capsule{centre - half, centre + half, random.in(0.05f, 0.4f), {}};
    Hit hits[8];
    const std::size_t count = world.overlap(capsule, hits);
    for (std::size_t k = 0; k < count; ++k) {
      ++overlaps;
      const Shape& shape = zoo.shapes[0][static_cast<std::size_t>(hits[k].shape)];
      NullWorld alone;
      add(alone, shape, zoo.states[0].position, zoo.states[0].rotation);
      CapsuleOverlap moved = capsule;
      const Vec3 out = hits[k].normal * (hits[k].depth + 1e-4f);
      moved.a += out;
      moved.b += out;
      Hit again;
      EXPECT_EQ(alone.overlap(moved, std::span(&again, 1)), 0u) << again.depth;
    }
  }
  EXPECT_GT(overlaps, 150);
}

TEST(Casts, FarFromTheOriginKeepTheirDigits) {
  NullWorld world;
  add(world, Shape::box({0.5f, 0.5f, 0.5f}), {4096, 0, -4096});
  Hit hit;
  ASSERT_TRUE(world.cast(SphereCast{{4096, 1000, -4096}, 0.25f, {0, -1, 0}, 2000, {}}, hit));
  EXPECT_NEAR(hit.distance, 999.25f, 1e-3f);
}

}  // namespace sinew::testing
