// The drawing of each machine, inside out: a machine is a node of the drawing around it, and lines
// that cross its border meet it at the same height on both sides.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph_wires.hpp"
#include "layered_layout.hpp"

namespace sinew::authoring_detail {

inline constexpr double kInset = 9;  // from a node's place to its border: room for arrow heads
inline constexpr double kLabelFont = 10, kLabelStep = 12.5;
inline constexpr double kBadge = 15;      // width that a label's number takes
inline constexpr double kBoxBottom = 10;  // below a machine's drawing

struct NodeLook {
  double width = 0, height = 0;  // without self loops above it
  double least_height = 0;       // for what is written in it
  double loops = 0;              // height of those
  double header = 0;             // of a box: above its drawing
};

class GraphLevels {
 public:
  GraphLevels(const Outline& outline, const LayerNode& layer);

  const std::vector<Wire>& wires() const { return wires_; }
  double width() const { return level(layer_->root).layout.width(); }
  double height() const { return level(layer_->root).layout.height(); }

  struct Piece {
    int machine = 0;
    int edge = 0;
  };
  // The pieces of a line, from its start to its end; empty for loops.
  const std::vector<Piece>& pieces(int wire) const {
    return pieces_[static_cast<std::size_t>(wire)];
  }
  // The piece that carries the label.
  const Piece& label_piece(int wire) const { return label_pieces_[static_cast<std::size_t>(wire)]; }
  bool is_loop(int wire) const {
    return wires_[static_cast<std::size_t>(wire)].from == wires_[static_cast<std::size_t>(wire)].to;
  }

  struct Level {
    LayeredLayout layout;
    ColumnStyle style;
    double estimated_width = 0, estimated_height = 0;
    std::vector<Spot> spots;              // per node
    std::vector<NodeLook> looks;          // per node
    std::vector<std::vector<int>> loops;  // per node: wires
    Point origin;                         // of its drawing in the layer's
  };
  const Level& level(int machine) const { return levels_.at(machine); }
  static double label_width(const Wire& wire);
  static double label_height(const Wire& wire);

 private:
  // A line that comes through a machine's border.
  struct Crossing {
    int wire;
    bool outward, left;
  };
  void add_nodes(int machine);
  void add_wires(int machine, LayeredLayout& layout, std::vector<std::pair<int, int>>& own) const;
  void estimate(int machine);
  static double cost_of(const LayeredLayout& layout, const std::vector<std::pair<int, int>>& own);
  void make(int machine, const std::vector<Crossing>& crossings);
  void place(int machine);
  void settle(int machine, Point origin);
  int node_of(int machine, const Spot& spot) const;
  // The node of a machine's drawing that shows a spot, or the box that it lies in; -1: outside.
  int shown_at(int machine, const Spot& spot) const;
  int child_towards(int machine, const Spot& spot) const;
  int common_machine(int a, int b) const;
  void size_nodes(int machine, LayeredLayout& layout, bool estimated);

  const Outline* outline_;
  const LayerNode* layer_;
  std::vector<Wire> wires_;
  std::vector<std::vector<Piece>> pieces_;
  std::vector<Piece> label_pieces_;
  std::map<int, Level> levels_;
  struct PieceEnd {
    int wire;
    bool outward;
    int edge;
  };
  std::map<int, std::vector<PieceEnd>> ports_;  // per machine
};

}  // namespace sinew::authoring_detail
