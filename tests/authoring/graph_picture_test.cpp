#include <cstdlib>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sinew/authoring/graph_picture.hpp>
#include <sinew/scene/controller_json.hpp>

#include "graph_levels.hpp"
#include "sample_graphs.hpp"
#include "walker_project.hpp"

namespace sinew {

void PrintTo(const ControllerSource& source, std::ostream* out) { *out << source.name; }

namespace {

using namespace authoring_detail;

struct Box {
  double x0, y0, x1, y1;
  int edge;  // whose label; -1: a node
};

bool overlap(const Box& a, const Box& b) {
  constexpr double kTouch = 1e-6;
  return a.x0 < b.x1 - kTouch && b.x0 < a.x1 - kTouch && a.y0 < b.y1 - kTouch &&
         b.y0 < a.y1 - kTouch;
}

// What is wrong in a placed drawing: boxes on one another, lines through boxes, broken lines,
// things outside. Empty if nothing is.
std::string fault(const LayeredLayout& layout, std::size_t nodes) {
  LayeredLayout& l = const_cast<LayeredLayout&>(layout);
  std::vector<Box> boxes;
  for (std::size_t n = 0; n < nodes; ++n) {
    const Point p = layout.node_at(static_cast<int>(n));
    const LayoutNode& size = l.node(static_cast<int>(n));
    boxes.push_back({p.x, p.y, p.x + size.width, p.y + size.height, -1});
  }
  for (std::size_t e = 0; e < layout.edges().size(); ++e) {
    const LayoutEdge& edge = layout.edges()[e];
    if (edge.label_height <= 0) continue;
    const Point p = layout.label_at(static_cast<int>(e));
    // Its own line may touch the lower edge.
    boxes.push_back(
        {p.x, p.y, p.x + edge.label_width, p.y + edge.label_height - 1, static_cast<int>(e)});
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box& a = boxes[i];
    if (a.x0 < -1e-6 || a.y0 < -1e-6 || a.x1 > layout.width() + 1e-6 ||
        a.y1 > layout.height() + 1e-6)
      return "a box lies outside";
    for (std::size_t k = 0; k < i; ++k) {
      if (overlap(a, boxes[k])) return "two boxes overlap";
    }
  }
  for (std::size_t e = 0; e < layout.edges().size(); ++e) {
    const std::vector<Span>& spans = layout.spans(static_cast<int>(e));
    if (spans.size() < 2) return "a line is missing";
    for (const Span& span : spans) {
      const double x0 = std::min(span.x0, span.x1), x1 = std::max(span.x0, span.x1);
      for (const Box& box : boxes) {
        if (overlap({x0, span.y - 0.5, x1, span.y + 0.5, -1}, box)) return "a line crosses a box";
      }
    }
    // Curves lie between columns: their ends must not be inside of one another's columns.
    const LayoutEdge& edge = layout.edges()[e];
    const auto touches = [&](int node, double x, double y) {
      if (node < 0) return true;
      const Point p = layout.node_at(node);
      const LayoutNode& size = l.node(node);
      return (std::abs(x - p.x) < 1e-6 || std::abs(x - p.x - size.width) < 1e-6) && y >= p.y &&
             y <= p.y + size.height;
    };
    if (!touches(edge.from, spans.front().x0, spans.front().y) ||
        !touches(edge.to, spans.back().x1, spans.back().y)) {
      return "a line does not meet its node";
    }
  }
  return "";
}

TEST(LayeredLayout, KeepsEverythingApartOnAnyGraph) {
  rc::check([] {
    const int nodes = *rc::gen::inRange(1, 14), edges = *rc::gen::inRange(0, 30);
    LayeredLayout layout;
    for (int n = 0; n < nodes; ++n) layout.add_node();
    for (int e = 0; e < edges; ++e) {
      const int from = *rc::gen::inRange(0, nodes), to = *rc::gen::inRange(0, nodes);
      if (from == to) continue;
      const int edge = layout.add_edge(from, to);
      layout.edge(edge).label_width = *rc::gen::inRange(10, 120);
      layout.edge(edge).label_height = *rc::gen::inRange(0, 30);
    }
    ColumnStyle style;
    style.depth = *rc::gen::arbitrary<bool>();
    style.fold = *rc::gen::inRange(0, 5);
    style.snake = *rc::gen::arbitrary<bool>();
    layout.rank(style);
    for (int p = *rc::gen::inRange(0, 4); p > 0; --p) {
      layout.add_port(*rc::gen::inRange(0, nodes), *rc::gen::arbitrary<bool>(),
                      *rc::gen::arbitrary<bool>());
    }
    for (int n = 0; n < nodes; ++n) {
      layout.node(n).width = *rc::gen::inRange(20, 200);
      layout.node(n).height = *rc::gen::inRange(20, 120);
    }
    layout.place();
    const std::string wrong = fault(layout, static_cast<std::size_t>(nodes));
    RC_ASSERT(wrong == "");
  });
}

class Samples : public ::testing::TestWithParam<ControllerSource> {};

INSTANTIATE_TEST_SUITE_P(All, Samples,
                         ::testing::Values(testing::small_graph(), testing::nested_graph(30),
                                           testing::nested_graph(150), testing::flat_graph(30),
                                           testing::flat_graph(150),
                                           testing::walker_controller_source()),
                         [](const auto& sample) {
                           std::string name = sample.param.name;
                           for (char& c : name) c = c == ' ' ? '_' : c;
                           return name;
                         });

TEST_P(Samples, NothingOverlapsInAnyMachine) {
  ASSERT_TRUE(compile_controller(GetParam()).ok());
  const Outline outline(GetParam());
  for (const LayerNode& layer : outline.layers) {
    const GraphLevels levels(outline, layer);
    for (int m : layer.machines) {
      EXPECT_EQ(fault(levels.level(m).layout, levels.level(m).spots.size()), "")
          << outline.machine(m).path;
    }
    for (std::size_t w = 0; w < levels.wires().size(); ++w) {
      const int index = static_cast<int>(w);
      EXPECT_EQ(levels.pieces(index).empty(), levels.is_loop(index));
      // Pieces of one line meet at the same height.
      for (std::size_t i = 0; i + 1 < levels.pieces(index).size(); ++i) {
        const auto y = [&](const GraphLevels::Piece& p, bool end) {
          const auto& level = levels.level(p.machine);
          const auto& spans = level.layout.spans(p.edge);
          return level.origin.y + (end ? spans.back() : spans.front()).y;
        };
        EXPECT_NEAR(y(levels.pieces(index)[i], true), y(levels.pieces(index)[i + 1], false), 1e-6);
      }
    }
  }
}

TEST_P(Samples, ShowEveryStateAndTransition) {
  const ControllerSource& source = GetParam();
  const std::string svg = draw_controller(source);
  EXPECT_EQ(svg, draw_controller(source)) << "the same each time";
  const Outline outline(source);
  for (const StateNode& state : outline.states)
    EXPECT_NE(svg.find(">" + xml_text(state.source->name) + "<"), std::string::npos) << state.path;
  for (const Edge& edge : outline.edges)
    EXPECT_NE(svg.find("<title>" + xml_text(edge.place)), std::string::npos) << edge.place;
  for (const MachineNode& machine : outline.machines) {
    const bool shown = svg.find(">" + machine.source->name + "<") != std::string::npos;
    EXPECT_TRUE(machine.parent < 0 || shown) << machine.path;
  }
}

std::string drawn(const std::string& layer) {
  const auto source = parse_controller(
      R"json({"sinew": "controller/1", "parameters": [{"name": "a<b", "type": "bool"}], "layers": [)json" +
      layer + "]}");
  EXPECT_TRUE(source.ok()) << (source ? "" : to_string(source.error()));
  return source ? draw_controller(*source) : "";
}

TEST(GraphPicture, SaysConditionsTimesAndPlaces) {
  const std::string svg = drawn(R"json({"name": "base", "states": [{"name": "A", "transitions": [
    {"to": "B", "when": {"parameter": "a<b", "mode": "if"}, "duration": 0},
    {"to": "B", "exit_time": 0.9, "duration": 0.3, "fixed": false, "offset": 0.25, "mute": true},
    {"to": "A", "when": {"parameter": "a<b", "mode": "if_not"}, "interruption": "next_then_current",
     "ordered": false}]}, {"name": "B"}]})json");
  for (const char* text :
       {">a&lt;b<", ">cut<", ">exit 0.9 \u00b7 0.3 cycles \u00b7 at 0.25<", ">muted<",
        "stroke-dasharray=\"5 4\"", ">not a&lt;b<", ">0.25 s \u00b7 int. next, current<",
        ">any order<", ">Entry<", ">1<", ">2<", ">3<"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text << "\n" << svg;
  }
  EXPECT_EQ(svg.find(">Exit<"), std::string::npos);
  EXPECT_EQ(svg.find(">Any State<"), std::string::npos);
}

TEST(GraphPicture, ShowsMachinesWithTheirEntriesAndExits) {
  const std::string svg =
      drawn(R"json({"name": "base", "any": [{"to": "M", "exit_time": 1}], "states": [
    {"name": "A", "transitions": [{"to": "M.Deep.X", "exit_time": 1}]}], "machines": [{"name": "M",
    "entry": [{"to": "M.Deep.X"}], "machines": [{"name": "Deep", "states": [{"name": "X", "transitions":
    [{"to": "(exit)", "exit_time": 1}, {"to": "A", "exit_time": 0.5}, {"to": "M", "exit_time": 0.2}]}]}]}]},
    {"name": "top", "blending": "additive", "weight": 0.5, "mask": "arms"},
    {"name": "same", "sync": "base", "motions": [{"state": "A", "motion": "limp"}]})json");
  for (const char* text : {">Any State<", ">Exit<", ">Deep<", "after exit, else: entry", ">always<",
                           "additive, weight 0.5, mask arms", "in step with base", "limp"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
}

TEST(GraphPicture, OneLayerAndBrokenControllers) {
  ControllerSource two = testing::small_graph();
  two.layers.push_back(two.layers[0]);
  two.layers[1].name = "second";
  const std::string svg = draw_controller(two, {.parameters = false, .layer = "second"});
  EXPECT_NE(svg.find(">second<"), std::string::npos);
  EXPECT_EQ(svg.find(">base<"), std::string::npos);
  EXPECT_EQ(svg.find("speed: float"), std::string::npos);
  ControllerSource broken = testing::small_graph();
  broken.layers[0].root.default_state = "nowhere";
  for (StateSource& state : broken.layers[0].root.states) {
    for (TransitionSource& t : state.transitions) t.to = "\xff\x01lost";
  }
  broken.layers[0].root.states[0].name = "\xc3\x28 <&>";
  EXPECT_NE(draw_controller(broken).find("&lt;&amp;&gt;"), std::string::npos);
  EXPECT_NE(draw_controller({}).find("</svg>"), std::string::npos);
}

TEST(Svg, TextsAreMeasuredAndShortened) {
  EXPECT_NEAR(text_width("Walk", 10), 24.59, 0.01);
  EXPECT_GT(text_width("Walk", 10, true), text_width("Walk", 10));
  const std::string shorter = elided("a rather long name of a state", 60, 10);
  EXPECT_LE(text_width(shorter, 10), 60);
  EXPECT_EQ(shorter.substr(shorter.size() - 3), "\u2026");
  EXPECT_EQ(elided("short", 60, 10), "short");
  EXPECT_EQ(svg_number(1.005), "1");
  EXPECT_EQ(svg_number(-0.001), "0");
  EXPECT_EQ(svg_number(12.5), "12.5");
  EXPECT_EQ(xml_text("a\"b'c\n\xf0\x90"), "a&quot;b&#39;c\uFFFD\uFFFD\uFFFD");
}

// SINEW_GRAPH_OUT=folder writes the controllers and pictures there, to look at.
TEST(GraphPicture, WritesSamples) {
  const char* folder = std::getenv("SINEW_GRAPH_OUT");
  if (!folder) GTEST_SKIP() << "SINEW_GRAPH_OUT is not set";
  for (const ControllerSource& source :
       {testing::small_graph(), testing::nested_graph(30), testing::nested_graph(150),
        testing::flat_graph(30), testing::flat_graph(150)}) {
    std::string name = source.name;
    for (char& c : name) c = c == ' ' ? '_' : c;
    std::ofstream(std::string(folder) + "/" + name + ".controller.json")
        << write_controller(source);
    std::ofstream(std::string(folder) + "/" + name + ".svg") << draw_controller(source);
  }
}

}  // namespace
}  // namespace sinew
