#include "overlay_geometry.hpp"

#include <array>

namespace sinew::render {
namespace {

void triangle(std::vector<SolidVertex>& out, Vec3 a, Vec3 b, Vec3 c, Color color) {
  const Vec3 n = normalize_or(cross(b - a, c - a), kAxisY);
  out.push_back({a, n, color});
  out.push_back({b, n, color});
  out.push_back({c, n, color});
}

// Eight faces: a square ring at a fifth of the way, `width` from the axis, and two points.
void octahedron(std::vector<SolidVertex>& out, Vec3 from, Vec3 to, Vec3 side, float width,
                Color color) {
  const Vec3 axis = normalize_or(to - from, kAxisY);
  const Vec3 x = normalize_or(side - axis * dot(side, axis), any_perpendicular(axis));
  const Vec3 y = cross(axis, x);
  const Vec3 middle = lerp(from, to, 0.2f);
  const std::array<Vec3, 4> ring{middle + x * width, middle + y * width, middle - x * width,
                                 middle - y * width};
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 a = ring[i], b = ring[(i + 1) % 4];
    triangle(out, from, b, a, color);
    triangle(out, to, a, b, color);
  }
}

// Unit directions of an octahedron's faces, each cut in four: 32 triangles.
std::vector<Vec3> make_ball() {
  std::vector<Vec3> out;
  const auto put = [&](Vec3 a, Vec3 b, Vec3 c) { out.insert(out.end(), {a, b, c}); };
  for (int i = 0; i < 8; ++i) {
    const Vec3 x{(i & 1) != 0 ? -1.0f : 1.0f, 0, 0}, y{0, (i & 2) != 0 ? -1.0f : 1.0f, 0},
        z{0, 0, (i & 4) != 0 ? -1.0f : 1.0f};
    const Vec3 xy = normalize_or(x + y, x), yz = normalize_or(y + z, y),
               zx = normalize_or(z + x, z);
    put(x, xy, zx);
    put(y, yz, xy);
    put(z, zx, yz);
    put(xy, yz, zx);
  }
  return out;
}

void ball(std::vector<SolidVertex>& out, Vec3 centre, float radius, Color color) {
  static const std::vector<Vec3> directions = make_ball();
  for (Vec3 n : directions) out.push_back({centre + n * radius, n, color});
}

// Cuts a line at the plane just before the eye. False if all of it lies behind.
bool clip_near(Vec4& a, Vec4& b, Color& ca, Color& cb) {
  constexpr float kNear = 1e-3f;
  if (a.w < kNear && b.w < kNear) return false;
  if (a.w >= kNear && b.w >= kNear) return true;
  const float t = (kNear - a.w) / (b.w - a.w);
  const Vec4 p = a + (b + a * -1.0f) * t;
  const Color c{lerp(ca.r, cb.r, t), lerp(ca.g, cb.g, t), lerp(ca.b, cb.b, t), lerp(ca.a, cb.a, t)};
  (a.w < kNear ? a : b) = p;
  (a.w < kNear ? ca : cb) = c;
  return true;
}

void quad(std::vector<MarkVertex>& out, const std::array<MarkVertex, 4>& corners) {
  for (std::size_t i : {0u, 1u, 2u, 2u, 1u, 3u}) out.push_back(corners[i]);
}

void add_line(const DebugDraw::Line& line, const MarkView& view, std::vector<MarkVertex>& out) {
  if (!is_finite(line.a) || !is_finite(line.b)) return;
  Vec4 a = view.view_proj * Vec4{line.a.x, line.a.y, line.a.z, 1};
  Vec4 b = view.view_proj * Vec4{line.b.x, line.b.y, line.b.z, 1};
  Color ca = line.color_a, cb = line.color_b;
  if (!clip_near(a, b, ca, cb)) return;
  const Vec2 pa{a.x / a.w * view.width, a.y / a.w * view.height};
  const Vec2 pb{b.x / b.w * view.width, b.y / b.w * view.height};
  const Vec2 d = pb - pa;
  const float l = length(d);
  const Vec2 along = l > 1e-6f ? d * (1.0f / l) : Vec2{1, 0};
  const float width = clamp(is_finite(line.width) ? line.width : 2.0f, 0.5f, 64.0f);
  // Half the width to each side; clip space spans two units over the picture.
  const Vec2 side{-along.y * width / view.width, along.x * width / view.height};
  const auto corner = [&](const Vec4& p, float s, Color c) {
    return MarkVertex{{p.x + side.x * s * p.w, p.y + side.y * s * p.w, p.z, p.w}, c, {}};
  };
  quad(out, {corner(a, -1, ca), corner(a, 1, ca), corner(b, -1, cb), corner(b, 1, cb)});
}

void add_point(const DebugDraw::Point& point, const MarkView& view, std::vector<MarkVertex>& out) {
  if (!is_finite(point.position)) return;
  const Vec3 w = point.position;
  const Vec4 p = view.view_proj * Vec4{w.x, w.y, w.z, 1};
  if (p.w < 1e-3f) return;
  const float size = clamp(is_finite(point.size) ? point.size : 8.0f, 1.0f, 256.0f);
  const auto corner = [&](float x, float y) {
    return MarkVertex{
        {p.x + x * size / view.width * p.w, p.y + y * size / view.height * p.w, p.z, p.w},
        point.color,
        {x, y}};
  };
  quad(out, {corner(-1, -1), corner(1, -1), corner(-1, 1), corner(1, 1)});
}

}  // namespace

void add_bones(const PreparedModel& model, std::span<const Mat3x4> joints, const Mat3x4& root,
               Color color, std::vector<SolidVertex>& out) {
  const Color dark{color.r * 0.72f, color.g * 0.72f, color.b * 0.72f, color.a};
  const float height = max(model.height * length(axis_of(root, 1)), 1e-3f);
  constexpr float kNoBone = 1e30f;
  std::vector<float> shortest(joints.size(), kNoBone);
  std::vector<Vec3> places(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    places[j] = transform_point(root, translation_of(joints[j]));
    const int parent = model.parents[j];
    if (parent < 0) continue;
    const auto p = static_cast<std::size_t>(parent);
    const float bone = distance(places[j], places[p]);
    const bool trunk = model.parents[p] < 0 && bone > 0.2f * height;
    if (bone > 1e-3f * height) {
      shortest[j] = min(shortest[j], bone);
      if (!trunk) shortest[p] = min(shortest[p], bone);
      const float width = trunk ? 0.004f * height : min(0.13f * bone, 0.03f * height);
      octahedron(out, places[p], places[j], transform_vector(root, axis_of(joints[p], 0)), width,
                 color);
    }
  }
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const bool alone = shortest[j] == kNoBone;
    ball(out, places[j], alone ? 0.04f * height : min(0.011f * height, 0.18f * shortest[j]), dark);
  }
}

void add_marks(const DebugDraw& draw, DebugDraw::Depth depth, const MarkView& view,
               std::vector<MarkVertex>& out) {
  for (const DebugDraw::Line& line : draw.lines()) {
    if (line.depth == depth) add_line(line, view, out);
  }
  for (const DebugDraw::Point& point : draw.points()) {
    if (point.depth == depth) add_point(point, view, out);
  }
}

bool project(const MarkView& view, Vec3 world, Vec2& pixel) {
  const Vec4 p = view.view_proj * Vec4{world.x, world.y, world.z, 1};
  if (!is_finite(p.w) || p.w < 1e-3f) return false;
  // The picture is upside down in clip space, so that y already points down.
  pixel = {(p.x / p.w * 0.5f + 0.5f) * view.width, (p.y / p.w * 0.5f + 0.5f) * view.height};
  return is_finite(pixel.x) && is_finite(pixel.y);
}

}  // namespace sinew::render
