#include "sync_phase.hpp"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cmath>

namespace sinew::graph_detail {
namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

// Time of marker k, counted through all loops.
double time_of(std::span<const double> times, std::int64_t k) {
  const auto n = static_cast<std::int64_t>(times.size());
  const std::int64_t loop = floor_div(k, n);
  return static_cast<double>(loop) + times[static_cast<std::size_t>(k - loop * n)];
}

// The name of a marker's set, mirrored or not.
std::int32_t set_of(const MotionTable& table, std::int32_t set, bool mirror) {
  return mirror ? table.sets[static_cast<std::size_t>(set)].mirrored : set;
}

bool holds(const MotionTable& table, std::int32_t set, std::int32_t name) {
  const std::vector<std::int32_t>& names = table.sets[static_cast<std::size_t>(set)].names;
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

double map_phase(std::span<const double> from, std::span<const double> to, std::int64_t shift,
                 double t) {
  assert(!from.empty() && !to.empty());
  const double loops = std::floor(t);
  const auto next = std::upper_bound(from.begin(), from.end(), t - loops);
  const std::int64_t k = static_cast<std::int64_t>(loops) * static_cast<std::int64_t>(from.size()) +
                         (next - from.begin()) - 1;
  const double begin = time_of(from, k), end = time_of(from, k + 1);
  const double share = (t - begin) / (end - begin);
  const double to_begin = time_of(to, k + shift), to_end = time_of(to, k + shift + 1);
  return to_begin + (to_end - to_begin) * share;
}

// Two endless periodic rows of names that agree over the sum of their periods agree everywhere
// (Fine and Wilf, 1965).
bool PhaseMap::match_all(const MotionTable&, std::span<const std::int32_t> a,
                         std::span<const std::int32_t> b) {
  const std::size_t most = b.size();
  for (std::size_t i = 0; i < most; ++i) {
    // 0, 1, -1, 2, -2, ...: the nearest fitting one.
    const std::size_t half = (i + 1) / 2;
    const std::size_t shift = i % 2 != 0 ? half : (most - half) % most;
    bool same = true;
    for (std::size_t k = 0; k < a.size() + b.size() && same; ++k) {
      same = a[k % a.size()] == b[(k + shift) % b.size()];
    }
    if (!same) continue;
    shift_ = i % 2 != 0 ? static_cast<std::int64_t>(half) : -static_cast<std::int64_t>(half);
    return true;
  }
  return false;
}

PhaseMap::PhaseMap(const MotionTable& table, std::int32_t a, bool mirror_a, std::int32_t b,
                   bool mirror_b) {
  const MotionInfo& one = table.motions[static_cast<std::size_t>(a)];
  const MotionInfo& two = table.motions[static_cast<std::size_t>(b)];
  if (one.marker_count == 0 || two.marker_count == 0) return;
  std::int32_t a_sets[kMostSyncMarkers], b_sets[kMostSyncMarkers];
  for (std::size_t i = 0; i < one.marker_count; ++i) {
    a_sets[i] = set_of(table, table.marker_sets[one.first_marker + i], mirror_a);
    a_[i] = table.marker_times[one.first_marker + i];
  }
  for (std::size_t i = 0; i < two.marker_count; ++i) {
    b_sets[i] = set_of(table, table.marker_sets[two.first_marker + i], mirror_b);
    b_[i] = table.marker_times[two.first_marker + i];
  }
  if (match_all(table, {a_sets, one.marker_count}, {b_sets, two.marker_count})) {
    a_count_ = one.marker_count;
    b_count_ = two.marker_count;
    return;
  }
  // The lowest name that both have, which is the same one seen from either side.
  for (std::int32_t name = 0; name < static_cast<std::int32_t>(table.marker_names.size()); ++name) {
    std::size_t in_a = 0, in_b = 0;
    for (std::size_t i = 0; i < one.marker_count; ++i) in_a += holds(table, a_sets[i], name);
    for (std::size_t i = 0; i < two.marker_count; ++i) in_b += holds(table, b_sets[i], name);
    if (in_a == 0 || in_b == 0) continue;
    for (std::size_t i = 0; i < one.marker_count; ++i) {
      if (holds(table, a_sets[i], name)) a_[a_count_++] = a_[i];
    }
    for (std::size_t i = 0; i < two.marker_count; ++i) {
      if (holds(table, b_sets[i], name)) b_[b_count_++] = b_[i];
    }
    return;
  }
}

double PhaseMap::forward(double t) const {
  return matched() ? map_phase({a_, a_count_}, {b_, b_count_}, shift_, t) : t;
}
double PhaseMap::back(double t) const {
  return matched() ? map_phase({b_, b_count_}, {a_, a_count_}, -shift_, t) : t;
}

namespace {

// One motion of a synced state.
struct Leaf {
  std::int32_t node = -1;
  std::int32_t motion = -1;
  bool mirror = false, reversed = false;
  double offset = 0;
  std::vector<std::int32_t> sets;
};

void collect_leaves(const ControllerTables& t, const MotionTable& table, std::int32_t index,
                    Leaf above, std::vector<Leaf>& out) {
  if (index < 0) return;
  const MotionNodeDef& node = t.nodes[static_cast<std::size_t>(index)];
  if (node.kind == MotionNodeDef::Kind::kMotion) {
    const MotionInfo& info = table.motions[static_cast<std::size_t>(node.motion)];
    above.node = index;
    above.motion = node.motion;
    above.mirror = above.mirror != info.mirror;
    above.offset += info.cycle_offset;
    for (std::uint32_t i = 0; i < info.marker_count && !above.reversed; ++i) {
      above.sets.push_back(set_of(table, table.marker_sets[info.first_marker + i], above.mirror));
    }
    out.push_back(std::move(above));
    return;
  }
  for (std::uint32_t i = 0; i < node.child_count; ++i) {
    const TreeChildDef& child = t.children[node.first_child + i];
    Leaf below = above;
    below.offset += child.cycle_offset;
    below.mirror = below.mirror != child.mirror;
    below.reversed = below.reversed != (child.time_scale < 0);
    collect_leaves(t, table, child.node, below, out);
  }
}

std::vector<std::int32_t> rotated(const std::vector<std::int32_t>& row, std::size_t by,
                                  std::size_t period) {
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i < period; ++i) out.push_back(row[(by + i) % row.size()]);
  return out;
}

std::size_t period_of(const std::vector<std::int32_t>& row) {
  for (std::size_t p = 1; p < row.size(); ++p) {
    if (row.size() % p != 0) continue;
    bool repeats = true;
    for (std::size_t i = p; i < row.size() && repeats; ++i) repeats = row[i] == row[i - p];
    if (repeats) return p;
  }
  return row.size();
}

// The shortest row of names that a leaf repeats, begun at its least rotation, and that rotation.
std::vector<std::int32_t> canonical(const std::vector<std::int32_t>& row, std::size_t& rotation) {
  const std::size_t period = period_of(row);
  std::vector<std::int32_t> best = rotated(row, 0, period);
  rotation = 0;
  for (std::size_t r = 1; r < period; ++r) {
    std::vector<std::int32_t> other = rotated(row, r, period);
    if (other < best) {
      best = std::move(other);
      rotation = r;
    }
  }
  return best;
}

void write_track(const MotionTable& table, const Leaf& leaf, std::int32_t only_name,
                 std::size_t rotation, std::vector<double>& times, SyncTrack& track) {
  const MotionInfo& info = table.motions[static_cast<std::size_t>(leaf.motion)];
  track.first = static_cast<std::uint32_t>(times.size());
  track.rotation = static_cast<std::int32_t>(rotation);
  for (std::size_t i = 0; i < leaf.sets.size(); ++i) {
    if (only_name >= 0 && !holds(table, leaf.sets[i], only_name)) continue;
    times.push_back(table.marker_times[info.first_marker + i]);
  }
  track.count = static_cast<std::uint32_t>(times.size()) - track.first;
}

// Lowest name that every leaf with markers has; -1: none.
std::int32_t common_name(const MotionTable& table, const std::vector<Leaf>& leaves) {
  for (std::int32_t name = 0; name < static_cast<std::int32_t>(table.marker_names.size()); ++name) {
    const bool everywhere = std::all_of(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
      return leaf.sets.empty() ||
             std::any_of(leaf.sets.begin(), leaf.sets.end(),
                         [&](std::int32_t set) { return holds(table, set, name); });
    });
    if (everywhere) return name;
  }
  return -1;
}

void sync_state(const ControllerTables& t, std::int32_t node, MotionTable& table) {
  std::vector<Leaf> leaves;
  collect_leaves(t, table, node, {}, leaves);
  std::vector<std::int32_t> shared;
  bool same = true;
  std::vector<std::size_t> rotations(leaves.size(), 0);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].sets.empty()) continue;
    const std::vector<std::int32_t> row = canonical(leaves[i].sets, rotations[i]);
    if (shared.empty()) shared = row;
    same = same && row == shared;
  }
  // Rows that differ meet at one name alone, once a stride.
  const std::int32_t anchor = same ? -1 : common_name(table, leaves);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    SyncTrack& track = table.sync_tracks[static_cast<std::size_t>(leaves[i].node)];
    track.offset = leaves[i].offset;
    if (leaves[i].sets.empty() || (!same && anchor < 0)) continue;
    write_track(table, leaves[i], anchor, same ? rotations[i] : 0, table.sync_times, track);
  }
}

std::int32_t name_id(MotionTable& table, std::string_view name) {
  const auto found = std::find(table.marker_names.begin(), table.marker_names.end(), name);
  if (found == table.marker_names.end()) {
    table.marker_names.emplace_back(name);
    return static_cast<std::int32_t>(table.marker_names.size()) - 1;
  }
  return static_cast<std::int32_t>(found - table.marker_names.begin());
}

std::int32_t set_id(MotionTable& table, std::vector<std::int32_t> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (std::size_t i = 0; i < table.sets.size(); ++i) {
    if (table.sets[i].names == names) return static_cast<std::int32_t>(i);
  }
  table.sets.push_back({std::move(names), -1});
  return static_cast<std::int32_t>(table.sets.size()) - 1;
}

// "left_foot" for "right_foot", "Foot.R" for "Foot.L", "RightFoot" for "LeftFoot"; else the name.
std::string other_side(const std::string& name) {
  if (const auto role = joint_role_from_string(name))
    return std::string(to_string(mirrored(*role)));
  static constexpr std::string_view kPairs[][2] = {
      {"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}, {"l", "r"}, {"L", "R"}};
  const auto is_letter = [&](std::size_t i) {
    return i < name.size() && std::isalpha(static_cast<unsigned char>(name[i])) != 0;
  };
  const auto is_upper = [&](std::size_t i) {
    return i < name.size() && std::isupper(static_cast<unsigned char>(name[i])) != 0;
  };
  for (const auto& pair : kPairs) {
    for (int side = 0; side < 2; ++side) {
      const std::string_view word = pair[side];
      for (std::size_t at = name.find(word); at != std::string::npos;
           at = name.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool begins =
            at == 0 || !is_letter(at - 1) || (word.size() > 1 && is_upper(at) && !is_upper(at - 1));
        const bool ends = !is_letter(end) || (word.size() > 1 && is_upper(end));
        if (!begins || !ends) continue;
        std::string other = name;
        other.replace(at, word.size(), pair[1 - side]);
        return other;
      }
    }
  }
  return name;
}

}  // namespace

void make_sync_tracks(const ControllerTables& t, MotionTable& table) {
  const bool any = std::any_of(t.states.begin(), t.states.end(),
                               [](const StateDef& s) { return s.sync_markers; });
  if (!any) return;
  table.sync_tracks.assign(t.nodes.size(), {});
  for (const StateDef& state : t.states) {
    if (state.sync_markers) sync_state(t, state.node, table);
  }
}

void add_markers(MotionTable& table, MotionInfo& info, std::vector<NamedMarker> markers) {
  constexpr double kSameTime = 1e-4;
  for (NamedMarker& marker : markers) {
    marker.share -= std::floor(marker.share);  // the end of a loop is its start
    if (marker.share > 1 - kSameTime) marker.share = 0;
  }
  std::stable_sort(markers.begin(), markers.end(),
                   [](const auto& a, const auto& b) { return a.share < b.share; });
  info.first_marker = static_cast<std::uint32_t>(table.marker_times.size());
  for (std::size_t i = 0; i < markers.size() && info.marker_count < kMostSyncMarkers;) {
    const double share = markers[i].share;
    std::vector<std::int32_t> names;
    for (; i < markers.size() && markers[i].share - share < kSameTime; ++i) {
      names.push_back(name_id(table, markers[i].name));
    }
    table.marker_times.push_back(share);
    table.marker_sets.push_back(set_id(table, std::move(names)));
    ++info.marker_count;
  }
}

void mirror_marker_sets(MotionTable& table) {
  // Mirrored sets are added at the end and mirrored in turn; twice is the set itself.
  for (std::size_t i = 0; i < table.sets.size(); ++i) {
    std::vector<std::int32_t> names;
    for (std::int32_t name : table.sets[i].names) {
      names.push_back(
          name_id(table, other_side(table.marker_names[static_cast<std::size_t>(name)])));
    }
    const std::int32_t mirrored = set_id(table, std::move(names));
    table.sets[i].mirrored = mirrored;
  }
}

}  // namespace sinew::graph_detail
