#include "double_math.hpp"

namespace sinew {

Affine64 operator*(const Affine64& a, const Affine64& b) {
  Affine64 out;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) {
      out.m[r][c] = a.m[r][0] * b.m[0][c] + a.m[r][1] * b.m[1][c] + a.m[r][2] * b.m[2][c] +
                    (c == 3 ? a.m[r][3] : 0.0);
    }
  }
  return out;
}

Affine64 to_affine(const Transform64& t) {
  Affine64 out;
  for (int c = 0; c < 3; ++c) {
    Double3 axis;
    axis[c] = t.scale[c];
    const Double3 turned = rotate(t.rotation, axis);
    for (int r = 0; r < 3; ++r) out.m[r][c] = turned[r];
  }
  for (int r = 0; r < 3; ++r) out.m[r][3] = t.translation[r];
  return out;
}

Double3 transform_point(const Affine64& a, const Double3& p) {
  Double3 out;
  for (int r = 0; r < 3; ++r)
    out[r] = a.m[r][0] * p.x + a.m[r][1] * p.y + a.m[r][2] * p.z + a.m[r][3];
  return out;
}

double determinant(const Affine64& a) {
  const auto& m = a.m;
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

bool invert(const Affine64& a, Affine64& out) {
  const double d = determinant(a);
  if (!(std::abs(d) > 1e-300) || !is_finite(1 / d)) return false;
  const auto& m = a.m;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      // The cofactor of (c, r): cyclic indices take care of the sign.
      const int i = (c + 1) % 3, j = (c + 2) % 3, k = (r + 1) % 3, l = (r + 2) % 3;
      out.m[r][c] = (m[i][k] * m[j][l] - m[i][l] * m[j][k]) / d;
    }
  }
  for (int r = 0; r < 3; ++r) {
    out.m[r][3] = -(out.m[r][0] * m[0][3] + out.m[r][1] * m[1][3] + out.m[r][2] * m[2][3]);
  }
  return is_finite(out);
}

namespace {

// Of a rotation matrix; the largest of the four candidates, for accuracy (Shepperd 1978).
Quat64 rotation_of(const double (&m)[3][3]) {
  const double t[4] = {1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
                       1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2]};
  int best = 0;
  for (int i = 1; i < 4; ++i) best = t[i] > t[best] ? i : best;
  const double s = 0.5 / std::sqrt(t[best] > 1e-300 ? t[best] : 1e-300);
  const double xy = (m[0][1] + m[1][0]) * s, yz = (m[1][2] + m[2][1]) * s,
               zx = (m[2][0] + m[0][2]) * s;
  const double wx = (m[2][1] - m[1][2]) * s, wy = (m[0][2] - m[2][0]) * s,
               wz = (m[1][0] - m[0][1]) * s;
  const double own = t[best] * s;
  switch (best) {
    case 0:
      return {own, xy, zx, wx};
    case 1:
      return {xy, own, yz, wy};
    case 2:
      return {zx, yz, own, wz};
    default:
      return {wx, wy, wz, own};
  }
}

}  // namespace

Transform64 decompose(const Affine64& a) {
  Transform64 out;
  out.translation = {a.m[0][3], a.m[1][3], a.m[2][3]};
  double m[3][3];
  bool flat = false;
  for (int c = 0; c < 3; ++c) {
    out.scale[c] = length_of({a.m[0][c], a.m[1][c], a.m[2][c]});
    if (c == 0 && determinant(a) < 0) out.scale.x = -out.scale.x;
    flat = flat || !(std::abs(out.scale[c]) > 1e-300);
    for (int r = 0; r < 3; ++r) m[r][c] = flat ? 0 : a.m[r][c] / out.scale[c];
  }
  if (!flat) out.rotation = rotation_of(m);
  const Quat64& q = out.rotation;
  const double l = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  out.rotation = l > 1e-12 ? Quat64{q.x / l, q.y / l, q.z / l, q.w / l} : Quat64{};
  return out;
}

bool is_finite(const Affine64& a) {
  for (const auto& row : a.m) {
    for (const double v : row) {
      if (!is_finite(v)) return false;
    }
  }
  return true;
}

Mat3x4 to_float(const Affine64& a) {
  Mat3x4 out;
  for (int r = 0; r < 3; ++r) {
    out.row[r] = {static_cast<float>(a.m[r][0]), static_cast<float>(a.m[r][1]),
                  static_cast<float>(a.m[r][2]), static_cast<float>(a.m[r][3])};
  }
  return out;
}

}  // namespace sinew
