#include "curve_track.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <sinew/math/scalar.hpp>

namespace sinew::unity {
namespace {

constexpr double kStep = std::numeric_limits<double>::infinity();
constexpr int kPieces = 16;  // of a weighted segment

bool is_step(double slope) { return !std::isfinite(slope); }

float narrow(double value) {
  constexpr double kLargest = 3e38;
  return std::isfinite(value) ? static_cast<float>(std::clamp(value, -kLargest, kLargest)) : 0.0f;
}

// One component of a weighted segment: a Bezier curve in time and value, its inner points at shares
// of the segment's length.
Sample bezier(const AnimKey& a, const AnimKey& b, std::size_t c, double u) {
  const double length = b.time - a.time;
  const double w0 = (a.weighted & 2) != 0 ? a.out_weight[c] : 1 / 3.0;
  const double w1 = (b.weighted & 1) != 0 ? b.in_weight[c] : 1 / 3.0;
  const double x1 = w0, x2 = 1 - w1;
  const double y0 = a.value[c], y3 = b.value[c];
  const double y1 = y0 + a.out_slope[c] * w0 * length, y2 = y3 - b.in_slope[c] * w1 * length;
  const auto at = [](double p0, double p1, double p2, double p3, double s) {
    const double r = 1 - s;
    return r * r * r * p0 + 3 * r * r * s * p1 + 3 * r * s * s * p2 + s * s * s * p3;
  };
  // Weights are at most 1, so that the time never runs backwards along the curve.
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (at(0, x1, x2, 1, middle) < u ? low : high) = middle;
  }
  const double s = 0.5 * (low + high), d = 1e-4;
  const double before = std::max(0.0, s - d), after = std::min(1.0, s + d);
  const double dx = at(0, x1, x2, 1, after) - at(0, x1, x2, 1, before);
  const double dy = at(y0, y1, y2, y3, after) - at(y0, y1, y2, y3, before);
  return {at(y0, y1, y2, y3, s), dx > 1e-12 ? dy / (dx * length) : 0};
}

Knot knot_of(const AnimKey& key) { return {key.time, key.value, key.in_slope, key.out_slope}; }

void add_weighted(const AnimKey& a, const AnimKey& b, std::size_t components,
                  std::vector<Knot>& out) {
  Knot& first = out.back();
  Knot last = knot_of(b);
  for (int i = 1; i < kPieces; ++i) {
    Knot knot;
    const double u = static_cast<double>(i) / kPieces;
    knot.time = a.time + (b.time - a.time) * u;
    for (std::size_t c = 0; c < components; ++c) {
      if (is_step(a.out_slope[c]) || is_step(b.in_slope[c])) {
        knot.value[c] = a.value[c];
        knot.in[c] = knot.out[c] = kStep;
      } else {
        const Sample sample = bezier(a, b, c, u);
        knot.value[c] = sample.value;
        knot.in[c] = knot.out[c] = sample.slope;
      }
    }
    out.push_back(knot);
  }
  (void)first;
  out.push_back(last);
}

template <class T>
struct TrackBuilder {
  KeyTrack<T> track;
  T (*make)(const std::array<double, 4>&);

  void push(double time, const std::array<double, 4>& value, const std::array<double, 4>& in,
            const std::array<double, 4>& out) {
    float t = std::max(0.0f, narrow(time));
    if (!track.times.empty() && !(t > track.times.back())) {
      // Nearer than a float tells apart: the later one counts.
      track.values.back() = make(value);
      track.out_tangents.back() = make(out);
      return;
    }
    track.times.push_back(t);
    track.values.push_back(make(value));
    track.in_tangents.push_back(make(in));
    track.out_tangents.push_back(make(out));
  }
};

// Just before a time, as far as floats go.
double just_before(double time) { return static_cast<double>(std::nextafter(narrow(time), 0.0f)); }

template <class T>
KeyTrack<T> make_track(const std::vector<Knot>& knots, int components,
                       T (*make)(const std::array<double, 4>&)) {
  TrackBuilder<T> builder{{}, make};
  builder.track.interpolation = Interpolation::kCubicSpline;
  if (knots.empty()) return {};
  bool all_hold = true;
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    for (int c = 0; c < components; ++c) all_hold = all_hold && holds(knots[i], knots[i + 1], c);
  }
  const auto size = static_cast<std::size_t>(components);
  for (std::size_t i = 0; i < knots.size(); ++i) {
    Knot knot = knots[i];
    const bool has_next = i + 1 < knots.size();
    bool some_hold = false;
    for (std::size_t c = 0; c < size; ++c) {
      const bool held_before = i > 0 && holds(knots[i - 1], knot, static_cast<int>(c));
      const bool held_after = has_next && holds(knot, knots[i + 1], static_cast<int>(c));
      if (held_before || is_step(knot.in[c])) knot.in[c] = 0;
      // Only read by the next rounds from `knots`, so that this may be changed.
      if (held_after || is_step(knot.out[c])) knot.out[c] = 0;
      some_hold = some_hold || held_after;
    }
    builder.push(knot.time, knot.value, knot.in, knot.out);
    if (all_hold || !some_hold) continue;
    const Knot& next = knots[i + 1];
    Knot hold = knot;
    hold.time = just_before(next.time);
    for (std::size_t c = 0; c < size; ++c) {
      const bool held = holds(knots[i], next, static_cast<int>(c));
      hold.value[c] = held ? knot.value[c] : next.value[c];
      hold.in[c] = hold.out[c] = held ? 0 : next.in[c];
    }
    if (narrow(hold.time) > builder.track.times.back()) {
      builder.push(hold.time, hold.value, hold.in, hold.out);
    }
  }
  KeyTrack<T> track = std::move(builder.track);
  if (all_hold) {
    track.interpolation = knots.size() > 1 ? Interpolation::kStep : Interpolation::kLinear;
    track.in_tangents.clear();
    track.out_tangents.clear();
  }
  return track;
}

float make_float(const std::array<double, 4>& v) { return narrow(v[0]); }
Vec3 make_vector(const std::array<double, 4>& v) {
  return {narrow(v[0]), narrow(v[1]), narrow(v[2])};
}
Quat make_quaternion(const std::array<double, 4>& v) {
  return {narrow(v[0]), narrow(v[1]), narrow(v[2]), narrow(v[3])};
}

Quat right_handed(Quat q) { return {q.x, -q.y, -q.z, q.w}; }

// The shortest rotation of an angle counts, so that turns beyond a half turn need pieces.
int euler_pieces(const Knot& a, const Knot& b) {
  double most = 0;
  for (std::size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(b.value[c] - a.value[c]));
  const double wanted = std::max((b.time - a.time) * 60, most / 5);
  return static_cast<int>(std::clamp(std::ceil(wanted), 1.0, 600.0));
}

}  // namespace

bool holds(const Knot& a, const Knot& b, int component) {
  const auto c = static_cast<std::size_t>(component);
  return is_step(a.out[c]) || is_step(b.in[c]);
}

std::vector<Knot> knots_of(const AnimCurve& curve) {
  std::vector<Knot> out;
  for (std::size_t i = 0; i < curve.keys.size(); ++i) {
    const AnimKey& key = curve.keys[i];
    if (!out.empty() && !(key.time > out.back().time)) {
      // Two keys at one time: a jump, of which the right side stays.
      const auto in = out.back().in;
      out.back() = knot_of(key);
      out.back().in = in;
      continue;
    }
    const bool weighted =
        i > 0 && ((curve.keys[i - 1].weighted & 2) != 0 || (key.weighted & 1) != 0);
    if (weighted && curve.keys[i - 1].time < key.time) {
      add_weighted(curve.keys[i - 1], key, static_cast<std::size_t>(curve.components()), out);
    } else {
      out.push_back(knot_of(key));
    }
  }
  return out;
}

Sample sample_between(const Knot& a, const Knot& b, int component, double time) {
  const auto c = static_cast<std::size_t>(component);
  const double length = b.time - a.time;
  if (holds(a, b, component) || !(length > 0)) return {a.value[c], 0};
  const double u = std::clamp((time - a.time) / length, 0.0, 1.0), u2 = u * u, u3 = u2 * u;
  const double m0 = a.out[c] * length, m1 = b.in[c] * length;
  const double p0 = a.value[c], p1 = b.value[c];
  const double value =
      (2 * u3 - 3 * u2 + 1) * p0 + (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * p1 + (u3 - u2) * m1;
  const double slope = ((6 * u2 - 6 * u) * p0 + (3 * u2 - 4 * u + 1) * m0 + (6 * u - 6 * u2) * p1 +
                        (3 * u2 - 2 * u) * m1) /
                       length;
  return {value, slope};
}

std::vector<Knot> crop(const std::vector<Knot>& knots, double start, double stop, int components) {
  std::vector<Knot> out;
  if (knots.empty()) return out;
  const auto at = [&](double time) {
    const auto after = std::upper_bound(knots.begin(), knots.end(), time,
                                        [](double t, const Knot& k) { return t < k.time; });
    Knot knot = after == knots.begin() ? knots.front() : *(after - 1);
    if (after != knots.begin() && after != knots.end() && time > knot.time) {
      const Knot before = *(after - 1);
      for (int i = 0; i < components; ++i) {
        const auto c = static_cast<std::size_t>(i);
        const Sample sample = sample_between(before, *after, i, time);
        knot.value[c] = sample.value;
        knot.in[c] = knot.out[c] = holds(before, *after, i) ? kStep : sample.slope;
      }
    }
    knot.time = time - start;
    return knot;
  };
  const bool cut_front = start > knots.front().time, cut_back = stop < knots.back().time;
  if (cut_front) out.push_back(at(start));
  for (const Knot& knot : knots) {
    if ((cut_front && knot.time <= start) || (cut_back && knot.time >= stop)) continue;
    out.push_back(knot);
    out.back().time -= start;
  }
  if (cut_back && stop > start) out.push_back(at(stop));
  if (out.empty()) out.push_back(at(start));
  return out;
}

KeyTrack<float> float_track(const std::vector<Knot>& knots) {
  return make_track<float>(knots, 1, make_float);
}
KeyTrack<Vec3> vector_track(const std::vector<Knot>& knots) {
  return make_track<Vec3>(knots, 3, make_vector);
}
KeyTrack<Quat> quaternion_track(const std::vector<Knot>& knots) {
  return make_track<Quat>(knots, 4, make_quaternion);
}

KeyTrack<Quat> euler_track(const std::vector<Knot>& knots, int order) {
  KeyTrack<Quat> track;
  const auto push = [&](double time, const std::array<double, 4>& v) {
    const float t = std::max(0.0f, narrow(time));
    const Quat q = right_handed(euler_rotation(v[0], v[1], v[2], order));
    if (!track.times.empty() && !(t > track.times.back())) {
      track.values.back() = q;
      return;
    }
    track.times.push_back(t);
    track.values.push_back(track.values.empty() ? q : align(track.values.back(), q));
  };
  bool all_hold = knots.size() > 1;
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    for (int c = 0; c < 3; ++c) all_hold = all_hold && holds(knots[i], knots[i + 1], c);
  }
  for (std::size_t i = 0; i < knots.size(); ++i) {
    push(knots[i].time, knots[i].value);
    if (all_hold || i + 1 == knots.size()) continue;
    const Knot &a = knots[i], &b = knots[i + 1];
    const int pieces = euler_pieces(a, b);
    bool some_hold = false;
    for (int c = 0; c < 3; ++c) some_hold = some_hold || holds(a, b, c);
    for (int p = 1; p < pieces + (some_hold ? 1 : 0); ++p) {
      const double time =
          p == pieces ? just_before(b.time) : a.time + (b.time - a.time) * p / pieces;
      std::array<double, 4> value{};
      for (int c = 0; c < 3; ++c) {
        value[static_cast<std::size_t>(c)] = sample_between(a, b, c, time).value;
      }
      if (narrow(time) > track.times.back()) push(time, value);
    }
  }
  if (all_hold) track.interpolation = Interpolation::kStep;
  return track;
}

void mirror_positions(std::vector<Knot>& knots) {
  for (Knot& k : knots) {
    for (auto* v : {&k.value, &k.in, &k.out}) (*v)[0] = -(*v)[0];
  }
}

void mirror_quaternions(std::vector<Knot>& knots) {
  for (Knot& k : knots) {
    for (auto* v : {&k.value, &k.in, &k.out}) {
      (*v)[1] = -(*v)[1];
      (*v)[2] = -(*v)[2];
    }
  }
}

Quat euler_rotation(double x, double y, double z, int order) {
  const auto turn = [](Vec3 axis, double degrees) {
    const double folded = std::isfinite(degrees) ? std::fmod(degrees, 360.0) : 0;
    return from_axis_angle(axis, static_cast<float>(folded) * kDegToRad);
  };
  const Quat qx = turn({1, 0, 0}, x), qy = turn({0, 1, 0}, y), qz = turn({0, 0, 1}, z);
  switch (order) {  // the axis named first turns first
    case 0:
      return qz * qy * qx;
    case 1:
      return qy * qz * qx;
    case 2:
      return qx * qz * qy;
    case 3:
      return qz * qx * qy;
    case 5:
      return qx * qy * qz;
    default:
      return qy * qx * qz;
  }
}

}  // namespace sinew::unity
