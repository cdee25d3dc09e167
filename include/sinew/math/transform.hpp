// Translation, rotation, scale; and affine matrices, which hold what these cannot (shear).
#pragma once

#include <sinew/math/quat.hpp>

namespace sinew {

// Applied as p -> translation + rotate(rotation, scale * p).
struct Transform {
  Vec3 translation;
  Quat rotation;
  Vec3 scale{1, 1, 1};
  friend constexpr bool operator==(const Transform&, const Transform&) = default;
};

inline Vec3 transform_point(const Transform& t, Vec3 p) {
  return t.translation + rotate(t.rotation, t.scale * p);
}
inline Vec3 transform_vector(const Transform& t, Vec3 v) { return rotate(t.rotation, t.scale * v); }

// Parent after child: exact where the parent's scale is uniform or the child is not rotated;
// elsewhere the shear is dropped (use Mat3x4 for that).
inline Transform operator*(const Transform& parent, const Transform& child) {
  return {transform_point(parent, child.translation), parent.rotation * child.rotation,
          parent.scale * child.scale};
}

// The inverse, exact for uniform scale. Components of scale at 0 count as 1.
Transform inverse(const Transform& t);

inline bool is_finite(const Transform& t) {
  return is_finite(t.translation) && is_finite(t.rotation) && is_finite(t.scale);
}

// lerp, nlerp, lerp.
inline Transform blend(const Transform& a, const Transform& b, float t) {
  return {lerp(a.translation, b.translation, t), nlerp(a.rotation, b.rotation, t),
          lerp(a.scale, b.scale, t)};
}

// Affine map in three rows of four, as GPUs take it: p -> (row . (p, 1)) per row.
struct Mat3x4 {
  Vec4 row[3] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  friend constexpr bool operator==(const Mat3x4&, const Mat3x4&) = default;
};

constexpr Vec3 translation_of(const Mat3x4& m) { return {m.row[0].w, m.row[1].w, m.row[2].w}; }
// Column i: where the axis goes.
constexpr Vec3 axis_of(const Mat3x4& m, int i) {
  return i == 0   ? Vec3{m.row[0].x, m.row[1].x, m.row[2].x}
         : i == 1 ? Vec3{m.row[0].y, m.row[1].y, m.row[2].y}
                  : Vec3{m.row[0].z, m.row[1].z, m.row[2].z};
}
constexpr Vec3 transform_vector(const Mat3x4& m, Vec3 v) {
  return {m.row[0].x * v.x + m.row[0].y * v.y + m.row[0].z * v.z,
          m.row[1].x * v.x + m.row[1].y * v.y + m.row[1].z * v.z,
          m.row[2].x * v.x + m.row[2].y * v.y + m.row[2].z * v.z};
}
constexpr Vec3 transform_point(const Mat3x4& m, Vec3 p) {
  return transform_vector(m, p) + translation_of(m);
}
constexpr Mat3x4 operator*(const Mat3x4& a, const Mat3x4& b) {
  Mat3x4 out;
  for (int i = 0; i < 3; ++i) {
    const Vec4 r = a.row[i];
    out.row[i] = {r.x * b.row[0].x + r.y * b.row[1].x + r.z * b.row[2].x,
                  r.x * b.row[0].y + r.y * b.row[1].y + r.z * b.row[2].y,
                  r.x * b.row[0].z + r.y * b.row[1].z + r.z * b.row[2].z,
                  r.x * b.row[0].w + r.y * b.row[1].w + r.z * b.row[2].w + r.w};
  }
  return out;
}

Mat3x4 to_matrix(const Transform& t);
// The inverse; a singular matrix gives the identity's linear part.
Mat3x4 inverse(const Mat3x4& m);
// Determinant of the linear part.
float determinant(const Mat3x4& m);
// The nearest transform without shear: lengths of the columns as scale (x negated where the matrix
// mirrors), the rest as rotation.
Transform decompose(const Mat3x4& m);

}  // namespace sinew
