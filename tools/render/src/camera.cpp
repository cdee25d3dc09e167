#include <sinew/math/quat.hpp>
#include <sinew/render/camera.hpp>

namespace sinew::render {

void Bounds::add(Vec3 point) {
  if (!is_finite(point)) return;
  if (empty()) {
    low = high = point;
    return;
  }
  low = min(low, point);
  high = max(high, point);
}

void Bounds::add(const Bounds& other) {
  if (other.empty()) return;
  add(other.low);
  add(other.high);
}

float Bounds::radius() const { return empty() ? 0.0f : 0.5f * length(size()); }

Camera frame(const Bounds& bounds, const View& view, float aspect) {
  Bounds box = bounds;
  if (box.empty()) box = Bounds{{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}};
  const float yaw = is_finite(view.yaw) ? view.yaw : 0.0f;
  const float pitch = is_finite(view.pitch) ? clamp(view.pitch, -1.55f, 1.55f) : 0.0f;
  const float fov = is_finite(view.fov_y) ? clamp(view.fov_y, 0.02f, 3.0f) : 0.6f;
  const float free = is_finite(view.margin) ? clamp(view.margin, 0.0f, 0.9f) : 0.0f;
  if (!(aspect > 0.01f) || !is_finite(aspect)) aspect = 1;

  // Toward the camera, to its right, and up.
  const SinCos y = sincos(yaw), p = sincos(pitch);
  const Vec3 back{y.sin * p.cos, p.sin, y.cos * p.cos};
  const Vec3 right{y.cos, 0, -y.sin};
  const Vec3 up = cross(back, right);
  const float tan_y = tan(0.5f * fov) * (1.0f - free), tan_x = tan_y * aspect;

  // A corner is in sight when it is no further aside than the half angle allows at its depth.
  const Vec3 centre = box.centre();
  float away = 0;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner{(i & 1) != 0 ? box.high.x : box.low.x, (i & 2) != 0 ? box.high.y : box.low.y,
                      (i & 4) != 0 ? box.high.z : box.low.z};
    const Vec3 d = corner - centre;
    const float depth = dot(d, back);
    away = max(away, depth + abs(dot(d, right)) / tan_x);
    away = max(away, depth + abs(dot(d, up)) / tan_y);
  }
  Camera camera;
  camera.target = centre;
  camera.eye = centre + back * max(away, 0.05f);
  camera.fov_y = fov;
  return camera;
}

void FollowCamera::update(Vec3 place, float dt) {
  if (!is_finite(place)) return;
  if (!started_) {
    place_ = {place, {}};
    started_ = true;
    return;
  }
  if (!(dt > 0.0f) || !is_finite(dt)) return;
  place_ = spring(place_, place, half_life_, dt);
}

Camera FollowCamera::camera() const {
  Camera camera = start_;
  if (started_) camera.target = place_.x;
  camera.eye = camera.target + rotate(from_yaw(yaw_), start_.eye - start_.target);
  return camera;
}

}  // namespace sinew::render
