// Clip events of one layer: state-machine rules, section 15; rulings, 2 to 4.
#include <algorithm>
#include <cmath>

#include "runtime.hpp"

namespace sinew::graph_detail {
namespace {

// The events of one clip whose time went from m0 to m1.
class EventWindow {
 public:
  EventWindow(Context& c, const MotionInfo& info, const ClipEventOut& stamp, double m0, double m1,
              bool closed)
      : c_(c), info_(info), stamp_(stamp), m0_(m0), m1_(m1), closed_(closed) {
    const double e = kWindowEpsilon;
    forward_ = m1 >= m0;
    // Both bounds are compared as open below, closed above (mirrored when running backwards); the
    // shift by e makes each crossing count once, whatever the rounding.
    if (forward_) {
      low_ = closed ? m0 - e : m0 + e;
      high_ = m1 + e;
    } else {
      low_ = m1 - e;
      high_ = closed ? m0 + e : m0 - e;
    }
  }

  void emit() {
    // A clip that does not loop fires in its first loop alone.
    double first = info_.loop ? std::floor(low_) - 1 : 0;
    double last = info_.loop ? std::floor(high_) : 0;
    if (closed_ && info_.loop) {
      // Where it begins on the border of two loops, it has not played the one behind it.
      if (forward_) {
        first = std::floor(m0_ + kWindowEpsilon);
      } else {
        last = std::ceil(m0_ - kWindowEpsilon) - 1;
      }
    }
    if (forward_) {
      for (double k = first; k <= last && !full_; ++k) emit_loop(k);
    } else {
      for (double k = last; k >= first && !full_; --k) emit_loop(k);
    }
  }

 private:
  void emit_loop(double k) {
    for (std::uint32_t i = 0; i < info_.event_count && !full_; ++i) {
      const std::uint32_t event = info_.first_event + (forward_ ? i : info_.event_count - 1 - i);
      const double x = k + c_.motions.event_times[event];
      if (inside(x) && (c_.t.policy.events_of_every_loop || is_last(x))) push(event, x);
    }
  }

  bool inside(double x) const { return forward_ ? x > low_ && x <= high_ : x >= low_ && x < high_; }
  // Whether no later loop of this update crosses the same event.
  bool is_last(double x) const { return !info_.loop || !inside(forward_ ? x + 1 : x - 1); }

  void push(std::uint32_t event, double x) {
    if (c_.out.clip_event_count == c_.out.clip_events.size()) {
      ++c_.out.dropped_events;
      full_ = true;
      return;
    }
    ClipEventOut out = stamp_;
    out.event = static_cast<std::int32_t>(event);
    const double share = m1_ == m0_ ? 0.0 : (x - m0_) / (m1_ - m0_);
    out.time = c_.raw_dt * std::min(std::max(share, 0.0), 1.0);
    c_.out.clip_events[c_.out.clip_event_count++] = out;
  }

  Context& c_;
  const MotionInfo& info_;
  ClipEventOut stamp_;
  double m0_, m1_, low_ = 0, high_ = 0;
  bool closed_, forward_ = true, full_ = false;
};

void emit_side(Context& c, std::size_t layer, const LiveSide& side, float weight) {
  if (side.live.state < 0 || !side.live.moved || weight < kMinBlendWeight) return;
  double n0 = 0, n1 = 0;
  sample_window(c, c.state_def(side.live.state), side.live, n0, n1);
  for (const MotionLeaf& leaf : leaves_of(c, layer, side.motion)) {
    const MotionInfo& info = c.motions.motions[static_cast<std::size_t>(leaf.motion)];
    if (info.event_count == 0 || leaf.weight * weight < kMinBlendWeight) continue;
    ClipEventOut stamp;
    stamp.weight = leaf.weight * weight;
    stamp.layer = static_cast<std::int32_t>(layer);
    stamp.state = side.live.state;
    stamp.motion = leaf.motion;
    const double m0 = leaf_time(c, side.motion, leaf, n0);
    const double m1 = leaf_time(c, side.motion, leaf, n1);
    EventWindow(c, info, stamp, m0, m1, side.live.closed != 0).emit();
  }
}

}  // namespace

void emit_layer_events(Context& c, std::size_t layer) {
  if (c.state.header().fire_events == 0) return;
  const float weight = layer == 0 ? 1.0f : c.state.layer_ref(static_cast<int>(layer)).weight;
  if (weight < kMinBlendWeight && !c.t.policy.events_at_zero_weight) return;
  const LayerScratch& scratch = c.out.layers[layer];
  emit_side(c, layer, scratch.moved_current, scratch.event_current);
  emit_side(c, layer, scratch.moved_next, scratch.event_next);
}

}  // namespace sinew::graph_detail
