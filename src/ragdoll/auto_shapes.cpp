// A capsule or a box around the skin that a body carries.
#include <algorithm>

#include "auto_parts.hpp"

namespace sinew::auto_ragdoll_detail {

namespace {

// Principal axes of a cloud, greatest spread first. Jacobi's method.
struct Axes {
  Vec3 axis[3];
};

Axes principal_axes(const std::vector<Vec3>& points) {
  Vec3 mean;
  for (const Vec3 p : points) mean += p;
  mean = mean / static_cast<float>(points.size());
  float m[3][3] = {};
  for (const Vec3 p : points) {
    const Vec3 d = p - mean;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) m[i][k] += d[i] * d[k];
    }
  }
  float v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < 12; ++sweep) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (abs(m[p][q]) < 1e-20f) continue;
        const float theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const float t = (theta >= 0 ? 1.0f : -1.0f) / (abs(theta) + sqrt(theta * theta + 1));
        const float c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const float a = m[k][p], b = m[k][q];
          m[k][p] = c * a - s * b;
          m[k][q] = s * a + c * b;
        }
        for (int k = 0; k < 3; ++k) {
          const float a = m[p][k], b = m[q][k];
          m[p][k] = c * a - s * b;
          m[q][k] = s * a + c * b;
        }
        for (int k = 0; k < 3; ++k) {
          const float a = v[k][p], b = v[k][q];
          v[k][p] = c * a - s * b;
          v[k][q] = s * a + c * b;
        }
      }
    }
  }
  int order[3] = {0, 1, 2};
  std::sort(order, order + 3, [&](int a, int b) { return m[a][a] > m[b][b]; });
  Axes out;
  for (int i = 0; i < 3; ++i) {
    out.axis[i] = normalize_or({v[0][order[i]], v[1][order[i]], v[2][order[i]]}, kAxisY);
  }
  return out;
}

struct Range {
  float low, high;
  float middle() const { return 0.5f * (low + high); }
  float half() const { return 0.5f * (high - low); }
};

Range range_along(const std::vector<Vec3>& points, Vec3 axis, float share) {
  std::vector<float> along;
  along.reserve(points.size());
  for (const Vec3 p : points) along.push_back(dot(p, axis));
  const float low = percentile(along, 1 - share);
  return {low,
          along[static_cast<std::size_t>(share * static_cast<float>(along.size() - 1) + 0.5f)]};
}

// The rotation whose Y axis is `y` and whose Z axis is near `z`.
Quat frame_of(Vec3 y, Vec3 z) {
  const Vec3 side = normalize_or(cross(y, z), any_perpendicular(y));
  const Vec3 forward = cross(side, y);
  Mat3x4 m;
  m.row[0] = {side.x, y.x, forward.x, 0};
  m.row[1] = {side.y, y.y, forward.y, 0};
  m.row[2] = {side.z, y.z, forward.z, 0};
  return normalize(decompose(m).rotation);
}

Shape fit_capsule(const std::vector<Vec3>& points, Vec3 axis, float share) {
  const Vec3 u = any_perpendicular(axis), w = cross(axis, u);
  const Range along = range_along(points, axis, share), side_u = range_along(points, u, share),
              side_w = range_along(points, w, share);
  const Vec3 centre = axis * along.middle() + u * side_u.middle() + w * side_w.middle();
  std::vector<float> radii;
  for (const Vec3 p : points) {
    const Vec3 d = p - centre;
    radii.push_back(length(d - axis * dot(d, axis)));
  }
  const float radius = percentile(radii, share);
  return Shape::capsule(radius, max(0, along.half() - radius), centre, frame_of(axis, u));
}

Shape fit_box(const std::vector<Vec3>& points, Vec3 axis, Vec3 second, float share) {
  const Vec3 z = normalize_or(second - axis * dot(axis, second), any_perpendicular(axis));
  const Vec3 x = cross(axis, z);
  const Range rx = range_along(points, x, share), ry = range_along(points, axis, share),
              rz = range_along(points, z, share);
  const Vec3 centre = x * rx.middle() + axis * ry.middle() + z * rz.middle();
  return Shape::box({rx.half(), ry.half(), rz.half()}, centre, frame_of(axis, z));
}

float covered(const Shape& shape, const std::vector<Vec3>& points, float near) {
  std::size_t count = 0;
  for (const Vec3 p : points) count += distance_to(shape, p) <= near;
  return static_cast<float>(count) / static_cast<float>(points.size());
}

// The first share of the skin, rising, whose shape covers 95 % of it.
template <class Fit>
Shape grow(const std::vector<Vec3>& points, float near, Fit&& fit) {
  Shape shape;
  for (const float share : {0.95f, 0.97f, 0.985f, 1.0f}) {
    shape = fit(share);
    if (covered(shape, points, near) >= 0.95f) break;
  }
  return shape;
}

// Without skin: a thin capsule along the bone.
Shape bare_bone(const Body& body, const Part& part) {
  float reach = 0.08f * body.unit;
  for (const Part& other : body.parts) {
    if (other.parent >= 0 && &body.parts[static_cast<std::size_t>(other.parent)] == &part) {
      reach = max(reach, distance(body.place(part.joint), body.place(other.joint)));
    }
  }
  const float radius = max(0.12f * reach, 0.02f * body.unit);
  return Shape::capsule(radius, max(0, 0.5f * reach - radius),
                        body.place(part.joint) + part.axis * (0.5f * reach),
                        frame_of(part.axis, any_perpendicular(part.axis)));
}

}  // namespace

void fit_shape(const Body& body, Part& part) {
  const float near = 0.02f * body.unit, thin = 0.015f * body.unit;
  Shape shape;
  if (part.points.size() < 4) {
    shape = bare_bone(body, part);
  } else {
    const Axes axes = principal_axes(part.points);
    // Flat, short parts (feet, heads, trunks) lie along their own axes; limbs along the bone.
    shape = grow(part.points, near,
                 [&](float share) { return fit_capsule(part.points, part.axis, share); });
    const Shape principal = grow(part.points, near, [&](float share) {
      return fit_capsule(part.points, axes.axis[0], share);
    });
    if (volume_of(principal) < 0.8f * volume_of(shape)) shape = principal;
    const Vec3 second = abs(dot(axes.axis[0], part.axis)) < 0.8f ? axes.axis[0] : axes.axis[1];
    const Shape boxes[] = {
        grow(part.points, near,
             [&](float share) { return fit_box(part.points, part.axis, second, share); }),
        grow(part.points, near,
             [&](float share) { return fit_box(part.points, axes.axis[0], axes.axis[1], share); })};
    // Round shapes roll and slide; a box must be much the better fit.
    for (const Shape& box : boxes) {
      if (volume_of(box) < 0.7f * volume_of(shape)) shape = box;
    }
  }
  shape.radius = max(shape.radius, thin);
  shape.half_extents = max(shape.half_extents, Vec3{thin, thin, thin});
  // Into the joint's axes.
  const Transform& joint = body.rest[static_cast<std::size_t>(part.joint)];
  shape.position = rotate(conjugate(joint.rotation), shape.position - joint.translation);
  shape.rotation = normalize(conjugate(joint.rotation) * shape.rotation);
  part.shape = shape;
}

}  // namespace sinew::auto_ragdoll_detail
