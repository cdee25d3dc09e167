#include "graph_levels.hpp"

#include <algorithm>
#include <cmath>

namespace sinew::authoring_detail {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr double kShape = 1.6;  // width to height that drawings aim at
constexpr double kNameFont = 12, kNoteFont = 10, kWidestNode = 190, kNarrowestNode = 84;

NodeLook state_look(const StateSource& state) {
  NodeLook look;
  const std::string motion = motion_words(state.motion), extra = state_words(state);
  const double text = std::max({text_width(state.name, kNameFont, true),
                                text_width(motion, kNoteFont), text_width(extra, kNoteFont)});
  look.width = std::clamp(text + 18, kNarrowestNode, kWidestNode);
  look.height = look.least_height = 24 + (motion.empty() ? 0 : 13) + (extra.empty() ? 0 : 13);
  return look;
}

}  // namespace

double GraphLevels::label_width(const Wire& wire) {
  double width = 0;
  for (const LabelLine& line : wire.label)
    width = std::max(width, text_width(line.text, kLabelFont));
  return width + (wire.place > 0 ? kBadge : 0) + 6;
}

double GraphLevels::label_height(const Wire& wire) {
  return static_cast<double>(wire.label.size()) * kLabelStep + 3;
}

GraphLevels::GraphLevels(const Outline& outline, const LayerNode& layer)
    : outline_(&outline), layer_(&layer), wires_(wires_of(outline, layer)) {
  pieces_.resize(wires_.size());
  label_pieces_.resize(wires_.size());
  for (int m : layer.machines) add_nodes(m);
  for (std::size_t w = 0; w < wires_.size(); ++w) {
    if (!is_loop(static_cast<int>(w))) continue;
    const Spot& spot = wires_[w].from;
    const int node = node_of(spot.machine, spot);
    if (node >= 0) levels_[spot.machine].loops[at(node)].push_back(static_cast<int>(w));
  }
  estimate(layer.root);
  make(layer.root, {});
  place(layer.root);
  settle(layer.root, {});
}

void GraphLevels::add_nodes(int machine) {
  const MachineNode& m = outline_->machine(machine);
  Level& level = levels_[machine];
  const auto add = [&](const Spot& spot, const NodeLook& look) {
    level.layout.add_node();
    level.spots.push_back(spot);
    level.looks.push_back(look);
    level.loops.emplace_back();
  };
  add({Spot::Kind::kEntry, machine, -1}, {.width = 58, .height = 24, .least_height = 24});
  if (!m.any.empty())
    add({Spot::Kind::kAny, machine, -1}, {.width = 84, .height = 24, .least_height = 24});
  for (int s : m.states)
    add({Spot::Kind::kState, machine, s}, state_look(*outline_->state(s).source));
  for (int child : m.machines) add({Spot::Kind::kBox, machine, child}, {});
  const Spot exit{Spot::Kind::kExit, machine, -1};
  const bool left =
      std::any_of(wires_.begin(), wires_.end(), [&](const Wire& w) { return w.to == exit; });
  if (left) add(exit, {.width = 52, .height = 24, .least_height = 24});
}

int GraphLevels::node_of(int machine, const Spot& spot) const {
  const std::vector<Spot>& spots = levels_.at(machine).spots;
  const auto found = std::find(spots.begin(), spots.end(), spot);
  return found == spots.end() ? -1 : static_cast<int>(found - spots.begin());
}

int GraphLevels::child_towards(int machine, const Spot& spot) const {
  int inner = spot.machine;
  while (inner >= 0 && outline_->machine(inner).parent != machine)
    inner = outline_->machine(inner).parent;
  return inner;
}

int GraphLevels::shown_at(int machine, const Spot& spot) const {
  if (spot.machine == machine) return node_of(machine, spot);
  const int child = child_towards(machine, spot);
  return child < 0 ? -1 : node_of(machine, {Spot::Kind::kBox, machine, child});
}

int GraphLevels::common_machine(int a, int b) const {
  for (int x = a; x >= 0; x = outline_->machine(x).parent) {
    for (int y = b; y >= 0; y = outline_->machine(y).parent) {
      if (x == y) return x;
    }
  }
  return layer_->root;
}

// Lines between nodes of this machine's own drawing. With `own`, also where each is, and loops.
void GraphLevels::add_wires(int machine, LayeredLayout& layout,
                            std::vector<std::pair<int, int>>& own) const {
  for (std::size_t w = 0; w < wires_.size(); ++w) {
    const Wire& wire = wires_[w];
    if (common_machine(wire.from.machine, wire.to.machine) != machine) continue;
    const int from = shown_at(machine, wire.from), to = shown_at(machine, wire.to);
    if (from < 0 || to < 0 || from == to) continue;
    const double weight = wire.kind == Wire::Kind::kDefault ? 3
                          : wire.kind == Wire::Kind::kAny   ? 0.5
                                                            : 1;
    const int edge = layout.add_edge(from, to, weight);
    if (!wire.label.empty()) {
      layout.edge(edge).label_width = label_width(wire);
      layout.edge(edge).label_height = label_height(wire);
    }
    own.emplace_back(static_cast<int>(w), edge);
  }
}

// The size of the smallest page of the wished shape that holds the drawing, but no smaller than
// what fits a screen anyway; more where lines turn back or are long.
double GraphLevels::cost_of(const LayeredLayout& layout,
                            const std::vector<std::pair<int, int>>& own) {
  constexpr double kScreen = 750;
  double turns = 0, way = 0;
  for (const auto& [w, edge] : own) {
    turns += layout.turns_back(edge);
    const std::vector<Span>& spans = layout.spans(edge);
    way +=
        std::abs(spans.back().x1 - spans.front().x0) + std::abs(spans.back().y - spans.front().y);
  }
  const double count = std::max(1.0, static_cast<double>(own.size()));
  const double size = std::max({layout.width() / kShape, layout.height(), kScreen});
  return size * (1 + 0.7 * turns / count) + 0.7 * way / count +
         0.1 * (layout.width() / kShape + layout.height());
}

// Tries ways to fill columns, without what crosses the machine's border, and keeps the one that
// gives the most compact drawing.
void GraphLevels::estimate(int machine) {
  for (int child : outline_->machine(machine).machines) estimate(child);
  Level& level = levels_[machine];
  LayeredLayout base = level.layout;
  std::vector<std::pair<int, int>> own;
  add_wires(machine, base, own);
  double best = 0;
  const auto attempt = [&](const ColumnStyle& style) {
    LayeredLayout layout = base;
    layout.rank(style);
    size_nodes(machine, layout, true);
    layout.place();
    // Reading from left to right is worth something.
    const double cost = cost_of(layout, own) * (style.fold > 0 ? 1.15 : 1);
    if (best > 0 && cost >= best) return layout.column_count();
    best = cost;
    level.style = style;
    level.estimated_width = layout.width();
    level.estimated_height = layout.height();
    return layout.column_count();
  };
  for (bool depth : {false, true}) {
    const int columns = attempt({.depth = depth});
    for (int fold = columns - 1; fold > 1; --fold) {
      // Beyond eight columns only some are tried.
      if (fold > 8 && (columns - fold) % 3 != 1) continue;
      attempt({.depth = depth, .fold = fold, .snake = true});
      attempt({.depth = depth, .fold = fold, .snake = false});
    }
  }
}

void GraphLevels::make(int machine, const std::vector<Crossing>& crossings) {
  Level& level = levels_[machine];
  std::map<int, std::vector<Crossing>> inner;
  std::vector<std::pair<int, int>> own;  // wire, edge
  add_wires(machine, level.layout, own);
  level.layout.rank(level.style);
  for (const auto& [w, edge] : own) {
    const Wire& wire = wires_[at(w)];
    if (wire.from.machine != machine) {
      const bool left = level.layout.leaves_left(edge);
      inner[child_towards(machine, wire.from)].push_back({w, true, left});
    }
    if (wire.to.machine != machine) {
      const bool left = level.layout.enters_left(edge);
      inner[child_towards(machine, wire.to)].push_back({w, false, left});
    }
    label_pieces_[at(w)] = {machine, edge};
  }
  for (const Crossing& c : crossings) {
    const Wire& wire = wires_[at(c.wire)];
    const Spot& spot = c.outward ? wire.from : wire.to;
    const int edge = level.layout.add_port(shown_at(machine, spot), c.left, c.outward);
    ports_[machine].push_back({c.wire, c.outward, edge});
    if (spot.machine != machine) inner[child_towards(machine, spot)].push_back(c);
  }
  for (int child : outline_->machine(machine).machines) make(child, inner[child]);
  // From the inside out: pieces of the start, this one, pieces of the end.
  for (const auto& [w, edge] : own) {
    std::vector<Piece>& pieces = pieces_[at(w)];
    const auto add_ports = [&](int m, bool outward) {
      for (const PieceEnd& p : ports_[m]) {
        if (p.wire == w && p.outward == outward) pieces.push_back({m, p.edge});
      }
    };
    for (int m = wires_[at(w)].from.machine; m != machine; m = outline_->machine(m).parent)
      add_ports(m, true);
    pieces.push_back({machine, edge});
    std::vector<int> down;
    for (int m = wires_[at(w)].to.machine; m != machine; m = outline_->machine(m).parent)
      down.push_back(m);
    for (std::size_t i = down.size(); i-- > 0;) add_ports(down[i], false);
  }
}

// Room for what attaches to each side, and for the loops above.
void GraphLevels::size_nodes(int machine, LayeredLayout& layout, bool estimated) {
  Level& level = levels_[machine];
  const std::size_t count = level.spots.size();
  std::vector<int> left(count, 0), right(count, 0);
  for (int e = 0; const auto& edge : layout.edges()) {
    if (edge.from >= 0 && edge.from_at < 0) ++(layout.leaves_left(e) ? left : right)[at(edge.from)];
    if (edge.to >= 0 && edge.to_at < 0) ++(layout.enters_left(e) ? left : right)[at(edge.to)];
    ++e;
  }
  for (std::size_t n = 0; n < count; ++n) {
    NodeLook& look = level.looks[n];
    const double sides = 11.0 * std::max(left[n], right[n]) + 4;
    LayoutNode& node = layout.node(static_cast<int>(n));
    look.loops = 0;
    double loops_width = 0;
    for (int w : level.loops[n]) {
      look.loops += label_height(wires_[at(w)]) + 5;
      loops_width = std::max(loops_width, label_width(wires_[at(w)]) + 24);
    }
    if (level.spots[n].kind == Spot::Kind::kBox) {
      const Level& child = levels_[level.spots[n].index];
      look.header = std::max(26.0, sides);
      const std::string& name = outline_->machine(level.spots[n].index).source->name;
      const double width = estimated ? child.estimated_width : child.layout.width(),
                   height = estimated ? child.estimated_height : child.layout.height();
      look.width = std::max(width, text_width(name, kNameFont, true) + 40);
      look.height = look.header + height + kBoxBottom;
      node.attach_from = look.loops;
      node.attach_to = look.loops + look.header;
    } else {
      look.height = std::max(look.least_height, sides);
      node.attach_from = look.loops;
      node.attach_to = look.loops + look.height;
    }
    look.width = std::max(look.width, loops_width);
    node.width = look.width + 2 * kInset;
    node.height = look.height + look.loops;
  }
}

void GraphLevels::place(int machine) {
  Level& level = levels_[machine];
  for (int child : outline_->machine(machine).machines) place(child);
  // Lines into boxes attach where they come through the box's border.
  const auto each_end = [&](const auto& visit) {
    for (std::size_t w = 0; w < wires_.size(); ++w) {
      for (const Piece& piece : pieces_[w]) {
        if (piece.machine != machine) continue;
        LayoutEdge& edge = level.layout.edge(piece.edge);
        if (edge.from >= 0 && wires_[w].from.machine != machine)
          visit(static_cast<int>(w), wires_[w].from, true, edge.from_at);
        if (edge.to >= 0 && wires_[w].to.machine != machine)
          visit(static_cast<int>(w), wires_[w].to, false, edge.to_at);
      }
    }
  };
  each_end([](int, const Spot&, bool, double& place_at) { place_at = 0; });
  size_nodes(machine, level.layout, false);
  each_end([&](int wire, const Spot& spot, bool outward, double& place_at) {
    const int child = child_towards(machine, spot);
    const NodeLook& look = level.looks[at(node_of(machine, {Spot::Kind::kBox, machine, child}))];
    for (const PieceEnd& p : ports_[child]) {
      if (p.wire != wire || p.outward != outward) continue;
      const std::vector<Span>& spans = levels_[child].layout.spans(p.edge);
      place_at = look.loops + look.header + (outward ? spans.back().y : spans.front().y);
    }
  });
  level.layout.place();
}

void GraphLevels::settle(int machine, Point origin) {
  Level& level = levels_[machine];
  level.origin = origin;
  for (std::size_t n = 0; n < level.spots.size(); ++n) {
    if (level.spots[n].kind != Spot::Kind::kBox) continue;
    const Point corner = level.layout.node_at(static_cast<int>(n));
    const NodeLook& look = level.looks[n];
    settle(level.spots[n].index,
           {origin.x + corner.x + kInset, origin.y + corner.y + look.loops + look.header});
  }
}

}  // namespace sinew::authoring_detail
