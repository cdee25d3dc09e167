#include <algorithm>
#include <cmath>
#include <numeric>

#include <sinew/base/text.hpp>

#include "controller_reader.hpp"

namespace sinew::unity {
namespace {

constexpr std::size_t kDeepestTree = 15;       // as compile_controller()
constexpr std::size_t kMostTreeNodes = 20000;  // trees may share subtrees, which are copied

// "line 3: layer 'A': state 'B'" without the line.
std::string without_line(const std::string& place) {
  if (!place.starts_with("line ")) return place;
  const std::size_t end = place.find(": ");
  return end == std::string::npos ? std::string() : place.substr(end + 2);
}

}  // namespace

MotionNodeSource ControllerReader::motion(const Node* node, const std::string& place) {
  MotionNodeSource out;
  const AssetRef ref = reference_of(node);
  if (ref.null()) return out;
  const auto found = ref.local() ? by_id_.find(ref.file_id) : by_id_.end();
  if (found != by_id_.end() && found->second->class_id == kBlendTree) {
    return tree(*found->second, without_line(place));
  }
  out.kind = MotionNodeSource::Kind::kMotion;
  out.motion = names_.motion(ref, place);
  return out;
}

MotionNodeSource ControllerReader::tree(const Document& document, const std::string& place) {
  MotionNodeSource out;
  const Node& body = document.body;
  const std::string name = text_or(body, "m_Name");
  const std::string plain = place + ": blend tree " + in_quotes(name);
  const std::string where = at(document.line, plain);
  if (std::find(tree_stack_.begin(), tree_stack_.end(), document.file_id) != tree_stack_.end()) {
    warn("unity.cyclic_tree", where, "it lies inside itself; the inner place plays nothing");
    return out;
  }
  if (tree_stack_.size() >= kDeepestTree) {
    warn("unity.too_deep", where, "it is nested too deeply and plays nothing");
    return out;
  }
  if (++tree_nodes_ > kMostTreeNodes) {
    if (!limit_) {
      limit_ = make_error(ErrorCode::kLimit, "the blend trees hold more than 20000 nodes",
                          file_ + ": " + where);
    }
    return out;
  }
  tree_stack_.push_back(document.file_id);
  out.kind = MotionNodeSource::Kind::kTree;
  out.name = name;
  const std::int64_t type = integer_or(body, "m_BlendType", 0);
  if (type >= 0 && type <= 4) {
    out.type = static_cast<TreeType>(type);
  } else {
    warn("unity.tree_type", where,
         format_text("its type %lld is not known; it counts as 1D", static_cast<long long>(type)));
  }
  const bool direct = out.type == TreeType::kDirect, line = out.type == TreeType::k1D;
  const auto parameter = [&](const char* key, const char* old_key, const char* use) {
    const char* there = body.find(key) != nullptr ? key : old_key;
    const Node* node = body.find(there);
    return float_parameter(text_or(body, there), use, node != nullptr ? at(*node, plain) : where);
  };
  const std::vector<Node>& children = elements(body, "m_Childs");
  if (children.empty()) {
    warn("unity.empty_tree", where, "has no children", "it plays nothing for 1 s");
  } else {
    if (!direct) out.x = parameter("m_BlendParameter", "m_BlendEvent", "parameter x");
    if (!direct && !line) out.y = parameter("m_BlendParameterY", "m_BlendEventY", "parameter y");
  }
  out.normalize = direct && flag_or(body, "m_NormalizedBlendValues", false);
  std::vector<std::size_t> order(children.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (line) {
    // Files are sorted as a rule; the rules ask for it (9.1).
    const auto threshold = [&](std::size_t i) {
      const double value = number_or(children[i], "m_Threshold", 0);
      return std::isfinite(value) ? value : 0;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return threshold(a) < threshold(b); });
  }
  for (std::size_t i : order) {
    if (limit_) break;
    out.children.push_back(child(children[i], out.type, plain + format_text(": child %zu", i)));
  }
  tree_stack_.pop_back();
  return out;
}

TreeChildSource ControllerReader::child(const Node& node, TreeType type, const std::string& place) {
  TreeChildSource out;
  const Node* motion_node = node.find("m_Motion");
  out.node = motion(motion_node, motion_node != nullptr ? at(*motion_node, place) : place);
  if (type == TreeType::k1D) {
    out.threshold = number(node, "m_Threshold", 0, place);
  } else if (type == TreeType::kDirect) {
    const char* key = node.find("m_DirectBlendParameter") != nullptr ? "m_DirectBlendParameter"
                                                                     : "m_DirectBlendEvent";
    out.parameter = float_parameter(text_or(node, key), "weight parameter", at(node, place));
  } else if (const Node* position = node.find("m_Position")) {
    out.x = number(*position, "x", 0, place);
    out.y = number(*position, "y", 0, place);
  }
  out.time_scale = number(node, "m_TimeScale", 1, place);
  if (out.time_scale == 0) {
    warn("unity.number", at(node, place), "its time scale is 0; it counts as 1");
    out.time_scale = 1;
  }
  out.cycle_offset = number(node, "m_CycleOffset", 0, place);
  out.mirror = flag_or(node, "m_Mirror", false);
  return out;
}

// What a tree blends by must be a float. Where it is none, one that stays 0 is declared, so that
// the tree still plays.
std::string ControllerReader::float_parameter(const std::string& name, const char* use,
                                              const std::string& place) {
  const auto found = parameters_.find(name);
  if (found != parameters_.end() && found->second == ParameterType::kFloat) return name;
  std::string stand_in = name.empty() ? "(none)" : name;
  if (found != parameters_.end()) {
    stand_in += " (as float)";
    warn("unity.parameter_type", place,
         std::string(use) + " " + in_quotes(name) + " is of type " +
             std::string(to_string(found->second)) + ", not float; it counts as 0",
         "a float parameter '" + stand_in + "' stands in");
  } else {
    std::vector<std::string_view> names;
    for (const auto& [one, type] : parameters_) names.push_back(one);
    warn("unity.unknown_parameter", place,
         std::string(use) + " " + in_quotes(name) + " is not declared" + did_you_mean(name, names) +
             "; it counts as 0",
         "a float parameter '" + stand_in + "' stands in");
  }
  if (parameters_.emplace(stand_in, ParameterType::kFloat).second) {
    out_.source.parameters.push_back({stand_in, ParameterType::kFloat, 0});
  }
  return stand_in;
}

}  // namespace sinew::unity
