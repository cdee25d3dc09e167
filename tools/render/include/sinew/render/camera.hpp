// Where a picture is taken from.
#pragma once

#include <sinew/math/smooth.hpp>
#include <sinew/math/vec.hpp>

namespace sinew::render {

// An axis-aligned box. Empty until a point is added.
struct Bounds {
  Vec3 low{1, 1, 1};
  Vec3 high{-1, -1, -1};

  bool empty() const { return !(low.x <= high.x && low.y <= high.y && low.z <= high.z); }
  // Points that are not finite are left out.
  void add(Vec3 point);
  void add(const Bounds& other);
  Vec3 centre() const { return (low + high) * 0.5f; }
  Vec3 size() const { return high - low; }
  // Of the sphere around centre() through the corners; 0 if empty.
  float radius() const;
};

// A pinhole camera. World space, metres, radians.
struct Camera {
  Vec3 eye{1.6f, 1.5f, 3.4f};
  Vec3 target{0, 0.9f, 0};
  Vec3 up{0, 1, 0};
  float fov_y = 0.6f;  // full angle from lower to upper edge, (0, pi)
};

// How a camera looks at what it frames. Yaw 0 looks from +Z toward -Z, at the face of a character
// that faces +Z; positive yaw goes round toward +X. Positive pitch looks down from above.
struct View {
  float yaw = 0.5f;     // radians
  float pitch = 0.18f;  // radians, clamped to +-1.55
  float fov_y = 0.6f;
  float margin = 0.08f;  // share of the half picture left free around the box, [0, 0.9]
};

// The nearest camera of this view that sees all of `bounds`; aspect = width / height. An empty box
// counts as the unit cube on the origin.
Camera frame(const Bounds& bounds, const View& view, float aspect);

// Follows a moving target without shaking with it: the target's smoothed place, seen from a fixed
// distance and direction, which may turn with `yaw`.
class FollowCamera {
 public:
  // `start` as frame() gives it; its target is taken as the first place followed.
  FollowCamera(const Camera& start, float half_life = 0.18f)
      : start_(start), half_life_(half_life) {}

  // Moves toward `place` (what should be where start.target was), dt seconds after the last call.
  // The first call takes the place as it is. Values that are not finite are ignored.
  void update(Vec3 place, float dt);
  // Turns the camera about the target, radians, relative to the start.
  void set_yaw(float yaw) { yaw_ = yaw; }
  Camera camera() const;

 private:
  Camera start_;
  float half_life_, yaw_ = 0;
  SpringVec3 place_;
  bool started_ = false;
};

}  // namespace sinew::render
