// Keyed curves of one number.
#pragma once

#include <cstddef>
#include <vector>

#include <sinew/math/scalar.hpp>

namespace sinew::make_assets {

// Cubic Hermite pieces.
inline float hermite(float a, float b, float slope_a, float slope_b, float span, float t) {
  const float t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * span * slope_a + (3 * t2 - 2 * t3) * b +
         (t3 - t2) * span * slope_b;
}

// Slope of a curve through three keys that does not overshoot: the weighted harmonic mean, 0 at a
// turning point. Source: Fritsch and Butland (1984).
inline float monotone_slope(float d0, float d1) {
  return d0 * d1 > 0 ? 2 * d0 * d1 / (d0 + d1) : 0;
}

// Keys joined smoothly (continuous slope) and without overshoot; a stretch between equal keys is
// flat. Periodic curves repeat after `period`; others hold their first and last value.
class Curve {
 public:
  struct Key {
    float at = 0;
    float value = 0;
  };
  explicit Curve(std::vector<Key> keys, float period = 0)
      : keys_(std::move(keys)), period_(period) {
    const std::size_t n = keys_.size();
    slopes_.assign(n, 0.0f);
    for (std::size_t i = 0; i < n; ++i) {
      if (period_ <= 0 && (i == 0 || i + 1 == n)) continue;
      const Key a = key(static_cast<int>(i) - 1), b = keys_[i], c = key(static_cast<int>(i) + 1);
      slopes_[i] =
          monotone_slope((b.value - a.value) / (b.at - a.at), (c.value - b.value) / (c.at - b.at));
    }
  }

  float operator()(float t) const {
    const int n = static_cast<int>(keys_.size());
    if (period_ > 0) {
      while (t >= keys_[0].at + period_) t -= period_;
      while (t < keys_[0].at) t += period_;
    } else {
      if (t <= keys_.front().at) return keys_.front().value;
      if (t >= keys_.back().at) return keys_.back().value;
    }
    int i = 0;
    while (i + 1 < n && t >= keys_[static_cast<std::size_t>(i + 1)].at) ++i;
    const Key a = key(i), b = key(i + 1);
    const float span = b.at - a.at;
    return hermite(a.value, b.value, slope(i), slope(i + 1), span, (t - a.at) / span);
  }

 private:
  Key key(int i) const {
    const int n = static_cast<int>(keys_.size());
    Key k = keys_[static_cast<std::size_t>((i + n) % n)];
    if (i < 0) k.at -= period_;
    if (i >= n) k.at += period_;
    return k;
  }
  float slope(int i) const {
    return slopes_[static_cast<std::size_t>(i % static_cast<int>(slopes_.size()))];
  }

  std::vector<Key> keys_;
  std::vector<float> slopes_;
  float period_;
};

}  // namespace sinew::make_assets
