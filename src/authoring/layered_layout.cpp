// Ranks, slots, widths and the traces of edges. Order and heights: layered_order.cpp.
#include "layered_layout.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <queue>

namespace sinew::authoring_detail {
namespace {

constexpr double kLineHeight = 9;                 // of a line that passes a column
constexpr double kUnderLabel = 3;                 // from a label's line to its lower edge
constexpr double kNarrowGap = 16, kWideGap = 90;  // between columns
constexpr double kTurn = 12;                      // behind a label, for the line that turns
constexpr double kBorder = 14;  // from the outermost columns to the drawing's border

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

int LayeredLayout::add_node() {
  nodes_.emplace_back();
  return static_cast<int>(nodes_.size()) - 1;
}

int LayeredLayout::add_edge(int from, int to, double weight) {
  assert(from != to);
  LayoutEdge edge;
  edge.from = from;
  edge.to = to;
  edge.weight = weight;
  edges_.push_back(edge);
  ports_.push_back(Port::kNone);
  return static_cast<int>(edges_.size()) - 1;
}

int LayeredLayout::add_port(int node, bool left, bool outward) {
  LayoutEdge edge;
  edge.from = outward ? node : -1;
  edge.to = outward ? -1 : node;
  edges_.push_back(edge);
  ports_.push_back(left ? Port::kLeft : Port::kRight);
  // Out to the left, or in from the right.
  backward_.push_back(left == outward);
  turns_.push_back(false);
  return static_cast<int>(edges_.size()) - 1;
}

void LayeredLayout::rank(const ColumnStyle& style) {
  search_order();
  if (style.depth) {
    depths();
  } else {
    longest_paths();
    pull_together();
  }
  if (style.fold > 0) fold(style);
  backward_.assign(edges_.size(), false);
  turns_.assign(edges_.size(), false);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const int from = ranks_[at(edges_[e].from)], to = ranks_[at(edges_[e].to)];
    backward_[e] = from > to;
    turns_[e] = from == to;
  }
}

int LayeredLayout::column_count() const {
  return ranks_.empty() ? 0 : *std::max_element(ranks_.begin(), ranks_.end()) + 1;
}

void LayeredLayout::depths() {
  ranks_.assign(nodes_.size(), -1);
  std::vector<std::vector<int>> next(nodes_.size());
  std::vector<bool> entered(nodes_.size(), false);
  for (const LayoutEdge& e : edges_) {
    next[at(e.from)].push_back(e.to);
    entered[at(e.to)] = true;
  }
  std::queue<int> open;
  const auto start = [&](std::size_t n) {
    ranks_[n] = 0;
    open.push(static_cast<int>(n));
  };
  const auto run = [&] {
    for (; !open.empty(); open.pop()) {
      for (int other : next[at(open.front())]) {
        if (ranks_[at(other)] >= 0) continue;
        ranks_[at(other)] = ranks_[at(open.front())] + 1;
        open.push(other);
      }
    }
  };
  // The first node, then what nothing leads to, then what is left.
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (n == 0 || !entered[n]) start(n);
  }
  run();
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (ranks_[n] >= 0) continue;
    start(n);
    run();
  }
}

void LayeredLayout::fold(const ColumnStyle& style) {
  for (int& rank : ranks_) {
    const int row = rank / style.fold, column = rank % style.fold;
    rank = style.snake && row % 2 ? style.fold - 1 - column : column;
  }
}

void LayeredLayout::search_order() {
  std::vector<std::vector<int>> next(nodes_.size());
  for (const LayoutEdge& e : edges_) next[at(e.from)].push_back(e.to);
  sequence_.assign(nodes_.size(), -1);
  int count = 0;
  std::queue<int> open;
  for (std::size_t start = 0; start < nodes_.size(); ++start) {
    if (sequence_[start] >= 0) continue;
    sequence_[start] = count++;
    open.push(static_cast<int>(start));
    while (!open.empty()) {
      const int node = open.front();
      open.pop();
      for (int other : next[at(node)]) {
        if (sequence_[at(other)] >= 0) continue;
        sequence_[at(other)] = count++;
        open.push(other);
      }
    }
  }
}

void LayeredLayout::longest_paths() {
  std::vector<int> by_sequence(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    by_sequence[at(sequence_[n])] = static_cast<int>(n);
  ranks_.assign(nodes_.size(), 0);
  // Sequence is a topological order of the turned edges.
  std::vector<std::vector<int>> next(nodes_.size());
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    auto from = edges_[e].from, to = edges_[e].to;
    if (sequence_[at(from)] > sequence_[at(to)]) std::swap(from, to);
    next[at(from)].push_back(to);
  }
  for (int node : by_sequence) {
    for (int other : next[at(node)])
      ranks_[at(other)] = std::max(ranks_[at(other)], ranks_[at(node)] + 1);
  }
}

// Moves each node between its neighbours to where its edges are shortest (the weighted median).
void LayeredLayout::pull_together() {
  constexpr int kRounds = 12;
  struct End {
    int rank;
    double weight;
  };
  std::vector<std::vector<std::pair<int, std::size_t>>> ends(nodes_.size());
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    ends[at(edges_[e].from)].emplace_back(edges_[e].to, e);
    ends[at(edges_[e].to)].emplace_back(edges_[e].from, e);
  }
  for (int round = 0; round < kRounds; ++round) {
    bool moved = false;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::size_t n = round % 2 ? nodes_.size() - 1 - i : i;
      if (ends[n].empty()) continue;
      int low = 0, high = 1 << 20;
      std::vector<End> list;
      double total = 0;
      for (const auto& [other, e] : ends[n]) {
        const bool before = sequence_[at(other)] < sequence_[n];
        const int rank = ranks_[at(other)];
        if (before) low = std::max(low, rank + 1);
        if (!before) high = std::min(high, rank - 1);
        list.push_back({before ? rank + 1 : rank - 1, edges_[e].weight});
        total += edges_[e].weight;
      }
      std::sort(list.begin(), list.end(),
                [](const End& a, const End& b) { return a.rank < b.rank; });
      double sum = 0;
      int wanted = list.back().rank;
      for (const End& end : list) {
        sum += end.weight;
        if (sum * 2 >= total) {
          wanted = end.rank;
          break;
        }
      }
      const int rank = std::clamp(wanted, low, std::max(low, high));
      moved = moved || rank != ranks_[n];
      ranks_[n] = rank;
    }
    if (!moved) break;
  }
  if (ranks_.empty()) return;
  const int lowest = *std::min_element(ranks_.begin(), ranks_.end());
  for (int& rank : ranks_) rank -= lowest;
}

int LayeredLayout::add_slot(Slot slot) {
  const int index = static_cast<int>(slots_.size());
  columns_[at(slot.column)].push_back(index);
  slots_.push_back(slot);
  left_links_.emplace_back();
  right_links_.emplace_back();
  return index;
}

void LayeredLayout::link(int left, int right, int edge) {
  const auto straight = [&](int s) { return slots_[at(s)].node < 0; };
  // Gansner and others: long edges are kept straight first.
  const double factor = straight(left) && straight(right)   ? 8
                        : straight(left) || straight(right) ? 2
                                                            : 1;
  const bool turned = backward_[at(edge)];
  Link l;
  l.left = left;
  l.right = right;
  l.left_at = slots_[at(left)].line;
  l.right_at = slots_[at(right)].line;
  l.weight = factor * edges_[at(edge)].weight;
  l.edge = edge;
  if (!straight(left)) l.left_end = turned ? 2 : 1;
  if (!straight(right)) l.right_end = turned ? 1 : 2;
  right_links_[at(left)].push_back(static_cast<int>(links_.size()));
  left_links_[at(right)].push_back(static_cast<int>(links_.size()));
  links_.push_back(l);
}

// An edge between two nodes of one column: out behind it, and back.
void LayeredLayout::add_turn(int e) {
  const LayoutEdge& edge = edges_[at(e)];
  Slot slot;
  slot.edge = e;
  slot.label = edge.label_height > 0;
  slot.column = 2 * ranks_[at(edge.from)] + 2;
  slot.width = std::max(edge.label_width, 12.0) + kTurn;
  slot.height = edge.label_height + kUnderLabel + kLineHeight;
  const int index = add_slot(slot);
  link(slot_of_node_[at(edge.from)], index, e);
  link(slot_of_node_[at(edge.to)], index, e);
  links_.back().left_end = 2;
}

// The line back runs on the side of the label that its target lies on.
void LayeredLayout::settle_turns() {
  for (std::size_t i = 0; i + 1 < links_.size(); ++i) {
    Link &out = links_[i], &back = links_[i + 1];
    if (!turns_[at(out.edge)] || out.edge != back.edge) continue;
    Slot& slot = slots_[at(out.right)];
    const bool up = position_[at(back.left)] < position_[at(out.left)];
    slot.line = slot.height / 2 - kUnderLabel - (up ? 0 : kLineHeight);
    slot.back = up ? -slot.height / 2 + 2 : slot.height / 2 - kUnderLabel;
    out.right_at = slot.line;
    back.right_at = slot.back;
  }
}

// Column 0 holds the ports of the left border, 2 r + 1 the nodes of rank r, 2 r + 2 the labels
// behind them, the last one the ports of the right border.
void LayeredLayout::make_slots() {
  const int last = 2 * column_count() + 1;
  columns_.assign(at(last) + 1, {});
  slot_of_node_.clear();
  std::vector<std::size_t> order(nodes_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return sequence_[a] < sequence_[b]; });
  slot_of_node_.assign(nodes_.size(), -1);
  for (std::size_t n : order) {
    Slot slot;
    slot.node = static_cast<int>(n);
    slot.width = nodes_[n].width;
    slot.height = nodes_[n].height;
    slot.column = 2 * ranks_[n] + 1;
    slot_of_node_[n] = add_slot(slot);
  }
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const LayoutEdge& edge = edges_[i];
    const int e = static_cast<int>(i);
    if (turns_[i]) {
      add_turn(e);
      continue;
    }
    const int left = backward_[i] ? edge.to : edge.from, right = backward_[i] ? edge.from : edge.to;
    const int first = left < 0 ? -1 : 2 * ranks_[at(left)] + 1;
    const int end = right < 0 ? last + 1 : 2 * ranks_[at(right)] + 1;
    // Next to its source: that is where one looks for what can happen.
    const int label = edge.label_height <= 0 ? -1 : backward_[i] ? end - 1 : first + 1;
    int before = left < 0 ? -1 : slot_of_node_[at(left)];
    for (int column = first + 1; column < end; ++column) {
      Slot slot;
      slot.edge = e;
      slot.column = column;
      slot.label = column == label;
      slot.width = slot.label ? edge.label_width : 0;
      slot.height = slot.label ? edge.label_height + kUnderLabel : kLineHeight;
      slot.line = slot.label ? slot.height / 2 - kUnderLabel : 0;
      const int index = add_slot(slot);
      if (before >= 0) link(before, index, e);
      before = index;
    }
    if (right >= 0) link(before, slot_of_node_[at(right)], e);
  }
}

void LayeredLayout::place() {
  slots_.clear();
  links_.clear();
  left_links_.clear();
  right_links_.clear();
  make_slots();
  order_slots();
  settle_turns();
  solve_heights(12);
  for (int round = 0; round < 3; ++round) {
    attach();
    solve_heights(8);
  }
  attach();
  place_columns();
  trace();
}

void LayeredLayout::place_columns() {
  double top = 0, bottom = 0;
  bool first = true;
  for (const Slot& slot : slots_) {
    const double above = slot.y - slot.height / 2, below = slot.y + slot.height / 2;
    top = first ? above : std::min(top, above);
    bottom = first ? below : std::max(bottom, below);
    first = false;
  }
  for (Slot& slot : slots_) slot.y -= top;
  height_ = bottom - top;

  column_width_.assign(columns_.size(), 0);
  for (const Slot& slot : slots_)
    column_width_[at(slot.column)] = std::max(column_width_[at(slot.column)], slot.width);
  // The steeper the lines between two columns, the more room they need to be told apart.
  std::vector<double> rise(columns_.size(), 0);
  for (const Link& l : links_) {
    const std::size_t column = at(slots_[at(l.left)].column);
    rise[column] = std::max(rise[column], std::abs(attach_y(l, true) - attach_y(l, false)));
  }
  column_x_.assign(columns_.size(), 0);
  double x = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    column_x_[c] = x;
    const bool border = c == 0 || c + 2 >= columns_.size();
    const double room = std::clamp(kNarrowGap + 0.12 * rise[c], kNarrowGap, kWideGap);
    x += column_width_[c];
    if (c + 1 < columns_.size()) x += border ? std::max(kBorder, rise[c] > 0 ? room : 0) : room;
  }
  width_ = x;
}

double LayeredLayout::attach_y(const Link& l, bool left) const {
  return left ? slots_[at(l.left)].y + l.left_at : slots_[at(l.right)].y + l.right_at;
}

void LayeredLayout::trace() {
  node_at_.clear();
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Slot& slot = slots_[at(slot_of_node_[n])];
    const std::size_t c = at(slot.column);
    node_at_.push_back(
        {column_x_[c] + (column_width_[c] - slot.width) / 2, slot.y - slot.height / 2});
  }
  label_at_.assign(edges_.size(), {});
  spans_.assign(edges_.size(), {});
  std::vector<std::vector<const Link*>> chains(edges_.size());
  for (const Link& l : links_) chains[at(l.edge)].push_back(&l);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    std::vector<Span>& spans = spans_[e];
    if (chains[e].empty()) continue;
    const auto at_node = [&](const Slot& slot, double y, bool right_side) {
      // From the node's side to the column's.
      const double x = node_at_[at(slot.node)].x, edge_x = column_x_[at(slot.column)];
      spans.push_back(right_side ? Span{x + slot.width, edge_x + column_width_[at(slot.column)], y}
                                 : Span{edge_x, x, y});
    };
    const auto at_slot = [&](const Slot& slot, double y) {
      const std::size_t c = at(slot.column);
      spans.push_back({column_x_[c], column_x_[c] + column_width_[c], y});
      if (!slot.label) return;
      const bool right = backward_[e];
      label_at_[e] = {right ? column_x_[c] + column_width_[c] - slot.width : column_x_[c],
                      slot.y - slot.height / 2 + (slot.back < 0 ? kLineHeight : 0)};
    };
    const Link& first = *chains[e].front();
    if (turns_[e]) {
      const Link& last = *chains[e].back();
      const Slot& slot = slots_[at(first.right)];
      at_node(slots_[at(first.left)], attach_y(first, true), true);
      at_slot(slot, slot.y + slot.line);
      spans.back().x1 = spans.back().x0 + slot.width - kTurn;
      spans.push_back({spans.back().x1, spans.back().x0, slot.y + slot.back});
      at_node(slots_[at(last.left)], attach_y(last, true), true);
      std::swap(spans.back().x0, spans.back().x1);
      continue;
    }
    const auto add = [&](const Slot& slot, double y, bool right_side) {
      slot.node >= 0 ? at_node(slot, y, right_side) : at_slot(slot, y);
    };
    add(slots_[at(first.left)], attach_y(first, true), true);
    for (const Link* l : chains[e]) add(slots_[at(l->right)], attach_y(*l, false), false);
    if (!backward_[e]) continue;
    std::reverse(spans.begin(), spans.end());
    for (Span& span : spans) std::swap(span.x0, span.x1);
  }
}

}  // namespace sinew::authoring_detail
