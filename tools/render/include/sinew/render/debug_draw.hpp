// Lines, points and labels over a picture: targets, poles, axes, trails, physics shapes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/math/transform.hpp>
#include <sinew/render/image.hpp>

namespace sinew::render {

// A list of marks in world space. Widths and sizes are pixels, so that marks stay readable at any
// distance. Where something lies in front of a mark, it shows through faintly (`kSeeThrough`), is
// hidden (`kHidden`) or is drawn as if nothing were there (`kOnTop`).
class DebugDraw {
 public:
  enum class Depth : std::uint8_t { kSeeThrough, kHidden, kOnTop };
  struct Line {
    Vec3 a, b;
    Color color_a, color_b;
    float width = 2;
    Depth depth = Depth::kSeeThrough;
  };
  struct Point {
    Vec3 position;
    Color color;
    float size = 8;  // diameter
    Depth depth = Depth::kSeeThrough;
  };
  struct Label {
    Vec3 position;
    std::string text;
    Color color;
    float size = 16;
  };

  // What the next marks take.
  void set_width(float pixels) { width_ = pixels; }
  void set_depth(Depth depth) { depth_ = depth; }

  void line(Vec3 a, Vec3 b, Color color);
  void point(Vec3 position, Color color, float size = 8);
  // Text beside a world position; never hidden.
  void label(Vec3 position, std::string_view text, Color color = rgb(0x22262b), float size = 16);

  // A line with a head at `b`, whose length is a fifth of the arrow's.
  void arrow(Vec3 a, Vec3 b, Color color);
  // x red, y green, z blue, each `size` metres.
  void axes(const Mat3x4& frame, float size);
  // A three-armed cross: effector targets, way-points.
  void cross_mark(Vec3 position, float size, Color color);
  // Joined points; with `fade` the oldest (first) end is transparent, as trails are shown.
  void polyline(std::span<const Vec3> points, Color color, bool fade = false);
  // Around `centre` at right angles to `normal` (unit).
  void circle(Vec3 centre, Vec3 normal, float radius, Color color);

  // Wire shapes. `frame` puts the shape's own space into the world.
  void wire_box(const Mat3x4& frame, Vec3 half_extents, Color color);
  void wire_sphere(Vec3 centre, float radius, Color color);
  // Along the frame's Y axis; half_height: from the middle to the centre of a cap.
  void wire_capsule(const Mat3x4& frame, float radius, float half_height, Color color);
  // A cone from `apex` along `axis` (unit): look-at and swing limits. half_angle in radians.
  void wire_cone(Vec3 apex, Vec3 axis, float length, float half_angle, Color color);

  void clear();
  bool empty() const { return lines_.empty() && points_.empty() && labels_.empty(); }
  std::span<const Line> lines() const { return lines_; }
  std::span<const Point> points() const { return points_; }
  std::span<const Label> labels() const { return labels_; }

 private:
  void arc(Vec3 centre, Vec3 x, Vec3 y, float radius, float from, float to, Color color);

  std::vector<Line> lines_;
  std::vector<Point> points_;
  std::vector<Label> labels_;
  float width_ = 2;
  Depth depth_ = Depth::kSeeThrough;
};

}  // namespace sinew::render
