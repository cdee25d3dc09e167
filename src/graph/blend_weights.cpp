#include <algorithm>
#include <cassert>
#include <cstddef>

#include <sinew/graph/blend_weights.hpp>
#include <sinew/math/scalar.hpp>
#include <sinew/math/trig.hpp>

namespace sinew {
namespace {

// Products of two floats are exact in double, so that the sign of a difference of two is right.
double cross_exact(Vec2 a, Vec2 b) {
  return static_cast<double>(a.x) * static_cast<double>(b.y) -
         static_cast<double>(a.y) * static_cast<double>(b.x);
}
double dot_exact(Vec2 a, Vec2 b) {
  return static_cast<double>(a.x) * static_cast<double>(b.x) +
         static_cast<double>(a.y) * static_cast<double>(b.y);
}
double clamp01(double x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
float finite_or_zero(float x) { return is_finite(x) ? x : 0.0f; }
Vec2 finite_or_zero(Vec2 q) { return {finite_or_zero(q.x), finite_or_zero(q.y)}; }

constexpr double kPiDouble = 3.14159265358979323846;
constexpr double kNoDirection = 1e-6;  // a query nearer to the origin than this has no angle

std::size_t nearest_point(std::span<const BlendPoint> points, Vec2 q) {
  std::size_t best = 0;
  double best_distance = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 d = points[i].position - q;
    const double distance = dot_exact(d, d);
    if (i == 0 || distance < best_distance) {
      best = i;
      best_distance = distance;
    }
  }
  return best;
}

// Divides by the sum; where that is 0 the child nearest to q plays alone (rules, 9.6).
void normalize_or_nearest(std::span<const BlendPoint> points, Vec2 q, std::span<float> weights) {
  double sum = 0;
  for (float w : weights) sum += static_cast<double>(w);
  if (sum > 0) {
    for (float& w : weights) w = static_cast<float>(static_cast<double>(w) / sum);
    return;
  }
  if (!weights.empty()) weights[nearest_point(points, q)] = 1;
}

// The signed angle from a to b, whose angles from +x are known. Where they are exactly opposite,
// `opposite_sign` decides the side (rulings, 25).
double signed_angle(Vec2 a, double angle_a, Vec2 b, double angle_b, double opposite_sign) {
  double angle = angle_b - angle_a;
  if (angle < 0) angle = -angle;
  if (angle > kPiDouble) angle = 2 * kPiDouble - angle;
  const double side = cross_exact(a, b);
  if (side == 0) return dot_exact(a, b) < 0 ? kPiDouble * (opposite_sign < 0 ? -1 : 1) : 0.0;
  return side < 0 ? -angle : angle;
}

struct Side {
  int child = -1;
  double dot = 0;  // of the child's direction and q
};

// The children next to q's direction: `left` has q strictly counter-clockwise of it, `right` not.
void find_sides(std::span<const BlendPoint> points, Vec2 q, Side& left, Side& right) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].length == 0) continue;
    Side& side = cross_exact(points[i].position, q) > 0 ? left : right;
    const double d = dot_exact(points[i].position, q) / points[i].length;
    if (side.child < 0 || d > side.dot) side = {static_cast<int>(i), d};
  }
}

// Weights of the children left and right of q as barycentric coordinates of the triangle with the
// centre; false where they are of no use (rules, 9.3: one side missing, det = 0, wC > 1).
bool barycentric(std::span<const BlendPoint> points, Vec2 q, const Side& left, const Side& right,
                 double& weight_left, double& weight_right) {
  if (left.child < 0 || right.child < 0) return false;
  const Vec2 a = points[static_cast<std::size_t>(left.child)].position;
  const Vec2 b = points[static_cast<std::size_t>(right.child)].position;
  const double det = cross_exact(a, b);
  if (det == 0) return false;
  weight_left = cross_exact(q, b) / det;
  weight_right = cross_exact(a, q) / det;
  const double sum = weight_left + weight_right;
  if (sum < 0) return false;
  if (sum > 1) {
    weight_left /= sum;
    weight_right /= sum;
  }
  return true;
}

}  // namespace

BlendPoint make_blend_point(Vec2 position) {
  return {position, sqrt(dot_exact(position, position)), atan2(position.y, position.x)};
}

void weights_1d(std::span<const float> thresholds, float x, std::span<float> weights) {
  assert(thresholds.size() == weights.size());
  if (weights.empty()) return;
  std::fill(weights.begin(), weights.end(), 0.0f);
  x = finite_or_zero(x);
  x = clamp(x, thresholds.front(), thresholds.back());
  std::size_t i = 0;
  for (std::size_t k = 1; k < thresholds.size() && thresholds[k] <= x; ++k) i = k;
  if (i + 1 == thresholds.size()) {
    weights[i] = 1;
    return;
  }
  const double low = static_cast<double>(thresholds[i]);
  const double span = static_cast<double>(thresholds[i + 1]) - low;
  const double t = clamp01((static_cast<double>(x) - low) / span);
  weights[i] = static_cast<float>(1 - t);
  weights[i + 1] = static_cast<float>(t);
}

void weights_simple_directional(std::span<const BlendPoint> points, Vec2 q, bool unity,
                                std::span<float> weights) {
  assert(points.size() == weights.size());
  const std::size_t count = points.size();
  std::fill(weights.begin(), weights.end(), 0.0f);
  if (count == 0) return;
  if (count == 1) {
    weights[0] = 1;
    return;
  }
  q = finite_or_zero(q);
  int centre = -1, centres = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (points[i].length > 0) continue;
    if (centre < 0) centre = static_cast<int>(i);
    ++centres;
  }
  const bool at_origin = q.x == 0 && q.y == 0;
  if (!at_origin && centres > 1) return;  // refused when compiled; defined all the same

  double centre_weight = 1;
  if (!at_origin) {
    Side left, right;
    find_sides(points, q, left, right);
    double weight_left = 0, weight_right = 0;
    if (barycentric(points, q, left, right, weight_left, weight_right)) {
      weights[static_cast<std::size_t>(left.child)] += static_cast<float>(weight_left);
      weights[static_cast<std::size_t>(right.child)] += static_cast<float>(weight_right);
      centre_weight = clamp01(1 - weight_left - weight_right);
    } else if (!unity) {
      // Toward the better of the two by its share of the way, so that nothing jumps.
      const Side& side =
          left.child >= 0 && (right.child < 0 || left.dot > right.dot) ? left : right;
      if (side.child >= 0 && side.dot > 0) {
        const double t = clamp01(side.dot / points[static_cast<std::size_t>(side.child)].length);
        weights[static_cast<std::size_t>(side.child)] = static_cast<float>(t);
        centre_weight = 1 - t;
      }
    }
  }
  if (centre >= 0) {
    weights[static_cast<std::size_t>(centre)] += static_cast<float>(centre_weight);
    return;
  }
  const double share = centre_weight / static_cast<double>(count);
  for (float& w : weights) w = static_cast<float>(static_cast<double>(w) + share);
}

void weights_freeform_cartesian(std::span<const BlendPoint> points, Vec2 q,
                                std::span<float> weights) {
  assert(points.size() == weights.size());
  q = finite_or_zero(q);
  for (std::size_t i = 0; i < points.size(); ++i) {
    double weight = 1;
    const Vec2 p = points[i].position;
    for (std::size_t j = 0; j < points.size(); ++j) {
      const double vx = static_cast<double>(points[j].position.x) - static_cast<double>(p.x);
      const double vy = static_cast<double>(points[j].position.y) - static_cast<double>(p.y);
      const double square = vx * vx + vy * vy;
      if (square == 0) continue;  // itself, and coincident ones, which share
      const double ux = static_cast<double>(q.x) - static_cast<double>(p.x);
      const double uy = static_cast<double>(q.y) - static_cast<double>(p.y);
      weight = std::min(weight, clamp01(1 - (ux * vx + uy * vy) / square));
    }
    weights[i] = static_cast<float>(weight);
  }
  normalize_or_nearest(points, q, weights);
}

void weights_freeform_directional(std::span<const BlendPoint> points, Vec2 q,
                                  std::span<float> weights) {
  assert(points.size() == weights.size());
  constexpr double kAngleScale = 2;  // the thesis' alpha
  const BlendPoint query = make_blend_point(finite_or_zero(q));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const BlendPoint& p = points[i];
    const bool has_angle = p.length > 0 && query.length >= kNoDirection;
    const double to_query = has_angle
                                ? signed_angle(p.position, static_cast<double>(p.angle),
                                               query.position, static_cast<double>(query.angle), 1)
                                : 0.0;
    double weight = 1;
    for (std::size_t j = 0; j < points.size(); ++j) {
      const BlendPoint& other = points[j];
      if (other.position == p.position) continue;
      const double mean = 0.5 * (p.length + other.length);
      double v_angle = 0, u_angle = 0;
      if (p.length > 0 && other.length > 0) {
        v_angle =
            kAngleScale * signed_angle(p.position, static_cast<double>(p.angle), other.position,
                                       static_cast<double>(other.angle), to_query);
        u_angle = kAngleScale * to_query;
      }
      const double v_length = (other.length - p.length) / mean;
      const double u_length = (query.length - p.length) / mean;
      const double square = v_length * v_length + v_angle * v_angle;
      if (square == 0) continue;
      weight = std::min(weight, clamp01(1 - (u_length * v_length + u_angle * v_angle) / square));
    }
    weights[i] = static_cast<float>(weight);
  }
  normalize_or_nearest(points, query.position, weights);
}

void weights_direct(bool normalize, std::span<float> weights) {
  double sum = 0;
  for (float& w : weights) {
    if (!(w > 0) || !is_finite(w)) w = 0;
    sum += static_cast<double>(w);
  }
  if (!normalize || sum <= 0) return;
  for (float& w : weights) w = static_cast<float>(static_cast<double>(w) / sum);
}

double tree_length(std::span<const float> weights, std::span<const double> child_lengths) {
  double length = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    length += static_cast<double>(weights[i]) * effective_length(child_lengths[i]);
  }
  return effective_length(length);
}

}  // namespace sinew
