// MatchTarget: the share of a correction that falls into each update (rules, 12.12).
#include <algorithm>
#include <cmath>

#include <sinew/graph/update.hpp>
#include <sinew/math/scalar.hpp>

#include "runtime.hpp"

namespace sinew {
namespace graph_detail {
namespace {

// The window in the state's own time: in this cycle, or in the next one if its start is past. A
// motion that does not loop begins at once instead.
void open_window(const LiveState& live, bool loop, MatchState& match) {
  const double n = live.before.value();
  const double cycle = loop ? static_cast<double>(live.before.loops) : 0.0;
  match.start += cycle;
  match.end += cycle;
  if (n > match.start + kWindowEpsilon) {
    if (loop) {
      match.start += 1;
      match.end += 1;
    } else {
      match.start = n;
    }
  }
  match.phase = MatchState::Phase::kRunning;
}

void write_out(const MatchState& match, double share, MatchOut& out) {
  out.active = true;
  out.share = clamp01(static_cast<float>(share));
  out.end = match.end;
  out.joint = match.joint;
  out.position = match.position;
  out.rotation = match.rotation;
  out.position_weight = match.position_weight;
  out.rotation_weight = match.rotation_weight;
}

}  // namespace

void update_match(Context& c) {
  MatchState& match = c.state.header_ref().match;
  const LayerScratch& scratch = c.out.layers[0];
  const LiveState& live = scratch.moved_current.live;
  const bool stays = live.state >= 0 && live.state == scratch.current.live.state &&
                     live.now.value() == scratch.current.live.now.value() &&
                     scratch.next.live.state < 0;
  if (!stays) {
    // A transition or a command ended it: what is left is corrected now, or never.
    if (match.phase == MatchState::Phase::kRunning && match.complete) {
      match.end = scratch.current.live.now.value();
      write_out(match, 1, c.out.match);
    }
    match = MatchState{};
    return;
  }
  if (match.phase == MatchState::Phase::kRequested) {
    open_window(live, scratch.moved_current.motion.loop, match);
  }
  const double from = std::max(live.before.value(), match.start), to = live.now.value();
  if (to < match.start) return;
  const double left = match.end - from;
  const bool last = to >= match.end - kWindowEpsilon || left <= kWindowEpsilon;
  write_out(match, last ? 1 : (to - from) / left, c.out.match);
  if (last) match = MatchState{};
}

}  // namespace graph_detail

MatchCorrection correct_for_match(const MatchOut& match, const Transform& root,
                                  const Transform& predicted) {
  MatchCorrection correction;
  if (!match.active) return correction;
  // The part about +Y of the turn that is missing.
  const Quat missing = match.rotation * conjugate(predicted.rotation);
  const Quat yaw = align(Quat{}, normalize(Quat{0, missing.y, 0, missing.w}));
  correction.turn = nlerp(Quat{}, yaw, match.share * match.rotation_weight);
  const Vec3 place =
      root.translation + rotate(correction.turn, predicted.translation - root.translation);
  const Vec3 way = match.position - place;
  correction.translation = way * match.position_weight * match.share;
  return correction;
}

}  // namespace sinew
