#include "geometry.hpp"

namespace sinew::physics_detail {

Place::Place(Vec3 position, Quat rotation) : origin(position) {
  const double qx = static_cast<double>(rotation.x), qy = static_cast<double>(rotation.y),
               qz = static_cast<double>(rotation.z), qw = static_cast<double>(rotation.w);
  const double s = 2.0 / (qx * qx + qy * qy + qz * qz + qw * qw);
  x = {1 - s * (qy * qy + qz * qz), s * (qx * qy + qw * qz), s * (qx * qz - qw * qy)};
  y = {s * (qx * qy - qw * qz), 1 - s * (qx * qx + qz * qz), s * (qy * qz + qw * qx)};
  z = {s * (qx * qz + qw * qy), s * (qy * qz - qw * qx), 1 - s * (qx * qx + qy * qy)};
}

namespace {

constexpr double kTiny = 1e-18;  // square of a length that counts as none

D3 closest_on_segment(D3 p, D3 a, D3 b) {
  const D3 ab = b - a;
  const double l2 = dot(ab, ab);
  return l2 > kTiny ? a + ab * clamp_unit(dot(p - a, ab) / l2) : a;
}

}  // namespace

D3 closest_on_triangle(D3 p, D3 a, D3 b, D3 c) {
  const D3 n = cross(b - a, c - a);
  const double n2 = dot(n, n);
  if (n2 > kTiny * kTiny) {
    // Inside all three edges: the foot of the perpendicular.
    const D3 q = p - n * (dot(p - a, n) / n2);
    if (dot(cross(b - a, q - a), n) >= 0 && dot(cross(c - b, q - b), n) >= 0 &&
        dot(cross(a - c, q - c), n) >= 0) {
      return q;
    }
  }
  const D3 candidates[3] = {closest_on_segment(p, a, b), closest_on_segment(p, b, c),
                            closest_on_segment(p, c, a)};
  int best = 0;
  double least = dot(p - candidates[0], p - candidates[0]);
  for (int i = 1; i < 3; ++i) {
    const double d2 = dot(p - candidates[i], p - candidates[i]);
    if (d2 < least) best = i, least = d2;
  }
  return candidates[best];
}

Near nearest_segments(D3 p1, D3 q1, D3 p2, D3 q2) {
  const D3 d1 = q1 - p1, d2 = q2 - p2, r = p1 - p2;
  const double a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r);
  double s = 0, t = 0;
  if (a <= kTiny && e <= kTiny) {
    // Two points.
  } else if (a <= kTiny) {
    t = clamp_unit(f / e);
  } else {
    const double c = dot(d1, r);
    if (e <= kTiny) {
      s = clamp_unit(-c / a);
    } else {
      const double b = dot(d1, d2), denominator = a * e - b * b;
      if (denominator > 1e-12 * a * e) s = clamp_unit((b * f - c * e) / denominator);
      t = (b * s + f) / e;
      if (t < 0) {
        t = 0;
        s = clamp_unit(-c / a);
      } else if (t > 1) {
        t = 1;
        s = clamp_unit((b - c) / a);
      }
    }
  }
  Near near;
  near.on_a = p1 + d1 * s;
  near.on_b = p2 + d2 * t;
  near.distance = length(near.on_a - near.on_b);
  return near;
}

Near nearest_segment_triangle(D3 p, D3 q, D3 a, D3 b, D3 c) {
  const D3 along = q - p;
  const double l = length(along);
  if (l > 1e-12) {
    const double t = ray_triangle(p, along * (1 / l), l, a, b, c);
    if (t >= 0) {
      const D3 at = p + along * (t / l);
      return {at, at, 0};
    }
  }
  Near best;
  best.on_a = p;
  best.on_b = closest_on_triangle(p, a, b, c);
  best.distance = length(best.on_a - best.on_b);
  const auto take = [&](const Near& other) {
    if (other.distance < best.distance) best = other;
  };
  const D3 end = closest_on_triangle(q, a, b, c);
  take({q, end, length(q - end)});
  take(nearest_segments(p, q, a, b));
  take(nearest_segments(p, q, b, c));
  take(nearest_segments(p, q, c, a));
  return best;
}

double ray_sphere(D3 o, D3 d, double limit, D3 centre, double radius, bool inside_hits) {
  const D3 m = o - centre;
  const double b = dot(m, d), c = dot(m, m) - radius * radius;
  if (c <= 0) return inside_hits ? 0 : -1;
  if (b > 0) return -1;
  // |m + d t| at its least: measured at right angles, which keeps digits for far origins.
  const D3 closest = m - d * b;
  const double h = radius * radius - dot(closest, closest);
  if (h < 0) return -1;
  const double t = -b - sinew::sqrt(h);
  return t <= limit ? (t < 0 ? 0 : t) : -1;
}

double ray_capsule(D3 o, D3 d, double limit, D3 p, D3 q, double radius, bool inside_hits) {
  const D3 axis = q - p;
  const double l = length(axis);
  if (l < 1e-9) return ray_sphere(o, d, limit, p, radius, inside_hits);
  const D3 u = axis * (1 / l);
  const D3 m = o - p;
  const double along = dot(m, u), climb = dot(d, u);
  const D3 m_side = m - u * along, d_side = d - u * climb;
  const double c = dot(m_side, m_side) - radius * radius;
  if (c <= 0) {
    const D3 nearest = p + u * (along < 0 ? 0 : (along > l ? l : along));
    if (dot(o - nearest, o - nearest) <= radius * radius) return inside_hits ? 0 : -1;
  }
  double best = -1;
  const auto take = [&](double t) {
    if (t >= 0 && t <= limit && (best < 0 || t < best)) best = t;
  };
  const double a = dot(d_side, d_side);
  if (a > kTiny && c > 0) {
    const double b = dot(m_side, d_side);
    const D3 closest = m_side - d_side * (b / a);
    const double h = radius * radius - dot(closest, closest);
    if (b < 0 && h >= 0) {
      const double t = -b / a - sinew::sqrt(h / a);
      const double y = along + climb * t;
      if (y >= 0 && y <= l) take(t < 0 ? 0 : t);
    }
  }
  take(ray_sphere(o, d, limit, p, radius, false));
  take(ray_sphere(o, d, limit, q, radius, false));
  return best;
}

double ray_box(D3 o, D3 d, double limit, D3 half, D3& normal) {
  double enter = -1e300, leave = limit;
  const double from[3] = {o.x, o.y, o.z}, way[3] = {d.x, d.y, d.z},
               size[3] = {half.x, half.y, half.z};
  int axis = 0;
  for (int i = 0; i < 3; ++i) {
    if (way[i] == 0) {
      if (from[i] < -size[i] || from[i] > size[i]) return -1;
      continue;
    }
    const double side = way[i] > 0 ? -size[i] : size[i];
    const double t0 = (side - from[i]) / way[i], t1 = (-side - from[i]) / way[i];
    if (t0 > enter) enter = t0, axis = i;
    if (t1 < leave) leave = t1;
  }
  if (enter < 0 || enter > leave) return -1;
  const double sign = way[axis] > 0 ? -1 : 1;
  normal = {axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0};
  return enter;
}

double ray_triangle(D3 o, D3 d, double limit, D3 a, D3 b, D3 c) {
  const D3 n = cross(b - a, c - a);
  const double n2 = dot(n, n);
  const double slope = dot(d, n);
  if (n2 <= kTiny * kTiny || slope * slope <= 1e-24 * n2) return -1;
  const double t = dot(a - o, n) / slope;
  if (!(t >= 0) || t > limit) return -1;
  const D3 at = o + d * t;
  // A hair's breadth beyond the edges counts, so that no ray slips between two triangles.
  const double hair = -1e-9 * n2;
  if (dot(cross(b - a, at - a), n) < hair || dot(cross(c - b, at - b), n) < hair ||
      dot(cross(a - c, at - c), n) < hair) {
    return -1;
  }
  return t;
}

namespace {

// A ray from `o` against the parallelogram (or triangle) at `corner` with edges e1 and e2, thick by
// `radius` on both sides. The rim is left to the capsules around its edges.
double ray_thick_face(D3 o, D3 d, double limit, D3 corner, D3 e1, D3 e2, bool triangle,
                      double radius) {
  const D3 n = cross(e1, e2);
  const double n2 = dot(n, n);
  if (n2 <= 1e-24 * dot(e1, e1) * dot(e2, e2) || n2 <= kTiny * kTiny) return -1;
  D3 unit = n * (1 / sinew::sqrt(n2));
  if (dot(o - corner, unit) < 0) unit = -unit;
  const double fall = -dot(d, unit);
  const double height = dot(o - corner, unit) - radius;
  // Heights just below the surface are rounding: overlaps were handled before.
  if (fall <= 0 || height < -1e-7) return -1;
  const double t = height > 0 ? height / fall : 0;
  if (t > limit) return -1;
  const D3 at = o + d * t - corner;
  // Coordinates along the edges.
  const double u = dot(cross(at, e2), n) / n2, v = dot(cross(e1, at), n) / n2;
  if (u < 0 || v < 0) return -1;
  if (triangle ? u + v > 1 : (u > 1 || v > 1)) return -1;
  return t;
}

}  // namespace

// The swept segment against another is a point swept against their difference: a parallelogram.
double sweep_segment(const Sweep& sweep, D3 p, D3 q, double radius) {
  const D3 s = sweep.b - sweep.a, edge = q - p;
  const double r = sweep.radius + radius;
  double best = -1;
  const auto take = [&](double t) {
    if (t >= 0 && (best < 0 || t < best)) best = t;
  };
  const auto edge_of = [&](D3 from, D3 to) {
    take(ray_capsule(sweep.a, sweep.dir, sweep.length, from, to, r, true));
  };
  const bool point_a = dot(s, s) <= kTiny, point_b = dot(edge, edge) <= kTiny;
  edge_of(p, point_b ? p - s : q);
  if (point_a || point_b) return best;
  edge_of(p - s, q - s);
  edge_of(p, p - s);
  edge_of(q, q - s);
  take(ray_thick_face(sweep.a, sweep.dir, sweep.length, p, edge, -s, false, r));
  return best;
}

double sweep_triangle(const Sweep& sweep, D3 a, D3 b, D3 c) {
  const D3 s = sweep.b - sweep.a;
  const D3 n = cross(b - a, c - a);
  if (dot(n, n) <= kTiny * kTiny) return -1;
  double best = -1;
  const auto take = [&](double t) {
    if (t >= 0 && (best < 0 || t < best)) best = t;
  };
  const D3 corner[3] = {a, b, c};
  const bool point = dot(s, s) <= kTiny;
  const double r = sweep.radius;
  for (int end = 0; end < (point ? 1 : 2); ++end) {
    const D3 shift = end == 0 ? D3{} : -s;
    take(ray_thick_face(sweep.a, sweep.dir, sweep.length, a + shift, b - a, c - a, true, r));
    for (int i = 0; i < 3; ++i) {
      take(ray_capsule(sweep.a, sweep.dir, sweep.length, corner[i] + shift,
                       corner[(i + 1) % 3] + shift, r, true));
    }
  }
  if (point) return best;
  for (int i = 0; i < 3; ++i) {
    take(ray_capsule(sweep.a, sweep.dir, sweep.length, corner[i], corner[i] - s, r, true));
    take(ray_thick_face(sweep.a, sweep.dir, sweep.length, corner[i],
                        corner[(i + 1) % 3] - corner[i], -s, false, r));
  }
  return best;
}

}  // namespace sinew::physics_detail
