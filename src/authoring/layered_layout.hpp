// A drawing of a directed graph in columns, after Sugiyama, Tagawa and Toda, "Methods for visual
// understanding of hierarchical system structures" (1981), with what Gansner, Koutsofios, North and
// Vo, "A technique for drawing directed graphs" (1993), add: time runs to the right, labels have
// places of their own between the columns of nodes, and no line crosses a node or a label.
//
// Steps: nodes are ranked, by longest paths along breadth-first order or by breadth-first depth,
// and long rows are folded; every column that an edge passes gets a slot (an edge within one column
// turns back behind it); slots are ordered by medians and swaps so that few edges cross; heights
// are solved by least squares, columns in turn, with the order kept (pooling of adjacent
// violators); columns and gaps get their widths. Same input, same output: ties fall to the lower
// index.
#pragma once

#include <cstdint>
#include <vector>

#include "svg.hpp"

namespace sinew::authoring_detail {

struct LayoutNode {
  double width = 0, height = 0;
  // Height from the top at which edges that name no place of their own attach: the middle of
  // [attach_from, attach_to]; both 0: the whole side.
  double attach_from = 0, attach_to = 0;
};

struct LayoutEdge {
  int from = 0, to = 0;
  double label_width = 0, label_height = 0;  // 0: without label
  double weight = 1;                         // of its straightness and shortness
  // From the node's top, where its end is fixed; negative: free.
  double from_at = -1, to_at = -1;
};

// A stretch of a line at one height, across a node's border, a slot, or a label.
struct Span {
  double x0 = 0, x1 = 0, y = 0;
};

// How nodes come into columns.
struct ColumnStyle {
  bool depth = false;  // by the least number of edges from a start; false: by the longest path
  int fold = 0;        // after so many columns a new row begins; 0: never
  bool snake = true;   // every other row runs back; false: each begins on the left
};

class LayeredLayout {
 public:
  // The order in which nodes are added is the order in which breadth-first search starts.
  int add_node();
  int add_edge(int from, int to, double weight = 1);
  // An edge that comes in from, or leads out to, the border of the drawing, on the left or the
  // right. The port is the node -1 of it. To be added after rank().
  int add_port(int node, bool left, bool outward);

  // Decides in which columns the nodes stand. Self loops are not allowed.
  void rank(const ColumnStyle& style = {});
  // Columns of nodes, after rank().
  int column_count() const;
  // On which side of its nodes an edge begins and ends.
  bool leaves_left(int edge) const { return backward_[static_cast<std::size_t>(edge)]; }
  bool enters_left(int edge) const {
    return !backward_[static_cast<std::size_t>(edge)] && !turns_[static_cast<std::size_t>(edge)];
  }
  bool turns_back(int edge) const { return turns_[static_cast<std::size_t>(edge)]; }

  // Sizes are set before place().
  LayoutNode& node(int i) { return nodes_[static_cast<std::size_t>(i)]; }
  LayoutEdge& edge(int i) { return edges_[static_cast<std::size_t>(i)]; }
  const std::vector<LayoutEdge>& edges() const { return edges_; }
  void place();

  double width() const { return width_; }
  double height() const { return height_; }
  // Upper left corner.
  Point node_at(int node) const { return node_at_[static_cast<std::size_t>(node)]; }
  Point label_at(int edge) const { return label_at_[static_cast<std::size_t>(edge)]; }
  // In the direction of drawing, from node to node; a port's end is a span of no length.
  const std::vector<Span>& spans(int edge) const { return spans_[static_cast<std::size_t>(edge)]; }

 private:
  enum class Port : std::uint8_t { kNone, kLeft, kRight };
  // A place in a column: a node, a label, or a line that passes.
  struct Slot {
    int node = -1, edge = -1;
    bool label = false;
    double width = 0, height = 0;
    double line = 0;  // of its edge, below the middle
    double back = 0;  // of the line back, where the edge turns
    double y = 0;     // of the middle
    int column = 0;
  };
  // Of slots in neighbouring columns.
  struct Link {
    int left = -1, right = -1;
    double left_at = 0, right_at = 0;  // below the slots' middles
    double weight = 1;
    int edge = -1;
    // Which end of the edge lies there: 0 none, 1 its start, 2 its end.
    int left_end = 0, right_end = 0;
  };
  void search_order();
  void longest_paths();
  void pull_together();
  void depths();
  void fold(const ColumnStyle& style);
  void make_slots();
  int add_slot(Slot slot);
  void link(int left, int right, int edge);
  void add_turn(int edge);
  void settle_turns();
  void order_slots();
  bool sort_column(std::size_t column, bool by_left);
  void swap_neighbours();
  double crossings() const;
  double crossings_between(std::size_t column) const;
  void solve_heights(int rounds);
  void solve_column(std::size_t column, bool left, bool right);
  void attach();
  void attach_side(int slot, bool left);
  double gap(const Slot& above, const Slot& below) const;
  void place_columns();
  void trace();
  double attach_y(const Link& l, bool left) const;

  std::vector<LayoutNode> nodes_;
  std::vector<LayoutEdge> edges_;
  std::vector<Port> ports_;        // per edge
  std::vector<bool> backward_;     // per edge
  std::vector<bool> turns_;        // per edge: both ends in one column
  std::vector<int> sequence_;      // per node: its place in breadth-first order
  std::vector<int> ranks_;         // per node
  std::vector<int> slot_of_node_;  // per node
  std::vector<Slot> slots_;
  std::vector<Link> links_;
  std::vector<std::vector<int>> columns_;                   // slots from the top
  std::vector<std::vector<int>> left_links_, right_links_;  // per slot
  std::vector<int> position_;                               // per slot: in its column
  std::vector<double> column_x_, column_width_;
  std::vector<Point> node_at_, label_at_;
  std::vector<std::vector<Span>> spans_;
  double width_ = 0, height_ = 0;
};

}  // namespace sinew::authoring_detail
