// Phase matching by sync markers: markers of the same name in two motions happen at the same time,
// and between two of them time runs in proportion (motion rules, "sync markers").
#pragma once

#include <cstdint>
#include <span>

#include <sinew/graph/motion_table.hpp>

namespace sinew::graph_detail {

// `t` is a time of the one motion, whole loops and a share; the result is the time of the other at
// which the phase is the same. Marker k of `from` goes with marker k + shift of `to`, counted
// through all loops. Times rise within [0, 1). Continuous, rising, and undone by the same with the
// two swapped and -shift. Cost: O(log markers).
double map_phase(std::span<const double> from, std::span<const double> to, std::int64_t shift,
                 double t);

// The markers of two motions that go with each other: all of them if their names follow each other
// in the same order; else those of one name that both have; else none.
class PhaseMap {
 public:
  PhaseMap(const MotionTable& table, std::int32_t a, bool mirror_a, std::int32_t b, bool mirror_b);
  bool matched() const { return a_count_ > 0; }
  // From a's time to b's; t itself if nothing matches.
  double forward(double t) const;
  double back(double t) const;

 private:
  bool match_all(const MotionTable& table, std::span<const std::int32_t> a,
                 std::span<const std::int32_t> b);

  double a_[kMostSyncMarkers], b_[kMostSyncMarkers];
  std::size_t a_count_ = 0, b_count_ = 0;
  std::int64_t shift_ = 0;
};

// Fills table.sync_tracks for the states with sync_markers.
void make_sync_tracks(const ControllerTables& t, MotionTable& table);

// Adds the markers of one motion to the table.
struct NamedMarker {
  double share = 0;
  std::string_view name;
};
void add_markers(MotionTable& table, MotionInfo& info, std::vector<NamedMarker> markers);
// For each set the set of the other side; after the last motion.
void mirror_marker_sets(MotionTable& table);

}  // namespace sinew::graph_detail
