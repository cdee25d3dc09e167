#include "graph_wires.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "svg.hpp"

namespace sinew::authoring_detail {
namespace {

constexpr double kLabelSize = 10, kLongestLine = 190;

// Words side by side where they are short.
void add_words(std::vector<LabelLine>& label, const std::vector<std::string>& words, bool timing) {
  const std::string between = timing ? " \u00b7 " : ", ";
  bool first = true;
  for (const std::string& word : words) {
    const std::string one = elided(word, kLongestLine, kLabelSize);
    const bool fits =
        !first && text_width(label.back().text + between + one, kLabelSize) <= kLongestLine;
    if (fits) {
      label.back().text += between + one;
    } else {
      if (!first && !timing) label.back().text += ",";
      label.push_back({one, timing});
    }
    first = false;
  }
}

std::vector<std::string> words(const std::vector<ConditionSource>& conditions) {
  std::vector<std::string> out;
  for (const ConditionSource& c : conditions) out.push_back(condition_words(c));
  return out;
}

std::vector<std::string> timing_words(const TransitionSource& t) {
  std::vector<std::string> out;
  if (t.exit_time) out.push_back("exit " + number_words(*t.exit_time));
  out.push_back(t.duration == 0 ? "cut" : number_words(t.duration) + (t.fixed ? " s" : " cycles"));
  if (t.offset != 0) out.push_back("at " + number_words(t.offset));
  switch (t.interruption) {
    case Interruption::kNone:
      break;
    case Interruption::kCurrent:
      out.emplace_back("int. current");
      break;
    case Interruption::kNext:
      out.emplace_back("int. next");
      break;
    case Interruption::kCurrentThenNext:
      out.emplace_back("int. current, next");
      break;
    case Interruption::kNextThenCurrent:
      out.emplace_back("int. next, current");
      break;
  }
  if (t.interruption != Interruption::kNone && !t.ordered) out.emplace_back("any order");
  if (t.to_self) out.emplace_back("to self");
  if (t.mute) out.emplace_back("muted");
  if (t.solo) out.emplace_back("solo");
  return out;
}

class WireMaker {
 public:
  WireMaker(const Outline& outline, const LayerNode& layer) : o_(outline), layer_(layer) {}

  std::vector<Wire> make() {
    for (int m : layer_.machines) {
      const MachineNode& machine = o_.machine(m);
      const Spot entry{Spot::Kind::kEntry, m, -1};
      for (int r : machine.entries) add_route(o_.route(r), entry, Wire::Kind::kEntry);
      add_default(machine, entry);
      for (int e : machine.any) {
        add_edge(o_.edge(e), {Spot::Kind::kAny, m, -1}, Wire::Kind::kAny);
      }
      for (int s : machine.states) {
        for (int e : o_.state(s).edges)
          add_edge(o_.edge(e), {Spot::Kind::kState, m, s}, Wire::Kind::kTransition);
      }
    }
    for (int m : layer_.machines) add_after_exit(m);
    return std::move(wires_);
  }

 private:
  bool contains(int machine, int inner) const {
    while (inner >= 0 && inner != machine) inner = o_.machine(inner).parent;
    return inner == machine;
  }

  // False if the target means nothing.
  bool spot_of(const Target& target, const Spot& from, Spot& to) const {
    switch (target.kind) {
      case Target::Kind::kNone:
        return false;
      case Target::Kind::kState:
        to = {Spot::Kind::kState, o_.state(target.index).machine, target.index};
        return true;
      case Target::Kind::kExit:
        to = {Spot::Kind::kExit, target.index, -1};
        return true;
      case Target::Kind::kMachine:
        break;
    }
    // Into a machine that the line starts in: to its entry.
    if (contains(target.index, from.machine)) {
      to = {Spot::Kind::kEntry, target.index, -1};
    } else {
      to = {Spot::Kind::kBox, o_.machine(target.index).parent, target.index};
    }
    return true;
  }

  void add(Wire wire, const std::string& place, const std::vector<std::string>& when = {},
           const std::vector<std::string>& timing = {}) {
    wire.title = place;
    if (wire.place > 0) wire.title += ", place " + std::to_string(wire.place);
    std::string between = ": ";
    for (const auto* list : {&when, &timing}) {
      for (const std::string& word : *list) {
        wire.title += between + word;
        between = ", ";
      }
    }
    add_words(wire.label, when, false);
    add_words(wire.label, timing, true);
    wires_.push_back(std::move(wire));
  }

  void add_edge(const Edge& edge, const Spot& from, Wire::Kind kind) {
    Wire wire;
    wire.kind = kind;
    wire.from = from;
    if (!spot_of(edge.target, from, wire.to)) return;
    wire.place = edge.order + 1;
    wire.off = edge.off;
    add(std::move(wire), edge.place, words(edge.source->conditions), timing_words(*edge.source));
  }

  void add_route(const RouteEdge& route, const Spot& from, Wire::Kind kind) {
    Wire wire;
    wire.kind = kind;
    wire.from = from;
    if (!spot_of(route.target, from, wire.to)) return;
    wire.place = route.order + 1;
    wire.off = route.off;
    std::vector<std::string> timing;
    if (route.source->conditions.empty()) timing.emplace_back("always");
    add(std::move(wire), route.place, words(route.source->conditions), timing);
  }

  void add_default(const MachineNode& machine, const Spot& entry) {
    Wire wire;
    wire.kind = Wire::Kind::kDefault;
    wire.from = entry;
    if (spot_of(machine.default_target, entry, wire.to))
      add(std::move(wire), machine.place + ": default");
  }

  void add_after_exit(int index) {
    const MachineNode& machine = o_.machine(index);
    if (machine.parent < 0) return;
    const Spot box{Spot::Kind::kBox, machine.parent, index};
    bool always = false;
    for (int r : machine.leaves) {
      add_route(o_.route(r), box, Wire::Kind::kAfterExit);
      always = always || (!o_.route(r).off && o_.route(r).source->conditions.empty());
    }
    const Spot exit{Spot::Kind::kExit, index, -1};
    const bool left = std::any_of(wires_.begin(), wires_.end(),
                                  [&](const Wire& w) { return w.to == exit && !w.off; });
    if (always || !left) return;
    Wire wire;
    wire.kind = Wire::Kind::kFallback;
    wire.from = box;
    wire.to = {Spot::Kind::kEntry, machine.parent, -1};
    add(std::move(wire), machine.place + ": after exit, else: entry");
  }

  const Outline& o_;
  const LayerNode& layer_;
  std::vector<Wire> wires_;
};

std::string tree_words(const MotionNodeSource& node) {
  std::string out(to_string(node.type));
  if (!node.x.empty()) out += " " + node.x;
  if (!node.y.empty()) out += ", " + node.y;
  std::vector<std::string> motions;
  collect_motions(node, motions);
  out += ": ";
  for (std::size_t i = 0; i < motions.size(); ++i) out += (i > 0 ? ", " : "") + motions[i];
  return motions.empty() ? out + "nothing" : out;
}

}  // namespace

std::vector<Wire> wires_of(const Outline& outline, const LayerNode& layer) {
  return WireMaker(outline, layer).make();
}

std::string motion_words(const MotionNodeSource& node) {
  switch (node.kind) {
    case MotionNodeSource::Kind::kNone:
      return "";
    case MotionNodeSource::Kind::kMotion:
      return node.motion;
    case MotionNodeSource::Kind::kTree:
      return tree_words(node);
  }
  return "";
}

std::string state_words(const StateSource& s) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  if (s.speed != 1 || !s.speed_parameter.empty()) {
    std::string speed = "speed ";
    if (s.speed != 1 || s.speed_parameter.empty()) speed += number_words(s.speed);
    if (!s.speed_parameter.empty()) speed += (s.speed != 1 ? " x " : "") + s.speed_parameter;
    add(speed);
  }
  if (!s.time_parameter.empty()) add("time " + s.time_parameter);
  if (!s.cycle_offset_parameter.empty()) {
    add("offset " + s.cycle_offset_parameter);
  } else if (s.cycle_offset != 0) {
    add("offset " + number_words(s.cycle_offset));
  }
  if (!s.mirror_parameter.empty()) {
    add("mirror " + s.mirror_parameter);
  } else if (s.mirror) {
    add("mirrored");
  }
  return out;
}

std::string condition_words(const ConditionSource& c) {
  const std::string number = number_words(c.threshold);
  switch (c.mode) {
    case ConditionMode::kIf:
      return c.parameter;
    case ConditionMode::kIfNot:
      return "not " + c.parameter;
    case ConditionMode::kGreater:
      return c.parameter + " > " + number;
    case ConditionMode::kLess:
      return c.parameter + " < " + number;
    case ConditionMode::kEquals:
      return c.parameter + " = " + number;
    case ConditionMode::kNotEqual:
      return c.parameter + " \u2260 " + number;
  }
  return c.parameter;
}

std::string number_words(double value) {
  if (!std::isfinite(value)) return "?";
  char buffer[64];
  if (std::abs(value) >= 1e9) {
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 4);
    return std::string(buffer, end.ptr);
  }
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 4);
  std::string text(buffer, end.ptr);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace sinew::authoring_detail
