// Where constraints draw what they do: a sink that the host fills its own lines from.
#pragma once

#include <cstdint>

#include <sinew/math/transform.hpp>

namespace sinew {

struct DebugColor {
  std::uint8_t r = 255, g = 255, b = 255, a = 255;
};

namespace debug_colors {
inline constexpr DebugColor kGoal{80, 200, 255, 255};     // targets, sources
inline constexpr DebugColor kBone{255, 255, 255, 255};    // the bones that are driven
inline constexpr DebugColor kHelper{170, 170, 170, 255};  // hints, poles, axes
inline constexpr DebugColor kLimit{255, 190, 60, 255};    // planes, cones, colliders
inline constexpr DebugColor kUnmet{255, 70, 70, 255};     // what could not be reached
}  // namespace debug_colors

// All arguments are in model space (metres); `root_to_world` given to evaluate_rig() takes them to
// the world. Called only where a sink is given, so that an update without one pays nothing.
class DebugDraw {
 public:
  virtual ~DebugDraw() = default;
  virtual void line(Vec3 from, Vec3 to, DebugColor color) = 0;
  virtual void point(Vec3 at, float radius, DebugColor color) = 0;
  // A square patch of the plane, `size` metres wide, about `at`; `normal` is a unit vector.
  virtual void plane(Vec3 at, Vec3 normal, float size, DebugColor color) = 0;
};

// Passes everything on in world space.
class WorldDebugDraw final : public DebugDraw {
 public:
  WorldDebugDraw(DebugDraw& sink, const Transform& root_to_world)
      : sink_(sink), root_(root_to_world) {}
  void line(Vec3 from, Vec3 to, DebugColor color) override {
    sink_.line(transform_point(root_, from), transform_point(root_, to), color);
  }
  void point(Vec3 at, float radius, DebugColor color) override {
    sink_.point(transform_point(root_, at), radius * root_.scale.x, color);
  }
  void plane(Vec3 at, Vec3 normal, float size, DebugColor color) override {
    sink_.plane(transform_point(root_, at), rotate(root_.rotation, normal), size * root_.scale.x,
                color);
  }

 private:
  DebugDraw& sink_;
  Transform root_;
};

}  // namespace sinew
