#include <algorithm>
#include <cmath>

#include "fbx_animation.hpp"

namespace sinew {
namespace {

// The slope of an automatic key: that of its neighbours' line, none at an end of the curve.
// Clamped, it is none at a peak or beside an equal value, and nowhere so steep that an inner point
// of the Bezier, a third of the way along, passes the neighbour's value.
double automatic_slope(const std::vector<FbxCurve::Key>& keys, std::size_t i) {
  if (i == 0 || i + 1 == keys.size()) return 0;
  const FbxCurve::Key &before = keys[i - 1], &here = keys[i], &after = keys[i + 1];
  const double slope = (after.value - before.value) / (after.time - before.time);
  if (!here.clamped) return slope;
  const double sign = slope < 0 ? -1 : 1;
  const double left = sign * (here.value - before.value) / (here.time - before.time);
  const double right = sign * (after.value - here.value) / (after.time - here.time);
  return sign * std::max(0.0, std::min({std::abs(slope), 3 * left, 3 * right}));
}

// The parameter at which a Bezier with the inner abscissas a, 1 - b passes x. It rises for a and b
// in [0, 1], so that bisection cannot fail.
double bezier_parameter(double a, double b, double x) {
  double low = 0, high = 1;
  for (int i = 0; i < 50; ++i) {
    const double t = 0.5 * (low + high), s = 1 - t;
    const double at = 3 * s * s * t * a + 3 * s * t * t * (1 - b) + t * t * t;
    (at < x ? low : high) = t;
  }
  return 0.5 * (low + high);
}

}  // namespace

void FbxCurve::assign(std::vector<Key> keys) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].shape != Shape::kCubic || i + 1 == keys.size()) continue;
    if (keys[i].automatic) keys[i].slope = automatic_slope(keys, i);
    if (keys[i + 1].automatic) keys[i].next_slope = automatic_slope(keys, i + 1);
  }
  keys_ = std::move(keys);
}

double FbxCurve::value(double time) const {
  if (keys_.empty()) return 0;
  const auto next = std::upper_bound(keys_.begin(), keys_.end(), time,
                                     [](double t, const Key& key) { return t < key.time; });
  if (next == keys_.begin()) return keys_.front().value;
  if (next == keys_.end()) return keys_.back().value;
  const Key& a = *(next - 1);
  const Key& b = *next;
  const double span = b.time - a.time, x = (time - a.time) / span;
  switch (a.shape) {
    case Shape::kStep:
      return a.value;
    case Shape::kStepNext:
      return x > 0 ? b.value : a.value;
    case Shape::kLinear:
      return a.value + (b.value - a.value) * x;
    case Shape::kCubic:
      break;
  }
  const bool plain = a.weight == 1.0 / 3 && a.next_weight == 1.0 / 3;
  const double t = plain ? x : bezier_parameter(a.weight, a.next_weight, x), s = 1 - t;
  const double p1 = a.value + a.slope * span * a.weight;
  const double p2 = b.value - a.next_slope * span * a.next_weight;
  return s * s * s * a.value + 3 * s * s * t * p1 + 3 * s * t * t * p2 + t * t * t * b.value;
}

Double3 FbxChannel::value(double time) const {
  Double3 out = constant;
  for (int i = 0; i < 3; ++i) {
    const FbxCurve& curve = curves[static_cast<std::size_t>(i)];
    if (!curve.empty()) out[i] = curve.value(time);
  }
  return out;
}

namespace {

// Angle and unit axis of a rotation, the shorter way.
Quat64 fraction_of(Quat64 q, double weight) {
  if (q.w < 0) q = {-q.x, -q.y, -q.z, -q.w};
  const double l = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  if (!(l > 1e-15)) return {};
  const double half =
      static_cast<double>(atan2(static_cast<float>(l), static_cast<float>(q.w))) * weight;
  const SinCosDouble h = sincos(half);
  return {q.x / l * h.sin, q.y / l * h.sin, q.z / l * h.sin, h.cos};
}

// Degrees in the given order that make the rotation: the inverse of euler_rotation().
Double3 euler_of(const Quat64& q, const std::array<int, 3>& order) {
  // With a, b, c the axes in the order of turning, R = Rc Rb Ra. Even orders turn like XYZ, odd
  // ones like its mirror image.
  const int a = order[0], b = order[1], c = order[2];
  const double sign = (b - a + 3) % 3 == 1 ? 1 : -1;
  Double3 ea, eb, ec;
  ea[a] = 1;
  eb[b] = 1;
  ec[c] = 1;
  const Double3 ra = rotate(q, ea), rb = rotate(q, eb), rc = rotate(q, ec);
  const double sine = std::clamp(-sign * ra[c], -1.0, 1.0);
  const auto degrees = [](double y, double x) {
    return static_cast<double>(atan2(static_cast<float>(y), static_cast<float>(x))) *
           (180 / 3.14159265358979323846);
  };
  Double3 out;
  out[b] = degrees(sine, std::sqrt(std::max(0.0, 1 - sine * sine)));
  if (std::abs(sine) < 1 - 1e-12) {
    out[a] = degrees(sign * rb[c], rc[c]);
    out[c] = degrees(sign * ra[b], ra[a]);
  } else {
    out[a] = degrees(-sign * rc[b], rb[b]);
  }
  return out;
}

}  // namespace

Double3 FbxStack::value(int model, FbxTarget target, const Double3& rest,
                        const std::array<int, 3>& order, double time) const {
  Double3 out = rest;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const FbxLayer& layer = layers[i];
    const auto found = layer.channel_of.find(FbxLayer::slot(model, target));
    if (found == layer.channel_of.end()) continue;
    const Double3 v = layer.channels[static_cast<std::size_t>(found->second)].value(time);
    if (i == 0 || layer.blend == FbxLayer::Blend::kReplace) {
      out = v;
      continue;
    }
    const double percent =
        layer.weight_curve.empty() ? 100 * layer.weight : layer.weight_curve.value(time);
    const double w = std::clamp(percent / 100, 0.0, 1.0);
    if (target == FbxTarget::kRotation && !layer.rotation_by_channel) {
      const Quat64 below = euler_rotation(out, order), here = euler_rotation(v, order);
      const Quat64 combined = layer.blend == FbxLayer::Blend::kAdd
                                  ? below * fraction_of(here, w)
                                  : below * fraction_of(conjugate(below) * here, w);
      out = euler_of(combined, order);
    } else if (layer.blend == FbxLayer::Blend::kMix) {
      out = out + (v - out) * w;
    } else if (target == FbxTarget::kScale && !layer.scale_adds) {
      for (int k = 0; k < 3; ++k) {
        const double base =
            v[k] > 0 ? static_cast<double>(pow(static_cast<float>(v[k]), static_cast<float>(w)))
                     : 1 + (v[k] - 1) * w;
        out[k] *= base;
      }
    } else {
      out = out + v * w;
    }
  }
  return out;
}

}  // namespace sinew
