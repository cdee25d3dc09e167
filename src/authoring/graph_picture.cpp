#include <algorithm>
#include <array>
#include <cmath>

#include <sinew/authoring/graph_picture.hpp>

#include "graph_levels.hpp"
#include "svg.hpp"

namespace sinew {
namespace {

using namespace authoring_detail;

constexpr double kMargin = 24, kLayerGap = 30, kTitleHeight = 26;
constexpr double kNameFont = 12, kNoteFont = 10;
constexpr const char* kText = "#20242a";
constexpr const char* kGrey = "#6b7280";
constexpr const char* kOff = "#a3a8b0";

// One colour per source, so that a line can be followed to where it began.
constexpr std::array<const char*, 8> kColours = {"#1f5fa8", "#b3541e", "#2e7d4f", "#8e3b8a",
                                                 "#a3222a", "#00798c", "#7a6400", "#4a4a9c"};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class LayerPicture {
 public:
  LayerPicture(const Outline& outline, const LayerNode& layer, Svg& svg, Point corner)
      : o_(outline), layer_(layer), levels_(outline, layer), svg_(svg), corner_(corner) {}

  double width() const { return levels_.width(); }
  double height() const { return levels_.height(); }

  void draw() {
    boxes(layer_.root, 0);
    // Light lines first: what leads somewhere by a condition lies on top.
    for (bool off : {true, false}) {
      for (std::size_t w = 0; w < levels_.wires().size(); ++w) {
        if (levels_.wires()[w].off == off && !levels_.is_loop(static_cast<int>(w)))
          wire(static_cast<int>(w));
      }
    }
    nodes(layer_.root);
    for (std::size_t w = 0; w < levels_.wires().size(); ++w) {
      if (!levels_.is_loop(static_cast<int>(w))) label(static_cast<int>(w));
    }
  }

 private:
  Point absolute(int machine, Point p) const {
    const Point o = levels_.level(machine).origin;
    return {corner_.x + o.x + p.x, corner_.y + o.y + p.y};
  }

  std::string colour(const Wire& wire) const {
    if (wire.off) return kOff;
    switch (wire.kind) {
      case Wire::Kind::kTransition:
        return kColours[at(wire.from.index) % kColours.size()];
      case Wire::Kind::kAny:
        return "#0b7a75";
      case Wire::Kind::kDefault:
      case Wire::Kind::kEntry:
        return "#c77700";
      case Wire::Kind::kAfterExit:
        return "#7a4a2b";
      case Wire::Kind::kFallback:
        return kGrey;
    }
    return kText;
  }

  void boxes(int machine, int depth) {
    constexpr std::array<const char*, 4> kFills = {"#f4f7fb", "#eaf0f7", "#f7f4ec", "#eef5ee"};
    const GraphLevels::Level& level = levels_.level(machine);
    for (std::size_t n = 0; n < level.spots.size(); ++n) {
      if (level.spots[n].kind != Spot::Kind::kBox) continue;
      const NodeLook& look = level.looks[n];
      const Point p = absolute(machine, level.layout.node_at(static_cast<int>(n)));
      const Paint paint{.fill = kFills[static_cast<std::size_t>(depth) % kFills.size()],
                        .stroke = "#8794a6",
                        .width = 1.2};
      svg_.rectangle(p.x + kInset, p.y + look.loops, look.width, look.height, 8, paint);
      boxes(level.spots[n].index, depth + 1);
    }
  }

  // Points along a line: stretches of one height, and curves between them.
  std::vector<Span> track(int w) const {
    std::vector<Span> spans;
    for (const GraphLevels::Piece& piece : levels_.pieces(w)) {
      for (Span span : levels_.level(piece.machine).layout.spans(piece.edge)) {
        const Point a = absolute(piece.machine, {span.x0, span.y});
        spans.push_back({a.x, a.x + span.x1 - span.x0, a.y});
      }
    }
    if (spans.empty()) return spans;
    // From border to border: nodes are drawn inside of their places.
    spans.front().x0 -= start_direction(w) * kInset;
    spans.back().x1 += end_direction(w) * kInset;
    return spans;
  }

  // 1 to the right, -1 to the left.
  double start_direction(int w) const {
    const GraphLevels::Piece& p = levels_.pieces(w).front();
    return levels_.level(p.machine).layout.leaves_left(p.edge) ? -1 : 1;
  }
  double end_direction(int w) const {
    const GraphLevels::Piece& p = levels_.pieces(w).back();
    return levels_.level(p.machine).layout.enters_left(p.edge) ? 1 : -1;
  }

  void wire(int w) {
    const Wire& wire = levels_.wires()[at(w)];
    const std::vector<Span> spans = track(w);
    if (spans.empty()) return;
    const double end = end_direction(w);
    const Point tip{spans.back().x1, spans.back().y};
    std::string path = "M" + svg_number(spans[0].x0) + " " + svg_number(spans[0].y);
    Point pen{spans[0].x0, spans[0].y};
    const auto line_to = [&](double x, double y) {
      if (x != pen.x || y != pen.y) path += "L" + svg_number(x) + " " + svg_number(y);
      pen = {x, y};
    };
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const Span& span = spans[i];
      if (span.y != pen.y && std::abs(span.x0 - pen.x) < 1e-6) {
        path += turn(pen, span.y);
        pen.y = span.y;
      } else if (span.y != pen.y) {
        const double middle = (pen.x + span.x0) / 2;
        path += "C" + svg_number(middle) + " " + svg_number(pen.y) + " " + svg_number(middle) +
                " " + svg_number(span.y) + " " + svg_number(span.x0) + " " + svg_number(span.y);
        pen = {span.x0, span.y};
      }
      line_to(i + 1 == spans.size() ? span.x1 - end * 6 : span.x1, span.y);
    }
    const std::string paint = colour(wire);
    const bool dotted = wire.kind == Wire::Kind::kFallback;
    svg_.open_group(wire.title);
    // Light around it, so that at a crossing one sees which line is which.
    svg_.path(path, {.stroke = "#ffffff", .width = 4.5, .opacity = 0.8});
    svg_.path(path, {.stroke = paint,
                     .width = wire.kind == Wire::Kind::kDefault ? 2.0 : 1.3,
                     .dash = wire.off ? "5 4"
                             : dotted ? "2 3"
                                      : ""});
    arrow(tip, end, paint);
    svg_.close_group();
  }

  // Behind a label to the line back: two rounded corners.
  static std::string turn(Point from, double y) {
    const double radius = std::min(7.0, (y > from.y ? y - from.y : from.y - y) / 2);
    const double down = y > from.y ? radius : -radius, x = from.x + radius;
    const auto corner = [](double cx, double cy, double px, double py) {
      return "Q" + svg_number(cx) + " " + svg_number(cy) + " " + svg_number(px) + " " +
             svg_number(py);
    };
    return corner(x, from.y, x, from.y + down) + "L" + svg_number(x) + " " + svg_number(y - down) +
           corner(x, y, from.x, y);
  }

  void arrow(Point tip, double direction, const std::string& paint) {
    svg_.polygon({tip, {tip.x - direction * 8, tip.y - 3.6}, {tip.x - direction * 8, tip.y + 3.6}},
                 {.fill = paint});
  }

  void label(int w) {
    const Wire& wire = levels_.wires()[at(w)];
    if (wire.label.empty() || levels_.pieces(w).empty()) return;
    const GraphLevels::Piece& piece = levels_.label_piece(w);
    label_text(wire,
               absolute(piece.machine, levels_.level(piece.machine).layout.label_at(piece.edge)));
  }

  void label_text(const Wire& wire, Point p) {
    const std::string paint = colour(wire);
    svg_.open_group(wire.title);
    double x = p.x + 2;
    if (wire.place > 0) {
      svg_.circle({p.x + 7.5, p.y + 7}, 6, {.fill = paint});
      svg_.text({p.x + 7.5, p.y + 10.2}, std::to_string(wire.place),
                {.size = wire.place > 9 ? 7.5 : 9.0,
                 .bold = true,
                 .fill = "#ffffff",
                 .anchor = Anchor::kMiddle});
      x += kBadge;
    }
    for (std::size_t i = 0; i < wire.label.size(); ++i) {
      const LabelLine& line = wire.label[i];
      svg_.text({x, p.y + 10.5 + static_cast<double>(i) * kLabelStep}, line.text,
                {.size = kLabelFont,
                 .fill = wire.off      ? kOff
                         : line.timing ? kGrey
                                       : kText});
    }
    svg_.close_group();
  }

  void nodes(int machine) {
    const GraphLevels::Level& level = levels_.level(machine);
    for (std::size_t n = 0; n < level.spots.size(); ++n) {
      const Spot& spot = level.spots[n];
      const NodeLook& look = level.looks[n];
      const Point corner = absolute(machine, level.layout.node_at(static_cast<int>(n)));
      const Point p{corner.x + kInset, corner.y + look.loops};
      loops(level, n, p);
      if (spot.kind == Spot::Kind::kBox) {
        svg_.text({p.x + 12, p.y + 17}, o_.machine(spot.index).source->name,
                  {.size = kNameFont, .bold = true, .fill = kText});
        nodes(spot.index);
      } else if (spot.kind == Spot::Kind::kState) {
        state(spot.index, machine, p, look);
      } else {
        pill(spot.kind, p, look);
      }
    }
  }

  void pill(Spot::Kind kind, Point p, const NodeLook& look) {
    const bool entry = kind == Spot::Kind::kEntry, any = kind == Spot::Kind::kAny;
    const char* fill = entry ? "#3c8c4a" : any ? "#0b7a75" : "#b23a3a";
    svg_.rectangle(p.x, p.y, look.width, look.height, std::min(12.0, look.height / 2),
                   {.fill = fill});
    svg_.text({p.x + look.width / 2, p.y + look.height / 2 + 4},
              entry ? "Entry"
              : any ? "Any State"
                    : "Exit",
              {.size = 11, .bold = true, .fill = "#ffffff", .anchor = Anchor::kMiddle});
  }

  void state(int index, int machine, Point p, const NodeLook& look) {
    const StateSource& s = *o_.state(index).source;
    const bool first = o_.machine(machine).default_target == Target{Target::Kind::kState, index};
    const std::string motion = motion_words(s.motion), extra = state_words(s);
    svg_.open_group(o_.state(index).place + (motion.empty() ? "" : ": " + motion) +
                    (extra.empty() ? "" : ", " + extra));
    svg_.rectangle(p.x, p.y, look.width, look.height, 4,
                   {.fill = first ? "#ffe3b5" : "#ffffff",
                    .stroke = first ? "#c77700" : kColours[at(index) % kColours.size()],
                    .width = 1.4});
    const double lines = 1 + (motion.empty() ? 0 : 1) + (extra.empty() ? 0 : 1);
    double y = p.y + look.height / 2 - (lines - 1) * 6.5 + 4;
    const double room = look.width - 12, middle = p.x + look.width / 2;
    svg_.text({middle, y}, elided(s.name, room, kNameFont, true),
              {.size = kNameFont, .bold = true, .fill = kText, .anchor = Anchor::kMiddle});
    for (const std::string& line : {motion, extra}) {
      if (line.empty()) continue;
      y += 13;
      svg_.text({middle, y}, elided(line, room, kNoteFont),
                {.size = kNoteFont, .fill = kGrey, .anchor = Anchor::kMiddle});
    }
    svg_.close_group();
  }

  // Transitions of a node to itself: arches over it, each with its label inside.
  void loops(const GraphLevels::Level& level, std::size_t n, Point p) {
    const NodeLook& look = level.looks[n];
    double y = p.y - look.loops;
    for (std::size_t i = 0; i < level.loops[n].size(); ++i) {
      const Wire& wire = levels_.wires()[at(level.loops[n][i])];
      const double height = GraphLevels::label_height(wire);
      // The uppermost arch is the widest.
      const double inset = 3 + 5 * static_cast<double>(std::min<std::size_t>(i, 3));
      const double x0 = p.x + inset, x1 = p.x + look.width - inset;
      const std::string paint = colour(wire);
      const std::string path = "M" + svg_number(x1) + " " + svg_number(p.y) + "V" +
                               svg_number(y + 6) + "Q" + svg_number(x1) + " " + svg_number(y + 1) +
                               " " + svg_number(x1 - 5) + " " + svg_number(y + 1) + "H" +
                               svg_number(x0 + 5) + "Q" + svg_number(x0) + " " + svg_number(y + 1) +
                               " " + svg_number(x0) + " " + svg_number(y + 6) + "V" +
                               svg_number(p.y - 6);
      svg_.path(path, {.stroke = paint, .width = 1.3, .dash = wire.off ? "5 4" : ""});
      svg_.polygon({{x0, p.y}, {x0 - 3.6, p.y - 8}, {x0 + 3.6, p.y - 8}}, {.fill = paint});
      label_text(wire, {x0 + 6, y + 3});
      y += height + 5;
    }
  }

  const Outline& o_;
  const LayerNode& layer_;
  GraphLevels levels_;
  Svg& svg_;
  Point corner_;
};

std::string layer_words(const LayerSource& layer, std::size_t index) {
  std::string out = layer.blending == LayerBlending::kAdditive ? "additive" : "override";
  if (index > 0) out += ", weight " + number_words(layer.weight);
  if (!layer.mask.empty()) out += ", mask " + layer.mask;
  if (!layer.sync.empty())
    out += ", in step with " + layer.sync + (layer.sync_timing ? " (its lengths count)" : "");
  return out;
}

// Parameters in rows as wide as the picture.
double draw_parameters(Svg& svg, const ControllerSource& controller, double width) {
  double x = kMargin, y = kMargin + 34;
  for (const ParameterSource& p : controller.parameters) {
    const std::string text = p.name + ": " + std::string(to_string(p.type)) +
                             (p.value != 0 ? " " + number_words(p.value) : "");
    const double wide = text_width(text, kNoteFont) + 14;
    if (x + wide > width - kMargin && x > kMargin) {
      x = kMargin;
      y += 22;
    }
    svg.rectangle(x, y, wide, 17, 8, {.fill = "#eef1f5"});
    svg.text({x + 7, y + 12}, text, {.size = kNoteFont, .fill = kText});
    x += wide + 6;
  }
  return y + (controller.parameters.empty() ? 0 : 22);
}

// Of a layer without states of its own: what it plays in the other one's.
double draw_synced(Svg& svg, const LayerSource& layer, Point p) {
  double y = p.y + 10;
  for (const SyncedMotionSource& synced : layer.synced_motions) {
    svg.text({p.x, y}, synced.state + " \u2192 " + motion_words(synced.motion),
             {.size = 11, .fill = kText});
    y += 16;
  }
  return y;
}

}  // namespace

std::string draw_controller(const ControllerSource& controller,
                            const GraphPictureOptions& options) {
  const Outline outline(controller);
  Svg layers;
  double width = 480, y = 0;
  for (std::size_t i = 0; i < outline.layers.size(); ++i) {
    const LayerNode& layer = outline.layers[i];
    if (!options.layer.empty() && layer.source->name != options.layer) continue;
    const std::string name = layer.source->name.empty() ? "(layer)" : layer.source->name;
    layers.text({kMargin, y + 16}, name, {.size = 15, .bold = true, .fill = kText});
    layers.text({kMargin + text_width(name, 15, true) + 10, y + 16}, layer_words(*layer.source, i),
                {.size = 11, .fill = kGrey});
    y += kTitleHeight;
    if (layer.source->sync.empty()) {
      LayerPicture picture(outline, layer, layers, {kMargin, y + 6});
      picture.draw();
      width = std::max(width, picture.width() + 2 * kMargin);
      y += picture.height() + 6;
    } else {
      y = draw_synced(layers, *layer.source, {kMargin, y + 6});
    }
    y += kLayerGap;
  }
  const std::string title = controller.name.empty() ? "controller" : controller.name;
  Svg svg;
  svg.text({kMargin, kMargin + 16}, title, {.size = 18, .bold = true, .fill = kText});
  double top = kMargin + 34;
  if (options.parameters) top = draw_parameters(svg, controller, width) + 6;
  svg.append_below(layers, top);
  return svg.document(width, top + y + 4, title);
}

}  // namespace sinew
