#include <algorithm>
#include <cmath>
#include <numeric>

#include <sinew/base/text.hpp>
#include <sinew/math/scalar.hpp>

#include "compiler.hpp"

namespace sinew::graph_detail {
namespace {

constexpr int kDeepestTree = 16;

bool is_2d(TreeType type) { return type != TreeType::k1D && type != TreeType::kDirect; }

// NaN, which is refused later, must not break the sort.
double sort_key(const TreeChildSource& child) {
  return is_finite(child.threshold) ? child.threshold : 0.0;
}

Vec2 position_of(const TreeChildSource& child) {
  return {static_cast<float>(child.x), static_cast<float>(child.y)};
}

}  // namespace

std::int32_t Compiler::motion_index(const std::string& name, const std::string& place) {
  const auto found = motion_ids_.find(name);
  if (found != motion_ids_.end()) return found->second;
  if (runs_alone_) {
    std::vector<std::string_view> names;
    names.reserve(declared_motions_);
    for (std::size_t i = 0; i < declared_motions_; ++i) names.push_back(t_.motions[i].name);
    warning("controller.unknown_motion", place,
            "motion " + quoted(name) + " is not declared" + did_you_mean(name, names),
            "without a model it counts as 1 s long");
  }
  const auto index = static_cast<std::int32_t>(t_.motions.size());
  MotionSource motion;
  motion.name = name;
  t_.motions.push_back(std::move(motion));
  motion_ids_.emplace(name, index);
  return index;
}

std::int32_t Compiler::add_node(const MotionNodeSource& node, const std::string& place, int depth) {
  if (node.kind == MotionNodeSource::Kind::kNone) return -1;
  const auto index = static_cast<std::int32_t>(t_.nodes.size());
  t_.nodes.emplace_back();
  if (node.kind == MotionNodeSource::Kind::kMotion) {
    if (node.motion.empty()) error("controller.no_name", place, "its motion has no name");
    const std::int32_t motion = motion_index(node.motion, place);
    MotionNodeDef& def = t_.nodes[static_cast<std::size_t>(index)];
    def.kind = MotionNodeDef::Kind::kMotion;
    def.motion = motion;
    return index;
  }
  if (depth >= kDeepestTree) {
    error("controller.too_deep", place, "blend trees are nested too deeply");
    return index;
  }
  const std::string tree_place =
      place + ": " + (node.name.empty() ? "blend tree" : "blend tree " + quoted(node.name));
  fill_tree(index, node, tree_place, depth);
  return index;
}

void Compiler::fill_tree(std::int32_t index, const MotionNodeSource& node, const std::string& place,
                         int depth) {
  if (node.children.empty()) {
    warning("controller.empty_tree", place, "has no children", "it plays nothing for 1 s");
    return;  // stays kNone
  }
  const auto parameter = [&](const std::string& name, const char* use) {
    if (!name.empty()) return resolve_parameter(name, ParameterType::kFloat, place, use);
    error("controller.no_parameter", place, std::string(use) + " is not given");
    return -1;
  };
  MotionNodeDef def;
  def.kind = MotionNodeDef::Kind::kTree;
  def.type = node.type;
  def.normalize = node.normalize;
  if (node.type != TreeType::kDirect) def.x = parameter(node.x, "parameter x");
  if (is_2d(node.type)) {
    def.y = parameter(node.y, "parameter y");
    check_positions(node, place);
    if (node.type == TreeType::kSimpleDirectional) check_directions(node, place);
  }
  def.first_child = static_cast<std::uint32_t>(t_.children.size());
  def.child_count = static_cast<std::uint32_t>(node.children.size());
  std::vector<std::size_t> order(node.children.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (node.type == TreeType::k1D) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return sort_key(node.children[a]) < sort_key(node.children[b]);
    });
  }
  t_.nodes[static_cast<std::size_t>(index)] = def;
  add_children(node, order, place, depth);
}

void Compiler::add_children(const MotionNodeSource& node, const std::vector<std::size_t>& order,
                            const std::string& place, int depth) {
  const std::size_t first = t_.children.size();
  t_.children.resize(first + order.size());
  t_.thresholds.resize(first + order.size());
  t_.points.resize(first + order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const TreeChildSource& child = node.children[order[i]];
    const std::string child_place = place + format_text(": child %zu", order[i]);
    TreeChildDef def;
    def.time_scale = child.time_scale;
    def.cycle_offset = child.cycle_offset;
    def.mirror = child.mirror;
    if (!check_child(node, child, child_place)) def.time_scale = 1;
    if (node.type == TreeType::kDirect) {
      def.parameter = child.parameter.empty()
                          ? -1
                          : resolve_parameter(child.parameter, ParameterType::kFloat, child_place,
                                              "weight parameter");
    }
    def.node = add_node(child.node, child_place, depth + 1);
    t_.children[first + i] = def;
    t_.thresholds[first + i] = static_cast<float>(child.threshold);
    t_.points[first + i] = make_blend_point(position_of(child));
  }
}

bool Compiler::check_child(const MotionNodeSource& tree, const TreeChildSource& child,
                           const std::string& place) {
  if (!check_finite(child.time_scale, "its time scale", place)) return false;
  if (child.time_scale == 0) {
    error("controller.out_of_range", place, "its time scale is 0");
    return false;
  }
  if (tree.type == TreeType::kDirect && child.parameter.empty()) {
    error("controller.no_parameter", place, "a child of a direct tree needs a weight parameter");
  }
  const bool threshold_fits = is_finite(static_cast<float>(child.threshold)) &&
                              is_finite(position_of(child).x) && is_finite(position_of(child).y);
  if (!threshold_fits) {
    error("controller.not_finite", place, "its threshold or position is not a finite number");
  }
  return check_finite(child.cycle_offset, "its cycle offset", place) && threshold_fits;
}

// A Simple Directional tree cannot blend between two children that lie in one direction.
void Compiler::check_directions(const MotionNodeSource& node, const std::string& place) {
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Vec2 a = position_of(node.children[i]);
    for (std::size_t j = 0; j < i; ++j) {
      const Vec2 b = position_of(node.children[j]);
      const double cross = static_cast<double>(a.x) * static_cast<double>(b.y) -
                           static_cast<double>(a.y) * static_cast<double>(b.x);
      const double dot = static_cast<double>(a.x) * static_cast<double>(b.x) +
                         static_cast<double>(a.y) * static_cast<double>(b.y);
      constexpr double kSameDirection = 1e-6;
      if (!(dot > 0) || std::abs(cross) > kSameDirection * dot || a == b) continue;
      warning("controller.same_direction", place,
              format_text("children %zu and %zu lie in the same direction", j, i),
              "use freeform_directional for several speeds of one direction");
    }
  }
}

void Compiler::check_positions(const MotionNodeSource& node, const std::string& place) {
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Vec2 a = position_of(node.children[i]);
    for (std::size_t j = 0; j < i; ++j) {
      if (!(position_of(node.children[j]) == a)) continue;
      if (node.type == TreeType::kSimpleDirectional && a == Vec2{}) {
        error("controller.two_centres", place,
              format_text("children %zu and %zu both lie at the centre", j, i));
      } else {
        warning("controller.coincident_children", place,
                format_text("children %zu and %zu lie on one point", j, i));
      }
      break;
    }
  }
}

}  // namespace sinew::graph_detail
