// The 4 x 4 matrices that projections need, column after column as OpenGL takes them.
#pragma once

#include <array>

#include <sinew/math/transform.hpp>
#include <sinew/render/camera.hpp>

namespace sinew::render {

struct Mat4 {
  std::array<float, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  float& at(int row, int column) { return m[static_cast<std::size_t>(column * 4 + row)]; }
  float at(int row, int column) const { return m[static_cast<std::size_t>(column * 4 + row)]; }
};

inline Mat4 operator*(const Mat4& a, const Mat4& b) {
  Mat4 out;
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 4; ++r) {
      float sum = 0;
      for (int k = 0; k < 4; ++k) sum += a.at(r, k) * b.at(k, c);
      out.at(r, c) = sum;
    }
  }
  return out;
}

inline Vec4 operator*(const Mat4& a, Vec4 v) {
  const auto row = [&](int r) {
    return a.at(r, 0) * v.x + a.at(r, 1) * v.y + a.at(r, 2) * v.z + a.at(r, 3) * v.w;
  };
  return {row(0), row(1), row(2), row(3)};
}

inline Mat4 to_mat4(const Mat3x4& a) {
  Mat4 out;
  for (int r = 0; r < 3; ++r) {
    const Vec4 row = a.row[r];
    out.at(r, 0) = row.x;
    out.at(r, 1) = row.y;
    out.at(r, 2) = row.z;
    out.at(r, 3) = row.w;
  }
  return out;
}

// Orthonormal axes of a view: to the right, up, and back toward the viewer.
struct ViewAxes {
  Vec3 right, up, back;
};
inline ViewAxes view_axes(Vec3 eye, Vec3 target, Vec3 up) {
  ViewAxes axes;
  axes.back = normalize_or(eye - target, kAxisZ);
  axes.right = normalize_or(cross(up, axes.back), any_perpendicular(axes.back));
  axes.up = cross(axes.back, axes.right);
  return axes;
}

inline Mat4 look_at(Vec3 eye, const ViewAxes& axes) {
  Mat4 out;
  const Vec3 rows[3] = {axes.right, axes.up, axes.back};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) out.at(r, c) = rows[r][c];
    out.at(r, 3) = -dot(rows[r], eye);
  }
  return out;
}

// Maps the frustum to [-1, 1], upside down: row 0 of the frame buffer is then the top row of the
// picture, and reading it back needs no turning.
inline Mat4 perspective_flipped(float fov_y, float aspect, float near, float far) {
  Mat4 out;
  const float f = 1.0f / tan(0.5f * fov_y);
  out.at(0, 0) = f / aspect;
  out.at(1, 1) = -f;
  out.at(2, 2) = (far + near) / (near - far);
  out.at(2, 3) = 2.0f * far * near / (near - far);
  out.at(3, 2) = -1;
  out.at(3, 3) = 0;
  return out;
}

// Maps a box of the view (x, y in +-half, depth along -z from near to far) to [-1, 1].
inline Mat4 orthographic(float half_x, float half_y, float near, float far) {
  Mat4 out;
  out.at(0, 0) = 1.0f / half_x;
  out.at(1, 1) = 1.0f / half_y;
  out.at(2, 2) = -2.0f / (far - near);
  out.at(2, 3) = -(far + near) / (far - near);
  return out;
}

}  // namespace sinew::render
