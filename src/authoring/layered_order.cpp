// The order of the slots in their columns, and their heights.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "layered_layout.hpp"

namespace sinew::authoring_detail {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Pairs (a, b) against each other in both orders, by counting in a binary indexed tree.
double inversions(std::vector<std::pair<double, double>>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  std::vector<double> ends;
  for (const auto& p : pairs) ends.push_back(p.second);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<int> tree(ends.size() + 1, 0);
  double count = 0;
  int seen = 0;
  for (const auto& p : pairs) {
    const auto rank = static_cast<std::size_t>(
        std::lower_bound(ends.begin(), ends.end(), p.second) - ends.begin());
    int not_above = 0;
    for (std::size_t i = rank + 1; i > 0; i -= i & (~i + 1)) not_above += tree[i];
    count += seen - not_above;
    for (std::size_t i = rank + 1; i < tree.size(); i += i & (~i + 1)) ++tree[i];
    ++seen;
  }
  return count;
}

}  // namespace

// Where links attach counts as a fraction of a place, so that lines to fixed places of one node can
// cross, too.
double LayeredLayout::crossings_between(std::size_t column) const {
  std::vector<std::pair<double, double>> pairs;
  for (int s : columns_[column]) {
    for (int l : right_links_[at(s)]) {
      const Link& k = links_[at(l)];
      const auto place = [&](int slot, double offset) {
        const double height = std::max(slots_[at(slot)].height, 1.0);
        return position_[at(slot)] + 0.9 * std::clamp(offset / height, -0.5, 0.5);
      };
      const bool left_fixed = slots_[at(k.left)].node >= 0,
                 right_fixed = slots_[at(k.right)].node >= 0;
      pairs.emplace_back(place(k.left, left_fixed ? k.left_at : 0),
                         place(k.right, right_fixed ? k.right_at : 0));
    }
  }
  return inversions(pairs);
}

double LayeredLayout::crossings() const {
  double count = 0;
  for (std::size_t c = 0; c + 1 < columns_.size(); ++c) count += crossings_between(c);
  return count;
}

bool LayeredLayout::sort_column(std::size_t column, bool by_left) {
  std::vector<int>& slots = columns_[column];
  std::vector<std::pair<double, int>> keys;
  std::vector<std::size_t> free_places;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::vector<int>& links =
        by_left ? left_links_[at(slots[i])] : right_links_[at(slots[i])];
    if (links.empty()) continue;  // keeps its place
    std::vector<double> places;
    for (int l : links) {
      const Link& k = links_[at(l)];
      const int other = by_left ? k.left : k.right;
      const double offset = by_left ? k.left_at : k.right_at;
      const double height = std::max(slots_[at(other)].height, 1.0);
      places.push_back(position_[at(other)] + 0.9 * std::clamp(offset / height, -0.5, 0.5));
    }
    std::sort(places.begin(), places.end());
    const std::size_t n = places.size();
    double key = n % 2 ? places[n / 2] : (places[n / 2 - 1] + places[n / 2]) / 2;
    // Among equal medians the mean decides.
    key += 1e-3 * std::accumulate(places.begin(), places.end(), 0.0) / static_cast<double>(n);
    keys.emplace_back(key, slots[i]);
    free_places.push_back(i);
  }
  std::stable_sort(keys.begin(), keys.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  bool changed = false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    changed = changed || slots[free_places[i]] != keys[i].second;
    slots[free_places[i]] = keys[i].second;
  }
  for (std::size_t i = 0; i < slots.size(); ++i) position_[at(slots[i])] = static_cast<int>(i);
  return changed;
}

// Swaps of neighbours that lessen the crossings of both sides.
void LayeredLayout::swap_neighbours() {
  const auto cost = [&](int upper, int lower) {
    double count = 0;
    const auto side = [&](const std::vector<int>& a, const std::vector<int>& b, bool left) {
      for (int la : a) {
        for (int lb : b) {
          const Link &ka = links_[at(la)], &kb = links_[at(lb)];
          const int pa = position_[at(left ? ka.left : ka.right)],
                    pb = position_[at(left ? kb.left : kb.right)];
          const double oa = left ? ka.left_at : ka.right_at, ob = left ? kb.left_at : kb.right_at;
          count += pa > pb || (pa == pb && oa > ob + 0.5);
        }
      }
    };
    side(left_links_[at(upper)], left_links_[at(lower)], true);
    side(right_links_[at(upper)], right_links_[at(lower)], false);
    return count;
  };
  for (std::vector<int>& slots : columns_) {
    bool better = true;
    for (int round = 0; better && round < 10; ++round) {
      better = false;
      for (std::size_t i = 0; i + 1 < slots.size(); ++i) {
        if (cost(slots[i + 1], slots[i]) >= cost(slots[i], slots[i + 1])) continue;
        std::swap(slots[i], slots[i + 1]);
        position_[at(slots[i])] = static_cast<int>(i);
        position_[at(slots[i + 1])] = static_cast<int>(i) + 1;
        better = true;
      }
    }
  }
}

void LayeredLayout::order_slots() {
  // Ends that are fixed from the start: places of ports inside of nodes.
  for (Link& l : links_) {
    const LayoutEdge& edge = edges_[at(l.edge)];
    const auto fixed = [&](int slot, int end, double& out) {
      const double place = end == 1 ? edge.from_at : end == 2 ? edge.to_at : -1;
      if (place >= 0) out = place - slots_[at(slot)].height / 2;
    };
    fixed(l.left, l.left_end, l.left_at);
    fixed(l.right, l.right_end, l.right_at);
  }
  position_.assign(slots_.size(), 0);
  const auto number = [&] {
    for (const std::vector<int>& slots : columns_) {
      for (std::size_t i = 0; i < slots.size(); ++i) position_[at(slots[i])] = static_cast<int>(i);
    }
  };
  number();
  std::vector<std::vector<int>> best = columns_;
  double fewest = crossings();
  constexpr int kRounds = 24;
  for (int round = 0; round < kRounds && fewest > 0; ++round) {
    for (std::size_t i = 1; i < columns_.size(); ++i) {
      if (round % 2 == 0) {
        sort_column(i, true);
      } else {
        sort_column(columns_.size() - 1 - i, false);
      }
    }
    swap_neighbours();
    const double count = crossings();
    if (count < fewest) {
      fewest = count;
      best = columns_;
    }
  }
  columns_ = best;
  number();
}

double LayeredLayout::gap(const Slot& above, const Slot& below) const {
  if (above.node >= 0 && below.node >= 0) return 20;
  if (above.node >= 0 || below.node >= 0) return 10;
  if (above.label || below.label) return 4;
  return 2;
}

// The heights of a column that lie nearest to where its links want them, weighted, with the order
// and the distances kept: pooling of adjacent violators.
void LayeredLayout::solve_column(std::size_t column, bool left, bool right) {
  struct Pool {
    double sum, weight;
    std::size_t count;
    double value() const { return sum / weight; }
  };
  const std::vector<int>& slots = columns_[column];
  std::vector<Pool> pools;
  std::vector<double> shift(slots.size(), 0);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Slot& slot = slots_[at(slots[i])];
    if (i > 0) {
      const Slot& above = slots_[at(slots[i - 1])];
      shift[i] = shift[i - 1] + above.height / 2 + gap(above, slot) + slot.height / 2;
    }
    double sum = 0, weight = 0;
    const auto pull = [&](const std::vector<int>& list, bool is_left) {
      for (int l : list) {
        const Link& k = links_[at(l)];
        const double there = attach_y(k, is_left), here = is_left ? k.right_at : k.left_at;
        sum += k.weight * (there - here);
        weight += k.weight;
      }
    };
    if (left) pull(left_links_[at(slots[i])], true);
    if (right) pull(right_links_[at(slots[i])], false);
    if (weight == 0) {
      // Nothing pulls: it stays where it is, but gives way.
      weight = 1e-3;
      sum = slot.y * weight;
    }
    pools.push_back({sum - shift[i] * weight, weight, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].value() > pools.back().value()) {
      Pool& above = pools[pools.size() - 2];
      above.sum += pools.back().sum;
      above.weight += pools.back().weight;
      above.count += pools.back().count;
      pools.pop_back();
    }
  }
  std::size_t i = 0;
  for (const Pool& pool : pools) {
    for (std::size_t k = 0; k < pool.count; ++k, ++i)
      slots_[at(slots[i])].y = pool.value() + shift[i];
  }
}

void LayeredLayout::solve_heights(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const bool last = round + 2 >= rounds;
    for (std::size_t i = 0; i < columns_.size(); ++i) solve_column(i, true, last || round > 2);
    for (std::size_t i = columns_.size(); i-- > 0;) solve_column(i, last || round > 2, true);
  }
}

// Spreads the free ends of a node's edges over its side, in the order of what they lead to.
void LayeredLayout::attach_side(int slot, bool left) {
  constexpr double kFarthest = 13;
  const Slot& s = slots_[at(slot)];
  const LayoutNode& node = nodes_[at(s.node)];
  std::vector<int> free;
  for (int l : left ? left_links_[at(slot)] : right_links_[at(slot)]) {
    const LayoutEdge& edge = edges_[at(links_[at(l)].edge)];
    const int end = left ? links_[at(l)].right_end : links_[at(l)].left_end;
    if ((end == 1 ? edge.from_at : edge.to_at) < 0) free.push_back(l);
  }
  std::stable_sort(free.begin(), free.end(), [&](int a, int b) {
    return attach_y(links_[at(a)], left) < attach_y(links_[at(b)], left);
  });
  const bool whole = node.attach_to <= node.attach_from;
  const double low = whole ? 0 : node.attach_from, high = whole ? s.height : node.attach_to;
  const auto count = static_cast<double>(free.size());
  const double step = std::min(kFarthest, (high - low) / (count + 0.2));
  for (std::size_t i = 0; i < free.size(); ++i) {
    const double place = (low + high) / 2 + (static_cast<double>(i) - (count - 1) / 2) * step;
    Link& l = links_[at(free[i])];
    (left ? l.right_at : l.left_at) = place - s.height / 2;
  }
}

void LayeredLayout::attach() {
  for (int slot : slot_of_node_) {
    attach_side(slot, true);
    attach_side(slot, false);
  }
}

}  // namespace sinew::authoring_detail
