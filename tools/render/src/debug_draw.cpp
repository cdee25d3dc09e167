#include <algorithm>

#include <sinew/math/quat.hpp>
#include <sinew/render/debug_draw.hpp>

namespace sinew::render {
namespace {

constexpr int kCircleParts = 40;

}  // namespace

void DebugDraw::line(Vec3 a, Vec3 b, Color color) {
  lines_.push_back({a, b, color, color, width_, depth_});
}

void DebugDraw::point(Vec3 position, Color color, float size) {
  points_.push_back({position, color, size, depth_});
}

void DebugDraw::label(Vec3 position, std::string_view text, Color color, float size) {
  labels_.push_back({position, std::string(text), color, size});
}

void DebugDraw::arrow(Vec3 a, Vec3 b, Color color) {
  line(a, b, color);
  const float l = distance(a, b);
  if (!(l > 1e-6f)) return;
  const Vec3 along = (b - a) / l;
  const Vec3 x = any_perpendicular(along), y = cross(along, x);
  const Vec3 neck = b - along * (0.2f * l);
  for (Vec3 side : {x, y, -x, -y}) line(b, neck + side * (0.08f * l), color);
}

void DebugDraw::axes(const Mat3x4& frame, float size) {
  const Color colors[3] = {rgb(0xd64541), rgb(0x3f9b45), rgb(0x3b6fd4)};
  const Vec3 origin = translation_of(frame);
  for (int i = 0; i < 3; ++i) {
    line(origin, origin + normalize_or(axis_of(frame, i), {}) * size, colors[i]);
  }
}

void DebugDraw::cross_mark(Vec3 position, float size, Color color) {
  for (Vec3 axis : {kAxisX, kAxisY, kAxisZ}) {
    line(position - axis * (0.5f * size), position + axis * (0.5f * size), color);
  }
}

void DebugDraw::polyline(std::span<const Vec3> points, Color color, bool fade) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    line(points[i], points[i + 1], color);
    if (!fade) continue;
    const float last = static_cast<float>(points.size() - 1);
    lines_.back().color_a.a = color.a * static_cast<float>(i) / last;
    lines_.back().color_b.a = color.a * static_cast<float>(i + 1) / last;
  }
}

void DebugDraw::arc(Vec3 centre, Vec3 x, Vec3 y, float radius, float from, float to, Color color) {
  const int parts =
      std::max(2, static_cast<int>(static_cast<float>(kCircleParts) * abs(to - from) / kTwoPi));
  Vec3 last;
  for (int i = 0; i <= parts; ++i) {
    const SinCos a = sincos(lerp(from, to, static_cast<float>(i) / static_cast<float>(parts)));
    const Vec3 next = centre + (x * a.cos + y * a.sin) * radius;
    if (i > 0) line(last, next, color);
    last = next;
  }
}

void DebugDraw::circle(Vec3 centre, Vec3 normal, float radius, Color color) {
  const Vec3 x = any_perpendicular(normal);
  arc(centre, x, cross(normal, x), radius, 0, kTwoPi, color);
}

void DebugDraw::wire_box(const Mat3x4& frame, Vec3 h, Color color) {
  Vec3 corners[8];
  for (int i = 0; i < 8; ++i) {
    corners[i] = transform_point(
        frame, {(i & 1) != 0 ? h.x : -h.x, (i & 2) != 0 ? h.y : -h.y, (i & 4) != 0 ? h.z : -h.z});
  }
  for (int i = 0; i < 8; ++i) {
    for (int bit : {1, 2, 4}) {
      if ((i & bit) == 0) line(corners[i], corners[i | bit], color);
    }
  }
}

void DebugDraw::wire_sphere(Vec3 centre, float radius, Color color) {
  circle(centre, kAxisX, radius, color);
  circle(centre, kAxisY, radius, color);
  circle(centre, kAxisZ, radius, color);
}

void DebugDraw::wire_capsule(const Mat3x4& frame, float radius, float half_height, Color color) {
  const Vec3 x = axis_of(frame, 0), y = axis_of(frame, 1), z = axis_of(frame, 2);
  const Vec3 top = transform_point(frame, {0, half_height, 0});
  const Vec3 bottom = transform_point(frame, {0, -half_height, 0});
  for (Vec3 centre : {top, bottom}) arc(centre, x, z, radius, 0, kTwoPi, color);
  for (Vec3 side : {x, z}) {
    arc(top, side, y, radius, 0, kPi, color);
    arc(bottom, side, -y, radius, 0, kPi, color);
    line(top + side * radius, bottom + side * radius, color);
    line(top - side * radius, bottom - side * radius, color);
  }
}

void DebugDraw::wire_cone(Vec3 apex, Vec3 axis, float length, float half_angle, Color color) {
  const SinCos a = sincos(half_angle);
  const Vec3 x = any_perpendicular(axis), y = cross(axis, x);
  const Vec3 centre = apex + axis * (length * a.cos);
  arc(centre, x, y, length * a.sin, 0, kTwoPi, color);
  for (Vec3 side : {x, y, -x, -y}) line(apex, centre + side * (length * a.sin), color);
}

void DebugDraw::clear() {
  lines_.clear();
  points_.clear();
  labels_.clear();
}

}  // namespace sinew::render
