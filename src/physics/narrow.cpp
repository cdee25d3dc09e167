#include "narrow.hpp"

#include <algorithm>

namespace sinew::physics_detail {

namespace {

// Overlaps shallower than this are rounding.
constexpr double kTouch = 1e-6;

double signed_max(double a, double b) { return a > b ? a : b; }

D3 normal_of(D3 a, D3 b, D3 c) {
  const D3 n = cross(b - a, c - a);
  const double l = length(n);
  return l > 0 ? n * (1 / l) : D3{0, 1, 0};
}

// ---- capsule against one piece, in the piece's space

Touch touch_triangle(const Sweep& c, D3 v0, D3 v1, D3 v2, bool two_sided) {
  const Near near = nearest_segment_triangle(c.a, c.b, v0, v1, v2);
  Touch touch;
  touch.point = near.on_b;
  const D3 n = normal_of(v0, v1, v2);
  if (near.distance > 1e-9) {
    touch.normal = (near.on_a - near.on_b) * (1 / near.distance);
    touch.depth = c.radius - near.distance;
    // From behind, one-sided ground is not there; what lies under it is handled by its height.
    if (!two_sided && dot(touch.normal, n) < 0) touch.depth = -1e300;
    return touch;
  }
  // The axis goes through: out on the side where more of it lies.
  const double da = dot(c.a - v0, n), db = dot(c.b - v0, n);
  const double side = two_sided && da + db < 0 ? -1 : 1;
  touch.normal = n * side;
  touch.depth = c.radius - std::min(da * side, db * side);
  return touch;
}

Touch touch_segment(const Sweep& c, D3 p, D3 q, double radius) {
  const Near near = nearest_segments(c.a, c.b, p, q);
  Touch touch;
  if (near.distance > 1e-9) {
    touch.normal = (near.on_a - near.on_b) * (1 / near.distance);
  } else {
    const D3 axis = cross(c.b - c.a, q - p);
    const double l = length(axis);
    touch.normal = l > 1e-9 ? axis * (1 / l) : D3{0, 1, 0};
  }
  touch.point = near.on_b + touch.normal * radius;
  touch.depth = c.radius + radius - near.distance;
  return touch;
}

D3 clamp_to(D3 p, D3 h) {
  return {std::clamp(p.x, -h.x, h.x), std::clamp(p.y, -h.y, h.y), std::clamp(p.z, -h.z, h.z)};
}

// Box around the origin. The distance from the box along the axis is convex, so that its least
// place is where the slope changes sign.
Touch touch_box(const Sweep& c, D3 h) {
  const D3 along = c.b - c.a;
  double low = 0, high = 1;
  const auto slope = [&](double t) {
    const D3 p = c.a + along * t;
    return dot(p - clamp_to(p, h), along);
  };
  if (slope(0) >= 0) {
    high = 0;
  } else if (slope(1) <= 0) {
    low = 1;
  } else {
    for (int i = 0; i < 50; ++i) {
      const double mid = 0.5 * (low + high);
      (slope(mid) < 0 ? low : high) = mid;
    }
  }
  const D3 p = c.a + along * (high == 0 ? 0 : (low == 1 ? 1 : 0.5 * (low + high)));
  const D3 on = clamp_to(p, h);
  const double distance = length(p - on);
  Touch touch;
  if (distance > 1e-9) {
    touch.point = on;
    touch.normal = (p - on) * (1 / distance);
    touch.depth = c.radius - distance;
    return touch;
  }
  // The axis is inside: out through the face that is nearest for all of it.
  const double a[3] = {c.a.x, c.a.y, c.a.z}, b[3] = {c.b.x, c.b.y, c.b.z},
               half[3] = {h.x, h.y, h.z};
  double best = 1e300;
  for (int axis = 0; axis < 3; ++axis) {
    for (int sign = -1; sign <= 1; sign += 2) {
      const double out = half[axis] - std::min(a[axis] * sign, b[axis] * sign);
      if (out >= best) continue;
      best = out;
      const double s = sign;
      touch.normal = {axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0};
    }
  }
  touch.depth = best + c.radius;
  touch.point = p + touch.normal * (best);
  return touch;
}

double sweep_box(const Sweep& sweep, D3 h) {
  const D3 s = sweep.a - sweep.b;
  const bool point = dot(s, s) < 1e-18;
  double best = -1;
  const auto take = [&](double t) {
    if (t >= 0 && (best < 0 || t < best)) best = t;
  };
  const auto corner = [&](int i) {
    return D3{(i & 1) ? h.x : -h.x, (i & 2) ? h.y : -h.y, (i & 4) ? h.z : -h.z};
  };
  const auto face = [&](D3 at, D3 e1, D3 e2) {
    // A flat part of the rounded sum: one triangle pair, thick by the radius.
    const Sweep ray{sweep.a, sweep.a, sweep.radius, sweep.dir, sweep.length};
    take(sweep_triangle(ray, at, at + e1, at + e1 + e2));
    take(sweep_triangle(ray, at, at + e1 + e2, at + e2));
  };
  const D3 edges[3] = {{2 * h.x, 0, 0}, {0, 2 * h.y, 0}, {0, 0, 2 * h.z}};
  for (int end = 0; end < (point ? 1 : 2); ++end) {
    const D3 shift = end == 0 ? D3{} : s;
    for (int axis = 0; axis < 3; ++axis) {
      const D3 e1 = edges[(axis + 1) % 3], e2 = edges[(axis + 2) % 3];
      const int bit = 1 << axis;
      const double way = axis == 0 ? sweep.dir.x : (axis == 1 ? sweep.dir.y : sweep.dir.z);
      if (way > 0) face(corner(0) + shift, e1, e2);
      if (way < 0) face(corner(bit) + shift, e1, e2);
    }
  }
  if (point) return best;
  // The twelve edges, drawn along the axis of the capsule.
  for (int axis = 0; axis < 3; ++axis) {
    for (int k = 0; k < 4; ++k) {
      const int u = 1 << ((axis + 1) % 3), v = 1 << ((axis + 2) % 3);
      const D3 at = corner(((k & 1) ? u : 0) | ((k & 2) ? v : 0));
      face(at, edges[axis], s);
    }
  }
  return best;
}

// ---- height below which a height field is solid

bool under_field(const HeightField& field, D3 p, Touch& touch) {
  const Vec3 at = to_vec(p);
  const int index = field.triangle_at(at.x, at.z);
  if (index < 0) return false;
  const Triangle t = field.triangle(index);
  const D3 n = normal_of(t.a, t.b, t.c);
  const double d = dot(p - D3(t.a), n);
  if (d >= 0) return false;
  touch.normal = n;
  touch.depth = -d;
  touch.point = p - n * d;
  touch.triangle = index;
  return true;
}

// ---- walks over the triangles of terrain along a way

Aabb swept_box(D3 a, D3 b, double radius, D3 from, D3 to) {
  const D3 low{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)},
      high{std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
  const D3 m{std::min(from.x, to.x), std::min(from.y, to.y), std::min(from.z, to.z)},
      n{std::max(from.x, to.x), std::max(from.y, to.y), std::max(from.z, to.z)};
  // Rounded to float outward.
  const float grow = static_cast<float>(radius) + 1e-4f;
  return grown({to_vec(low + m), to_vec(high + n)}, grow);
}

// In pieces, so that a long way meets few triangles before it ends at the first.
template <class Terrain, class Test>
void along_terrain(const Terrain& terrain, const Sweep& sweep, double piece, Meeting& best,
                   Test&& test) {
  struct Context {
    Test* test;
  } context{&test};
  const double steps = sweep.length > piece ? sweep.length / piece : 1;
  const int count = static_cast<int>(std::min(steps, 4096.0)) + (steps > 1 ? 1 : 0);
  for (int i = 0; i < count; ++i) {
    const double from = sweep.length * i / count, to = sweep.length * (i + 1) / count;
    if (best.distance >= 0 && best.distance < from) return;
    const Aabb box = swept_box(sweep.a, sweep.b, sweep.radius, sweep.dir * from, sweep.dir * to);
    if (!overlaps(box, terrain.bounds())) continue;
    terrain.visit(
        box,
        [](void* user, int index, const Triangle& triangle) {
          (*static_cast<Context*>(user)->test)(index, triangle);
          return true;
        },
        &context);
  }
}

void keep(Meeting& best, double t, int triangle, D3 normal, D3 point, double depth = 0) {
  if (t < 0) return;
  if (best.distance >= 0 &&
      (t > best.distance || (t == best.distance && triangle >= best.triangle))) {
    return;
  }
  best = {t, point, normal, depth, triangle};
}

double piece_of(const HeightField& field) { return 4.0 * static_cast<double>(field.cell()); }
double piece_of(const TriangleMesh& mesh) {
  const Vec3 h = mesh.bounds().half_size();
  return std::max(0.05, static_cast<double>(length(h)) / 16);
}

template <class Terrain>
Meeting ray_terrain(const Terrain& terrain, const Ray& ray, bool two_sided) {
  Meeting best;
  const Sweep sweep{ray.origin, ray.origin, 0, ray.dir, ray.length};
  along_terrain(terrain, sweep, piece_of(terrain), best, [&](int index, const Triangle& t) {
    const D3 n = normal_of(t.a, t.b, t.c);
    const double fall = -dot(n, ray.dir);
    if (!two_sided && fall <= 0) return;
    const double d = ray_triangle(ray.origin, ray.dir, ray.length, t.a, t.b, t.c);
    keep(best, d, index, fall >= 0 ? n : -n, ray.origin + ray.dir * d);
  });
  return best;
}

// The touch at the place that a sweep has reached, for point and normal.
void finish(Meeting& best, double t, int index, const Touch& at) {
  keep(best, t, index, at.normal, at.point);
}

Sweep moved(const Sweep& sweep, double t) {
  Sweep out = sweep;
  out.a = sweep.a + sweep.dir * t;
  out.b = sweep.b + sweep.dir * t;
  return out;
}

// A start inside counts at once, unless the way leads out.
bool inside(const Sweep& sweep, const Touch& start, Meeting& best, int index) {
  if (start.depth <= kTouch) return false;
  if (dot(sweep.dir, start.normal) <= 0) {
    keep(best, 0, index, start.normal, start.point, start.depth);
  }
  return true;
}

template <class Terrain>
Meeting sweep_terrain(const Terrain& terrain, const Sweep& sweep, bool two_sided) {
  Meeting best;
  const Aabb start_box = swept_box(sweep.a, sweep.b, sweep.radius, {}, {});
  along_terrain(terrain, sweep, piece_of(terrain), best, [&](int index, const Triangle& t) {
    const D3 n = normal_of(t.a, t.b, t.c);
    if (!two_sided && dot(n, sweep.dir) >= 0) return;
    const Aabb box{min(min(t.a, t.b), t.c), max(max(t.a, t.b), t.c)};
    if (overlaps(box, start_box) &&
        inside(sweep, touch_triangle(sweep, t.a, t.b, t.c, two_sided), best, index)) {
      return;
    }
    const double d = sweep_triangle(sweep, t.a, t.b, t.c);
    if (d < 0 || (best.distance >= 0 && d > best.distance)) return;
    finish(best, d, index, touch_triangle(moved(sweep, d), t.a, t.b, t.c, true));
  });
  return best;
}

Meeting outward(Meeting m, const Place& place) {
  if (m.distance < 0) return m;
  m.point = place.out(m.point);
  m.normal = place.turn_out(m.normal);
  return m;
}

Sweep inward(const Sweep& s, const Place& place) {
  return {place.in(s.a), place.in(s.b), s.radius, place.turn_in(s.dir), s.length};
}

D3 cap(const Shape& shape, double sign) {
  return {0, sign * static_cast<double>(shape.half_height), 0};
}

Touch touch_plane(const Sweep& c) {
  const D3 low = c.a.y <= c.b.y ? c.a : c.b;
  Touch touch;
  touch.normal = {0, 1, 0};
  touch.depth = c.radius - low.y;
  touch.point = {low.x, 0, low.z};
  return touch;
}

Touch touch_solid(const Shape& shape, const Sweep& c) {
  const auto r = static_cast<double>(shape.radius);
  if (shape.kind == ShapeKind::kSphere) return touch_segment(c, {}, {}, r);
  if (shape.kind == ShapeKind::kCapsule) return touch_segment(c, cap(shape, -1), cap(shape, 1), r);
  if (shape.kind == ShapeKind::kBox) return touch_box(c, shape.half_extents);
  return touch_plane(c);
}

double sweep_solid(const Shape& shape, const Sweep& s) {
  const auto r = static_cast<double>(shape.radius);
  if (shape.kind == ShapeKind::kSphere) return sweep_segment(s, {}, {}, r);
  if (shape.kind == ShapeKind::kCapsule) return sweep_segment(s, cap(shape, -1), cap(shape, 1), r);
  if (shape.kind == ShapeKind::kBox) return sweep_box(s, shape.half_extents);
  const double height = std::min(s.a.y, s.b.y) - s.radius;
  if (s.dir.y >= 0) return -1;
  const double t = signed_max(height, 0) / -s.dir.y;
  return t <= s.length ? t : -1;
}

}  // namespace

Meeting ray_shape(const Shape& shape, const Place& place, const Ray& ray) {
  const Ray in{place.in(ray.origin), place.turn_in(ray.dir), ray.length};
  const auto r = static_cast<double>(shape.radius);
  Meeting best;
  const auto round = [&](double d, D3 p, D3 q) {
    if (d < 0) return;
    const D3 at = in.origin + in.dir * d;
    const D3 axis = nearest_segments(at, at, p, q).on_b, out = at - axis;
    const double l = length(out);
    keep(best, d, -1, l > 0 ? out * (1 / l) : -in.dir, at);
  };
  switch (shape.kind) {
    case ShapeKind::kSphere:
      round(ray_sphere(in.origin, in.dir, in.length, {}, r, false), {}, {});
      break;
    case ShapeKind::kCapsule:
      round(ray_capsule(in.origin, in.dir, in.length, cap(shape, -1), cap(shape, 1), r, false),
            cap(shape, -1), cap(shape, 1));
      break;
    case ShapeKind::kBox: {
      D3 normal;
      const double d = ray_box(in.origin, in.dir, in.length, shape.half_extents, normal);
      keep(best, d, -1, normal, in.origin + in.dir * d);
      break;
    }
    case ShapeKind::kPlane:
      if (in.origin.y >= 0 && in.dir.y < 0) {
        const double d = in.origin.y / -in.dir.y;
        if (d <= in.length) keep(best, d, -1, {0, 1, 0}, in.origin + in.dir * d);
      }
      break;
    case ShapeKind::kHeightField:
      best = ray_terrain(*shape.height_field, in, false);
      break;
    case ShapeKind::kMesh:
      best = ray_terrain(*shape.mesh, in, shape.mesh->two_sided());
      break;
  }
  return outward(best, place);
}

Meeting sweep_shape(const Shape& shape, const Place& place, const Sweep& sweep) {
  const Sweep in = inward(sweep, place);
  Meeting best;
  if (shape.kind == ShapeKind::kHeightField) {
    Touch start;
    for (const D3 end : {in.a, in.b}) {
      if (under_field(*shape.height_field, end, start)) {
        start.depth += in.radius;
        inside(in, start, best, start.triangle);
        return outward(best, place);
      }
    }
    best = sweep_terrain(*shape.height_field, in, false);
  } else if (shape.kind == ShapeKind::kMesh) {
    best = sweep_terrain(*shape.mesh, in, shape.mesh->two_sided());
  } else {
    if (inside(in, touch_solid(shape, in), best, -1)) return outward(best, place);
    const double d = sweep_solid(shape, in);
    if (d >= 0) finish(best, d, -1, touch_solid(shape, moved(in, d)));
  }
  return outward(best, place);
}

void touch_shape(const Shape& shape, const Place& place, const Sweep& capsule, TouchVisitor visitor,
                 void* user) {
  const Sweep in = inward(capsule, place);
  const auto give = [&](Touch touch) {
    if (touch.depth <= 0) return;
    touch.point = place.out(touch.point);
    touch.normal = place.turn_out(touch.normal);
    visitor(user, touch);
  };
  if (shape.kind != ShapeKind::kHeightField && shape.kind != ShapeKind::kMesh) {
    return give(touch_solid(shape, in));
  }
  const bool two_sided = shape.kind == ShapeKind::kMesh && shape.mesh->two_sided();
  auto each = [&](int index, const Triangle& t) {
    const D3 n = cross(D3(t.b) - D3(t.a), D3(t.c) - D3(t.a));
    if (dot(n, n) <= 0) return;
    Touch touch = touch_triangle(in, t.a, t.b, t.c, two_sided);
    touch.triangle = index;
    give(touch);
  };
  const TriangleVisitor visit = [](void* context, int index, const Triangle& triangle) {
    (*static_cast<decltype(each)*>(context))(index, triangle);
    return true;
  };
  const Aabb box = swept_box(in.a, in.b, in.radius, {}, {});
  if (shape.kind == ShapeKind::kMesh) return shape.mesh->visit(box, visit, &each);
  Touch under;
  for (const D3 end : {in.a, in.b}) {
    if (under_field(*shape.height_field, end, under)) {
      under.depth += in.radius;
      give(under);
    }
  }
  shape.height_field->visit(box, visit, &each);
}

}  // namespace sinew::physics_detail
